//! Questions about inputs of random types have the same answers as questions in which the types are
//! written out as conditions, and found inputs are of the types.

use std::sync::Arc;

use erlang_term::{Atom, Integer};
use solver::graph::{Condition, Graph, Input, NodeId, to_term};
use solver::types::{Alternative, Signature, TypeId, Types};
use solver::{Answer, Limits, Shortcuts, Solver, Z3Integers};

use crate::random_questions::{Random, question};

const QUESTIONS: u64 = 10_000;
const TYPES: u64 = 6;

fn grammar(random: &mut Random) -> Vec<Vec<Alternative>> {
    let mut types = Vec::new();
    for _ in 0..TYPES {
        let count = 1 + random.below(3);
        types.push((0..count).map(|_| alternative(random)).collect());
    }
    types
}

fn alternative(random: &mut Random) -> Alternative {
    let id = |random: &mut Random| TypeId(u32::try_from(random.below(TYPES)).expect("small"));
    match random.below(12) {
        0 => Alternative::Any,
        1 => Alternative::Integer(None, None),
        2 | 3 => {
            let low = i64::try_from(random.below(4)).expect("small") - 1;
            let high = low + i64::try_from(random.below(3)).expect("small");
            let bound = |value: i64| Some(Integer::from(value));
            Alternative::Integer(bound(low), bound(high))
        }
        4 => Alternative::Float,
        5 => Alternative::AnyAtom,
        6 => {
            let names = ["a", "b", "true"];
            let name = names.get(random.below(3)).copied().unwrap_or("a");
            Alternative::Atom(Atom::new(name))
        }
        7 => Alternative::Nil,
        8 | 9 => Alternative::Cons(id(random), id(random)),
        10 => Alternative::AnyTuple,
        _ => {
            let size = random.below(3);
            Alternative::Tuple((0..size).map(|_| id(random)).collect())
        }
    }
}

/// The condition that a value is of a type, written out to a depth.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "all others are checked to be whole kinds"
)]
fn written_out(
    graph: &mut Graph,
    types: &[Vec<Alternative>],
    of: TypeId,
    node: NodeId,
    depth: u32,
) -> Condition {
    let alternatives = types.get(of.0 as usize).expect("there is such a type");
    let mut forms = Vec::new();
    for alternative in alternatives {
        let mut all = vec![graph.kind(alternative.kinds(), node)];
        match alternative {
            Alternative::Integer(low, high) => {
                if let Some(low) = low {
                    let low = graph.big_integer(low.clone());
                    all.push(!graph.less(node, low));
                }
                if let Some(high) = high {
                    let high = graph.big_integer(high.clone());
                    all.push(!graph.less(high, node));
                }
            }
            Alternative::Atom(atom) => {
                let atom = graph.atom(atom.as_str());
                all.push(graph.equal(node, atom));
            }
            Alternative::Cons(..) | Alternative::Tuple(_) if depth == 0 => {
                all.push(Condition::FALSE);
            }
            Alternative::Cons(head, tail) => {
                let (first, rest) = (graph.head(node), graph.tail(node));
                all.push(written_out(graph, types, *head, first, depth - 1));
                all.push(written_out(graph, types, *tail, rest, depth - 1));
            }
            Alternative::Tuple(elements) => {
                all.push(graph.arity(u32::try_from(elements.len()).expect("small"), node));
                for (index, of) in (0..).zip(elements) {
                    let element = graph.element(index, node);
                    all.push(written_out(graph, types, *of, element, depth - 1));
                }
            }
            _ => assert!(alternative.is_whole_kind()),
        }
        forms.push(graph.all(all));
    }
    graph.any(forms)
}

#[test]
fn types_mean_the_same_when_written_out() {
    let (mut sat, mut unsat, mut unknown) = (0, 0, 0);
    let mut integers = Z3Integers::default();
    for seed in 0..QUESTIONS {
        let mut random = Random::new(seed);
        let types = grammar(&mut random);
        let limits = Limits {
            term_depth: 1 + u32::try_from(random.below(3)).expect("small"),
            cases: 4000,
            shortcuts: Shortcuts::default(),
        };
        let mut graph = Graph::default();
        let (conditions, parent) = question(&mut graph, &mut random, 1);
        let signature = Signature {
            types: Arc::new(Types::new(types.clone())),
            clauses: vec![vec![TypeId(0)]],
        };
        let mut solver = Solver::new(&mut graph, parent.clone(), &mut integers, limits);
        solver.admit_only(&signature);
        let typed = solver.ask(&conditions);
        if let Answer::Sat(arguments) = &typed {
            let term = to_term(&graph, arguments[0]).expect("a constant");
            assert!(
                signature.admits(std::slice::from_ref(&term)),
                "{seed}: {term:?}"
            );
            for condition in &conditions {
                assert_eq!(
                    Input::new(arguments).holds(&mut graph, *condition),
                    Some(true),
                    "{seed}"
                );
            }
        }
        let x = graph.input(0);
        let mut all = vec![written_out(
            &mut graph,
            &types,
            TypeId(0),
            x,
            limits.term_depth,
        )];
        all.extend(&conditions);
        let plain = Solver::new(&mut graph, parent, &mut integers, limits).ask(&all);
        match (&typed, &plain) {
            (Answer::Sat(_), Answer::Sat(_)) => sat += 1,
            (Answer::Unsat, Answer::Unsat) => unsat += 1,
            (Answer::Sat(_), Answer::Unsat) | (Answer::Unsat, Answer::Sat(_)) => {
                panic!("{seed}: {typed:?}, but written out {plain:?}: {types:?}")
            }
            (Answer::Unknown, _) | (_, Answer::Unknown) => unknown += 1,
        }
    }
    println!("{sat} sat, {unsat} unsat, {unknown} unknown");
    assert!(sat > 500 && unsat > 500, "{sat} {unsat}");
    assert!(unknown < 100, "{unknown}");
}
