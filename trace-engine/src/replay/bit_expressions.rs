//! Bit strings that are built.

use flattener::flat::{Operation, Segment, Statement};
use models::{BuiltSegment, Stop, Walked};
use solver::graph::NodeId;

use super::opaque_operations::note_opaque;
use super::replayed::Misfit;
use super::run_state::RunState;
use super::stack::Stack;

/// A bit string was built.
pub(super) fn build_bits<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
    segments: &[Segment],
) -> Result<NodeId, Misfit> {
    if let Ok(value) = built(run, stack, statement, segments)? {
        return Ok(value);
    }
    note_opaque(run, stack, statement);
    Ok(run.graph().unknown())
}

/// Whether a bit string could not be built, for a reason that is understood.
pub(super) fn raises_in_bits<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
) -> Result<bool, Misfit> {
    let Operation::Binary(segments) = &statement.operation else {
        return Ok(false);
    };
    Ok(built(run, stack, statement, segments)? == Err(Stop::Raises))
}

fn built<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
    segments: &[Segment],
) -> Result<Walked, Misfit> {
    let mut values = Vec::with_capacity(segments.len());
    for segment in segments {
        values.push(BuiltSegment {
            value: stack.value(run, &segment.value),
            size: stack.value(run, &segment.size),
            kind: segment.kind,
        });
    }
    let mut walk = run.walk();
    let built = models::build(&mut walk, &values);
    let choices = walk.choices;
    run.decide_all(stack.at(statement), choices)?;
    Ok(built)
}
