//! Tests of shrinking.

use std::collections::HashSet;

use erlang_term::{Integer, TableFun, Term};
use proptest::prelude::*;

use super::*;

const MAX_RUNS: usize = 300;

/// Inputs for which a test holds crash. All terms are inputs.
struct Crashing<F> {
    crashes: F,
    seen: HashSet<String>,
    runs: usize,
}

impl<F: Fn(&[Term]) -> bool> Judge for Crashing<F> {
    fn fits(&self, _arguments: &[Term]) -> bool {
        true
    }

    fn crashes_alike(&mut self, arguments: &[Term]) -> Option<bool> {
        self.runs += 1;
        self.seen.insert(format!("{arguments:?}"));
        Some((self.crashes)(arguments))
    }
}

fn shrunk_by(argument: Term, crashes: impl Fn(&Term) -> bool) -> String {
    let mut judge = Crashing {
        crashes: |arguments: &[Term]| arguments.first().is_some_and(&crashes),
        seen: HashSet::new(),
        runs: 0,
    };
    let shrunk = shrunk(vec![argument], MAX_RUNS, &mut judge);
    assert!(judge.runs <= MAX_RUNS);
    shrunk.first().map(Term::to_string).unwrap_or_default()
}

fn integer(value: i64) -> Term {
    Term::Integer(Integer::from(value))
}

fn has(value: i64) -> impl Fn(&Term) -> bool {
    move |term| term.subterms().any(|it| *it == integer(value))
}

#[test]
fn elements_that_do_not_matter_are_cut() {
    let list = Term::list((0..100).map(integer));
    let crashes = |term: &Term| term.as_list().is_some() && has(17)(term);
    assert_eq!(shrunk_by(list, crashes), "[17]");
}

#[test]
fn numbers_go_toward_zero() {
    let is_large = |term: &Term| term.as_i64().is_none_or(|it| it.abs() >= 10);
    assert_eq!(shrunk_by(integer(123_456), is_large), "10");
    assert_eq!(shrunk_by(integer(-123_456), is_large), "10");
    assert_eq!(shrunk_by(integer(-7), |_| true), "0");
    let huge = Integer::parse(&"9".repeat(400), 10).map(Term::Integer);
    assert_eq!(shrunk_by(huge.unwrap(), is_large), "10");
}

#[test]
fn bytes_are_cut_and_become_readable() {
    let bytes = Term::binary([0, 1, 2, 200, 3, 255]);
    let crashes = |term: &Term| {
        term.as_binary()
            .is_some_and(|it| it.len() > 1 && it.contains(&2))
    };
    assert_eq!(
        shrunk_by(bytes, crashes),
        Term::binary([b'a', 2]).to_string()
    );
    let bits = Term::Bits(vec![1, 128], 1);
    assert_eq!(shrunk_by(bits, |_| true), Term::binary([]).to_string());
}

