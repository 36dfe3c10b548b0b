//! Accepted findings that did not occur.

use crate::acceptance::AcceptFile;
use crate::callees::FunctionNumber;
use crate::explored_code::ExploredCode;
use crate::findings::Finding;
use crate::searched::Searched;

/// A line of the file that matches no finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaleLine {
    /// Its number, from 1.
    pub number: usize,
    /// The line.
    pub line: String,
    /// Whether it is sure that the finding no longer occurs: all paths through its function were
    /// run, or the function is gone.
    pub is_gone: bool,
}

/// The lines that match no finding, among those whose functions were searched.
pub fn stale_lines(
    code: &ExploredCode<'_>,
    searches: &[Searched],
    findings: &[Finding],
    file: &AcceptFile,
) -> Vec<StaleLine> {
    let lines = file.lines().iter();
    let unmatched = lines.filter(|(_, key)| !findings.iter().any(|it| key.is_for(&it.key)));
    let stale = unmatched.filter_map(|(number, key)| {
        Some(StaleLine {
            number: *number,
            line: key.to_string(),
            is_gone: is_gone(code, searches, &key.function)?,
        })
    });
    stale.collect()
}

/// Whether all paths through a function were run, or it is gone; `None` if it was not searched.
fn is_gone(code: &ExploredCode<'_>, searches: &[Searched], function: &str) -> Option<bool> {
    let mut modules = code.modules().enumerate();
    let (number, module) =
        modules.find(|(_, it)| function.starts_with(&format!("{}:", it.name)))?;
    let mut functions = module.flat.functions.iter();
    let index = functions.position(|it| {
        let name = format!("{}:{}/{}", module.name, it.id.name, it.id.arity);
        name == function
    });
    let Some(index) = index else {
        return Some(true);
    };
    let through: Vec<&Searched> = searches
        .iter()
        .filter(|it| reaches(code, it, (number, index)))
        .collect();
    let is_complete = through.iter().all(|it| it.report.is_complete());
    (!through.is_empty()).then_some(is_complete)
}

/// Whether a search may have reached a function.
fn reaches(code: &ExploredCode<'_>, search: &Searched, function: FunctionNumber) -> bool {
    search.report.functions.contains(&function)
        || code.callees_of(&search.entry).contains(&function)
}
