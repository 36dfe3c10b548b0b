//! Conditions on nodes.
//!
//! A conjunction is read from left to right: a condition on a part of a value stands behind the
//! one that says that the value has such a part.

use std::ops::Not;
use std::sync::Arc;

use flattener::ast::deep;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::{Facts, Graph, Kinds, Node, NodeId, Operator};
use crate::types::{Field, TypeId};

/// A formula or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Condition(u32);

impl Condition {
    /// Always holds.
    pub const TRUE: Self = Self(0);
    /// Never holds.
    pub const FALSE: Self = Self(1);

    /// Whether this is the negation of its formula.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Whether it is the same for all inputs.
    pub fn is_constant(self) -> bool {
        self.0 <= 1
    }

    /// The condition that always or never holds.
    pub fn of(value: bool) -> Self {
        if value { Self::TRUE } else { Self::FALSE }
    }

    /// Negated if the other one is.
    #[must_use]
    pub fn signed_as(self, other: Self) -> Self {
        if other.is_negated() { !self } else { self }
    }
}

impl Not for Condition {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// What a condition says, if it is not negated.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    /// Nothing.
    True,
    /// All of these hold.
    All(Arc<[Condition]>),
    /// A value is of one of these kinds.
    Kind(Kinds, NodeId),
    /// A value is a tuple with so many elements.
    Arity(u32, NodeId),
    /// A value is a fun with so many parameters.
    FunArity(u32, NodeId),
    /// A value is a list that ends in `[]`.
    ProperList(NodeId),
    /// A value is of a type.
    Member(TypeId, NodeId),
    /// A part of the input that is a map has a key.
    HasKey(NodeId, NodeId),
    /// All pairs of a part of the input that is a map are such as these fields want them.
    Fields(Arc<[Field]>, NodeId),
    /// Two values are the same: `=:=`.
    Equal(NodeId, NodeId),
    /// Two values are the same apart from integers and floats: `==`.
    Same(NodeId, NodeId),
    /// A value comes before another in the order of terms.
    Less(NodeId, NodeId),
    /// The result of an operation on two numbers would be a float that is too large.
    TooLarge(Operator, NodeId, NodeId),
}

/// Conditions are compared with each other if there are at most so many of them, and looked up
/// otherwise.
const FEW: usize = 16;

/// Each of these conditions once; `None` if two contradict each other.
fn without_repetitions(parts: &[Condition]) -> Option<SmallVec<[Condition; 4]>> {
    let mut distinct: SmallVec<[Condition; 4]> = SmallVec::with_capacity(parts.len());
    let mut seen = FxHashSet::default();
    let is_long = parts.len() > FEW;
    for part in parts {
        let has = |it: &Condition| {
            if is_long {
                seen.contains(it)
            } else {
                distinct.contains(it)
            }
        };
        if has(&!*part) {
            return None;
        }
        if !has(part) {
            distinct.push(*part);
            if is_long {
                seen.insert(*part);
            }
        }
    }
    Some(distinct)
}

impl Graph {
    /// What a condition, or its negation, says.
    pub fn formula(&self, condition: Condition) -> &Formula {
        let formula = self.formulas.get_index(condition.0 as usize / 2);
        formula.expect("a condition is made with its formula")
    }

    pub(super) fn condition_facts(&self, condition: Condition) -> Facts {
        let facts = self.formula_facts.get(condition.0 as usize / 2);
        *facts.expect("a condition is made with its facts")
    }

    /// Whether a condition depends on a value that nothing is known about.
    pub fn is_unknown_condition(&self, condition: Condition) -> bool {
        self.condition_facts(condition).is_unknown
    }

    pub(super) fn intern_formula(&mut self, formula: Formula) -> Condition {
        let (index, is_new) = self.formulas.insert_full(formula);
        let condition = Condition(u32::try_from(index * 2).expect("fewer than 2^31 formulas"));
        if is_new {
            let facts = self.facts_of_formula(self.formula(condition));
            self.formula_facts.push(facts);
        }
        condition
    }

    fn facts_of_formula(&self, formula: &Formula) -> Facts {
        match formula {
            Formula::True => Facts::GROUND,
            Formula::All(conditions) => conditions
                .iter()
                .map(|condition| self.condition_facts(*condition))
                .fold(Facts::GROUND, Facts::and),
            Formula::Kind(_, node)
            | Formula::Arity(_, node)
            | Formula::FunArity(_, node)
            | Formula::ProperList(node)
            | Formula::Member(_, node)
            | Formula::Fields(_, node) => self.facts(*node),
            Formula::HasKey(left, right)
            | Formula::Equal(left, right)
            | Formula::Same(left, right)
            | Formula::Less(left, right)
            | Formula::TooLarge(_, left, right) => self.facts(*left).and(self.facts(*right)),
        }
    }

