//! Runs that take all memory, and a tool that gets no more.

use std::time::Duration;

use rustix::process::Resource;

use super::Programs;
use super::laws::{check, lasting, undisturbed};
use super::round::Round;
use crate::random_programs::Random;
use crate::report_values::{at, list};

/// The memory of the workers of a round: less than the tool gives them, to save time.
const MOST_BYTES: u64 = 600_000_000;

/// A run takes memory outside of heaps: its BEAM goes down, and the search goes on.
///
/// # Panics
/// When a law is broken.
pub fn greedy_runs(programs: &Programs, _: &mut Random) {
    let arguments = [
        "explore",
        "orders.erl",
        "--entry",
        "hoard/1",
        "--format",
        "json",
    ];
    let round = Round::new(programs);
    let mut running = round.start(round.command(&arguments));
    while !running.is_over() {
        // The first BEAM is the helper.
        for worker in round.beams().iter().skip(1) {
            worker.limit(Resource::Data, MOST_BYTES);
        }
        running.pause(Duration::from_millis(20));
    }
    let ended = running.wait();
    assert_eq!(ended.status, Some(1), "{ended:?}");
    let report: serde_json::Value = serde_json::from_str(&ended.stdout).expect("a report");
    check(&ended, &report).expect("there is a report");
    let tests = list(&report, "tests");
    let outcome = |input: &str| {
        let found = tests.iter().find(|test| at(test, "/args/0") == input);
        found.map(|test| test["outcome"].to_string())
    };
    assert_eq!(outcome("keep").as_deref(), Some("\"killed\""), "{report}");
    assert!(
        tests.iter().any(|test| test["result"] == "other"),
        "{report}"
    );
    assert_eq!(*at(&report, "/findings/0/args/0"), "keep", "{report}");
    assert_eq!(*at(&report, "/stats/divergences"), 0, "{report}");
    round.check_nothing_left(&[]);
}

/// A search whose first run has more events than fit into the memory that a starved tool has.
const STEPS: [&str; 12] = [
    "explore",
    "orders.erl",
    "--entry",
    "steps/1",
    "--args",
    "[200000]",
    "--max-runs",
    "2",
    "--run-timeout",
    "60000",
    "--format",
    "json",
];

/// The tool gets hardly any memory once its worker has started.
///
/// # Panics
/// When a law is broken.
pub fn starved_tool(programs: &Programs, random: &mut Random) {
    let expected = undisturbed(programs, &STEPS);
    let round = Round::new(programs);
    let kept = [&STEPS[..], &["--state", "state", "--resume"]].concat();
    let mut command = round.command(&kept);
    // Otherwise the allocator takes a gigabyte of addresses at the start.
    command.env("MIMALLOC_ARENA_RESERVE", "0");
    let mut running = round.start(command);
    while !running.is_over() && round.beams().len() < 2 {
        running.pause(Duration::from_millis(5));
    }
    let more = u64::try_from(random.below(10_000_000)).expect("a small number");
    if let Some(tool) = running.process() {
        tool.limit(Resource::As, tool.memory("VmSize") * 1024 + more);
    }
    let ended = running.wait();
    check(&ended, &expected);
    assert_eq!(ended.status, Some(2), "{ended:?}");
    let said = ended.stderr.contains("ran out of memory");
    assert!(said, "it does not say why: {ended:?}");
    let resumed = check(&round.run(&kept), &expected).expect("a report");
    assert_eq!(lasting(resumed), lasting(expected));
    round.check_nothing_left(&["state"]);
}
