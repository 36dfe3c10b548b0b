//! Terms in external format: `term_to_binary`, and `binary_to_term` of what it made. The bytes are
//! known only for the term of the run; that they stand for the term is known for all.

use erlang_term::Term;
use solver::graph::{Graph, NodeId, to_term};
use trace_format::Payload;

use super::run_state::RunState;

/// The external form of a term that depends on the input; `None` for other terms.
pub(super) fn encoded(
    run: &mut RunState<'_>,
    arguments: &[NodeId],
    payload: &Payload,
) -> Option<NodeId> {
    let (&term, options) = arguments.split_first()?;
    if !run.is_open(&[term]) || run.is_open(options) {
        return None;
    }
    let graph = &mut run.replayed.graph;
    let known = run.input.value(graph, term)?;
    let is_same = graph.equal(term, known);
    let bytes = run.constant(payload);
    let graph = run.graph();
    let others = graph.unknown();
    let form = graph.choice(is_same, bytes, others);
    run.encoded.insert(form, term);
    Some(form)
}

/// The term of an external form that was made in this run; `None` for other binaries.
pub(super) fn decoded(run: &mut RunState<'_>, arguments: &[NodeId]) -> Option<NodeId> {
    let (form, options) = arguments.split_first()?;
    let graph = run.graph();
    let are_plain = options.iter().all(|it| is_safe(graph, *it));
    if !are_plain {
        return None;
    }
    run.encoded.get(form).copied()
}

/// Whether options do not change what is returned.
fn is_safe(graph: &Graph, options: NodeId) -> bool {
    let options = to_term(graph, options);
    let options = options.as_ref().and_then(Term::as_list);
    options.is_some_and(|it| it.iter().all(|option| option.as_atom() == Some("safe")))
}
