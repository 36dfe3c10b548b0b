//! Values for parts of the input that are not bound.

use flattener::ast::deep;
use num_bigint::BigInt;

use super::Guess;
use super::bit_strings::BitStringGuess;
use super::fun_values::FunGuess;
use super::map_values::MapGuess;
use crate::conflict::Conflict;
use crate::graph::{Kinds, Node, NodeId, Place};

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

impl Guess<'_, '_> {
    /// A value for a part that is not bound.
    pub(super) fn choose(&mut self, part: NodeId) -> Result<NodeId, Conflict> {
        if let Node::Part(Place::Text, of) = *self.known.graph.node(part)
            && let Some(atom) = self.values.get(&of)
        {
            let is_atom = self.known.graph.kinds(*atom) == Kinds::ATOM;
            return if is_atom {
                Ok(self.known.graph.text(*atom))
            } else {
                Err(Conflict)
            };
        }
        if let Some(result) = self.result_of_guessed(part)? {
            return Ok(result);
        }
        if let Some(value) = self.part_of_bits(part) {
            return value;
        }
        let kinds = self.known.store.part(part).kinds;
        let wanted = self.wanted(part);
        if wanted.is_none()
            && let Some(value) = self.simplest_member(part)
        {
            return Ok(value);
        }
        let first = wanted.map_or(Kinds::NONE, |wanted| self.known.graph.kinds(wanted));
        let first = if first.is_empty()
            && matches!(self.known.graph.node(part), Node::Part(Place::Tail, _))
        {
            Kinds::NIL
        } else {
            first
        };
        let in_order = std::iter::once(first).chain(SIMPLEST);
        for kind in in_order.filter(|kind| kinds.intersects(*kind)) {
            if let Some(value) = self.choose_of_kind(part, kind, wanted)? {
                return Ok(value);
            }
        }
        Err(self.known.give_up())
    }

    fn choose_of_kind(
        &mut self,
        part: NodeId,
        kind: Kinds,
        wanted: Option<NodeId>,
    ) -> Result<Option<NodeId>, Conflict> {
        match kind {
            Kinds::CONS => {
                let (head, tail) = (self.known.graph.head(part), self.known.graph.tail(part));
                let head = deep(|| self.value(head))?;
                let tail = deep(|| self.value(tail))?;
                Ok(Some(self.known.graph.cons(head, tail)))
            }
            Kinds::TUPLE => {
                let arity = self.choose_arity(part, wanted);
                let elements = (0..arity)
                    .map(|index| {
                        let element = self.known.graph.element(index, part);
                        deep(|| self.value(element))
                    })
                    .collect::<Result<Vec<_>, _>>()?;
                Ok(Some(self.known.graph.tuple(elements)))
            }
            Kinds::MAP => MapGuess { guess: self, part }.choose(wanted).map(Some),
            Kinds::INTEGER if self.integers.contains_key(&part) => {
                let value = self.integers.get(&part).copied().unwrap_or_default();
                let value = self.known.graph.big_integer(BigInt::from(value).into());
                // Excluded values that are very large are not among the constraints.
                if self.known.store.part(part).not.contains(&value) {
                    return Err(self.known.give_up());
                }
                Ok(Some(value))
            }
            Kinds::ATOM if self.known.graph.known_part(Place::Text, part).is_some() => {
                let text = self.known.graph.text(part);
                let text = deep(|| self.value(text))?;
                let atom = self.atom_of(text)?;
                let is_excluded = self.known.store.part(part).not.contains(&atom);
                Ok((!is_excluded).then_some(atom))
            }
            Kinds::FUN => FunGuess { guess: self, part }.choose(wanted),
            Kinds::BINARY | Kinds::PARTIAL_BINARY
                if self.known.graph.known_part(Place::Bytes, part).is_some() =>
            {
                BitStringGuess { guess: self, part }.choose(kind, wanted)
            }
            _ => Ok(self.choose_atomic(part, kind, wanted)),
        }
    }

    /// The atom with this text. Not every list of characters is the text of an atom.
    fn atom_of(&mut self, text: NodeId) -> Result<NodeId, Conflict> {
        let atom = self.known.graph.atom_of(text);
        if matches!(self.known.graph.node(atom), Node::Atom(_)) {
            return Ok(atom);
        }
        Err(self.known.give_up())
    }

    fn choose_arity(&self, part: NodeId, wanted: Option<NodeId>) -> u32 {
        let known = self.known.store.part(part);
        let wanted = match wanted.map(|wanted| self.known.graph.node(wanted)) {
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
}
