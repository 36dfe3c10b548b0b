//! How fast searches are: runs with their replay and solving against a start of `erl`, the cost of
//! a path as the number of paths grows, the same for orders of processes, and what a second worker
//! is worth.

#[path = "../front_end/allocator.rs"]
mod allocator;
mod growth;
mod interleavings;
mod solvers;

use std::io;
use std::time::{Duration, Instant};

use end_to_end::benchmarks::{Report, Row, Table, Unit, column, counted, median};
use end_to_end::erlang::package_path;
use end_to_end::exploring::{BeamExecutor, Explored, Plan, plan};
use erlang_term::Term;
use solver::{Encoding, Z3Integers};
use trace_engine::explore::{Report as Explorations, Solvers, Statistics};

use crate::allocator::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const ROUNDS: usize = 3;
/// Rounds of one worker against two; the median is used.
const PAIRS: usize = 9;
/// How many runs there have to be in the time of one start of `erl`.
const RUNS_TARGET: f64 = 400.0;
/// How much faster two workers have to be than one.
const WORKERS_TARGET: f64 = 1.6;

fn main() -> io::Result<()> {
    let mut report = Report::new("Explorations: speed");
    let mut unit = Unit::default();
    let rows = programs()
        .iter()
        .map(|program| program.row(&mut unit, &mut report))
        .collect();
    report.table(Table {
        title: "Runs with their replay and solving".to_owned(),
        note: "A warm worker, best of three. The last column is how many runs fit into the time \
               of one start of erl, the others are shares of the time of the search."
            .to_owned(),
        rows_are: "program".to_owned(),
        columns: vec![
            counted("runs"),
            column("running"),
            column("replaying"),
            column("solving"),
            column("runs in a start of erl").more(),
        ],
        rows,
    });
    growth::measure(&mut unit, &mut report);
    interleavings::measure(&mut unit, &mut report);
    workers(&mut report);
    solvers::measure(&mut unit, &mut report);
    report.publish("explore")
}

/// A search to be measured.
struct Program {
    name: &'static str,
    path: &'static str,
    function: &'static str,
    arity: u32,
    plan: Plan,
}

fn programs() -> [Program; 3] {
    let list = |element: &str| Term::list([Term::atom(element)]);
    let seeded = |seed: Vec<Term>, depth| {
        let mut plan = plan(depth, 10_000);
        plan.task.seeds = vec![seed];
        plan
    };
    [
        Program {
            name: "the paper's program, term depth 200",
            path: "../samples/paper/figure5.core",
            function: "main",
            arity: 1,
            plan: seeded(vec![list("a")], 200),
        },
        Program {
            name: "samples/tokenizer",
            path: "../samples/tokenizer/tokenizer.erl",
            function: "tokens",
            arity: 1,
            plan: plan(3, 10_000),
        },
        Program {
            name: "samples/brackets",
            path: "../samples/brackets/brackets.erl",
            function: "check",
            arity: 1,
            plan: plan(4, 10_000),
        },
    ]
}

impl Program {
    fn row(&self, unit: &mut Unit, report: &mut Report) -> Row {
        let explored = Explored::new(package_path(self.path));
        let mut executor = explored.executor(self.function, self.arity);
        warm_up(&mut executor, &self.plan);
        let (starts, time, statistics, runs) = (0..ROUNDS)
            .map(|_| {
                let search = || search(&explored, vec![&mut executor], &self.plan);
                let (starts, (time, found)) = unit.timed(search);
                (starts, time, found.statistics, found.tests.len())
            })
            // Not by starts of `erl`: that would choose the round in which `erl` was slow.
            .min_by_key(|it| it.1)
            .expect("there are rounds");
        let in_a_start = runs as f64 / starts;
        report.target(
            format!(
                "{}: runs in a start of erl (wanted: at least {RUNS_TARGET})",
                self.name
            ),
            in_a_start,
            in_a_start >= RUNS_TARGET,
        );
        let Statistics {
            run_time,
            replay_time,
            solve_time,
            ..
        } = statistics;
        let share = |part: Duration| part.as_secs_f64() / time.as_secs_f64();
        let [run, replay, solve] = [run_time, replay_time, solve_time].map(share);
        Row::new(self.name, [runs as f64, run, replay, solve, in_a_start])
    }
}

/// Starts the BEAM and loads the code.
fn warm_up(executor: &mut BeamExecutor<'_>, plan: &Plan) {
    let seed = plan.task.seeds.first().expect("there is a seed");
    executor.run_logged(seed).expect("it can be run");
}

fn search(
    explored: &Explored,
    executors: Vec<&mut BeamExecutor<'_>>,
    plan: &Plan,
) -> (Duration, Explorations<erlconcolic::worker::Outcome>) {
    let solvers = || Solvers {
        integers: Box::new(Z3Integers::default()),
        fallback: Some(Box::new(Encoding::default())),
    };
    let start = Instant::now();
    let found = plan.search(&explored.program, executors, &solvers);
    (start.elapsed(), found.expect("it can be explored"))
}

/// One worker against two, on a search that is long enough.
fn workers(report: &mut Report) {
    let explored = Explored::new(package_path("erlang_samples/many_paths.erl"));
    let plan = plan(8, 8_000);
    let mut executors: Vec<BeamExecutor<'_>> =
        (0..2).map(|_| explored.executor("count", 1)).collect();
    for executor in &mut executors {
        warm_up(executor, &plan);
    }
    let ratios: Vec<f64> = (0..PAIRS)
        .map(|_| {
            // One right after the other, so that other load on the machine is the same.
            let [one, two] = [1, 2].map(|count| {
                let used = executors.iter_mut().take(count).collect();
                search(&explored, used, &plan).0.as_secs_f64()
            });
            one / two
        })
        .collect();
    let median = median(ratios);
    report.target(
        format!("two workers against one (wanted: at least {WORKERS_TARGET})"),
        median,
        median >= WORKERS_TARGET,
    );
}
