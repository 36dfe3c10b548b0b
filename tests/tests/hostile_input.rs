//! Damaged input crashes no reader, and no reader takes much more memory than its input has bytes.
//!
//! `make fuzz` sets `FUZZ_SECONDS`, the time for each reader. An input that breaks a reader is kept
//! in its corpus.

#[path = "../benches/front_end/allocator.rs"]
mod allocator;

use std::fs;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use end_to_end::fuzz::{FuzzTarget, TARGETS, corpus, corpus_folder, damaged};
use end_to_end::random_programs::Random;
use trace_format::manifest::hash;

#[global_allocator]
static ALLOCATOR: allocator::Counting = allocator::Counting;

/// Inputs for each reader in a test.
const CASES: u32 = 3_000;
/// Memory that a reader may take for any input.
const MEMORY: usize = 1 << 20;

/// Memory is counted for one reader at a time.
static COUNTING: Mutex<()> = Mutex::new(());

fn check(target: &FuzzTarget, bytes: &[u8]) {
    let (peak, result) =
        allocator::peak_of(|| catch_unwind(AssertUnwindSafe(|| (target.read)(bytes))));
    if let Err(panic) = result {
        resume_unwind(panic);
    }
    let allowed = MEMORY + target.memory * bytes.len();
    assert!(
        peak <= allowed,
        "{peak} bytes of memory for {}",
        bytes.len()
    );
}

/// Reads an input. It is kept before, since an input that ends the whole process could not be kept
/// afterwards.
fn check_and_keep(target: &FuzzTarget, bytes: &[u8]) {
    let name = hash([bytes]);
    let name = name.get(..16).expect("a hash is longer");
    let path = corpus_folder(target).join(name);
    if !path.exists() {
        fs::write(&path, bytes).expect("the corpus can be written");
        check(target, bytes);
        fs::remove_file(path).expect("it was written just now");
    }
}

fn fuzz(name: &str) {
    let _alone = COUNTING.lock().unwrap_or_else(PoisonError::into_inner);
    let target = TARGETS.iter().find(|target| target.name == name);
    let target = target.expect("there is such a reader");
    let corpus = corpus(target);
    // Memory that is taken only once, such as for programs, is not counted.
    corpus.iter().for_each(|bytes| (target.read)(bytes));
    corpus.iter().for_each(|bytes| check(target, bytes));
    let Ok(seconds) = std::env::var("FUZZ_SECONDS") else {
        let mut random = Random::new(0);
        for _ in 0..CASES {
            check(target, &damaged(target, &mut random, &corpus));
        }
        return;
    };
    let end = Instant::now() + Duration::from_secs(seconds.parse().expect("it is a number"));
    let seed = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |now| now.as_secs());
    let mut random = Random::new(seed);
    let mut cases = 0_u64;
    while Instant::now() < end {
        check_and_keep(target, &damaged(target, &mut random, &corpus));
        cases += 1;
    }
    // A closed stdout is not a failure.
    let _ = writeln!(io::stdout(), "{name}: {cases} inputs, seed {seed}");
}

#[test]
fn damaged_core_erlang_does_no_harm() {
    fuzz("core");
}

#[test]
fn damaged_logs_do_no_harm() {
    fuzz("log");
}

#[test]
fn damaged_terms_do_no_harm() {
    fuzz("term");
}

#[test]
fn damaged_states_do_no_harm() {
    fuzz("state");
}

#[test]
fn damaged_reports_do_no_harm() {
    fuzz("report");
}

#[test]
fn damaged_manifests_do_no_harm() {
    fuzz("manifest");
}
