//! The cost of a path as paths become many.

use end_to_end::erlang::package_path;
use end_to_end::exploring::{Explored, plan};

use crate::allocator::peak_of;
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
        let plan = plan(8, count);
        warm_up(&mut executor, &plan);
        let (bytes, (time, found)) = peak_of(|| search(&explored, vec![&mut executor], &plan));
        let bytes = bytes as f64;
        let paths = found.tests.len() as f64;
        drop(found);
        let microseconds = time.as_secs_f64() * 1e6 / paths;
        times.push(microseconds);
        worst_memory = worst_memory.max(bytes / paths);
        rows.push(Row {
            name: format!("{count} paths"),
            figures: vec![paths, microseconds, bytes / paths],
        });
    }
    report.table(Table {
        title: "The cost of a path".to_owned(),
        note: "One worker. Memory is the peak of what is allocated, all tests and all inputs that \
               wait included; what Z3 allocates is not counted.",
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
