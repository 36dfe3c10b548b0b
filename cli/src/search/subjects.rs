//! The functions to search, with the inputs to start with.

use std::collections::{HashMap, HashSet};

use diagnostic::Diagnostic;
use erlang_term::{Atom, Integer, Term};
use flattener::flat::{Function, FunctionId};
use reports::{Entry, SkipReason, SkippedFunction, argument_names, argument_texts, callees};
use solver::types::Signature;
use solver::{Limits as SolverLimits, Shortcuts};
use trace_engine::explore::{KeptPaths, Task};

use crate::failure::Failure;
use crate::program::entry::Chosen;
use crate::program::target::{Start, Target};
use crate::search::depth::usual_depth;
use crate::search::unit_tests::UnitTests;
use crate::sources::front_end::FrontEnd;
use crate::sources::specs;
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

/// How to prepare subjects.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Preparation {
    pub(crate) ignore_specs: bool,
    pub(crate) term_depth: Option<u32>,
    /// Whether a report shows the paths of tests.
    pub(crate) keep_paths: bool,
    pub(crate) shortcuts: Shortcuts,
}

/// Prepares the functions that the user chose. It is an error if none of them can be searched.
pub(crate) fn prepare(
    front_end: &FrontEnd,
    target: &Target,
    preparation: Preparation,
    tests: Option<&UnitTests>,
) -> Result<(Vec<Subject>, Vec<SkippedFunction>), Failure> {
    let mut signatures = if preparation.ignore_specs {
        HashMap::new()
    } else {
        all_signatures(front_end, target)?
    };
    let mut subjects = Vec::new();
    let mut skipped = Vec::new();
    for Chosen { entry, is_named } in &target.chosen {
        let entry = entry.clone();
        let signature = signatures.remove(&(entry.module.clone(), entry.function.clone()));
        if signature.is_none() && !is_named && !preparation.ignore_specs {
            let why = SkipReason::NoSpec;
            skipped.push(SkippedFunction { entry, why });
            continue;
        }
        let mut seeds = seeds(target, &entry, signature.as_ref());
        if let Some(tests) = tests {
            add_inputs_of_tests(tests, &entry, signature.as_ref(), &mut seeds);
        }
        if seeds.is_empty() {
            let why = SkipReason::NoInput;
            skipped.push(SkippedFunction { entry, why });
            continue;
        }
        let start = target.instrumented_start(&entry)?;
        let own_depth = || usual_depth(&seeds, functions(target, &start));
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
            paths: preparation.keep_paths.then(|| KeptPaths {
                modules: target.own_modules,
                names: argument_names(&target.program, &entry),
            }),
        };
        subjects.push(Subject { entry, start, task });
    }
    if subjects.is_empty() {
        return Err(nothing_left(&skipped).into());
    }
    Ok((subjects, skipped))
}

/// All functions of the modules that the entry may call, or of all modules of the user if there are
/// conditions. One function of a module often has values that another looks for.
fn functions<'target>(
    target: &'target Target,
    start: &Start,
) -> impl Iterator<Item = &'target Function> {
    let called = callees(&target.program, target.own_modules, start.number);
    let called: HashSet<usize> = called.into_iter().map(|number| number.0).collect();
    let modules = target.program.modules().iter().enumerate();
    let modules = modules.take(target.own_modules);
    let met =
        modules.filter(move |(number, _)| target.contract.is_some() || called.contains(number));
    met.flat_map(|(_, module)| &module.flat.functions)
}

/// The signatures of the chosen functions. Each module is read once.
fn all_signatures(
    front_end: &FrontEnd,
    target: &Target,
) -> Result<HashMap<(Atom, FunctionId), Signature>, Failure> {
    let mut modules: Vec<(&Atom, Vec<FunctionId>)> = Vec::new();
    for Chosen { entry, .. } in &target.chosen {
        let function = entry.function.clone();
        match modules.iter_mut().find(|it| *it.0 == entry.module) {
            Some((_, functions)) => functions.push(function),
            None => modules.push((&entry.module, vec![function])),
        }
    }
    let sources = target.source_paths();
    let mut all = HashMap::new();
    for (module, functions) in modules {
        let Some(path) = target.source_of(module) else {
            continue;
        };
        let signatures = specs::signatures(front_end, &functions, &path, &sources)?;
        for (function, signature) in functions.into_iter().zip(signatures) {
            if let Some(signature) = signature {
                all.insert((module.clone(), function), signature);
            }
        }
    }
    Ok(all)
}

/// The inputs of the user, or else the simplest ones; none if no input can be made.
fn seeds(target: &Target, entry: &Entry, signature: Option<&Signature>) -> Vec<Vec<Term>> {
    let lists = target.arguments.iter();
    let named: Vec<Vec<Term>> = lists
        .map(|list| list.as_list().unwrap_or_default().to_vec())
        .collect();
    let Some(signature) = signature else {
        let arity = entry.function.arity as usize;
        let zeros = vec![Term::Integer(Integer::from(0)); arity];
        return if named.is_empty() { vec![zeros] } else { named };
    };
    for arguments in named.iter().filter(|it| !signature.admits(it)) {
        let texts = argument_texts(arguments).join(", ");
        let title = format!("the input ({texts}) does not match the spec of the entry");
        render::show(&[Diagnostic::warning("not-in-spec", title)
            .help("it is run anyway; --no-spec ignores the spec")]);
    }
    if named.is_empty() {
        signature.simplest()
    } else {
        named
    }
}

/// Puts the inputs of the user's tests first. Inputs outside of the spec test what happens then, and
/// are skipped.
fn add_inputs_of_tests(
    tests: &UnitTests,
    entry: &Entry,
    signature: Option<&Signature>,
    seeds: &mut Vec<Vec<Term>>,
) {
    let inputs = tests.inputs_of(&entry.module, &entry.function).iter();
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
    Diagnostic::error("no-input", title)
        .help("pids, ports and references cannot be made; --no-spec ignores the spec")
}
