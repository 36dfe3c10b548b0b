//! Products, quotients and large sums, answered by Z3 and by the whole solver.

use erlang_term::Integer;

use super::*;
use crate::graph::{Condition, Graph, Kinds, Node, Operator};
use crate::{Answer, Limits, Shortcuts, Solver};

const LIMITS: Limits = Limits {
    term_depth: 3,
    cases: 200,
    shortcuts: Shortcuts {
        contradictions: true,
        repetitions: true,
        parent_values: true,
        cache: true,
        native: true,
    },
};

/// Two integers for which conditions hold, as the solver finds them.
fn ask(
    integers: &mut Z3Integers,
    conditions: impl FnOnce(&mut Graph, NodeId, NodeId) -> Vec<Condition>,
) -> Option<(i64, i64)> {
    ask_within(integers, conditions).expect("an answer")
}

/// The same, or an error if a limit is reached first.
fn ask_within(
    integers: &mut Z3Integers,
    conditions: impl FnOnce(&mut Graph, NodeId, NodeId) -> Vec<Condition>,
) -> Result<Option<(i64, i64)>, ()> {
    let mut graph = Graph::default();
    let (x, y) = (graph.input(0), graph.input(1));
    let mut all: Vec<Condition> = [x, y]
        .map(|it| graph.kind(Kinds::INTEGER, it))
        .into_iter()
        .collect();
    all.extend(conditions(&mut graph, x, y));
    let zero = graph.integer(0);
    let mut solver = Solver::new(&mut graph, vec![zero, zero], integers, LIMITS);
    match solver.ask(&all) {
        Answer::Sat(arguments) => {
            let values: Vec<i64> = arguments.iter().map(|it| small(&graph, *it)).collect();
            Ok(Some((values[0], values[1])))
        }
        Answer::Unsat => Ok(None),
        Answer::Unknown => Err(()),
    }
}

fn small(graph: &Graph, node: NodeId) -> i64 {
    let Node::Integer(value) = graph.node(node) else {
        panic!("{:?} is not an integer", graph.node(node));
    };
    value.to_i64().expect("a small integer")
}

fn between(graph: &mut Graph, node: NodeId, low: i64, high: i64) -> [Condition; 2] {
    let (low, high) = (graph.integer(low), graph.integer(high));
    [!graph.less(node, low), !graph.less(high, node)]
}

/// `X operator Y` is a value.
fn gives(graph: &mut Graph, operator: Operator, x: NodeId, y: NodeId, value: i64) -> Condition {
    let computed = graph.arithmetic(operator, x, y);
    let value = graph.integer(value);
    graph.equal(computed, value)
}

#[test]
fn factors_a_product() {
    let found = ask(&mut Z3Integers::default(), |graph, x, y| {
        let one = graph.integer(1);
        vec![
            graph.less(one, x),
            graph.less(one, y),
            gives(graph, Operator::Multiply, x, y, 35),
        ]
    });
    assert!(matches!(found, Some((5, 7) | (7, 5))), "{found:?}");
}

#[test]
fn finds_a_root() {
    let mut integers = Z3Integers::default();
    let square =
        |value| move |graph: &mut Graph, x, _| vec![gives(graph, Operator::Multiply, x, x, value)];
    let found = ask(&mut integers, square(49));
    assert!(matches!(found, Some((7 | -7, 0))), "{found:?}");
    assert_eq!(ask(&mut integers, square(-1)), None);
    // Only Z3 knows that a square is not negative.
    assert_eq!((integers.answered, integers.answered_natively()), (1, 1));
}

#[test]
fn divides_as_erlang_does() {
    let mut integers = Z3Integers::default();
    let found = ask(&mut integers, |graph, x, _| {
        let three = graph.integer(3);
        vec![
            gives(graph, Operator::Divide, x, three, 5),
            gives(graph, Operator::Remainder, x, three, 2),
        ]
    });
    assert_eq!(found, Some((17, 0)));
    let found = ask(&mut integers, |graph, x, _| {
        let seven = graph.integer(7);
        vec![gives(graph, Operator::Remainder, x, seven, -3)]
    });
    assert_eq!(found.map(|found| found.0 % 7), Some(-3));
}

