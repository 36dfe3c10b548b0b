//! Questions about tables and bits of small integers, compared with what all values say.

use crate::graph::{Condition, Graph, Input, NodeId, Operator};
use crate::{Answer, Limits, NativeIntegers, Shortcuts, Solver};

/// How many values an integer has.
const SIZE: i64 = 64;

/// A number that depends on another in no simple way.
fn entry(index: i64) -> i64 {
    (index * index * 5 + index * 11 + 3) % 97
}

/// An element of a table, as a chain of choices.
fn looked_up(graph: &mut Graph, index: NodeId) -> NodeId {
    let mut value = NodeId::NIL;
    for place in 0..SIZE {
        let number = graph.integer(place);
        let is_here = graph.equal(index, number);
        let element = graph.integer(entry(place));
        value = graph.choice(is_here, element, value);
    }
    value
}

/// That an integer has a value from 0 on.
fn is_small(graph: &mut Graph, part: NodeId) -> Vec<Condition> {
    let (below, above) = (graph.integer(-1), graph.integer(SIZE));
    let is_integer = graph.kind(crate::graph::Kinds::INTEGER, part);
    vec![is_integer, graph.less(below, part), graph.less(part, above)]
}

fn answer(graph: &mut Graph, inputs: usize, conditions: &[Condition]) -> bool {
    let parent = vec![graph.integer(0); inputs];
    let limits = Limits {
        term_depth: 2,
        cases: 300,
        shortcuts: Shortcuts::default(),
    };
    let mut integers = NativeIntegers::default();
    match Solver::new(graph, parent, &mut integers, limits).ask(conditions) {
        Answer::Sat(found) => {
            let mut input = Input::new(&found);
            for condition in conditions {
                assert_eq!(input.holds(graph, *condition), Some(true));
            }
            true
        }
        Answer::Unsat => false,
        Answer::Unknown => panic!("no answer"),
    }
}

#[test]
fn a_table_is_looked_up_backwards() {
    for wanted in 0..100 {
        let mut graph = Graph::default();
        let x = graph.input(0);
        let value = looked_up(&mut graph, x);
        let wanted_node = graph.integer(wanted);
        let mut conditions = is_small(&mut graph, x);
        conditions.push(graph.equal(value, wanted_node));
        let is_there = (0..SIZE).any(|it| entry(it) == wanted);
        assert_eq!(answer(&mut graph, 1, &conditions), is_there, "{wanted}");
    }
}

#[test]
fn a_table_and_bits_of_one_number_are_solved_together() {
    for (wanted, rest) in (0..97)
        .step_by(7)
        .flat_map(|it| (0..8).map(move |rest| (it, rest)))
    {
        let mut graph = Graph::default();
        let x = graph.input(0);
        let value = looked_up(&mut graph, x);
        let (limit, eight) = (graph.integer(wanted), graph.integer(8));
        let low = graph.arithmetic(Operator::Remainder, x, eight);
        let rest_node = graph.integer(rest);
        let mut conditions = is_small(&mut graph, x);
        conditions.push(graph.less(value, limit));
        conditions.push(graph.equal(low, rest_node));
        let is_there = (0..SIZE).any(|it| entry(it) < wanted && it % 8 == rest);
        assert_eq!(
            answer(&mut graph, 1, &conditions),
            is_there,
            "{wanted} {rest}"
        );
    }
}

#[test]
fn two_numbers_share_a_condition() {
    for wanted in 0..200 {
        let mut graph = Graph::default();
        let [x, y] = [0, 1].map(|it| graph.input(it));
        let [left, right] = [x, y].map(|it| looked_up(&mut graph, it));
        let sum = graph.arithmetic(Operator::Add, left, right);
        let wanted_node = graph.integer(wanted);
        let mut conditions = is_small(&mut graph, x);
        conditions.extend(is_small(&mut graph, y));
        conditions.push(graph.less(x, y));
        conditions.push(graph.equal(sum, wanted_node));
        let pairs = (0..SIZE).flat_map(|x| (x + 1..SIZE).map(move |y| (x, y)));
        let mut pairs = pairs.map(|(x, y)| entry(x) + entry(y));
        let is_there = pairs.any(|it| it == wanted);
        assert_eq!(answer(&mut graph, 2, &conditions), is_there, "{wanted}");
    }
}
