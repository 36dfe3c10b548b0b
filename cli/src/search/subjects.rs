//! The functions to search, with the inputs to start with.

use diagnostic::Diagnostic;
use erlang_term::{Integer, Term};
use reports::{Entry, EntryKind, SkipReason, SkippedFunction, Undeclared, Wording, argument_names};
use solver::types::{Alternative, Signature, TypeId};
use solver::{Limits as SolverLimits, Shortcuts};
use trace_engine::explore::{KeptPaths, Task};

use crate::failure::Failure;
use crate::program::entry::Chosen;
use crate::program::target::{Start, Target};
use crate::search::depth::usual_depth;
use crate::search::reached_functions::reached_functions;
use crate::search::unit_tests::UnitTests;
use crate::sources::front_end::FrontEnd;
use crate::sources::specs::Spec;
use crate::terminal::render;

/// How many cases the solver may try for one question.
const CASES: u32 = 2_000;

/// A function to search.
#[derive(Debug)]
pub(crate) struct Subject {
    pub(crate) entry: Entry,
    pub(crate) start: Start,
    pub(crate) task: Task,
}

impl Subject {
    /// How many events or calls a sequence has at most; `None` if the input is no sequence.
    pub(crate) fn length(&self) -> Option<usize> {
        let inputs = self.task.seeds.first().map_or(0, Vec::len);
        match self.entry.kind {
            EntryKind::Function => None,
            // The first one is the argument of `init/1`.
            EntryKind::Machine(_) => Some(inputs.saturating_sub(1)),
            EntryKind::Calls => Some(inputs),
        }
    }

    /// What of the input of a machine may be any term; nothing if it is none.
    pub(crate) fn undeclared(&self) -> Undeclared {
        if self.entry.behaviour().is_none() {
            return Undeclared::default();
        }
        let Some(Signature { types, clauses }) = &self.task.signature else {
            return Undeclared {
                argument: true,
                events: true,
            };
        };
        let part = |number| clauses.first().and_then(|it| it.get(number));
        let is_any = |id: &TypeId| types.alternatives(*id).contains(&Alternative::Any);
        let forms = part(1).map_or(&[][..], |it| types.alternatives(*it));
        Undeclared {
            argument: part(0).is_some_and(is_any),
            events: forms.iter().any(
                |form| matches!(form, Alternative::Tuple(parts) if parts.last().is_some_and(is_any)),
            ),
        }
    }
}

/// How to prepare subjects.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Preparation {
    pub(crate) ignore_specs: bool,
    pub(crate) term_depth: Option<u32>,
    /// Whether there may be nothing to search, as in a shard.
    pub(crate) may_be_empty: bool,
    /// Whether a report shows the paths of tests.
    pub(crate) keep_paths: bool,
    pub(crate) shortcuts: Shortcuts,
}

/// Prepares the functions that the user chose. It is an error if none of them can be searched, unless
/// there may be none.
pub(crate) fn prepare(
    front_end: &FrontEnd,
    target: &Target,
    preparation: Preparation,
    tests: Option<&UnitTests>,
) -> Result<(Vec<Subject>, Vec<SkippedFunction>), Failure> {
    let mut subjects = Vec::new();
    let mut skipped = Vec::new();
    for Chosen { entry, is_named } in &target.chosen {
        let entry = entry.clone();
        let spec = target.spec(&entry);
        let signature = spec.map(|it| it.signature.clone());
        if signature.is_none() && !is_named && !preparation.ignore_specs {
            let why = SkipReason::NoSpec;
            skipped.push(SkippedFunction { entry, why });
            continue;
        }
        let mut seeds = seeds(front_end, target, &entry, spec)?;
        if let Some(tests) = tests {
            add_inputs_of_tests(tests, &entry, spec.map(|it| &it.signature), &mut seeds);
        }
        if seeds.is_empty() {
            let unmade = spec.map(|it| it.unmade.clone());
            let why = SkipReason::NoInput(unmade.unwrap_or_default());
            skipped.push(SkippedFunction { entry, why });
            continue;
        }
        let start = target.instrumented_start(&entry)?;
        let calls = u32::from(entry.kind == EntryKind::Calls);
        let own_depth = || usual_depth(&seeds, &reached_functions(target, &entry)) + calls;
        let limits = SolverLimits {
            term_depth: preparation.term_depth.unwrap_or_else(own_depth),
            cases: CASES,
            shortcuts: preparation.shortcuts,
        };
        let task = Task {
            entry: start.number,
            seeds,
            signature,
            limits,
            marks: target.marks().filter(|_| !entry.is_function()),
            paths: preparation.keep_paths.then(|| KeptPaths {
                modules: target.own_modules,
                names: argument_names(&target.program, &entry),
            }),
        };
        subjects.push(Subject { entry, start, task });
    }
    if subjects.is_empty() && !preparation.may_be_empty {
        return Err(nothing_left(&skipped).into());
    }
    Ok((subjects, skipped))
}

