//! Values and conditions with other values for their inputs, perhaps in another graph.

use flattener::ast::deep;
use rustc_hash::FxHashMap;
use solver::graph::{Condition, Formula, Graph, Node, NodeId, Place};

/// More values and conditions than this are not rewritten at once.
const MOST: usize = 2_000;

/// Rewrites values and conditions. What cannot be rewritten is `None`: maps and bit strings of the
/// input, texts of atoms, funs, types, and what nothing is known about.
#[derive(Debug)]
pub(super) struct Rewriting<'from, 'inputs> {
    /// Where they are; `None` if in the graph in which they are written.
    from: Option<&'from Graph>,
    /// The new values of inputs.
    inputs: &'inputs [NodeId],
    nodes: FxHashMap<NodeId, Option<NodeId>>,
    conditions: FxHashMap<Condition, Option<Condition>>,
    left: usize,
}

impl<'from, 'inputs> Rewriting<'from, 'inputs> {
    /// Rewrites what is in one graph.
    pub(super) fn within(inputs: &'inputs [NodeId]) -> Self {
        Self::new(None, inputs)
    }

    /// Rewrites what is in another graph.
    pub(super) fn of(from: &'from Graph, inputs: &'inputs [NodeId]) -> Self {
        Self::new(Some(from), inputs)
    }

    fn new(from: Option<&'from Graph>, inputs: &'inputs [NodeId]) -> Self {
        Self {
            from,
            inputs,
            nodes: FxHashMap::default(),
            conditions: FxHashMap::default(),
            left: MOST,
        }
    }

