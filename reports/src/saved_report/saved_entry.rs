//! A function in a report.

use erlang_term::Atom;
use flattener::flat::FunctionId;
use serde::Deserialize;
use trace_engine::explore::Pruned;

use super::saved_coverage::SavedCoverage;
use super::saved_gap::SavedGap;
use super::saved_machine::SavedMachine;
use super::saved_test::SavedTest;
use crate::entry::Entry;
use crate::machine::Behaviour;
use crate::printed_value::{read_function, unquoted};
use crate::searched::Searched;
use crate::skipped_function::SkipReason;
use crate::told_search::ToldSearch;

/// A function that was chosen.
#[derive(Debug, Deserialize)]
pub(super) struct SavedEntry {
    /// Its name: `m:f/1`.
    pub(super) entry: String,
    runs: usize,
    coverage: Option<SavedCoverage>,
    term_depth: Option<u32>,
    length: Option<usize>,
    parameters: Vec<String>,
    pruned: Option<SavedPruned>,
    left_out: Option<String>,
    unmade: Vec<String>,
    incomplete: Vec<SavedGap>,
    #[serde(default)]
    machine: Option<SavedMachine>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct SavedPruned {
    points: usize,
    ways: usize,
    proved_after: Option<usize>,
    all_run: bool,
}

impl SavedEntry {
    /// The function.
    pub(super) fn entry(&self) -> Result<Entry, String> {
        read_entry(&self.entry)
    }

    /// Why it was not searched, if it was not.
    pub(super) fn skip_reason(&self) -> Option<SkipReason> {
        match self.left_out.as_deref()? {
            "no-spec" => Some(SkipReason::NoSpec),
            _ => Some(SkipReason::NoInput(self.unmade.clone())),
        }
    }

    /// Its search, given its tests.
    pub(super) fn searched<'tests>(
        &self,
        entry: Entry,
        tests: impl Iterator<Item = &'tests SavedTest>,
    ) -> Result<Searched, String> {
        let tests = tests.map(SavedTest::told).collect::<Result<Vec<_>, _>>()?;
        let rejected = self.runs.saturating_sub(tests.len());
        let coverage = self.coverage.as_ref().map(SavedCoverage::coverage);
        let told = ToldSearch {
            tests,
            machine: self.machine.as_ref().map(SavedMachine::machine),
            parameters: self.parameters.clone(),
        };
        let mut search = Searched::told(entry, told, coverage.unwrap_or_default());
        search.rejected = rejected;
        search.term_depth = self.term_depth.unwrap_or(0);
        search.length = self.length;
        let gaps = self.incomplete.iter().map(SavedGap::counted);
        search.report.gaps = gaps.collect::<Result<_, _>>()?;
        search.report.pruned = self.pruned.map(SavedPruned::pruned);
        Ok(search)
    }
}

impl SavedPruned {
    fn pruned(self) -> Pruned {
        Pruned {
            points: self.points,
            ways: self.ways,
            proved_after: self.proved_after,
            all_run: self.all_run,
        }
    }
}

/// Reads `m:f/1`, `m (gen_server)` or `m (calls)`.
pub(super) fn read_entry(text: &str) -> Result<Entry, String> {
    let bad = || format!("{text} is not a function");
    let atom = |it: &str| match it.strip_prefix('\'') {
        Some(_) => Atom::new(unquoted(it)),
        None => Atom::new(it),
    };
    let kind = text.strip_suffix(')').and_then(|it| it.rsplit_once(" ("));
    match kind {
        Some((module, "calls")) => Ok(Entry::calls(atom(module))),
        Some((module, name)) => {
            let behaviour = Behaviour::named(name).ok_or_else(bad)?;
            Ok(Entry::machine(atom(module), behaviour))
        }
        None => {
            let function = read_function(text).ok_or_else(bad)?;
            let id = FunctionId {
                name: atom(&function.name),
                arity: u32::try_from(function.arity).map_err(|_| bad())?,
            };
            Ok(Entry::new(atom(&function.module), id))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read_as_they_are_written() {
        for text in [
            "m:f/1",
            "'my m':'it\\'s'/0",
            "m (gen_server)",
            "'Elixir.M' (gen_statem)",
            "m (calls)",
        ] {
            let entry = read_entry(text).expect("it is an entry");
            assert_eq!(entry.to_string(), text);
        }
        for text in ["", "m", "m:f", "m:f/x", "m (server)"] {
            assert!(read_entry(text).is_err(), "{text}");
        }
    }
}
