//! Files that can no longer be written: the state folder, pages, tests, stdout.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use rustix::process::Resource;

use super::Programs;
use super::laws::{check, check_resumed, undisturbed};
use super::round::{Ended, KEPT, Round, TOTAL};
use crate::random_programs::Random;

/// No file may grow beyond a few kilobytes, which the journal soon does. A BEAM does not start under
/// such a limit, so it is set when the worker runs, and no finding can be confirmed.
///
/// # Panics
/// When a law is broken.
pub fn state_folder(programs: &Programs, random: &mut Random) {
    let expected = undisturbed(programs, &TOTAL);
    let round = Round::new(programs);
    let mut running = round.start(round.command(&[&TOTAL[..], &KEPT[..]].concat()));
    running.wait_for_tests(1);
    if let Some(tool) = running.process() {
        tool.limit(Resource::Fsize, size(random));
    }
    let ended = running.wait();
    check_full(&ended);
    check(&ended, &expected);
    check_resumed(&round, &ended, &expected);
    round.check_nothing_left(&["state"]);
}

/// The state folder is a small file system. Only root can make one; others skip this.
///
/// # Panics
/// When a law is broken.
pub fn file_system(programs: &Programs, random: &mut Random) {
    let round = Round::new(programs);
    let folder = round.place.path("state");
    fs::create_dir(&folder).expect("it is new");
    let mounted = Command::new("mount")
        .args([
            "-t",
            "tmpfs",
            "-o",
            &format!("size={}", size(random)),
            "tmpfs",
        ])
        .arg(&folder)
        .stderr(Stdio::null())
        .status();
    if !mounted.is_ok_and(|status| status.success()) {
        return;
    }
    let expected = undisturbed(programs, &TOTAL);
    let ended = round.run(&[&TOTAL[..], &KEPT[..]].concat());
    // The search goes on with another disk.
    let journal = fs::read(folder.join("runs.journal")).expect("it was begun");
    let unmounted = Command::new("umount").arg(&folder).status();
    assert!(unmounted.is_ok_and(|status| status.success()));
    round.place.write("state/runs.journal", &journal);
    check_full(&ended);
    assert!(ended.stderr.contains("no space left"), "{ended:?}");
    check(&ended, &expected);
    check_resumed(&round, &ended, &expected);
    round.check_nothing_left(&["state"]);
}

/// Between a page of memory and less than the journal of the search has.
fn size(random: &mut Random) -> u64 {
    u64::try_from(4_096 + random.below(8_000)).expect("a small number")
}

fn check_full(ended: &Ended) {
    assert_eq!(ended.status, Some(2), "{ended:?}");
    let named = ended.stderr.contains("cannot write state/runs.journal");
    assert!(named, "{ended:?}");
    assert!(!ended.stdout.is_empty(), "runs are lost: {ended:?}");
}

/// One output goes to a full disk, and the rest is written.
///
/// # Panics
/// When a law is broken.
pub fn outputs(programs: &Programs, random: &mut Random) {
    let expected = undisturbed(programs, &TOTAL);
    let round = Round::new(programs);
    let both = ["--html", "page.html", "--eunit", "orders_tests.erl"];
    let full = || {
        let device = OpenOptions::new().write(true).open("/dev/full");
        Stdio::from(device.expect("the system has /dev/full"))
    };
    let files = match random.below(3) {
        0 => {
            let mut command = round.command(&[&TOTAL[..], &both[..]].concat());
            command.stdout(full());
            let ended = round.start(command).wait();
            check_one_error(&ended, "standard output");
            vec!["page.html", "orders_tests.erl"]
        }
        1 => {
            let mut page = both;
            page[1] = "/dev/full";
            let ended = round.run(&[&TOTAL[..], &page[..]].concat());
            check_one_error(&ended, "/dev/full");
            check(&ended, &expected).expect("the report is printed all the same");
            vec!["orders_tests.erl"]
        }
        _ => {
            // The page is larger than that, and stdout is a pipe.
            let page = [&TOTAL[..], &both[..2], &["--verbose"]].concat();
            let mut running = round.start(round.command(&page));
            running.wait_for_tests(1);
            if let Some(tool) = running.process() {
                tool.limit(Resource::Fsize, 1_000);
            }
            let ended = running.wait();
            check_one_error(&ended, "page.html");
            check(&ended, &expected).expect("the report is printed all the same");
            Vec::new()
        }
    };
    for file in &files {
        assert!(round.place.path(file).exists(), "{file} is missing");
    }
    round.check_nothing_left(&files);
}

fn check_one_error(ended: &Ended, what: &str) {
    assert_eq!(ended.status, Some(2), "{ended:?}");
    assert_eq!(ended.stderr.matches("error[io]").count(), 1, "{ended:?}");
    assert!(ended.stderr.contains(what), "{ended:?}");
}

/// The reader of the report closes the pipe after a line.
///
/// # Panics
/// When a law is broken.
pub fn closed_stdout(programs: &Programs, _: &mut Random) {
    let round = Round::new(programs);
    let mut command = round.command(&TOTAL);
    let stderr = round.place.path("stderr");
    let mut child = command
        .stderr(File::create(&stderr).expect("it is new"))
        .spawn()
        .expect("the tool can be started");
    let mut stdout = BufReader::with_capacity(1, child.stdout.take().expect("it is piped"));
    let mut line = String::new();
    stdout.read_line(&mut line).expect("it is text");
    drop(stdout);
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(1), "{}", round.place.read("stderr"));
    assert_eq!(round.place.read("stderr"), "");
    round.check_nothing_left(&["stderr"]);
}
