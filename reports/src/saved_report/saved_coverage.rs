//! Coverage in a report.

use serde::Deserialize;

use crate::coverage::{ClausePlace, Coverage, ReachedCount, ReachedNames};

/// How much was reached.
#[derive(Debug, Deserialize)]
pub(super) struct SavedCoverage {
    functions: SavedCount,
    clauses: SavedCount,
    missed: Vec<SavedClause>,
    /// Only the coverage of all functions together has these.
    #[serde(default)]
    reached: Option<Vec<SavedClause>>,
    #[serde(default)]
    reached_functions: Vec<String>,
    #[serde(default)]
    missed_functions: Vec<String>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct SavedCount {
    covered: usize,
    total: usize,
}

#[derive(Debug, Deserialize)]
struct SavedClause {
    file: Option<String>,
    line: Option<u32>,
    clause: String,
}

impl SavedCoverage {
    /// The coverage.
    pub(super) fn coverage(&self) -> Coverage {
        let clauses = |saved: &[SavedClause]| saved.iter().map(SavedClause::place).collect();
        let reached = self.reached.as_ref().map(|reached| ReachedNames {
            clauses: clauses(reached),
            functions: self.reached_functions.clone(),
            missed_functions: self.missed_functions.clone(),
        });
        Coverage {
            functions: self.functions.count(),
            clauses: self.clauses.count(),
            missed: clauses(&self.missed),
            reached,
        }
    }
}

impl SavedCount {
    fn count(self) -> ReachedCount {
        ReachedCount {
            covered: self.covered,
            total: self.total,
        }
    }
}

impl SavedClause {
    fn place(&self) -> ClausePlace {
        ClausePlace {
            file: self.file.clone(),
            line: self.line,
            clause: self.clause.clone(),
        }
    }
}
