//! Makes the page from what a search found.

use std::collections::{BTreeMap, HashMap};

use trace_engine::Mark;
use trace_engine::explore::{Gap, PathStep, Paths, Report, Test};
use trace_format::Program;

use super::erlang::tokens;
use super::lines::{self, Line, Place, Told};
use super::program::{self, Files};
use super::tree::{self, Numbers};
use super::{
    EntryPage, FindingPage, GapPage, LinePage, Page, SourceLine, SourcePage, State, StepPage,
    TestPage,
};
use crate::exploration::findings::{Finding, is_finding, place};
use crate::exploration::json::{describe, outcome_name};
use crate::exploration::{Exploration, argument_texts};
use crate::target::Target;
use crate::worker::{Outcome, StackEntry};

/// More places of one gap are not listed.
const MOST_PLACES: usize = 20;

/// The names of the entry's arguments.
pub(crate) fn argument_names(target: &Target) -> Vec<String> {
    let entry = &target.entry;
    let found = target.program.exported(&entry.module, &entry.function);
    let function = found.and_then(|(module, index)| target.program.module(module)?.function(index));
    function.map_or_else(Vec::new, program::parameter_names)
}

/// The page for a search of which paths were kept.
pub(crate) fn page(exploration: &Exploration<'_>) -> Page {
    let target = exploration.target;
    let mut files = Files::new(target.source_paths().1);
    let mut sources = Sources::new(target, &mut files);
    let entry = entry_page(exploration, &mut files, &sources);
    sources.take_in(&[&entry]);
    let coverage = &exploration.coverage;
    Page {
        title: entry.name.clone(),
        entries: vec![entry],
        left_out: Vec::new(),
        without_source: sources.without_source,
        sources: sources.pages,
        functions: (coverage.functions.covered, coverage.functions.total),
        clauses: (coverage.clauses.covered, coverage.clauses.total),
    }
}

/// The sources that are shown, and the places by which their lines are reached.
struct Sources {
    pages: Vec<SourcePage>,
    places: Vec<Place>,
    /// By source and line, the places of the clauses that begin there.
    heads: Vec<Vec<Vec<usize>>>,
    without_source: Vec<String>,
}

impl Sources {
    fn new(target: &Target, files: &mut Files) -> Self {
        let mut told: BTreeMap<String, Told> = BTreeMap::new();
        let mut without_source = Vec::new();
        let own = target.program.modules().iter().take(target.own_modules);
        for (number, module) in own.enumerate() {
            let mut own: BTreeMap<String, Told> = BTreeMap::new();
            lines::told(number, module, &mut own);
            own.retain(|name, _| files.text(name).is_some());
            if own.is_empty() {
                without_source.push(module.name.to_string());
            }
            for (name, more) in own {
                told.entry(name).or_default().add(more);
            }
        }
        let mut sources = Self {
            pages: Vec::new(),
            places: Vec::new(),
            heads: Vec::new(),
            without_source,
        };
        let mut numbers = Numbers::new();
        for (name, told) in &told {
            let text = files.text(name).unwrap_or_default().to_owned();
            let lines = lines::lines(&text, &tokens(&text), told);
            let mut numbered = |places: &[Place]| -> Vec<usize> {
                let number = |place: &Place| {
                    let (number, is_new) = numbers.number(*place);
                    if is_new {
                        sources.places.push(*place);
                    }
                    number
                };
                let mut found: Vec<usize> = places.iter().map(number).collect();
                found.sort_unstable();
                found.dedup();
                found
            };
            let heads = lines.iter().map(|line: &Line| numbered(&line.heads));
            let heads = heads.collect();
            let shown = lines.iter().map(|line| SourceLine {
                places: numbered(&line.places),
                ..SourceLine::default()
            });
            sources.pages.push(SourcePage {
                name: name.clone(),
                lines: shown.collect(),
                text,
            });
            sources.heads.push(heads);
        }
        files.show(told.into_keys().collect());
        sources
    }

