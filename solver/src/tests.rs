//! Questions that were once answered wrongly or not at all, and the end of time.

use std::sync::atomic::{AtomicU32, Ordering};

use erlang_term::Term;
use num_bigint::BigInt;

use super::*;
use crate::graph::{Condition, Graph, Input, Kinds, NodeId, Operator, to_term};

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
            assert_eq!(
                Input::new(arguments).holds(&mut graph, condition),
                Some(true)
            );
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
fn lists_are_not_longer_than_the_depth_limit() {
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
fn maps_are_not_deeper_than_the_limit() {
    let map_in_tuples = |tuples| {
        move |graph: &mut Graph, x| {
            let mut conditions = Vec::new();
            let mut part = x;
            for _ in 0..tuples {
                conditions.push(graph.arity(1, part));
                part = graph.element(0, part);
            }
            conditions.push(graph.kind(Kinds::MAP, part));
            conditions
        }
    };
    assert!(is_sat(map_in_tuples(1)));
    assert!(!is_sat(map_in_tuples(2)));
    let equal_to_map = |list: Vec<Term>| {
        move |graph: &mut Graph, x| {
            let map = graph.constant(&Term::Map(vec![(Term::atom("a"), Term::list(list))]));
            vec![graph.equal(x, map)]
        }
    };
    assert!(is_sat(equal_to_map(vec![Term::atom("b")])));
    assert!(!is_sat(equal_to_map(vec![Term::atom("b"); 2])));
}

/// UTF-8 whose first byte is at least this one, with this number of bytes.
fn text(first: i64, bytes: i64) -> impl FnOnce(&mut Graph, NodeId) -> Vec<Condition> {
    move |graph, x| {
        let (size, wanted) = (graph.bytes(x), graph.integer(bytes));
        let (byte, least) = (graph.field(x, 0, 8), graph.integer(first));
        vec![
            graph.kind(Kinds::BINARY, x),
            graph.equal(size, wanted),
            graph.utf8(0, x),
            !graph.less(byte, least),
        ]
    }
}

#[test]
fn texts_are_utf8() {
    assert!(is_sat(text(0, 1)));
    assert!(!is_sat(text(128, 1)));
    assert!(is_sat(text(128, 2)));
    assert!(is_sat(text(240, 4)));
    assert!(!is_sat(text(240, 3)));
    assert!(!is_sat(text(245, 4)));
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
fn the_simplified_form_of_a_condition_is_split_next() {
    assert!(is_sat(|graph, x| {
        let (nil, empty) = (NodeId::NIL, graph.tuple([]));
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

/// Two numbers of some kinds, and a condition on them.
fn numbers(
    graph: &mut Graph,
    x: NodeId,
    kinds: [Kinds; 2],
    condition: impl FnOnce(&mut Graph, NodeId, NodeId) -> Condition,
) -> Vec<Condition> {
    let (left, right) = (graph.head(x), graph.tail(x));
    let mut all = vec![graph.kind(Kinds::CONS, x)];
    for (part, kinds) in [left, right].into_iter().zip(kinds) {
        all.push(graph.kind(kinds, part));
    }
    all.push(condition(graph, left, right));
    all
}

#[test]
fn floats_become_too_large() {
    use Kinds as K;
    for (kinds, expected) in [
        ([K::NUMBER, K::NUMBER], true),
        ([K::FLOAT, K::FLOAT], true),
        ([K::INTEGER, K::FLOAT], true),
        ([K::INTEGER, K::INTEGER], false),
        ([K::ATOM, K::FLOAT], false),
    ] {
        for operator in [Operator::Add, Operator::Subtract, Operator::Multiply] {
            let found = is_sat(|graph, x| {
                numbers(graph, x, kinds, |graph, left, right| {
                    graph.too_large(operator, left, right)
                })
            });
            assert_eq!(found, expected, "{operator:?} {kinds:?}");
        }
    }
}

#[test]
fn a_sum_is_too_large_although_a_part_of_it_is_not() {
    assert!(is_sat(|graph, x| {
        let kinds = [Kinds::NUMBER, Kinds::NUMBER];
        let mut all = numbers(graph, x, kinds, |graph, left, right| {
            !graph.too_large(Operator::Add, left, right)
        });
        let (left, right) = (graph.head(x), graph.tail(x));
        let sum = graph.arithmetic(Operator::Add, left, right);
        all.push(graph.too_large(Operator::Add, sum, sum));
        all
    }));
}

#[test]
fn small_integers_make_nothing_too_large() {
    let mut graph = Graph::default();
    let x = graph.input(0);
    let thousand = graph.integer(-1000);
    let one = graph.integer(-1);
    for (operator, value, expected) in [
        (Operator::Add, thousand, Condition::FALSE),
        (Operator::Subtract, thousand, Condition::FALSE),
        (Operator::Multiply, one, Condition::FALSE),
        (Operator::Divide, x, Condition::FALSE),
    ] {
        assert_eq!(graph.too_large(operator, x, value), expected);
    }
    assert_ne!(
        graph.too_large(Operator::Multiply, x, thousand),
        Condition::FALSE
    );
}

#[test]
fn very_large_integers_are_compared() {
    let large = |graph: &mut Graph, more: u32| {
        let value = BigInt::from(2).pow(200) + more;
        graph.big_integer(value.into())
    };
    assert!(is_sat(|graph, x| {
        let (low, high) = (large(graph, 0), large(graph, 2));
        vec![
            graph.kind(Kinds::INTEGER, x),
            graph.less(low, x),
            graph.less(x, high),
        ]
    }));
    // No number is left.
    let (_, answer) = ask(|graph, x| {
        let (low, high) = (large(graph, 0), large(graph, 1));
        vec![
            graph.kind(Kinds::INTEGER, x),
            graph.less(low, x),
            graph.less(x, high),
        ]
    });
    assert_eq!(answer, Answer::Unsat);
}

#[test]
fn excluded_integers_may_be_very_large() {
    let (_, answer) = ask(|graph, x| {
        let low = graph.big_integer(BigInt::from(2).pow(96).into());
        let next: BigInt = BigInt::from(2).pow(96) + 1;
        let next = graph.big_integer(next.into());
        vec![
            graph.kind(Kinds::INTEGER, x),
            graph.less(low, x),
            !graph.equal(x, next),
        ]
    });
    assert_ne!(answer, Answer::Unsat);
}

#[test]
fn small_floats_do_not_become_too_large() {
    assert!(!is_sat(|graph, x| {
        let kinds = [Kinds::NUMBER, Kinds::NUMBER];
        let (least, most) = (graph.float(-10.0), graph.integer(1 << 40));
        let mut all = numbers(graph, x, kinds, |graph, left, _| graph.less(left, most));
        let (left, right) = (graph.head(x), graph.tail(x));
        all.extend([(least, left), (least, right), (right, most)].map(|it| graph.less(it.0, it.1)));
        let product = graph.arithmetic(Operator::Multiply, left, right);
        all.push(graph.too_large(Operator::Multiply, product, left));
        all
    }));
}

#[test]
fn a_choice_between_integers_is_split_once() {
    // max(0, X) + X, which is less than 0 only if X is.
    let sum = |graph: &mut Graph, x| {
        let zero = graph.integer(0);
        let is_negative = graph.less(x, zero);
        let larger = graph.choice(is_negative, zero, x);
        graph.arithmetic(Operator::Add, larger, x)
    };
    assert!(!is_sat(|graph, x| {
        let (sum, most, least) = (sum(graph, x), graph.integer(-6), graph.integer(-5));
        vec![
            graph.kind(Kinds::INTEGER, x),
            graph.less(least, x),
            graph.less(sum, most),
        ]
    }));
    assert!(is_sat(|graph, x| {
        let (sum, least) = (sum(graph, x), graph.integer(9));
        vec![graph.kind(Kinds::INTEGER, x), graph.less(least, sum)]
    }));
}

/// A loop that counts down ends with a float between two rounds. Z3 is not needed for that.
#[test]
fn a_float_between_two_rounds_of_a_loop() {
    const ROUNDS: usize = 300;
    let (graph, answer) = ask(|graph, x| {
        let (zero, one) = (graph.integer(0), graph.integer(1));
        let mut conditions = vec![graph.kind(Kinds::NUMBER, x)];
        let mut left = x;
        for round in 0..=ROUNDS {
            let is_positive = graph.less(zero, left);
            conditions.push(!graph.equal(left, zero));
            conditions.push(if round < ROUNDS {
                is_positive
            } else {
                !is_positive
            });
            left = graph.arithmetic(Operator::Subtract, left, one);
        }
        conditions
    });
    let Answer::Sat(arguments) = answer else {
        panic!("{answer:?}");
    };
    assert_eq!(to_term(&graph, arguments[0]), Some(Term::Float(299.5)));
}

/// The conditions on which `hd(element(X, T))` returns, for a tuple of integers, atoms and lists.
fn head_of_element(graph: &mut Graph, x: NodeId, elements: i64) -> Vec<Condition> {
    let mut element = NodeId::NIL;
    let mut is_place = Vec::new();
    for number in 1..=elements {
        let place = graph.integer(number);
        let value = match number % 3 {
            0 => graph.cons(place, NodeId::NIL),
            1 => place,
            _ => graph.atom(&format!("a{number}")),
        };
        let is_here = graph.equal(x, place);
        element = graph.choice(is_here, value, element);
        is_place.push(is_here);
    }
    let is_place = graph.any(is_place);
    vec![is_place, graph.kind(Kinds::CONS, element)]
}

/// Asks a question whose time is up after this many looks at the clock. Returns the number of
/// polls.
fn ask_for(looks: u32, questions: impl FnOnce(&mut Solver<'_>, &[Condition]) -> Answer) -> u32 {
    let asked = AtomicU32::new(0);
    let should_stop = || asked.fetch_add(1, Ordering::Relaxed) + 1 >= looks;
    let mut graph = Graph::default();
    let x = graph.input(0);
    let conditions = head_of_element(&mut graph, x, 500);
    let zero = graph.integer(0);
    let limits = Limits {
        term_depth: 4,
        cases: 2000,
        shortcuts: Shortcuts::default(),
    };
    let mut integers = NativeIntegers::default();
    let patience = Patience::new(&should_stop);
    let solver = Solver::new(&mut graph, vec![zero], &mut integers, limits);
    let mut solver = solver.with_patience(patience);
    assert_eq!(questions(&mut solver, &conditions), Answer::Unknown);
    assert!(solver.was_cut_short());
    assert_eq!(asked.load(Ordering::Relaxed), looks);
    solver.polls()
}

/// This question has an answer, but finding it takes very many polls.
#[test]
fn a_question_ends_when_time_is_up() {
    for looks in [1, 10, 1000] {
        let polls = ask_for(looks, |solver, conditions| solver.ask(conditions));
        assert!(polls < looks * 16 + 2000, "{looks} looks, {polls} polls");
    }
}

#[test]
fn an_encoded_question_ends_when_time_is_up() {
    ask_for(1, |solver, conditions| {
        solver.ask_other(&mut Encoding::default(), conditions)
    });
}
