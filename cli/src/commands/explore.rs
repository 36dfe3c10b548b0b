//! `erlconcolic explore`: finds and runs inputs for every path, and reports crashes.

mod nodes;
mod reporting;
mod seeding;

use std::process::ExitCode;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use diagnostic::Diagnostic;
use erlang_term::Atom;
use reports::{
    Entry, Exploration, ExploredCode, MadeOf, ReachableCode, RunEnd, Searched, counted,
    find_crashes,
};
use solver::{Shortcuts, give_up_at_once};
use trace_engine::explore::{Options, Report, SearchBrief, Task, WantedPaths, explore};
use trace_format::Wire;
use trace_format::manifest::hash;

use crate::arguments::{ExploreOptions, PathChoice, ReportFormat, Shortcut};
use crate::beam::worker::{HEAP_WORDS, Limits, Worker};
use crate::beam::{BeamRules, ProcessModel, ProgramOutput};
use crate::failure::Failure;
use crate::program::build_folder::program_hash;
use crate::program::contract::{Conditions, Contract};
use crate::program::entry::Choice;
use crate::program::instrumented::flat_texts;
use crate::program::machines::MachineOptions;
use crate::program::target::{Request, SpecUse, Target, allowed_calls};
use crate::search::confirmation::Confirmation;
use crate::search::executor::{BeamExecutor, Stop};
use crate::search::interruption::Interruption;
use crate::search::journal::{Journal, folder_name};
use crate::search::peak_memory::peak_memory;
use crate::search::progress::Progress;
use crate::search::runner::Runner;
use crate::search::shards::take_shard;
use crate::search::solvers::solvers;
use crate::search::subjects::{Preparation, Subject, prepare};
use crate::search::time_limit::TimeLimit;
use crate::sources::front_end::{FrontEnd, Runs};
use crate::sources::specs::OpaqueTypes;
use crate::terminal::render;
use nodes::Nodes;
use reporting::Reporting;
pub(crate) use seeding::Seeding;
use seeding::nothing_called;

/// How many events of a run are replayed: about 100 MB if each makes new values.
const MAX_EVENTS: usize = 1_000_000;
/// How many decisions of a run get alternatives.
const MAX_DECISIONS: usize = 2_000;
/// Which paths are run if nobody says.
const USUAL_PATHS: WantedPaths = WantedPaths::StatesAndMore;
/// Replaying a run may take as long as the run itself, but at least this long.
const MIN_REPLAY: Duration = Duration::from_secs(5);

pub(crate) fn run(options: &ExploreOptions) -> Result<ExitCode, Failure> {
    run_seeded(options, Seeding::Usual)
}

/// Searches, after the user's tests if they give inputs.
pub(crate) fn run_seeded(options: &ExploreOptions, seeding: Seeding) -> Result<ExitCode, Failure> {
    let time = TimeLimit::new(Instant::now(), Duration::from_secs(options.timeout));
    let front_end = FrontEnd::new(&options.compilation)?.until(time.end());
    let output = (!options.verbose).then(|| front_end.standby().keep_output());
    let result = search(options, &front_end, time, seeding);
    if let Some(output) = output {
        front_end.standby().close();
        tell_output(&output, options.quiet, result.is_err());
    }
    result
}

/// Says how much the program wrote past its group leader, and shows it if something failed: it may
/// say why.
fn tell_output(output: &ProgramOutput, quiet: bool, has_failed: bool) {
    let lines = output.lines();
    if has_failed {
        output.show();
    } else if lines > 0 && !quiet {
        let lines = counted(lines, "line");
        render::note(&format!(
            "the program wrote {lines} to stderr; --verbose shows them"
        ));
    }
}

