//! Compares models of built-ins and library modules with the real ones on random arguments.

#[path = "models/arguments.rs"]
mod arguments;

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use arguments::arguments;

use end_to_end::elixir;
use end_to_end::erlang::{compile_folders, erlc, package_path, run_main, temporary_folder};
use end_to_end::exploring::rules_of_release;
use end_to_end::instrumented_otp::RUNTIME;
use end_to_end::otp;
use end_to_end::random_programs::Random;
use erlang_term::{Atom, Term, decode, encode};
use models::{Given, Model, NotUnderstood, try_call};
use solver::{AtomOrder, AtomTable, ReleaseRules, Zeros};

const CALLS: usize = 1_000;

/// Built-ins that older releases do not have: name, arity, and the first release.
const NEWER: [(&str, u32, u32); 2] = [("is_integer", 3, 29), ("mc_iterator", 1, 26)];

/// Whether the release on the PATH has a built-in.
fn is_here(model: &Model) -> bool {
    let is_it = |newer: &&(&str, u32, u32)| (newer.0, newer.1) == (model.name, model.arity);
    let newer = NEWER.iter().find(is_it);
    newer.is_none_or(|(_, _, release)| *release <= otp::release())
}

/// The same value, with the pairs of maps in a fixed order.
fn sorted(term: &Term) -> Term {
    match term {
        Term::List(elements, tail) => {
            let tail = tail.as_deref().map(|it| Box::new(sorted(it)));
            Term::List(elements.iter().map(sorted).collect(), tail)
        }
        Term::Tuple(elements) => Term::Tuple(elements.iter().map(sorted).collect()),
        Term::Map(pairs) => {
            let pairs = pairs
                .iter()
                .map(|(key, value)| (sorted(key), sorted(value)));
            let mut pairs: Vec<(Term, Term)> = pairs.collect();
            pairs.sort_by_cached_key(|pair| (encode(&positive(&pair.0)), encode(&pair.0)));
            Term::Map(pairs)
        }
        Term::Integer(_)
        | Term::Float(_)
        | Term::Atom(_)
        | Term::Bits(..)
        | Term::ExternalFun(_)
        | Term::TableFun(_) => term.clone(),
    }
}

/// A key without the sign of a zero.
fn positive(key: &Term) -> Term {
    if *key == Term::Float(-0.0) {
        Term::Float(0.0)
    } else {
        key.clone()
    }
}

/// Whether two results are the same. Zeros may have different signs where these make no difference.
fn is_same(rules: &ReleaseRules, taken: Option<&Term>, real: Option<&Term>) -> bool {
    let (taken, real) = (taken.map(sorted), real.map(sorted));
    match rules.zeros {
        Zeros::Equal => taken == real,
        Zeros::Different => taken.map(|it| encode(&it)) == real.map(|it| encode(&it)),
    }
}

/// The results of the real ones, and the rules of the BEAM that called them.
fn real_results(calls: &[(&str, &str, Vec<Term>)]) -> (ReleaseRules, Vec<Option<Term>>) {
    let tools = compile_folders(&["erlang_tools"]);
    let runtime = "../erlang-support/apps/erlconcolic_rt/src/runtime/erlconcolic_decimals.erl";
    erlc(tools.path(), [], &[package_path(runtime)]);
    let folder = temporary_folder();
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    let calls = calls.iter().map(|(module, name, arguments)| {
        let arguments = Term::list(arguments.clone());
        Term::Tuple(vec![Term::atom(module), Term::atom(name), arguments])
    });
    fs::write(&input, encode(&Term::list(calls))).expect("the calls can be written");
    let finished = run_main(tools.path(), "real_builtins", &[&input, &output]);
    assert_eq!(finished.status, 0, "{}", finished.text);
    let written = decode(&fs::read(output).expect("there are results")).expect("a tuple");
    let Some([atoms, results]) = written.as_tuple() else {
        panic!("not atoms and results");
    };
    let atoms = atoms.as_list().expect("a list").iter();
    let atoms = atoms.filter_map(|it| it.as_atom().map(Atom::new)).collect();
    let mut rules = rules_of_release();
    if let AtomOrder::Unasked(_) = rules.atoms {
        rules.atoms = AtomOrder::OfBeam(Arc::new(AtomTable::new(atoms)));
    }
    let results = results.as_list().expect("a list").iter();
    let results = results
        .map(|result| Some(result.as_tuple()?.get(1)?.clone()))
        .collect();
    (rules, results)
}

#[test]
fn models_of_built_ins_do_what_the_built_ins_do() {
    let mut random = Random::new(20_261_115);
    let mut calls = Vec::new();
    for model in models::all()
        .iter()
        .filter(|it| it.is_computed() && is_here(it))
    {
        for _ in 0..CALLS {
            let arguments = arguments(&mut random, model.name, model.arity);
            calls.push((model.module, model.name, arguments));
        }
    }
    let mut problems = Vec::new();
    let (mut returned, mut raised) = (0, 0);
    let mut unknown: BTreeMap<&str, usize> = BTreeMap::new();
    let (rules, results) = real_results(&calls);
    for ((module, name, arguments), real) in calls.iter().zip(results) {
        let call = || {
            let arguments = arguments.iter().map(ToString::to_string);
            let arguments = arguments.collect::<Vec<_>>().join(", ");
            format!("{module}:'{name}'({arguments})")
        };
        for given in [Given::Constants, Given::Inputs] {
            match try_call(module, name, arguments, given, &rules) {
                Ok(taken) if is_same(&rules, taken.as_ref(), real.as_ref()) => match real {
                    Some(_) => returned += 1,
                    None => raised += 1,
                },
                Ok(taken) => problems.push(format!("{}: {real:?}, not {taken:?}", call())),
                Err(NotUnderstood) => *unknown.entry(*name).or_default() += 1,
            }
        }
    }
    println!("{returned} returned, {raised} raised, {unknown:?} not understood");
    problems.truncate(40);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    // The engine does not know which atoms exist; the compiler writes tag and size of records; and
    // only plain atoms in UTF-8 are understood.
    unknown.retain(|name, _| !name.ends_with("_to_existing_atom"));
    unknown.retain(|name, _| !["binary_to_atom", "is_record"].contains(name));
    let rarely = unknown.values().all(|count| *count * 10 < 2 * CALLS);
    assert!(rarely, "not understood: {unknown:?}");
}

#[test]
fn models_of_library_modules_do_what_the_modules_do() {
    let tools = compile_folders(&["erlang_tools", RUNTIME]);
    let models = package_path("../erlang-support/models");
    let models = fs::read_dir(models).expect("the models are there");
    let mut models: Vec<_> = models
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    let has_elixir = elixir::is_installed();
    models.retain(|it| has_elixir || !it.to_string_lossy().contains("Elixir."));
    let count = models.len();
    models.extend(has_elixir.then(elixir::library));
    let finished = run_main(tools.path(), "library_models", &models);
    assert_eq!(finished.status, 0, "{}", finished.text);
    assert_eq!(finished.text.lines().count(), count);
}
