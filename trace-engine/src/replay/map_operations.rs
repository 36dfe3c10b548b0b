//! Maps that are built or changed.

use flattener::flat::{Operation, Statement};
use solver::graph::{Condition, NodeId};

use super::replayed::Misfit;
use super::run_state::RunState;
use super::stack::Stack;
use crate::rules::MapExpression;

/// The value of a map expression that has one.
pub(super) fn changed_map<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
) -> Result<NodeId, Misfit> {
    let map = evaluated(run, stack, statement).ok_or(Misfit("there is no map"))?;
    for (condition, _) in map.needs {
        run.decide(stack.at(statement), &[condition, Condition::TRUE], 0)?;
    }
    Ok(map.value)
}

/// The reason that a map expression raises, with the decisions before; `None` for other operations,
/// and if nobody can tell.
pub(super) fn map_failure<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
    logged: NodeId,
) -> Result<Option<NodeId>, Misfit> {
    let Some(map) = evaluated(run, stack, statement) else {
        return Ok(None);
    };
    let failed: Vec<Condition> = map.needs.iter().map(|it| !it.0).collect();
    let Some(number) = run.way_taken(&failed) else {
        return Ok(None);
    };
    let reason = map.needs.get(number).map(|it| it.1);
    let Some(reason) = reason.filter(|it| run.is_as_logged(*it, logged)) else {
        return Ok(None);
    };
    for (place, (condition, _)) in map.needs.iter().take(number + 1).enumerate() {
        let way = usize::from(place == number);
        run.decide(stack.at(statement), &[*condition, Condition::TRUE], way)?;
    }
    Ok(Some(reason))
}

fn evaluated<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
) -> Option<MapExpression> {
    let Operation::Map { base, pairs } = &statement.operation else {
        return None;
    };
    let base = base.as_ref().map(|base| stack.value(run, base));
    let mut map = MapExpression::new(run.graph(), base);
    for (operator, key, value) in pairs {
        let pair = (stack.value(run, key), stack.value(run, value));
        map.put(run.graph(), *operator, pair);
    }
    Some(map)
}
