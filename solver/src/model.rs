//! Guessing an input: what is bound is taken as it is, integers as their constraints want them,
//! and all else as the parent's input had it or as small as possible.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use erlang_term::Term;
use flattener::ast::deep;
use num_bigint::BigInt;
use num_traits::{FromPrimitive, ToPrimitive};
use rustc_hash::FxHasher;

use super::assertion::constant;
use super::store::Index;
use super::{Conflict, Solver};
use crate::graph::{Condition, Formula, Graph, Kinds, Node, NodeId, Place};
use crate::types::READABLE;

/// The kinds to try where nothing is wanted, the simplest first. Pids, ports and references
/// cannot be made.
const SIMPLEST: [Kinds; 10] = [
    Kinds::INTEGER,
    Kinds::ATOM,
    Kinds::NIL,
    Kinds::TUPLE,
    Kinds::CONS,
    Kinds::FLOAT,
    Kinds::BINARY,
    Kinds::MAP,
    Kinds::PARTIAL_BINARY,
    Kinds::FUN,
];

/// The longest bit string that is tried, in bytes.
const LONGEST_BITS: usize = 1000;

/// Values for parts of the input.
#[derive(Debug, Default)]
pub(super) struct Guess {
    pub(super) values: Index<NodeId>,
    pub(super) integers: Index<i128>,
    /// Kept conditions about single parts.
    pub(super) kept: Index<Vec<Condition>>,
    /// The parts that are being built, to notice values that would contain themselves.
    building: HashSet<NodeId, BuildHasherDefault<FxHasher>>,
    pub(super) arguments: Vec<NodeId>,
    /// What must hold of funs and does not.
    pub(super) clashes: Vec<Condition>,
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
            Node::Part(place, of) => {
                let whole = deep(|| self.wanted(of))?;
                let place = match place {
                    Place::Value(key) => Place::Value(self.graph.evaluate(key, &self.parent)?),
                    Place::Result(arguments) => {
                        Place::Result(self.graph.evaluate(arguments, &self.parent)?)
                    }
                    _ => place,
                };
                self.graph.known_at(place, whole)
            }
            Node::MapSize(of) => {
                let map = deep(|| self.wanted(of))?;
                matches!(self.graph.node(map), Node::Map(_)).then(|| self.graph.map_size(map))
            }
            Node::Arithmetic(_, left, right) => {
                let values = [deep(|| self.wanted(left))?, deep(|| self.wanted(right))?];
                self.graph.computed(part, &values)
            }
            Node::Integer(_) => Some(part),
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
    fn compared(&self, condition: Condition) -> Option<Vec<NodeId>> {
        Some(match *self.graph.formula(condition) {
            Formula::Equal(left, right)
            | Formula::Same(left, right)
            | Formula::Less(left, right) => vec![left, right],
            Formula::Member(_, node) => vec![node],
            Formula::TooLarge(_, left, right) => self.few_parts(left, right)?,
            _ => return None,
        })
    }

