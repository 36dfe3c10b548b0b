//! Values that several commands take, and their limits.

use clap::builder::{PossibleValue, PossibleValuesParser, RangedU64ValueParser, TypedValueParser};
use clap::{ValueEnum, value_parser};
use trace_engine::explore::Strategy;

/// Headings in the help of commands.
pub(super) const CLUSTER: &str = "Many machines";
pub(super) const COMPILER: &str = "Compiler";
pub(super) const INPUTS: &str = "Inputs";
pub(super) const LIMITS: &str = "Limits";
pub(super) const OUTPUT: &str = "Output";
pub(super) const PROCESSES: &str = "Processes";

/// Up to 49 days, the longest time of a timer of the BEAM.
pub(super) fn milliseconds() -> RangedU64ValueParser {
    value_parser!(u64).range(..=u64::from(u32::MAX))
}

/// Up to a hundred years; clocks overflow somewhere after that.
pub(super) fn seconds() -> RangedU64ValueParser {
    value_parser!(u64).range(..=100 * 366 * 24 * 60 * 60)
}

/// A strategy of the engine, by its name.
pub(super) fn strategy() -> impl TypedValueParser<Value = Strategy> {
    let names = Strategy::ALL
        .iter()
        .map(|it| PossibleValue::new(it.name()).help(it.summary()));
    PossibleValuesParser::new(names).map(|name| Strategy::named(&name).unwrap_or_default())
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text for reading
    Human,
    /// One JSON object
    Json,
}

/// How the report of a search is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// Text for reading
    Human,
    /// One JSON object
    Json,
    /// SARIF 2.1.0, for code hosts and editors
    Sarif,
    /// JUnit XML, for CI servers
    Junit,
    /// Workflow commands of GitHub Actions
    Github,
}

/// Which events an instrumented program writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WireChoice {
    /// Every event
    Full,
    /// Only those that cannot be derived from others
    Lean,
}