    /// The places that a test came to, as bits.
    fn bits(&self, numbers: &[Option<usize>], test: &Test<Outcome>) -> Vec<u8> {
        let mut bits = vec![0_u8; self.places.len().div_ceil(8)];
        let Some(path) = &test.path else { return bits };
        for (index, number) in numbers.iter().enumerate() {
            if number.is_some_and(|number| path.reaches(number))
                && let Some(byte) = bits.get_mut(index / 8)
            {
                *byte |= 1 << (index % 8);
            }
        }
        bits
    }

    /// Says of each line what became of it.
    fn take_in(&mut self, entries: &[&EntryPage]) {
        let mut classes: HashMap<&[u8], usize> = HashMap::new();
        for test in entries.iter().flat_map(|entry| &entry.tests) {
            *classes.entry(&test.places).or_default() += 1;
        }
        let has = |bits: &[u8], place: usize| {
            let byte = bits.get(place / 8);
            byte.is_some_and(|byte| byte >> (place % 8) & 1 == 1)
        };
        let count = |places: &[usize]| -> usize {
            let reaching = classes.iter();
            let reaching = reaching.filter(|it| places.iter().any(|place| has(it.0, *place)));
            reaching.map(|it| it.1).sum()
        };
        for (page, heads) in self.pages.iter_mut().zip(&self.heads) {
            for (line, heads) in page.lines.iter_mut().zip(heads) {
                line.tests = count(&line.places);
                line.state = match line.tests {
                    _ if line.places.is_empty() => State::NoCode,
                    0 => State::Missed,
                    _ if heads.iter().any(|head| count(&[*head]) == 0) => State::Partly,
                    _ => State::Covered,
                };
            }
        }
        for (number, entry) in entries.iter().enumerate() {
            for (index, finding) in entry.findings.iter().enumerate() {
                self.mark_crash((number, index), finding);
            }
        }
    }

    fn mark_crash(&mut self, number: (usize, usize), finding: &FindingPage) {
        let Some(place) = &finding.place else { return };
        let Some(page) = place.source.and_then(|it| self.pages.get_mut(it)) else {
            return;
        };
        let index = place.line as usize - 1;
        let heads = place.source.and_then(|it| self.heads.get(it));
        let is_head =
            |line: usize| heads.is_some_and(|it| it.get(line).is_some_and(|it| !it.is_empty()));
        // In no clause if none of a function's matches.
        if !finding.what.contains("function_clause") {
            for line in crashing_clause(&page.text, index, is_head) {
                if let Some(line) = page
                    .lines
                    .get_mut(line)
                    .filter(|it| it.state != State::NoCode)
                {
                    line.in_crash = true;
                }
            }
        }
        if let Some(line) = page.lines.get_mut(index) {
            line.findings.push(number);
        }
    }
}

/// The lines of the clause in which a line is: from the head above it that is less indented, to
/// the next line that is not more indented than that.
fn crashing_clause(
    text: &str,
    crash: usize,
    is_head: impl Fn(usize) -> bool,
) -> std::ops::Range<usize> {
    let lines: Vec<&str> = text.split('\n').collect();
    let indentation = |line: usize| {
        let text = lines.get(line).copied().unwrap_or_default();
        (!text.trim().is_empty()).then(|| text.len() - text.trim_start().len())
    };
    let own = indentation(crash).unwrap_or(0);
    let is_above = |line: usize| is_head(line) && indentation(line).is_some_and(|it| it < own);
    let start = if is_head(crash) {
        Some(crash)
    } else {
        (0..crash).rev().find(|line| is_above(*line))
    };
    let Some(start) = start else {
        return crash..crash + 1;
    };
    let outer = indentation(start).unwrap_or(0);
    let mut behind = crash + 1..lines.len();
    let end = behind.find(|line| indentation(*line).is_some_and(|it| it <= outer));
    start..end.unwrap_or(lines.len())
}

