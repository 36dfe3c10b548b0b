//! Reports of a search: text, JSON, an HTML page, tests for EUnit, and how saved runs end now.
//!
//! This crate is pure. The command line runs inputs, reads sources and writes files.

mod abbreviated_value;
mod acceptance;
mod argument_names;
mod bounds;
mod call_results;
mod call_sequence;
mod callees;
mod chart;
mod checked_tests;
mod command_line;
mod counted;
mod coverage;
mod crash_site;
mod current_folder;
mod dot_report;
mod elixir;
mod entry;
mod eunit_report;
mod eunit_suite;
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
mod machine;
mod made_of;
mod merging;
mod order_words;
mod original_code;
mod outcome;
mod own_sources;
mod printed_value;
mod process_callback;
mod reason_words;
mod replay_report;
mod run_end;
mod run_process;
mod sarif_report;
mod saved_report;
mod searched;
mod shards;
mod shrinking;
mod skipped_function;
mod source_place;
mod source_texts;
mod stale_lines;
mod terminal;
mod text_report;
mod told_search;
mod unit_tests;
mod wording;

pub use acceptance::{AcceptFile, BadLine, FindingKey, key_in_report};
pub use argument_names::argument_names;
pub use call_sequence::{
    CallArgument, MOST_VALUES, MadePattern, call_tag, call_texts, made_variable, reference_type,
};
pub use callees::{FunctionNumber, callees_of};
pub use chart::{
    Chart, ChartRow, ChartedRun, Lane, Racing, RowKind, UnreadMail, chart_json, chart_text,
};
pub use counted::counted;
pub use coverage::{ClausePlace, Coverage, OwnClause, ReachableCode, ReachedCount, ReachedNames};
pub use crash_site::CrashSite;
pub use current_folder::CurrentFolder;
pub use dot_report::dot_report;
pub use entry::{Entry, EntryKind, argument_texts};
pub use eunit_report::{MADE_BY, eunit_report, eunit_suites};
pub use eunit_suite::{EunitCase, EunitSuite};
pub use exploration::Exploration;
pub use explored_code::ExploredCode;
pub use exunit_report::exunit_report;
pub use findings::{Cause, ConfirmedOn, CrashInput, CrashPlay, Finding, find_crashes};
pub use github_report::github_report;
pub use html_report::html_report;
pub use json_report::{json_report, waiting_json};
pub use junit_report::junit_report;
pub use language::Language;
pub use machine::{
    Behaviour, FoundMachine, FoundState, Transition, crash_script, event_texts, played,
};
pub use made_of::MadeOf;
pub use merging::{NamedReport, merge_reports};
pub use original_code::{OriginalCode, Trial};
pub use outcome::{
    BROKEN_FUN_CONTRACT, BROKEN_POSTCONDITION, Outcome, REJECTED_INPUT, StackEntry, Waiting,
};
pub use own_sources::OwnSources;
pub use printed_value::printed_text;
pub use replay_report::{Replayed, Verdict, replay_json, replay_text};
pub use run_end::{OrderedRun, ProcessCrash, RunEnd};
pub use run_process::{ProcessEnd, RunProcess};
pub use sarif_report::sarif_report;
pub use saved_report::{SavedReport, ToldCode};
pub use searched::{Searched, Undeclared};
pub use shards::Shards;
pub use skipped_function::{SkipReason, SkippedFunction};
pub use source_place::SourcePlace;
pub use source_texts::ReadSource;
pub use stale_lines::StaleLine;
pub use terminal::{draw_diagnostics, visible, visible_name};
pub use text_report::text_report;
pub use unit_tests::{FailedUnitTest, UnitTestCounts, unit_tests_text};
pub use wording::{Wording, shown_module};

#[cfg(test)]
mod tests;
