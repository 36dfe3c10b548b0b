//! Sequences as tests for EUnit: which of them become tests, and whether they still end as they did.

use std::collections::BTreeSet;

use erlang_term::Term;

use super::test_case::{CaseKind, TestCase};
use crate::checked_tests::ends_alike;
use crate::original_code::OriginalCode;
use crate::outcome::Outcome;
use crate::searched::Searched;

/// What is written about a sequence whose end has no assertion.
pub(super) const NO_END: CaseKind = CaseKind::Skipped {
    why: "its end cannot be asserted",
};

/// The numbers of the tests that reached a clause first, or crash at a place where no other did.
pub(super) fn telling_tests(search: &Searched) -> BTreeSet<usize> {
    let mut chosen = BTreeSet::new();
    let mut crashes = BTreeSet::new();
    for (number, test) in search.report.tests.iter().enumerate() {
        let is_first = search.new_clauses.get(number).is_some_and(|it| *it > 0);
        let outcome = &test.outcome.of_entry;
        let is_new = outcome.is_finding() && crashes.insert(format!("{:?}", outcome.stack()));
        if is_first || is_new {
            chosen.insert(number);
        }
    }
    chosen
}

/// The cases of these tests of a search: short sequences first, and findings last. What is written
/// about one that ends as it did is made from its arguments and its end. Some are left out, and a
/// reason is written.
pub(super) fn played_cases<C: OriginalCode>(
    search: &Searched,
    chosen: &BTreeSet<usize>,
    original: &mut C,
    left_out: impl Fn(&mut C, &[Term]) -> Option<&'static str>,
    written: impl Fn(&mut C, &[Term], &Outcome) -> CaseKind,
) -> Result<Vec<TestCase>, C::Failure> {
    let tests = chosen.iter();
    let tests = tests.filter_map(|number| search.report.tests.get(*number));
    let tests = tests.filter(|it| it.schedule.is_none());
    let tests = tests.map(|it| (it.arguments.terms(), &it.outcome.of_entry));
    let mut tests: Vec<(Vec<Term>, &Outcome)> = tests.collect();
    tests.sort_by_cached_key(|(arguments, outcome)| {
        let texts = search.entry.arguments(arguments);
        (outcome.is_finding(), texts.len(), texts)
    });
    let mut cases = Vec::with_capacity(tests.len());
    for (arguments, outcome) in tests {
        let list = Term::list(arguments.clone());
        let now = match left_out(original, &arguments) {
            Some(why) => Err(why),
            None => Ok(original.run(&search.entry, list)?),
        };
        let kind = match now {
            Err(why) => CaseKind::Skipped { why },
            Ok(None) => CaseKind::Skipped {
                why: "there was no time to check it",
            },
            Ok(Some(now)) if !end_alike(&now, outcome) => CaseKind::Skipped {
                why: "it ended in another way when it was run again",
            },
            Ok(Some(now)) => written(original, &arguments, &now),
        };
        cases.push(TestCase {
            call: search.entry.call(&search.entry.arguments(&arguments)),
            has_funs: arguments.iter().any(Term::has_funs),
            bindings: Vec::new(),
            note: Vec::new(),
            kind,
        });
    }
    Ok(cases)
}

/// Whether two runs return, or raise the same.
fn end_alike(one: &Outcome, other: &Outcome) -> bool {
    matches!((one, other), (Outcome::Ok(_), Outcome::Ok(_))) || ends_alike(one, other)
}

/// The letters and digits of a text, with one `_` for what is between them.
pub(super) fn plain(text: &str) -> String {
    let words = text.split(|it: char| !it.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|it| !it.is_empty()).collect();
    words.join("_").to_lowercase()
}
