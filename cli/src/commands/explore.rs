//! `erlconcolic explore`: finds and runs inputs for every path, and reports crashes.

use std::env;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use diagnostic::Diagnostic;
use solver::{Encoding, Shortcuts, Z3Integers, give_up_at_once};
use trace_engine::explore::{Options, Report, Solvers, Task, Test, explore};
use trace_format::Wire;
use trace_format::manifest::hash;

use crate::arguments::{ExploreOptions, Format, Shortcut};
use crate::build_folder::program_hash;
use crate::commands::print_by;
use crate::contract::{Conditions, take_rejected};
use crate::entry::Choice;
use crate::exploration::callees::{Number, callees};
use crate::exploration::coverage::{Coverage, OwnCode};
use crate::exploration::eunit::{self, TestFile};
use crate::exploration::executor::{BeamExecutor, Stop};
use crate::exploration::findings::{Confirmation, findings};
use crate::exploration::interruption::Interruption;
use crate::exploration::journal::{Journal, folder_name};
use crate::exploration::progress::Progress;
use crate::exploration::subjects::{Preparation, Subject, prepare};
use crate::exploration::{Exploration, Searched, html, human, json, peak_memory};
use crate::failure::Failure;
use crate::front_end::{FrontEnd, Runs};
use crate::instrumented::flat_texts;
use crate::output::{check_writable, write_whole_file};
use crate::target::{Request, Target, allowed_calls};
use crate::worker::{HEAP_WORDS, Limits, Outcome};

/// How many events of a run are replayed: about 100 MB if each makes new values.
const MAX_EVENTS: usize = 1_000_000;
/// How many decisions of a run get alternatives.
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
    // From here on, results are reported before errors.
    let mut failures: Vec<Diagnostic> = Vec::new();
    let preparation = Preparation {
        ignore_specs: options.no_spec,
        term_depth: options.term_depth,
        keep_paths: options.html.is_some(),
        shortcuts: shortcuts(&options.without),
    };
    let (subjects, left_out) = prepare(&front_end, &target, preparation)?;
    let stop = Stop {
        deadline: Instant::now() + Duration::from_secs(options.timeout),
        interruption: Interruption::watch(options.stop_when_closed)?,
    };
    let journals = journals(options, &target, &subjects)?;
    let code = OwnCode::new(&target);
    let progress = Progress::new(options.quiet, options.verbose, &code);
    let executor = |_| {
        let worker = target.worker().with(front_end.standby());
        let limits = limits.clone();
        BeamExecutor::new(
            &target, &subjects, worker, limits, &stop, &journals, &progress,
        )
    };
    let executors = (0..options.workers.max(1)).map(executor).collect();
    let tasks: Vec<Task> = subjects.iter().map(|it| it.task.clone()).collect();
    if options.without.contains(&Shortcut::Z3) {
        give_up_at_once();
    }
    let solvers = || solvers(preparation.shortcuts);
    let settings = settings(options, target.wire);
    let (reports, stopped_by) = explore(&target.program, &tasks, executors, &solvers, &settings);
    progress.finish();
    if let Some(failure) = stopped_by {
        if reports.iter().all(|it| it.tests.is_empty()) {
            return Err(failure);
        }
        failures.extend(failure.0);
    }
    let at_searched = Instant::now();
    let mut confirmation = Confirmation::new(&target, &front_end, &limits);
    let searches = subjects.iter().zip(reports);
    let searches = searches
        .map(|(subject, report)| searched(&target, &code, subject, report, &mut confirmation));
    let searches: Vec<Searched> = searches.collect();
    let exploration = Exploration {
        target: &target,
        coverage: all_coverage(&code, &searches),
        searches,
        left_out,
        report_time: at_searched.elapsed(),
        wall_time: start.elapsed(),
        peak_memory: peak_memory(),
    };
    failures.extend(confirmation.take_failure());
    failures.extend(tell(options, &exploration, test_file, &mut confirmation));
    if !failures.is_empty() {
        failures.dedup();
        return Err(Failure(failures));
    }
    Ok(if let Some(status) = stop.interruption.status() {
        ExitCode::from(status)
    } else if exploration.findings().next().is_none() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Prints the report and writes the other files. An error in one does not prevent the others.
fn tell(
    options: &ExploreOptions,
    exploration: &Exploration<'_>,
    test_file: Option<TestFile>,
    confirmation: &mut Confirmation<'_>,
) -> Vec<Diagnostic> {
    let tests_written = test_file.map_or(Ok(()), |file| {
        let arguments = env::args_os().skip(1);
        eunit::write(&file, exploration, confirmation, arguments)
    });
    let mut out = BufWriter::new(io::stdout().lock());
    let printed = print_by(&mut out, |out| match options.format {
        Format::Human => out.write_all(human::text(exploration).as_bytes()),
        Format::Json => json::write(exploration, out),
    });
    let page_written = write_page(options, exploration);
    let results = [printed, page_written, tests_written].into_iter();
    results
        .filter_map(Result::err)
        .flat_map(|failure| failure.0)
        .collect()
}

/// The results of one function.
fn searched(
    target: &Target,
    code: &OwnCode,
    subject: &Subject,
    mut report: Report<Outcome>,
    confirmation: &mut Confirmation<'_>,
) -> Searched {
    let rejected = take_rejected(&mut report);
    let findings = findings(&subject.entry, &mut report, confirmation);
    let called = target
        .program
        .exported(&subject.entry.module, &subject.entry.function);
    let called = called.map(|entry| callees(&target.program, target.own_modules, entry));
    let called = called.unwrap_or_default();
    // Functions that are called by a dynamic name count once they were called.
    let counts = |it: &Number| called.contains(it) || report.functions.contains(it);
    let counted = code.clauses_of(counts);
    let new_clauses = |test: &Test<Outcome>| {
        let clauses = test.new_clauses.iter();
        clauses.filter(|it| counted.contains(it)).count()
    };
    Searched {
        coverage: Coverage::new(code, &report.functions, &report.clauses, counts),
        new_clauses: report.tests.iter().map(new_clauses).collect(),
        entry: subject.entry.clone(),
        report,
        findings,
        rejected,
        term_depth: subject.task.limits.term_depth,
    }
}

/// The coverage of all searches together.
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

fn settings(options: &ExploreOptions, wire: Wire) -> Options {
    Options {
        strategy: options.strategy,
        seed: options.seed,
        max_runs: options.max_runs,
        wire,
        max_events: MAX_EVENTS,
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
        runs: Runs::OnTwoBeams,
    }
}

/// The journal of each function, if runs are saved. The journal of a single function is in the folder
/// itself; each of several functions has a subfolder.
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
    let is_only = target.only_entry().is_some();
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
