//! Arrays of `atomics` and `counters` that followed code made. What is in their cells stays symbolic.

use erlang_term::Integer;
use models::Step;
use num_bigint::BigInt;
use solver::graph::{Condition, Graph, Kinds, Node, NodeId, Operator};

use super::arguments_of_calls::elements_of_list;
use super::kept_values::CellArray;
use super::known_calls::KnownCall;
use super::replayed::{Misfit, ProgramSite};
use super::run_state::RunState;

/// Larger arrays are not known: an index is compared with all others.
const MOST_CELLS: usize = 100;

/// What a step does to a cell.
struct CellChange {
    value: NodeId,
    /// What is in the cell then.
    cell: NodeId,
}

/// A step of `atomics` or `counters` returned. Returns its value.
pub(super) fn cell_step(
    run: &mut RunState<'_>,
    at: ProgramSite,
    (step, call): (&Step, &KnownCall),
    logged: NodeId,
) -> Result<NodeId, Misfit> {
    if step.name == "new" {
        make_array(run, at, call, logged);
        return Ok(logged);
    }
    let array = array_of(run, call);
    if let Some(array) = &array
        && let Some(index) = index_in(run, at, array, call)?
        && let Some(changed) = change(run, at, (array, index), call)?
        && run.is_as_logged(changed.value, logged)
    {
        run.shared.set_cell(array.id, index, changed.cell);
        return Ok(changed.value);
    }
    let cells = array.iter().flat_map(|it| &it.cells);
    let given: Vec<NodeId> = call.arguments.iter().chain(cells).copied().collect();
    if run.is_open(&given) {
        run.note_opaque(at, call.text(), &given);
    }
    if let Some(array) = array {
        run.shared.forget_array(array.id);
    }
    Ok(logged)
}

fn make_array(run: &mut RunState<'_>, at: ProgramSite, call: &KnownCall, id: NodeId) {
    if run.is_open(&call.arguments) {
        run.note_opaque(at, call.text(), &call.arguments);
        return;
    }
    let graph = run.graph();
    let [size, options] = call.arguments.as_slice() else {
        return;
    };
    let Some(size) = small(graph, *size).filter(|it| *it <= MOST_CELLS) else {
        return;
    };
    let zero = graph.integer(0);
    let unsigned = [graph.atom("signed"), NodeId::FALSE];
    let unsigned = graph.tuple(unsigned);
    let is_signed = !elements_of_list(graph, *options).contains(&unsigned);
    run.shared.add_array(CellArray {
        id,
        cells: vec![zero; size],
        is_signed,
    });
}

fn small(graph: &Graph, number: NodeId) -> Option<usize> {
    if let Node::Integer(number) = graph.node(number) {
        return usize::try_from(number.to_i64()?).ok();
    }
    None
}

fn array_of(run: &RunState<'_>, call: &KnownCall) -> Option<CellArray> {
    run.shared.array(*call.arguments.first()?).cloned()
}

/// Decides which cell a step uses; `None` if there is no such cell.
fn index_in(
    run: &mut RunState<'_>,
    at: ProgramSite,
    array: &CellArray,
    call: &KnownCall,
) -> Result<Option<usize>, Misfit> {
    let Some(index) = call.arguments.get(1) else {
        return Ok(None);
    };
    let graph = run.graph();
    let mut ways: Vec<Condition> = Vec::with_capacity(array.cells.len() + 1);
    for number in (1..).take(array.cells.len()) {
        let number = graph.integer(number);
        ways.push(graph.equal(*index, number));
    }
    ways.push(Condition::TRUE);
    let taken = run.choose(at, &ways)?;
    Ok(taken.filter(|taken| *taken < array.cells.len()))
}

