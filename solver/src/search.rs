//! Splitting into cases what a guess breaks.

use flattener::ast::deep;

use super::model::Guess;
use super::{Conflict, Solver};
use crate::graph::{Condition, Formula, Kinds, Node, NodeId};

/// How many sizes of a tuple are tried where only its size matters.
const TUPLE_SIZES: u32 = 16;
/// Larger tuples are not made.
const LARGEST_TUPLE: u32 = 10_000;

impl Solver<'_> {
    /// Arguments that fulfil everything, if some are found.
    pub(super) fn search(&mut self, cases: &mut u32) -> Option<Vec<NodeId>> {
        if *cases == 0 || self.ends() {
            self.gave_up = true;
            return None;
        }
        *cases -= 1;
        if self.unfold_members().is_err() {
            return None;
        }
        let gave_up = self.gave_up;
        self.map_clash = None;
        let broken = match self.guess() {
            Ok(mut guess) => match self.broken(&mut guess).or_else(|| guess.clashes.pop()) {
                None => return Some(guess.arguments),
                broken => broken,
            },
            Err(Conflict) => self.map_clash.take(),
        };
        if self.is_contradicted() {
            self.gave_up = gave_up;
            return None;
        }
        for case in self.split(broken?) {
            let mark = self.store.mark();
            let is_possible = case.iter().all(|it| self.assert(*it).is_ok());
            let found = if is_possible {
                deep(|| self.search(cases))
            } else {
                None
            };
            if found.is_some() {
                return found;
            }
            self.store.undo(mark);
        }
        None
    }

    /// A kept condition that a guess breaks. The newest one: it says in more detail what an older
    /// one says, which would only be taken apart in the same way again.
    fn broken(&mut self, guess: &mut Guess) -> Option<Condition> {
        (0..self.store.kept.len()).rev().find_map(|index| {
            let condition = self.store.kept.get(index).copied()?;
            let was_assumed = index < self.kept_for_good;
            // To compute a sum of many parts from one that is known already is easier than to
            // compare all of its parts.
            let is_sum = matches!(self.graph.formula(condition), Formula::TooLarge(..));
            if was_assumed && !is_sum && self.is_as_in_parent(guess, condition) {
                return None;
            }
            (self.holds(guess, condition) != Some(true)).then_some(condition)
        })
    }

    /// Whether something that was kept cannot hold any more, so that there is nothing to guess.
    fn is_contradicted(&mut self) -> bool {
        (0..self.store.kept.len()).any(|index| {
            let kept = self.store.kept.get(index).copied();
            kept.is_some_and(|condition| self.status(condition) == Some(false))
        })
    }

    /// Cases of which one holds if the condition does.
    fn split(&mut self, condition: Condition) -> Vec<Vec<Condition>> {
        if condition.is_negated()
            && let Formula::All(parts) = self.graph.formula(condition).clone()
        {
            let mut cases = split_disjunction(&parts);
            // Numbers that are too large are strange inputs; all others are tried before.
            cases.sort_by_key(|case| case.last().is_some_and(|it| self.wants_too_large(*it)));
            return cases;
        }
        if let Some(cases) = self.split_too_large(condition) {
            return cases;
        }
        if self.says_more_now(condition) {
            return vec![vec![condition]];
        }
        if let Some(cases) = self.split_member(condition) {
            return cases;
        }
        if let Some(cases) = self.split_maps(condition) {
            return cases;
        }
        if let Some(simpler) = self.by_structure(condition) {
            return vec![vec![simpler]];
        }
        let mut open = Vec::new();
        self.open_nodes(condition, &mut open);
        for node in &open {
            if let Some(cases) = self.split_node(*node) {
                let with_condition = |case| vec![case, condition];
                return cases.into_iter().map(with_condition).collect();
            }
        }
        self.split_numbers(condition)
    }

    /// Whether a condition that was kept would not just be kept again.
    fn says_more_now(&mut self, condition: Condition) -> bool {
        let mark = self.store.mark();
        let before = self.store.kept.len();
        let result = self.assert(condition);
        let is_same = self.store.kept.get(before..) == Some(&[condition]);
        self.store.undo(mark);
        result.is_err() || !is_same
    }

    /// The condition with parts whose shape is known written out as such.
    fn by_structure(&mut self, condition: Condition) -> Option<Condition> {
        let formula = self.graph.formula(condition).clone();
        let (Formula::Equal(left, right) | Formula::Same(left, right) | Formula::Less(left, right)) =
            formula
        else {
            return None;
        };
        let (left, right) = (self.resolve(left), self.resolve(right));
        let shaped = (self.shaped(left), self.shaped(right));
        if shaped == (left, right) {
            return None;
        }
        let positive = match formula {
            Formula::Equal(..) => self.graph.equal(shaped.0, shaped.1),
            Formula::Same(..) => self.graph.same(shaped.0, shaped.1),
            _ => self.graph.less(shaped.0, shaped.1),
        };
        Some(positive.signed_as(condition))
    }

    fn shaped(&mut self, node: NodeId) -> NodeId {
        if let Some(closed) = self.closed_bits(node) {
            return closed;
        }
        if !self.graph.is_part(node) {
            return node;
        }
        let part = self.store.part(node);
        match (part.kinds, part.arity) {
            (Kinds::CONS, _) => {
                let (head, tail) = (self.graph.head(node), self.graph.tail(node));
                self.graph.cons(head, tail)
            }
            (Kinds::TUPLE, Some(arity)) => {
                let elements: Vec<NodeId> = (0..arity)
                    .map(|index| self.graph.element(index, node))
                    .collect();
                self.graph.tuple(elements)
            }
            _ => node,
        }
    }

    /// What a condition is about, as far as it is open.
    fn open_nodes(&mut self, condition: Condition, open: &mut Vec<NodeId>) {
        match *self.graph.formula(condition) {
            Formula::Kind(_, node)
            | Formula::Arity(_, node)
            | Formula::FunArity(_, node)
            | Formula::Member(_, node)
            | Formula::HasKey(_, node)
            | Formula::Fields(_, node) => {
                self.open_node(node, open);
            }
            Formula::ProperList(node) => self.open_tail(node, open),
            Formula::Equal(left, right)
            | Formula::Same(left, right)
            | Formula::Less(left, right)
            | Formula::TooLarge(_, left, right) => {
                self.open_node(left, open);
                self.open_node(right, open);
            }
            Formula::True | Formula::All(_) => {}
        }
    }

    fn open_node(&mut self, node: NodeId, open: &mut Vec<NodeId>) {
        let node = self.resolve(node);
        match *self.graph.node(node) {
            Node::Arithmetic(_, left, right) => {
                deep(|| self.open_node(left, open));
                deep(|| self.open_node(right, open));
            }
            Node::Rounded(_, number) => deep(|| self.open_node(number, open)),
            Node::Length(of) | Node::AtomOf(of) => self.open_tail(of, open),
            Node::Choice(condition, yes, no) => match self.status_of_choice(condition) {
                Some(holds) => deep(|| self.open_node(if holds { yes } else { no }, open)),
                None => open.push(node),
            },
            Node::Truth(_) | Node::TupleSize(_) => open.push(node),
            Node::Bits(_) | Node::FloatOf(..) => {
                for inner in self.graph.operands(node) {
                    deep(|| self.open_node(inner, open));
                }
            }
            _ if self.graph.is_part(node) => open.push(node),
            _ => {}
        }
    }

    /// Where a list is not known any more.
    fn open_tail(&mut self, list: NodeId, open: &mut Vec<NodeId>) {
        let (_, end) = self.known_cells(list);
        if self.graph.is_part(end) {
            open.push(end);
        }
    }

    /// The cases of a node; `None` if it is as well known as can be.
    pub(super) fn split_node(&mut self, node: NodeId) -> Option<Vec<Condition>> {
        match *self.graph.node(node) {
            Node::Truth(condition) | Node::Choice(condition, ..) => {
                Some(vec![condition, !condition])
            }
            Node::TupleSize(of) => {
                let of = self.resolve(of);
                if self.graph.is_part(of) {
                    self.split_arity(of)
                } else {
                    None
                }
            }
            _ if self.graph.is_part(node) => self.split_part(node),
            _ => None,
        }
    }

    fn split_part(&mut self, node: NodeId) -> Option<Vec<Condition>> {
        let kinds = self.store.part(node).kinds;
        if kinds == Kinds::TUPLE {
            return self.split_arity(node);
        }
        if kinds.is_single() && kinds.is_within(Kinds::BITS) {
            return self.split_size(node);
        }
        if kinds.is_single() {
            return None;
        }
        // What the parent's input has there comes first.
        let wanted = self.wanted(node);
        let wanted = wanted.map_or(Kinds::NONE, |it| self.graph.kinds(it));
        let mut each: Vec<Kinds> = kinds.each().collect();
        each.sort_by_key(|kind| *kind != wanted);
        let each = each.into_iter();
        Some(each.map(|kind| self.graph.kind(kind, node)).collect())
    }

    /// The sizes of a tuple; larger ones are not tried.
    fn split_arity(&mut self, tuple: NodeId) -> Option<Vec<Condition>> {
        if self.store.part(tuple).arity.is_some() {
            return None;
        }
        self.gave_up = true;
        let mut sizes: Vec<u32> = (0..TUPLE_SIZES).collect();
        sizes.extend(self.compared_sizes(tuple));
        sizes.sort_unstable();
        sizes.dedup();
        let sizes = sizes.into_iter();
        Some(sizes.map(|size| self.graph.arity(size, tuple)).collect())
    }

    /// Sizes at which a kept condition changes that compares the size of a tuple with a constant.
    fn compared_sizes(&mut self, tuple: NodeId) -> Vec<u32> {
        let mut sizes = Vec::new();
        for index in 0..self.store.kept.len() {
            let kept = self.store.kept.get(index).copied();
            let Some(Formula::Equal(left, right) | Formula::Less(left, right)) =
                kept.map(|it| self.graph.formula(it).clone())
            else {
                continue;
            };
            for (size, constant) in [(left, right), (right, left)] {
                let Node::TupleSize(of) = *self.graph.node(size) else {
                    continue;
                };
                if self.resolve(of) == tuple
                    && let Node::Integer(value) = self.graph.node(constant)
                    && let Some(value) = value.to_i64().and_then(|it| u32::try_from(it).ok())
                    && value <= LARGEST_TUPLE
                {
                    sizes.extend([value.saturating_sub(1), value, value + 1]);
                }
            }
        }
        sizes
    }
}

/// Not all of these hold: one does not, and those before it do. Changing the last one keeps most
/// of what was wanted.
fn split_disjunction(parts: &[Condition]) -> Vec<Vec<Condition>> {
    (0..parts.len())
        .rev()
        .map(|index| {
            let before = parts.iter().take(index).copied();
            let last = parts.get(index).map(|part| !*part);
            before.chain(last).collect()
        })
        .collect()
}
