//! A whole search, reported without a BEAM.

use std::path::Path;
use std::time::Duration;

use erlang_term::{Atom, Term};
use flattener::flat::FunctionId;
use trace_engine::explore::{Arguments, Gap, Report, Test};
use trace_format::Program;

use super::*;

const SOURCE: &str = "-module(m).\nf(X) ->\n    100 div X.\n";

fn entry(name: &str) -> Entry {
    Entry {
        module: Atom::new("m"),
        function: FunctionId {
            name: Atom::new(name),
            arity: 1,
        },
    }
}

fn raised(class: &str, reason: &str, line: i64) -> Outcome {
    Outcome::Exception {
        class: class.to_owned(),
        reason: reason.to_owned(),
        stack: vec![StackEntry {
            function: "m:f/1".to_owned(),
            file: "m.erl".to_owned(),
            line,
        }],
    }
}

fn test(parent: Option<usize>, argument: i64, outcome: Outcome) -> Test<Outcome> {
    Test {
        parent,
        arguments: Arguments::new(&[Term::Integer(argument.into())]),
        outcome,
        trace: vec![1],
        diverged: false,
        repeats: false,
        new_clauses: Vec::new(),
        other_processes: 0,
        path: None,
    }
}

/// Code that divides by its argument, and cannot be run on 13.
struct Division;

impl OriginalCode for Division {
    type Failure = String;

    fn run(&mut self, _: &Entry, arguments: Term) -> Result<Outcome, String> {
        let argument = arguments.as_list().and_then(<[Term]>::first);
        match argument.and_then(Term::as_i64) {
            Some(0) => Ok(raised("error", "badarith", 3)),
            Some(13) => Err("the worker is gone".to_owned()),
            Some(_) | None => Ok(Outcome::Ok("1".to_owned())),
        }
    }
}

fn searched(tests: Vec<Test<Outcome>>) -> (Searched, Option<String>) {
    let program = Program::default();
    let code = explored(&program);
    let report = Report {
        tests,
        ..Report::default()
    };
    let reachable = ReachableCode::new(&code);
    Searched::new(&code, &reachable, entry("f"), 4, report, &mut Division)
}

fn explored(program: &Program) -> ExploredCode<'_> {
    ExploredCode {
        program,
        own_modules: 0,
        source_paths: Vec::new(),
        folder: CurrentFolder::default(),
    }
}

fn exploration<'search>(
    code: &'search ExploredCode<'search>,
    searches: Vec<Searched>,
) -> Exploration<'search> {
    Exploration {
        code,
        only_entry: None,
        has_precondition: true,
        postcondition: None,
        searches,
        skipped: vec![SkippedFunction {
            entry: entry("g"),
            why: SkipReason::NoInput(Vec::new()),
        }],
        coverage: Coverage::default(),
        report_time: Duration::ZERO,
        wall_time: Duration::ZERO,
        peak_memory: None,
    }
}

#[test]
fn crashes_are_findings_only_if_the_original_code_crashes() {
    let (searched, failure) = searched(vec![
        test(None, 0, raised("error", "badarith", 3)),
        test(Some(0), 7, raised("error", "badarg", 2)),
        test(Some(0), 13, raised("throw", "late", 2)),
    ]);
    let [finding] = searched.findings.as_slice() else {
        panic!("{:?}", searched.findings);
    };
    assert_eq!(
        (finding.test, finding.arguments.as_slice()),
        (0, &["0".to_owned()][..])
    );
    assert_eq!(failure.as_deref(), Some("the worker is gone"));
    let unconfirmed = |text: &str| Gap::Unconfirmed(text.to_owned());
    let gaps: Vec<&Gap> = searched.report.gaps.keys().collect();
    assert_eq!(
        gaps,
        [
            &unconfirmed("error: badarg (m.erl:2)"),
            &unconfirmed("throw: late (m.erl:2)")
        ]
    );
}

#[test]
fn rejected_inputs_are_not_tests() {
    let (searched, _) = searched(vec![
        test(None, 1, Outcome::Ok("100".to_owned())),
        test(Some(0), 2, raised("exit", REJECTED_INPUT, 2)),
        test(Some(1), 3, Outcome::Ok("33".to_owned())),
    ]);
    let parents: Vec<Option<usize>> = searched.report.tests.iter().map(|it| it.parent).collect();
    assert_eq!((searched.rejected, parents), (1, vec![None, Some(0)]));
    assert!(searched.findings.is_empty());
}

#[test]
fn text_and_json_show_the_same_search() {
    let (searched, _) = searched(vec![
        test(None, 0, raised("error", "badarith", 3)),
        test(Some(0), 1, Outcome::Ok("100".to_owned())),
    ]);
    let program = Program::default();
    let code = explored(&program);
    let exploration = exploration(&code, vec![searched]);
    let read = |path: &Path| (path == Path::new("m.erl")).then(|| SOURCE.to_owned());
    let mut json = Vec::new();
    json_report(&exploration, &mut json).expect("a vector can be written");
    let json = String::from_utf8(json).expect("JSON is UTF-8");
    insta::assert_snapshot!("text_report", text_report(&exploration, &read));
    insta::assert_snapshot!("json_report", json);
}

#[test]
fn a_skipped_function_makes_the_page_incomplete() {
    let (searched, _) = searched(vec![test(None, 1, Outcome::Ok("100".to_owned()))]);
    let program = Program::default();
    let code = explored(&program);
    let mut exploration = exploration(&code, vec![searched]);
    let page = |exploration: &Exploration<'_>| html_report(exploration, &|_| None);
    assert!(page(&exploration).contains("<strong>some</strong>"));
    exploration.skipped.clear();
    assert!(page(&exploration).contains("<strong>all</strong>"));
}
