//! Questions about the results of funs of the input, some of which are given funs. An input that
//! fulfils them is known, so each has an answer. The found funs are tables in which arguments that
//! they cannot tell apart have one result.

use std::sync::Arc;

use erlang_term::{Atom, Integer, TableFun, Term};
use solver::graph::{Condition, Graph, Input, Kinds, NodeId, to_term};
use solver::types::{Alternative, Signature, TypeId, Types};
use solver::{Answer, Limits, NativeIntegers, Shortcuts, Solver};

use crate::random_questions::{Random, condition_text};

const QUESTIONS: u64 = 10_000;

/// Two funs, and two values to give them.
const INPUTS: usize = 4;

fn small(random: &mut Random) -> Term {
    match random.below(4) {
        0 => Term::atom("a"),
        number => Term::Integer(i64::try_from(number).expect("small").into()),
    }
}

fn fun(random: &mut Random, depth: u32) -> Term {
    let entries = (0..random.below(4)).map(|_| {
        let result = result(random, depth);
        (vec![small(random)], result)
    });
    let entries = entries.collect();
    let default = result(random, depth);
    Term::TableFun(Box::new(TableFun::new(1, entries, default)))
}

fn result(random: &mut Random, depth: u32) -> Term {
    match random.below(8) {
        0 if depth > 0 => fun(random, depth - 1),
        1 if depth > 0 => Term::list([small(random)]),
        _ => small(random),
    }
}

fn input(graph: &mut Graph, random: &mut Random, depth: u32) -> Vec<NodeId> {
    let funs = [fun(random, depth), fun(random, depth)];
    let others = [small(random), small(random)];
    let all = funs.iter().chain(&others);
    all.map(|it| graph.constant(it)).collect()
}

/// Funs that return integers, atoms, and if they may, lists and funs.
fn signature(depth: u32) -> Signature {
    let bound = |value: i64| Some(Integer::from(value));
    let mut results = vec![
        Alternative::Integer(bound(1), bound(3)),
        Alternative::Atom(Atom::new("a")),
    ];
    if depth > 0 {
        results.push(Alternative::Fun(Some(vec![TypeId(0)]), TypeId(1)));
        results.push(Alternative::Cons(TypeId(2), TypeId(3)));
    }
    let types = vec![
        vec![Alternative::Fun(Some(vec![TypeId(0)]), TypeId(1))],
        results,
        vec![Alternative::Any],
        vec![Alternative::Nil],
    ];
    Signature {
        types: Arc::new(Types::new(types)),
        clauses: vec![vec![TypeId(0), TypeId(0), TypeId(2), TypeId(2)]],
    }
}

/// Conditions that an input fulfils.
fn conditions(graph: &mut Graph, random: &mut Random, known: &[NodeId]) -> Vec<Condition> {
    let inputs: Vec<NodeId> = (0..INPUTS).map(|it| graph.input(it)).collect();
    let (funs, others) = inputs.split_at(2);
    let mut values = others.to_vec();
    values.extend([graph.integer(1), graph.integer(7), graph.atom("a")]);
    let mut callable = funs.to_vec();
    let mut all: Vec<Condition> = callable.iter().map(|it| graph.fun_arity(1, *it)).collect();
    for _ in 0..3 + random.below(8) {
        let one = random.one_of(&values);
        let other = random.one_of(&values);
        let condition = match random.below(8) {
            0..=3 => {
                let called = random.one_of(&callable);
                let arguments = graph.tuple([one]);
                let result = graph.result(arguments, called);
                values.push(result);
                let is_fun = graph.fun_arity(1, result);
                if Input::new(known).holds(graph, is_fun) == Some(true) {
                    callable.push(result);
                }
                is_fun
            }
            4 => graph.equal(one, other),
            5 => graph.less(one, other),
            6 => graph.equal(random.one_of(funs), random.one_of(funs)),
            _ => graph.kind(Kinds::INTEGER | Kinds::CONS, one),
        };
        match Input::new(known).holds(graph, condition) {
            Some(true) => all.push(condition),
            Some(false) => all.push(!condition),
            None => {}
        }
        match random.below(24) {
            0 | 1 => values.push(random.one_of(funs)),
            2 => {
                let parts = [random.one_of(funs), random.one_of(others)];
                values.push(graph.tuple(parts));
            }
            3 => {
                let given = u32::try_from(random.below(3)).expect("small");
                values.push(graph.any_fun(given));
            }
            _ => {}
        }
    }
    all
}

#[test]
fn funs_return_the_required_results() {
    let mut integers = NativeIntegers::default();
    let mut unknown = 0;
    for seed in 0..QUESTIONS {
        let mut random = Random::new(seed);
        let depth = u32::try_from(random.below(3)).expect("small");
        let mut graph = Graph::default();
        let known = input(&mut graph, &mut random, depth);
        let parent = input(&mut graph, &mut random, depth);
        let conditions = conditions(&mut graph, &mut random, &known);
        let is_typed = random.below(2) == 0;
        let limits = Limits {
            term_depth: 6,
            cases: 2000,
            shortcuts: Shortcuts::default(),
        };
        let signature = signature(depth);
        let mut solver = Solver::new(&mut graph, parent, &mut integers, limits);
        if is_typed {
            solver.admit_only(&signature);
        }
        let answer = solver.ask(&conditions);
        let texts = conditions.iter().map(|it| condition_text(&graph, *it));
        let texts: Vec<String> = texts.collect();
        match answer {
            Answer::Sat(found) => {
                let terms = found
                    .iter()
                    .map(|it| to_term(&graph, *it).expect("a constant"));
                let terms: Vec<Term> = terms.collect();
                for (condition, text) in conditions.iter().zip(&texts) {
                    let holds = Input::new(&found).holds(&mut graph, *condition);
                    assert_eq!(holds, Some(true), "{seed}: {text} of {texts:#?}: {terms:?}");
                }
                let is_admitted = !is_typed || signature.admits(&terms);
                assert!(is_admitted, "{seed}: {terms:?}");
                let is_deep = terms.iter().any(|it| it.depth() > limits.term_depth);
                assert!(!is_deep, "{seed}: {terms:?}");
            }
            Answer::Unsat => panic!("{seed}: there is an answer to {texts:#?}"),
            Answer::Unknown => unknown += 1,
        }
    }
    println!("{unknown} unknown");
    assert!(unknown < QUESTIONS / 100, "{unknown}");
}
