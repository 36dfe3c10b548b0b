//! Orders of the steps of several processes: how many fit into a start of `erl`, and what one costs
//! as their number grows.

use std::num::NonZero;
use std::thread::available_parallelism;

use end_to_end::benchmarks::{Report, Row, Table, Unit, column, counted};
use end_to_end::erlang::package_path;
use end_to_end::exploring::{Explored, Plan, plan};

use crate::allocator::peak_of;
use crate::{ROUNDS, search, warm_up};

/// Functions, and how many interleavings there have to be in the time of one start of `erl`.
const PROGRAMS: [(&str, &str, f64); 4] = [
    ("readers_12", "a writer and 12 readers", 400.0),
    ("mailbox_7", "a mailbox with 7 senders", 400.0),
    ("server_4", "a server with 4 clients", 400.0),
    ("gen_server_2", "a gen_server with 2 clients", 100.0),
];
/// A server with 10 clients takes about 50 steps, and has more orders than this.
const LARGE: &str = "server_10";
/// How many orders, and how often they are searched. A busy moment counts more in a short search,
/// so the median of several counts. A long one has busy and quiet moments in it.
const COUNTS: [(usize, usize); 4] = [(100, 31), (1_000, 11), (10_000, 5), (100_000, 1)];
/// How much more the most expensive one may cost than the cheapest.
const TIME_TARGET: f64 = 1.5;
/// How many bytes one may take.
const MEMORY_TARGET: f64 = 2_000.0;

pub(crate) fn measure(unit: &mut Unit, report: &mut Report) {
    let explored = Explored::new(package_path("tests/classic_programs/classic.erl"));
    speed(&explored, unit, report);
    growth(&explored, unit, report);
}

fn all_orders(most: usize) -> Plan {
    let mut plan = plan(4, most);
    plan.task.seeds = vec![Vec::new()];
    plan
}

fn speed(explored: &Explored, unit: &mut Unit, report: &mut Report) {
    let cores = available_parallelism().map_or(1, NonZero::get);
    let mut rows = Vec::new();
    for (function, name, wanted) in PROGRAMS {
        let alone = Speed::of(explored, function, 1, unit);
        let shared = Speed::of(explored, function, cores, unit);
        report.target(
            format!("{name}: interleavings in a start of erl (wanted: at least {wanted})"),
            alone.rate,
            alone.rate >= wanted,
        );
        let [run, replay, plan] = alone.shares;
        let figures = [
            alone.orders,
            alone.steps,
            run,
            replay,
            plan,
            alone.rate,
            shared.rate,
        ];
        rows.push(Row::new(name, figures));
    }
    report.table(Table {
        title: "Interleavings with their replay".to_owned(),
        note: "All orders of small programs with processes, with warm workers, best of three: \
               with one worker, and with one for each core."
            .to_owned(),
        rows_are: "program".to_owned(),
        columns: vec![
            counted("interleavings"),
            column("steps"),
            column("running"),
            column("replaying"),
            column("planning"),
            column("in a start of erl").more(),
            column("with all cores").more(),
        ],
        rows,
    });
}

/// How fast all orders of a program are searched.
struct Speed {
    orders: f64,
    /// Of an interleaving.
    steps: f64,
    /// Of the time: running, replaying and planning.
    shares: [f64; 3],
    /// Interleavings in a start of `erl`.
    rate: f64,
}

impl Speed {
    fn of(explored: &Explored, function: &str, workers: usize, unit: &mut Unit) -> Self {
        let plan = all_orders(1_000_000);
        let mut executors: Vec<_> = (0..workers)
            .map(|_| explored.executor(function, 0))
            .collect();
        executors.iter_mut().for_each(|it| warm_up(it, &plan));
        let (starts, time, found) = (0..ROUNDS)
            .map(|_| {
                let search = || search(explored, executors.iter_mut().collect(), &plan);
                let (starts, (time, found)) = unit.timed(search);
                (starts, time, found)
            })
            .min_by_key(|it| it.1)
            .expect("there are rounds");
        let orders = found.tests.len() as f64;
        let statistics = found.statistics;
        let times = [
            statistics.run_time,
            statistics.replay_time,
            statistics.solve_time,
        ];
        Self {
            orders,
            steps: statistics.steps as f64 / orders,
            shares: times.map(|it| it.as_secs_f64() / time.as_secs_f64()),
            rate: orders / starts,
        }
    }
}

fn growth(explored: &Explored, unit: &mut Unit, report: &mut Report) {
    let mut rows = Vec::new();
    let mut times: Vec<f64> = Vec::new();
    let mut dearest_bytes: f64 = 0.0;
    let mut before = (0.0, 0.0);
    for (count, rounds) in COUNTS {
        let mut executor = explored.executor(LARGE, 0);
        let plan = all_orders(count);
        warm_up(&mut executor, &plan);
        let rounds = (0..rounds).map(|_| {
            let (starts, (bytes, (_, found))) =
                unit.timed(|| peak_of(|| search(explored, vec![&mut executor], &plan)));
            let orders = found.tests.len() as f64;
            let steps = found.statistics.steps as f64 / orders;
            (starts, bytes as f64, orders, steps)
        });
        let mut rounds: Vec<_> = rounds.collect();
        rounds.sort_by(|one, other| one.0.total_cmp(&other.0));
        let median = rounds.get(rounds.len() / 2);
        let &(starts, bytes, orders, steps) = median.expect("there are rounds");
        times.push(starts / orders);
        // What is there once is a large part of a small search, so each further one is counted.
        let (orders_before, bytes_before) = std::mem::replace(&mut before, (orders, bytes));
        let further = (bytes - bytes_before) / (orders - orders_before);
        if orders_before > 0.0 {
            dearest_bytes = dearest_bytes.max(further);
        }
        let figures = [orders, steps, orders / starts, bytes / orders, further];
        rows.push(Row::new(format!("{count} interleavings"), figures));
    }
    report.table(Table {
        title: "The cost of an interleaving".to_owned(),
        note: "A server with 10 clients, one worker, the median of 31, 11, 5 and 1 searches. Memory is the peak of \
               allocated bytes, all tests and all waiting orders included."
            .to_owned(),
        rows_are: "search".to_owned(),
        columns: vec![
            counted("interleavings"),
            column("steps"),
            column("interleavings in a start of erl").more(),
            column("bytes / interleaving").less(),
            column("bytes / further one").less(),
        ],
        rows,
    });
    let dearest = times.iter().copied().fold(0.0, f64::max);
    let cheapest = times.iter().copied().fold(f64::INFINITY, f64::min);
    report.target(
        format!(
            "time of an interleaving, dearest against cheapest (wanted: at most {TIME_TARGET})"
        ),
        dearest / cheapest,
        dearest / cheapest <= TIME_TARGET,
    );
    report.target(
        format!("bytes of a further interleaving of 50 steps (wanted: less than {MEMORY_TARGET})"),
        dearest_bytes,
        dearest_bytes < MEMORY_TARGET,
    );
}
