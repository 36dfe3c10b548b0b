//! What programs keep outside of their variables: tables, arrays of cells, persistent terms and the
//! environments of applications.

use flattener::flat::Operation;
use models::{Step, StepKind};
use solver::graph::NodeId;

use super::cells::{cell_raising_is_understood, cell_step};
use super::known_calls::KnownCall;
use super::operations::may_call;
use super::replayed::{Misfit, ProgramSite};
use super::run_state::RunState;
use super::stored_terms::{forget_terms, term_raising_is_understood, term_step};
use super::stored_variables::variable_step;
use super::tables::{table_raising_is_understood, table_step};

/// The modules whose functions keep values.
const KEEPING: [&str; 5] = [
    "application",
    "atomics",
    "counters",
    "ets",
    "persistent_term",
];

/// Whether an operation may keep values, as far as the code tells.
pub(super) fn may_keep(operation: &Operation) -> bool {
    may_call(operation, &KEEPING)
}

/// Whether a step keeps values, or finds them again.
pub(super) fn keeps(step: &Step) -> bool {
    KEEPING.contains(&step.module) && step.kind == StepKind::Plain
}

/// A step that keeps values returned. Returns its value.
pub(super) fn keeping_step(
    run: &mut RunState<'_>,
    at: ProgramSite,
    (step, call): (&Step, &KnownCall),
    logged: NodeId,
) -> Result<NodeId, Misfit> {
    match step.module {
        "ets" => table_step(run, at, (step, call), logged),
        "persistent_term" => term_step(run, at, (step, call), logged),
        "application" => variable_step(run, at, (step, call), logged),
        _ => cell_step(run, at, (step, call), logged),
    }
}

/// Decides why a step that keeps values raised. Returns whether that is understood.
pub(super) fn raising_is_understood(
    run: &mut RunState<'_>,
    at: ProgramSite,
    (step, call): (&Step, &KnownCall),
) -> Result<bool, Misfit> {
    match step.module {
        "ets" => table_raising_is_understood(run, at, (step, call)),
        "persistent_term" => term_raising_is_understood(run, at, call),
        "application" => Ok(false),
        _ => cell_raising_is_understood(run, at, call),
    }
}

/// Code that is not followed was called. It may have changed what was kept, so that is not known any
/// more.
pub(super) fn forget_kept(run: &mut RunState<'_>, at: ProgramSite, name: &str) {
    let mut forgotten = run.shared.forget_rows();
    forgotten.extend(run.shared.forget_cells());
    forgotten.extend(forget_terms(&mut run.shared.terms));
    forgotten.extend(forget_terms(&mut run.shared.variables));
    if run.is_open(&forgotten) {
        run.note_opaque(at, name.to_owned(), &forgotten);
    }
}