fn search(
    options: &ExploreOptions,
    front_end: &FrontEnd,
    time: TimeLimit,
    seeding: Seeding,
) -> Result<ExitCode, Failure> {
    let reporting = Reporting::new(options)?;
    let limits = limits(options)?;
    let model = options.processes.model();
    let mut target = Target::prepare(&request(options), front_end)?;
    reporting.check_target(&target)?;
    let tests = seeding.unit_tests(options, front_end, &target, time.end())?;
    if let Some(tests) = &tests
        && !seeding.narrow(&mut target, tests, options)
    {
        return Ok(nothing_called(tests));
    }
    let shards = (options.shard).map(|it| take_shard(&mut target, it, options.no_spec));
    // From here on, results are reported before errors.
    let mut failures: Vec<Diagnostic> = Vec::new();
    let preparation = preparation(options);
    let (subjects, skipped) = prepare(front_end, &target, preparation, tests.as_ref())?;
    // The helper may be gone after the search.
    let release = release_for_tools(options, front_end)?;
    let interruption = Interruption::watch(options.stop_when_closed)?;
    let stop = Stop::new(time, &limits, interruption);
    let journals = journals(options, model, front_end, &target, &subjects)?;
    time.check_search(Instant::now())?;
    let code = target.explored_code();
    let reachable = ReachableCode::new(&code);
    let progress = Progress::new(options.quiet, options.verbose, &reachable);
    let rules = Arc::new(BeamRules::with_earlier(atoms_of(&journals)));
    let worker = || worker(&target, front_end, &rules).with_processes(model.in_brief());
    let settings = settings(options, target.wire);
    let tasks: Vec<Task> = subjects.iter().map(|it| it.task.clone()).collect();
    let known = (&target, SearchBrief::new(&tasks, &settings));
    let nodes = Nodes::start(options, known, worker, &rules, time.end())?;
    let work = Work {
        target: &target,
        front_end,
        plan: (&tasks, &settings),
        nodes: nodes.as_ref(),
    };
    let executor = |runner| {
        BeamExecutor::new(
            &target, &subjects, runner, &limits, &stop, &journals, &progress,
        )
    };
    let (reports, stopped_by) = work.explore(options, preparation.shortcuts, worker, executor);
    progress.finish();
    nodes.iter().for_each(|it| it.tell(options.quiet));
    failures.extend(of_search(stopped_by, &reports)?);
    let at_searched = Instant::now();
    let mut confirmation = Confirmation::new(&target, front_end, &subjects, &limits, time)
        .with_rules(Arc::clone(&rules))
        .with_processes(model);
    let mut searches = all_searched(&code, &reachable, &subjects, reports);
    let most = reporting.most_also();
    let (findings, unconfirmed) = find_crashes(&code, &mut searches, most, &mut confirmation);
    let mut exploration = Exploration {
        code: &code,
        only_entry: target.only_entry().cloned(),
        has_precondition: options.pre.is_some(),
        postcondition: postcondition(&target),
        coverage: Searched::total_coverage(&searches, &reachable, counts_all(options, seeding)),
        searches,
        findings,
        stale_lines: Vec::new(),
        sources: shown_sources(options),
        made_of: release.map(|it| made_of(it, &code, &reachable)),
        shards,
        missing_shards: Vec::new(),
        eunit_suites: None,
        time_model: model.time.name(),
        delivery_model: model.delivery.name(),
        unlikely_left_out: None,
        atoms: rules.atoms(),
        skipped,
        unit_tests: tests.as_ref().map(|it| it.counts),
        not_compiled: target.broken_paths(),
        report_time: at_searched.elapsed(),
        wall_time: time.start().elapsed(),
        peak_memory: peak_memory(),
    };
    failures.extend(unconfirmed.into_iter().flat_map(|failure| failure.0));
    let told = tell(options, &reporting, &mut exploration, &mut confirmation);
    failures.extend(told);
    end_with(failures, status(&stop, &exploration))
}

/// Prints and writes the report. What could not be written is returned.
fn tell(
    options: &ExploreOptions,
    reporting: &Reporting<'_>,
    exploration: &mut Exploration<'_>,
    confirmation: &mut Confirmation<'_>,
) -> Vec<Diagnostic> {
    let mut failures = never_started(options, exploration);
    reporting.choose(exploration);
    failures.extend(reporting.tell(exploration, confirmation));
    failures
}

/// The status of the search, unless the tool failed.
fn end_with(mut failures: Vec<Diagnostic>, status: ExitCode) -> Result<ExitCode, Failure> {
    if failures.is_empty() {
        return Ok(status);
    }
    failures.dedup();
    Err(Failure(failures))
}

/// Errors about machines that no input starts, although none crashes. If nobody named a machine, they
/// are only shown.
fn never_started(options: &ExploreOptions, exploration: &Exploration<'_>) -> Vec<Diagnostic> {
    let searches = exploration.searches.iter().enumerate();
    let never = searches.filter(|(number, search)| {
        let found = search.found_machine();
        // If no run was replayed, for want of time, nothing is known.
        found.is_some_and(|it| it.states.is_empty())
            && !search.report.functions.is_empty()
            && exploration.findings_of(*number) == 0
    });
    let is_named = !options.machines.machines.is_empty();
    let never = never.map(|(_, search)| {
        let title = format!("{} never starts", search.entry);
        let message = match is_named {
            true => Diagnostic::error("never-starts", title),
            false => Diagnostic::warning("never-starts", title),
        };
        message.help("init/1 stops or ignores every argument that was tried; --args gives one")
    });
    let messages: Vec<Diagnostic> = never.collect();
    if is_named {
        return messages;
    }
    render::show(&messages);
    Vec::new()
}

