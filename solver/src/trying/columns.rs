//! Nodes and conditions computed for many values of one part of the input at once.
//!
//! A column has the value of a node in each row; in row `n` the part has its `n`-th value. A column
//! with one cell is the same in all rows. What cannot be computed has no value.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::rc::Rc;

use flattener::ast::deep;
use rustc_hash::FxHasher;

use crate::graph::{Condition, Formula, Graph, Node, NodeId, computed};
use crate::integers::{Constraint, to_i128};
use crate::known::{Known, constant};
use crate::store::NodeMap;

/// At most this many cells are computed for one part. Then nothing more is known.
const MOST_CELLS: usize = 4_000_000;

type Column<T> = Rc<[Option<T>]>;

/// Something computed, and whether it depends on parts with fixed values.
struct Entry<T> {
    column: Column<T>,
    is_fixed: bool,
}

impl<T> Clone for Entry<T> {
    fn clone(&self) -> Self {
        Self {
            column: Rc::clone(&self.column),
            is_fixed: self.is_fixed,
        }
    }
}

impl<T: Copy> Entry<T> {
    fn same(value: Option<T>) -> Self {
        Self {
            column: Rc::new([value]),
            is_fixed: false,
        }
    }

    fn cell(&self, row: usize) -> Option<T> {
        let index = if self.column.len() == 1 { 0 } else { row };
        self.column.get(index).copied().flatten()
    }
}

/// The columns for one part.
pub(super) struct Columns {
    part: NodeId,
    /// The values of the part.
    rows: Rc<[Option<NodeId>]>,
    /// The values of other parts.
    fixed: NodeMap<NodeId>,
    values: NodeMap<Entry<NodeId>>,
    truths: HashMap<Condition, Entry<bool>, BuildHasherDefault<FxHasher>>,
    /// How many cells were computed.
    cells: usize,
}

impl Columns {
    pub(super) fn new(part: NodeId, values: &[NodeId]) -> Self {
        Self {
            part,
            rows: values.iter().copied().map(Some).collect(),
            fixed: NodeMap::default(),
            values: NodeMap::default(),
            truths: HashMap::default(),
            cells: 0,
        }
    }

    /// Gives another part a value.
    pub(super) fn fix(&mut self, part: NodeId, value: NodeId) {
        if self.fixed.insert(part, value) != Some(value) {
            self.values.retain(|_, entry| !entry.is_fixed);
            self.truths.retain(|_, entry| !entry.is_fixed);
        }
    }

    /// Whether a condition does not hold, in each row. What cannot be computed may hold.
    pub(super) fn broken(&mut self, known: &mut Known<'_>, condition: Condition) -> Vec<bool> {
        let truth = self.truth(known, condition);
        let rows = 0..self.rows.len();
        rows.map(|row| truth.cell(row) == Some(false)).collect()
    }

    /// The same for a constraint.
    pub(super) fn broken_sum(
        &mut self,
        known: &mut Known<'_>,
        constraint: &Constraint,
    ) -> Vec<bool> {
        let mut sums = vec![Some(constraint.linear.constant); self.rows.len()];
        for (node, coefficient) in &constraint.linear.terms {
            let values = self.value(known, *node);
            for (row, sum) in sums.iter_mut().enumerate() {
                let number = values.cell(row).and_then(|it| {
                    let Node::Integer(value) = known.graph.node(it) else {
                        return None;
                    };
                    to_i128(value)?.checked_mul(*coefficient)
                });
                *sum = sum.and_then(|it| it.checked_add(number?));
            }
        }
        self.cells += sums.len();
        let relation = constraint.relation;
        let is_broken = |sum: Option<i128>| sum.is_some_and(|it| !relation.holds(it));
        sums.into_iter().map(is_broken).collect()
    }

    /// Whether too much was computed.
    pub(super) fn gave_up(&self) -> bool {
        self.cells > MOST_CELLS
    }

