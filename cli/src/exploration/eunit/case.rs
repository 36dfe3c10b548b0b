//! The tests of one function, checked on the code as it is.

use trace_engine::explore::{Gap, Test};

use erlang_term::Term;

use super::assertion::Assertion;
use super::input::{Arguments, source};
use super::names;
use super::shape::Shape;
use crate::contract::is_broken;
use crate::entry::Entry;
use crate::exploration::callees::callees;
use crate::exploration::findings::{Confirmation, is_finding};
use crate::exploration::progress::call;
use crate::exploration::{Exploration, Searched};
use crate::failure::Failure;
use crate::instrumented::flat_text;
use crate::target::Target;
use crate::worker::Outcome;

/// How often an input is run again if the program depends on what is not followed, which may be
/// the time or a random number.
const REPEATED: usize = 4;

/// An input and what is to be written about it.
#[derive(Debug)]
pub(super) struct Case {
    /// The call, as source.
    pub(super) call: String,
    pub(super) has_funs: bool,
    /// What stands before the assertion.
    pub(super) bindings: Vec<String>,
    pub(super) kind: Kind,
}

/// What is written about an input.
#[derive(Debug)]
pub(super) enum Kind {
    /// What the code does.
    Test { name: String, assertion: Assertion },
    /// What it does and should not.
    Finding { name: String, assertion: Assertion },
    /// It would take the node or much time with it.
    NotRun { name: String, why: &'static str },
    /// Nothing can be said about it.
    LeftOut { why: &'static str },
}

/// The cases of a search, those with the shortest inputs first, and findings last.
pub(super) fn cases(
    exploration: &Exploration<'_>,
    search: &Searched,
    confirmation: &mut Confirmation<'_>,
) -> Result<Vec<Case>, Failure> {
    let is_opaque = |gap: &Gap| matches!(gap, Gap::OpaqueCall(_) | Gap::Divergence);
    let times = if search.report.gaps.keys().any(is_opaque) {
        REPEATED
    } else {
        1
    };
    let tests = search.report.tests.iter();
    let mut tests: Vec<(Vec<Term>, Vec<String>, &Test<Outcome>)> = tests
        .filter(|test| !test.diverged && !matches!(test.outcome, Outcome::Blocked(_)))
        .map(|test| {
            let terms = test.arguments.terms();
            let texts = terms.iter().map(source).collect();
            (terms, texts, test)
        })
        .collect();
    tests.sort_by_cached_key(|(_, texts, test)| {
        let length: usize = texts.iter().map(String::len).sum();
        (is_finding(&test.outcome), length, texts.clone())
    });
    tests.dedup_by(|one, other| one.1 == other.1);
    let mut cases = Vec::with_capacity(tests.len());
    for (terms, texts, test) in tests {
        let has_funs = terms.iter().any(Term::has_funs);
        let outcome = checked(search, &terms, &test.outcome, times, confirmation)?;
        let arguments = Arguments::new(&terms);
        let kind = match outcome {
            Ok(outcome) => kind(exploration, search, &terms, &arguments.texts, &outcome),
            Err(why) => Kind::LeftOut { why },
        };
        cases.push(Case {
            bindings: arguments.bindings,
            call: call(&search.entry, &texts),
            has_funs,
            kind,
        });
    }
    Ok(cases)
}

/// What the text of a module has in it if a run may leave something behind in its process:
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

/// Whether tests of a function need processes of their own. EUnit runs those of a module one after
/// another in one process.
pub(super) fn leaves_traces(target: &Target, search: &Searched) -> bool {
    let Entry { module, function } = &search.entry;
    let Some(entry) = target.program.exported(module, function) else {
        return false;
    };
    let called = callees(&target.program, target.own_modules, entry);
    let mut modules: Vec<usize> = called.iter().map(|it| it.0).collect();
    modules.sort_unstable();
    modules.dedup();
    let mut texts = modules.iter().filter_map(|number| {
        let module = target.program.module(*number)?;
        Some(flat_text(&module.flat))
    });
    texts.any(|text| TRACES.iter().any(|it| text.contains(it)))
}

/// How an input ends on the code as it is; or why it is no test.
fn checked(
    search: &Searched,
    arguments: &[Term],
    found: &Outcome,
    times: usize,
    confirmation: &mut Confirmation<'_>,
) -> Result<Result<Outcome, &'static str>, Failure> {
    let is_run = match found {
        Outcome::Ok(_) | Outcome::Exception { .. } => true,
        Outcome::Timeout | Outcome::Killed | Outcome::WorkerDied | Outcome::Blocked(_) => false,
    };
    let mut last = found.clone();
    if is_run {
        for _ in 0..times {
            last = confirmation.run(&search.entry, Term::list(arguments.to_vec()))?;
            if !is_same(found, &last) {
                return Ok(Err("it does not end in the same way each time"));
            }
        }
    }
    if let Outcome::Exception { class, stack, .. } = &last
        && class == "exit"
        && stack.is_empty()
    {
        return Ok(Err("a signal ends it, and would end the test too"));
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
    let shape = Shape::read(one);
    shape.is_some() && shape == Shape::read(other)
}

fn kind(
    exploration: &Exploration<'_>,
    search: &Searched,
    terms: &[Term],
    texts: &[String],
    outcome: &Outcome,
) -> Kind {
    let shape = |term: &Term| Shape::read(&term.to_string());
    let arguments: Vec<Option<Shape>> = terms.iter().map(shape).collect();
    let function = search.entry.function.name.as_str();
    let named =
        |verb: &str, object: Option<&Shape>| names::name(function, &arguments, verb, object);
    let plain = call(&search.entry, texts);
    let contract = exploration.target.contract.as_ref();
    // Exceptions may be those of the postcondition.
    let check = contract.and_then(|it| it.check_of(texts, &plain));
    let (name, assertion) = match outcome {
        Outcome::Ok(text) => {
            let name = named("returns", Shape::read(text).as_ref());
            (name, Assertion::new(outcome, &plain))
        }
        Outcome::Exception { reason, .. } if is_broken(reason) => (
            named("breaks_its_postcondition", None),
            check.map(Assertion::broken),
        ),
        Outcome::Exception { class, reason, .. } => {
            let verb = match class.as_str() {
                "exit" => "exits_with",
                "throw" => "throws",
                _ => "raises",
            };
            let reason = Shape::read(reason).map(tag);
            let call = check.unwrap_or(plain);
            (named(verb, reason.as_ref()), Assertion::new(outcome, &call))
        }
        Outcome::Timeout => return not_run(named("ends", None), "takes too long"),
        Outcome::Killed => return not_run(named("ends", None), "takes too much memory"),
        Outcome::WorkerDied => return not_run(named("ends", None), "brings the BEAM down"),
        Outcome::Blocked(_) => {
            return Kind::LeftOut {
                why: "it is refused a call",
            };
        }
    };
    match assertion {
        Some(assertion) if is_finding(outcome) => Kind::Finding { name, assertion },
        Some(assertion) => Kind::Test { name, assertion },
        None => Kind::LeftOut {
            why: "its value cannot be written",
        },
    }
}

fn not_run(name: String, why: &'static str) -> Kind {
    Kind::NotRun { name, why }
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
