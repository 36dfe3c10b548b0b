//! Conditions and nodes as formulas and terms of Z3.

use std::collections::HashMap;

use erlang_term::Integer;
use flattener::ast::deep;
use z3::ast::{Bool, Datatype, Int, Real};

use super::fractions::{exact_fraction, negative_zero, number, real};
use super::mentioned::Mentioned;
use super::operations::{LARGE, Side, computed, with_constant};
use super::term_sort::Terms;
use crate::graph::{Condition, Formula, Graph, Kinds, Node, NodeId, Operator, Place};

/// A question that is being translated.
pub(super) struct Translation<'question> {
    pub(super) graph: &'question Graph,
    pub(super) terms: &'question Terms,
    pub(super) mentioned: &'question Mentioned,
    /// How deep an input can be.
    pub(super) depth: u32,
    pub(super) nodes: HashMap<NodeId, Datatype>,
    /// How deep values can be.
    pub(super) depths: HashMap<NodeId, u32>,
    /// How many operations results consist of.
    pub(super) sizes: HashMap<NodeId, usize>,
    /// What the names of large results stand for.
    pub(super) definitions: Vec<Bool>,
}

impl Translation<'_> {
    pub(super) fn input(&self, number: u32) -> Datatype {
        Datatype::new_const(number, &self.terms.sort)
    }

    /// The parts of the input that were translated, and how deep they can be.
    pub(super) fn parts(&mut self) -> Vec<(Datatype, u32)> {
        let mut nodes: Vec<NodeId> = self.nodes.keys().copied().collect();
        nodes.retain(|it| self.graph.is_part(*it));
        nodes.sort_unstable();
        let parts = nodes.iter().filter_map(|it| {
            let part = self.nodes.get(it)?.clone();
            Some((part, self.depth_of(*it)))
        });
        parts.collect()
    }

    pub(super) fn condition(&mut self, condition: Condition) -> Bool {
        let positive = self.formula(condition);
        if condition.is_negated() {
            !positive
        } else {
            positive
        }
    }

    fn formula(&mut self, condition: Condition) -> Bool {
        match self.graph.formula(condition) {
            Formula::True => Bool::from_bool(true),
            Formula::All(parts) => {
                let parts = parts.iter().map(|part| deep(|| self.condition(*part)));
                Bool::and(&parts.collect::<Vec<_>>())
            }
            Formula::Kind(kinds, node) => {
                let node = self.node(*node);
                self.terms.is_of_kind(*kinds, &node)
            }
            Formula::Arity(arity, node) => {
                let node = self.node(*node);
                self.terms.has_arity(*arity, &node)
            }
            Formula::ProperList(node) => {
                let depth = self.depth_of(*node);
                let node = self.node(*node);
                self.terms.is_proper(&node, depth)
            }
            // Left open: answers are checked, and a question without an answer here has none at
            // all.
            Formula::Member(..)
            | Formula::HasKey(..)
            | Formula::Fields(..)
            | Formula::Before(..)
            | Formula::Utf8(..)
            | Formula::FunArity(..) => Bool::fresh_const("open"),
            Formula::Equal(left, right) => self.node(*left).eq(self.node(*right)),
            Formula::Same(left, right) => {
                let depth = self.depth_of(*left).min(self.depth_of(*right));
                let (left, right) = (self.node(*left), self.node(*right));
                self.terms.same(&left, &right, depth)
            }
            Formula::Less(left, right) => {
                let depth = self.depth_of(*left).min(self.depth_of(*right));
                let (left, right) = (self.node(*left), self.node(*right));
                self.terms.less(&left, &right, depth)
            }
            Formula::TooLarge(operator, left, right) => {
                let (left, right) = (self.node(*left), self.node(*right));
                self.terms.too_large(*operator, &left, &right)
            }
        }
    }

    /// How deep a value can be.
    fn depth_of(&mut self, node: NodeId) -> u32 {
        if let Some(known) = self.depths.get(&node) {
            return *known;
        }
        let depth = deep(|| self.new_depth(node));
        self.depths.insert(node, depth);
        depth
    }

    fn new_depth(&mut self, node: NodeId) -> u32 {
        let graph = self.graph;
        let mut of = |node: &NodeId| self.depth_of(*node);
        match graph.node(node) {
            Node::Input(_) => self.depth,
            Node::Part(_, whole) => of(whole).saturating_sub(1),
            Node::Cons(head, tail) => 1 + of(head).max(of(tail)),
            Node::Tuple(elements) => 1 + elements.iter().map(of).max().unwrap_or(0),
            Node::Choice(_, yes, no) => of(yes).max(of(no)),
            Node::Integer(_)
            | Node::Float(_)
            | Node::Atom(_)
            | Node::Nil
            | Node::Other(..)
            | Node::Map(_)
            | Node::Put(..)
            | Node::Without(..)
            | Node::Arithmetic(..)
            | Node::Rounded(..)
            | Node::Length(_)
            | Node::TupleSize(_)
            | Node::MapSize(_)
            | Node::AtomOf(_)
            | Node::Bits(_)
            | Node::FloatOf(..)
            | Node::Truth(_)
            | Node::Closure(_)
            | Node::Table(_)
            | Node::Unknown(_) => 0,
        }
    }

    pub(super) fn node(&mut self, node: NodeId) -> Datatype {
        if let Some(term) = self.nodes.get(&node) {
            return term.clone();
        }
        let term = self.new_node(node);
        self.nodes.insert(node, term.clone());
        term
    }

    fn new_node(&mut self, node: NodeId) -> Datatype {
        let (graph, terms, mentioned) = (self.graph, self.terms, self.mentioned);
        let mut of = |node: &NodeId| deep(|| self.node(*node));
        match graph.node(node) {
            Node::Input(number) => self.input(*number),
            Node::Part(Place::Head, list) => terms.head(&of(list)),
            Node::Part(Place::Tail, list) => terms.tail(&of(list)),
            Node::Part(Place::Element(index), tuple) => terms.element(*index, &of(tuple)),
            Node::Integer(value) => terms.integer(&integer(value)),
            Node::Float(bits) => {
                let is_negative_zero = *bits == (-0.0_f64).to_bits();
                terms.float(&real(&if is_negative_zero {
                    negative_zero()
                } else {
                    exact_fraction(f64::from_bits(*bits))
                }))
            }
            Node::Atom(atom) => terms.atom(mentioned.atom_number(atom.as_str())),
            Node::Nil => terms.nil(),
            Node::Other(kinds, _) => terms.other(*kinds, mentioned.other_number(node)),
            Node::Map(_) => terms.other(Kinds::MAP, mentioned.other_number(node)),
            Node::Cons(head, tail) => terms.cons(&of(head), &of(tail)),
            Node::Tuple(elements) => {
                let elements: Vec<Datatype> = elements.iter().map(of).collect();
                terms.tuple(&elements)
            }
            Node::Arithmetic(operator, left, right) => {
                let sides = [*left, *right];
                let terms = sides.map(|it| deep(|| self.node(it)));
                let result = self.arithmetic(*operator, sides, &terms);
                self.named_if_large(node, sides, result)
            }
            Node::Rounded(rounding, number) => terms.rounded(*rounding, &of(number)),
            Node::Length(list) => {
                let depth = self.depth_of(*list);
                terms.integer(&terms.length(&deep(|| self.node(*list)), depth))
            }
            Node::Truth(condition) => {
                let holds = deep(|| self.condition(*condition));
                let [yes, no] = ["true", "false"].map(|it| terms.atom(mentioned.atom_number(it)));
                holds.ite(&yes, &no)
            }
            Node::Choice(condition, yes, no) => {
                let (yes, no) = (of(yes), of(no));
                deep(|| self.condition(*condition)).ite(&yes, &no)
            }
            Node::TupleSize(tuple) => terms.integer(&terms.tuple_size(&of(tuple))),
            // Questions with these are not translated.
            Node::Part(..)
            | Node::Put(..)
            | Node::Without(..)
            | Node::MapSize(_)
            | Node::AtomOf(_)
            | Node::Bits(_)
            | Node::FloatOf(..)
            | Node::Closure(_)
            | Node::Table(_)
            | Node::Unknown(_) => terms.nil(),
        }
    }

    /// With floats the result is left open, because floats are not real numbers. So are operations
    /// on the bits of two integers if neither is a constant.
    fn arithmetic(&self, operator: Operator, sides: [NodeId; 2], of: &[Datatype; 2]) -> Datatype {
        let terms = self.terms;
        let open = terms.float(&Real::fresh_const("float"));
        if operator == Operator::Quotient {
            return open;
        }
        let values = of.each_ref().map(|it| terms.integer_value(it));
        let [left, right] = &values;
        let exact = computed(operator, left, right)
            .or_else(|| self.by_bits(operator, sides, &values))
            .unwrap_or_else(|| Int::fresh_const("bits"));
        let exact = terms.integer(&exact);
        if operator.is_bitwise() {
            return exact;
        }
        let are_integers = of.each_ref().map(|it| terms.is_of_kind(Kinds::INTEGER, it));
        Bool::and(&are_integers).ite(&exact, &open)
    }

    /// A result, or a name for it if it is large.
    fn named_if_large(&mut self, node: NodeId, sides: [NodeId; 2], result: Datatype) -> Datatype {
        let inside = sides.iter().filter_map(|it| self.sizes.get(it));
        let size = 1 + inside.sum::<usize>();
        if size <= LARGE {
            self.sizes.insert(node, size);
            return result;
        }
        let name = Datatype::fresh_const("named", &self.terms.sort);
        self.definitions.push(name.eq(&result));
        name
    }

    fn by_bits(&self, operator: Operator, sides: [NodeId; 2], values: &[Int; 2]) -> Option<Int> {
        let constants = sides.map(|it| {
            let Node::Integer(value) = self.graph.node(it) else {
                return None;
            };
            Some(value.to_big())
        });
        let [left, right] = &constants;
        let side = |value, constant| Side { value, constant };
        with_constant(
            operator,
            side(&values[0], left.as_ref()),
            side(&values[1], right.as_ref()),
        )
    }
}

fn integer(value: &Integer) -> Int {
    match value {
        Integer::Small(value) => Int::from(*value),
        Integer::Big(value) => number(value),
    }
}
