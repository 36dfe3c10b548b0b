//! The general form of a value under the assumptions, as the paper writes it: `[X,Y|R]`.

use std::fmt::Write;

use flattener::ast::deep;

use super::Solver;
use crate::graph::{Condition, Kinds, Node, NodeId, to_term};
use crate::known::Known;

/// Names for elements, and for tails.
const ELEMENTS: [char; 3] = ['X', 'Y', 'Z'];
const TAILS: [char; 3] = ['R', 'S', 'T'];

/// The names of the parts that are still open.
#[derive(Debug, Default)]
struct OpenNames {
    elements: Vec<NodeId>,
    tails: Vec<NodeId>,
}

impl OpenNames {
    fn name(&mut self, part: NodeId, is_tail: bool) -> String {
        let (known, letters) = if is_tail {
            (&mut self.tails, TAILS)
        } else {
            (&mut self.elements, ELEMENTS)
        };
        let index = known.iter().position(|it| *it == part);
        let index = index.unwrap_or_else(|| {
            known.push(part);
            known.len() - 1
        });
        let letter = letters.get(index % letters.len()).copied().unwrap_or('X');
        match index / letters.len() {
            0 => letter.to_string(),
            round => format!("{letter}{round}"),
        }
    }
}

impl Solver<'_> {
    /// The general forms of some values, with the same names in all of them; `None` if the
    /// conditions contradict each other. The conditions are taken back afterwards.
    pub fn shapes(&mut self, conditions: &[Condition], nodes: &[NodeId]) -> Option<Vec<String>> {
        let mark = self.search.known.store.mark();
        let mut asserting = self.search.asserting();
        let is_possible = conditions.iter().all(|it| asserting.assert(*it).is_ok());
        let shapes = is_possible.then(|| {
            let mut forms = GeneralForms {
                known: &mut self.search.known,
                names: OpenNames::default(),
            };
            nodes.iter().map(|it| forms.shape(*it, false)).collect()
        });
        self.search.known.store.undo(mark);
        shapes
    }
}

/// Writes general forms.
struct GeneralForms<'known, 'run> {
    known: &'known mut Known<'run>,
    names: OpenNames,
}

impl GeneralForms<'_, '_> {
    fn shape(&mut self, node: NodeId, is_tail: bool) -> String {
        let node = self.known.resolve(node);
        if let Some(term) = to_term(self.known.graph, node) {
            return term.to_string();
        }
        if self.known.kinds(node) == Kinds::CONS {
            return self.list_shape(node);
        }
        let Node::Tuple(elements) = self.known.graph.node(node).clone() else {
            return self.names.name(node, is_tail);
        };
        let elements = elements.iter();
        let elements: Vec<String> = elements
            .map(|element| deep(|| self.shape(*element, false)))
            .collect();
        format!("{{{}}}", elements.join(","))
    }

    fn list_shape(&mut self, list: NodeId) -> String {
        let mut text = String::from("[");
        let mut rest = list;
        let mut separator = "";
        while self.known.kinds(rest) == Kinds::CONS {
            let (head, tail) = (self.known.graph.head(rest), self.known.graph.tail(rest));
            let head = deep(|| self.shape(head, false));
            // Writing to a string cannot fail.
            let _ = write!(text, "{separator}{head}");
            separator = ",";
            rest = self.known.resolve(tail);
        }
        if self.known.kinds(rest) != Kinds::NIL {
            let tail = deep(|| self.shape(rest, true));
            let _ = write!(text, "|{tail}");
        }
        text.push(']');
        text
    }
}
