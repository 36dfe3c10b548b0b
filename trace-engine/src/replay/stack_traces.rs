//! Stack traces that a program looks at.

use solver::graph::{Graph, Node, NodeId};
use trace_format::Payload;

use super::arguments_of_calls::elements_of_list;
use super::run_state::RunState;

/// A stack trace. The functions in it and their places belong to the path. Arguments of a function
/// that has no clause for them, and what else explains an error, may depend on the input: these are
/// not known.
pub(super) fn stack_trace(run: &mut RunState<'_>, payload: &Payload) -> NodeId {
    let logged = run.constant(payload);
    let graph = run.graph();
    let frames = elements_of_list(graph, logged).into_iter();
    let frames: Vec<NodeId> = frames.map(|it| frame(graph, it)).collect();
    let frames = frames.into_iter().rev();
    frames.fold(NodeId::NIL, |rest, frame| graph.cons(frame, rest))
}

fn frame(graph: &mut Graph, frame: NodeId) -> NodeId {
    let Node::Tuple(parts) = graph.node(frame) else {
        return frame;
    };
    let &[module, function, arguments, place] = parts.as_slice() else {
        return graph.unknown();
    };
    let is_arity = matches!(graph.node(arguments), Node::Integer(_));
    let arguments = if is_arity { arguments } else { graph.unknown() };
    let place = if says_only_where(graph, place) {
        place
    } else {
        graph.unknown()
    };
    graph.tuple([module, function, arguments, place])
}

/// Whether the place of a frame is only a file and a line.
fn says_only_where(graph: &mut Graph, place: NodeId) -> bool {
    let [file, line] = ["file", "line"].map(|it| graph.atom(it));
    let parts = elements_of_list(graph, place);
    parts.iter().all(|part| {
        if let Node::Tuple(part) = graph.node(*part) {
            return part.first().is_some_and(|it| [file, line].contains(it));
        }
        false
    })
}
