//! The tests of one function, checked on the original code.

use erlang_term::Term;
use flattener::flat::{TailForm, to_ast};
use flattener::{Detail, print_module};
use trace_engine::explore::{Gap, Test};

use super::assertion::Assertion;
use super::input_source::{ArgumentSource, source};
use super::test_names;
use crate::entry::Entry;
use crate::exploration::Exploration;
use crate::explored_code::ExploredCode;
use crate::original_code::OriginalCode;
use crate::outcome::Outcome;
use crate::printed_value::Shape;
use crate::printed_value::read_shape;
use crate::searched::Searched;

/// How often an input is run again if the program calls something opaque, which may depend on the
/// time or a random number.
const REPEATED: usize = 4;

/// An input and what is written about it.
#[derive(Debug)]
pub(super) struct TestCase {
    /// The call, as source.
    pub(super) call: String,
    pub(super) has_funs: bool,
    /// Variables that are bound before the assertion.
    pub(super) bindings: Vec<String>,
    pub(super) kind: CaseKind,
}

/// What is written about an input.
#[derive(Debug)]
pub(super) enum CaseKind {
    /// A test of what the code does.
    Test { name: String, assertion: Assertion },
    /// A test of a crash.
    Finding { name: String, assertion: Assertion },
    /// A call that would take too long or end the node, as a comment.
    NotRun { name: String, why: &'static str },
    /// An input without a test, as a comment.
    Skipped { why: &'static str },
}

/// The cases of a search: the shortest inputs first, and findings last.
pub(super) fn test_cases<C: OriginalCode>(
    exploration: &Exploration<'_>,
    search: &Searched,
    original: &mut C,
) -> Result<Vec<TestCase>, C::Failure> {
    let is_opaque = |gap: &Gap| matches!(gap, Gap::OpaqueCall(_) | Gap::Divergence);
    let times = if search.report.gaps.keys().any(is_opaque) {
        REPEATED
    } else {
        1
    };
    let tests = search.report.tests.iter();
    let mut tests: Vec<(Vec<Term>, Vec<String>, &Test<Outcome>)> = tests
        .filter(|test| !test.diverged && !matches!(test.outcome, Outcome::Blocked(_)))
        .map(|test| (test.arguments.terms(), test))
        .filter(|(terms, test)| exploration.is_reported(terms, &test.outcome))
        .map(|(terms, test)| {
            let texts = terms.iter().map(source).collect();
            (terms, texts, test)
        })
        .collect();
    tests.sort_by_cached_key(|(_, texts, test)| {
        let length: usize = texts.iter().map(String::len).sum();
        (test.outcome.is_finding(), length, texts.clone())
    });
    tests.dedup_by(|one, other| one.1 == other.1);
    let mut cases = Vec::with_capacity(tests.len());
    for (terms, texts, test) in tests {
        let has_funs = terms.iter().any(Term::has_funs);
        let outcome = checked(search, &terms, &test.outcome, times, original)?;
        let arguments = ArgumentSource::new(&terms);
        let kind = match outcome {
            Ok(outcome) => kind(exploration, search, &terms, &arguments.texts, &outcome),
            Err(why) => CaseKind::Skipped { why },
        };
        cases.push(TestCase {
            bindings: arguments.bindings,
            call: search.entry.call(&texts),
            has_funs,
            kind,
        });
    }
    Ok(cases)
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
pub(super) fn leaves_traces(code: &ExploredCode<'_>, entry: &Entry) -> bool {
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
        Outcome::Timeout | Outcome::Killed | Outcome::WorkerDied | Outcome::Blocked(_) => false,
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
                return Ok(Err("it does not end the same way every time"));
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

/// Whether two runs ended in the same way, as far as a test can tell.
fn is_same(one: &Outcome, other: &Outcome) -> bool {
    match (one, other) {
        (Outcome::Ok(one), Outcome::Ok(other)) => is_same_value(one, other),
        (
            Outcome::Exception { class, reason, .. },
            Outcome::Exception {
                class: other_class,
                reason: other_reason,
                ..
            },
        ) => class == other_class && is_same_value(reason, other_reason),
        (
            Outcome::Ok(_)
            | Outcome::Exception { .. }
            | Outcome::Timeout
            | Outcome::Killed
            | Outcome::WorkerDied
            | Outcome::Blocked(_),
            _,
        ) => false,
    }
}

fn is_same_value(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let shape = read_shape(one);
    shape.is_some() && shape == read_shape(other)
}

fn kind(
    exploration: &Exploration<'_>,
    search: &Searched,
    terms: &[Term],
    texts: &[String],
    outcome: &Outcome,
) -> CaseKind {
    let shape = |term: &Term| read_shape(&term.to_string());
    let arguments: Vec<Option<Shape>> = terms.iter().map(shape).collect();
    let function = search.entry.function.name.as_str();
    let named =
        |verb: &str, object: Option<&Shape>| test_names::name(function, &arguments, verb, object);
    let plain = search.entry.call(texts);
    // The postcondition itself may raise.
    let check = exploration.check_of(texts, &plain);
    let (name, assertion) = match outcome {
        Outcome::Ok(text) => {
            let name = named("returns", read_shape(text).as_ref());
            (name, Assertion::new(outcome, &plain))
        }
        Outcome::Exception { .. } if outcome.breaks_postcondition() => (
            named("breaks_its_postcondition", None),
            check.map(Assertion::broken),
        ),
        Outcome::Exception { class, reason, .. } => {
            let verb = match class.as_str() {
                "exit" => "exits_with",
                "throw" => "throws",
                _ => "raises",
            };
            let reason = read_shape(reason).map(tag);
            let call = check.unwrap_or(plain);
            (named(verb, reason.as_ref()), Assertion::new(outcome, &call))
        }
        Outcome::Timeout => return not_run(named("ends", None), "takes too long"),
        Outcome::Killed => return not_run(named("ends", None), "takes too much memory"),
        Outcome::WorkerDied => return not_run(named("ends", None), "brings the BEAM down"),
        Outcome::Blocked(_) => {
            return CaseKind::Skipped {
                why: "one of its calls was refused",
            };
        }
    };
    match assertion {
        Some(assertion) if outcome.is_finding() => CaseKind::Finding { name, assertion },
        Some(assertion) => CaseKind::Test { name, assertion },
        None => CaseKind::Skipped {
            why: "its result cannot be written as Erlang source",
        },
    }
}

fn not_run(name: String, why: &'static str) -> CaseKind {
    CaseKind::NotRun { name, why }
}

/// The part of a reason that names it: `badmatch` of `{badmatch,7}`.
fn tag(reason: Shape) -> Shape {
    match reason {
        Shape::Tuple(elements) if matches!(elements.first(), Some(Shape::Atom(_))) => {
            let first = elements.into_iter().next();
            first.unwrap_or(Shape::Tuple(Vec::new()))
        }
        other @ (Shape::Number(_)
        | Shape::Atom(_)
        | Shape::Text(_)
        | Shape::Bits(_)
        | Shape::List(..)
        | Shape::Tuple(_)
        | Shape::Map(_)
        | Shape::Unknown(_)) => other,
    }
}
