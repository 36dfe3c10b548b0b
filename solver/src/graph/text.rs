//! Atoms and their texts. The text of an atom of the input is a part of the input like others: a
//! list of characters about which conditions can be solved.

use super::{Graph, Kinds, Node, NodeId, Place};

/// Atoms are not longer.
pub const LONGEST_ATOM: usize = 255;

impl Graph {
    /// The text of a value that is an atom, a list of characters.
    pub fn text(&mut self, of: NodeId) -> NodeId {
        match *self.node(of) {
            Node::Atom(ref atom) => {
                let characters: Vec<u32> = atom.as_str().chars().map(u32::from).collect();
                let nil = NodeId::NIL;
                characters.into_iter().rev().fold(nil, |tail, character| {
                    let head = self.integer(character.into());
                    self.cons(head, tail)
                })
            }
            Node::AtomOf(text) => text,
            Node::Truth(condition) => {
                let names = ["true", "false"].map(|name| self.atom(name));
                let [yes, no] = names.map(|name| self.text(name));
                self.choice(condition, yes, no)
            }
            Node::Choice(..) => self.distribute(of, Self::text),
            _ => self.part(Place::Text, of),
        }
    }

    /// The text of a part, if somebody has looked at it.
    pub fn known_text(&self, of: NodeId) -> Option<NodeId> {
        let index = self.nodes.index_of(&Node::Part(Place::Text, of))?;
        Some(NodeId::of_index(index))
    }

    /// The atom whose text is a list of characters.
    pub fn atom_of(&mut self, text: NodeId) -> NodeId {
        if let Node::Part(Place::Text, atom) = *self.node(text) {
            return atom;
        }
        if self.is_ground(text)
            && let Some(name) = self.characters(text)
            && name.chars().count() <= LONGEST_ATOM
        {
            return self.atom(&name);
        }
        self.intern(Node::AtomOf(text))
    }

    /// What a constant list of characters says.
    pub fn characters(&self, text: NodeId) -> Option<String> {
        let mut name = String::new();
        let mut rest = text;
        while let Node::Cons(head, tail) = *self.node(rest) {
            let Node::Integer(value) = self.node(head) else {
                return None;
            };
            name.push(char::from_u32(u32::try_from(value.to_i64()?).ok()?)?);
            rest = tail;
        }
        (*self.node(rest) == Node::Nil).then_some(name)
    }

    /// The kinds of a part of the input: characters and texts are known to be such.
    pub(super) fn kinds_of_part(&self, place: Place, of: NodeId) -> (Kinds, bool) {
        match place {
            Place::Text => (Kinds::LIST, true),
            Place::Tail if self.facts(of).is_text => (Kinds::LIST, true),
            Place::Head if self.facts(of).is_text => (Kinds::INTEGER, false),
            Place::Bytes | Place::Unused | Place::Byte(_) => (Kinds::INTEGER, false),
            _ => (Kinds::ANY, false),
        }
    }

    /// Whether a part is the text of an atom, or what comes behind its first characters.
    pub fn is_text(&self, part: NodeId) -> bool {
        self.facts(part).is_text
    }
}
