//! How fast the front end is, and how much memory it takes, compared with OTP's own tools in the
//! same run. `cargo bench -p end-to-end` prints the figures and writes them to `target/bench/`.
//!
//! Ratios are of processor time, which other programs on the machine disturb least; work on several
//! cores is measured by the clock. All times are the best of some rounds, and rounds that are
//! compared alternate.

mod allocator;
mod clock;
mod growth;
mod memory;
mod otp_clock;
mod speed;

use std::io;

use end_to_end::benchmarks::Report;
use end_to_end::erlang::temporary_folder;
use end_to_end::otp;
use erlconcolic::Allocator;

use crate::allocator::Counting;
use crate::otp_clock::OtpClock;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() -> io::Result<()> {
    Allocator.keep_freed_memory();
    let stdlib = otp::find(&["stdlib"]).applications.remove(0);
    let folder = temporary_folder();
    let plain = otp::plain_texts(std::slice::from_ref(&stdlib), folder.path());
    let loaded = stdlib.front_end().load(&stdlib.sources);
    let annotated: Vec<String> = loaded
        .expect("all of stdlib compiles")
        .into_iter()
        .map(|module| module.text)
        .collect();
    let plain: Vec<String> = plain.into_iter().map(|module| module.text).collect();
    let mut otp_clock = OtpClock::start();

    let mut report = Report::new("Front end: speed and memory");
    speed::parsing(
        &plain,
        &folder.path().join("stdlib"),
        &mut otp_clock,
        &mut report,
    );
    speed::modules(&stdlib, &annotated, &mut otp_clock, &mut report);
    speed::throughput("as `erlc +to_core` writes it", &plain, &mut report);
    speed::throughput("with all annotations", &annotated, &mut report);
    memory::peaks("as `erlc +to_core` writes it", &plain, &mut report);
    memory::peaks("with all annotations", &annotated, &mut report);
    growth::measure(&annotated, &mut report);
    report.publish("front_end")
}
