//! Processes that a process of the run starts.

use flattener::flat::{Callable, Statement};
use solver::graph::{Node, NodeId};
use trace_format::{Happened, Payload, ProcessPath};

use super::arguments_of_calls::elements_of_list;
use super::known_calls::KnownCall;
use super::monitors::{Watched, add_monitor, monitor_options};
use super::opaque_operations::note_opaque;
use super::process::Process;
use super::process_ids::process_number;
use super::replayed::{Misfit, ProgramSite};
use super::run_event::RunEventKind;
use super::run_state::{Nodes, RunState};
use super::signal_effect::SignalEffect;
use super::together::{SpawnedCall, SpawnedCallee};

/// A process was started. Returns what the call returned.
pub(super) fn spawned<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
    call: &KnownCall,
    payload: &Payload,
) -> Result<NodeId, Misfit> {
    let at = process.stack.at(statement);
    let logged = run.constant(payload);
    let child = child_number(run, logged);
    let first_call = match child {
        Some(_) => first_call(run, at, call)?,
        None => None,
    };
    match (child, first_call) {
        (Some(child), Some(first_call)) => {
            if is_open_call(run, &first_call) {
                note_opaque(run, &mut process.stack, statement);
            }
            let parent = add_child(run, at, child)?;
            if let Some(together) = &mut run.together {
                together.spawned.push((child, first_call));
            }
            if is_linked(run, call) {
                run.note_effect(SignalEffect::Link(parent, child));
            }
            note_monitor(run, process.number, call, (child, logged));
        }
        _ => {
            note_opaque(run, &mut process.stack, statement);
            run.note_event(Some(at), RunEventKind::Step(Vec::new()));
            run.note_uncontrolled(at, call.text());
        }
    }
    Ok(logged)
}

/// Whether a call links the new process to its own.
fn is_linked(run: &mut RunState<'_>, call: &KnownCall) -> bool {
    let options = match (call.name.as_str(), call.arguments.last()) {
        ("spawn_link", _) => return true,
        ("spawn_opt", Some(options)) => *options,
        _ => return false,
    };
    let link = run.graph().atom("link");
    elements_of_list(run.graph(), options).contains(&link)
}

/// Notes the monitor of a new process, if the call returned one.
fn note_monitor(
    run: &mut RunState<'_>,
    watcher: usize,
    call: &KnownCall,
    (child, returned): (usize, NodeId),
) {
    let Node::Tuple(elements) = run.graph().node(returned) else {
        return;
    };
    let &[item, reference] = elements.as_slice() else {
        return;
    };
    let options = options_of_monitor(run, call);
    let Some(options) = monitor_options(run.graph(), options) else {
        return;
    };
    let watched = Watched {
        number: child,
        item,
    };
    let effect = add_monitor(run, watcher, reference, watched, options);
    run.note_effect(effect);
}

/// What `spawn_opt` says about the monitor of the new process.
fn options_of_monitor(run: &mut RunState<'_>, call: &KnownCall) -> NodeId {
    let options = call
        .arguments
        .last()
        .filter(|_| call.name.as_str() == "spawn_opt");
    let options = options.map(|it| elements_of_list(run.graph(), *it));
    let graph = run.graph();
    let monitor = graph.atom("monitor");
    let mut given = options.unwrap_or_default().into_iter();
    let found = given.find_map(|option| {
        if let Node::Tuple(parts) = graph.node(option) {
            return parts.get(1).filter(|_| parts.first() == Some(&monitor));
        }
        None
    });
    found.copied().unwrap_or(NodeId::NIL)
}

/// The number of the process whose pid a call returned, perhaps with a monitor.
fn child_number(run: &mut RunState<'_>, returned: NodeId) -> Option<usize> {
    let graph = run.graph();
    let pid = if let Node::Tuple(elements) = graph.node(returned) {
        *elements.first()?
    } else {
        returned
    };
    let number = process_number(graph, pid)?;
    let next = run.replayed.processes.len();
    let known = run.together.as_ref()?.known_processes;
    // Processes that nobody controls have numbers that are larger.
    (number < known.max(next + 1)).then_some(number)
}

