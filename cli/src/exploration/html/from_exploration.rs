//! Makes the page from what a search found.

use trace_engine::explore::Paths;

use super::gaps::gaps;
use super::program::{self, Files};
use super::sources::Sources;
use super::steps::Steps;
use super::tree;
use super::{EntryPage, FindingPage, Page, TestPage};
use crate::entry::Entry;
use crate::exploration::findings::{Finding, is_finding, place};
use crate::exploration::json::outcome_name;
use crate::exploration::progress::call;
use crate::exploration::{Exploration, Searched, argument_texts};
use crate::target::Target;
use crate::worker::{Outcome, StackEntry};

/// The names of an entry's arguments.
pub(crate) fn argument_names(target: &Target, entry: &Entry) -> Vec<String> {
    let found = target.program.exported(&entry.module, &entry.function);
    let function = found.and_then(|(module, index)| target.program.module(module)?.function(index));
    function.map_or_else(Vec::new, program::parameter_names)
}

/// The page for a search of which paths were kept.
pub(crate) fn page(exploration: &Exploration<'_>) -> Page {
    let target = exploration.target;
    let mut files = Files::new(target.source_paths());
    let mut sources = Sources::new(&target.program, target.own_modules, &mut files);
    let searches = exploration.searches.iter();
    let entries = searches.map(|search| entry_page(target, search, &mut files, &sources));
    let entries: Vec<EntryPage> = entries.collect();
    let left_out = exploration.left_out.iter();
    let left_out = left_out.map(|it| (it.entry.to_string(), it.why.to_string()));
    sources.take_in(&entries);
    let coverage = &exploration.coverage;
    Page {
        title: title(&entries),
        entries,
        left_out: left_out.collect(),
        without_source: sources.without_source,
        sources: sources.pages,
        functions: (coverage.functions.covered, coverage.functions.total),
        clauses: (coverage.clauses.covered, coverage.clauses.total),
    }
}

/// The one function that was explored, or how many.
fn title(entries: &[EntryPage]) -> String {
    match entries {
        [entry] => entry.name.clone(),
        _ => format!("{} functions", entries.len()),
    }
}

fn entry_page(
    target: &Target,
    search: &Searched,
    files: &mut Files,
    sources: &Sources,
) -> EntryPage {
    let Searched { entry, report, .. } = search;
    let no_paths = Paths::default();
    let paths = report.paths.as_ref().unwrap_or(&no_paths);
    let places = sources.places.iter();
    let numbers: Vec<Option<usize>> = places
        .map(|(module, mark)| paths.place(*module, *mark))
        .collect();
    let tests = report.tests.iter().map(|test| TestPage {
        arguments: argument_texts(&test.arguments.terms()).join(", "),
        outcome: outcome_name(&test.outcome).to_owned(),
        result: result(&test.outcome),
        is_crash: is_finding(&test.outcome),
        places: sources.bits(&numbers, test),
    });
    let tests = tests.collect();
    let mut steps = Steps::new(&target.program, paths);
    let test_paths = report.tests.iter().map(|test| test.path.as_ref());
    let nodes = tree::nodes(paths, test_paths, |step| steps.number(files, step));
    let findings = search.findings.iter();
    let findings: Vec<FindingPage> = findings
        .map(|it| finding_page(target, search, files, &mut steps, it))
        .collect();
    EntryPage {
        name: entry.to_string(),
        call: format!("{}:{}", entry.module, entry.function.name),
        is_complete: report.is_complete(),
        term_depth: search.term_depth,
        rejected: search.rejected,
        tests,
        findings,
        steps: steps.pages,
        nodes,
        gaps: gaps(&target.program, files, report, paths),
    }
}

/// What a test returned or raised.
fn result(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Ok(value) => value.clone(),
        Outcome::Exception { reason, .. } => reason.clone(),
        Outcome::Timeout => "took too long".to_owned(),
        Outcome::Killed => "took too much memory".to_owned(),
        Outcome::WorkerDied => "brought the BEAM down".to_owned(),
        Outcome::Blocked(call) => format!("a call of {call} was refused"),
    }
}

fn finding_page(
    target: &Target,
    search: &Searched,
    files: &mut Files,
    steps: &mut Steps<'_>,
    finding: &Finding,
) -> FindingPage {
    let entry = &search.entry;
    let own = call(entry, &finding.arguments);
    let check = target.contract.as_ref();
    let check = check.and_then(|it| it.check_of(&finding.arguments, &own));
    let names = argument_names(target, entry);
    let values = finding.arguments.iter().enumerate().map(|(index, value)| {
        let name = names.get(index).cloned();
        let name = name.unwrap_or_else(|| format!("Arg{}", index + 1));
        (name, value.clone())
    });
    let line = |entry: &StackEntry| {
        let number = u32::try_from(entry.line).ok().filter(|it| *it > 0)?;
        Some(files.line(&entry.file, number))
    };
    let (crash, stack) = match &finding.outcome {
        Outcome::Exception { stack, .. } => (
            place(stack).and_then(line),
            stack
                .iter()
                .map(|it| (it.function.clone(), line(it)))
                .collect(),
        ),
        Outcome::Ok(_)
        | Outcome::Timeout
        | Outcome::Killed
        | Outcome::WorkerDied
        | Outcome::Blocked(_) => (None, Vec::new()),
    };
    let what = match &finding.outcome {
        Outcome::Exception { class, reason, .. } => format!("{class}: {reason}"),
        Outcome::Ok(_)
        | Outcome::Timeout
        | Outcome::Killed
        | Outcome::WorkerDied
        | Outcome::Blocked(_) => result(&finding.outcome),
    };
    let test = search.report.tests.get(finding.test);
    let path = test.and_then(|test| test.path.as_ref());
    let decisions = path
        .map(|path| steps.paths.steps_of(path))
        .unwrap_or_default();
    FindingPage {
        test: finding.test,
        title: own.clone(),
        what,
        arguments: values.collect(),
        call: format!("{}.", check.unwrap_or(own)),
        place: crash,
        stack,
        steps: decisions.iter().map(|it| steps.page(files, it)).collect(),
        also: finding.also.iter().map(|it| call(entry, it)).collect(),
    }
}