    fn value(&mut self, known: &mut Known<'_>, node: NodeId) -> Entry<NodeId> {
        let node = known.resolve(node);
        if node == self.part {
            return Entry {
                column: Rc::clone(&self.rows),
                is_fixed: false,
            };
        }
        if let Some(value) = self.fixed.get(&node) {
            return Entry {
                is_fixed: true,
                ..Entry::same(Some(*value))
            };
        }
        if let Some(entry) = self.values.get(&node) {
            return entry.clone();
        }
        let is_closure = matches!(known.graph.node(node), Node::Closure(_));
        let entry = if known.graph.is_ground(node) && !is_closure {
            Entry::same(Some(node))
        } else if self.gave_up() {
            Entry::same(None)
        } else {
            deep(|| self.new_value(known, node))
        };
        self.values.insert(node, entry.clone());
        entry
    }

    fn new_value(&mut self, known: &mut Known<'_>, node: NodeId) -> Entry<NodeId> {
        match *known.graph.node(node) {
            Node::Choice(..) => self.choice(known, node),
            Node::Truth(condition) => {
                let truth = self.truth(known, condition);
                let atom = |it: bool| if it { NodeId::TRUE } else { NodeId::FALSE };
                let cells = truth.column.iter();
                Entry {
                    column: cells.map(|it| it.map(atom)).collect(),
                    is_fixed: truth.is_fixed,
                }
            }
            Node::Cons(..)
            | Node::Tuple(_)
            | Node::Map(_)
            | Node::Put(..)
            | Node::Without(..)
            | Node::Arithmetic(..)
            | Node::Rounded(..)
            | Node::Length(_)
            | Node::TupleSize(_)
            | Node::MapSize(_)
            | Node::Bits(_)
            | Node::FloatOf(..)
            | Node::AtomOf(_) => {
                let operands = known.graph.node(node).operands();
                self.combined(known, &operands, |graph, values| {
                    computed(graph, node, values)
                })
            }
            Node::Input(_)
            | Node::Part(..)
            | Node::Closure(_)
            | Node::Unknown(_)
            | Node::Integer(_)
            | Node::Float(_)
            | Node::Atom(_)
            | Node::Nil
            | Node::Table(_)
            | Node::Other(..) => Entry::same(None),
        }
    }

    /// The values of a chain of choices, row by row: each looks only at the conditions before the
    /// value that is chosen there.
    fn choice(&mut self, known: &mut Known<'_>, node: NodeId) -> Entry<NodeId> {
        let mut column: Vec<Option<NodeId>> = vec![None; self.rows.len()];
        let mut open: Vec<usize> = (0..self.rows.len()).collect();
        let mut is_fixed = false;
        let mut at = node;
        while let Node::Choice(condition, yes, no) = *known.graph.node(at)
            && !open.is_empty()
        {
            let truth = self.truth(known, condition);
            is_fixed |= truth.is_fixed;
            let chosen = open.iter().any(|row| truth.cell(*row) == Some(true));
            let yes = chosen.then(|| self.value(known, yes));
            is_fixed |= yes.as_ref().is_some_and(|it| it.is_fixed);
            open.retain(|row| {
                if truth.cell(*row) == Some(true)
                    && let Some(cell) = column.get_mut(*row)
                {
                    *cell = yes.as_ref().and_then(|it| it.cell(*row));
                }
                truth.cell(*row) == Some(false)
            });
            at = no;
        }
        if !open.is_empty() {
            let last = self.value(known, at);
            is_fixed |= last.is_fixed;
            for row in open {
                if let Some(cell) = column.get_mut(row) {
                    *cell = last.cell(row);
                }
            }
        }
        self.cells += column.len();
        Entry {
            column: column.into(),
            is_fixed,
        }
    }

    fn truth(&mut self, known: &mut Known<'_>, condition: Condition) -> Entry<bool> {
        let positive = condition.signed_as(condition);
        let truth = match self.truths.get(&positive) {
            Some(entry) => entry.clone(),
            None => {
                let entry = deep(|| self.new_truth(known, positive));
                self.truths.insert(positive, entry.clone());
                entry
            }
        };
        if !condition.is_negated() {
            return truth;
        }
        let cells = truth.column.iter();
        Entry {
            column: cells.map(|it| it.map(|holds| !holds)).collect(),
            is_fixed: truth.is_fixed,
        }
    }

