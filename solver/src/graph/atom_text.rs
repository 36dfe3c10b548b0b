//! Atoms and their texts. The text of an atom of the input is a part of the input like others: a
//! list of characters, on which conditions can be solved.

use super::arena::Graph;
use super::constant_terms::characters;
use super::ids::NodeId;
use super::node::{Node, Place};

/// The greatest length of an atom.
pub const LONGEST_ATOM: usize = 255;

impl Graph {
    /// The text of a value that is an atom, a list of characters.
    pub fn text(&mut self, of: NodeId) -> NodeId {
        self.distribute(of, |graph, leaf| {
            if let Node::AtomOf(text) = *graph.node(leaf) {
                text
            } else if let Node::Truth(condition) = *graph.node(leaf) {
                let [yes, no] = ["true", "false"].map(|text| graph.list_of_characters(text));
                graph.choice(condition, yes, no)
            } else if let Node::Atom(atom) = graph.node(leaf) {
                let atom = atom.clone();
                graph.list_of_characters(atom.as_str())
            } else {
                graph.part(Place::Text, leaf)
            }
        })
    }

    fn list_of_characters(&mut self, text: &str) -> NodeId {
        let characters = text.chars().rev();
        characters.fold(NodeId::NIL, |tail, character| {
            let head = self.integer(u32::from(character).into());
            self.cons(head, tail)
        })
    }

    /// The atom whose text is a list of characters.
    pub fn atom_of(&mut self, text: NodeId) -> NodeId {
        if let Node::Part(Place::Text, atom) = *self.node(text) {
            return atom;
        }
        if self.is_ground(text)
            && let Some(name) = characters(self, text)
            && name.chars().count() <= LONGEST_ATOM
        {
            return self.atom(&name);
        }
        self.intern(Node::AtomOf(text))
    }
}
