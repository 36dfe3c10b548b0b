//! Events of which only what they reach is noted: no value is made for them, and nothing is decided.

use flattener::flat::{Callable, Operation, Statement};
use trace_format::{EventKind, Happened};

use super::places::Mark;
use super::run_state::RunState;

/// Notes what an event reaches.
pub(super) fn note_reached(run: &mut RunState<'_>, event: &Happened<'_>) {
    let replayed = &mut run.replayed;
    if let Callable::Function(function) = event.callable {
        replayed.functions.insert((event.module, function));
    }
    let Some(statement) = event.statement else {
        return;
    };
    replayed
        .places
        .note(event.module, Mark::Began(statement.site));
    if let EventKind::Case(clause) = event.kind {
        replayed.trace.push(u32::try_from(clause).unwrap_or(0));
        let clause = clause.saturating_sub(1);
        let id = (event.module, statement.site, clause);
        replayed.clauses.insert(id);
        note_body(run, event, statement, clause);
    }
}

/// Notes the body of a clause.
fn note_body(run: &mut RunState<'_>, event: &Happened<'_>, statement: &Statement, clause: usize) {
    let Operation::Case { clauses, .. } = &statement.operation else {
        return;
    };
    let module = run.program.module(event.module);
    let function = module.and_then(|module| module.callable(event.callable));
    if let (Some((function, _)), Some(chosen)) = (function, clauses.get(clause)) {
        let places = &mut run.replayed.places;
        places.note(event.module, Mark::Block(function, chosen.body));
    }
}
