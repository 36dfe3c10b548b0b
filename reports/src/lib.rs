//! Reports of a search: text, JSON, an HTML page, tests for EUnit, and how saved runs end now.
//!
//! This crate is pure. The command line runs inputs, reads sources and writes files.

mod abbreviated_value;
mod acceptance;
mod argument_names;
mod callees;
mod checked_tests;
mod command_line;
mod counted;
mod coverage;
mod crash_site;
mod current_folder;
mod elixir;
mod entry;
mod eunit_report;
mod exploration;
mod explored_code;
mod exunit_report;
mod findings;
mod github_report;
mod html_report;
mod json_report;
mod junit_report;
mod language;
mod likelihood;
mod original_code;
mod outcome;
mod own_sources;
mod printed_value;
mod reason_words;
mod replay_report;
mod sarif_report;
mod searched;
mod shrinking;
mod skipped_function;
mod source_texts;
mod stale_lines;
mod terminal;
mod text_report;
mod unit_tests;
mod wording;

pub use acceptance::{AcceptFile, BadLine, FindingKey, key_in_report};
pub use argument_names::argument_names;
pub use callees::{FunctionNumber, callees};
pub use counted::counted;
pub use coverage::{ClausePlace, Coverage, OwnClause, ReachableCode, ReachedCount};
pub use crash_site::CrashSite;
pub use current_folder::CurrentFolder;
pub use entry::{Entry, argument_texts};
pub use eunit_report::{MADE_BY, eunit_report};
pub use exploration::Exploration;
pub use explored_code::ExploredCode;
pub use exunit_report::exunit_report;
pub use findings::{Cause, CrashInput, Finding, find_crashes};
pub use github_report::github_report;
pub use html_report::html_report;
pub use json_report::json_report;
pub use junit_report::junit_report;
pub use language::Language;
pub use original_code::OriginalCode;
pub use outcome::{BROKEN_POSTCONDITION, Outcome, REJECTED_INPUT, StackEntry};
pub use own_sources::OwnSources;
pub use printed_value::printed_text;
pub use replay_report::{Replayed, Verdict, replay_json, replay_text};
pub use sarif_report::sarif_report;
pub use searched::Searched;
pub use skipped_function::{SkipReason, SkippedFunction};
pub use source_texts::ReadSource;
pub use stale_lines::StaleLine;
pub use terminal::{draw_diagnostics, visible, visible_name};
pub use text_report::text_report;
pub use unit_tests::{FailedUnitTest, UnitTestCounts, unit_tests_text};
pub use wording::Wording;

#[cfg(test)]
mod tests;
