//! The search for an input: guess, check the guess, split what it breaks into cases, and try each.

use flattener::ast::deep;

use crate::asserting::Asserting;
use crate::conflict::Conflict;
use crate::graph::{Condition, Graph, NodeId};
use crate::guess::{Guess, Parent, integer_values};
use crate::integers::Integers;
use crate::known::Known;
use crate::split::{FloatTries, Split};

/// Searches for an input.
pub(crate) struct Search<'run> {
    pub(crate) known: Known<'run>,
    pub(crate) parent: Parent,
    pub(crate) integers: &'run mut dyn Integers,
    /// How many of the kept conditions come from assumptions.
    pub(crate) kept_for_good: usize,
    /// How many cases may still be tried.
    cases: u32,
    floats: FloatTries,
}

impl<'run> Search<'run> {
    pub(crate) fn new(
        graph: &'run mut Graph,
        parent: Parent,
        integers: &'run mut dyn Integers,
        depth: u32,
    ) -> Self {
        Self {
            known: Known::new(graph, depth),
            parent,
            integers,
            kept_for_good: 0,
            cases: 0,
            floats: FloatTries::default(),
        }
    }

    pub(crate) fn asserting(&mut self) -> Asserting<'_, 'run> {
        Asserting::new(&mut self.known)
    }

    /// Arguments that fulfil everything, if some are found within this many cases.
    pub(crate) fn run(&mut self, cases: u32) -> Option<Vec<NodeId>> {
        self.cases = cases;
        self.floats = FloatTries::default();
        self.search()
    }

    fn search(&mut self) -> Option<Vec<NodeId>> {
        if self.cases == 0 || self.known.ends() {
            self.known.give_up();
            return None;
        }
        self.cases -= 1;
        self.asserting().unfold_members().ok()?;
        let gave_up = self.known.effort.gave_up;
        let broken = match self.guess() {
            Ok(arguments) => return Some(arguments),
            Err(broken) => broken,
        };
        if self.is_contradicted() {
            self.known.effort.gave_up = gave_up;
            return None;
        }
        let cases = self.split().cases(broken?);
        cases.into_iter().find_map(|case| self.try_case(&case))
    }

    /// Continues with a case, and takes it back if nothing is found.
    fn try_case(&mut self, case: &[Condition]) -> Option<Vec<NodeId>> {
        let mark = self.known.store.mark();
        let is_possible = case.iter().all(|it| self.asserting().assert(*it).is_ok());
        let found = is_possible.then(|| deep(|| self.search())).flatten();
        if found.is_none() {
            self.known.store.undo(mark);
        }
        found
    }

    /// The arguments of a guess that fulfils everything, or else something that it breaks.
    fn guess(&mut self) -> Result<Vec<NodeId>, Option<Condition>> {
        let Self { known, parent, .. } = self;
        let integers = integer_values(known, parent, self.integers);
        let integers = integers.map_err(|Conflict| None)?;
        let mut guess = Guess::new(known, parent, integers);
        let Ok(arguments) = guess.arguments() else {
            return Err(guess.map_clash());
        };
        match guess.broken(self.kept_for_good) {
            None => Ok(arguments),
            broken => Err(broken),
        }
    }

    fn split(&mut self) -> Split<'_, 'run> {
        Split {
            known: &mut self.known,
            parent: &mut self.parent,
            integers: self.integers,
            floats: &mut self.floats,
        }
    }

    /// Whether a kept condition cannot hold any more, so that there is nothing to guess.
    fn is_contradicted(&mut self) -> bool {
        (0..self.known.store.kept.len()).any(|index| {
            let kept = self.known.store.kept.get(index).copied();
            kept.is_some_and(|condition| self.known.status(condition) == Some(false))
        })
    }
}