/// Why a search ended early, if it has results all the same.
fn of_search(
    stopped_by: Option<Failure>,
    reports: &[Report<RunEnd>],
) -> Result<Vec<Diagnostic>, Failure> {
    match stopped_by {
        Some(failure) if reports.iter().all(|it| it.tests.is_empty()) => Err(failure),
        stopped_by => Ok(stopped_by.map(|it| it.0).unwrap_or_default()),
    }
}

fn postcondition(target: &Target) -> Option<Entry> {
    let contract = target.contract.as_ref();
    contract.and_then(Contract::postcondition).cloned()
}

/// Whether the coverage is that of all code, and not only of what is searched.
fn counts_all(options: &ExploreOptions, seeding: Seeding) -> bool {
    options.all && seeding != Seeding::TestsAlone
}

/// The release of OTP, if the report is for tools.
fn release_for_tools(
    options: &ExploreOptions,
    front_end: &FrontEnd,
) -> Result<Option<String>, Failure> {
    let is_for_tools = options.format == ReportFormat::Json;
    is_for_tools.then(|| front_end.otp_release()).transpose()
}

/// What the report is made with and from, given the release of OTP.
fn made_of(release: String, code: &ExploredCode<'_>, reachable: &ReachableCode) -> MadeOf {
    MadeOf::new(env!("CARGO_PKG_VERSION"), release, code, reachable)
}

/// The sources as the user named them.
fn shown_sources(options: &ExploreOptions) -> Vec<String> {
    let sources = options.sources.iter();
    sources.map(|it| it.display().to_string()).collect()
}

fn worker(target: &Target, front_end: &FrontEnd, rules: &Arc<BeamRules>) -> Worker {
    let worker = target.worker().with(front_end.standby());
    worker.with_rules(Arc::clone(rules))
}

fn limits(options: &ExploreOptions) -> Result<Limits, Failure> {
    Ok(Limits {
        milliseconds: options.run_timeout,
        heap_words: HEAP_WORDS,
        allowed: allowed_calls(&options.allow)?,
    })
}

fn preparation(options: &ExploreOptions) -> Preparation {
    Preparation {
        ignore_specs: options.no_spec,
        term_depth: options.term_depth,
        may_be_empty: options.shard.is_some(),
        keep_paths: options.html.is_some(),
        shortcuts: shortcuts(&options.without),
    }
}

/// What a search works on.
struct Work<'search> {
    target: &'search Target,
    front_end: &'search FrontEnd,
    plan: (&'search [Task], &'search Options),
    /// Take part, if there are any.
    nodes: Option<&'search Nodes>,
}

