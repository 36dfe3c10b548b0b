//! What the engine does not see through: its results are taken from the log or are unknown, so
//! that other inputs may lead elsewhere.

use flattener::flat::{Operation, Statement, Value};

use super::{Decision, OpaqueCall, Replay, Step};
use solver::graph::{Condition, Node, NodeId, to_term};

/// Functions whose results differ from run to run: module, and name unless all of them do.
const CHANGING: &[(&str, Option<&str>)] = &[
    ("rand", None),
    ("random", None),
    ("crypto", None),
    ("os", None),
    ("ets", None),
    ("dets", None),
    ("persistent_term", None),
    ("calendar", Some("local_time")),
    ("calendar", Some("universal_time")),
    ("erlang", Some("now")),
    ("erlang", Some("date")),
    ("erlang", Some("time")),
    ("erlang", Some("localtime")),
    ("erlang", Some("universaltime")),
    ("erlang", Some("timestamp")),
    ("erlang", Some("monotonic_time")),
    ("erlang", Some("system_time")),
    ("erlang", Some("unique_integer")),
    ("erlang", Some("statistics")),
    ("erlang", Some("memory")),
    ("erlang", Some("processes")),
    ("erlang", Some("process_info")),
];

impl<'run> Replay<'run> {
    /// Notes an operation that is not understood, if it depends on the input, on something that
    /// is not understood, or on the moment.
    pub(super) fn note_opaque(&mut self, statement: &'run Statement) -> Step {
        let operation = &statement.operation;
        let given = self.values(operation.operands());
        if self.is_open(&given) || is_changing(operation) {
            let place = Some((self.frame.module, statement.site));
            let name = name(operation);
            self.replayed.opaque.push(OpaqueCall { name, place });
            self.note_given(statement, &given)?;
        }
        Ok(())
    }

    /// Notes what something that is not understood depends on.
    pub(super) fn note_given(&mut self, statement: &'run Statement, nodes: &[NodeId]) -> Step {
        for node in nodes {
            if self.replayed.graph.is_symbolic(*node) {
                self.decide_given(statement, *node)?;
                let decisions = self.replayed.decisions.len();
                self.replayed.given.push((decisions, *node));
            }
        }
        Ok(())
    }

    /// With another value the run could have gone on in another way.
    fn decide_given(&mut self, statement: &'run Statement, node: NodeId) -> Step {
        let module = self.frame.module;
        let graph = &mut self.replayed.graph;
        let Some(value) = self.input.value(graph, node) else {
            return Ok(());
        };
        if let Some(term) = to_term(graph, value) {
            self.replayed.decisions.push(Decision {
                module,
                site: statement.site,
                ways: vec![graph.equal(node, value), Condition::TRUE],
                taken: 0,
                clause: None,
                given: Some((node, term)),
            });
        }
        Ok(())
    }

    pub(super) fn is_open(&self, nodes: &[NodeId]) -> bool {
        let graph = &self.replayed.graph;
        nodes
            .iter()
            .any(|node| graph.is_symbolic(*node) || graph.is_unknown(*node))
    }

    pub(super) fn end_of_list(&self, list: NodeId) -> NodeId {
        let mut rest = list;
        while let Node::Cons(_, tail) = self.replayed.graph.node(rest) {
            rest = *tail;
        }
        rest
    }
}

pub(super) fn is_apply(module: &Value, name: &Value) -> bool {
    is_atom(module, "erlang") && is_atom(name, "apply")
}

pub(super) fn is_atom(value: &Value, text: &str) -> bool {
    value.as_literal().and_then(|term| term.as_atom()) == Some(text)
}

fn is_changing(operation: &Operation) -> bool {
    let Operation::Call { module, name, .. } = operation else {
        return false;
    };
    let mut known = CHANGING.iter();
    known.any(|(known, one)| is_atom(module, known) && one.is_none_or(|one| is_atom(name, one)))
}

/// What the user is told.
pub(super) fn name(operation: &Operation) -> String {
    match operation {
        Operation::Call {
            module,
            name,
            arguments,
        } => match (module.as_literal(), name.as_literal()) {
            (Some(module), Some(name)) => format!("{module}:{name}/{}", arguments.len()),
            _ => "a computed call".to_owned(),
        },
        Operation::Primop { name, .. } => format!("primop {name}"),
        Operation::Map { .. } => "a map that is built or changed".to_owned(),
        Operation::Binary(_) => "a bit string that is built".to_owned(),
        _ => "a fun".to_owned(),
    }
}
