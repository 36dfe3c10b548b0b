//! The cost of a path as the number of paths grows.

use end_to_end::benchmarks::{Report, Row, Table, Unit, column, counted};
use end_to_end::erlang::package_path;
use end_to_end::exploring::{Explored, plan};

use crate::allocator::peak_of;
use crate::{search, warm_up};

const COUNTS: [usize; 3] = [1_000, 10_000, 100_000];
/// How much more the most expensive path may cost than the cheapest.
const TIME_TARGET: f64 = 1.5;
/// How many bytes a path may take.
const MEMORY_TARGET: f64 = 2_000.0;
/// How many GB a search of a million paths may take.
const GIGABYTES_TARGET: f64 = 4.0;

pub(crate) fn measure(unit: &mut Unit, report: &mut Report) {
    let explored = Explored::new(package_path("erlang_samples/many_paths.erl"));
    let mut rows = Vec::new();
    let mut times: Vec<f64> = Vec::new();
    let mut worst_memory: f64 = 0.0;
    let mut last_memory: f64 = 0.0;
    for count in COUNTS {
        let mut executor = explored.executor("count", 1);
        // Paths of the same length, however many there are.
        let plan = plan(8, count);
        warm_up(&mut executor, &plan);
        let (starts, (bytes, (_, found))) =
            unit.timed(|| peak_of(|| search(&explored, vec![&mut executor], &plan)));
        let bytes = bytes as f64;
        let paths = found.tests.len() as f64;
        drop(found);
        times.push(starts / paths);
        last_memory = bytes / paths;
        worst_memory = worst_memory.max(bytes / paths);
        let figures = [paths, paths / starts, bytes / paths];
        rows.push(Row::new(format!("{count} paths"), figures));
    }
    report.table(Table {
        title: "The cost of a path".to_owned(),
        note:
            "One worker. Memory is the peak of allocated bytes, all tests and all waiting inputs \
               included; memory of Z3 is not counted."
                .to_owned(),
        rows_are: "search".to_owned(),
        columns: vec![
            counted("paths"),
            column("paths in a start of erl").more(),
            column("bytes / path").less(),
        ],
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
    let gigabytes = last_memory * 1e6 / 1e9;
    report.target(
        "GB for a search of 1,000,000 paths, from one of 100,000 (wanted: less than 4)",
        gigabytes,
        gigabytes < GIGABYTES_TARGET,
    );
}