impl<'search> Work<'search> {
    /// Searches. The original code is compiled meanwhile, as soon as something crashes, because
    /// there may be little time afterwards. Errors show up again when that code is needed.
    fn explore(
        self,
        options: &ExploreOptions,
        shortcuts: Shortcuts,
        worker: impl Fn() -> Worker,
        executor: impl Fn(Box<dyn Runner + 'search>) -> BeamExecutor<'search>,
    ) -> (Vec<Report<RunEnd>>, Option<Failure>) {
        let Self {
            target,
            front_end,
            plan: (tasks, settings),
            nodes,
        } = self;
        let (first_crash, crashed) = channel();
        let most = options.workers.max(usize::from(nodes.is_none()));
        let here = (0..most).map(|_| Box::new(worker()) as Box<dyn Runner>);
        let elsewhere = nodes.into_iter().flat_map(Nodes::runners);
        let elsewhere = elsewhere.map(|it| Box::new(it) as Box<dyn Runner>);
        let executors = here
            .chain(elsewhere)
            .map(|runner| executor(runner).telling(first_crash.clone()))
            .collect();
        drop(first_crash);
        if options.without.contains(&Shortcut::Z3) {
            give_up_at_once();
        }
        let solvers = || solvers(shortcuts);
        thread::scope(|scope| {
            scope.spawn(move || crashed.recv().map(|()| target.original_beams(front_end)));
            let _sessions = nodes.map(|nodes| {
                scope.spawn(|| nodes.listen());
                nodes.sessions()
            });
            explore(&target.program, tasks, executors, &solvers, settings)
        })
    }
}

/// The status with which the tool ends.
fn status(stop: &Stop, exploration: &Exploration<'_>) -> ExitCode {
    if let Some(status) = stop.interruption.status() {
        ExitCode::from(status)
    } else if exploration.new_findings().next().is_none() && exploration.failed_unit_tests() == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// What each search found.
fn all_searched(
    code: &ExploredCode<'_>,
    reachable: &ReachableCode,
    subjects: &[Subject],
    reports: Vec<Report<RunEnd>>,
) -> Vec<Searched> {
    let searches = subjects.iter().zip(reports).map(|(subject, report)| {
        let depth = subject.task.limits.term_depth;
        let entry = subject.entry.clone();
        let searched = Searched::new(code, reachable, entry, depth, report);
        searched.with_sequences(subject.length(), subject.undeclared())
    });
    searches.collect()
}

fn settings(options: &ExploreOptions, wire: Wire) -> Options {
    Options {
        strategy: options.strategy,
        seed: options.seed,
        max_runs: options.max_runs,
        wire,
        max_events: MAX_EVENTS,
        max_decisions: MAX_DECISIONS,
        max_replay: Duration::from_millis(options.run_timeout).max(MIN_REPLAY),
        max_switches: options.processes.max_switches,
        any_time: options.processes.has_any_time(),
        paths: wanted_paths(options),
        calls: !options.without.contains(&Shortcut::Calls),
        has_wider_states: !options.without.contains(&Shortcut::Inclusion),
        has_interpolants: !options.without.contains(&Shortcut::Interpolants),
        first: options.first,
    }
}

/// Which paths are run. Tests that are written to a file should be those of all paths.
fn wanted_paths(options: &ExploreOptions) -> WantedPaths {
    // Those of machines are chosen by their transitions.
    let is_of_machines = !options.machines.machines.is_empty();
    let writes_tests = (options.eunit.is_some() || options.exunit.is_some()) && !is_of_machines;
    match options.paths {
        _ if options.without.contains(&Shortcut::Pruning) => WantedPaths::All,
        Some(PathChoice::All) => WantedPaths::All,
        Some(PathChoice::States) => WantedPaths::States,
        None if writes_tests => WantedPaths::All,
        None => USUAL_PATHS,
    }
}

fn request(options: &ExploreOptions) -> Request<'_> {
    Request {
        sources: &options.sources,
        choice: Choice {
            entries: &options.entries,
            modules: &options.modules,
            all: options.all,
            excluded: &options.exclude,
            machines: &options.machines.machines,
            calls: &options.machines.calls,
            has_machines: !options.machines.no_machines,
        },
        arguments: &options.arguments,
        wire: None,
        opaque: &options.opaque,
        conditions: Conditions {
            before: options.pre.as_deref(),
            after: options.post.as_deref(),
        },
        contracts: options.contracts,
        machines: MachineOptions {
            length: options.machines.length,
            events: options.machines.events.as_deref(),
            invariant: options.machines.invariant.as_deref(),
            state_of: options.machines.state_of.as_deref(),
            plays_all: false,
        },
        specs: match (options.no_spec, options.break_opaque) {
            (true, _) => SpecUse::Ignore,
            (false, true) => SpecUse::Read(OpaqueTypes::Open),
            (false, false) => SpecUse::Read(OpaqueTypes::Made),
        },
        runs: Runs::OnTwoBeams,
    }
}

/// The journal of each function, if runs are saved. The journal of a single function is in the folder
/// itself; each of several functions has a subfolder.
fn journals(
    options: &ExploreOptions,
    model: ProcessModel,
    front_end: &FrontEnd,
    target: &Target,
    subjects: &[Subject],
) -> Result<Vec<Mutex<Journal>>, Failure> {
    let Some(folder) = &options.state else {
        return Ok(Vec::new());
    };
    let release = front_end.otp_release()?;
    let program = program_hash(&flat_texts(&target.program), target.wire);
    let mut limits = format!("{} {:?} {release}", options.run_timeout, options.allow);
    if model != ProcessModel::default() {
        limits.push_str(&format!(" {model:?}"));
    }
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

/// The atoms whose order mattered in the saved runs, in their order. Each journal has the order as
/// it was known then, so the longest one has them all.
fn atoms_of(journals: &[Mutex<Journal>]) -> Vec<Atom> {
    let journals = journals.iter();
    let saved = journals.map(|it| it.lock().map(|it| it.atoms().to_vec()).unwrap_or_default());
    saved.max_by_key(Vec::len).unwrap_or_default()
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