/// What a step does; `None` if that is not understood.
fn change(
    run: &mut RunState<'_>,
    at: ProgramSite,
    (array, index): (&CellArray, usize),
    call: &KnownCall,
) -> Result<Option<CellChange>, Misfit> {
    let Some(old) = array.cells.get(index).copied() else {
        return Ok(None);
    };
    if !are_allowed(run, at, array, call)? {
        return Ok(None);
    }
    let given = call.arguments.get(2..).unwrap_or_default();
    let ok = run.graph().atom("ok");
    let (new, value) = match (call.name.as_str(), given) {
        ("get", []) => (old, old),
        ("put", [new]) => (*new, ok),
        ("exchange", [new]) => (*new, old),
        ("add" | "sub" | "add_get" | "sub_get", [by]) => {
            let Some(new) = counted(run, at, (array, old), call.name.as_str(), *by)? else {
                return Ok(None);
            };
            (new, if given_back(call) { new } else { ok })
        }
        ("compare_exchange", [expected, new]) => {
            let is_expected = run.graph().equal(old, *expected);
            match run.choose(at, &[is_expected, Condition::TRUE])? {
                Some(0) => (*new, ok),
                Some(_) => (old, old),
                None => return Ok(None),
            }
        }
        _ => return Ok(None),
    };
    Ok(Some(CellChange { value, cell: new }))
}

fn given_back(call: &KnownCall) -> bool {
    call.name.as_str().ends_with("_get")
}

/// A cell that has grown or shrunk. Behind its largest value comes the smallest.
fn counted(
    run: &mut RunState<'_>,
    at: ProgramSite,
    (array, old): (&CellArray, NodeId),
    name: &str,
    by: NodeId,
) -> Result<Option<NodeId>, Misfit> {
    let operator = if name.starts_with("sub") {
        Operator::Subtract
    } else {
        Operator::Add
    };
    let graph = run.graph();
    let new = graph.arithmetic(operator, old, by);
    let fits = within(graph, new, array.bounds());
    let taken = run.choose(at, &[fits, Condition::TRUE])?;
    let graph = run.graph();
    Ok(taken.map(|taken| match taken {
        0 => new,
        _ => wrapped(graph, array, new),
    }))
}

fn wrapped(graph: &mut Graph, array: &CellArray, number: NodeId) -> NodeId {
    let least = graph.big_integer(Integer::from(array.bounds().0));
    let numbers = graph.power_of_two(64);
    let above = graph.arithmetic(Operator::Subtract, number, least);
    let above = graph.arithmetic(Operator::Modulo, above, numbers);
    graph.arithmetic(Operator::Add, above, least)
}

fn within(graph: &mut Graph, number: NodeId, (least, most): (BigInt, BigInt)) -> Condition {
    let [least, most] = [least, most].map(|it| graph.big_integer(Integer::from(it)));
    let bounds = [!graph.less(number, least), !graph.less(most, number)];
    graph.all(bounds)
}

/// Decides whether what a step is given is integers that are allowed.
fn are_allowed(
    run: &mut RunState<'_>,
    at: ProgramSite,
    array: &CellArray,
    call: &KnownCall,
) -> Result<bool, Misfit> {
    for number in call.arguments.get(2..).unwrap_or_default() {
        let graph = run.graph();
        let is_integer = graph.kind(Kinds::INTEGER, *number);
        let bounds = array.bounds_of_given(call.name.as_str());
        let is_within = within(graph, *number, bounds);
        for condition in [is_integer, is_within] {
            if run.choose(at, &[condition, Condition::TRUE])? != Some(0) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Decides why a step raised: there is no such cell, or a number is not allowed. Returns whether
/// that is understood.
pub(super) fn cell_raising_is_understood(
    run: &mut RunState<'_>,
    at: ProgramSite,
    call: &KnownCall,
) -> Result<bool, Misfit> {
    let Some(array) = array_of(run, call) else {
        return Ok(false);
    };
    if index_in(run, at, &array, call)?.is_none() {
        return Ok(true);
    }
    Ok(!are_allowed(run, at, &array, call)?)
}
