//! How a test for EUnit is written.

use super::assertion::Assertion;
use super::test_case::{CaseKind, TestCase};
use crate::eunit_suite::EunitCase;

/// The comment above the test of a finding.
const FINDING: &str = "\
%% Finding: this test documents a crash. It fails as soon as the crash is fixed. Then
%% make the tests again, and add a test for the correct result.
";

impl TestCase {
    /// Its text, for a test with a process of its own if `is_spawned`.
    pub(super) fn written(&self, is_spawned: bool) -> EunitCase {
        let ending = if is_spawned { "test_" } else { "test" };
        let asserted = |assertion: &Assertion| {
            let body = assertion.body(&self.bindings, is_spawned);
            format!("() ->\n{body}\n")
        };
        let (name, ending, before, after) = match &self.kind {
            CaseKind::Test { name, assertion } => {
                (Some(name), ending, String::new(), asserted(assertion))
            }
            CaseKind::Finding { name, assertion } => {
                (Some(name), ending, FINDING.to_owned(), asserted(assertion))
            }
            CaseKind::Play {
                name,
                lines,
                is_finding,
            } => {
                let comment = if *is_finding { FINDING } else { "" };
                let body = play_body(lines, is_spawned);
                let after = format!("() ->\n{body}.\n");
                (Some(name), ending, comment.to_owned(), after)
            }
            CaseKind::NotRun { name, why } => {
                let before = format!("%% Finding: this {why}, so it is not run.\n%% ");
                let note = note_text(&self.note);
                let after = format!("() ->\n%%     {}.\n{note}", self.call);
                (Some(name), "test", before, after)
            }
            CaseKind::Skipped { why } => {
                let before = format!("%% Skipped, because {why}:\n%% {}\n", self.call);
                (None, "", before, note_text(&self.note))
            }
        };
        EunitCase {
            name: name.cloned(),
            ending: ending.to_owned(),
            before,
            after,
            has_funs: self.has_funs,
        }
    }
}

/// Lines as comments, below an empty one.
fn note_text(lines: &[String]) -> String {
    let first = (!lines.is_empty()).then_some("%%\n".to_owned());
    let lines = lines.iter().map(|line| match line.as_str() {
        "" => "%%\n".to_owned(),
        line => format!("%% {line}\n"),
    });
    first.into_iter().chain(lines).collect()
}

/// The expressions of a script, if `is_spawned` in a process of its own.
fn play_body(lines: &[String], is_spawned: bool) -> String {
    let indented = |spaces: &str| {
        let lines = lines.iter();
        let lines = lines.map(|it| format!("{spaces}{}", it.replace('\n', &format!("\n{spaces}"))));
        lines.collect::<Vec<_>>().join(",\n")
    };
    if is_spawned {
        format!("    {{spawn, fun() ->\n{}\n    end}}", indented("        "))
    } else {
        indented("    ")
    }
}
