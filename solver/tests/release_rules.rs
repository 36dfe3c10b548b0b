//! Values that are different on different releases: the order of atoms as keys, and zeros.

use std::sync::Arc;

use erlang_term::Atom;
use solver::graph::{Condition, Graph, Input, Kinds, NodeId, Operator, to_term};
use solver::{
    Answer, AtomOrder, AtomTable, Encoding, Limits, NativeIntegers, Patience, Question, Questions,
    ReleaseRules, Shortcuts, Solver, Zeros,
};

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

/// A release on which atoms are in this order.
fn with_table(atoms: &[&str]) -> ReleaseRules {
    let atoms = atoms.iter().map(Atom::new).collect();
    ReleaseRules {
        atoms: AtomOrder::OfBeam(Arc::new(AtomTable::new(atoms))),
        ..ReleaseRules::default()
    }
}

fn with_signed_zeros() -> ReleaseRules {
    ReleaseRules {
        zeros: Zeros::Different,
        ..ReleaseRules::default()
    }
}

/// Arguments that fulfil conditions, as Erlang source; `None` if there are none.
fn solved(
    rules: ReleaseRules,
    parameters: usize,
    conditions: impl FnOnce(&mut Graph, &[NodeId]) -> Vec<Condition>,
) -> Option<Vec<String>> {
    let mut graph = Graph::new(rules);
    let inputs: Vec<NodeId> = (0..parameters).map(|it| graph.input(it)).collect();
    let conditions = conditions(&mut graph, &inputs);
    let parent = vec![graph.integer(0); parameters];
    let mut integers = NativeIntegers::default();
    let answer = Solver::new(&mut graph, parent.clone(), &mut integers, LIMITS).ask(&conditions);
    let question = Question {
        conditions: &conditions,
        parent: &parent,
        limits: LIMITS,
    };
    let second = Encoding::default().answer(&mut graph, &question, &Patience::endless());
    match answer {
        Answer::Sat(arguments) => {
            assert_ne!(second, Answer::Unsat, "Z3 has another opinion");
            let mut input = Input::new(&arguments);
            for condition in &conditions {
                assert_eq!(input.holds(&mut graph, *condition), Some(true));
            }
            let terms = arguments.iter().map(|it| to_term(&graph, *it));
            Some(
                terms
                    .map(|it| it.expect("a constant").to_string())
                    .collect(),
            )
        }
        Answer::Unsat => {
            assert!(!matches!(second, Answer::Sat(_)), "Z3 has another opinion");
            None
        }
        Answer::Unknown => panic!("no answer"),
    }
}

fn are_atoms(graph: &mut Graph, inputs: &[NodeId]) -> Vec<Condition> {
    let atoms = inputs.iter().map(|it| graph.kind(Kinds::ATOM, *it));
    atoms.collect()
}

#[test]
fn keys_of_maps_are_in_the_order_of_the_table() {
    let mut graph = Graph::new(with_table(&["z", "m"]));
    let [a, m, z] = ["a", "m", "z"].map(|it| graph.atom(it));
    let one = graph.integer(1);
    let pairs = graph.in_order(&[(a, one), (m, one), (one, one), (z, one)]);
    let keys: Vec<NodeId> = pairs.into_iter().map(|it| it.0).collect();
    assert_eq!(keys, [one, z, m, a]);
    // Inside of other keys, texts count.
    let [inner_a, inner_z] = [a, z].map(|it| graph.tuple([it]));
    assert_eq!(graph.before(inner_a, inner_z), Condition::TRUE);
    assert_eq!(graph.before(a, z), Condition::FALSE);
    assert_eq!(graph.less(a, z), Condition::TRUE);
}

#[test]
fn atoms_are_found_in_the_wanted_order() {
    let found = solved(with_table(&["z", "m", "a"]), 3, |graph, inputs| {
        let mut all = are_atoms(graph, inputs);
        let m = graph.atom("m");
        all.push(graph.before(inputs[2], inputs[1]));
        all.push(graph.before(inputs[1], inputs[0]));
        all.push(graph.equal(inputs[1], m));
        all
    });
    let found = found.expect("there are such atoms");
    assert_eq!((found[2].as_str(), found[1].as_str()), ("z", "m"));
    assert!(!["z", "m"].contains(&found[0].as_str()), "{found:?}");
}

#[test]
fn a_chain_below_a_known_atom_leaves_room_for_all() {
    let chain = |length: usize| {
        solved(
            with_table(&["z", "y", "x", "a"]),
            length,
            move |graph, inputs| {
                let mut all = are_atoms(graph, inputs);
                let last = graph.atom("x");
                for pair in inputs.windows(2) {
                    all.push(graph.before(pair[0], pair[1]));
                }
                all.push(graph.equal(inputs[length - 1], last));
                all
            },
        )
    };
    assert_eq!(
        chain(3),
        Some(vec!["z".to_owned(), "y".to_owned(), "x".to_owned()])
    );
    assert_eq!(chain(4), None);
}

