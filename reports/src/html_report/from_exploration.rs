//! Makes the page from what a search found.

use trace_engine::explore::Paths;

use super::gap_rows::gaps;
use super::line_states::ShownSources;
use super::page::{
    ChartPage, EntryPage, FindingPage, LinePage, MachinePage, NodePage, OrderPage, Page, StepPage,
    TestPage,
};
use super::path_tree;
use super::source_files::SourceFiles;
use super::steps::Steps;
use crate::bounds::bounds;
use crate::chart::Chart;
use crate::entry::Entry;
use crate::exploration::Exploration;
use crate::findings::{ConfirmedOn, CrashInput, Finding};
use crate::language::Language;
use crate::machine::{is_of_player, play_text};
use crate::order_words::reproduction;
use crate::outcome::Outcome;
use crate::run_end::RunEnd;
use crate::searched::Searched;
use crate::source_texts::ReadSource;
use crate::wording::Wording;

/// The page for a search whose paths were kept.
pub(super) fn page(exploration: &Exploration<'_>, read: ReadSource<'_>) -> Page {
    let code = exploration.code;
    let mut files = SourceFiles::new(read, &code.source_paths, &code.folder);
    let is_told = exploration.is_told();
    let mut sources = match &exploration.coverage.reached {
        Some(reached) if is_told => {
            ShownSources::of_clauses(&reached.clauses, &exploration.coverage.missed, &mut files)
        }
        _ => ShownSources::new(code, &mut files),
    };
    let searches = exploration.searches.iter();
    let entries = searches.map(|search| entry_page(exploration, search, &mut files, &sources));
    let entries: Vec<EntryPage> = entries.collect();
    let findings = exploration.findings.iter();
    let findings = findings.map(|it| finding_page(exploration, &mut files, it));
    let findings: Vec<FindingPage> = findings.collect();
    let skipped = exploration.skipped.iter();
    let skipped = skipped.map(|it| (exploration.shown(&it.entry), it.why.to_string()));
    let broken = exploration.not_compiled.iter();
    let broken = broken.map(|path| (path.clone(), "it does not compile".to_owned()));
    let missing = exploration.missing_shards.iter();
    let missing = missing.map(|shard| (shard.clone(), "its report is missing".to_owned()));
    let skipped = skipped.chain(broken).chain(missing);
    sources.mark_lines(&entries, &findings);
    let machines = exploration.searches.iter().filter_map(|search| {
        Some(MachinePage {
            name: exploration.shown(&search.entry),
            machine: search.found_machine()?,
        })
    });
    let coverage = &exploration.coverage;
    let rejected = exploration.rejected();
    Page {
        title: title(exploration, &entries),
        is_told,
        rejected: (rejected > 0).then(|| exploration.rejection(rejected)),
        findings,
        unlikely_left_out: exploration.unlikely_left_out.unwrap_or(0),
        entries,
        machines: machines.collect(),
        skipped: skipped.collect(),
        is_complete: exploration.is_complete(),
        proved_after: exploration.proved_after(),
        bounds: bounds(&exploration.searches),
        without_source: sources.without_source,
        sources: sources.pages,
        functions: (coverage.functions.covered, coverage.functions.total),
        clauses: (coverage.clauses.covered, coverage.clauses.total),
    }
}

/// The function that was explored, or how many.
fn title(exploration: &Exploration<'_>, entries: &[EntryPage]) -> String {
    let functions = match entries {
        [entry] => entry.name.clone(),
        _ => format!("{} functions", entries.len()),
    };
    match &exploration.shards {
        Some(shards) => format!("{functions} ({shards})"),
        None => functions,
    }
}

