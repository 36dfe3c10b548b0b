//! Questions that were answered wrongly or not at all.

use super::*;
use crate::graph::{Kinds, Operator};

/// The answer within few cases.
fn ask(conditions: impl FnOnce(&mut Graph, NodeId) -> Vec<Condition>) -> (Graph, Answer) {
    let mut graph = Graph::default();
    let x = graph.input(0);
    let conditions = conditions(&mut graph, x);
    let zero = graph.integer(0);
    let limits = Limits {
        term_depth: 2,
        cases: 50,
        shortcuts: Shortcuts::default(),
    };
    let mut integers = NativeIntegers::default();
    let answer = Solver::new(&mut graph, vec![zero], &mut integers, limits).ask(&conditions);
    if let Answer::Sat(arguments) = &answer {
        for condition in conditions {
            assert_eq!(graph.holds(condition, arguments), Some(true));
        }
    }
    (graph, answer)
}

fn is_sat(conditions: impl FnOnce(&mut Graph, NodeId) -> Vec<Condition>) -> bool {
    match ask(conditions).1 {
        Answer::Sat(_) => true,
        Answer::Unsat => false,
        Answer::Unknown => panic!("no answer"),
    }
}

#[test]
fn no_list_is_shorter_than_nothing() {
    assert!(!is_sat(|graph, x| {
        let length = graph.length(x);
        let zero = graph.integer(0);
        vec![graph.proper_list(x), graph.less(length, zero)]
    }));
}

#[test]
fn lists_are_no_longer_than_they_may_be_deep() {
    let longer_than = |limit| {
        move |graph: &mut Graph, x| {
            let length = graph.length(x);
            let limit = graph.integer(limit);
            vec![graph.proper_list(x), graph.less(limit, length)]
        }
    };
    assert!(is_sat(longer_than(1)));
    assert!(!is_sat(longer_than(2)));
}

#[test]
fn a_value_is_the_same_as_a_float() {
    for (value, kinds, expected) in [
        (0.5, Kinds::ANY, true),
        (0.5, Kinds::INTEGER, false),
        (1.0, Kinds::INTEGER, true),
        (1e20, Kinds::INTEGER, true),
    ] {
        let found = is_sat(|graph, x| {
            let float = graph.float(value);
            vec![graph.same(x, float), graph.kind(kinds, x)]
        });
        assert_eq!(found, expected, "{value} {kinds:?}");
    }
}

#[test]
fn a_value_is_the_same_as_a_list_of_numbers() {
    let same_with_head = |kinds| {
        move |graph: &mut Graph, x| {
            let (five, one) = (graph.integer(5), graph.float(1.0));
            let list = graph.cons(five, one);
            let same = graph.same(x, list);
            let head = graph.head(x);
            vec![same, graph.kind(kinds, head)]
        }
    };
    assert!(is_sat(same_with_head(Kinds::FLOAT)));
    assert!(!is_sat(same_with_head(Kinds::ATOM)));
}

#[test]
fn some_number_is_less_than_a_float() {
    assert!(is_sat(|graph, x| {
        let zero = graph.float(0.0);
        vec![graph.less(x, zero)]
    }));
}

#[test]
fn what_a_condition_has_become_is_taken_apart_next() {
    assert!(is_sat(|graph, x| {
        let (nil, empty) = (graph.nil(), graph.tuple([]));
        let two = graph.integer(2);
        let list = graph.cons(nil, two);
        let is_list = graph.equal(x, list);
        let is_empty = graph.equal(x, empty);
        let neither = graph.all([!is_list, is_empty]);
        vec![!neither, graph.kind(Kinds::TUPLE, x)]
    }));
}

#[test]
fn integers_have_no_bounds() {
    // The numbers in between do not fit in 100 bits.
    let (_, answer) = ask(|graph, x| {
        let factor = graph.integer(1 << 60);
        let (head, tail) = (graph.head(x), graph.tail(x));
        let mut all = vec![graph.kind(Kinds::CONS, x)];
        for part in [head, tail] {
            all.push(graph.kind(Kinds::INTEGER, part));
        }
        let product = graph.arithmetic(Operator::Multiply, factor, tail);
        let product = graph.arithmetic(Operator::Multiply, factor, product);
        let zero = graph.integer(0);
        all.push(graph.less(zero, tail));
        all.push(graph.equal(head, product));
        all
    });
    assert_ne!(answer, Answer::Unsat);
}
