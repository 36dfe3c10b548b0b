//! Makes the page from what a search found.

use trace_engine::explore::Paths;

use super::gap_rows::gaps;
use super::line_states::ShownSources;
use super::page::{EntryPage, FindingPage, Page, TestPage};
use super::path_tree;
use super::source_files::SourceFiles;
use super::steps::Steps;
use crate::argument_names::argument_names;
use crate::entry::argument_texts;
use crate::exploration::{Exploration, Searched};
use crate::findings::Finding;
use crate::outcome::{Outcome, StackEntry};
use crate::source_texts::ReadSource;

/// The page for a search whose paths were kept.
pub(super) fn page(exploration: &Exploration<'_>, read: ReadSource<'_>) -> Page {
    let code = exploration.code;
    let mut files = SourceFiles::new(read, &code.source_paths, &code.folder);
    let mut sources = ShownSources::new(code, &mut files);
    let searches = exploration.searches.iter();
    let entries = searches.map(|search| entry_page(exploration, search, &mut files, &sources));
    let entries: Vec<EntryPage> = entries.collect();
    let skipped = exploration.skipped.iter();
    let skipped = skipped.map(|it| (it.entry.to_string(), it.why.to_string()));
    sources.mark_lines(&entries);
    let coverage = &exploration.coverage;
    Page {
        title: title(&entries),
        entries,
        skipped: skipped.collect(),
        is_complete: exploration.is_complete(),
        without_source: sources.without_source,
        sources: sources.pages,
        functions: (coverage.functions.covered, coverage.functions.total),
        clauses: (coverage.clauses.covered, coverage.clauses.total),
    }
}

/// The function that was explored, or how many.
fn title(entries: &[EntryPage]) -> String {
    match entries {
        [entry] => entry.name.clone(),
        _ => format!("{} functions", entries.len()),
    }
}

fn entry_page(
    exploration: &Exploration<'_>,
    search: &Searched,
    files: &mut SourceFiles<'_>,
    sources: &ShownSources,
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
        outcome: test.outcome.name().to_owned(),
        result: result(&test.outcome),
        is_crash: test.outcome.is_finding(),
        places: sources.bits(&numbers, test),
    });
    let tests = tests.collect();
    let mut steps = Steps::new(exploration.code.program, paths);
    let test_paths = report.tests.iter().map(|test| test.path.as_ref());
    let nodes = path_tree::nodes(paths, test_paths, |step| steps.number(files, step));
    let findings = search.findings.iter();
    let findings: Vec<FindingPage> = findings
        .map(|it| finding_page(exploration, search, files, &mut steps, it))
        .collect();
    EntryPage {
        name: entry.to_string(),
        call: format!("{}:{}", entry.module, entry.function.name),
        is_complete: report.is_complete(),
        term_depth: search.term_depth,
        rejected: (search.rejected > 0).then(|| exploration.rejection(search.rejected)),
        tests,
        findings,
        steps: steps.pages,
        nodes,
        gaps: gaps(exploration.code.program, files, report, paths),
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
    exploration: &Exploration<'_>,
    search: &Searched,
    files: &mut SourceFiles<'_>,
    steps: &mut Steps<'_>,
    finding: &Finding,
) -> FindingPage {
    let entry = &search.entry;
    let own = entry.call(&finding.arguments);
    let check = exploration.check_of(&finding.arguments, &own);
    let names = argument_names(exploration.code.program, entry);
    let values = finding.arguments.iter().enumerate().map(|(index, value)| {
        let name = names.get(index).cloned();
        let name = name.unwrap_or_else(|| format!("Arg{}", index + 1));
        (name, value.clone())
    });
    let line = |entry: &StackEntry| {
        let number = u32::try_from(entry.line).ok().filter(|it| *it > 0)?;
        Some(files.line(&entry.file, number))
    };
    let stack = finding.outcome.stack().iter();
    let stack = stack.map(|it| (it.function.clone(), line(it)));
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
        place: finding.outcome.crash_site().and_then(line),
        stack: stack.collect(),
        steps: decisions.iter().map(|it| steps.page(files, it)).collect(),
        also: finding.also.iter().map(|it| entry.call(it)).collect(),
    }
}
