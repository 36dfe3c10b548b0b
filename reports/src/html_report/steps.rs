//! The decisions of all paths, without duplicates.

use std::collections::HashMap;

use trace_engine::explore::{PathStep, Paths};
use trace_format::Program;

use super::decision_names::step_page;
use super::numbering::Numbering;
use super::page::StepPage;
use super::source_files::SourceFiles;

/// The distinct steps of a search.
pub(super) struct Steps<'search> {
    program: &'search Program,
    pub(super) paths: &'search Paths,
    numbers: Numbering<StepPage>,
    pub(super) pages: Vec<StepPage>,
    /// Steps in words, without their conditions.
    known: HashMap<(u32, u32, Option<u32>, bool), StepPage>,
}

impl<'search> Steps<'search> {
    pub(super) fn new(program: &'search Program, paths: &'search Paths) -> Self {
        Self {
            program,
            paths,
            numbers: Numbering::new(),
            pages: Vec::new(),
            known: HashMap::new(),
        }
    }

    /// A step in words.
    pub(super) fn page(&mut self, files: &mut SourceFiles<'_>, step: &PathStep) -> StepPage {
        let key = (step.module, step.site.0, step.clause, step.is_given);
        let known = self.known.entry(key);
        let page = known.or_insert_with(|| step_page(self.program, files, step));
        StepPage {
            condition: self.paths.condition(step).to_owned(),
            ..page.clone()
        }
    }

    /// The number of a step; steps with the same words have the same number.
    pub(super) fn number(&mut self, files: &mut SourceFiles<'_>, step: &PathStep) -> usize {
        let page = self.page(files, step);
        let (number, is_new) = self.numbers.number(page.clone());
        if is_new {
            self.pages.push(page);
        }
        number
    }
}
