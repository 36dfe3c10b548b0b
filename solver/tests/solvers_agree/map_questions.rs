//! Questions about maps. Found maps fulfil the conditions, and where no map is found, no map with
//! few keys fulfils them.

use solver::graph::{Condition, Graph, Input, Kinds, NodeId, to_term};
use solver::{Answer, Limits, Shortcuts, Solver, Z3Integers};

use crate::random_questions::{Random, condition_text};

const QUESTIONS: u64 = 100;

/// Keys and values that questions are about.
fn atom(graph: &mut Graph, random: &mut Random) -> NodeId {
    let names = ["a", "b", "c"];
    let name = names.get(random.below(3)).copied().unwrap_or("a");
    graph.atom(name)
}

/// A key: a constant, or the second input.
fn key(graph: &mut Graph, random: &mut Random) -> NodeId {
    match random.below(3) {
        0 => graph.input(1),
        _ => atom(graph, random),
    }
}

fn value(graph: &mut Graph, random: &mut Random) -> NodeId {
    match random.below(3) {
        0 => graph.input(1),
        1 => graph.integer(random.below(2) as i64),
        _ => atom(graph, random),
    }
}

/// The first input, changed a few times.
fn map(graph: &mut Graph, random: &mut Random) -> NodeId {
    let mut map = graph.input(0);
    for _ in 0..random.below(3) {
        let key = key(graph, random);
        map = match random.below(3) {
            0 => graph.without(map, key),
            _ => {
                let value = value(graph, random);
                graph.put(map, key, value)
            }
        };
    }
    map
}

fn condition(graph: &mut Graph, random: &mut Random) -> Condition {
    let map = map(graph, random);
    let key = key(graph, random);
    let has_key = graph.has_key(key, map);
    let condition = match random.below(6) {
        0 | 1 => has_key,
        5 => {
            let mut other = graph.map([]);
            for _ in 0..random.below(3) {
                let (key, value) = (atom(graph, random), value(graph, random));
                other = graph.put(other, key, value);
            }
            graph.equal(map, other)
        }
        2 => {
            let (own, value) = (graph.value_at(key, map), value(graph, random));
            let is_value = graph.equal(own, value);
            graph.all([has_key, is_value])
        }
        3 => {
            let (size, count) = (graph.map_size(map), graph.integer(random.below(4) as i64));
            graph.less(size, count)
        }
        _ => {
            let (size, count) = (graph.map_size(map), graph.integer(random.below(4) as i64));
            graph.equal(size, count)
        }
    };
    if random.below(3) == 0 {
        !condition
    } else {
        condition
    }
}

/// All maps whose keys are some of `a`, `b`, `c` and `d`, with few values.
fn small_maps(graph: &mut Graph) -> Vec<NodeId> {
    let mut maps = vec![graph.map([])];
    for name in ["a", "b", "c", "d"] {
        let key = graph.atom(name);
        let values = [
            graph.atom("a"),
            graph.atom("b"),
            graph.integer(0),
            graph.integer(1),
        ];
        for map in maps.clone() {
            maps.extend(values.map(|value| graph.put(map, key, value)));
        }
    }
    maps
}

#[test]
fn maps_have_the_keys_that_were_asked_for() {
    let (mut found, mut none, mut open) = (0, 0, 0);
    for seed in 0..QUESTIONS {
        let mut random = Random::new(seed);
        let mut graph = Graph::default();
        let input = graph.input(0);
        let mut conditions = vec![graph.kind(Kinds::MAP, input)];
        for _ in 0..=random.below(4) {
            conditions.push(condition(&mut graph, &mut random));
        }
        let parent = vec![graph.map([]), graph.atom("a")];
        let mut integers = Z3Integers::default();
        let limits = Limits {
            term_depth: 5,
            cases: 2_000,
            shortcuts: Shortcuts::default(),
        };
        let answer = Solver::new(&mut graph, parent, &mut integers, limits).ask(&conditions);
        let texts = conditions.iter().map(|it| condition_text(&graph, *it));
        let text = texts.collect::<Vec<_>>().join("\n");
        let all_hold = |graph: &mut Graph, arguments: &[NodeId]| {
            let mut conditions = conditions.iter();
            conditions.all(|it| Input::new(arguments).holds(graph, *it) == Some(true))
        };
        match answer {
            Answer::Sat(arguments) => {
                let terms: Vec<_> = arguments.iter().map(|it| to_term(&graph, *it)).collect();
                let holds = all_hold(&mut graph, &arguments);
                assert!(holds, "{seed}: {text}\nis broken by {terms:?}");
                found += 1;
            }
            Answer::Unsat => {
                let keys = ["a", "b", "c", "d"].map(|it| graph.atom(it));
                for map in small_maps(&mut graph) {
                    for key in keys {
                        let holds = all_hold(&mut graph, &[map, key]);
                        let terms = [map, key].map(|it| to_term(&graph, it));
                        assert!(!holds, "{seed}: {text}\nholds for {terms:?}");
                    }
                }
                none += 1;
            }
            Answer::Unknown => open += 1,
        }
    }
    println!("{found} found, {none} without answer, {open} open");
    assert!(found > 0 && none > 0);
    assert!(open * 10 < QUESTIONS, "{open} questions are open");
}
