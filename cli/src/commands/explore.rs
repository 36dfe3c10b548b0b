//! `erlconcolic explore`: inputs for every path, and those that crash.

use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use diagnostic::Diagnostic;
use erlang_term::{Integer, Term};
use signal_hook::consts::SIGINT;
use trace_engine::explore::{KeptPaths, Options, Solvers, Strategy, explore};
use trace_engine::solver::{Encoding, Limits as SolverLimits, Shortcuts, Z3Integers};
use trace_engine::types::Signature;
use trace_format::manifest::hash;

use crate::arguments::{ExploreOptions, Format, Shortcut, StrategyChoice};
use crate::build_folder::program_hash;
use crate::commands::print_result;
use crate::contract::{Conditions, take_rejected};
use crate::entry::Entry;
use crate::exploration::coverage::Coverage;
use crate::exploration::depth::usual_depth;
use crate::exploration::executor::{BeamExecutor, Stop};
use crate::exploration::findings::findings;
use crate::exploration::journal::Journal;
use crate::exploration::progress::Progress;
use crate::exploration::{Exploration, argument_texts, html, human, json, peak_memory};
use crate::failure::Failure;
use crate::front_end::FrontEnd;
use crate::instrumented::flat_texts;
use crate::output::{check_writable, write_whole_file};
use crate::render;
use crate::specs;
use crate::target::{Request, Target, allowed_calls};
use crate::worker::{HEAP_WORDS, Limits};

/// The exit status after Ctrl-C.
const INTERRUPTED: u8 = 130;

/// How many cases the solver may try for one question.
const CASES: u32 = 2_000;

/// How many decisions of a run are looked at.
const MAX_DECISIONS: usize = 2_000;

pub(crate) fn run(options: &ExploreOptions) -> Result<ExitCode, Failure> {
    let start = Instant::now();
    if let Some(path) = &options.html {
        check_writable(path)?;
    }
    let front_end = FrontEnd::new(&options.compilation)?;
    let limits = Limits {
        milliseconds: options.run_timeout,
        heap_words: HEAP_WORDS,
        allowed: allowed_calls(&options.allow)?,
    };
    let target = Target::prepare(&request(options), &front_end)?;
    let stop = Stop {
        deadline: start + Duration::from_secs(options.timeout),
        interrupted: interruption()?,
    };
    let journal = journal(options, &target)?.map(Mutex::new);
    let progress = Progress::new(options.quiet, options.verbose);
    let executors = (0..options.workers.max(1))
        .map(|_| BeamExecutor::new(&target, limits.clone(), &stop, journal.as_ref(), &progress))
        .collect::<Result<Vec<_>, _>>()?;
    let shortcuts = shortcuts(&options.without);
    let solvers = || {
        let integers = Z3Integers::default();
        Solvers {
            integers: Box::new(if shortcuts.cache {
                integers
            } else {
                integers.without_cache()
            }),
            fallback: Some(Box::new(Encoding::default())),
        }
    };
    let signature = signature(options, &front_end, &target)?;
    let seeds = seeds(&target, signature.as_ref())?;
    let term_depth = options
        .term_depth
        .unwrap_or_else(|| usual_depth(&seeds, &target));
    let settings = Options {
        seeds,
        signature,
        limits: SolverLimits {
            term_depth,
            cases: CASES,
            shortcuts,
        },
        strategy: strategy(options.strategy),
        seed: options.seed,
        max_runs: options.max_runs,
        max_decisions: MAX_DECISIONS,
        first: options.first,
        paths: kept_paths(options, &target),
    };
    let entry = target.start_number()?;
    let mut report = explore(&target.program, entry, executors, &solvers, &settings)?;
    progress.finish();
    let rejected = take_rejected(&mut report);
    let found = findings(&target, &front_end, &mut report, &limits)?;
    let exploration = Exploration {
        coverage: Coverage::new(&target, &report),
        target: &target,
        report,
        findings: found,
        rejected,
        term_depth,
        wall_time: start.elapsed(),
        peak_memory: peak_memory(),
    };
    let text = match options.format {
        Format::Human => human::text(&exploration),
        Format::Json => format!("{:#}\n", json::object(&exploration)),
    };
    print_result(&mut io::stdout().lock(), [text])?;
    write_page(options, &exploration)?;
    Ok(if stop.is_interrupted() {
        ExitCode::from(INTERRUPTED)
    } else if exploration.findings.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// What a page needs to know of the paths of tests, if one is wanted.
fn kept_paths(options: &ExploreOptions, target: &Target) -> Option<KeptPaths> {
    options.html.as_ref().map(|_| KeptPaths {
        modules: target.own_modules,
        names: html::argument_names(target),
    })
}

fn write_page(options: &ExploreOptions, exploration: &Exploration<'_>) -> Result<(), Failure> {
    match &options.html {
        Some(path) => {
            let text = html::html(&html::page(exploration));
            write_whole_file(path, text.as_bytes())
        }
        None => Ok(()),
    }
}

fn request(options: &ExploreOptions) -> Request<'_> {
    Request {
        sources: &options.sources,
        entry: &options.entry,
        arguments: &options.arguments,
        wire: None,
        opaque: &options.opaque,
        conditions: Conditions {
            before: options.pre.as_deref(),
            after: options.post.as_deref(),
        },
    }
}

/// Set when the user presses Ctrl-C; a second time ends the tool at once.
fn interruption() -> Result<Arc<AtomicBool>, Failure> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let twice = Arc::clone(&interrupted);
    signal_hook::flag::register_conditional_shutdown(SIGINT, INTERRUPTED.into(), twice)
        .and_then(|_| signal_hook::flag::register(SIGINT, Arc::clone(&interrupted)))
        .map_err(|error| Failure::io("wait for signals on", Path::new("Ctrl-C"), &error))?;
    Ok(interrupted)
}