    fn new_truth(&mut self, known: &mut Known<'_>, condition: Condition) -> Entry<bool> {
        match known.graph.formula(condition).clone() {
            Formula::True => Entry::same(Some(true)),
            Formula::All(parts) => self.all(known, &parts),
            Formula::Kind(kinds, node) => self.test(known, node, |graph, it| {
                Some(graph.kinds(it).is_within(kinds))
            }),
            Formula::Arity(arity, node) => {
                self.test(known, node, |graph, it| constant(graph.arity(arity, it)))
            }
            Formula::FunArity(arity, node) => self.test(known, node, |graph, it| {
                constant(graph.fun_arity(arity, it))
            }),
            Formula::ProperList(node) => {
                self.test(known, node, |graph, it| constant(graph.proper_list(it)))
            }
            Formula::Member(of, node) => {
                self.test(known, node, |graph, it| constant(graph.member(of, it)))
            }
            Formula::Fields(fields, node) => self.test(known, node, |graph, it| {
                constant(graph.has_fields(&fields, it))
            }),
            Formula::Utf8(from, node) => {
                self.test(known, node, |graph, it| constant(graph.utf8(from, it)))
            }
            Formula::HasKey(key, map) => self.compared(known, key, map, Graph::has_key),
            // Equal constants are one node.
            Formula::Equal(left, right) => self.compared(known, left, right, |_, left, right| {
                Condition::of(left == right)
            }),
            Formula::Same(left, right) => self.compared(known, left, right, Graph::same),
            Formula::Less(left, right) => self.compared(known, left, right, Graph::less),
            Formula::Before(left, right) => self.compared(known, left, right, Graph::before),
            Formula::TooLarge(operator, left, right) => {
                self.compared(known, left, right, |graph, left, right| {
                    graph.too_large(operator, left, right)
                })
            }
        }
    }

    /// Whether all of these hold. What comes after one that does not hold is not looked at.
    fn all(&mut self, known: &mut Known<'_>, parts: &[Condition]) -> Entry<bool> {
        let mut column = vec![Some(true); self.rows.len()];
        let mut is_fixed = false;
        for part in parts {
            if !column.contains(&Some(true)) {
                break;
            }
            let truth = self.truth(known, *part);
            is_fixed |= truth.is_fixed;
            for (row, cell) in column.iter_mut().enumerate() {
                if *cell == Some(true) {
                    *cell = truth.cell(row);
                }
            }
        }
        self.cells += column.len();
        Entry {
            column: column.into(),
            is_fixed,
        }
    }

    fn test(
        &mut self,
        known: &mut Known<'_>,
        node: NodeId,
        test: impl Fn(&mut Graph, NodeId) -> Option<bool>,
    ) -> Entry<bool> {
        self.combined(known, &[node], |graph, values| match values {
            [value] => test(graph, *value),
            _ => None,
        })
    }

    fn compared(
        &mut self,
        known: &mut Known<'_>,
        left: NodeId,
        right: NodeId,
        relation: impl Fn(&mut Graph, NodeId, NodeId) -> Condition,
    ) -> Entry<bool> {
        self.combined(known, &[left, right], |graph, values| match values {
            [left, right] => constant(relation(graph, *left, *right)),
            _ => None,
        })
    }

    /// Something computed from the values of some nodes, in each row.
    fn combined<T: Copy>(
        &mut self,
        known: &mut Known<'_>,
        operands: &[NodeId],
        result: impl Fn(&mut Graph, &[NodeId]) -> Option<T>,
    ) -> Entry<T> {
        let operands = operands.iter().map(|it| deep(|| self.value(known, *it)));
        let operands: Vec<Entry<NodeId>> = operands.collect();
        let rows = operands.iter().map(|it| it.column.len()).max();
        let rows = rows.unwrap_or(1);
        self.cells += rows;
        let mut values = Vec::with_capacity(operands.len());
        let column = (0..rows).map(|row| {
            values.clear();
            for operand in &operands {
                values.push(operand.cell(row)?);
            }
            result(known.graph, &values)
        });
        Entry {
            column: column.collect(),
            is_fixed: operands.iter().any(|it| it.is_fixed),
        }
    }
}
