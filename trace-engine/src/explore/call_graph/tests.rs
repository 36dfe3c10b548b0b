//! A function of a list that calls another one with the tail.

use erlang_term::Term;
use smallvec::smallvec;
use solver::graph::Place;

use super::super::arguments::{Arguments, RunArguments};
use super::super::call_walk::{CallWalk, OUTERMOST};
use super::super::state_graph::{StateCursor, StateGraph};
use super::{CallGraph, MissingPairs};
use crate::pruning::{CallState, Levels, PartPlace, StateKey};

const DEPTH: usize = 4;

fn key(hash: u64, levels: Levels) -> StateKey {
    StateKey {
        hash: [hash, hash],
        levels,
    }
}

/// A call with the tail of the input, this deep in it, of somebody who waits.
fn call(waiting: u64, level: u16) -> CallState {
    let place = PartPlace {
        argument: 0,
        steps: vec![Place::Tail; usize::from(level)].into(),
    };
    CallState {
        entry: key(1, smallvec![level]),
        values: key(1, smallvec![level]),
        roots: Box::default(),
        places: [place].into(),
        waiting: Some(key(waiting, Levels::new())),
    }
}

fn list(elements: &[i64]) -> Vec<Term> {
    let elements = elements.iter().map(|it| Term::Integer((*it).into()));
    vec![Term::list(elements)]
}

/// A run with these elements makes a call and comes to an exit.
fn run(
    (graph, calls): (&mut StateGraph, &mut CallGraph),
    elements: &[i64],
    call: &CallState,
    exit: Option<&StateKey>,
) -> [StateCursor; 2] {
    let arguments = list(elements);
    let arguments = RunArguments::new(Arguments::new(&arguments));
    let mut walk = CallWalk::new(0, &arguments, 0);
    let (inside, _) = calls.begin(graph, &mut walk, call);
    assert_ne!(walk.entry(), OUTERMOST);
    let behind = calls.end(graph, &mut walk, exit);
    [inside, behind.expect("a call is open")]
}

/// All inputs that are asked for, if none of them helps, and what is missing then.
fn inputs(calls: &mut CallGraph) -> (Vec<Vec<Term>>, MissingPairs) {
    let mut inputs = Vec::new();
    loop {
        match calls.missing(DEPTH) {
            MissingPairs::Input(_, input) => inputs.push(input),
            missing @ (MissingPairs::Nothing | MissingPairs::Again | MissingPairs::Lost) => {
                return (inputs, missing);
            }
        }
    }
}

#[test]
fn each_caller_needs_each_exit() {
    let (mut graph, mut calls) = (StateGraph::default(), CallGraph::default());
    let (one, other) = (call(10, 1), call(20, 1));
    let (yes, no) = (key(7, Levels::new()), key(8, Levels::new()));
    let known = (&mut graph, &mut calls);
    let [first, _] = run(known, &[1, 2], &one, Some(&yes));
    let known = (&mut graph, &mut calls);
    let [second, _] = run(known, &[3, 4], &other, Some(&no));
    assert_eq!(first.point, second.point);
    assert!(!second.is_narrower);
    let (missing, _) = inputs(&mut calls);
    assert_eq!(missing, [list(&[1, 4]), list(&[3, 2])]);
    let known = (&mut graph, &mut calls);
    let [_, behind] = run(known, &[1, 4], &one, Some(&no));
    let known = (&mut graph, &mut calls);
    let [_, elsewhere] = run(known, &[3, 2], &other, Some(&yes));
    assert_ne!(behind.point, elsewhere.point);
    assert!(matches!(calls.missing(DEPTH), MissingPairs::Nothing));
}

#[test]
fn a_pair_that_does_not_come_together_is_lost() {
    let (mut graph, mut calls) = (StateGraph::default(), CallGraph::default());
    let (yes, no) = (key(7, Levels::new()), key(8, Levels::new()));
    for (elements, waiting, exit) in [([1, 2], 10, &yes), ([3, 4], 20, &no)] {
        let known = (&mut graph, &mut calls);
        run(known, &elements, &call(waiting, 1), Some(exit));
    }
    let (missing, rest) = inputs(&mut calls);
    assert!(missing.len() == 2 && matches!(rest, MissingPairs::Lost));
}

