//! Fault injection: runs rounds of all faults, one after another, for a given time.
//!
//! `fault-kit [--minutes N] [--seed N] [FAULT...]`. A round that breaks a law ends everything; its
//! fault and its seed were printed before, and reproduce it.

use std::collections::BTreeMap;
use std::env;
use std::io::Write;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use end_to_end::faults::{FAULTS, Fault, Programs, long_search};
use end_to_end::random_programs::Random;

/// How long it runs by default, in minutes.
const MINUTES: u64 = 60;
/// The runs of the long search.
const RUNS: usize = 100_000;

fn main() {
    let own = env::current_exe().expect("this program has a path");
    let sibling = |name: &str| own.with_file_name(name);
    let programs = Programs {
        tool: sibling("erlconcolic-under-test"),
        cutting_erl: sibling("cutting-erl"),
    };
    let (minutes, mut seed, names) = arguments();
    let chosen = |it: &&Fault| names.is_empty() || names.iter().any(|name| name == it.0);
    let faults: Vec<&Fault> = FAULTS.iter().filter(chosen).collect();
    let start = Instant::now();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    if names.is_empty() || names.iter().any(|name| name == "long-search") {
        say(&format!("long-search: {RUNS} runs"));
        say(&long_search::search(&programs, RUNS));
    }
    while !faults.is_empty() {
        for (name, round) in &faults {
            say(&format!("{name}: --seed {seed}"));
            round(&programs, &mut Random::new(seed));
            *counts.entry(name).or_default() += 1;
        }
        seed += 1;
        if start.elapsed() >= Duration::from_secs(60 * minutes) {
            break;
        }
    }
    for (name, count) in counts {
        say(&format!("{count} rounds of {name}: all laws hold"));
    }
    say(&format!("{} seconds in total", start.elapsed().as_secs()));
}

/// Minutes, seed, names of faults.
fn arguments() -> (u64, u64, Vec<String>) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let mut seed = now.map_or(0, |time| time.as_secs());
    let mut minutes = MINUTES;
    let mut names = Vec::new();
    let mut words = env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || {
            let number = words.next().and_then(|text| text.parse().ok());
            number.unwrap_or_else(|| panic!("{word} wants a number"))
        };
        match word.as_str() {
            "--minutes" => minutes = number(),
            "--seed" => seed = number(),
            name => names.push(name.to_owned()),
        }
    }
    (minutes, seed, names)
}

fn say(line: &str) {
    // A closed stdout is not a failure.
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}
