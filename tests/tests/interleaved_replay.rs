//! Runs of several processes on a BEAM, replayed together: under many schedules, the steps of the
//! replay are those of the run.

use end_to_end::erlang::temporary_folder;
use end_to_end::exploring::{BeamExecutor, Explored, LIMITS};
use erlang_term::Term;
use trace_engine::{Replayed, RunEvent, RunEventKind};
use trace_format::{ProcessLogs, Schedule, TakenLease};

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
];

/// The same, with something that nobody controls.
const UNCONTROLLED: &[&str] = &["timers", "linked"];

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
            let run = run_and_replay(&mut executor, input, &schedule, &what);
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
    let arguments = [Term::Integer(input.into())];
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
            let fills = sent.kind.fills().contains(&event.process);
            assert!(fills, "{what}: {event:?} of {sent:?}");
            let receive = run.receives.get(receive).expect("it is one of the run");
            assert_eq!(receive.process, event.process, "{what}");
        }
    }
    run
}

/// Whose step each one is: that of a process, or of the channel between two.
fn steps_of_replay(run: &Replayed) -> Vec<TakenLease> {
    let steps = run.events.iter().filter(|event| event.kind.is_step());
    let processes = run.processes.len();
    let step = |event: &RunEvent| match event.process.checked_sub(processes) {
        Some(channel) => {
            let ends = run.channels.get(channel).copied();
            let (from, to) = ends.expect("it is one of the run");
            TakenLease::Deliveries(from, to, 1)
        }
        None => TakenLease::Steps(event.process, 1),
    };
    steps.map(step).collect()
}

fn steps_of_run(logs: &ProcessLogs) -> Vec<TakenLease> {
    let leases = logs.leases().iter().flat_map(|lease| {
        let one = match *lease {
            TakenLease::Steps(process, _) => TakenLease::Steps(process, 1),
            TakenLease::Deliveries(from, to, _) => TakenLease::Deliveries(from, to, 1),
        };
        std::iter::repeat_n(one, lease.count() as usize)
    });
    leases.collect()
}

/// A number below this one.
fn number(seed: &mut u64, below: u64) -> usize {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    usize::try_from((*seed >> 33) % below).expect("it is small")
}

/// A process that many of the programs have.
fn some_process(seed: &mut u64) -> &'static str {
    let processes = ["0", "0.1", "0.2", "0.3", "0.1.1"];
    let process = processes.get(number(seed, 5)).copied();
    process.expect("there are five")
}

/// A schedule of some short leases.
fn some_schedule(seed: &mut u64) -> Schedule {
    let leases = (0..12).map(|_| {
        let process = some_process(seed);
        format!("{process}*{}", 1 + number(seed, 3))
    });
    let text = leases.collect::<Vec<_>>().join(",");
    text.parse().expect("it is a schedule")
}

/// The same, with deliveries between them.
fn some_schedule_with_deliveries(seed: &mut u64) -> Schedule {
    let leases = (0..30).map(|round| {
        let process = some_process(seed);
        if round > 2 && number(seed, 3) == 0 {
            return format!("{process}>{}", some_process(seed));
        }
        format!("{process}*{}", 1 + number(seed, 3))
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