/// Whether it is not known for all inputs what a process calls that begins.
pub(super) fn is_open_call(run: &RunState<'_>, call: &SpawnedCall) -> bool {
    let graph = &run.replayed.graph;
    match call.callee {
        SpawnedCallee::Fun(fun) => {
            !matches!(graph.node(fun), Node::Closure(_)) && run.is_open(&[fun])
        }
        SpawnedCallee::Function(module, name) => {
            call.arguments.is_none() || run.is_open(&[module, name])
        }
    }
}

/// The process that is replayed starts one with this number. Returns its own.
pub(super) fn add_child(
    run: &mut RunState<'_>,
    at: ProgramSite,
    child: usize,
) -> Result<usize, Misfit> {
    if child < run.replayed.processes.len() {
        return Err(Misfit("this process was spawned before"));
    }
    // Processes that nobody controls have numbers too, if they have logs.
    while run.replayed.processes.len() < child {
        run.add_process(ProcessPath::ENTRY.child(0));
    }
    let Some(together) = &mut run.together else {
        return Ok(0);
    };
    let parent = together.current;
    let siblings = together.children.entry(parent).or_default();
    *siblings += 1;
    let number = *siblings;
    let path = run.replayed.processes.get(parent);
    let path = path.map(|it| it.path.child(number));
    run.add_process(path.ok_or(Misfit("there is no such process"))?);
    run.note_event(Some(at), RunEventKind::Spawn { child });
    Ok(parent)
}

/// What a process calls that begins. The length of a list of arguments may be a decision.
pub(super) fn first_call(
    run: &mut RunState<'_>,
    at: ProgramSite,
    call: &KnownCall,
) -> Result<Option<SpawnedCall>, Misfit> {
    let mut given = call.arguments.as_slice();
    if call.name.as_str() == "spawn_opt" {
        given = given.split_last().map_or(given, |(_, given)| given);
    }
    Ok(match *given {
        [fun] => Some(SpawnedCall {
            callee: SpawnedCallee::Fun(fun),
            arguments: Some(Vec::new()),
        }),
        [module, name, list] => {
            let mut walk = run.walk();
            let walked = walk.elements(list);
            let choices = walk.choices;
            run.decide_all(at, choices)?;
            Some(SpawnedCall {
                callee: SpawnedCallee::Function(module, name),
                arguments: walked.ok(),
            })
        }
        _ => None,
    })
}

/// The variables and arguments with which a process that was spawned enters its first function; if
/// that is another one than it was to call, or if the log shows other values, `None`.
pub(super) fn first_entry(
    run: &mut RunState<'_>,
    event: &Happened<'_>,
    arity: usize,
    call: SpawnedCall,
    logged: &[NodeId],
) -> Option<(Option<NodeId>, Nodes)> {
    let arguments = call.arguments?;
    let mut pairs = arguments.iter().zip(logged);
    let is_it = match call.callee {
        SpawnedCallee::Fun(fun) => is_closure_of(run, fun, event),
        SpawnedCallee::Function(module, name) => is_function(run, (module, name, arity), event),
    };
    let fits = is_it
        && arguments.len() == arity
        && pairs.all(|(argument, logged)| run.is_as_logged(*argument, *logged));
    let fun = match call.callee {
        SpawnedCallee::Fun(fun) => Some(fun),
        SpawnedCallee::Function(..) => None,
    };
    fits.then(|| (fun, arguments.into()))
}

fn is_closure_of(run: &mut RunState<'_>, fun: NodeId, event: &Happened<'_>) -> bool {
    let place = (event.module, event.callable);
    if let Node::Closure(closure) = run.graph().node(fun) {
        return (closure.module, closure.callable) == place;
    }
    false
}

fn is_function(
    run: &mut RunState<'_>,
    (module, name, arity): (NodeId, NodeId, usize),
    event: &Happened<'_>,
) -> bool {
    let Callable::Function(index) = event.callable else {
        return false;
    };
    let code = run.program.module(event.module);
    let Some((code, function)) = code.and_then(|code| Some((code, code.function(index)?))) else {
        return false;
    };
    let (module_name, own_name) = (code.name.clone(), function.id.name.clone());
    let graph = run.graph();
    let own = [
        graph.atom(module_name.as_str()),
        graph.atom(own_name.as_str()),
    ];
    let is_named = run.is_as_logged(module, own[0]) && run.is_as_logged(name, own[1]);
    is_named && function.fun.parameters.len() == arity
}