    fn spend(&mut self) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        Some(())
    }

    /// A value.
    pub(super) fn node(&mut self, to: &mut Graph, node: NodeId) -> Option<NodeId> {
        if let Some(known) = self.nodes.get(&node) {
            return *known;
        }
        self.spend()?;
        let rewritten = deep(|| self.new_node(to, node));
        self.nodes.insert(node, rewritten);
        rewritten
    }

    fn new_node(&mut self, to: &mut Graph, node: NodeId) -> Option<NodeId> {
        let value = self.from.unwrap_or(to).node(node).clone();
        match value {
            Node::Input(number) => self.inputs.get(number as usize).copied(),
            Node::Part(place @ (Place::Head | Place::Tail | Place::Element(_)), of) => {
                let of = self.node(to, of)?;
                Some(to.at(place, of))
            }
            Node::Integer(value) => Some(to.big_integer(value)),
            Node::Float(bits) => Some(to.float(f64::from_bits(bits))),
            Node::Atom(atom) => Some(to.atom(atom.as_str())),
            Node::Nil => Some(NodeId::NIL),
            Node::Other(_, bytes) => to.foreign(&bytes),
            Node::Cons(head, tail) => {
                let (head, tail) = (self.node(to, head)?, self.node(to, tail)?);
                Some(to.cons(head, tail))
            }
            Node::Tuple(elements) => {
                let elements = elements.iter().map(|it| self.node(to, *it));
                let elements = elements.collect::<Option<Vec<NodeId>>>()?;
                Some(to.tuple(elements))
            }
            Node::Arithmetic(operator, left, right) => {
                let (left, right) = (self.node(to, left)?, self.node(to, right)?);
                Some(to.arithmetic(operator, left, right))
            }
            Node::Rounded(rounding, of) => {
                let of = self.node(to, of)?;
                Some(to.rounded(rounding, of))
            }
            Node::Length(of) => {
                let of = self.node(to, of)?;
                Some(to.length(of))
            }
            Node::TupleSize(of) => {
                let of = self.node(to, of)?;
                Some(to.tuple_size(of))
            }
            Node::Truth(condition) => {
                let condition = self.condition(to, condition)?;
                Some(to.truth(condition))
            }
            Node::Choice(condition, yes, no) => {
                let condition = self.condition(to, condition)?;
                let (yes, no) = (self.node(to, yes)?, self.node(to, no)?);
                Some(to.choice(condition, yes, no))
            }
            Node::Part(..)
            | Node::Map(_)
            | Node::Put(..)
            | Node::Without(..)
            | Node::MapSize(_)
            | Node::AtomOf(_)
            | Node::Bits(_)
            | Node::FloatOf(..)
            | Node::Closure(_)
            | Node::Table(_)
            | Node::Unknown(_) => None,
        }
    }

    /// A condition.
    pub(super) fn condition(&mut self, to: &mut Graph, condition: Condition) -> Option<Condition> {
        let positive = if condition.is_negated() {
            !condition
        } else {
            condition
        };
        let known = self.conditions.get(&positive).copied();
        let rewritten = match known {
            Some(known) => known,
            None => {
                self.spend()?;
                let rewritten = deep(|| self.new_condition(to, positive));
                self.conditions.insert(positive, rewritten);
                rewritten
            }
        };
        rewritten.map(|it| it.signed_as(condition))
    }

    fn new_condition(&mut self, to: &mut Graph, condition: Condition) -> Option<Condition> {
        let formula = self.from.unwrap_or(to).formula(condition).clone();
        match formula {
            Formula::True => Some(Condition::TRUE),
            Formula::All(parts) => {
                let mut all = Vec::with_capacity(parts.len());
                for part in parts.iter() {
                    let part = self.condition(to, *part)?;
                    if part == Condition::FALSE {
                        // What comes after it may be about parts that are not there.
                        return Some(part);
                    }
                    all.push(part);
                }
                Some(to.all(all))
            }
            Formula::Kind(kinds, node) => {
                let node = self.node(to, node)?;
                Some(to.kind(kinds, node))
            }
            Formula::Arity(arity, node) => {
                let node = self.node(to, node)?;
                Some(to.arity(arity, node))
            }
            Formula::ProperList(node) => {
                let node = self.node(to, node)?;
                Some(to.proper_list(node))
            }
            Formula::Equal(left, right) => {
                let (left, right) = (self.node(to, left)?, self.node(to, right)?);
                Some(to.equal(left, right))
            }
            Formula::Same(left, right) => {
                let (left, right) = (self.node(to, left)?, self.node(to, right)?);
                Some(to.same(left, right))
            }
            Formula::Less(left, right) => {
                let (left, right) = (self.node(to, left)?, self.node(to, right)?);
                Some(to.less(left, right))
            }
            Formula::TooLarge(operator, left, right) => {
                let (left, right) = (self.node(to, left)?, self.node(to, right)?);
                Some(to.too_large(operator, left, right))
            }
            Formula::FunArity(..)
            | Formula::Member(..)
            | Formula::HasKey(..)
            | Formula::Fields(..)
            | Formula::Utf8(..)
            | Formula::Before(..) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use solver::graph::{Kinds, Operator};

    use super::*;

    #[test]
    fn a_condition_is_simpler_for_constants() {
        let mut from = Graph::default();
        let (list, sum) = (from.input(0), from.input(1));
        let head = from.head(list);
        let sum = from.arithmetic(Operator::Add, sum, head);
        let seven = from.integer(7);
        let is_cell = from.kind(Kinds::CONS, list);
        let is_less = from.less(sum, seven);
        let condition = from.all([is_cell, is_less]);
        let mut to = Graph::default();
        let three = to.integer(3);
        let cell = to.cons(three, NodeId::NIL);
        let mut at = |inputs: [NodeId; 2]| {
            let mut rewriting = Rewriting::of(&from, &inputs);
            rewriting.condition(&mut to, condition)
        };
        assert_eq!(at([cell, three]), Some(Condition::TRUE));
        assert_eq!(at([NodeId::NIL, three]), Some(Condition::FALSE));
    }

    #[test]
    fn inputs_are_replaced_all_at_once() {
        let mut graph = Graph::default();
        let (one, other) = (graph.input(0), graph.input(1));
        let is_less = graph.less(one, other);
        let is_greater = graph.less(other, one);
        let swapped = [other, one];
        let mut rewriting = Rewriting::within(&swapped);
        assert_eq!(rewriting.condition(&mut graph, !is_less), Some(!is_greater));
    }

    #[test]
    fn what_depends_on_keys_of_a_map_is_not_rewritten() {
        let mut graph = Graph::default();
        let (map, key) = (graph.input(0), graph.atom("key"));
        let has_key = graph.has_key(key, map);
        let same = [map];
        let mut rewriting = Rewriting::within(&same);
        assert_eq!(rewriting.condition(&mut graph, has_key), None);
    }
}