#[test]
fn a_deeper_caller_needs_nothing_that_another_one_has() {
    let (mut graph, mut calls) = (StateGraph::default(), CallGraph::default());
    let yes = key(7, Levels::new());
    let no = key(8, Levels::new());
    run((&mut graph, &mut calls), &[1, 2], &call(10, 1), Some(&yes));
    let known = (&mut graph, &mut calls);
    let [inside, behind] = run(known, &[1, 2, 3], &call(10, 2), Some(&no));
    assert!(inside.is_narrower && behind.is_narrower);
    // The first one has not seen this exit.
    assert_eq!(inputs(&mut calls).0, [list(&[1, 3])]);
}

#[test]
fn where_exits_are_too_deep_calls_get_an_entry_of_their_own() {
    let (mut graph, mut calls) = (StateGraph::default(), CallGraph::default());
    let (yes, no) = (key(7, Levels::new()), key(8, Levels::new()));
    run(
        (&mut graph, &mut calls),
        &[1, 2, 3, 4],
        &call(10, 1),
        Some(&yes),
    );
    let deep = call(20, 3);
    let known = (&mut graph, &mut calls);
    let [inside, _] = run(known, &[1, 2, 3], &deep, Some(&no));
    assert!(inside.is_narrower);
    // Three elements behind the third are too many; none behind the first are not.
    assert!(matches!(
        calls.missing(DEPTH),
        MissingPairs::Input(_, input) if input == list(&[1])
    ));
    run((&mut graph, &mut calls), &[1], &call(10, 1), Some(&no));
    assert!(matches!(calls.missing(DEPTH), MissingPairs::Again));
    calls.restart();
    run(
        (&mut graph, &mut calls),
        &[1, 2, 3, 4],
        &call(10, 1),
        Some(&yes),
    );
    run((&mut graph, &mut calls), &[1], &call(10, 1), Some(&no));
    let known = (&mut graph, &mut calls);
    let [inside, _] = run(known, &[1, 2, 3], &deep, Some(&no));
    assert!(!inside.is_narrower);
    assert!(matches!(calls.missing(DEPTH), MissingPairs::Nothing));
}

#[test]
fn exits_that_leave_less_depth_need_not_be_seen() {
    let (mut graph, mut calls) = (StateGraph::default(), CallGraph::default());
    let exit = |level| key(7, smallvec![level]);
    run(
        (&mut graph, &mut calls),
        &[1, 2],
        &call(10, 1),
        Some(&exit(1)),
    );
    run(
        (&mut graph, &mut calls),
        &[3, 4, 5],
        &call(20, 1),
        Some(&exit(2)),
    );
    assert_eq!(inputs(&mut calls).0, [list(&[3, 2])]);
    let known = (&mut graph, &mut calls);
    run(known, &[3, 2], &call(20, 1), Some(&exit(1)));
    assert!(matches!(calls.missing(DEPTH), MissingPairs::Nothing));
}

#[test]
fn exits_without_a_key_are_told_apart_by_the_ways_to_them() {
    let (mut graph, mut calls) = (StateGraph::default(), CallGraph::default());
    run((&mut graph, &mut calls), &[1, 2], &call(10, 1), None);
    run((&mut graph, &mut calls), &[3, 4], &call(20, 1), None);
    assert!(matches!(calls.missing(DEPTH), MissingPairs::Nothing));
}

#[test]
fn calls_about_which_more_is_said_belong_to_an_entry_that_says_less() {
    let (mut graph, mut calls) = (StateGraph::default(), CallGraph::default());
    let (yes, no) = (key(7, Levels::new()), key(8, Levels::new()));
    let narrower = CallState {
        entry: key(2, smallvec![1]),
        ..call(20, 1)
    };
    run((&mut graph, &mut calls), &[1, 2], &call(10, 1), Some(&yes));
    let known = (&mut graph, &mut calls);
    let [inside, _] = run(known, &[3, 4], &narrower, Some(&no));
    assert!(inside.is_narrower);
    // What only the narrower one returns is not looked for elsewhere.
    let (missing, rest) = inputs(&mut calls);
    assert_eq!(missing, [list(&[3, 2])]);
    assert!(matches!(rest, MissingPairs::Again));
    calls.restart();
    let known = (&mut graph, &mut calls);
    let [inside, _] = run(known, &[3, 4], &narrower, Some(&no));
    assert!(!inside.is_narrower);
}
