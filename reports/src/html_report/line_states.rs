//! Which sources are shown, and whether tests reached their lines.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use flattener::flat::BlockId;
use trace_engine::Mark;
use trace_engine::explore::Test;

use super::erlang_tokens::tokens;
use super::line_places::{Line, lines};
use super::noted_lines::{NotedLines, Place, noted_lines};
use super::numbering::Numbering;
use super::page::{EntryPage, FindingPage, LineState, SourceLine, SourcePage};
use super::source_files::SourceFiles;
use crate::coverage::ClausePlace;
use crate::explored_code::ExploredCode;
use crate::outcome::module_of;
use crate::wording::shown_module;

/// The sources that are shown, and the places of their lines.
#[derive(Debug)]
pub(super) struct ShownSources {
    pub(super) pages: Vec<SourcePage>,
    pub(super) places: Vec<Place>,
    /// For each source and line, the places of the clauses that begin there.
    heads: Vec<Vec<Vec<usize>>>,
    /// The modules whose sources were not found.
    pub(super) without_source: Vec<String>,
    /// The numbers of the places that were reached, if it is not known by which tests.
    reached: Option<HashSet<usize>>,
}

impl ShownSources {
    /// The sources of the user's modules.
    pub(super) fn new(code: &ExploredCode<'_>, files: &mut SourceFiles<'_>) -> Self {
        let mut noted: BTreeMap<String, NotedLines> = BTreeMap::new();
        let mut without_source = Vec::new();
        for (number, module) in code.modules().enumerate() {
            let mut own = noted_lines(number, module, &code.folder);
            own.retain(|name, _| files.text(name).is_some());
            if own.is_empty() {
                without_source.push(shown_module(&module.name));
            }
            for (name, more) in own {
                noted.entry(name).or_default().add(more);
            }
        }
        Self::of_noted(&noted, without_source, files)
    }

    /// The sources of clauses: those that were reached, and others.
    pub(super) fn of_clauses(
        reached: &[ClausePlace],
        missed: &[ClausePlace],
        files: &mut SourceFiles<'_>,
    ) -> Self {
        let mut noted: BTreeMap<String, NotedLines> = BTreeMap::new();
        let mut without_source = BTreeSet::new();
        for (number, clause) in reached.iter().chain(missed).enumerate() {
            let ClausePlace { file, line, clause } = clause;
            match (file, line) {
                (Some(file), Some(line)) if files.text(file).is_some() => {
                    // Each clause is a place of its own.
                    let head = (number, Mark::Block(0, BlockId(0)));
                    noted.entry(file.clone()).or_default().add_head(*line, head);
                }
                _ => {
                    let file = file.clone();
                    let module = || module_of(clause).to_owned();
                    without_source.insert(file.unwrap_or_else(module));
                }
            }
        }
        let without_source = without_source.into_iter().collect();
        let mut sources = Self::of_noted(&noted, without_source, files);
        let places = sources.places.iter().enumerate();
        let places = places.filter(|(_, place)| place.0 < reached.len());
        sources.reached = Some(places.map(|it| it.0).collect());
        sources
    }

    fn of_noted(
        noted: &BTreeMap<String, NotedLines>,
        without_source: Vec<String>,
        files: &mut SourceFiles<'_>,
    ) -> Self {
        let mut sources = Self {
            pages: Vec::new(),
            places: Vec::new(),
            heads: Vec::new(),
            without_source,
            reached: None,
        };
        let mut numbers = Numbering::new();
        for (name, noted) in noted {
            let text = files.text(name).unwrap_or_default().to_owned();
            let lines = lines(&text, &tokens(&text), noted);
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
        files.show(noted.keys().cloned().collect());
        sources
    }

    /// The places that a test reached, as bits.
    pub(super) fn bits<O>(&self, numbers: &[Option<usize>], test: &Test<O>) -> Vec<u8> {
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

    /// Marks the lines that tests reached, and those that crash.
    pub(super) fn mark_lines(&mut self, entries: &[EntryPage], findings: &[FindingPage]) {
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
            let by_tests: usize = reaching.map(|it| it.1).sum();
            let told = self.reached.as_ref();
            let is_told = told.is_some_and(|it| places.iter().any(|place| it.contains(place)));
            by_tests + usize::from(is_told)
        };
        for (page, heads) in self.pages.iter_mut().zip(&self.heads) {
            for (line, heads) in page.lines.iter_mut().zip(heads) {
                line.tests = count(&line.places);
                line.state = match line.tests {
                    _ if line.places.is_empty() => LineState::NoCode,
                    0 => LineState::Missed,
                    _ if heads.iter().any(|head| count(&[*head]) == 0) => LineState::Partly,
                    _ => LineState::Covered,
                };
            }
        }
        for (number, finding) in findings.iter().enumerate() {
            self.mark_crash(number, finding);
        }
    }

    fn mark_crash(&mut self, number: usize, finding: &FindingPage) {
        let Some(place) = &finding.place else { return };
        let Some(page) = place.source.and_then(|it| self.pages.get_mut(it)) else {
            return;
        };
        let index = place.line as usize - 1;
        let heads = place.source.and_then(|it| self.heads.get(it));
        let is_head =
            |line: usize| heads.is_some_and(|it| it.get(line).is_some_and(|it| !it.is_empty()));
        // If no clause of a function matches, the crash is not in a clause.
        if finding.callee.is_some() || !finding.what.contains("function_clause") {
            for line in crashing_clause(&page.text, index, is_head) {
                if let Some(line) = page
                    .lines
                    .get_mut(line)
                    .filter(|it| it.state != LineState::NoCode)
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

/// The lines of the clause that contains a line: from the less indented head above it, up to the
/// next line that is not more indented than the head.
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
    let mut after = crash + 1..lines.len();
    let end = after.find(|line| indentation(*line).is_some_and(|it| it <= outer));
    start..end.unwrap_or(lines.len())
}
