//! Runs that follow some schedule on a BEAM, replayed: the steps of the replay are those of the run.

use erlang_term::Term;
use trace_engine::{Replayed, RunEvent, RunEventKind};
use trace_format::{ProcessLogs, Schedule, TakenLease};

use crate::exploring::{BeamExecutor, LIMITS};

/// Runs a function of one argument, replays the run and compares their steps.
///
/// # Panics
/// When they differ.
pub fn run_and_replay(
    executor: &mut BeamExecutor<'_>,
    argument: &Term,
    schedule: &Schedule,
    what: &str,
) -> Replayed {
    let arguments = [argument.clone()];
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
            let fills = sent.fills().any(|to| to == event.process);
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

/// A number below this one, and the next seed.
///
/// # Panics
/// Never.
pub fn some_number(seed: &mut u64, below: u64) -> usize {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    usize::try_from((*seed >> 33) % below).expect("it is small")
}

/// A process that many of the programs have.
fn some_process(seed: &mut u64) -> &'static str {
    let processes = ["0", "0.1", "0.2", "0.3", "0.1.1"];
    let process = processes.get(some_number(seed, 5)).copied();
    process.expect("there are five")
}

/// A schedule of some short leases.
///
/// # Panics
/// Never.
pub fn some_schedule(seed: &mut u64) -> Schedule {
    let leases = (0..12).map(|_| {
        let process = some_process(seed);
        format!("{process}*{}", 1 + some_number(seed, 3))
    });
    let text = leases.collect::<Vec<_>>().join(",");
    text.parse().expect("it is a schedule")
}

/// The same, with deliveries between them.
///
/// # Panics
/// Never.
pub fn some_schedule_with_deliveries(seed: &mut u64) -> Schedule {
    let leases = (0..30).map(|round| {
        let process = some_process(seed);
        if round > 2 && some_number(seed, 3) == 0 {
            return format!("{process}>{}", some_process(seed));
        }
        format!("{process}*{}", 1 + some_number(seed, 3))
    });
    let text = leases.collect::<Vec<_>>().join(",");
    text.parse().expect("it is a schedule")
}
