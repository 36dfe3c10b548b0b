//! The report as JUnit XML, which most CI servers read.
//!
//! Each module is a suite. Each finding is a test that fails, and each function without findings is a
//! test that passes. Accepted findings, and functions that were not searched, are skipped tests.

use std::fmt::Write;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::elixir::module_name;
use crate::entry::Entry;
use crate::exploration::Exploration;
use crate::findings::{CrashInput, Finding};
use crate::language::Language;
use crate::order_words::{order_lines, reproduced_with, reproduction};
use crate::text_report::finding_title;

/// The report as JUnit XML.
pub fn junit_report(exploration: &Exploration<'_>) -> String {
    let mut suites: Vec<(String, TestSuite)> = Vec::new();
    for (entry, case) in cases(exploration) {
        let module = module_of(entry);
        match suites.iter_mut().find(|it| it.0 == module) {
            Some((_, suite)) => {
                suite.add_test_case(case);
            }
            None => {
                let mut suite = TestSuite::new(module.clone());
                suite.add_test_case(case);
                suites.push((module, suite));
            }
        }
    }
    let mut report = Report::new("erlconcolic");
    report.add_test_suites(suites.into_iter().map(|it| it.1));
    let text = report.to_string();
    text.expect("XML can be written to a string")
}

fn cases<'report>(
    exploration: &'report Exploration<'_>,
) -> impl Iterator<Item = (&'report Entry, TestCase)> {
    let searches = exploration.searches.iter().enumerate();
    let passed = searches.filter(|(number, _)| exploration.findings_of(*number) == 0);
    let passed = passed.map(|(_, search)| {
        let case = case(
            &search.entry,
            exploration.shown(&search.entry),
            TestCaseStatus::success(),
        );
        (&search.entry, case)
    });
    let skipped = exploration.skipped.iter().map(|it| {
        let status = skipped(&it.why.to_string());
        let name = exploration.shown(&it.entry);
        (&it.entry, case(&it.entry, name, status))
    });
    let findings = exploration.findings.iter().map(|it| {
        let entry = exploration.entry_of(it.first());
        (entry, finding_case(exploration, entry, it))
    });
    findings.chain(passed).chain(skipped)
}

fn case(entry: &Entry, name: String, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(name, status);
    case.set_classname(module_of(entry));
    case
}

/// The module of an entry, as its users call it.
fn module_of(entry: &Entry) -> String {
    let name = entry.module.as_str();
    match Language::of(&entry.module) {
        Language::Erlang => name.to_owned(),
        Language::Elixir => module_name(name),
    }
}

fn skipped(why: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(why);
    status
}

fn finding_case(exploration: &Exploration<'_>, entry: &Entry, finding: &Finding) -> TestCase {
    let title = finding_title(exploration, finding);
    // Names stay the same while code moves, so that servers can compare runs.
    let name = finding.key.to_string();
    if finding.is_accepted {
        return case(entry, name, skipped(&format!("accepted: {title}")));
    }
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_type(finding.outcome.name());
    status.set_description(description(exploration, finding, &title));
    status.set_message(title);
    case(entry, name, status)
}

/// The inputs that show a finding. A schedule is only for the first.
fn reproducible(finding: &Finding) -> &[CrashInput] {
    let most = if finding.needed_schedule().is_some() {
        1
    } else {
        finding.inputs.len()
    };
    finding.inputs.get(..most).unwrap_or_default()
}

fn description(exploration: &Exploration<'_>, finding: &Finding, title: &str) -> String {
    let mut out = format!("{title}\n");
    let wording = exploration.wording(exploration.entry_of(finding.first()));
    for frame in finding.outcome.stack() {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  in {}", wording.frame(frame));
    }
    for line in order_lines(exploration, finding) {
        let _ = writeln!(out, "{line}");
    }
    for input in reproducible(finding) {
        let call = reproduction(exploration, finding, input);
        let _ = writeln!(out, "{}", reproduced_with(&call));
    }
    out
}
