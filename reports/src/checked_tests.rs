//! The inputs of a search as tests, checked on the original code.

mod input_source;
mod other_ending;
mod same_ending;

use std::collections::HashSet;

use erlang_term::Term;
use flattener::flat::{TailForm, to_ast};
use flattener::{Detail, print_module};
use trace_engine::explore::Gap;

use crate::entry::Entry;
use crate::exploration::Exploration;
use crate::explored_code::ExploredCode;
use crate::original_code::OriginalCode;
use crate::outcome::Outcome;
use crate::searched::Searched;
pub(crate) use input_source::ArgumentSource;
use input_source::source;
pub(crate) use other_ending::OrderNote;
use other_ending::{OtherEndings, WrittenTest};
pub(crate) use same_ending::ends_alike;
use same_ending::is_same;

/// How often an input is run again if the program calls something opaque, which may depend on the
/// time or a random number.
const REPEATED: usize = 4;

/// Why an input is no test.
const DIFFERS: &str = "it does not end the same way every time";
/// Why a call is no test: code without checks of funs does something else.
pub(crate) const FUN_CONTRACT: &str = "it gives a fun something that is not of the fun's type";
const ORDER_MATTERS: &str = "how it ends depends on the order in which its processes go on";

/// An input, and how it ends on the original code.
#[derive(Debug)]
pub(crate) struct CheckedTest {
    /// The arguments.
    pub(crate) terms: Vec<Term>,
    /// The arguments as Erlang source.
    pub(crate) texts: Vec<String>,
    /// The same, with equal funs as variables.
    pub(crate) arguments: ArgumentSource,
    /// How it ends, or why it cannot be a test.
    pub(crate) ending: Result<Outcome, &'static str>,
    /// How it ends in one order of its steps, if it is no test because of its processes.
    pub(crate) note: OrderNote,
}

/// The inputs of a search: the shortest ones first, and findings last.
pub(crate) fn checked_tests<C: OriginalCode>(
    exploration: &Exploration<'_>,
    search: &Searched,
    original: &mut C,
) -> Result<Vec<CheckedTest>, C::Failure> {
    let is_opaque = |gap: &Gap| matches!(gap, Gap::OpaqueCall(_) | Gap::Divergence);
    let times = if search.report.gaps.keys().any(is_opaque) {
        REPEATED
    } else {
        1
    };
    let mut checked_tests = Vec::new();
    let tests = sorted(exploration, search);
    let mut others = OtherEndings::new(&tests);
    for (terms, texts, test) in each_once(tests) {
        let times = if test.schedule.is_some() {
            REPEATED
        } else {
            times
        };
        let found = &test.outcome.of_entry;
        let entry = &search.entry;
        let other = others.other(&texts);
        let mut note = |test| others.note(exploration, entry, test, original);
        let (ending, note) = if let Some(other) = other {
            (Err(ORDER_MATTERS), note(other))
        } else if test.outcome.is_finding() && !found.is_finding() {
            let why = "a process that it starts crashes, which a test would not see";
            (Err(why), note(test))
        } else if matches!(found, Outcome::Deadlock { .. }) {
            (Ok(found.clone()), note(test))
        } else {
            match checked(search, &terms, found, times, original)? {
                Err(DIFFERS) if test.schedule.is_some() => {
                    let note = others.note(exploration, entry, test, original);
                    (Err(ORDER_MATTERS), note)
                }
                ending => (ending, OrderNote::default()),
            }
        };
        checked_tests.push(CheckedTest {
            ending,
            note,
            arguments: ArgumentSource::new(&terms),
            terms,
            texts,
        });
    }
    Ok(checked_tests)
}

/// The first test with each input.
fn each_once(tests: Vec<WrittenTest<'_>>) -> Vec<WrittenTest<'_>> {
    let mut known = HashSet::new();
    let is_first = |test: &WrittenTest<'_>| known.insert(test.1.clone());
    tests.into_iter().filter(is_first).collect()
}

/// The tests with their arguments as terms and as source: the shortest ones first, and findings last.
fn sorted<'search>(
    exploration: &Exploration<'_>,
    search: &'search Searched,
) -> Vec<WrittenTest<'search>> {
    let tests = search.report.tests.iter();
    let mut tests: Vec<WrittenTest<'_>> = tests
        .filter(|test| !test.diverged && !matches!(test.outcome.of_entry, Outcome::Blocked(_)))
        .map(|test| (test.arguments.terms(), test))
        .filter(|(terms, test)| exploration.is_reported(search, terms, &test.outcome.of_entry))
        .map(|(terms, test)| {
            let texts = terms.iter().map(source).collect();
            (terms, texts, test)
        })
        .collect();
    tests.sort_by_cached_key(|(_, texts, test)| {
        let length: usize = texts.iter().map(String::len).sum();
        (test.outcome.is_finding(), length, texts.clone())
    });
    tests
}

/// If the text of a module contains one of these, a run may leave something in its process:
/// messages, entries in the dictionary, links.
const TRACES: [&str; 7] = [
    "'erlang':'!'",
    "'erlang':'send",
    "'erlang':'put'",
    "'erlang':'process_flag'",
    "'erlang':'spawn",
    "'erlang':'monitor",
    "'erlang':'link'",
];

/// Whether each test of a function needs a process of its own. Otherwise EUnit runs the tests of a
/// module one after another in one process.
pub(crate) fn leaves_traces(code: &ExploredCode<'_>, entry: &Entry) -> bool {
    let called = code.callees_of(entry);
    let mut modules: Vec<usize> = called.iter().map(|it| it.0).collect();
    modules.sort_unstable();
    modules.dedup();
    let mut texts = modules.iter().filter_map(|number| {
        let module = code.program.module(*number)?;
        let ast = to_ast(&module.flat, TailForm::Bound);
        Some(print_module(&ast, Detail::Full))
    });
    texts.any(|text| TRACES.iter().any(|it| text.contains(it)))
}

/// How an input ends on the original code; or why it cannot be a test.
fn checked<C: OriginalCode>(
    search: &Searched,
    arguments: &[Term],
    found: &Outcome,
    times: usize,
    original: &mut C,
) -> Result<Result<Outcome, &'static str>, C::Failure> {
    let is_run = match found {
        Outcome::Ok(_) | Outcome::Exception { .. } => true,
        Outcome::Timeout
        | Outcome::Killed
        | Outcome::WorkerDied
        | Outcome::Blocked(_)
        | Outcome::Deadlock { .. }
        | Outcome::Steps => false,
    };
    let mut last = found.clone();
    if is_run {
        for _ in 0..times {
            let run = original.run(&search.entry, Term::list(arguments.to_vec()))?;
            let Some(outcome) = run else {
                return Ok(Err("there was no time left to run it on the original code"));
            };
            last = outcome;
            if !is_same(found, &last) {
                return Ok(Err(DIFFERS));
            }
        }
    }
    if let Outcome::Exception { class, stack, .. } = &last
        && class == "exit"
        && stack.is_empty()
    {
        return Ok(Err("an exit signal ends it and would end the test too"));
    }
    Ok(Ok(last))
}
