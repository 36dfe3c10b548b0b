//! Signals to the tool, at any moment: while it starts, compiles, searches, confirms and reports.

use rustix::process::Signal;
use serde_json::Value;

use super::Programs;
use super::killed_beams::milliseconds;
use super::laws::{check, check_resumed, undisturbed};
use super::round::{KEPT, Round, TOTAL};
use crate::random_programs::Random;

/// What is sent, and the status of a search that it ends with a report.
const SIGNALS: [(Signal, Option<i32>); 4] = [
    (Signal::INT, Some(130)),
    (Signal::TERM, Some(143)),
    (Signal::HUP, Some(129)),
    (Signal::KILL, None),
];

/// One search and one signal of each kind.
///
/// # Panics
/// When a law is broken.
pub fn round(programs: &Programs, random: &mut Random) {
    let expected = undisturbed(programs, &TOTAL);
    for (signal, status) in SIGNALS {
        one_signal(programs, random, &expected, signal, status);
    }
}

fn one_signal(
    programs: &Programs,
    random: &mut Random,
    expected: &Value,
    signal: Signal,
    status: Option<i32>,
) {
    let round = Round::new(programs);
    let mut running = round.start(round.command(&[&TOTAL[..], &KEPT[..]].concat()));
    let is_searching = random.chance(60);
    if is_searching {
        running.wait_for_tests(random.below(150) + 1);
    } else {
        running.pause(milliseconds(random.below(2_500)));
    }
    let tool = running.process();
    if let Some(tool) = tool {
        tool.signal(signal);
    }
    let ended = running.wait();
    check(&ended, expected);
    match (ended.status, ended.signal) {
        (Some(done), _) => assert!(done == 1 || Some(done) == status, "{ended:?}"),
        (None, number) => {
            assert_eq!(number, Some(signal.as_raw()), "{ended:?}");
            let may_die = status.is_none() || !ended.stderr.contains("test 1: ");
            assert!(may_die, "it was ended in the middle: {ended:?}");
        }
    }
    check_resumed(&round, &ended, expected);
    round.check_nothing_left(&["state"]);
}