    /// Holds if all of these hold.
    pub fn all(&mut self, conditions: impl IntoIterator<Item = Condition>) -> Condition {
        let mut parts: SmallVec<[Condition; 4]> = SmallVec::new();
        for condition in conditions {
            match condition {
                Condition::TRUE => {}
                Condition::FALSE => return Condition::FALSE,
                _ if !condition.is_negated()
                    && matches!(self.formula(condition), Formula::All(_)) =>
                {
                    if let Formula::All(inner) = self.formula(condition) {
                        parts.extend_from_slice(inner);
                    }
                }
                _ => parts.push(condition),
            }
        }
        // Nearly always.
        if let [] | [_] = parts.as_slice() {
            return parts.first().copied().unwrap_or(Condition::TRUE);
        }
        let Some(distinct) = without_repetitions(&parts) else {
            return Condition::FALSE;
        };
        match distinct.as_slice() {
            [single] => *single,
            several => self.intern_formula(Formula::All(several.into())),
        }
    }

    /// Holds if one of these holds.
    pub fn any(&mut self, conditions: impl IntoIterator<Item = Condition>) -> Condition {
        !self.all(conditions.into_iter().map(|condition| !condition))
    }

    /// Holds if the one holds where `condition` does, and the other where it does not.
    pub fn either(&mut self, condition: Condition, yes: Condition, no: Condition) -> Condition {
        if yes == no {
            return yes;
        }
        let yes = self.all([condition, yes]);
        let no = self.all([!condition, no]);
        self.any([yes, no])
    }

    /// A value is of one of these kinds.
    pub fn kind(&mut self, kinds: Kinds, node: NodeId) -> Condition {
        let possible = self.kinds(node);
        if possible.is_within(kinds) {
            return Condition::TRUE;
        }
        if !possible.intersects(kinds) {
            return Condition::FALSE;
        }
        match *self.node(node) {
            Node::Choice(..) => {
                self.distribute_condition(node, |graph, leaf| graph.kind(kinds, leaf))
            }
            // The kinds are not all numbers here, so they are integers or floats.
            Node::Arithmetic(..) => {
                let integer = self.is_integral(node);
                if kinds.intersects(Kinds::INTEGER) {
                    integer
                } else {
                    !integer
                }
            }
            // The kinds are not all bit strings here.
            Node::Bits(_) => {
                let is_whole = self.is_whole(node);
                if kinds.intersects(Kinds::BINARY) {
                    is_whole
                } else {
                    !is_whole
                }
            }
            _ => self.intern_formula(Formula::Kind(kinds & possible, node)),
        }
    }

    /// A value is a tuple with so many elements.
    pub fn arity(&mut self, arity: u32, node: NodeId) -> Condition {
        if !self.kinds(node).intersects(Kinds::TUPLE) {
            return Condition::FALSE;
        }
        match *self.node(node) {
            Node::Tuple(ref elements) => Condition::of(elements.len() == arity as usize),
            Node::Choice(..) => {
                self.distribute_condition(node, |graph, leaf| graph.arity(arity, leaf))
            }
            _ => self.intern_formula(Formula::Arity(arity, node)),
        }
    }

    /// A value is a list that ends in `[]`.
    pub fn proper_list(&mut self, node: NodeId) -> Condition {
        let mut rest = node;
        while let Node::Cons(_, tail) = self.node(rest) {
            rest = *tail;
        }
        match *self.node(rest) {
            Node::Nil => Condition::TRUE,
            Node::Choice(..) => self.distribute_condition(rest, Self::proper_list),
            _ if !self.kinds(rest).intersects(Kinds::LIST) => Condition::FALSE,
            _ if self.is_text(rest) => Condition::TRUE,
            _ => self.intern_formula(Formula::ProperList(rest)),
        }
    }

    /// Two values are the same: `=:=`.
    pub fn equal(&mut self, left: NodeId, right: NodeId) -> Condition {
        self.equality(left, right, Formula::Equal)
    }

    /// Two values are the same, integers and floats compared by their values: `==`.
    pub fn same(&mut self, left: NodeId, right: NodeId) -> Condition {
        let numbers = self.kinds(left) & self.kinds(right) & Kinds::NUMBER;
        let with_numbers = Kinds::NUMBER | Kinds::CONS | Kinds::TUPLE | Kinds::MAP;
        let may_mix =
            self.kinds(left).intersects(with_numbers) && self.kinds(right).intersects(with_numbers);
        let is_integer = (self.kinds(left) | self.kinds(right)).is_within(Kinds::INTEGER);
        if !may_mix || (is_integer && !numbers.is_empty()) {
            return self.equal(left, right);
        }
        if self.is_ground(left)
            && self.is_ground(right)
            && let Some(order) = self.compare(left, right)
        {
            return Condition::of(order.is_eq());
        }
        self.equality(left, right, Formula::Same)
    }

