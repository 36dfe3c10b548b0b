//! Statements that bind values or choose clauses.

use flattener::flat::{Clause, Fun, Operation, Statement, Value};
use models::Walk;
use smallvec::smallvec;
use solver::graph::NodeId;

use super::bit_expressions::build_bits;
use super::map_operations::changed_map;
use super::old_receives::{OldOutcome, old_receive};
use super::play_marks::note_last_clause;
use super::process::Process;
use super::replayed::{Fits, Misfit};
use super::run_state::{Nodes, RunState};
use super::stack::Stack;
use crate::rules::{ClauseChoice, ClauseWays, clause_ways, made_fun};

/// The values of a statement are bound.
pub(super) fn bind<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
) -> Fits {
    let values: Nodes = match &statement.operation {
        Operation::Values(values) => stack.values(run, values),
        Operation::Fun(fun) => smallvec![make_fun(run, stack, statement, fun)],
        Operation::Letrec { body, .. } => stack.block_values(run, *body),
        Operation::Map { .. } => smallvec![changed_map(run, stack, statement)?],
        Operation::Binary(segments) => smallvec![build_bits(run, stack, statement, segments)?],
        Operation::Apply { .. }
        | Operation::Call { .. }
        | Operation::Primop { .. }
        | Operation::Case { .. }
        | Operation::Try { .. }
        | Operation::Catch(_)
        | Operation::Receive { .. } => return Err(Misfit("nothing is bound there")),
    };
    stack.bind(run, statement, &values);
    Ok(())
}

fn make_fun<'run>(
    run: &mut RunState<'run>,
    stack: &Stack<'run>,
    statement: &Statement,
    fun: &Fun,
) -> NodeId {
    let place = (stack.frame.module, statement.site);
    let closure = made_fun(
        &mut run.replayed.graph,
        &stack.environment,
        &mut run.captured,
        place,
        (stack.frame.function_code, fun),
    );
    run.made
        .entry(place)
        .and_modify(|made| *made = made.filter(|it| *it == closure))
        .or_insert(Some(closure));
    closure
}

/// A clause is chosen, counted from 1.
pub(super) fn case<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
    clause: usize,
) -> Fits {
    let stack = &mut process.stack;
    let Operation::Case { arguments, clauses } = &statement.operation else {
        return receive(run, process, statement, clause);
    };
    let taken = clause.wrapping_sub(1);
    let chosen = clauses
        .get(taken)
        .ok_or(Misfit("there is no such clause"))?;
    note_clause(run, stack, statement, clause);
    stack.note_block(run, chosen.body);
    let arguments = stack.values(run, arguments);
    let choice = ClauseChoice {
        function: stack.frame.function_code,
        clauses,
        arguments: &arguments,
        taken,
    };
    let (ways, first) = ways_of_clauses(run, stack, statement, &choice)?;
    let graph = &run.replayed.graph;
    let own = taken - first;
    let mut decided = ways.iter().take(own + 1);
    if decided.any(|way| graph.is_unknown_condition(*way)) {
        let looked_at = looked_at(run, stack, clauses.iter().take(clause), &arguments);
        run.note_given(stack.at(statement), &looked_at);
    }
    run.decide_clause(stack.at(statement), &ways, own, taken)
}

fn note_clause(run: &mut RunState<'_>, stack: &Stack<'_>, statement: &Statement, clause: usize) {
    let replayed = &mut run.replayed;
    replayed.trace.push(u32::try_from(clause).unwrap_or(0));
    let clause = (stack.frame.module, statement.site, clause - 1);
    replayed.clauses.insert(clause);
    note_last_clause(run, stack.depth(), clause);
}

/// The conditions on which clauses are chosen, and the number of the first one that is not
/// excluded by a decision.
fn ways_of_clauses<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
    choice: &ClauseChoice<'_>,
) -> Result<(ClauseWays, usize), Misfit> {
    let mut walk = Walk::new(&mut run.replayed.graph, &mut run.input);
    let ways = clause_ways(&mut walk, &mut stack.environment, &mut run.guards, choice);
    let choices = walk.choices;
    if !choices.is_empty() {
        run.decide_all(stack.at(statement), choices)?;
    }
    Ok(ways)
}

/// The values that clauses depend on.
fn looked_at<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    clauses: impl Iterator<Item = &'run Clause>,
    arguments: &[NodeId],
) -> Vec<NodeId> {
    let mut looked_at = arguments.to_vec();
    for clause in clauses {
        let variables = run.guards.of(stack.frame.function_code, clause).to_vec();
        for variable in variables {
            looked_at.push(stack.value(run, &Value::Variable(variable)));
        }
    }
    looked_at
}

/// A `receive` of older compilers; the log holds the message.
fn receive<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
    clause: usize,
) -> Fits {
    let Operation::Receive {
        clauses, action, ..
    } = &statement.operation
    else {
        return Err(Misfit("there is no case"));
    };
    if clause == 0 || clause > clauses.len() + 1 {
        return Err(Misfit("there is no such clause"));
    }
    let taken = clause - 1;
    let outcome = if taken < clauses.len() {
        OldOutcome::Taken(taken)
    } else {
        OldOutcome::TimedOut
    };
    old_receive(run, process, statement, outcome)?;
    note_clause(run, &process.stack, statement, clause);
    let chosen = clauses.get(taken).map_or(*action, |it| it.body);
    process.go_on(run, statement, chosen);
    Ok(())
}

/// The chosen clause, counted from 1, has its value.
pub(super) fn exit_case<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
    clause: usize,
) -> Fits {
    let Operation::Case { clauses, .. } = &statement.operation else {
        return Err(Misfit("there is no case"));
    };
    let chosen = clauses.get(clause.wrapping_sub(1));
    let chosen = chosen.ok_or(Misfit("there is no such clause"))?;
    let values = stack.block_values(run, chosen.body);
    stack.bind(run, statement, &values);
    Ok(())
}
