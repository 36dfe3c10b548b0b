//! A whole search, reported without a BEAM.

mod several_processes;
mod waiting_machines;

use std::path::Path;
use std::time::Duration;

use erlang_term::{Atom, Term};
use flattener::flat::FunctionId;
use trace_engine::explore::{Arguments, Gap, Report, Test};
use trace_format::Program;

use super::*;

const SOURCE: &str = "-module(m).\nf(X) ->\n    100 div X.\n";

fn entry(name: &str) -> Entry {
    Entry::new(
        Atom::new("m"),
        FunctionId {
            name: Atom::new(name),
            arity: 1,
        },
    )
}

fn raised(class: &str, reason: &str, line: i64) -> Outcome {
    Outcome::Exception {
        class: class.to_owned(),
        reason: reason.to_owned(),
        stack: vec![StackEntry {
            function: "m:f/1".to_owned(),
            file: "m.erl".to_owned(),
            line,
            is_own: true,
        }],
    }
}

fn test(parent: Option<usize>, argument: i64, outcome: Outcome) -> Test<RunEnd> {
    Test {
        parent,
        arguments: Arguments::new(&[Term::Integer(argument.into())]),
        outcome: RunEnd::alone(outcome),
        trace: vec![1],
        diverged: false,
        repeats: false,
        new_clauses: Vec::new(),
        other_processes: 0,
        schedule: None,
        race: None,
        path: None,
        marks: Box::default(),
    }
}

/// Code that divides by its argument, cannot be run on 13, and takes all memory for 99.
struct Division;

impl OriginalCode for Division {
    type Failure = String;

    fn run(&mut self, _: &Entry, arguments: Term) -> Result<Option<Outcome>, String> {
        let argument = arguments.as_list().and_then(<[Term]>::first);
        match argument.and_then(Term::as_i64) {
            Some(0) => Ok(Some(raised("error", "badarith", 3))),
            Some(13) => Err("the worker is gone".to_owned()),
            Some(98) => Ok(None),
            Some(99) => Ok(Some(Outcome::Killed)),
            Some(_) | None => Ok(Some(Outcome::Ok("1".to_owned()))),
        }
    }

    fn banner(&mut self, _: &Entry, _: Term) -> Option<String> {
        None
    }

    fn formatted(&mut self, _: &str, _: usize) -> Option<String> {
        None
    }

    fn is_input(&self, _: &Entry, _: &[Term]) -> bool {
        true
    }

    fn has_time_to_shrink(&self) -> bool {
        true
    }
}

/// A search of `m:f/1` with these tests.
fn searched(tests: Vec<Test<RunEnd>>) -> Searched {
    searched_as("f", tests)
}

fn searched_as(name: &str, tests: Vec<Test<RunEnd>>) -> Searched {
    let program = Program::default();
    let code = explored(&program);
    let report = Report {
        tests,
        ..Report::default()
    };
    let reachable = ReachableCode::new(&code);
    Searched::new(&code, &reachable, entry(name), 4, report)
}

/// The findings of some searches, each with at most one other input.
fn found(searches: &mut [Searched]) -> (Vec<Finding>, Option<String>) {
    let program = Program::default();
    find_crashes(&explored(&program), searches, 1, &mut Division)
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
    mut searches: Vec<Searched>,
) -> Exploration<'search> {
    Exploration {
        code,
        findings: found(&mut searches).0,
        only_entry: None,
        has_precondition: true,
        postcondition: None,
        unlikely_left_out: None,
        atoms: Vec::new(),
        stale_lines: Vec::new(),
        searches,
        unit_tests: None,
        not_compiled: Vec::new(),
        made_of: None,
        shards: None,
        missing_shards: Vec::new(),
        eunit_suites: None,
        skipped: vec![SkippedFunction {
            entry: entry("g"),
            why: SkipReason::NoInput(Vec::new()),
        }],
        coverage: Coverage::default(),
        sources: Vec::new(),
        time_model: "quiet",
        delivery_model: "instant",
        report_time: Duration::ZERO,
        wall_time: Duration::ZERO,
        peak_memory: None,
    }
}

#[test]
fn crashes_are_findings_only_if_the_original_code_crashes() {
    let mut searches = [searched(vec![
        test(None, 0, raised("error", "badarith", 3)),
        test(Some(0), 7, raised("error", "badarg", 2)),
        test(Some(0), 13, raised("throw", "late", 2)),
    ])];
    let (findings, failure) = found(&mut searches);
    let [finding] = findings.as_slice() else {
        panic!("{findings:?}");
    };
    let first = finding.first();
    assert_eq!(
        (first.test, first.arguments.as_slice()),
        (0, &["0".to_owned()][..])
    );
    let [searched] = &searches;
    assert_eq!(failure.as_deref(), Some("the worker is gone"));
    let unconfirmed = |text: &str| Gap::Unconfirmed(text.to_owned());
    let gaps: Vec<&Gap> = searched.report.gaps.keys().collect();
    assert_eq!(
        gaps,
        [
            &unconfirmed("error: badarg (m.erl:2)"),
            &unconfirmed("throw: _ (m.erl:2)")
        ]
    );
}

