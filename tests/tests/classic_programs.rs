//! Numbers of interleavings of classic programs: those of optimal reductions. Messages to one
//! process depend on each other only if a `receive` could take either.

use std::collections::HashSet;

use end_to_end::erlang::package_path;
use end_to_end::exploring::{BeamExecutor, Explored, Plan, plan};
use end_to_end::tool::Workplace;
use serde_json::Value;
use solver::NativeIntegers;
use trace_engine::explore::{Solvers, Strategy};

const PROGRAMS: &str = "tests/classic_programs/classic.erl";

fn programs() -> Explored {
    Explored::new(package_path(PROGRAMS))
}

/// A search for all orders of a function without arguments.
fn all_orders(strategy: Strategy) -> Plan {
    let mut plan = plan(4, 100_000);
    plan.task.seeds = vec![Vec::new()];
    plan.options.strategy = strategy;
    plan
}

fn executors(explored: &Explored, count: usize) -> Vec<BeamExecutor<'_>> {
    (0..count).map(|_| explored.executor("ring_3", 0)).collect()
}

/// Runs all orders of a function. Returns their number.
fn orders(
    explored: &Explored,
    mut executors: Vec<&mut BeamExecutor<'_>>,
    name: &str,
    plan: &Plan,
) -> usize {
    for executor in &mut executors {
        executor.set_function(name, 0);
    }
    let solvers = || Solvers {
        integers: Box::new(NativeIntegers::default()),
        fallback: None,
    };
    let report = plan.search(&explored.program, executors, &solvers);
    let report = report.unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(report.is_complete(), "{name}: {:?}", report.gaps);
    let schedules: HashSet<_> = report.tests.iter().map(|test| &test.schedule).collect();
    assert_eq!(schedules.len(), report.tests.len(), "{name}");
    assert_eq!(report.statistics.schedules, report.tests.len() as u64);
    report.tests.len()
}

fn compare(expected: &[(&str, usize)]) {
    let explored = programs();
    let mut executors = executors(&explored, 1);
    for (name, number) in expected {
        let plan = all_orders(Strategy::default());
        let found = orders(&explored, executors.iter_mut().collect(), name, &plan);
        assert_eq!(found, *number, "{name}");
    }
}

#[test]
fn as_many_orders_as_an_optimal_reduction_makes() {
    compare(&[
        ("readers_1", 2),
        ("readers_4", 16),
        ("readers_8", 256),
        ("mailbox_2", 2),
        ("mailbox_4", 24),
        ("mailbox_6", 720),
        ("philosophers_2", 5),
        ("philosophers_3", 37),
        ("philosophers_4", 337),
        ("orderly_philosophers_2", 4),
        ("orderly_philosophers_3", 36),
        ("orderly_philosophers_4", 336),
        ("ping_pong", 70),
        ("server_2", 4),
        // Two calls of one client and two of another one.
        ("gen_server_2", 6),
        ("server_3", 36),
        ("server_4", 576),
        ("last_zero_3", 12),
        ("last_zero_5", 64),
        ("last_zero_8", 704),
        ("ring_3", 1),
        ("ring_8", 1),
    ]);
}

/// These programs do not tell whether messages take their time, so they have as many orders: that a
/// delivery is a step makes no run of its own.
#[test]
fn orders_of_messages_that_take_their_time() {
    let explored = programs();
    let mut executor = explored.delivering_executor("ring_3", 0);
    for (name, number) in [
        ("readers_4", 16),
        ("mailbox_2", 2),
        ("mailbox_4", 24),
        ("philosophers_2", 5),
        ("philosophers_3", 37),
        ("orderly_philosophers_3", 36),
        ("ping_pong", 70),
        ("server_2", 4),
        ("server_3", 36),
        ("last_zero_3", 12),
        ("ring_3", 1),
    ] {
        let plan = all_orders(Strategy::default());
        let found = orders(&explored, vec![&mut executor], name, &plan);
        assert_eq!(found, number, "{name}");
    }
}

#[test]
#[ignore = "takes a minute; `make slow-tests` runs it"]
fn as_many_orders_as_an_optimal_reduction_makes_of_large_programs() {
    compare(&[
        ("readers_10", 1_024),
        ("readers_12", 4_096),
        ("mailbox_7", 5_040),
        ("philosophers_5", 3_601),
        ("server_5", 14_400),
    ]);
}

#[test]
fn the_number_depends_neither_on_the_strategy_nor_on_the_workers() {
    let explored = programs();
    let mut executors = executors(&explored, 4);
    for strategy in Strategy::ALL {
        let plan = all_orders(*strategy);
        for workers in 1..=4 {
            for (name, number) in [("server_3", 36), ("ping_pong", 70), ("last_zero_5", 64)] {
                let some = executors.iter_mut().take(workers).collect();
                let found = orders(&explored, some, name, &plan);
                assert_eq!(found, number, "{name}, {strategy}, {workers} workers");
            }
        }
    }
}

#[test]
fn a_search_that_is_resumed_makes_the_other_orders() {
    let binary = env!("CARGO_BIN_EXE_erlconcolic-under-test");
    let text = std::fs::read_to_string(package_path(PROGRAMS)).expect("the programs are there");
    let place = Workplace::new(binary).with(&[("classic.erl", &text)]);
    let explore = |options: &[&str]| {
        let fixed = ["explore", "classic.erl", "--entry", "server_3/0"];
        let state = ["--state", "saved", "--format", "json"];
        let run = place.run(&[&fixed[..], &state, options].concat());
        let report: Value = serde_json::from_str(&run.stdout).expect("the report is JSON");
        let tests = report["tests"].as_array().expect("tests are a list").len();
        (tests, report["complete"] == true)
    };
    assert_eq!(explore(&["--max-runs", "10"]), (10, false));
    assert_eq!(explore(&["--resume", "--max-runs", "20"]), (20, false));
    assert_eq!(explore(&["--resume", "--workers", "3"]), (36, true));
}
