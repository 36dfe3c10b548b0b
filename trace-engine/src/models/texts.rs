//! Lists of characters that become atoms.

use erlang_term::Atom;

use super::{Stop, Walk, Walked};
use solver::graph::{Condition, LONGEST_ATOM, NodeId};
use solver::types::LAST_CHARACTER;

/// Characters between these are halves of others in UTF-16.
const SURROGATES: [i64; 2] = [0xD800, 0xDFFF];

impl Walk<'_> {
    /// `list_to_atom(List)`.
    pub(super) fn list_to_atom(&mut self, list: NodeId) -> Walked {
        let characters = self.elements(list)?;
        for character in &characters {
            let is_character = self.is_character(*character);
            self.require(is_character)?;
        }
        if characters.len() > LONGEST_ATOM {
            return Err(Stop::Raises);
        }
        Ok(self.graph.atom_of(list))
    }

    /// `list_to_existing_atom(List)`. Which atoms exist is not known, but those do that the program
    /// knows by name.
    pub(super) fn list_to_existing_atom(&mut self, list: NodeId, known: &[Atom]) -> Walked {
        let atom = self.list_to_atom(list)?;
        let mut is_one = Vec::with_capacity(known.len());
        for name in known {
            let name = self.graph.atom(name.as_str());
            is_one.push(self.graph.equal(atom, name));
        }
        let is_known = self.graph.any(is_one);
        self.holds(is_known)?;
        Err(Stop::Perhaps(atom))
    }

    fn is_character(&mut self, value: NodeId) -> Condition {
        let is_in_range = self.is_between(value, 0, LAST_CHARACTER);
        let [first, last] = SURROGATES.map(|it| self.graph.integer(it));
        let is_before = self.graph.less(value, first);
        let is_behind = self.graph.less(last, value);
        let is_whole = self.graph.any([is_before, is_behind]);
        self.graph.all([is_in_range, is_whole])
    }
}
