//! Bit vectors against trying all values, and what they alone can answer.

use super::*;
use crate::graph::Graph;
use crate::integers::Product;
use crate::integers::all_values::try_all;

const OPERATORS: [Operator; 8] = [
    Operator::And,
    Operator::Or,
    Operator::Xor,
    Operator::ShiftLeft,
    Operator::ShiftRight,
    Operator::Multiply,
    Operator::Add,
    Operator::Subtract,
];

/// `X` and `Y` within bounds, and constraints on results of operations on them.
struct Asked {
    constraints: Vec<Constraint>,
    variables: Vec<(NodeId, i128)>,
    products: Vec<Product>,
}

impl Asked {
    /// `(X first Y) second X`, with `Y` added, is related to a value.
    fn new(operators: [Operator; 2], relation: Relation, value: i128) -> Self {
        let mut graph = Graph::default();
        let (x, y) = (graph.input(0), graph.input(1));
        let [first, second] = operators;
        let inner = graph.arithmetic(first, x, y);
        let outer = graph.tuple([inner, x]);
        let product = |node, operator, left, right| Product {
            node,
            operator,
            left,
            right,
        };
        let sum = Linear {
            terms: vec![(y, 1), (outer, 1)],
            constant: -value,
        };
        Self {
            constraints: vec![Constraint {
                linear: sum,
                relation,
            }],
            variables: vec![(x, 0), (y, 0)],
            products: vec![
                product(inner, first, Linear::node(x), Linear::node(y)),
                product(outer, second, Linear::node(inner), Linear::node(x)),
            ],
        }
    }

    /// Limits the distance of both variables from 0.
    fn within(mut self, limit: i128) -> Self {
        for (node, _) in &self.variables {
            for sign in [1, -1] {
                self.constraints.push(Constraint {
                    linear: Linear {
                        terms: vec![(*node, sign)],
                        constant: -limit,
                    },
                    relation: Relation::AtMost,
                });
            }
        }
        self
    }

    fn problem(&self) -> Problem<'_> {
        Problem {
            constraints: &self.constraints,
            variables: &self.variables,
            products: &self.products,
        }
    }
}

#[test]
fn agrees_with_trying_all_values() {
    for first in OPERATORS {
        for second in OPERATORS {
            let relations = [(Relation::Equal, 13), (Relation::Less, -40)];
            for (relation, value) in relations {
                let asked = Asked::new([first, second], relation, value).within(6);
                let problem = asked.problem();
                let bounds = bounds(&problem).expect("there are values");
                let tried = try_all(&problem, &bounds, &Patience::endless()).expect("few values");
                let found = solve(&problem, &Patience::endless());
                match (&tried, &found) {
                    (Solution::None, Solution::None)
                    | (Solution::Values(_), Solution::Values(_)) => {}
                    _ => panic!("{first:?} {second:?} {value}: {tried:?}, {found:?}"),
                }
            }
        }
    }
}

#[test]
fn finds_large_values() {
    let value = 0x1234_5678_9abc_def0_1234;
    let asked = Asked::new([Operator::Xor, Operator::And], Relation::Equal, value);
    let problem = asked.problem();
    let Solution::Values(values) = solve(&problem, &Patience::endless()) else {
        panic!("there are such integers");
    };
    assert!(is_solution(&problem, &values), "{values:?}");
}

#[test]
fn proves_nothing_about_integers_without_bounds() {
    // `(X bor Y) bor X + Y = 2^122 + 1` needs more bits than are tried.
    let asked = Asked::new(
        [Operator::Or, Operator::Or],
        Relation::Equal,
        (1 << 122) + 1,
    );
    assert_eq!(
        solve(&asked.problem(), &Patience::endless()),
        Solution::Unknown
    );
}

#[test]
fn bits_outside_a_mask_do_not_matter() {
    let mut graph = Graph::default();
    let (x, mask) = (graph.input(0), graph.integer(12));
    let node = graph.arithmetic(Operator::And, x, mask);
    let products = [Product {
        node,
        operator: Operator::And,
        left: Linear::node(x),
        right: Linear::constant(12),
    }];
    let ask = |value: i128| {
        let constraints = [Constraint {
            linear: Linear {
                terms: vec![(node, 1)],
                constant: -value,
            },
            relation: Relation::Equal,
        }];
        let problem = Problem {
            constraints: &constraints,
            variables: &[(x, 0)],
            products: &products,
        };
        solve(&problem, &Patience::endless())
    };
    assert!(matches!(ask(8), Solution::Values(_)));
    assert_eq!(ask(9), Solution::None);
}
