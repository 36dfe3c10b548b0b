//! BEAMs are killed: the helper while it compiles, workers while they start and run, and those that
//! confirm findings.

use std::time::Duration;

use rustix::process::Signal;

use super::Programs;
use super::laws::{check, check_resumed, undisturbed};
use super::round::{KEPT, Round, TOTAL};
use crate::random_programs::Random;

/// How often a BEAM is killed in one round.
const MOST_KILLS: usize = 4;

/// One search.
///
/// # Panics
/// When a law is broken.
pub fn round(programs: &Programs, random: &mut Random) {
    let expected = undisturbed(programs, &TOTAL);
    let round = Round::new(programs);
    let mut running = round.start(round.command(&[&TOTAL[..], &KEPT[..]].concat()));
    // Most rounds leave the helper alone until it has compiled: without it there is no search.
    if random.chance(75) {
        running.wait_for_tests(1);
    }
    for _ in 0..=random.below(MOST_KILLS) {
        running.pause(milliseconds(random.below(1_000)));
        let beams = round.beams();
        if !beams.is_empty() {
            random.pick(&beams).signal(Signal::KILL);
        }
    }
    let ended = running.wait();
    check(&ended, &expected);
    check_resumed(&round, &ended, &expected);
    round.check_nothing_left(&["state"]);
}

/// A number of milliseconds.
pub(super) fn milliseconds(number: usize) -> Duration {
    Duration::from_millis(u64::try_from(number).expect("a small number"))
}
