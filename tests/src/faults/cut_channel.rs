//! The channel between the tool and a BEAM is cut in the middle of a message, damaged or silent.
//!
//! A program in the place of `erl` stands between the two. It reads a *plan*, whose n-th line is
//! for the n-th BEAM that is started: the helper and the first worker, which are started at the same
//! time, then other workers.

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::Programs;
use super::laws::{check, check_resumed, undisturbed};
use super::round::{KEPT, Round, TOTAL};
use crate::random_programs::Random;

/// What can happen, and after how many bytes at most, to the first two BEAMs and to others. The
/// helper reads its modules and writes compiled code; a worker reads those and more, and writes
/// logs. The tool waits for a silent helper.
const FIRST: [(&str, usize); 3] = [
    ("cut in", 300_000),
    ("cut out", 20_000),
    ("damage out", 20_000),
];
const OTHER: [(&str, usize); 4] = [
    ("cut in", 400_000),
    ("cut out", 40_000),
    ("damage out", 40_000),
    ("silence out", 40_000),
];

/// One search.
///
/// # Panics
/// When a law is broken.
pub fn round(programs: &Programs, random: &mut Random) {
    let expected = undisturbed(programs, &TOTAL);
    let round = Round::new(programs);
    let pass = || "pass".to_owned();
    let mut plan = [pass(), pass(), pass(), line(random, &OTHER)];
    let disturbed = [0, 1, 2];
    let disturbed = *random.pick(&disturbed);
    if let Some(first) = plan.get_mut(disturbed) {
        *first = if disturbed == 2 {
            line(random, &OTHER)
        } else {
            line(random, &FIRST)
        };
    }
    round
        .place
        .write("cutting/plan", plan.join("\n").as_bytes());
    // The channel is on descriptors 3 and 4.
    let cutting_erl = programs.cutting_erl.display();
    let script = format!("#!/bin/sh\nexec '{cutting_erl}' \"$@\" 0<&3 1>&4\n");
    round.place.write("cutting/erl", script.as_bytes());
    let erl = round.place.path("cutting/erl");
    fs::set_permissions(&erl, fs::Permissions::from_mode(0o755)).expect("it is there");
    let folder = round.place.path("cutting");
    let path = env::var("PATH").expect("there is a PATH");
    let mut command = round.command(&[&TOTAL[..], &KEPT[..]].concat());
    command
        .env("PATH", format!("{}:{path}", folder.display()))
        .env("CUTTING_ERL", &folder)
        .env("CUTTING_ERL_PATH", &path)
        .env("ERLCONCOLIC_PATIENCE", "2000");
    let ended = round.start(command).wait();
    check(&ended, &expected);
    check_resumed(&round, &ended, &expected);
    round.check_nothing_left(&["state", "cutting"]);
}

fn line(random: &mut Random, faults: &[(&str, usize)]) -> String {
    let (fault, most) = random.pick(faults);
    format!("{fault} {}", random.below(*most))
}
