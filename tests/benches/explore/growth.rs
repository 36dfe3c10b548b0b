//! The cost of a path as paths become many.

use std::fs;

use end_to_end::erlang::package_path;
use end_to_end::exploring::{Explored, options};

use crate::report::{Report, Row, Table};
use crate::{search, warm_up};

const COUNTS: [usize; 3] = [1_000, 10_000, 100_000];
/// How much dearer the dearest path may be than the cheapest.
const TIME_TARGET: f64 = 1.5;
/// How many bytes a path may take.
const MEMORY_TARGET: f64 = 2_000.0;

pub(crate) fn measure(report: &mut Report) {
    let explored = Explored::new(package_path("erlang_samples/many_paths.erl"));
    let mut rows = Vec::new();
    let mut times: Vec<f64> = Vec::new();
    let mut worst_memory: f64 = 0.0;
    for count in COUNTS {
        let mut executor = explored.executor("count", 1);
        // Paths of the same length, however many there are.
        let options = options(8, count);
        warm_up(&mut executor, &options);
        let before = memory();
        let (time, found) = search(&explored, vec![&mut executor], &options);
        let bytes = (memory() - before).max(0.0);
        let paths = found.tests.len() as f64;
        drop(found);
        let microseconds = time.as_secs_f64() * 1e6 / paths;
        times.push(microseconds);
        // The first thousands are hidden by what the allocator has in store.
        if count == 100_000 {
            worst_memory = bytes / paths;
        }
        rows.push(Row {
            name: format!("{count} paths"),
            figures: vec![paths, microseconds, bytes / paths],
        });
    }
    report.table(Table {
        title: "The cost of a path".to_owned(),
        note: "One worker. Memory is what the process has more at the end than before, all tests \
               kept.",
        columns: &["search", "paths", "microseconds / path", "bytes / path"],
        rows,
    });
    let dearest = times.iter().copied().fold(0.0, f64::max);
    let cheapest = times.iter().copied().fold(f64::INFINITY, f64::min);
    report.target(
        format!("time of a path, dearest against cheapest (wanted: at most {TIME_TARGET})"),
        dearest / cheapest,
        dearest / cheapest <= TIME_TARGET,
    );
    report.target(
        format!("bytes of a path (wanted: less than {MEMORY_TARGET})"),
        worst_memory,
        worst_memory < MEMORY_TARGET,
    );
}

/// The memory of this process in bytes, as Linux tells it.
fn memory() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes: Option<f64> = line
        .and_then(|line| line.trim().strip_suffix("kB"))
        .and_then(|text| text.trim().parse().ok());
    kilobytes.unwrap_or_default() * 1024.0
}
