//! `erlconcolic explore`: inputs for every path, and those that crash.

use std::io;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use erlang_term::{Integer, Term};
use trace_engine::explore::{Options, Strategy, explore};
use trace_engine::solver::{Limits as SolverLimits, Z3Integers};

use crate::arguments::{ExploreOptions, Format, StrategyChoice};
use crate::commands::print_result;
use crate::exploration::coverage::Coverage;
use crate::exploration::executor::BeamExecutor;
use crate::exploration::findings::findings;
use crate::exploration::{Exploration, human, json};
use crate::failure::Failure;
use crate::front_end::FrontEnd;
use crate::target::{Request, Target, allowed_calls};
use crate::worker::{HEAP_WORDS, Limits};

/// How many cases the solver may try for one question.
const CASES: u32 = 2_000;

pub(crate) fn run(options: &ExploreOptions) -> Result<ExitCode, Failure> {
    let start = Instant::now();
    let front_end = FrontEnd::new(&options.compilation)?;
    let limits = Limits {
        milliseconds: options.run_timeout,
        heap_words: HEAP_WORDS,
        allowed: allowed_calls(&options.allow)?,
    };
    let request = Request {
        sources: &options.sources,
        entry: &options.entry,
        arguments: &options.arguments,
        wire: None,
    };
    let target = Target::prepare(&request, &front_end)?;
    let deadline = start + Duration::from_secs(options.timeout);
    let mut executor = BeamExecutor::new(&target, limits.clone(), deadline)?;
    let mut integers = Z3Integers::default();
    let settings = Options {
        seeds: seeds(&target),
        limits: SolverLimits {
            term_depth: options.term_depth,
            cases: CASES,
        },
        strategy: strategy(options.strategy),
        seed: options.seed,
        max_runs: options.max_runs,
        first: options.first,
    };
    let entry = executor.entry();
    let report = explore(
        &target.program,
        entry,
        &mut executor,
        &mut integers,
        &settings,
    )?;
    let found = findings(&target, &front_end, &report.tests, &limits)?;
    let exploration = Exploration {
        coverage: Coverage::new(&target, &report),
        target: &target,
        report,
        findings: found,
        term_depth: options.term_depth,
        run_time: executor.run_time(),
        wall_time: start.elapsed(),
    };
    let text = match options.format {
        Format::Human => human::text(&exploration),
        Format::Json => format!("{:#}\n", json::object(&exploration)),
    };
    print_result(&mut io::stdout().lock(), [text])?;
    Ok(if exploration.findings.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn strategy(choice: StrategyChoice) -> Strategy {
    match choice {
        StrategyChoice::Coverage => Strategy::Coverage,
        StrategyChoice::Dfs => Strategy::DepthFirst,
        StrategyChoice::Bfs => Strategy::BreadthFirst,
        StrategyChoice::Random => Strategy::Random,
    }
}

/// The inputs that the user named, or else the simplest one.
fn seeds(target: &Target) -> Vec<Vec<Term>> {
    if target.arguments.is_empty() {
        let arity = target.entry.function.arity as usize;
        return vec![vec![Term::Integer(Integer::from(0)); arity]];
    }
    let lists = target.arguments.iter();
    lists
        .map(|list| list.as_list().unwrap_or_default().to_vec())
        .collect()
}