#[test]
fn atoms_become_readable_and_text_stays_text() {
    assert_eq!(shrunk_by(Term::atom("$odd one"), |_| true), "a");
    assert_eq!(shrunk_by(Term::atom("undefined"), |_| true), "undefined");
    let text = Term::list("hello".bytes().map(|it| integer(it.into())));
    let is_long = |term: &Term| term.as_list().is_some_and(|it| it.len() > 1);
    assert_eq!(shrunk_by(text, is_long), r#""lo""#);
}

#[test]
fn a_tree_becomes_one_of_its_branches() {
    let leaf = |value| Term::Tuple(vec![Term::atom("leaf"), integer(value)]);
    let node = |left, right| Term::Tuple(vec![Term::atom("node"), left, right]);
    let tree = node(node(leaf(1), leaf(7)), node(leaf(2), leaf(3)));
    let crashes = |term: &Term| term.subterms().any(|it| *it == leaf(7));
    assert_eq!(shrunk_by(tree, crashes), "{leaf,7}");
}

#[test]
fn a_table_loses_entries() {
    let entries = (0..20).map(|it| (vec![integer(it)], integer(it + 100)));
    let fun = TableFun::new(1, entries.collect(), integer(5));
    let fun = Term::TableFun(Box::new(fun));
    let answers = |term: &Term| {
        let Term::TableFun(fun) = term else {
            return false;
        };
        fun.entries().iter().any(|it| it.0 == [integer(7)])
    };
    assert_eq!(shrunk_by(fun, answers), "fun(7) -> 0; (_) -> 1 end");
}

#[test]
fn only_inputs_that_fit_are_run() {
    struct Even;
    impl Judge for Even {
        fn fits(&self, arguments: &[Term]) -> bool {
            let value = arguments.first().and_then(Term::as_i64);
            value.is_some_and(|it| it % 2 == 0)
        }

        fn crashes_alike(&mut self, arguments: &[Term]) -> Option<bool> {
            let value = arguments.first().and_then(Term::as_i64).unwrap();
            assert_eq!(value % 2, 0);
            Some(value > 10)
        }
    }
    assert_eq!(
        shrunk(vec![integer(1_000)], MAX_RUNS, &mut Even),
        [integer(12)]
    );
}

#[test]
fn it_ends_when_the_judge_has_no_time() {
    struct Busy(usize);
    impl Judge for Busy {
        fn fits(&self, _arguments: &[Term]) -> bool {
            true
        }

        fn crashes_alike(&mut self, _arguments: &[Term]) -> Option<bool> {
            self.0 = self.0.checked_sub(1)?;
            Some(true)
        }
    }
    let list = Term::list((0..100).map(|it| Term::Tuple(vec![integer(it)])));
    let shrunk = shrunk(vec![list.clone(), list], MAX_RUNS, &mut Busy(1));
    assert_eq!(shrunk.first().map(Term::to_string), Some("[]".to_owned()));
    assert_eq!(
        shrunk.get(1).and_then(Term::as_list).map(<[Term]>::len),
        Some(100)
    );
}

fn any_term() -> impl Strategy<Value = Term> {
    let leaf = prop_oneof![
        any::<i64>().prop_map(integer),
        any::<f64>().prop_map(Term::Float),
        "[a-z ]{0,3}".prop_map(|it| Term::atom(&it)),
        prop::collection::vec(any::<u8>(), 0..5).prop_map(Term::binary),
    ];
    leaf.prop_recursive(3, 30, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Term::list),
            prop::collection::vec(inner.clone(), 0..5).prop_map(Term::Tuple),
            (prop::collection::vec(inner.clone(), 1..3), inner)
                .prop_map(|(elements, tail)| Term::list_before(elements, tail)),
        ]
    })
}

proptest! {
    #[test]
    fn the_result_crashes_and_is_not_heavier(
        arguments in prop::collection::vec(any_term(), 1..4),
        wanted in 1..20_usize,
    ) {
        let size = |arguments: &[Term]| arguments.iter().map(part_count).sum::<usize>();
        let crashes = |arguments: &[Term]| size(arguments) >= wanted;
        prop_assume!(crashes(&arguments));
        let mut judge = Crashing { crashes, seen: HashSet::new(), runs: 0 };
        let result = shrunk(arguments.clone(), MAX_RUNS, &mut judge);
        prop_assert!(crashes(&result));
        for (old, new) in arguments.iter().zip(&result) {
            prop_assert!(weight(new) <= weight(old));
        }
        prop_assert!(judge.runs <= MAX_RUNS);
    }

    #[test]
    fn parts_are_found_by_their_numbers(term in any_term()) {
        for number in 0..part_count(&term) {
            let own = part(&term, number).cloned();
            prop_assert!(own.is_some());
            let again = own.and_then(|it| with_part(&term, number, it));
            prop_assert_eq!(again, Some(term.clone()));
        }
        prop_assert_eq!(part(&term, part_count(&term)), None);
    }
}
