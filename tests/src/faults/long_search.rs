//! A long search: neither the tool nor its worker leaks.

use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::Programs;
use super::processes::Process;
use super::round::{Round, Running};
use crate::report_values::list;

/// How much the memory of a worker may grow after the first tenth of the runs, in kilobytes.
const WORKER_GROWTH: u64 = 24 * 1024;
/// How much the tool may need for each path.
const BYTES_PER_PATH: u64 = 4_000;

/// What is counted.
#[derive(Clone, Copy, Debug)]
struct Count {
    tool_descriptors: usize,
    beams: usize,
    worker_descriptors: usize,
    worker_memory: u64,
    tool_memory: u64,
}

/// Searches with a number of runs, and compares the counts after a tenth of them with the end.
/// Returns the counts as text.
///
/// # Panics
/// When something grows.
pub fn search(programs: &Programs, runs: usize) -> String {
    let round = Round::new(programs);
    let most = runs.to_string();
    let mut command = round.command(&[
        "explore",
        "orders.erl",
        "--entry",
        "census/1",
        "--args",
        "[[]]",
        "--term-depth",
        "60",
        "--paths",
        "all",
        "--strategy",
        "bfs",
        "--max-runs",
        &most,
        "--timeout",
        "3600",
        "--format",
        "json",
        "--state",
        "state",
        "--verbose",
    ]);
    command.stdout(std::process::Stdio::piped());
    let mut running = round.start(command);
    let early = count_at(&round, &mut running, runs / 10);
    let late = count_at(&round, &mut running, runs - runs / 50);
    let ended = running.wait_up_to(Duration::from_secs(3_600));
    let report: Value = serde_json::from_str(&ended.stdout).expect("a report");
    let tests = list(&report, "tests");
    assert_eq!(tests.len(), runs, "runs are missing");
    let (first, last) = (inside(tests, runs / 10), inside(tests, runs));
    let text = format!("{early:?}\n{late:?}\ninside, after a tenth: {first:?}, last: {last:?}");
    assert_eq!(late.tool_descriptors, early.tool_descriptors, "{text}");
    assert_eq!(late.beams, early.beams, "{text}");
    assert_eq!(late.worker_descriptors, early.worker_descriptors, "{text}");
    assert!(
        late.worker_memory < early.worker_memory + WORKER_GROWTH,
        "{text}"
    );
    let growth = 1024 * late.tool_memory.saturating_sub(early.tool_memory);
    let paths = u64::try_from(runs).expect("a small number");
    assert!(growth / paths < BYTES_PER_PATH, "{text}");
    // Processes and ports; atoms are made by code that is loaded when it is first called.
    assert_eq!(last.len(), 3, "{text}");
    assert_eq!(first.first_chunk::<2>(), last.first_chunk::<2>(), "{text}");
    assert!(
        last.get(2) <= first.get(2).map(|it| it + 50).as_ref(),
        "{text}"
    );
    round.check_nothing_left(&["state"]);
    text
}

fn count_at(round: &Round, running: &mut Running, test: usize) -> Count {
    running.wait_for_tests(test);
    let tool = running.process().expect("it is still there");
    let beams = all_beams(round);
    let [_helper, worker, ..] = beams.as_slice() else {
        panic!("the worker is gone");
    };
    Count {
        tool_descriptors: tool.descriptors(),
        beams: beams.len(),
        worker_descriptors: worker.descriptors(),
        worker_memory: worker.memory("VmRSS"),
        tool_memory: tool.memory("VmRSS"),
    }
}

/// The helper, the worker and the BEAM for findings, which may still be about to start.
fn all_beams(round: &Round) -> Vec<Process> {
    loop {
        let beams = round.beams();
        if beams.len() >= 3 {
            return beams;
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// How many processes, ports and atoms the last of the first tests saw that returned something: the
/// end of `{Kinds,Processes,Ports,Atoms}`.
fn inside(tests: &[Value], number: usize) -> Vec<u64> {
    let results = tests.iter().take(number).rev();
    let text = results.filter_map(|test| test["result"].as_str()).next();
    let numbers = text.unwrap_or_default().trim_matches(['{', '}']).split(',');
    numbers
        .skip(1)
        .filter_map(|number| number.parse().ok())
        .collect()
}
