//! Operations that the engine does not understand: their results are taken from the log or are
//! unknown, so other inputs may take other paths.

use flattener::flat::Statement;

use super::operations::{is_changing, operation_name};
use super::run_state::RunState;
use super::stack::Stack;

/// Notes an operation that is not understood, if it depends on the input, on something that is not
/// understood, or on the moment.
pub(super) fn note_opaque<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
) {
    let operation = &statement.operation;
    let given = stack.values(run, operation.operands());
    if run.is_open(&given) || is_changing(operation) {
        run.note_opaque(stack.at(statement), operation_name(operation), &given);
    }
}

/// Notes a step that is not understood, if it depends on the input or on something that is not
/// understood. What it returns depends on the schedule, but not on the moment.
pub(super) fn note_opaque_step<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
) {
    let operation = &statement.operation;
    let given = stack.values(run, operation.operands());
    if run.is_open(&given) {
        run.note_opaque(stack.at(statement), operation_name(operation), &given);
    }
}
