//! The native solver and the encoding in Z3 give the same answers to random questions about the
//! shape of inputs, and their answers fulfil the conditions.
//!
//! Run it alone with `cargo test -p solver --test solvers_agree -- --nocapture` to see how many
//! questions had which answer. Nearly all of its time is spent in Z3.

#[path = "solvers_agree/fun_questions.rs"]
mod fun_questions;
#[path = "solvers_agree/map_questions.rs"]
mod map_questions;
#[path = "solvers_agree/number_questions.rs"]
mod number_questions;
#[path = "solvers_agree/random_questions.rs"]
mod random_questions;
#[path = "solvers_agree/text_questions.rs"]
mod text_questions;
#[path = "solvers_agree/typed_questions.rs"]
mod typed_questions;

use random_questions::{Random, question};
use solver::graph::{Condition, Graph, Input, Node, NodeId, to_term};
use solver::{
    Answer, Encoding, Limits, Native, NativeIntegers, Patience, Question, Questions, Shortcuts,
    Z3Integers,
};

const QUESTIONS: u64 = 10_000;
const THREADS: u64 = 2;

#[derive(Debug, Default)]
struct Counts {
    sat: u32,
    unsat: u32,
    native_unknown: u32,
    encoding_unknown: u32,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.native_unknown += other.native_unknown;
        self.encoding_unknown += other.encoding_unknown;
    }
}

#[test]
fn the_solvers_agree() {
    let threads: Vec<_> = (0..THREADS)
        .map(|thread| std::thread::spawn(move || ask_every(thread)))
        .collect();
    let mut counts = Counts::default();
    for thread in threads {
        counts.add(&thread.join().expect("no thread panics"));
    }
    println!("{counts:?}");
    assert!(counts.sat > 1000 && counts.unsat > 1000, "{counts:?}");
    assert!(counts.native_unknown < 100, "{counts:?}");
    assert!(counts.encoding_unknown < 100, "{counts:?}");
}

/// Asks every n-th question; each thread has its own Z3.
fn ask_every(first: u64) -> Counts {
    let mut encoding = Encoding::default();
    let mut integers = Z3Integers::default();
    let mut counts = Counts::default();
    let seeds = (first..QUESTIONS).step_by(usize::try_from(THREADS).expect("few"));
    for seed in seeds {
        let mut native = Native {
            integers: &mut integers,
        };
        ask(seed, &mut native, &mut encoding, &mut counts);
    }
    counts
}

/// Asks both solvers one question.
fn ask(seed: u64, native: &mut Native<'_>, encoding: &mut Encoding, counts: &mut Counts) {
    let mut random = Random::new(seed);
    let inputs = 1 + random.below(2);
    let limits = Limits {
        term_depth: if random.below(3) == 0 { 2 } else { 1 },
        cases: 2000,
        shortcuts: Shortcuts::default(),
    };
    let mut graph = Graph::default();
    let (conditions, parent) = question(&mut graph, &mut random, inputs);
    let asked = Question {
        conditions: &conditions,
        parent: &parent,
        limits,
    };
    let patience = Patience::endless();
    let answers = [
        native.answer(&mut graph, &asked, &patience),
        encoding.answer(&mut graph, &asked, &patience),
    ];
    for answer in &answers {
        check_model(&mut graph, seed, &asked, answer);
    }
    compare(&graph, seed, &conditions, &answers, counts);
}

fn check_model(graph: &mut Graph, seed: u64, question: &Question<'_>, answer: &Answer) {
    let Answer::Sat(arguments) = answer else {
        return;
    };
    for argument in arguments {
        let depth = depth(graph, *argument);
        assert!(depth <= question.limits.term_depth, "{seed}: too deep");
    }
    for condition in question.conditions {
        let holds = Input::new(arguments).holds(graph, *condition);
        let text = text(graph, *condition);
        let terms = arguments.iter().map(|it| to_term(graph, *it));
        let terms: Vec<_> = terms.collect();
        assert_eq!(holds, Some(true), "{seed}: {text} is broken by {terms:?}");
    }
}

fn depth(graph: &Graph, constant: NodeId) -> u32 {
    let inner = match graph.node(constant) {
        Node::Cons(head, tail) => vec![*head, *tail],
        Node::Tuple(elements) => elements.to_vec(),
        Node::Other(..) | Node::Map(_) | Node::Table(_) => {
            return to_term(graph, constant).map_or(0, |it| it.depth());
        }
        Node::Integer(_) | Node::Float(_) | Node::Atom(_) | Node::Nil => return 0,
        Node::Input(_)
        | Node::Part(..)
        | Node::Arithmetic(..)
        | Node::Rounded(..)
        | Node::Length(_)
        | Node::TupleSize(_)
        | Node::Put(..)
        | Node::Without(..)
        | Node::MapSize(_)
        | Node::AtomOf(_)
        | Node::Bits(_)
        | Node::FloatOf(..)
        | Node::Truth(_)
        | Node::Choice(..)
        | Node::Closure(_)
        | Node::Unknown(_) => panic!("an answer holds constants"),
    };
    let deepest = inner.into_iter().map(|it| depth(graph, it)).max();
    1 + deepest.unwrap_or(0)
}

fn compare(
    graph: &Graph,
    seed: u64,
    conditions: &[Condition],
    answers: &[Answer; 2],
    counts: &mut Counts,
) {
    match answers {
        [Answer::Unknown, other] => {
            counts.native_unknown += 1;
            counts.encoding_unknown += u32::from(*other == Answer::Unknown);
        }
        [_, Answer::Unknown] => counts.encoding_unknown += 1,
        [Answer::Sat(_), Answer::Sat(_)] => counts.sat += 1,
        [Answer::Unsat, Answer::Unsat] => counts.unsat += 1,
        [Answer::Sat(found), Answer::Unsat] | [Answer::Unsat, Answer::Sat(found)] => {
            let conditions: Vec<_> = conditions.iter().map(|it| text(graph, *it)).collect();
            let terms: Vec<_> = found.iter().map(|it| to_term(graph, *it)).collect();
            let native = &answers[0];
            panic!("{seed}: native {native:?}, found {terms:?} for {conditions:#?}");
        }
    }
}

/// A condition, for reading.
fn text(graph: &Graph, condition: Condition) -> String {
    random_questions::condition_text(graph, condition)
}

#[test]
fn the_native_integers_are_never_wrong_alone() {
    // Without Z3 more questions stay open, but nothing else changes.
    let mut encoding = Encoding::default();
    let mut integers = NativeIntegers::default();
    for seed in QUESTIONS..QUESTIONS + 500 {
        let mut native = Native {
            integers: &mut integers,
        };
        ask(seed, &mut native, &mut encoding, &mut Counts::default());
    }
}