fn entry_page(
    exploration: &Exploration<'_>,
    search: &Searched,
    files: &mut SourceFiles<'_>,
    sources: &ShownSources,
) -> EntryPage {
    let Searched { entry, report, .. } = search;
    let wording = exploration.wording(entry);
    let no_paths = Paths::default();
    let paths = report.paths.as_ref().unwrap_or(&no_paths);
    let places = sources.places.iter();
    let numbers: Vec<Option<usize>> = places
        .map(|(module, mark)| paths.place(*module, *mark))
        .collect();
    let tests = report.tests.iter().map(|test| TestPage {
        is_crash: test.outcome.is_finding(),
        places: sources.bits(&numbers, test),
        ..test_page(
            &wording,
            entry,
            &entry.arguments(&test.arguments.terms()),
            &test.outcome,
            test.schedule.as_deref(),
        )
    });
    let told = search.told.iter().flat_map(|it| &it.tests);
    let told = told.map(|it| TestPage {
        is_crash: it.is_crash,
        ..test_page(
            &wording,
            entry,
            &it.arguments,
            &it.end,
            it.schedule.as_deref(),
        )
    });
    let tests: Vec<TestPage> = tests.chain(told).collect();
    let mut steps = Steps::new(exploration.code.program, paths);
    let test_paths = report.tests.iter().map(|test| test.path.as_ref());
    let nodes = match &search.told {
        Some(_) => vec![NodePage {
            tests: (0..tests.len()).collect(),
            ..NodePage::default()
        }],
        None => path_tree::nodes(paths, test_paths, |step| steps.number(files, step)),
    };
    EntryPage {
        name: exploration.shown(entry),
        call: call_around(&wording, entry),
        bounds: bounds(std::slice::from_ref(search)),
        tests,
        steps: steps.pages,
        nodes,
        merged_ways_left_out: paths.merged_ways_left_out(),
        gaps: gaps(exploration.code.program, files, report, paths, &wording),
    }
}

/// A test, given its arguments as Erlang source, how it ended, and its schedule.
fn test_page(
    wording: &Wording<'_>,
    entry: &Entry,
    arguments: &[String],
    end: &RunEnd,
    schedule: Option<&str>,
) -> TestPage {
    TestPage {
        arguments: shown_arguments(wording, entry, arguments),
        outcome: end.of_entry.name().to_owned(),
        result: result(wording, &end.of_entry),
        processes: process_texts(end, schedule),
        ..TestPage::default()
    }
}

/// The arguments of a test; for a machine, what is played.
fn shown_arguments(wording: &Wording<'_>, entry: &Entry, arguments: &[String]) -> String {
    let arguments = wording.values(arguments);
    match entry.behaviour() {
        Some(_) => play_text(&arguments),
        None => arguments.join(", "),
    }
}

/// What comes before and after the arguments of a test.
fn call_around(wording: &Wording<'_>, entry: &Entry) -> (String, &'static str) {
    let call = wording.call(entry, &[]);
    match call.strip_suffix(')') {
        Some(before) => (before.to_owned(), ")"),
        None => (call, ""),
    }
}

/// What a test returned or raised.
fn result(wording: &Wording<'_>, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Ok(value) => wording.value(value),
        Outcome::Exception { reason, .. } => match wording.language() {
            Language::Erlang => reason.clone(),
            Language::Elixir => wording.raised(outcome, None).unwrap_or_default(),
        },
        Outcome::Timeout => "took too long".to_owned(),
        Outcome::Killed => "took too much memory".to_owned(),
        Outcome::WorkerDied => "brought the BEAM down".to_owned(),
        Outcome::Deadlock { .. } => "waited for ever".to_owned(),
        Outcome::Steps => "took too many steps".to_owned(),
        Outcome::Blocked(call) => format!("a call of {call} was refused"),
    }
}

fn finding_page(
    exploration: &Exploration<'_>,
    files: &mut SourceFiles<'_>,
    finding: &Finding,
) -> FindingPage {
    let first = finding.first();
    let entry = exploration.entry_of(first);
    let wording = exploration.wording(entry);
    let arguments = wording.values(&first.arguments);
    let own = wording.call_of(entry, &arguments);
    let check = exploration.check_of(&wording, &arguments, &own);
    let line = |file: &str, line: i64| {
        let number = u32::try_from(line).ok().filter(|it| *it > 0)?;
        Some(files.line(file, number))
    };
    let stack = finding.outcome.stack().iter();
    let stack = stack.map(|it| (wording.function(&it.function), line(&it.file, it.line)));
    let site = finding.site.as_ref();
    let call = match (&finding.play, finding.needed_schedule()) {
        (Some(play), _) => play.script.clone(),
        (None, Some(_)) => reproduction(exploration, finding, first),
        (None, None) => wording.shell_line(&check.unwrap_or_else(|| own.clone())),
    };
    let others = finding.inputs.iter().skip(1);
    let others = others.map(|it| {
        let entry = exploration.entry_of(it);
        exploration.wording(entry).call(entry, &it.arguments)
    });
    FindingPage {
        entry: first.search,
        test: first.test,
        title: own,
        is_accepted: finding.is_accepted,
        is_likely: finding.is_likely,
        what: what(&wording, finding),
        arguments: named_arguments(exploration, first, &arguments),
        call,
        order: order_page(&wording, finding, &line),
        chart: finding.chart.as_ref().map(|it| chart_page(it, &line)),
        is_on_code: finding.confirmed_on == ConfirmedOn::Code,
        place: site.and_then(|it| line(&it.file, it.line)),
        callee: site.and_then(|it| Some(wording.function(it.callee.as_ref()?))),
        stack: stack.collect(),
        other_entries: others.collect(),
        also: finding
            .also
            .iter()
            .map(|it| wording.call(entry, it))
            .collect(),
        not_shown: finding
            .tests
            .saturating_sub(finding.inputs.len() + finding.also.len()),
        steps: steps_to(exploration, first, files),
    }
}