    /// The value of a node.
    pub(super) fn value(&mut self, guess: &mut Guess, node: NodeId) -> Result<NodeId, Conflict> {
        if self.ends() {
            return Err(Conflict);
        }
        let node = self.resolve(node);
        if let Some(value) = guess.values.get(&node) {
            return Ok(*value);
        }
        if self.graph.is_ground(node) && !matches!(self.graph.node(node), Node::Closure(_)) {
            return Ok(node);
        }
        let value = match self.graph.node(node).clone() {
            Node::Cons(..)
            | Node::Tuple(_)
            | Node::Map(_)
            | Node::Put(..)
            | Node::Without(..)
            | Node::MapSize(_)
            | Node::Arithmetic(..)
            | Node::Rounded(..)
            | Node::Length(_)
            | Node::TupleSize(_)
            | Node::Bits(_)
            | Node::FloatOf(..)
            | Node::AtomOf(_) => {
                let operands = self.graph.operands(node).into_iter();
                let values: Vec<NodeId> = operands
                    .map(|it| deep(|| self.value(guess, it)))
                    .collect::<Result<_, _>>()?;
                self.computed(node, &values)?
            }
            Node::Truth(condition) => {
                let holds = deep(|| self.holds(guess, condition)).ok_or(Conflict)?;
                self.graph.atom(if holds { "true" } else { "false" })
            }
            Node::Choice(condition, yes, no) => {
                let holds = deep(|| self.holds(guess, condition)).ok_or(Conflict)?;
                deep(|| self.value(guess, if holds { yes } else { no }))?
            }
            Node::Input(_) | Node::Part(..) => {
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
            Node::Integer(_)
            | Node::Float(_)
            | Node::Atom(_)
            | Node::Nil
            | Node::Table(_)
            | Node::Other(..) => node,
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
                for part in &*parts {
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
            Formula::FunArity(arity, node) => {
                let value = self.value(guess, node).ok()?;
                self.graph.fun_arity(arity, value) == Condition::TRUE
            }
            Formula::ProperList(node) => {
                let value = self.value(guess, node).ok()?;
                self.graph.proper_list(value) == Condition::TRUE
            }
            Formula::Member(of, node) => {
                let value = self.value(guess, node).ok()?;
                constant(self.graph.member(of, value))?
            }
            Formula::HasKey(key, map) => self.compare(guess, key, map, Graph::has_key)?,
            Formula::Fields(fields, map) => {
                let value = self.value(guess, map).ok()?;
                constant(self.graph.has_fields(&fields, value))?
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
        if let Node::Part(Place::Text, of) = *self.graph.node(part)
            && let Some(atom) = guess.values.get(&of)
        {
            let is_atom = self.graph.kinds(*atom) == Kinds::ATOM;
            return if is_atom {
                Ok(self.graph.text(*atom))
            } else {
                Err(Conflict)
            };
        }
        if let Some(result) = self.result_of_guessed(guess, part)? {
            return Ok(result);
        }
        if let Some(value) = self.part_of_bits(guess, part) {
            return value;
        }
        let kinds = self.store.part(part).kinds;
        let wanted = self.wanted(part);
        if wanted.is_none()
            && let Some(value) = self.simplest_member(guess, part)
        {
            return Ok(value);
        }
        let first = wanted.map_or(Kinds::NONE, |wanted| self.graph.kinds(wanted));
        let first =
            if first.is_empty() && matches!(self.graph.node(part), Node::Part(Place::Tail, _)) {
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
            Kinds::MAP => self.choose_map(guess, part, wanted).map(Some),
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
            Kinds::ATOM if self.graph.known_text(part).is_some() => {
                let text = self.graph.text(part);
                let text = deep(|| self.value(guess, text))?;
                let atom = self.atom_of(text)?;
                let is_excluded = self.store.part(part).not.contains(&atom);
                Ok((!is_excluded).then_some(atom))
            }
            Kinds::FUN => self.choose_fun(guess, part, wanted),
            Kinds::BINARY | Kinds::PARTIAL_BINARY if self.graph.known_bytes(part).is_some() => {
                self.choose_bits(guess, part, kind, wanted)
            }
            _ => Ok(self.choose_atomic(guess, part, kind, wanted)),
        }
    }

    /// The value of a node whose operands have these values. There may be none: not every list of
    /// characters is the text of an atom.
    fn computed(&mut self, node: NodeId, values: &[NodeId]) -> Result<NodeId, Conflict> {
        self.graph.computed(node, values).ok_or_else(|| {
            self.gave_up = true;
            Conflict
        })
    }

    /// The atom with this text; not every list of characters is one.
    fn atom_of(&mut self, text: NodeId) -> Result<NodeId, Conflict> {
        let atom = self.graph.atom_of(text);
        if matches!(self.graph.node(atom), Node::Atom(_)) {
            return Ok(atom);
        }
        self.gave_up = true;
        Err(Conflict)
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

    /// The first value of a kind without parts that fulfils what was kept about a part, or else
    /// the first one that is not excluded.
    fn choose_atomic(
        &mut self,
        guess: &mut Guess,
        part: NodeId,
        kind: Kinds,
        wanted: Option<NodeId>,
    ) -> Option<NodeId> {
        let conditions = guess.kept.get(&part).cloned().unwrap_or_default();
        let likely = self.likely_values(&conditions, part, kind, wanted);
        // One of so many different values fits if all that is wanted is that it is a new one.
        let plain = self.store.part(part).not.len() + guess.values.len() + 2;
        let mut fallback = None;
        for number in 0..likely.len() + plain {
            let candidate = match number.checked_sub(likely.len()) {
                Some(number) => self.plain_value(kind, number),
                None => likely.get(number).copied(),
            };
            let Some(candidate) = candidate else { break };
            if self.ends() {
                return None;
            }
            if self.store.part(part).not.contains(&candidate) {
                continue;
            }
            if self.fits(guess, part, candidate, &conditions) {
                return Some(candidate);
            }
            fallback = fallback.or(Some(candidate));
        }
        fallback
    }

    /// Values of a kind that may be wanted, the best first.
    fn likely_values(
        &mut self,
        conditions: &[Condition],
        part: NodeId,
        kind: Kinds,
        wanted: Option<NodeId>,
    ) -> Vec<NodeId> {
        let mut likely: Vec<NodeId> = wanted
            .into_iter()
            .filter(|wanted| self.graph.kinds(*wanted) == kind)
            .collect();
        for condition in conditions {
            likely.extend(self.simplest_forms(*condition, kind));
        }
        match kind {
            Kinds::INTEGER | Kinds::FLOAT => {
                likely.extend(self.numbers_around(conditions, kind == Kinds::FLOAT));
                // Of the parts of an input only characters are known to be integers.
                if self.graph.kinds(part) == Kinds::INTEGER && !self.graph.is_size(part) {
                    likely.push(self.graph.integer(READABLE));
                }
            }
            Kinds::ATOM => {
                for condition in conditions {
                    likely.extend(self.atoms_around(*condition));
                }
            }
            _ => {}
        }
        likely
    }

    /// A small value of a kind, another one for each number, as long as there are others.
    pub(super) fn plain_value(&mut self, kind: Kinds, number: usize) -> Option<NodeId> {
        Some(match kind {
            Kinds::INTEGER => self.graph.integer(i64::try_from(number).ok()?),
            Kinds::FLOAT => self.graph.float(f64::from(u32::try_from(number).ok()?)),
            Kinds::ATOM => self.plain_atom(number),
            Kinds::NIL if number == 0 => NodeId::NIL,
            Kinds::BINARY if number <= LONGEST_BITS => {
                self.graph.constant(&Term::Bits(vec![0; number], 8))
            }
            Kinds::PARTIAL_BINARY if number < LONGEST_BITS => {
                self.graph.constant(&Term::Bits(vec![0; number + 1], 1))
            }
            _ => return None,
        })
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
    fn numbers_around(&mut self, conditions: &[Condition], as_floats: bool) -> Vec<NodeId> {
        let mut numbers = Vec::new();
        for condition in conditions {
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

    /// Whether a value fulfils what was kept about a part, as far as that can be told yet.
    pub(super) fn fits(
        &mut self,
        guess: &mut Guess,
        part: NodeId,
        candidate: NodeId,
        conditions: &[Condition],
    ) -> bool {
        guess.values.insert(part, candidate);
        let fits = conditions.iter().all(|condition| {
            !self.is_decided(guess, *condition) || self.holds(guess, *condition) == Some(true)
        });
        guess.values.remove(&part);
        fits
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