/// The inputs of the user, or else the simplest ones; none if no input can be made.
fn seeds(
    front_end: &FrontEnd,
    target: &Target,
    entry: &Entry,
    spec: Option<&Spec>,
) -> Result<Vec<Vec<Term>>, Failure> {
    let lists = target.arguments.iter();
    let named: Vec<Vec<Term>> = lists
        .map(|list| list.as_list().unwrap_or_default().to_vec())
        .collect();
    let Some(Spec { signature, .. }) = spec else {
        let arity = entry.function.arity as usize;
        let zeros = vec![Term::Integer(Integer::from(0)); arity];
        return Ok(if named.is_empty() { vec![zeros] } else { named });
    };
    if named.is_empty() {
        return Ok(signature.simplest());
    }
    warn_about(&named, front_end, target, entry, signature)?;
    Ok(named)
}

/// Warns about inputs that are not of the right types. The user may know what values of an opaque
/// type look like.
fn warn_about(
    inputs: &[Vec<Term>],
    front_end: &FrontEnd,
    target: &Target,
    entry: &Entry,
    signature: &Signature,
) -> Result<(), Failure> {
    let strange = |signature: &Signature, inputs: Vec<Vec<Term>>| -> Vec<Vec<Term>> {
        let inputs = inputs.into_iter();
        inputs.filter(|it| !signature.admits(it)).collect()
    };
    let mut left = strange(signature, inputs.to_vec());
    if !left.is_empty()
        && let Some(open) = target.open_spec(front_end, entry)?
    {
        left = strange(&open.signature, left);
    }
    for arguments in left {
        let texts = Wording::of(entry, Some(&target.program)).values(&entry.arguments(&arguments));
        let texts = texts.join(", ");
        let title = format!("the input ({texts}) does not match the spec of the entry");
        render::show(&[Diagnostic::warning("not-in-spec", title)
            .help("it is run anyway; --no-spec ignores the spec")]);
    }
    Ok(())
}

/// Puts the inputs of the user's tests first. Inputs outside of the spec test what happens then, and
/// are skipped.
fn add_inputs_of_tests(
    tests: &UnitTests,
    entry: &Entry,
    signature: Option<&Signature>,
    seeds: &mut Vec<Vec<Term>>,
) {
    let inputs = tests.inputs_of(entry).iter();
    let fitting = inputs.filter(|it| signature.is_none_or(|signature| signature.admits(it)));
    let mut all: Vec<Vec<Term>> = fitting.cloned().collect();
    let usual = std::mem::take(seeds).into_iter();
    let usual: Vec<Vec<Term>> = usual.filter(|it| !all.contains(it)).collect();
    all.extend(usual);
    *seeds = all;
}

fn nothing_left(skipped: &[SkippedFunction]) -> Diagnostic {
    if skipped.iter().all(|it| it.why == SkipReason::NoSpec) {
        let title = "none of the exported functions has a spec";
        return Diagnostic::error("no-entry", title)
            .help("write specs, name functions with --entry, or explore all with --no-spec");
    }
    let title = match skipped {
        [_] => "no input can be made from the spec of the entry",
        _ => "no input can be made from the specs of the functions",
    };
    let mut unmade: Vec<&str> = Vec::new();
    for function in skipped {
        if let SkipReason::NoInput(names) = &function.why {
            unmade.extend(names.iter().map(String::as_str));
        }
    }
    unmade.sort_unstable();
    unmade.dedup();
    let error = Diagnostic::error("no-input", title);
    if unmade.is_empty() {
        return error.help("pids, ports and references cannot be made; --no-spec ignores the spec");
    }
    error.help(format!(
        "no exported function makes a value of {}; --break-opaque makes one up",
        unmade.join(", ")
    ))
}
