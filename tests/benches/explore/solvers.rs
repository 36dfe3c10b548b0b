//! The native solver against the encoding in Z3, on questions about shape.

use std::time::{Duration, Instant};

use end_to_end::benchmarks::{Report, Row, Table, Unit, column};
use end_to_end::random_programs::Random;
use solver::graph::{Condition, Graph, Kinds, NodeId};
use solver::{
    Answer, Encoding, Limits, Native, NativeIntegers, Patience, Question, Questions, Shortcuts,
};

const QUESTIONS: usize = 300;
/// How much faster the native solver has to be.
const TARGET: f64 = 30.0;

pub(crate) fn measure(unit: &mut Unit, report: &mut Report) {
    let mut random = Random::new(7);
    let mut integers = NativeIntegers::default();
    let mut encoding = Encoding::default();
    let mut times = [Duration::ZERO; 2];
    for _ in 0..QUESTIONS {
        let mut graph = Graph::default();
        let conditions = conditions(&mut graph, &mut random);
        let parent = [graph.integer(0)];
        let question = Question {
            conditions: &conditions,
            parent: &parent,
            limits: Limits {
                term_depth: 3,
                cases: 2_000,
                shortcuts: Shortcuts::default(),
            },
        };
        let mut native = Native {
            integers: &mut integers,
        };
        let solvers: [&mut dyn Questions; 2] = [&mut native, &mut encoding];
        let mut answers = Vec::new();
        for (solver, time) in solvers.into_iter().zip(&mut times) {
            let start = Instant::now();
            let answer = solver.answer(&mut graph, &question, &Patience::endless());
            *time += start.elapsed();
            answers.push(matches!(answer, Answer::Sat(_)));
        }
        assert_eq!(answers.first(), answers.last(), "the solvers agree");
    }
    // A start of `erl` right now.
    unit.timed(|| ());
    let [native, encoding] = times.map(|time| unit.starts(time) / QUESTIONS as f64);
    let row = |name: &str, time: f64| Row::new(name, [1.0 / time, encoding / time]);
    report.table(Table {
        title: "Questions about shape".to_owned(),
        note: "Random kinds, sizes and equalities of parts of one argument.".to_owned(),
        rows_are: "solver".to_owned(),
        columns: vec![
            column("questions in a start of erl").more(),
            column("times faster than Z3").more(),
        ],
        rows: vec![row("native", native), row("Z3", encoding)],
    });
    let ratio = encoding / native;
    report.target(
        format!("native solver against Z3 on questions about shape (wanted: at least {TARGET})"),
        ratio,
        ratio >= TARGET,
    );
}

/// Conditions on random parts of one argument.
fn conditions(graph: &mut Graph, random: &mut Random) -> Vec<Condition> {
    let count = 2 + random.below(5);
    (0..count).map(|_| condition(graph, random)).collect()
}

fn condition(graph: &mut Graph, random: &mut Random) -> Condition {
    let mut guards = Vec::new();
    let part = part(graph, random, &mut guards);
    let own = match random.below(4) {
        0 => graph.kind(Kinds::ATOM | Kinds::CONS, part),
        1 => graph.arity(1 + u32::try_from(random.below(2)).unwrap_or(0), part),
        2 => {
            let atom = graph.atom(if random.chance(50) { "a" } else { "b" });
            graph.equal(part, atom)
        }
        _ => graph.kind(Kinds::LIST, part),
    };
    guards.push(if random.chance(40) { !own } else { own });
    let all = graph.all(guards);
    if random.chance(30) { !all } else { all }
}

/// A part of the argument, and the conditions on which it is there.
fn part(graph: &mut Graph, random: &mut Random, guards: &mut Vec<Condition>) -> NodeId {
    let mut node = graph.input(0);
    for _ in 0..random.below(3) {
        if random.chance(60) {
            guards.push(graph.kind(Kinds::CONS, node));
            node = if random.chance(50) {
                graph.head(node)
            } else {
                graph.tail(node)
            };
        } else {
            guards.push(graph.arity(2, node));
            node = graph.element(u32::try_from(random.below(2)).unwrap_or(0), node);
        }
    }
    node
}