#[test]
fn atoms_are_not_before_each_other() {
    let found = solved(with_table(&["z", "a"]), 2, |graph, inputs| {
        let mut all = are_atoms(graph, inputs);
        all.push(graph.before(inputs[0], inputs[1]));
        all.push(graph.before(inputs[1], inputs[0]));
        all
    });
    assert_eq!(found, None);
}

#[test]
fn new_atoms_can_be_in_any_order() {
    let found = solved(with_table(&["z", "m"]), 3, |graph, inputs| {
        let mut all = are_atoms(graph, inputs);
        all.push(graph.before(inputs[2], inputs[0]));
        all.push(graph.before(inputs[0], inputs[1]));
        all
    });
    assert!(found.is_some());
}

#[test]
fn a_made_atom_is_among_the_first_or_is_new() {
    let made = |prefix: &'static str| {
        solved(
            with_table(&["zebra", "zoo", "m"]),
            1,
            move |graph, inputs| {
                let z = graph.integer(prefix.bytes().next().map_or(0, i64::from));
                let text = graph.cons(z, inputs[0]);
                let m = graph.atom("m");
                let atom = graph.atom_of(text);
                vec![graph.proper_list(inputs[0]), graph.before(atom, m)]
            },
        )
    };
    assert!(made("z").is_some());
    assert_eq!(made("q"), None);
}

#[test]
fn other_keys_are_in_the_order_of_terms() {
    let found = solved(with_table(&["z", "a"]), 2, |graph, inputs| {
        let [z, one] = [graph.atom("z"), graph.integer(1)];
        let is_number = graph.kind(Kinds::FLOAT, inputs[0]);
        vec![
            is_number,
            graph.before(one, inputs[0]),
            graph.before(inputs[0], z),
            graph.before(z, inputs[1]),
        ]
    });
    assert!(found.is_some());
}

#[test]
fn zeros_are_told_apart_where_they_are_different() {
    let other_zero = |rules: ReleaseRules| {
        solved(rules, 1, |graph, inputs| {
            let (zero, whole) = (graph.float(0.0), graph.integer(0));
            vec![
                graph.same(inputs[0], whole),
                !graph.equal(inputs[0], zero),
                !graph.equal(inputs[0], whole),
            ]
        })
    };
    assert_eq!(
        other_zero(with_signed_zeros()),
        Some(vec!["-0.0".to_owned()])
    );
    assert_eq!(other_zero(ReleaseRules::default()), None);
}

#[test]
fn a_product_can_be_a_negative_zero() {
    let found = solved(with_signed_zeros(), 1, |graph, inputs| {
        let minus = graph.float(-3.0);
        let product = graph.arithmetic(Operator::Multiply, inputs[0], minus);
        let zero = graph.float(-0.0);
        vec![
            graph.kind(Kinds::FLOAT, inputs[0]),
            graph.equal(product, zero),
        ]
    });
    assert_eq!(found, Some(vec!["0.0".to_owned()]));
}

#[test]
fn a_zero_that_is_not_its_absolute_value_is_negative() {
    let found = solved(with_signed_zeros(), 1, |graph, inputs| {
        let (x, zero) = (inputs[0], graph.integer(0));
        let is_negative = graph.less(x, zero);
        let minus_one = graph.integer(-1);
        let opposite = graph.arithmetic(Operator::Multiply, x, minus_one);
        let positive = graph.arithmetic(Operator::Add, x, zero);
        let absolute = graph.choice(is_negative, opposite, positive);
        vec![
            graph.kind(Kinds::FLOAT, x),
            graph.same(x, zero),
            !graph.equal(x, absolute),
        ]
    });
    assert_eq!(found, Some(vec!["-0.0".to_owned()]));
}

#[test]
fn bits_are_those_of_the_wanted_zero() {
    let found = solved(with_signed_zeros(), 1, |graph, inputs| {
        let zero = graph.float(0.0);
        let float = graph.float_of(inputs[0], 64);
        vec![
            graph.kind(Kinds::INTEGER, inputs[0]),
            graph.is_float(inputs[0], 64),
            graph.same(float, zero),
            !graph.equal(float, zero),
        ]
    });
    assert_eq!(found, Some(vec![(1_u64 << 63).to_string()]));
}

#[test]
fn adding_nothing_changes_a_negative_zero() {
    let mut graph = Graph::new(with_signed_zeros());
    let (zero, x) = (graph.integer(0), graph.input(0));
    assert_ne!(graph.arithmetic(Operator::Add, x, zero), x);
    assert_eq!(graph.arithmetic(Operator::Subtract, x, zero), x);
    let negative = graph.float(-0.0);
    let sum = graph.arithmetic(Operator::Add, negative, zero);
    assert_eq!(sum, graph.float(0.0));
    let [keys, zeros] = [negative, sum].map(|it| graph.tuple([it]));
    assert_eq!(graph.before(keys, zeros), Condition::TRUE);
    assert_eq!(graph.same(keys, zeros), Condition::TRUE);
    assert_eq!(graph.equal(keys, zeros), Condition::FALSE);
}
