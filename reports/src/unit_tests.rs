//! The user's own tests, run before a search.

use std::fmt::Write;

use crate::counted::counted;

/// How many tests there were.
#[derive(Clone, Copy, Debug)]
pub struct UnitTestCounts {
    /// How many passed.
    pub passed: usize,
    /// How many failed.
    pub failed: usize,
    /// How many were skipped.
    pub skipped: usize,
    /// How many different inputs they called functions with.
    pub inputs: usize,
}

/// A test that failed.
#[derive(Clone, Debug)]
pub struct FailedUnitTest {
    /// Its name.
    pub test: String,
    /// Why it failed.
    pub why: String,
}

/// The results of tests as text.
pub fn unit_tests_text(counts: &UnitTestCounts, failed: &[FailedUnitTest]) -> String {
    let mut out = String::new();
    for FailedUnitTest { test, why } in failed {
        let why = why.trim_end().replace('\n', "\n  ");
        // Writing to a string cannot fail.
        let _ = write!(out, "failed: {test}\n  {why}\n\n");
    }
    let skipped = match counts.skipped {
        0 => String::new(),
        count => format!(", {count} skipped"),
    };
    let _ = writeln!(
        out,
        "{} passed, {} failed{skipped}; they gave {}\n",
        counted(counts.passed, "unit test"),
        counts.failed,
        counted(counts.inputs, "input"),
    );
    out
}
