//! How runs and their processes ended, with the places in the user's sources.

use std::collections::HashSet;
use std::sync::Arc;

use reports::{Entry, Outcome, OwnSources, RunEnd, RunProcess};

/// Finds the places of ends.
#[derive(Debug)]
pub(crate) struct RunEnds {
    own_sources: OwnSources,
    /// The processes of runs. Most runs of a search have the same ones, which end alike.
    known: HashSet<Arc<[RunProcess]>>,
}

impl RunEnds {
    pub(crate) fn new(own_sources: OwnSources) -> Self {
        Self {
            own_sources,
            known: HashSet::new(),
        }
    }

    /// Finds the places of an outcome.
    pub(crate) fn locate(&self, outcome: &mut Outcome) {
        self.own_sources.locate(outcome);
    }

    /// The end of a run of an entry, given how it ended and its processes.
    pub(crate) fn of(
        &mut self,
        entry: &Entry,
        mut of_entry: Outcome,
        processes: Vec<RunProcess>,
    ) -> RunEnd {
        self.own_sources.locate(&mut of_entry);
        if processes.len() < 2 {
            return RunEnd::alone(of_entry);
        }
        RunEnd {
            of_entry,
            processes: self.shared(entry, processes),
        }
    }

    fn shared(&mut self, entry: &Entry, mut processes: Vec<RunProcess>) -> Arc<[RunProcess]> {
        for process in &mut processes {
            self.own_sources.locate_process(process);
        }
        if let Some(first) = processes.first_mut() {
            first.entry = entry.to_string();
        }
        if let Some(known) = self.known.get(processes.as_slice()) {
            return Arc::clone(known);
        }
        let processes: Arc<[RunProcess]> = processes.into();
        self.known.insert(Arc::clone(&processes));
        processes
    }
}
