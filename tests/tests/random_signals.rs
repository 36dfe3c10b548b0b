//! Random programs of signals: links, monitors, aliases, timers, flags, exit signals and ends of
//! processes. What the
//! replay knows of them is what they do on a real node, and a search finds everything that any
//! schedule leads to.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use end_to_end::erlang::temporary_folder;
use end_to_end::exploring::{BeamExecutor, Explored, LIMITS, plan};
use end_to_end::scheduled_runs::{run_and_replay, some_number, some_schedule};
use erlang_term::{Integer, Term};
use erlconcolic::worker::Outcome;
use solver::NativeIntegers;
use trace_engine::explore::Solvers;
use trace_format::Schedule;

const LAB: &str = include_str!("random_signals/lab.erl");

fn pair(name: &str, what: Term) -> Term {
    Term::Tuple(vec![Term::atom(name), what])
}

/// What one process does: three others and itself have the numbers 1 to 4.
fn some_action(seed: &mut u64) -> Term {
    let who = Term::Integer(Integer::from(1 + some_number(seed, 4) as i64));
    let reason = match some_number(seed, 5) {
        0 => pair("code", Term::Integer(Integer::from(3))),
        1 => Term::atom("normal"),
        2 => Term::atom("kill"),
        3 => Term::atom("killed"),
        _ => Term::atom("shutdown"),
    };
    let time = some_number(seed, 2);
    match some_number(seed, 30) {
        0..=2 => pair("link", who),
        3 => pair("unlink", who),
        4..=5 => pair("monitor", who),
        6 => Term::atom("demonitor"),
        7 => Term::atom("flush"),
        8..=9 => pair("trap", Term::atom("true")),
        10 => pair("trap", Term::atom("false")),
        11..=12 => Term::Tuple(vec![Term::atom("exit"), who, reason]),
        13 => pair("spawn_link", reason),
        14 => pair("spawn_monitor", reason),
        15 => pair("alive", who),
        16 => Term::atom("name"),
        17 => Term::atom("named"),
        18 => Term::Tuple(vec![Term::atom("send"), who, Term::atom("hello")]),
        19..=22 => pair("take", Term::Integer(Integer::from(time as i64))),
        23 => pair("alias", who),
        24..=25 => Term::Tuple(vec![Term::atom("watch"), who, some_end_of_alias(seed)]),
        26 => Term::atom("unalias"),
        27 => {
            let time = Term::Integer(Integer::from(2 * time as i64));
            Term::Tuple(vec![Term::atom("timer"), who, time])
        }
        28 => Term::atom("cancel"),
        _ if time == 0 => pair("leave", reason),
        _ => pair("fail", reason),
    }
}

/// What ends an alias, beside `unalias`.
fn some_end_of_alias(seed: &mut u64) -> Term {
    let ends = ["explicit_unalias", "demonitor", "reply_demonitor"];
    let end = ends.get(some_number(seed, 3) as usize);
    Term::atom(end.expect("there are three"))
}

/// What three processes do.
fn some_script(seed: &mut u64, longest: u64) -> Term {
    let processes = (0..3).map(|_| {
        let actions = 1 + some_number(seed, longest);
        Term::list((0..actions).map(|_| some_action(seed)).collect::<Vec<_>>())
    });
    Term::list(processes.collect::<Vec<_>>())
}

fn explored(program: &str) -> Explored {
    let folder = temporary_folder();
    let path = folder.path().join("lab.erl");
    std::fs::write(&path, program).expect("it can be written");
    Explored::new(path)
}

#[test]
fn signals_are_replayed_as_they_came() {
    let explored = explored(LAB);
    let mut executor = explored.executor("run", 1);
    let mut seed = 7;
    let mut understood = 0;
    for _ in 0..150 {
        let script = some_script(&mut seed, 6);
        for _ in 0..4 {
            let schedule = some_schedule(&mut seed);
            let what = format!("lab:run({script}) with {schedule}");
            let run = run_and_replay(&mut executor, &script, &schedule, &what);
            assert!(run.opaque.is_empty(), "{what}: {:?}", run.opaque);
            understood += usize::from(run.uncontrolled.is_empty());
        }
    }
    // Messages about two processes that come with one event are not understood.
    assert!(understood > 560, "{understood} of 600");
}

/// How many programs are searched. The number can be set: `PROPTEST_CASES=1000`.
fn programs() -> usize {
    let cases = std::env::var("PROPTEST_CASES").ok();
    cases.and_then(|it| it.parse().ok()).unwrap_or(60)
}

/// How a run ends, without the pids in a stack trace, which differ from run to run.
fn ending(outcome: &Outcome) -> String {
    let text = format!("{outcome:?}");
    let mut parts = text.split('<');
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.filter_map(|part| part.split_once('>')).map(|it| it.1);
    rest.fold(first, |text, part| text + "<>" + part)
}

/// How runs with some schedules end.
fn sampled(executor: &mut BeamExecutor<'_>, seed: &mut u64, runs: usize) -> BTreeSet<String> {
    let sample = (0..runs).map(|run| {
        let schedule = if run == 0 {
            Schedule::default()
        } else {
            some_schedule(seed)
        };
        let run = executor.run_scheduled(&[], &schedule, &LIMITS);
        ending(&run.expect("it can be run").outcome)
    });
    sample.collect()
}

#[test]
fn a_search_finds_all_that_schedules_lead_to() {
    let mut seed = 11;
    let mut program = LAB.replace("-export([run/1]).", "-compile(export_all).");
    let scripts: Vec<Term> = (0..programs()).map(|_| some_script(&mut seed, 3)).collect();
    for (number, script) in scripts.iter().enumerate() {
        let _ = writeln!(program, "s{number}() -> run({script}).");
    }
    let explored = explored(&program);
    let mut executor = explored.executor("s0", 0);
    let mut complete = 0;
    for (number, script) in scripts.iter().enumerate() {
        executor.set_function(&format!("s{number}"), 0);
        let mut plan = plan(4, 3_000);
        plan.task.seeds = vec![Vec::new()];
        let solvers = || Solvers {
            integers: Box::new(NativeIntegers::default()),
            fallback: None,
        };
        let report = plan.search(&explored.program, vec![&mut executor], &solvers);
        let report = report.unwrap_or_else(|error| panic!("{script}: {error}"));
        let diverged = report.tests.iter().find(|test| test.diverged);
        assert!(
            diverged.is_none(),
            "{script}: {:?}",
            diverged.map(|it| &it.schedule)
        );
        if !report.is_complete() {
            continue;
        }
        complete += 1;
        let found: BTreeSet<String> = report.tests.iter().map(|it| ending(&it.outcome)).collect();
        let sampled = sampled(&mut executor, &mut seed, 60);
        let missed: Vec<&String> = sampled.difference(&found).collect();
        assert!(missed.is_empty(), "{script}: {missed:?} not in {found:?}");
    }
    assert!(complete * 3 > scripts.len() * 2, "{complete} complete");
}
