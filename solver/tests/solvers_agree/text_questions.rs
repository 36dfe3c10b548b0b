//! Questions about atoms and their texts. Found atoms fulfil the conditions, and where there are
//! none, none of many atoms fulfils them.

use solver::graph::{Condition, Graph, Input, Kinds, NodeId, Operator, to_term};
use solver::{Answer, Limits, NativeIntegers, Shortcuts, Solver};

use crate::random_questions::Random;
use crate::text as text_of;

const QUESTIONS: u64 = 2_000;

/// Short texts of few characters, so that conditions are about the same ones.
const NAMES: [&str; 10] = ["", "a", "b", "ab", "ba", "bb", "abc", "c", "aa", "aba"];

fn name(random: &mut Random) -> &'static str {
    NAMES.get(random.below(10)).copied().unwrap_or_default()
}

fn list(graph: &mut Graph, text: &str) -> NodeId {
    let atom = graph.atom(text);
    graph.text(atom)
}

/// The text of an input, or a list that is made from one.
fn text(graph: &mut Graph, random: &mut Random) -> NodeId {
    let input = graph.input(random.below(2));
    let own = graph.text(input);
    if random.below(3) > 0 {
        return own;
    }
    let first = list(graph, "a");
    let first = graph.head(first);
    graph.cons(first, own)
}

fn condition(graph: &mut Graph, random: &mut Random) -> Condition {
    let inputs = [0, 1].map(|number| graph.input(number));
    let input = if random.below(2) == 0 {
        inputs[0]
    } else {
        inputs[1]
    };
    let atom = graph.atom(name(random));
    let positive = match random.below(9) {
        0 => graph.equal(input, atom),
        1 => graph.equal(inputs[0], inputs[1]),
        2 => graph.less(input, atom),
        3 => graph.less(inputs[0], inputs[1]),
        4 => {
            let (own, other) = (text(graph, random), list(graph, name(random)));
            graph.equal(own, other)
        }
        5 => {
            let (own, other) = (text(graph, random), text(graph, random));
            graph.equal(own, other)
        }
        6 => {
            let made = text(graph, random);
            let made = graph.atom_of(made);
            let other = if random.below(2) == 0 { atom } else { input };
            graph.equal(made, other)
        }
        7 => {
            let own = text(graph, random);
            let length = graph.length(own);
            let count = i64::try_from(random.below(3)).expect("small");
            let count = graph.integer(count);
            graph.less(count, length)
        }
        _ => {
            let own = text(graph, random);
            let is_cell = graph.kind(Kinds::CONS, own);
            let head = graph.head(own);
            let one = graph.integer(1);
            let next = graph.arithmetic(Operator::Add, head, one);
            let bound = graph.integer(i64::from(b'b'));
            let is_less = graph.less(next, bound);
            graph.all([is_cell, is_less])
        }
    };
    if random.below(3) == 0 {
        !positive
    } else {
        positive
    }
}

fn ask(seed: u64, counts: &mut [u32; 3]) {
    let mut random = Random::new(seed);
    let mut graph = Graph::default();
    let mut conditions: Vec<Condition> = (0..2)
        .map(|number| {
            let input = graph.input(number);
            graph.kind(Kinds::ATOM, input)
        })
        .collect();
    for _ in 0..1 + random.below(4) {
        conditions.push(condition(&mut graph, &mut random));
    }
    let parent = [(); 2].map(|()| name(&mut random));
    let parent = parent.map(|name| graph.atom(name)).to_vec();
    let limits = Limits {
        term_depth: 2,
        cases: 200,
        shortcuts: Shortcuts::default(),
    };
    let mut integers = NativeIntegers::default();
    let mut solver = Solver::new(&mut graph, parent, &mut integers, limits);
    let answer = solver.ask(&conditions);
    let holds = |graph: &mut Graph, inputs: &[NodeId]| {
        let mut conditions = conditions.iter();
        conditions.all(|it| Input::new(inputs).holds(graph, *it) == Some(true))
    };
    match answer {
        Answer::Sat(inputs) => {
            let terms: Vec<_> = inputs.iter().map(|it| to_term(&graph, *it)).collect();
            let texts = || conditions.iter().map(|it| text_of(&graph, *it));
            let texts: Vec<String> = texts().collect();
            assert!(
                holds(&mut graph, &inputs),
                "{seed}: {terms:?} is not an answer to {texts:?}"
            );
            counts[0] += 1;
        }
        Answer::Unsat => {
            let atoms = NAMES.map(|name| graph.atom(name));
            for pair in atoms
                .iter()
                .flat_map(|one| atoms.map(|other| [*one, other]))
            {
                let terms = pair.map(|it| to_term(&graph, it));
                let texts: Vec<String> = conditions.iter().map(|it| text_of(&graph, *it)).collect();
                assert!(
                    !holds(&mut graph, &pair),
                    "{seed}: {terms:?} is an answer to {texts:?}"
                );
            }
            counts[1] += 1;
        }
        Answer::Unknown => counts[2] += 1,
    }
}

#[test]
fn atoms_have_the_texts_that_were_asked_for() {
    let mut counts = [0; 3];
    (0..QUESTIONS).for_each(|seed| ask(seed, &mut counts));
    println!("sat, unsat, unknown: {counts:?}");
    let [sat, unsat, unknown] = counts;
    assert!(sat > 800 && unsat > 400, "{counts:?}");
    assert!(u64::from(unknown) * 20 < QUESTIONS, "{counts:?}");
}