#[test]
fn agrees_with_trying_out_all_divisions() {
    let mut integers = Z3Integers::default();
    for divisor in (-4..=4).filter(|divisor| *divisor != 0) {
        for value in -5..=5 {
            for (operator, of) in operations() {
                let exists = (-9..=9).any(|x| of(x, divisor) == value);
                let found = ask(&mut integers, |graph, x, _| {
                    let divisor = graph.integer(divisor);
                    let [low, high] = between(graph, x, -9, 9);
                    vec![low, high, gives(graph, operator, x, divisor, value)]
                });
                let holds = found.map(|(x, _)| of(x, divisor) == value);
                assert_eq!(
                    holds,
                    exists.then_some(true),
                    "{operator:?} {divisor} {value}"
                );
            }
        }
    }
}

#[test]
fn agrees_with_trying_out_divisors() {
    let mut integers = Z3Integers::default();
    for (dividend, value) in (-5..=5).flat_map(|it| (-5..=5).map(move |value| (it, value))) {
        for (operator, of) in operations() {
            let exists = (-3..=3).any(|y| y != 0 && of(dividend, y) == value);
            let found = ask(&mut integers, |graph, _, y| {
                let (dividend, zero) = (graph.integer(dividend), graph.integer(0));
                let [low, high] = between(graph, y, -3, 3);
                let not_zero = !graph.equal(y, zero);
                vec![
                    not_zero,
                    low,
                    high,
                    gives(graph, operator, dividend, y, value),
                ]
            });
            let holds = found.map(|(_, y)| of(dividend, y) == value);
            assert_eq!(
                holds,
                exists.then_some(true),
                "{operator:?} {dividend} {value}"
            );
        }
    }
}

type Operation = (Operator, fn(i64, i64) -> i64);

fn operations() -> [Operation; 2] {
    [
        (Operator::Divide, |left, right| left / right),
        (Operator::Remainder, |left, right| left % right),
    ]
}

#[test]
fn sees_through_what_is_bound() {
    // The two sides of the product are bound to each other after the product was asserted.
    let found = ask(&mut Z3Integers::default(), |graph, x, y| {
        let product = graph.arithmetic(Operator::Multiply, x, y);
        let sum = graph.arithmetic(Operator::Add, product, x);
        let twelve = graph.integer(12);
        vec![graph.equal(sum, twelve), graph.equal(x, y)]
    });
    assert!(matches!(found, Some((3, 3) | (-4, -4))), "{found:?}");
}

#[test]
fn knows_integers_beyond_64_bits() {
    let found = ask(&mut Z3Integers::default(), |graph, x, y| {
        let large = Integer::parse("10000000000000000000000", 10).expect("digits");
        let large = graph.big_integer(large);
        let difference = graph.arithmetic(Operator::Subtract, large, x);
        let one = graph.integer(1);
        vec![
            gives(graph, Operator::Multiply, difference, y, 10),
            graph.less(x, large),
            graph.less(one, y),
            graph.less(difference, one),
        ]
    });
    assert_eq!(found, None);
}

#[test]
fn keeps_wanted_values() {
    let found = ask(&mut Z3Integers::default(), |graph, x, y| {
        let square = graph.arithmetic(Operator::Multiply, x, x);
        vec![graph.less(square, y)]
    });
    assert_eq!(found, Some((0, 1)));
}

/// A process like this one once crashed, with Z3's own timers in place of [`Budget`].
#[test]
fn many_solvers_reach_their_limits_at_once_and_go_on() {
    let factors = |product| {
        move |graph: &mut Graph, x, y| {
            let one = graph.integer(1);
            vec![
                graph.less(one, x),
                graph.less(one, y),
                gives(graph, Operator::Multiply, x, y, product),
            ]
        }
    };
    let work = || {
        let mut integers = Z3Integers::default();
        let hard = ask_within(&mut integers, factors(1_000_000_007 * 998_244_353));
        assert!(matches!(hard, Err(()) | Ok(Some(_))), "{hard:?}");
        let easy = ask(&mut integers, factors(35));
        assert!(matches!(easy, Some((5, 7) | (7, 5))), "{easy:?}");
    };
    for _ in 0..3 {
        std::thread::scope(|scope| {
            // Each thread has a context of its own.
            for _ in 0..4 {
                scope.spawn(work);
            }
        });
    }
}
