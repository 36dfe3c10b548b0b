//! Runs of several processes on a BEAM, replayed together: under many schedules, the steps of the
//! replay are those of the run.

use end_to_end::erlang::temporary_folder;
use end_to_end::exploring::{BeamExecutor, Explored, LIMITS};
use end_to_end::scheduled_runs::{run_and_replay, some_schedule, some_schedule_with_deliveries};
use erlang_term::Term;
use trace_engine::{Replayed, RunEventKind};
use trace_format::Schedule;

const PROGRAM: &str = include_str!("interleaved_replay/workshop.erl");

/// Functions of one integer that start processes.
const UNDERSTOOD: &[&str] = &[
    "two_senders",
    "server",
    "counter",
    "poll",
    "names",
    "nested",
    "crashes",
    "sleepers",
    "fold",
    "ring",
    "fun_message",
    "computed_send",
    "spawn_by_name",
    "late",
    "forever",
    "killed",
    "caught",
    "bank",
    "seats",
    "cells",
    "monitored",
    "monitored_late",
    "monitored_by_name",
    "demonitored",
    "failed",
    "linked",
    "timers",
];

/// The same, with something that nobody controls.
const UNCONTROLLED: &[&str] = &["foreign"];

#[test]
fn the_steps_of_the_replay_are_those_of_the_run() {
    let folder = temporary_folder();
    let path = folder.path().join("workshop.erl");
    std::fs::write(&path, PROGRAM).expect("it can be written");
    let explored = Explored::new(path);
    let mut executor = explored.executor("two_senders", 1);
    let mut seed = 1;
    for function in UNDERSTOOD.iter().chain(UNCONTROLLED) {
        executor.set_function(function, 1);
        let is_understood = UNDERSTOOD.contains(function);
        let rounds = if is_understood { 24 } else { 4 };
        for round in 0..rounds {
            let input = [5, 20, 0][round % 3];
            let schedule = if round == 0 {
                Schedule::default()
            } else {
                some_schedule(&mut seed)
            };
            let what = format!("{function}({input}) with {schedule}");
            let run = run_and_replay(&mut executor, &number(input), &schedule, &what);
            let uncontrolled = &run.uncontrolled;
            assert_eq!(
                uncontrolled.is_empty(),
                is_understood,
                "{what}: {uncontrolled:?}"
            );
            if is_understood {
                assert!(run.opaque.is_empty(), "{what}: {:?}", run.opaque);
            }
        }
    }
}

/// The same with messages that take their time: replay knows when each arrives. The schedule of a
/// run leads to the same run, byte for byte.
#[test]
fn deliveries_of_the_replay_are_those_of_the_run() {
    let folder = temporary_folder();
    let path = folder.path().join("workshop.erl");
    std::fs::write(&path, PROGRAM).expect("it can be written");
    let explored = Explored::new(path);
    let mut executor = explored.delivering_executor("two_senders", 1);
    let mut seed = 2;
    let mut delayed = 0;
    for function in UNDERSTOOD {
        executor.set_function(function, 1);
        for round in 0..16 {
            let input = [5, 20, 0][round % 3];
            let schedule = some_schedule_with_deliveries(&mut seed);
            let what = format!("{function}({input}) with {schedule}");
            let run = run_and_replay(&mut executor, &number(input), &schedule, &what);
            let is_understood = run.uncontrolled.is_empty();
            // Signals could take their time too.
            let has_signals = ["killed", "monitored_late", "monitored_by_name"].contains(function);
            assert!(is_understood || has_signals, "{what}");
            assert!(run.opaque.is_empty(), "{what}: {:?}", run.opaque);
            delayed += usize::from(has_delay(&run));
            is_the_same_again(&mut executor, input, &schedule, &what);
        }
    }
    assert!(
        delayed > 50,
        "{delayed} runs have messages that take their time"
    );
}

fn number(input: i64) -> Term {
    Term::Integer(input.into())
}

/// Whether a process takes a step between a send and the delivery of its message.
fn has_delay(run: &Replayed) -> bool {
    run.events.iter().enumerate().any(|(number, event)| {
        let is_delivery = matches!(event.kind, RunEventKind::Deliver { .. });
        let sent = event.behind.first().copied().unwrap_or(number);
        let between = run.events.get(sent + 1..number).unwrap_or_default();
        is_delivery && between.iter().any(|it| it.kind.is_step())
    })
}

/// Makes a run twice, and once more with the schedule that it had.
fn is_the_same_again(executor: &mut BeamExecutor<'_>, input: i64, schedule: &Schedule, what: &str) {
    let arguments = [number(input)];
    let mut run = |schedule: &Schedule| {
        let run = executor.run_scheduled(&arguments, schedule, &LIMITS);
        run.expect("it can be run")
    };
    let first = run(schedule);
    let own = first.gate.schedule();
    for schedule in [schedule, &own] {
        let again = run(schedule);
        assert_eq!(again.logs, first.logs, "{what}");
        assert_eq!(again.gate.leases, first.gate.leases, "{what}");
    }
    assert!(run(&own).gate.is_followed, "{what}: {own}");
}

/// What the sender knows about its message is what the receiver decides about.
#[test]
fn messages_of_other_processes_are_symbolic() {
    let folder = temporary_folder();
    let path = folder.path().join("workshop.erl");
    std::fs::write(&path, PROGRAM).expect("it can be written");
    let explored = Explored::new(path);
    let mut executor = explored.executor("two_senders", 1);
    let schedule = Schedule::default();
    let run = run_and_replay(&mut executor, &number(5), &schedule, "two_senders");
    let decisions = run.decisions.iter();
    let about_input = decisions.filter(|it| !it.ways.iter().all(|way| way.is_constant()));
    // The message is skipped or taken; the number in it is small or not.
    assert!(about_input.count() >= 2, "{:?}", run.decisions);
}
