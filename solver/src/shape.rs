//! The general form of a value under what was assumed, as the paper writes it: `[X,Y|R]`.

use std::fmt::Write;

use flattener::ast::deep;

use super::Solver;
use crate::graph::{Condition, Kinds, Node, NodeId, to_term};

/// Names for elements, and for tails.
const ELEMENTS: [char; 3] = ['X', 'Y', 'Z'];
const TAILS: [char; 3] = ['R', 'S', 'T'];

/// The names of the parts that are still open.
#[derive(Debug, Default)]
struct Names {
    elements: Vec<NodeId>,
    tails: Vec<NodeId>,
}

impl Names {
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
        let mark = self.store.mark();
        let is_possible = conditions.iter().all(|it| self.assert(*it).is_ok());
        let mut names = Names::default();
        let shapes = is_possible.then(|| {
            let nodes = nodes.iter();
            nodes
                .map(|node| self.shape(*node, false, &mut names))
                .collect()
        });
        self.store.undo(mark);
        shapes
    }

    fn shape(&mut self, node: NodeId, is_tail: bool, names: &mut Names) -> String {
        let node = self.resolve(node);
        if let Some(term) = to_term(self.graph, node) {
            return term.to_string();
        }
        if self.kinds(node) == Kinds::CONS {
            return self.list_shape(node, names);
        }
        match self.graph.node(node).clone() {
            Node::Tuple(elements) => {
                let elements = elements.iter();
                let elements: Vec<String> = elements
                    .map(|element| deep(|| self.shape(*element, false, names)))
                    .collect();
                format!("{{{}}}", elements.join(","))
            }
            _ => names.name(node, is_tail),
        }
    }

    fn list_shape(&mut self, list: NodeId, names: &mut Names) -> String {
        let mut text = String::from("[");
        let mut rest = list;
        let mut separator = "";
        while self.kinds(rest) == Kinds::CONS {
            let (head, tail) = (self.graph.head(rest), self.graph.tail(rest));
            let head = deep(|| self.shape(head, false, names));
            // Writing to a string cannot fail.
            let _ = write!(text, "{separator}{head}");
            separator = ",";
            rest = self.resolve(tail);
        }
        if self.kinds(rest) != Kinds::NIL {
            let tail = deep(|| self.shape(rest, true, names));
            let _ = write!(text, "|{tail}");
        }
        text.push(']');
        text
    }
}
