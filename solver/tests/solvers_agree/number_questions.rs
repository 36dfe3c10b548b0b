//! Random questions about arithmetic on floats and integers, and about bits. Found numbers fulfil
//! the conditions, and where none are found, none of many numbers fulfils them.

use solver::graph::{Condition, Graph, Input, Kinds, NodeId, Operator, Rounding};
use solver::{Answer, Limits, Native, Patience, Question, Questions, Shortcuts, Z3Integers};

use crate::random_questions::Random;

const QUESTIONS: u64 = 200;

/// Operations and constants to choose from.
struct Choices {
    operators: &'static [Operator],
    constants: &'static [f64],
    kinds: &'static [Kinds],
}

const MIXED: Choices = Choices {
    operators: &[
        Operator::Add,
        Operator::Subtract,
        Operator::Multiply,
        Operator::Quotient,
    ],
    constants: &[-2.5, -1.0, 0.1, 0.5, 2.0, 3.0, 7.25],
    kinds: &[Kinds::INTEGER, Kinds::FLOAT, Kinds::NUMBER],
};

const BITS: Choices = Choices {
    operators: &[
        Operator::And,
        Operator::Or,
        Operator::Xor,
        Operator::ShiftLeft,
        Operator::ShiftRight,
        Operator::Add,
    ],
    constants: &[-6.0, -1.0, 1.0, 2.0, 5.0, 12.0],
    kinds: &[Kinds::INTEGER],
};

struct Making<'question> {
    graph: &'question mut Graph,
    random: &'question mut Random,
    choices: &'question Choices,
    conditions: Vec<Condition>,
}

impl Making<'_> {
    fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        let choice = of.get(self.random.below(of.len() as u64));
        *choice.expect("there is a choice")
    }

    fn constant(&mut self) -> NodeId {
        let value = self.one_of(self.choices.constants);
        let is_integer = value.fract() == 0.0;
        if is_integer && (self.choices.kinds.len() == 1 || self.random.below(2) == 0) {
            self.graph.integer(value as i64)
        } else {
            self.graph.float(value)
        }
    }

    /// A number computed from inputs. The conditions say that it can be computed.
    fn number(&mut self, depth: u32) -> NodeId {
        if depth == 0 || self.random.below(4) == 0 {
            let number = self.random.below(3);
            return match number {
                2 => self.constant(),
                _ => self.graph.input(number),
            };
        }
        if self.choices.kinds.len() > 1 && self.random.below(5) == 0 {
            let of = self.number(depth - 1);
            let rounding = self.one_of(&[
                Rounding::Truncate,
                Rounding::Round,
                Rounding::Floor,
                Rounding::Ceiling,
            ]);
            return self.graph.rounded(rounding, of);
        }
        let operator = self.one_of(self.choices.operators);
        let (left, right) = (self.number(depth - 1), self.number(depth - 1));
        if operator == Operator::Quotient {
            let zero = self.graph.integer(0);
            let is_zero = self.graph.same(right, zero);
            self.conditions.push(!is_zero);
        }
        let is_too_large = self.graph.too_large(operator, left, right);
        self.conditions.push(!is_too_large);
        self.graph.arithmetic(operator, left, right)
    }

    fn comparison(&mut self) {
        let (left, right) = (self.number(2), self.constant());
        let condition = match self.random.below(4) {
            0 => self.graph.same(left, right),
            1 => self.graph.equal(left, right),
            2 => self.graph.less(left, right),
            _ => self.graph.less(right, left),
        };
        let is_negated = self.random.below(5) == 0;
        self.conditions
            .push(if is_negated { !condition } else { condition });
    }
}

fn question(graph: &mut Graph, random: &mut Random, choices: &Choices) -> Vec<Condition> {
    let mut making = Making {
        graph,
        random,
        choices,
        conditions: Vec::new(),
    };
    let (low, high) = (making.graph.integer(-4), making.graph.integer(4));
    for number in 0..2 {
        let input = making.graph.input(number);
        let kinds = making.one_of(choices.kinds);
        let is_of_kind = making.graph.kind(kinds, input);
        let bounds = [
            making.graph.less(input, low),
            making.graph.less(high, input),
        ];
        making.conditions.push(is_of_kind);
        making.conditions.extend(bounds.map(|it| !it));
    }
    for _ in 0..1 + making.random.below(3) {
        making.comparison();
    }
    making.conditions
}

/// Numbers from -4 to 4, integers and floats.
fn numbers(graph: &mut Graph) -> Vec<NodeId> {
    let mut numbers: Vec<NodeId> = (-4..=4).map(|it| graph.integer(it)).collect();
    numbers.extend((-16..=16).map(|it| graph.float(f64::from(it) / 4.0)));
    numbers
}

/// How many questions had an answer, had none, and stayed open.
fn ask_all(choices: &Choices) -> [u32; 3] {
    let limits = Limits {
        term_depth: 1,
        cases: 500,
        shortcuts: Shortcuts::default(),
    };
    let mut integers = Z3Integers::default();
    let mut counts = [0; 3];
    for seed in 0..QUESTIONS {
        let mut graph = Graph::default();
        let conditions = question(&mut graph, &mut Random::new(seed), choices);
        let zero = graph.integer(0);
        let mut native = Native {
            integers: &mut integers,
        };
        let asked = Question {
            conditions: &conditions,
            parent: &[zero, zero],
            limits,
        };
        let answer = native.answer(&mut graph, &asked, &Patience::endless());
        let all_hold = |graph: &mut Graph, arguments: &[NodeId]| {
            let mut conditions = conditions.iter();
            conditions.all(|it| Input::new(arguments).holds(graph, *it) == Some(true))
        };
        match answer {
            Answer::Sat(found) => {
                counts[0] += 1;
                assert!(all_hold(&mut graph, &found), "{seed}: {found:?}");
            }
            Answer::Unsat => {
                counts[1] += 1;
                let numbers = numbers(&mut graph);
                for one in &numbers {
                    for other in &numbers {
                        let is_answer = all_hold(&mut graph, &[*one, *other]);
                        assert!(!is_answer, "{seed}: {one:?} {other:?}");
                    }
                }
            }
            Answer::Unknown => counts[2] += 1,
        }
    }
    counts
}

#[test]
fn floats_and_integers_are_never_wrong() {
    let [sat, unsat, unknown] = ask_all(&MIXED);
    println!("{sat} with, {unsat} without, {unknown} open");
    assert!(sat > 50 && unsat > 30, "{sat} {unsat} {unknown}");
}

#[test]
fn bits_are_never_wrong() {
    let [sat, unsat, unknown] = ask_all(&BITS);
    println!("{sat} with, {unsat} without, {unknown} open");
    assert!(sat > 50 && unsat > 30, "{sat} {unsat} {unknown}");
    assert!(unknown < 20, "{unknown}");
}
