//! `erlconcolic explore`: inputs for every path, and those that crash.

use std::env;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::SIGINT;
use trace_engine::explore::{Options, Report, Solvers, Strategy, Task, Test, explore};
use trace_engine::solver::{Encoding, Shortcuts, Z3Integers};
use trace_format::manifest::hash;

use crate::arguments::{ExploreOptions, Format, Shortcut, StrategyChoice};
use crate::build_folder::program_hash;
use crate::commands::print_result;
use crate::contract::{Conditions, take_rejected};
use crate::entry::Choice;
use crate::exploration::callees::{Number, callees};
use crate::exploration::coverage::{Coverage, OwnCode};
use crate::exploration::eunit::{self, TestFile};
use crate::exploration::executor::{BeamExecutor, Stop};
use crate::exploration::findings::{Confirmation, findings};
use crate::exploration::journal::{Journal, folder_name};
use crate::exploration::progress::Progress;
use crate::exploration::subjects::{Preparation, Subject, prepare};
use crate::exploration::{Exploration, Searched, html, human, json, peak_memory};
use crate::failure::Failure;
use crate::front_end::FrontEnd;
use crate::instrumented::flat_texts;
use crate::output::{check_writable, write_whole_file};
use crate::target::{Request, Target, allowed_calls};
use crate::worker::{HEAP_WORDS, Limits, Outcome};

/// The exit status after Ctrl-C.
const INTERRUPTED: u8 = 130;

/// How many decisions of a run are looked at.
const MAX_DECISIONS: usize = 2_000;

pub(crate) fn run(options: &ExploreOptions) -> Result<ExitCode, Failure> {
    let start = Instant::now();
    if let Some(path) = &options.html {
        check_writable(path)?;
    }
    let test_file = options.eunit.as_deref().map(TestFile::new).transpose()?;
    let front_end = FrontEnd::new(&options.compilation)?;
    let limits = Limits {
        milliseconds: options.run_timeout,
        heap_words: HEAP_WORDS,
        allowed: allowed_calls(&options.allow)?,
    };
    let target = Target::prepare(&request(options), &front_end)?;
    if let Some(file) = &test_file {
        file.check_name(&target)?;
    }
    let preparation = Preparation {
        ignore_specs: options.no_spec,
        term_depth: options.term_depth,
        keep_paths: options.html.is_some(),
        shortcuts: shortcuts(&options.without),
    };
    let (subjects, left_out) = prepare(&front_end, &target, preparation)?;
    let stop = Stop {
        deadline: Instant::now() + Duration::from_secs(options.timeout),
        interrupted: interruption(options.stop_when_closed)?,
    };
    let journals = journals(options, &target, &subjects)?;
    let code = OwnCode::new(&target);
    let progress = Progress::new(options.quiet, options.verbose, &code);
    let executor = |_| {
        let limits = limits.clone();
        BeamExecutor::new(&target, &subjects, limits, &stop, &journals, &progress)
    };
    let executors = (0..options.workers.max(1)).map(executor).collect();
    let tasks: Vec<Task> = subjects.iter().map(|it| it.task.clone()).collect();
    let solvers = || solvers(preparation.shortcuts);
    let settings = settings(options);
    let reports = explore(&target.program, &tasks, executors, &solvers, &settings)?;
    progress.finish();
    let at_searched = Instant::now();
    let mut confirmation = Confirmation::new(&target, &front_end, &limits);
    let searches = subjects.iter().zip(reports);
    let searches = searches
        .map(|(subject, report)| searched(&target, &code, subject, report, &mut confirmation));
    let searches = searches.collect::<Result<Vec<_>, _>>()?;
    let exploration = Exploration {
        target: &target,
        coverage: all_coverage(&code, &searches),
        searches,
        left_out,
        report_time: at_searched.elapsed(),
        wall_time: start.elapsed(),
        peak_memory: peak_memory(),
    };
    let text = match options.format {
        Format::Human => human::text(&exploration),
        Format::Json => format!("{:#}\n", json::object(&exploration)),
    };
    // The report is printed even if the tests cannot be written.
    let written = test_file.map_or(Ok(()), |file| {
        let arguments = env::args_os().skip(1);
        eunit::write(&file, &exploration, &mut confirmation, arguments)
    });
    print_result(&mut io::stdout().lock(), [text])?;
    write_page(options, &exploration)?;
    written?;
    Ok(if stop.is_interrupted() {
        ExitCode::from(INTERRUPTED)
    } else if exploration.findings().next().is_none() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// What came of one function.
fn searched(
    target: &Target,
    code: &OwnCode,
    subject: &Subject,
    mut report: Report<Outcome>,
    confirmation: &mut Confirmation<'_>,
) -> Result<Searched, Failure> {
    let rejected = take_rejected(&mut report);
    let findings = findings(&subject.entry, &mut report, confirmation)?;
    let called = target
        .program
        .exported(&subject.entry.module, &subject.entry.function);
    let called = called.map(|entry| callees(&target.program, target.own_modules, entry));
    let called = called.unwrap_or_default();
    // What is called by a name that only the run can tell counts once it was called.
    let counts = |it: &Number| called.contains(it) || report.functions.contains(it);
    let counted = code.clauses_of(counts);
    let new_clauses = |test: &Test<Outcome>| {
        let clauses = test.new_clauses.iter();
        clauses.filter(|it| counted.contains(it)).count()
    };
    Ok(Searched {
        coverage: Coverage::new(code, &report.functions, &report.clauses, counts),
        new_clauses: report.tests.iter().map(new_clauses).collect(),
        entry: subject.entry.clone(),
        report,
        findings,
        rejected,
        term_depth: subject.task.limits.term_depth,
    })
}

/// What all searches together reached, of all that there is.
fn all_coverage(code: &OwnCode, searches: &[Searched]) -> Coverage {
    let functions = searches.iter().flat_map(|it| &it.report.functions);
    let clauses = searches.iter().flat_map(|it| &it.report.clauses);
    let (functions, clauses) = (functions.copied().collect(), clauses.copied().collect());
    Coverage::new(code, &functions, &clauses, |_| true)
}

fn solvers(shortcuts: Shortcuts) -> Solvers {
    let integers = Z3Integers::default();
    Solvers {
        integers: Box::new(if shortcuts.cache {
            integers
        } else {
            integers.without_cache()
        }),
        fallback: Some(Box::new(Encoding::default())),
    }
}

fn settings(options: &ExploreOptions) -> Options {
    Options {
        strategy: strategy(options.strategy),
        seed: options.seed,
        max_runs: options.max_runs,
        max_decisions: MAX_DECISIONS,
        first: options.first,
    }
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
        choice: Choice {
            entries: &options.entries,
            modules: &options.modules,
            all: options.all,
        },
        arguments: &options.arguments,
        wire: None,
        opaque: &options.opaque,
        conditions: Conditions {
            before: options.pre.as_deref(),
            after: options.post.as_deref(),
        },
    }
}

/// Set when the user presses Ctrl-C; a second time ends the tool at once. Also set when whoever
/// started the tool is gone, if a descriptor is named that is closed then.
fn interruption(watched: Option<u32>) -> Result<Arc<AtomicBool>, Failure> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let twice = Arc::clone(&interrupted);
    signal_hook::flag::register_conditional_shutdown(SIGINT, INTERRUPTED.into(), twice)
        .and_then(|_| signal_hook::flag::register(SIGINT, Arc::clone(&interrupted)))
        .map_err(|error| Failure::io("wait for signals on", Path::new("Ctrl-C"), &error))?;
    if let Some(descriptor) = watched {
        let flag = Arc::clone(&interrupted);
        interrupt_when_closed(descriptor, flag)?;
    }
    Ok(interrupted)
}