    fn equality(
        &mut self,
        left: NodeId,
        right: NodeId,
        formula: fn(NodeId, NodeId) -> Formula,
    ) -> Condition {
        if left == right {
            return Condition::TRUE;
        }
        let is_exact = formula(left, right) == Formula::Equal(left, right);
        let (left_kinds, right_kinds) = (self.kinds(left), self.kinds(right));
        let is_possible = if is_exact {
            left_kinds.intersects(right_kinds)
        } else {
            left_kinds.can_be_same(right_kinds)
        };
        if !is_possible {
            return Condition::FALSE;
        }
        // Different constants without parts are different values.
        if is_exact && self.is_atomic(left) && self.is_atomic(right) {
            return Condition::FALSE;
        }
        if let Some(condition) = self.equal_parts(left, right, formula) {
            return condition;
        }
        if self.are_different_funs(left, right) || self.are_different_funs(right, left) {
            return Condition::FALSE;
        }
        if let Some(condition) = self.equal_bits(left, right) {
            return condition;
        }
        if let Some(condition) = self.equal_floats(left, right) {
            return condition;
        }
        let of_values = if is_exact { Self::equal } else { Self::same };
        if let Some(condition) = self.equal_maps(left, right, of_values) {
            return condition;
        }
        for (node, other) in [(left, right), (right, left)] {
            match *self.node(node) {
                Node::Truth(condition) => return self.equal_truth(condition, other),
                Node::AtomOf(text) if !matches!(self.node(other), Node::Unknown(_)) => {
                    let is_atom = self.kind(Kinds::ATOM, other);
                    let other = self.text(other);
                    let is_same = self.equal(text, other);
                    return self.all([is_atom, is_same]);
                }
                Node::Choice(..) => {
                    return self.distribute_condition(node, |graph, leaf| {
                        graph.equality(leaf, other, formula)
                    });
                }
                _ => {}
            }
        }
        let (first, second) = (left.min(right), left.max(right));
        self.intern_formula(formula(first, second))
    }

    /// Whether a node is a constant without parts that can be told apart.
    pub fn is_atomic(&self, node: NodeId) -> bool {
        matches!(
            self.node(node),
            Node::Integer(_)
                | Node::Float(_)
                | Node::Atom(_)
                | Node::Nil
                | Node::Table(_)
                | Node::Other(..)
        )
    }

    /// Whether a node is a map of constants.
    pub fn is_constant_map(&self, node: NodeId) -> bool {
        matches!(self.node(node), Node::Map(_)) && self.is_ground(node)
    }

    /// Whether one is a fun that the program made, and the other came from elsewhere.
    fn are_different_funs(&self, made: NodeId, other: NodeId) -> bool {
        matches!(self.node(made), Node::Closure(_))
            && (self.is_part(other) || self.is_atomic(other))
    }

    /// Two values of the same shape are the same if their parts are.
    fn equal_parts(
        &mut self,
        left: NodeId,
        right: NodeId,
        formula: fn(NodeId, NodeId) -> Formula,
    ) -> Option<Condition> {
        let pairs: Vec<(NodeId, NodeId)> = match (self.node(left), self.node(right)) {
            (Node::Cons(..), Node::Cons(..)) => {
                return Some(self.equal_lists(left, right, formula));
            }
            (Node::Tuple(left), Node::Tuple(right)) => {
                if left.len() != right.len() {
                    return Some(Condition::FALSE);
                }
                left.iter().copied().zip(right.iter().copied()).collect()
            }
            (Node::Closure(left), Node::Closure(right)) => {
                if (left.module, left.callable) != (right.module, right.callable) {
                    return Some(Condition::FALSE);
                }
                let pairs = left.captured.iter().zip(&right.captured);
                pairs.map(|(left, right)| (left.1, right.1)).collect()
            }
            _ => return None,
        };
        let parts: Vec<Condition> = pairs
            .into_iter()
            .map(|(left, right)| deep(|| self.equality(left, right, formula)))
            .collect();
        Some(self.all(parts))
    }

    fn equal_lists(
        &mut self,
        left: NodeId,
        right: NodeId,
        formula: fn(NodeId, NodeId) -> Formula,
    ) -> Condition {
        let mut parts = Vec::new();
        let (mut left, mut right) = (left, right);
        while let (&Node::Cons(head, tail), &Node::Cons(other_head, other_tail)) =
            (self.node(left), self.node(right))
        {
            let heads = deep(|| self.equality(head, other_head, formula));
            if heads == Condition::FALSE {
                return heads;
            }
            parts.push(heads);
            (left, right) = (tail, other_tail);
        }
        parts.push(deep(|| self.equality(left, right, formula)));
        self.all(parts)
    }

    fn equal_truth(&mut self, condition: Condition, other: NodeId) -> Condition {
        let (yes, no) = (NodeId::TRUE, NodeId::FALSE);
        let yes = self.equal(other, yes);
        let no = self.equal(other, no);
        self.either(condition, yes, no)
    }
}