fn journal(options: &ExploreOptions, target: &Target) -> Result<Option<Journal>, Failure> {
    let Some(folder) = &options.state else {
        return Ok(None);
    };
    let program = program_hash(&flat_texts(&target.program), target.wire);
    let Entry { module, function } = &target.entry;
    let limits = format!("{} {:?}", options.run_timeout, options.allow);
    let limits = hash([limits.as_bytes()]);
    let key = format!(
        "{program} {module}:{}/{} {limits}",
        function.name, function.arity
    );
    Journal::open(folder, &key, options.resume).map(Some)
}

fn shortcuts(without: &[Shortcut]) -> Shortcuts {
    Shortcuts {
        contradictions: !without.contains(&Shortcut::Contradictions),
        repetitions: !without.contains(&Shortcut::Repetitions),
        parent_values: !without.contains(&Shortcut::ParentValues),
        cache: !without.contains(&Shortcut::Cache),
    }
}

fn strategy(choice: StrategyChoice) -> Strategy {
    match choice {
        StrategyChoice::Coverage => Strategy::Coverage,
        StrategyChoice::Dfs => Strategy::DepthFirst,
        StrategyChoice::Bfs => Strategy::BreadthFirst,
        StrategyChoice::Random => Strategy::Random,
    }
}

/// What the spec of the entry says, if it is to be heard.
fn signature(
    options: &ExploreOptions,
    front_end: &FrontEnd,
    target: &Target,
) -> Result<Option<Signature>, Failure> {
    let (path, sources) = target.source_paths();
    match path {
        Some(path) if !options.no_spec => {
            specs::signature(front_end, &target.entry.function, &path, &sources)
        }
        _ => Ok(None),
    }
}

/// The inputs that the user named, or else the simplest ones.
fn seeds(target: &Target, signature: Option<&Signature>) -> Result<Vec<Vec<Term>>, Failure> {
    let lists = target.arguments.iter();
    let named: Vec<Vec<Term>> = lists
        .map(|list| list.as_list().unwrap_or_default().to_vec())
        .collect();
    let Some(signature) = signature else {
        let arity = target.entry.function.arity as usize;
        let zeros = vec![Term::Integer(Integer::from(0)); arity];
        return Ok(if named.is_empty() { vec![zeros] } else { named });
    };
    for arguments in named.iter().filter(|it| !signature.admits(it)) {
        let texts = argument_texts(arguments).join(", ");
        let title = format!("the input ({texts}) is not what the spec of the entry wants");
        render::show(&[Diagnostic::warning("not-in-spec", title)
            .help("it is run all the same; --no-spec ignores the spec")]);
    }
    if !named.is_empty() {
        return Ok(named);
    }
    let simplest = signature.simplest();
    if simplest.is_empty() {
        let title = "no input can be made that the spec of the entry wants";
        return Err(Diagnostic::error("no-input", title)
            .help("pids, ports and references cannot be made; --no-spec ignores the spec")
            .into());
    }
    Ok(simplest)
}