/// The chart of a finding, with the lines of its rows.
fn chart_page(chart: &Chart, line: &dyn Fn(&str, i64) -> Option<LinePage>) -> ChartPage {
    let places = chart.rows.iter().map(|row| {
        let place = row.place.as_ref()?;
        line(&place.file, place.line)
    });
    ChartPage {
        places: places.collect(),
        chart: chart.clone(),
    }
}

/// The processes of a test, and its schedule.
fn process_texts(end: &RunEnd, schedule: Option<&str>) -> Vec<String> {
    let processes = end.processes.iter();
    let processes = processes.map(|it| {
        let (path, entry, end) = (&it.path, &it.entry, it.end.reason());
        format!("process {path} ({entry}): {end}")
    });
    let schedule = schedule.map(|it| format!("schedule: {it}"));
    processes.chain(schedule).collect()
}

/// The processes of a finding and their order.
fn order_page(
    wording: &Wording<'_>,
    finding: &Finding,
    line: &dyn Fn(&str, i64) -> Option<LinePage>,
) -> Option<OrderPage> {
    let waiting = match &finding.outcome {
        Outcome::Deadlock { waiting } => waiting.as_slice(),
        Outcome::Ok(_)
        | Outcome::Exception { .. }
        | Outcome::Timeout
        | Outcome::Killed
        | Outcome::WorkerDied
        | Outcome::Steps
        | Outcome::Blocked(_) => &[],
    };
    if finding.schedule.is_none() && waiting.is_empty() {
        return None;
    }
    let waiting = waiting.iter().map(|it| {
        let place = it.place();
        let function = place.map(|it| wording.function(&it.function));
        let place = place.and_then(|it| line(&it.file, it.line));
        (it.process.clone(), function.unwrap_or_default(), place)
    });
    let race = finding.race.iter().flatten();
    Some(OrderPage {
        process: finding.process.to_string(),
        waiting: waiting.collect(),
        schedule: finding.schedule.as_ref().map(ToString::to_string),
        race: race.filter_map(|it| line(&it.file, it.line)).collect(),
    })
}

/// Class and reason, or how else it ended.
fn what(wording: &Wording<'_>, finding: &Finding) -> String {
    let raised = wording.raised(&finding.outcome, finding.message.as_deref());
    raised.unwrap_or_else(|| result(wording, &finding.outcome))
}

/// The names and values of arguments.
fn named_arguments(
    exploration: &Exploration<'_>,
    input: &CrashInput,
    arguments: &[String],
) -> Vec<(String, String)> {
    let search = exploration.searches.get(input.search);
    let names = search.map(|it| it.parameters(exploration.code.program));
    let names = names.unwrap_or_default();
    let values = arguments.iter().enumerate().map(|(index, value)| {
        let name = names.get(index).cloned();
        let name = name.unwrap_or_else(|| format!("Arg{}", index + 1));
        (name, value.clone())
    });
    values.collect()
}

/// The decisions on the path of an input, without those of what plays a machine.
fn steps_to(
    exploration: &Exploration<'_>,
    input: &CrashInput,
    files: &mut SourceFiles<'_>,
) -> Vec<StepPage> {
    let search = exploration.searches.get(input.search);
    let report = search.map(|it| &it.report);
    let test = report.and_then(|it| it.tests.get(input.test));
    let path = test.and_then(|it| it.path.as_ref());
    let paths = report.and_then(|it| it.paths.as_ref());
    let (Some(paths), Some(path)) = (paths, path) else {
        return Vec::new();
    };
    let mut steps = Steps::new(exploration.code.program, paths);
    let decisions = paths.steps_of(path).into_iter();
    let pages = decisions.map(|it| steps.page(files, &it));
    pages.filter(|it| !is_of_player(&it.function)).collect()
}
