//! Runs of several processes on a BEAM, replayed together: under many schedules, the steps of the
//! replay are those of the run.

use end_to_end::erlang::temporary_folder;
use end_to_end::exploring::{BeamExecutor, Explored, LIMITS};
use erlang_term::Term;
use trace_engine::{Replayed, RunEventKind};
use trace_format::{ProcessLogs, Schedule};

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
];

/// The same, with something that nobody controls.
const UNCONTROLLED: &[&str] = &["monitored", "timers", "linked"];

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
            let run = run_and_replay(&mut executor, input, &schedule, &what);
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

/// Runs a function, replays the run and compares their steps.
fn run_and_replay(
    executor: &mut BeamExecutor<'_>,
    input: i64,
    schedule: &Schedule,
    what: &str,
) -> Replayed {
    let arguments = [Term::Integer(input.into())];
    let ran = executor.run_scheduled(&arguments, schedule, &LIMITS);
    let ran = ran.expect("it can be run");
    let logs = ProcessLogs::new(ran.logs, ran.gate.leases);
    let run = executor.replay_all(&logs, &arguments);
    let run = run.unwrap_or_else(|error| panic!("{what}: {error} ({:?})", logs.leases()));
    assert_eq!(steps_of_replay(&run), steps_of_run(&logs), "{what}");
    assert!(!run.is_cut(), "{what}");
    assert!(run.processes.len() > 1, "{what}");
    let decisions = run.events.iter().filter_map(|event| {
        if let RunEventKind::Decision(number) = event.kind {
            return Some(number);
        }
        None
    });
    assert!(decisions.eq(0..run.decisions.len()), "{what}");
    for event in &run.events {
        if let RunEventKind::Look { receive, send, .. } = event.kind {
            let sent = run.events.get(send).expect("it is one of the run");
            let to_it = matches!(sent.kind, RunEventKind::Send { to, .. } if to == event.process);
            assert!(to_it, "{what}: {event:?} of {sent:?}");
            let receive = run.receives.get(receive).expect("it is one of the run");
            assert_eq!(receive.process, event.process, "{what}");
        }
    }
    run
}

/// Whose step each one is.
fn steps_of_replay(run: &Replayed) -> Vec<usize> {
    let steps = run.events.iter().filter(|event| event.kind.is_step());
    steps.map(|event| event.process).collect()
}

fn steps_of_run(logs: &ProcessLogs) -> Vec<usize> {
    let leases = logs.leases().iter();
    leases
        .flat_map(|(process, steps)| std::iter::repeat_n(*process, *steps as usize))
        .collect()
}

/// A schedule of some short leases.
fn some_schedule(seed: &mut u64) -> Schedule {
    let mut number = |below: u64| {
        *seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) % below
    };
    let leases = (0..12).map(|_| {
        let processes = ["0", "0.1", "0.2", "0.3", "0.1.1"];
        let process = processes.into_iter().cycle().nth(number(5) as usize);
        let process = process.expect("they go round");
        format!("{process}*{}", 1 + number(3))
    });
    let text = leases.collect::<Vec<_>>().join(",");
    text.parse().expect("it is a schedule")
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
    let run = run_and_replay(&mut executor, 5, &schedule, "two_senders");
    let decisions = run.decisions.iter();
    let about_input = decisions.filter(|it| !it.ways.iter().all(|way| way.is_constant()));
    // The message is skipped or taken; the number in it is small or not.
    assert!(about_input.count() >= 2, "{:?}", run.decisions);
}
