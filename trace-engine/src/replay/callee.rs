//! Calls whose callee only the run can tell: a function by a name that is a value, or a fun.

use flattener::flat::{Operation, Statement, Value};
use smallvec::smallvec;
use solver::graph::{Condition, Kinds, Node, NodeId};

use super::arguments_of_calls::{applied, end_of_list};
use super::operations::{call_by_name, is_apply, operation_name};
use super::replayed::{Fits, Misfit, ProgramSite};
use super::run_state::{Nodes, RunState};
use super::stack::Stack;

/// The meaning of a name that depends on the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// A function of the program: a decision says which one.
    Function,
    /// No function: a module of the program has none with this name.
    Nothing,
    /// Perhaps something else.
    Open,
}

/// The name of a callee.
struct CalleeName {
    module: NodeId,
    name: NodeId,
    arity: u32,
}

/// Decides the callee of a call that the program computes. If it depends on the input, every
/// function that it could be is another branch. Returns whether these are all branches.
pub(super) fn choose_callee<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
) -> Result<bool, Misfit> {
    let chosen = called_values(run, stack, statement)?;
    if !run.is_open(&chosen) {
        return Ok(false);
    }
    let at = stack.at(statement);
    if let Some(callee) = callee_name(run, stack, statement)
        && decide_callee(run, at, &callee)? != Named::Open
    {
        return Ok(true);
    }
    run.note_opaque(at, operation_name(&statement.operation), &chosen);
    Ok(false)
}

/// Decides which of several funs of the program is called, if the input says so.
pub(super) fn decide_fun<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
) -> Fits {
    let Operation::Apply { operator, .. } = &statement.operation else {
        return Ok(());
    };
    let Value::Variable(variable) = operator else {
        return Ok(());
    };
    let mut fun = stack.value(run, operator);
    while let Node::Choice(condition, yes, no) = *run.graph().node(fun) {
        match run.choose(stack.at(statement), &[condition, Condition::TRUE])? {
            Some(0) => fun = yes,
            Some(_) => fun = no,
            None => return Ok(()),
        }
        stack.environment.bind_all(&[*variable], &[fun]);
    }
    Ok(())
}

/// Whether a call that the program computes calls the same function for all inputs that reach it.
pub(super) fn has_one_callee<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
) -> Result<bool, Misfit> {
    let chosen = called_values(run, stack, statement)?;
    Ok(!run.is_open(&chosen))
}

/// The values that say what is called. A known fun calls the same code whatever it captured.
fn called_values<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
) -> Result<Nodes, Misfit> {
    let mut chosen: Nodes = if let Operation::Apply { operator, .. } = &statement.operation {
        smallvec![stack.value(run, operator)]
    } else {
        let call = call_by_name(&statement.operation);
        let (module, name, arguments) = call.ok_or(Misfit("there is no call"))?;
        let mut chosen = stack.values(run, [module, name]);
        if is_apply(module, name) {
            let mut arguments = stack.values(run, arguments);
            if let Some(list) = arguments.pop() {
                arguments.push(end_of_list(run.graph(), list));
            }
            chosen.extend(arguments);
        }
        chosen
    };
    let graph = &run.replayed.graph;
    chosen.retain(|node: &mut NodeId| !matches!(graph.node(*node), Node::Closure(_)));
    Ok(chosen)
}

/// The callee of a call by name; `None` for funs, and if the number of arguments is not known.
fn callee_name<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
) -> Option<CalleeName> {
    let (module, name, arguments) = call_by_name(&statement.operation)?;
    let given = stack.values(run, arguments);
    let (module, name, arity) = if is_apply(module, name) {
        let &[module, name, list] = given.as_slice() else {
            return None;
        };
        let end = end_of_list(run.graph(), list);
        if *run.graph().node(end) != Node::Nil {
            return None;
        }
        (module, name, applied(run.graph(), &given).1.len())
    } else {
        let module = stack.value(run, module);
        (module, stack.value(run, name), given.len())
    };
    let arity = u32::try_from(arity).ok()?;
    Some(CalleeName {
        module,
        name,
        arity,
    })
}

/// Decides which function of the program is named, or none of them.
fn decide_callee(
    run: &mut RunState<'_>,
    at: ProgramSite,
    callee: &CalleeName,
) -> Result<Named, Misfit> {
    let mut ways = functions_named(run, callee);
    let functions = ways.len();
    // A value that is not a name is another error than a name of no function.
    let names = [callee.module, callee.name].map(|it| run.graph().kind(Kinds::ATOM, it));
    ways.push(run.graph().all(names));
    ways.push(Condition::TRUE);
    let Some(taken) = run.choose(at, &ways)? else {
        return Ok(Named::Open);
    };
    let program = run.program;
    let module = run.graph().node(callee.module);
    let is_known_module = matches!(module, Node::Atom(name) if program.number(name).is_some());
    Ok(match (taken < functions, is_known_module) {
        (true, _) => Named::Function,
        (false, true) => Named::Nothing,
        (false, false) => Named::Open,
    })
}

/// For each function of the program the condition on which it is named, unless that is impossible.
fn functions_named(run: &mut RunState<'_>, callee: &CalleeName) -> Vec<Condition> {
    let mut ways = Vec::new();
    let program = run.program;
    for module in program.modules() {
        let module_name = run.graph().atom(module.name.as_str());
        let is_module = run.graph().equal(callee.module, module_name);
        let exports = module.flat.exports.iter();
        for export in exports.filter(|it| it.arity == callee.arity) {
            let name = run.graph().atom(export.name.as_str());
            let is_name = run.graph().equal(callee.name, name);
            let way = run.graph().all([is_module, is_name]);
            if way != Condition::FALSE {
                ways.push(way);
            }
        }
    }
    ways
}

/// Decides which function `fun Module:Name/Arity` stands for.
pub(super) fn fun_by_name(
    run: &mut RunState<'_>,
    at: ProgramSite,
    arguments: &[NodeId],
) -> Result<Named, Misfit> {
    let &[module, name, arity] = arguments else {
        return Ok(Named::Open);
    };
    let Node::Integer(arity) = run.graph().node(arity) else {
        return Ok(Named::Open);
    };
    let arity = arity.to_i64().and_then(|it| u32::try_from(it).ok());
    match arity {
        Some(arity) if run.is_open(&[module, name]) => {
            let callee = CalleeName {
                module,
                name,
                arity,
            };
            decide_callee(run, at, &callee)
        }
        _ => Ok(Named::Open),
    }
}
