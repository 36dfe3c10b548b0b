//! The tests of one function for EUnit.

use erlang_term::Term;

use super::assertion::Assertion;
use super::test_names;
use crate::checked_tests::{CheckedTest, FUN_CONTRACT, checked_tests};
use crate::exploration::Exploration;
use crate::language::Language;
use crate::original_code::OriginalCode;
use crate::outcome::Outcome;
use crate::printed_value::Shape;
use crate::printed_value::read_shape;
use crate::searched::Searched;
use crate::wording::Wording;

/// An input and what is written about it.
#[derive(Debug)]
pub(super) struct TestCase {
    /// The call, as source.
    pub(super) call: String,
    pub(super) has_funs: bool,
    /// Variables that are bound before the assertion.
    pub(super) bindings: Vec<String>,
    /// Lines about what its processes do, below it.
    pub(super) note: Vec<String>,
    pub(super) kind: CaseKind,
}

/// What is written about an input.
#[derive(Debug)]
pub(super) enum CaseKind {
    /// A test of what the code does.
    Test { name: String, assertion: Assertion },
    /// A test of a crash.
    Finding { name: String, assertion: Assertion },
    /// A script that plays a machine.
    Play {
        name: String,
        /// Its expressions.
        lines: Vec<String>,
        is_finding: bool,
    },
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
    let tests = checked_tests(exploration, search, original)?;
    Ok(tests
        .into_iter()
        .map(|test| test_case(exploration, search, test))
        .collect())
}

fn test_case(exploration: &Exploration<'_>, search: &Searched, test: CheckedTest) -> TestCase {
    let CheckedTest {
        terms,
        texts,
        arguments,
        ending,
        note,
    } = test;
    let kind = match ending {
        Ok(outcome) => kind(exploration, search, &terms, &arguments.texts, &outcome),
        Err(why) => CaseKind::Skipped { why },
    };
    TestCase {
        bindings: arguments.bindings,
        note: note.0,
        call: search.entry.call(&texts),
        has_funs: terms.iter().any(Term::has_funs),
        kind,
    }
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
    let wording = Wording::in_language(Language::Erlang, None);
    // The postcondition itself may raise.
    let check = exploration.check_of(&wording, texts, &plain);
    let (name, assertion) = match outcome {
        Outcome::Ok(text) => {
            let name = named("returns", read_shape(text).as_ref());
            (name, Assertion::new(outcome, &plain))
        }
        Outcome::Exception { .. } if outcome.broken_fun_contract().is_some() => {
            return CaseKind::Skipped { why: FUN_CONTRACT };
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
        Outcome::Deadlock { .. } => return not_run(named("ends", None), "waits for ever"),
        Outcome::Blocked(_) => {
            return CaseKind::Skipped {
                why: "one of its calls was refused",
            };
        }
        Outcome::Steps => {
            return CaseKind::Skipped {
                why: "its processes take too many steps",
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
