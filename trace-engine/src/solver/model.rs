//! Guessing an input: what is bound is taken as it is, integers as their constraints want them,
//! and all else as the parent's input had it or as small as possible.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;

use erlang_term::Term;
use flattener::ast::deep;
use num_bigint::BigInt;
use num_traits::{FromPrimitive, ToPrimitive};
use rustc_hash::FxHasher;

use super::assertion::constant;
use super::store::Index;
use super::{Conflict, Solver};
use crate::graph::{Condition, Formula, Graph, Kinds, Node, NodeId};

/// The kinds to try where nothing is wanted, the simplest first. Funs, pids, ports and references
/// cannot be made.
const SIMPLEST: [Kinds; 9] = [
    Kinds::INTEGER,
    Kinds::ATOM,
    Kinds::NIL,
    Kinds::TUPLE,
    Kinds::CONS,
    Kinds::FLOAT,
    Kinds::BINARY,
    Kinds::MAP,
    Kinds::PARTIAL_BINARY,
];

/// Values for parts of the input.
#[derive(Debug, Default)]
pub(super) struct Guess {
    pub(super) values: Index<NodeId>,
    pub(super) integers: HashMap<NodeId, i128>,
    /// Kept conditions about single parts.
    pub(super) kept: HashMap<NodeId, Vec<Condition>>,
    /// The parts that are being built, to notice values that would contain themselves.
    building: HashSet<NodeId, BuildHasherDefault<FxHasher>>,
    pub(super) arguments: Vec<NodeId>,
}

impl Guess {
    /// The value of a resolved node, if it was needed.
    pub(super) fn known(&self, graph: &Graph, node: NodeId) -> Option<NodeId> {
        let known = self.values.get(&node).copied();
        known.or_else(|| graph.is_ground(node).then_some(node))
    }
}

