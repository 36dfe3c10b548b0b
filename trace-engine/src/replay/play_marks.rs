//! What the play of a machine tells about itself: it calls functions that do nothing, and a replay
//! notes their arguments.

use erlang_term::Term;
use solver::graph::{NodeId, to_term};

use super::machine_state::MachineState;
use super::play_mark::{ChosenClause, LastClause, NotedMarks, PlayMark, PlayMarkKind};
use super::run_state::RunState;

/// Notes a clause of the user, unless a function of the callback chose it that the callback called.
pub(super) fn note_last_clause(run: &mut RunState<'_>, depth: usize, clause: ChosenClause) {
    let is_own = run.marks.is_some_and(|it| clause.0 < it.modules.own);
    if is_own && run.last_clause.is_none_or(|last| depth <= last.depth) {
        run.last_clause = Some(LastClause { depth, clause });
    }
}

/// Notes a mark, if the function that begins to run is one.
pub(super) fn note_mark(
    run: &mut RunState<'_>,
    noted: NotedMarks,
    function: usize,
    arguments: &[NodeId],
) {
    let module = run.program.module(noted.modules.marks);
    let function = module.and_then(|it| it.function(function));
    let name = function.map(|it| it.id.name.as_str());
    if name == Some("calls") {
        run.last_clause = None;
        let decisions = run.replayed.decisions.len();
        if let Some(state) = run.replayed.machine_states.last_mut() {
            state.note_call(decisions);
        }
    }
    let (Some(name), Some((&index, rest))) = (name, arguments.split_first()) else {
        return;
    };
    let Some(kind) = kind(run, noted, name, rest) else {
        return;
    };
    let index = value(run, index).and_then(|it| usize::try_from(it.as_i64()?).ok());
    let decisions = run.replayed.decisions.len();
    if let (PlayMarkKind::Handled { label, .. }, &[_, _, state]) = (&kind, rest) {
        let state = MachineState::new(&run.replayed.graph, decisions, label, state);
        run.replayed.machine_states.push(state);
    }
    run.replayed.marks.extend(index.map(|index| PlayMark {
        decisions,
        index,
        kind,
    }));
}

fn kind(
    run: &mut RunState<'_>,
    noted: NotedMarks,
    name: &str,
    arguments: &[NodeId],
) -> Option<PlayMarkKind> {
    match (name, arguments) {
        ("state", &[event, label, state]) => Some(PlayMarkKind::Handled {
            event: value(run, event)?,
            label: value(run, label)?,
            state: noted.has_values.then(|| value(run, state)).flatten(),
        }),
        ("replied", &[reply]) if noted.has_values => {
            Some(PlayMarkKind::Replied(value(run, reply)?))
        }
        ("fired", &[name]) => Some(PlayMarkKind::Fired(value(run, name)?)),
        ("waited", &[time]) => Some(PlayMarkKind::Waited(value(run, time)?)),
        ("waits", &[left]) if noted.has_values => Some(PlayMarkKind::Waits(value(run, left)?)),
        ("ended", &[event, _]) => Some(PlayMarkKind::Ended {
            event: value(run, event).filter(|it| it.as_atom() != Some("none")),
            clause: run.last_clause.map(|it| it.clause),
        }),
        _ => None,
    }
}

/// The value of the run.
fn value(run: &mut RunState<'_>, node: NodeId) -> Option<Term> {
    let graph = &mut run.replayed.graph;
    let value = run.input.value(graph, node)?;
    to_term(graph, value)
}
