//! The `receive` of older compilers, in runs of several processes. The log holds its clause, but not
//! its message: that is the first one which a clause takes.

use flattener::flat::{Clause, Operation, Statement, Value};
use solver::graph::{Condition, NodeId};

use super::mailbox::OUTSIDE_MESSAGE;
use super::messages::Message;
use super::process::Process;
use super::receives::clause_way;
use super::replayed::{Fits, Misfit};
use super::run_event::RunEventKind;
use super::run_state::RunState;
use super::stack::Stack;
use super::waiting::{begin_receive, note_timeout, wanted_clauses};

/// How such a `receive` ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OldOutcome {
    /// A clause takes a message, counted from 0.
    Taken(usize),
    /// The time is over.
    TimedOut,
    /// It waits to the end of the run.
    Waits,
}

/// Goes through the messages up to the one that a clause takes. Returns whether the statement is
/// such a `receive`.
pub(super) fn old_receive<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
    outcome: OldOutcome,
) -> Result<bool, Misfit> {
    let Operation::Receive {
        clauses, timeout, ..
    } = &statement.operation
    else {
        return Ok(false);
    };
    if run.together.is_none() {
        return Ok(true);
    }
    let receive = begin(run, process, statement, clauses, timeout)?;
    match outcome {
        OldOutcome::Taken(clause) => {
            if !looks(run, process, statement, (receive, Some(clause)))? {
                run.note_opaque_anywhere("receive");
                let at = process.stack.at(statement);
                run.note_uncontrolled(at, OUTSIDE_MESSAGE.to_owned());
            }
        }
        OldOutcome::TimedOut => {
            looks(run, process, statement, (receive, None))?;
            note_timeout(run, process, statement, receive);
        }
        OldOutcome::Waits => {
            looks(run, process, statement, (receive, None))?;
        }
    }
    Ok(true)
}

fn begin<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
    clauses: &[Clause],
    timeout: &'run Value,
) -> Result<usize, Misfit> {
    let taking = (0..clauses.len()).collect();
    let wanted = wanted_clauses(run, &process.stack, statement, taking, None);
    begin_receive(run, process, statement, wanted, Some(timeout))
}

/// Goes through the messages for a `receive` with this number, up to the one that its clause takes.
/// Returns whether there is one.
fn looks<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
    (receive, wanted): (usize, Option<usize>),
) -> Result<bool, Misfit> {
    for index in 0.. {
        let messages = &run.mailbox(process.number).messages;
        let Some(Message { value, send }) = messages.get(index).copied() else {
            break;
        };
        let stack = &mut process.stack;
        let ways = ways_of(run, stack, statement, value);
        let skipping = ways.len() - 1;
        let chosen = run.way_taken(&ways);
        let takes = wanted.is_some() && (chosen.is_none() || chosen == wanted);
        let taking = ways.iter().take(skipping);
        if taking.clone().any(|way| *way != Condition::FALSE) {
            let look = RunEventKind::Look {
                receive,
                send,
                takes,
            };
            run.note_event(Some(stack.at(statement)), look);
        }
        if let (true, Some(clause)) = (takes, wanted) {
            decide(run, stack, statement, (&ways, clause))?;
            run.mailbox(process.number).messages.remove(index);
            return Ok(true);
        }
        match chosen {
            Some(way) if way == skipping => decide(run, stack, statement, (&ways, way))?,
            Some(_) | None => run.note_opaque_anywhere("receive"),
        }
    }
    Ok(false)
}

/// The conditions on which the clauses match a message, and last that on which none does.
fn ways_of<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
    message: NodeId,
) -> Vec<Condition> {
    let Operation::Receive { clauses, .. } = &statement.operation else {
        return vec![Condition::TRUE];
    };
    let graph = &mut run.replayed.graph;
    let ways = clauses.iter();
    let ways = ways.map(|clause| clause_way(graph, &mut stack.environment, clause, message));
    ways.chain([Condition::TRUE]).collect()
}

fn decide<'run>(
    run: &mut RunState<'run>,
    stack: &Stack<'run>,
    statement: &'run Statement,
    (ways, taken): (&[Condition], usize),
) -> Fits {
    let at = stack.at(statement);
    run.decide_clause(at, ways, taken, taken)
}
