//! Values of a run as texts for people. Pids are the names of processes; what nothing is known about
//! is `...`.

use flattener::ast::deep;
use solver::graph::{Graph, Input, Kinds, Node, NodeId, to_term};

use crate::replay::{ReplayedProcess, process_number};

/// What stands for a value that is not known.
const UNKNOWN: &str = "...";

/// Longer texts end here.
const LONGEST: usize = 2_000;

/// Writes values as texts.
pub(super) struct ValueTexts {
    input: Input,
    /// The names of the processes.
    paths: Vec<String>,
}

impl ValueTexts {
    pub(super) fn new(input: Input, processes: &[ReplayedProcess]) -> Self {
        let paths = processes.iter().map(|it| it.path.to_string());
        Self {
            input,
            paths: paths.collect(),
        }
    }

    /// The text of a value.
    pub(super) fn text(&mut self, graph: &mut Graph, node: NodeId) -> String {
        let mut out = String::new();
        self.write(&mut out, graph, node);
        out
    }

    fn write(&mut self, out: &mut String, graph: &mut Graph, node: NodeId) {
        if out.len() > LONGEST {
            out.push_str(UNKNOWN);
            return;
        }
        let node = self.input.value(graph, node).unwrap_or(node);
        if let Some(term) = to_term(graph, node) {
            out.push_str(&term.to_string());
            return;
        }
        match graph.node(node).clone() {
            Node::Tuple(elements) => {
                out.push('{');
                self.write_all(out, graph, &elements);
                out.push('}');
            }
            Node::Cons(..) => self.write_list(out, graph, node),
            Node::Map(pairs) => {
                out.push_str("#{");
                for (number, (key, value)) in pairs.iter().enumerate() {
                    out.push_str(if number == 0 { "" } else { "," });
                    deep(|| self.write(out, graph, *key));
                    out.push_str(" => ");
                    deep(|| self.write(out, graph, *value));
                }
                out.push('}');
            }
            Node::Other(kinds, bytes) => out.push_str(&self.foreign(graph, node, kinds, &bytes)),
            Node::Closure(_) | Node::Table(_) => out.push_str("fun"),
            Node::Input(_)
            | Node::Part(..)
            | Node::Integer(_)
            | Node::Float(_)
            | Node::Atom(_)
            | Node::Nil
            | Node::Put(..)
            | Node::Without(..)
            | Node::Arithmetic(..)
            | Node::Rounded(..)
            | Node::Length(_)
            | Node::TupleSize(_)
            | Node::MapSize(_)
            | Node::AtomOf(_)
            | Node::Bits(_)
            | Node::FloatOf(..)
            | Node::Truth(_)
            | Node::Choice(..)
            | Node::Unknown(_) => out.push_str(UNKNOWN),
        }
    }

    fn write_all(&mut self, out: &mut String, graph: &mut Graph, nodes: &[NodeId]) {
        for (number, node) in nodes.iter().enumerate() {
            out.push_str(if number == 0 { "" } else { "," });
            deep(|| self.write(out, graph, *node));
        }
    }

    fn write_list(&mut self, out: &mut String, graph: &mut Graph, list: NodeId) {
        let mut elements = Vec::new();
        let mut rest = list;
        while let Node::Cons(head, tail) = *graph.node(rest) {
            elements.push(head);
            rest = self.input.value(graph, tail).unwrap_or(tail);
        }
        out.push('[');
        self.write_all(out, graph, &elements);
        if rest != NodeId::NIL {
            out.push('|');
            deep(|| self.write(out, graph, rest));
        }
        out.push(']');
    }

    /// A pid, port, reference or fun.
    fn foreign(&self, graph: &Graph, node: NodeId, kinds: Kinds, bytes: &[u8]) -> String {
        if let Some(number) = process_number(graph, node) {
            return match self.paths.get(number) {
                Some(path) => format!("<{path}>"),
                None => "<other>".to_owned(),
            };
        }
        if kinds == Kinds::PID {
            "<other>".to_owned()
        } else if kinds == Kinds::REFERENCE {
            format!("#Ref<{}>", reference_number(bytes))
        } else if kinds == Kinds::PORT {
            "#Port".to_owned()
        } else if kinds == Kinds::FUN {
            "fun".to_owned()
        } else {
            UNKNOWN.to_owned()
        }
    }
}

/// The number of a reference of a run. One of its words holds it, and the others are 0.
fn reference_number(bytes: &[u8]) -> u32 {
    // The version, the tag, two bytes for the number of words; behind them the node.
    let words = bytes.get(3).map_or(0, |it| usize::from(*it));
    let start = bytes.len().saturating_sub(4 * words);
    let (words, _) = bytes.get(start..).unwrap_or_default().as_chunks::<4>();
    words
        .iter()
        .map(|it| u32::from_be_bytes(*it))
        .max()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use trace_format::{Ending, ProcessPath};

    use super::*;

    fn foreign(graph: &mut Graph, head: &[u8], tail: &[u8]) -> NodeId {
        let bytes = [head, &[119, 15], b"erlconcolic@run", tail].concat();
        graph.foreign(&bytes).expect("it is a value")
    }

    fn process(path: ProcessPath) -> ReplayedProcess {
        ReplayedProcess {
            path,
            entry: None,
            ending: Ending::Open,
            waits_at: None,
        }
    }

    #[test]
    fn processes_have_names_and_unknown_parts_are_left_out() {
        let mut graph = Graph::default();
        let pid = |graph: &mut Graph, number: u8| {
            foreign(
                graph,
                &[131, 88],
                &[0, 0, 0, number, 0, 0, 0, 0, 0, 0, 0, 0],
            )
        };
        let (known, other) = (pid(&mut graph, 1), pid(&mut graph, 9));
        let words = [0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0];
        let reference = foreign(&mut graph, &[131, 90, 0, 3], &words);
        let (symbol, unknown, a) = (graph.input(0), graph.unknown(), graph.atom("a"));
        let list = graph.cons(known, NodeId::NIL);
        let open = graph.cons(symbol, unknown);
        let map = graph.map([(a, known)]);
        let parts = [list, open, map, other, reference, symbol];
        let message = graph.tuple(parts);
        let seven = graph.integer(7);
        let processes = [ProcessPath::ENTRY, ProcessPath::ENTRY.child(1)].map(process);
        let mut texts = ValueTexts::new(Input::new(&[seven]), &processes);
        assert_eq!(
            texts.text(&mut graph, message),
            "{[<0.1>],[7|...],#{a => <0.1>},<other>,#Ref<7>,7}"
        );
    }
}