fn entry_page(exploration: &Exploration<'_>, files: &mut Files, sources: &Sources) -> EntryPage {
    let Exploration { target, report, .. } = exploration;
    let entry = &target.entry;
    let no_paths = Paths::default();
    let paths = report.paths.as_ref().unwrap_or(&no_paths);
    let places = sources.places.iter();
    let numbers: Vec<Option<usize>> = places
        .map(|(module, mark): &(usize, Mark)| paths.place(*module, *mark))
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
    let findings = exploration.findings.iter();
    let findings: Vec<FindingPage> = findings
        .map(|it| finding_page(exploration, files, &mut steps, it))
        .collect();
    EntryPage {
        name: format!(
            "{}:{}/{}",
            entry.module, entry.function.name, entry.function.arity
        ),
        call: format!("{}:{}", entry.module, entry.function.name),
        is_complete: report.is_complete(),
        term_depth: exploration.term_depth,
        rejected: exploration.rejected,
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

/// The steps that are different from each other.
struct Steps<'search> {
    program: &'search Program,
    paths: &'search Paths,
    numbers: Numbers<StepPage>,
    pages: Vec<StepPage>,
    /// What steps are called, without their conditions.
    known: HashMap<(u32, u32, Option<u32>, bool), StepPage>,
}

impl<'search> Steps<'search> {
    fn new(program: &'search Program, paths: &'search Paths) -> Self {
        Self {
            program,
            paths,
            numbers: Numbers::new(),
            pages: Vec::new(),
            known: HashMap::new(),
        }
    }

    fn page(&mut self, files: &mut Files, step: &PathStep) -> StepPage {
        let key = (step.module, step.site.0, step.clause, step.is_given);
        let known = self.known.entry(key);
        let page = known.or_insert_with(|| program::step(self.program, files, step));
        StepPage {
            condition: self.paths.condition(step).to_owned(),
            ..page.clone()
        }
    }

    fn number(&mut self, files: &mut Files, step: usize) -> usize {
        let step = self.paths.steps().get(step).copied();
        let page = step.map(|step| self.page(files, &step)).unwrap_or_default();
        let (number, is_new) = self.numbers.number(page.clone());
        if is_new {
            self.pages.push(page);
        }
        number
    }
}

fn finding_page(
    exploration: &Exploration<'_>,
    files: &mut Files,
    steps: &mut Steps<'_>,
    finding: &Finding,
) -> FindingPage {
    let target = exploration.target;
    let entry = &target.entry;
    let call = |arguments: &[String]| {
        let arguments = arguments.join(", ");
        format!("{}:{}({arguments})", entry.module, entry.function.name)
    };
    let own = call(&finding.arguments);
    let check = target.contract.as_ref();
    let check = check.and_then(|it| it.check_of(&finding.arguments, &own));
    let names = argument_names(target);
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
    let test = exploration.report.tests.get(finding.test);
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
        also: finding.also.iter().map(|it| call(it)).collect(),
    }
}

fn gaps(program: &Program, files: &Files, report: &Report<Outcome>, paths: &Paths) -> Vec<GapPage> {
    let page = |(gap, count): (&Gap, &usize)| {
        let (code, what) = describe(gap);
        let places = paths.opaque_places(&what).take(MOST_PLACES);
        let mut places: Vec<LinePage> = places
            .filter(|_| matches!(gap, Gap::OpaqueCall(_)))
            .filter_map(|(module, site)| program::site_line(program, files, module, site))
            .collect();
        places.dedup();
        GapPage {
            code,
            what,
            why: why(gap),
            count: *count,
            places,
        }
    };
    report.gaps.iter().map(page).collect()
}

/// What a gap means.
fn why(gap: &Gap) -> &'static str {
    match gap {
        Gap::OpaqueCall(_) => {
            "It is not followed and has no model. What it returned was taken from the run, as a \
             constant; other results were not looked for."
        }
        Gap::NotUnderstood(_) => {
            "A decision depends on a value about which not all is known. Its other ways were tried \
             only as far as they are understood."
        }
        Gap::Unsolved(_) => {
            "The solver found neither an input for another way nor a proof that there is none."
        }
        Gap::Divergence => {
            "The program does not depend on its input alone: the same decisions led elsewhere."
        }
        Gap::CutRun(_) => {
            "The events of a run end before the run did; what came then is not known."
        }
        Gap::LongRun => "Decisions behind the first 2,000 of a run are not looked at.",
        Gap::BadLog(_) => "A log could not be read or replayed. Please report it.",
        Gap::Unconfirmed(_) => {
            "It crashed in instrumented code and not in the code as it is, so it is no finding."
        }
        Gap::Stopped => "A limit of time or runs was met, or the search was interrupted.",
    }
}