impl Solver<'_> {
    pub(super) fn guess(&mut self) -> Result<Guess, Conflict> {
        let mut guess = Guess {
            integers: self.guess_integers()?,
            ..Guess::default()
        };
        self.sort_kept(&mut guess);
        for number in 0..self.parent.len() {
            let input = self.graph.input(number);
            let argument = self.value(&mut guess, input)?;
            guess.arguments.push(argument);
        }
        Ok(guess)
    }

    /// What the parent's input has in this place.
    pub(super) fn wanted(&mut self, part: NodeId) -> Option<NodeId> {
        if let Some(known) = self.wanted.get(&part) {
            return *known;
        }
        let wanted = self.look_up_wanted(part);
        self.wanted.insert(part, wanted);
        wanted
    }

    fn look_up_wanted(&mut self, part: NodeId) -> Option<NodeId> {
        match *self.graph.node(part) {
            Node::Input(number) => self.parent.get(number as usize).copied(),
            Node::Head(of) => {
                let whole = deep(|| self.wanted(of))?;
                match *self.graph.node(whole) {
                    Node::Cons(head, _) => Some(head),
                    _ => None,
                }
            }
            Node::Tail(of) => {
                let whole = deep(|| self.wanted(of))?;
                match *self.graph.node(whole) {
                    Node::Cons(_, tail) => Some(tail),
                    _ => None,
                }
            }
            Node::Element(index, of) => {
                let whole = deep(|| self.wanted(of))?;
                match self.graph.node(whole) {
                    Node::Tuple(elements) => elements.get(index as usize).copied(),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn sort_kept(&mut self, guess: &mut Guess) {
        for index in 0..self.store.kept.len() {
            let Some(condition) = self.store.kept.get(index).copied() else {
                break;
            };
            for node in self.compared(condition).unwrap_or_default() {
                let node = self.resolve(node);
                if self.graph.is_part(node) {
                    guess.kept.entry(node).or_default().push(condition);
                }
            }
        }
    }

    /// What a condition compares, if it can be told of single values whether they fulfil it.
    fn compared(&mut self, condition: Condition) -> Option<Vec<NodeId>> {
        Some(match *self.graph.formula(condition) {
            Formula::Equal(left, right)
            | Formula::Same(left, right)
            | Formula::Less(left, right) => vec![left, right],
            Formula::Member(_, node) => vec![node],
            Formula::TooLarge(..) => self.parts_of(condition).to_vec(),
            _ => return None,
        })
    }

    /// The value of a node.
    pub(super) fn value(&mut self, guess: &mut Guess, node: NodeId) -> Result<NodeId, Conflict> {
        let node = self.resolve(node);
        if let Some(value) = guess.values.get(&node) {
            return Ok(*value);
        }
        if self.graph.is_ground(node) && !matches!(self.graph.node(node), Node::Closure(_)) {
            return Ok(node);
        }
        let value = match self.graph.node(node).clone() {
            Node::Cons(head, tail) => {
                let head = deep(|| self.value(guess, head))?;
                let tail = deep(|| self.value(guess, tail))?;
                self.graph.cons(head, tail)
            }
            Node::Tuple(elements) => {
                let elements = elements
                    .iter()
                    .map(|element| deep(|| self.value(guess, *element)))
                    .collect::<Result<Vec<_>, _>>()?;
                self.graph.tuple(elements)
            }
            Node::Arithmetic(operator, left, right) => {
                let left = deep(|| self.value(guess, left))?;
                let right = deep(|| self.value(guess, right))?;
                self.graph.arithmetic(operator, left, right)
            }
            Node::Length(of) => {
                let of = deep(|| self.value(guess, of))?;
                self.graph.length(of)
            }
            Node::TupleSize(of) => {
                let of = deep(|| self.value(guess, of))?;
                self.graph.tuple_size(of)
            }
            Node::Truth(condition) => {
                let holds = deep(|| self.holds(guess, condition)).ok_or(Conflict)?;
                self.graph.atom(if holds { "true" } else { "false" })
            }
            Node::Choice(condition, yes, no) => {
                let holds = deep(|| self.holds(guess, condition)).ok_or(Conflict)?;
                deep(|| self.value(guess, if holds { yes } else { no }))?
            }
            Node::Input(_) | Node::Head(_) | Node::Tail(_) | Node::Element(..) => {
                if !guess.building.insert(node) {
                    return Err(Conflict);
                }
                let value = self.choose(guess, node)?;
                guess.building.remove(&node);
                value
            }
            Node::Closure(_) | Node::Unknown(_) => {
                self.gave_up = true;
                return Err(Conflict);
            }
            Node::Integer(_) | Node::Float(_) | Node::Atom(_) | Node::Nil | Node::Other(..) => node,
        };
        guess.values.insert(node, value);
        Ok(value)
    }

    /// Whether a condition holds for the guess; `None` if that cannot be told.
    pub(super) fn holds(&mut self, guess: &mut Guess, condition: Condition) -> Option<bool> {
        let holds = match self.graph.formula(condition).clone() {
            Formula::True => true,
            Formula::All(parts) => {
                let mut all = true;
                for part in &parts {
                    if !deep(|| self.holds(guess, *part))? {
                        all = false;
                        break;
                    }
                }
                all
            }
            Formula::Kind(kinds, node) => {
                let value = self.value(guess, node).ok()?;
                self.graph.kinds(value).is_within(kinds)
            }
            Formula::Arity(arity, node) => {
                let value = self.value(guess, node).ok()?;
                self.graph.arity(arity, value) == Condition::TRUE
            }
            Formula::ProperList(node) => {
                let value = self.value(guess, node).ok()?;
                self.graph.proper_list(value) == Condition::TRUE
            }
            Formula::Member(of, node) => {
                let value = self.value(guess, node).ok()?;
                constant(self.graph.member(of, value))?
            }
            Formula::Equal(left, right) => self.compare(guess, left, right, Graph::equal)?,
            Formula::Same(left, right) => self.compare(guess, left, right, Graph::same)?,
            Formula::Less(left, right) => self.compare(guess, left, right, Graph::less)?,
            Formula::TooLarge(operator, left, right) => {
                self.compare(guess, left, right, |graph, left, right| {
                    graph.too_large(operator, left, right)
                })?
            }
        };
        Some(holds != condition.is_negated())
    }

    fn compare(
        &mut self,
        guess: &mut Guess,
        left: NodeId,
        right: NodeId,
        relation: impl FnOnce(&mut Graph, NodeId, NodeId) -> Condition,
    ) -> Option<bool> {
        let left = self.value(guess, left).ok()?;
        let right = self.value(guess, right).ok()?;
        constant(relation(self.graph, left, right))
    }

    /// A value for a part that is not bound.
    fn choose(&mut self, guess: &mut Guess, part: NodeId) -> Result<NodeId, Conflict> {
        let kinds = self.store.part(part).kinds;
        let wanted = self.wanted(part);
        if wanted.is_none()
            && let Some(value) = self.simplest_member(guess, part)
        {
            return Ok(value);
        }
        let first = wanted.map_or(Kinds::NONE, |wanted| self.graph.kinds(wanted));
        let first = if first.is_empty() && matches!(self.graph.node(part), Node::Tail(_)) {
            Kinds::NIL
        } else {
            first
        };
        let in_order = std::iter::once(first).chain(SIMPLEST);
        for kind in in_order.filter(|kind| kinds.intersects(*kind)) {
            if let Some(value) = self.choose_of_kind(guess, part, kind, wanted)? {
                return Ok(value);
            }
        }
        self.gave_up = true;
        Err(Conflict)
    }

    fn choose_of_kind(
        &mut self,
        guess: &mut Guess,
        part: NodeId,
        kind: Kinds,
        wanted: Option<NodeId>,
    ) -> Result<Option<NodeId>, Conflict> {
        match kind {
            Kinds::CONS => {
                let (head, tail) = (self.graph.head(part), self.graph.tail(part));
                let head = deep(|| self.value(guess, head))?;
                let tail = deep(|| self.value(guess, tail))?;
                Ok(Some(self.graph.cons(head, tail)))
            }
            Kinds::TUPLE => {
                let arity = self.choose_arity(part, wanted);
                let elements = (0..arity)
                    .map(|index| {
                        let element = self.graph.element(index, part);
                        deep(|| self.value(guess, element))
                    })
                    .collect::<Result<Vec<_>, _>>()?;
                Ok(Some(self.graph.tuple(elements)))
            }
            Kinds::INTEGER if guess.integers.contains_key(&part) => {
                let value = guess.integers.get(&part).copied().unwrap_or_default();
                let value = self.graph.big_integer(BigInt::from(value).into());
                // Excluded values that are very large are not among the constraints.
                if self.store.part(part).not.contains(&value) {
                    self.gave_up = true;
                    return Err(Conflict);
                }
                Ok(Some(value))
            }
            _ => {
                let candidates = self.candidates(guess, part, kind, wanted);
                Ok(self.first_fitting(guess, part, &candidates))
            }
        }
    }

    fn choose_arity(&self, part: NodeId, wanted: Option<NodeId>) -> u32 {
        let known = self.store.part(part);
        let wanted = match wanted.map(|wanted| self.graph.node(wanted)) {
            Some(Node::Tuple(elements)) => u32::try_from(elements.len()).ok(),
            _ => None,
        };
        known.arity.unwrap_or_else(|| {
            wanted
                .into_iter()
                .chain(0..)
                .find(|arity| !known.not_arities.contains(arity))
                .unwrap_or(0)
        })
    }

    /// Values of a kind without parts, the best first.
    fn candidates(
        &mut self,
        guess: &Guess,
        part: NodeId,
        kind: Kinds,
        wanted: Option<NodeId>,
    ) -> Vec<NodeId> {
        let mut candidates: Vec<NodeId> = wanted
            .into_iter()
            .filter(|wanted| self.graph.kinds(*wanted) == kind)
            .collect();
        let kept = guess.kept.get(&part);
        for condition in kept.into_iter().flatten() {
            candidates.extend(self.simplest_forms(*condition, kind));
        }
        let excluded = self.store.part(part).not.len() + guess.values.len();
        match kind {
            Kinds::INTEGER => {
                candidates.extend(self.numbers_around(guess, part, false));
                let count = i64::try_from(excluded).unwrap_or(0) + 2;
                candidates.extend((0..count).map(|value| self.graph.integer(value)));
            }
            Kinds::ATOM => {
                for conditions in guess.kept.get(&part).into_iter().flatten() {
                    candidates.extend(self.atoms_around(*conditions));
                }
                candidates.extend((0..excluded + 2).map(|number| self.plain_atom(number)));
            }
            Kinds::FLOAT => {
                candidates.extend(self.numbers_around(guess, part, true));
                let count = u32::try_from(excluded).unwrap_or(0) + 2;
                candidates.extend((0..count).map(|value| self.graph.float(f64::from(value))));
            }
            Kinds::NIL => candidates.push(self.graph.nil()),
            Kinds::BINARY | Kinds::PARTIAL_BINARY => {
                let (first, bits) = if kind == Kinds::BINARY {
                    (0, 8)
                } else {
                    (1, 1)
                };
                for length in first..first + excluded.min(1000) + 2 {
                    let value = Term::Bits(vec![0; length], bits);
                    candidates.push(self.graph.constant(&value));
                }
            }
            Kinds::MAP => {
                let depth = self.store.part(part).depth;
                candidates.push(self.graph.constant(&Term::Map(Vec::new())));
                let kept = guess.kept.get(&part).into_iter().flatten();
                for condition in kept {
                    if let Formula::Same(left, right) = *self.graph.formula(*condition) {
                        let sides = [left, right].into_iter();
                        candidates.extend(sides.filter(|it| self.graph.kinds(*it) == Kinds::MAP));
                    }
                }
                candidates.retain(|it| self.graph.depth(*it) <= depth);
            }
            _ => {}
        }
        candidates
    }

    /// `a`, `b` … `z`, `a1`, `b1` …
    fn plain_atom(&mut self, number: usize) -> NodeId {
        let letter = char::from(b'a' + u8::try_from(number % 26).unwrap_or(0));
        let text = match number / 26 {
            0 => letter.to_string(),
            round => format!("{letter}{round}"),
        };
        self.graph.atom(&text)
    }

    /// Numbers just before and behind those that a part is compared with.
    fn numbers_around(&mut self, guess: &Guess, part: NodeId, as_floats: bool) -> Vec<NodeId> {
        let mut numbers = Vec::new();
        for condition in guess.kept.get(&part).into_iter().flatten() {
            let Formula::Less(left, right) = *self.graph.formula(*condition) else {
                continue;
            };
            for node in [left, right] {
                let node = self.resolve(node);
                let near = match self.graph.node(node) {
                    Node::Integer(value) => near(&value.to_big(), as_floats),
                    Node::Float(bits) => near_float(f64::from_bits(*bits), as_floats),
                    _ => continue,
                };
                numbers.extend(near.iter().map(|term| self.graph.constant(term)));
            }
        }
        numbers
    }

    /// Atoms just before and behind those that a condition compares with.
    fn atoms_around(&mut self, condition: Condition) -> Vec<NodeId> {
        let Formula::Less(left, right) = *self.graph.formula(condition) else {
            return Vec::new();
        };
        let mut atoms = Vec::new();
        for node in [left, right] {
            let node = self.resolve(node);
            if let Node::Atom(atom) = self.graph.node(node) {
                let text = atom.as_str().to_owned();
                let mut shorter = text.clone();
                shorter.pop();
                for text in [text.clone(), format!("{text}a"), shorter] {
                    atoms.push(self.graph.atom(&text));
                }
            }
        }
        atoms
    }

    /// The first candidate that fulfils what was kept about a part.
    fn first_fitting(
        &mut self,
        guess: &mut Guess,
        part: NodeId,
        candidates: &[NodeId],
    ) -> Option<NodeId> {
        let conditions = guess.kept.get(&part).cloned().unwrap_or_default();
        let mut fallback = None;
        for candidate in candidates {
            if self.store.part(part).not.contains(candidate) {
                continue;
            }
            fallback = fallback.or(Some(*candidate));
            guess.values.insert(part, *candidate);
            let fits = conditions.iter().all(|condition| {
                !self.is_decided(guess, *condition) || self.holds(guess, *condition) == Some(true)
            });
            guess.values.remove(&part);
            if fits {
                return Some(*candidate);
            }
        }
        fallback
    }

    /// Whether what a condition is about has values already.
    fn is_decided(&mut self, guess: &Guess, condition: Condition) -> bool {
        let Some(nodes) = self.compared(condition) else {
            return false;
        };
        nodes.into_iter().all(|node| {
            let node = self.resolve(node);
            guess.values.contains_key(&node) || self.graph.is_ground(node)
        })
    }
}

/// An integer and those next to it, or floats like them.
fn near(value: &BigInt, as_floats: bool) -> Vec<Term> {
    if as_floats {
        let float = value.to_f64().filter(|it| it.is_finite());
        return float.map_or(Vec::new(), |it| near_float(it, true));
    }
    let near = [value.clone(), value + 1, value - 1];
    near.map(|it| Term::Integer(it.into())).to_vec()
}

/// A float, one more and one less, or the integers before them.
fn near_float(value: f64, as_floats: bool) -> Vec<Term> {
    if as_floats {
        return [value, value + 1.0, value - 1.0].map(Term::Float).to_vec();
    }
    let below = BigInt::from_f64(value.floor());
    below.map_or(Vec::new(), |it| near(&it, false))
}