#[test]
fn crashes_that_there_is_no_time_to_check_are_gaps() {
    let mut searches = [searched(vec![
        test(None, 98, raised("error", "badarg", 2)),
        test(Some(0), 0, raised("error", "badarith", 3)),
    ])];
    let (findings, failure) = found(&mut searches);
    assert_eq!((findings.len(), failure), (1, None));
    let gaps: Vec<&Gap> = searches[0].report.gaps.keys().collect();
    let unchecked = Gap::UncheckedCrash("error: badarg (m.erl:2)".to_owned());
    assert_eq!(gaps, [&unchecked]);
}

/// Remembers what was run.
#[derive(Default)]
struct Remembers(Vec<String>);

impl OriginalCode for Remembers {
    type Failure = String;

    fn run(&mut self, _: &Entry, arguments: Term) -> Result<Option<Outcome>, String> {
        self.0.push(arguments.to_string());
        Ok(match self.0.len() {
            1 | 2 => Some(raised("error", "badarg", 2)),
            _ => Some(Outcome::Timeout),
        })
    }

    fn banner(&mut self, _: &Entry, _: Term) -> Option<String> {
        None
    }

    fn formatted(&mut self, _: &str, _: usize) -> Option<String> {
        None
    }

    fn is_input(&self, _: &Entry, _: &[Term]) -> bool {
        true
    }

    fn has_time_to_shrink(&self) -> bool {
        false
    }
}

#[test]
fn runs_that_take_long_are_confirmed_last() {
    let tests = vec![
        test(None, 1, Outcome::Timeout),
        test(Some(0), 2, raised("error", "badarg", 2)),
        test(Some(0), 3, raised("error", "badarg", 4)),
    ];
    let mut original = Remembers::default();
    let code = Program::default();
    let mut searches = [searched(tests)];
    let (findings, _) = find_crashes(&explored(&code), &mut searches, 1, &mut original);
    assert_eq!(original.0, ["[2]", "[3]", "[1]"]);
    let tests: Vec<usize> = findings.iter().map(|it| it.first().test).collect();
    assert_eq!(tests, [0, 1]);
}

#[test]
fn rejected_inputs_are_not_tests() {
    let searched = searched(vec![
        test(None, 1, Outcome::Ok("100".to_owned())),
        test(Some(0), 2, raised("exit", REJECTED_INPUT, 2)),
        test(Some(1), 3, Outcome::Ok("33".to_owned())),
    ]);
    let parents: Vec<Option<usize>> = searched.report.tests.iter().map(|it| it.parent).collect();
    assert_eq!((searched.rejected, parents), (1, vec![None, Some(0)]));
    assert!(found(&mut [searched]).0.is_empty());
}

#[test]
fn text_and_json_show_the_same_search() {
    let searched = searched(vec![
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
    let searched = searched(vec![test(None, 1, Outcome::Ok("100".to_owned()))]);
    let program = Program::default();
    let code = explored(&program);
    let mut exploration = exploration(&code, vec![searched]);
    let page = |exploration: &Exploration<'_>| html_report(exploration, &|_| None);
    assert!(page(&exploration).contains("<strong>some</strong>"));
    exploration.skipped.clear();
    assert!(page(&exploration).contains("<strong>all</strong>"));
}

#[test]
fn one_cause_is_one_finding_of_all_functions() {
    let badarith = || raised("error", "badarith", 3);
    let mut searches = [
        searched_as("f", vec![test(None, 100, badarith())]),
        searched_as("g", vec![test(None, 0, badarith())]),
        searched_as(
            "h",
            vec![test(None, 0, badarith()), test(Some(0), 200, badarith())],
        ),
    ];
    let (findings, failure) = found(&mut searches);
    assert_eq!(failure, None);
    let [finding] = findings.as_slice() else {
        panic!("{findings:?}");
    };
    let inputs = finding.inputs.iter().map(|it| (it.search, it.test));
    assert_eq!(inputs.collect::<Vec<_>>(), [(1, 0), (2, 0)]);
    assert_eq!((finding.tests, finding.also.len()), (3, 0));
}

#[test]
fn a_run_that_does_not_end_may_take_too_long_or_too_much_memory() {
    let mut searches = [
        searched_as("f", vec![test(None, 99, Outcome::Timeout)]),
        searched_as("g", vec![test(None, 99, Outcome::Killed)]),
    ];
    let (findings, _) = found(&mut searches);
    let outcomes: Vec<&Outcome> = findings.iter().map(|it| &it.outcome).collect();
    assert_eq!(outcomes, [&Outcome::Killed, &Outcome::Killed]);
    assert!(searches.iter().all(|it| it.report.gaps.is_empty()));
}