/// Sets the flag at the end of what a file descriptor reads from.
fn interrupt_when_closed(descriptor: u32, flag: Arc<AtomicBool>) -> Result<(), Failure> {
    // Not the descriptor itself: a number that does not exist must be an error.
    let path = PathBuf::from(format!("/dev/fd/{descriptor}"));
    let mut pipe = File::open(&path).map_err(|error| Failure::io("read", &path, &error))?;
    thread::spawn(move || {
        // A pipe that cannot be read is as good as closed.
        let _ = io::copy(&mut pipe, &mut io::sink());
        flag.store(true, Ordering::Relaxed);
    });
    Ok(())
}

/// The journal of each function, if runs are to be kept. That of a function which was named alone
/// is in the folder itself, those of several in folders of their own.
fn journals(
    options: &ExploreOptions,
    target: &Target,
    subjects: &[Subject],
) -> Result<Vec<Mutex<Journal>>, Failure> {
    let Some(folder) = &options.state else {
        return Ok(Vec::new());
    };
    let program = program_hash(&flat_texts(&target.program), target.wire);
    let limits = format!("{} {:?}", options.run_timeout, options.allow);
    let limits = hash([limits.as_bytes()]);
    let is_only = matches!(target.chosen.as_slice(), [only] if only.is_named);
    let journals = subjects.iter().map(|subject| {
        let entry = subject.entry.to_string();
        let key = format!("{program} {entry} {limits}");
        let folder = if is_only {
            folder.clone()
        } else {
            folder.join(folder_name(&entry))
        };
        Journal::open(&folder, &key, options.resume).map(Mutex::new)
    });
    journals.collect()
}

fn shortcuts(without: &[Shortcut]) -> Shortcuts {
    Shortcuts {
        contradictions: !without.contains(&Shortcut::Contradictions),
        repetitions: !without.contains(&Shortcut::Repetitions),
        parent_values: !without.contains(&Shortcut::ParentValues),
        cache: !without.contains(&Shortcut::Cache),
        native: !without.contains(&Shortcut::Native),
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
