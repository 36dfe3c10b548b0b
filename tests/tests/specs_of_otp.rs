//! No input is outside the spec of the function it was made for: functions of OTP are explored,
//! and two checkers that are not ours look at all inputs (`erlang/spec_check.erl`).

use std::fmt::Write;
use std::fs;
use std::time::{Duration, Instant};

use end_to_end::erlang::{compile_folders, run_main, temporary_folder};
use end_to_end::exploring::{BeamExecutor, Explored, plan};
use end_to_end::otp;
use erlang_term::Term;
use erlconcolic::front_end::{FrontEnd, Settings};
use erlconcolic::specs::{OpaqueTypes, specs};
use erlconcolic::worker::Outcome;
use rayon::prelude::*;
use solver::NativeIntegers;
use solver::types::Signature;
use trace_engine::explore::{Report, Solvers};
use trace_format::Program;

const MODULES: [&str; 18] = [
    "array",
    "base64",
    "calendar",
    "dict",
    "gb_sets",
    "gb_trees",
    "lists",
    "maps",
    "orddict",
    "ordsets",
    "proplists",
    "queue",
    "sets",
    "sofs",
    "string",
    "unicode",
    "uri_string",
    "filename",
];

const RUNS: usize = 6;
const WANTED_FUNCTIONS: usize = 300;
/// A few functions are endless loops for some inputs, with questions that take very long.
const PATIENCE: Duration = Duration::from_secs(5);

/// The results of the functions of a module.
#[derive(Default)]
struct Inputs {
    functions: usize,
    /// Functions and the arguments they were called with, as `spec_check` reads them.
    text: String,
    problems: Vec<String>,
}

fn search(
    program: &Program,
    executor: &mut BeamExecutor<'_>,
    signature: Signature,
) -> Result<Report<Outcome>, String> {
    let mut plan = plan(5, RUNS);
    plan.task.seeds = signature.simplest();
    plan.task.signature = Some(signature);
    plan.options.max_decisions = 500;
    // Hundreds of searches in one process, each with a Z3 of its own, are too much for Z3.
    let solvers = || Solvers {
        integers: Box::new(NativeIntegers::default()),
        fallback: None,
    };
    executor.deadline = Some(Instant::now() + PATIENCE);
    plan.search(program, vec![executor], &solvers)
}

fn explore_module(application: &otp::Application, module: &str) -> Inputs {
    let path = application.source(module);
    let explored = Explored::new(path.clone());
    let front_end = FrontEnd::with_settings(Settings::default());
    let mut inputs = Inputs::default();
    let mut executor: Option<BeamExecutor<'_>> = None;
    let exports = explored.program.module(0).map(|it| it.flat.exports.clone());
    let exports = exports.unwrap_or_default();
    let found = specs(&front_end, &exports, &path, &[], OpaqueTypes::Open);
    let found = found.expect("the specs can be read");
    for (function, spec) in exports.iter().zip(found) {
        let name = function.name.as_str();
        let Some(spec) = spec else {
            continue;
        };
        let signature = spec.signature;
        if signature.simplest().is_empty() {
            continue;
        }
        let executor = executor.get_or_insert_with(|| explored.executor(name, function.arity));
        executor.set_function(name, function.arity);
        match search(&explored.program, executor, signature) {
            Ok(report) => {
                inputs.functions += 1;
                let lists = report.tests.iter();
                let lists = lists.map(|test| Term::list(test.arguments.terms()).to_string());
                let lists = lists.collect::<Vec<_>>().join(", ");
                let arity = function.arity;
                let _ = writeln!(
                    inputs.text,
                    "{{{{{module}, '{name}', {arity}}}, [{lists}]}}."
                );
                let divergences = report.statistics.divergences;
                if divergences > 0 {
                    let problem = format!("{module}:{name}/{arity}: {divergences} divergences");
                    inputs.problems.push(problem);
                }
            }
            Err(error) => inputs.problems.push(format!("{module}:{name}: {error}")),
        }
    }
    inputs
}

#[test]
#[ignore = "takes a minute; `make slow-tests` runs it"]
fn inputs_are_inside_the_specs_of_otp() {
    let otp = otp::find(&["stdlib"]);
    let stdlib = otp.applications.first().expect("it was asked for");
    let modules = MODULES.par_iter().with_max_len(1);
    let all: Vec<Inputs> = modules.map(|it| explore_module(stdlib, it)).collect();
    let functions: usize = all.iter().map(|it| it.functions).sum();
    let problems: Vec<&String> = all.iter().flat_map(|it| &it.problems).collect();
    let text: String = all.iter().map(|it| it.text.as_str()).collect();
    let (tools, folder) = (compile_folders(&["erlang"]), temporary_folder());
    let file = folder.path().join("inputs");
    fs::write(&file, text).expect("the inputs can be written");
    let finished = run_main(tools.path(), "spec_check", &[&file]);
    let outside: Vec<&str> = finished
        .text
        .lines()
        .filter(|it| !it.contains(" 0 outside"))
        .collect();
    println!("{functions} functions");
    assert_eq!(finished.status, 0, "{}", outside.join("\n"));
    assert!(problems.is_empty(), "{problems:#?}");
    assert!(functions >= WANTED_FUNCTIONS, "only {functions}");
}
