//! Searches on nodes: two against one, what batches are worth, what a path costs the search and the
//! network, and how many nodes a search can use.

use std::time::{Duration, Instant};

use end_to_end::benchmarks::{Report, Row, Table, column, counted, median};
use end_to_end::cluster::{Node, Relay, search_on};
use end_to_end::erlang::package_path;
use end_to_end::faults::Programs;
use end_to_end::faults::processes::Process;
use end_to_end::faults::round::Round;
use end_to_end::simulated_cluster::{Cluster, simulate};

use crate::explored::Tool;

/// Rounds of one node against two; the median is used.
const PAIRS: usize = 5;
/// How much faster two nodes have to be than one.
const NODES_TARGET: f64 = 1.6;
/// Which part of the time of a hundred nodes has to be used, for runs of a millisecond and more.
const USED_TARGET: f64 = 0.9;
/// How long messages take in one direction, in microseconds.
const LATENCIES: [u64; 2] = [200, 5_000];
/// How many nodes there are in simulations.
const NODES: [usize; 3] = [10, 100, 1_000];
/// How long simulated runs take, in milliseconds.
const RUNS: [u64; 3] = [1, 10, 100];
/// How many simulated nodes of a thousand fail in a minute.
const FAILING: u32 = 10;
/// How many paths a simulation has at most, so that it ends soon.
const MOST_PATHS: u64 = 4_000_000;
/// How long a simulation of few paths lasts.
const MINUTE: Duration = Duration::from_secs(60);
/// The threads of a simulated search.
const THREADS: usize = 2;

/// Measures nodes on this machine, and simulates many.
pub(crate) fn measure(tool: &mut Tool, is_quick: bool, report: &mut Report) {
    // How many starts of `erl` there are in a second.
    let second = 1.0 / tool.unit.seconds_of(1.0);
    let bench = Bench {
        programs: Programs {
            tool: tool.path().to_owned(),
            cutting_erl: "none".into(),
        },
        is_quick,
    };
    if !is_quick {
        bench.two_nodes(report);
        bench.batches(second, report);
    }
    let work = bench.costs(second, report);
    bench.simulations(work, second, report);
}

/// A program that is searched.
#[derive(Clone, Copy)]
struct Subject {
    name: &'static str,
    files: &'static [&'static str],
    words: &'static [&'static str],
}

/// Runs of a fraction of a millisecond.
const QUICK: Subject = Subject {
    name: "quick runs",
    files: &["many_paths.erl"],
    words: &["--entry", "many_paths:count/1"],
};
/// Runs of a few milliseconds.
const SLOW: Subject = Subject {
    name: "slow runs",
    files: &["slow_paths.erl", "slow_work.erl"],
    words: &["--entry", "slow_paths:count/1", "--opaque", "slow_work"],
};

/// What a search took, or a path of it.
#[derive(Clone, Copy)]
struct Cost {
    seconds: f64,
    /// Of the search, without its nodes.
    cpu_seconds: f64,
    /// On the network.
    bytes: f64,
}

/// What a search needs of the time of a processor.
#[derive(Clone, Copy)]
struct SearchWork {
    /// For a path.
    path: Duration,
    /// For a frame that it sends or receives.
    frame: Duration,
}

struct Bench {
    programs: Programs,
    is_quick: bool,
}

impl Bench {
    /// How many runs the shorter and the longer search of a subject have. Comparing them removes what
    /// a search takes before its first path.
    fn runs(&self) -> [u32; 2] {
        if self.is_quick {
            [20, 60]
        } else {
            [200, 2_200]
        }
    }

    /// What a path costs on so many nodes, whose messages take a while.
    fn path(&self, subject: Subject, nodes: usize, latency: Duration, more: &[&str]) -> Cost {
        let [few, many] = self.runs();
        let round = Round::new(&self.programs);
        for file in subject.files {
            let source = package_path("erlang_samples").join(file);
            let text = std::fs::read(source).expect("the sample is there");
            round.place.write(file, &text);
        }
        let nodes: Vec<Node> = (0..nodes)
            .map(|number| Node::start(&round, &format!("w{number}")))
            .collect();
        // The first search brings the program to the nodes.
        self.search(&round, subject, &nodes, latency, few, more);
        let [less, all] =
            [few, many].map(|runs| self.search(&round, subject, &nodes, latency, runs, more));
        let paths = f64::from(many - few);
        Cost {
            seconds: (all.seconds - less.seconds) / paths,
            cpu_seconds: (all.cpu_seconds - less.cpu_seconds) / paths,
            bytes: (all.bytes - less.bytes) / paths,
        }
    }

    fn search(
        &self,
        round: &Round,
        subject: Subject,
        nodes: &[Node],
        latency: Duration,
        runs: u32,
        more: &[&str],
    ) -> Cost {
        let relays: Vec<Relay> = nodes
            .iter()
            .map(|it| Relay::delayed(it.port(), latency))
            .collect();
        let on: Vec<String> = nodes
            .iter()
            .zip(&relays)
            .map(|(node, relay)| node.at(relay.port()))
            .collect();
        let on: Vec<&str> = on.iter().map(String::as_str).collect();
        let runs = runs.to_string();
        let limits = ["--term-depth", "8", "--paths", "all", "--max-runs", &runs];
        let words = [
            &["explore"][..],
            subject.files,
            subject.words,
            &limits,
            more,
        ]
        .concat();
        let words = [&words[..], &["--workers", "0"]].concat();
        let of_nodes: Vec<i32> = nodes
            .iter()
            .flat_map(|it| ids(&it.processes(round)))
            .collect();
        let start = Instant::now();
        let mut running = round.start(search_on(round, &words, &on));
        let mut cpu_seconds = 0.0;
        while !running.is_over() {
            let mut own = round.beams();
            own.retain(|it| !of_nodes.contains(&it.parent()) && !of_nodes.contains(&it.id()));
            own.extend(running.process());
            let used = own.iter().map(Process::cpu_seconds);
            cpu_seconds = used.sum::<f64>().max(cpu_seconds);
            running.pause(Duration::from_millis(20));
        }
        let seconds = start.elapsed().as_secs_f64();
        let ended = running.wait();
        assert!(matches!(ended.status, Some(0 | 1)), "{ended:?}");
        let bytes: u64 = relays.iter().map(Relay::bytes).sum();
        Cost {
            seconds,
            cpu_seconds,
            bytes: bytes as f64,
        }
    }

    fn two_nodes(&self, report: &mut Report) {
        let ratios = (0..PAIRS).map(|_| {
            // One right after the other, so that other load on the machine is the same.
            let [one, two] = [1, 2].map(|nodes| self.path(SLOW, nodes, Duration::ZERO, &[]));
            one.seconds / two.seconds
        });
        let median = median(ratios);
        report.target(
            format!("two nodes with one worker each against one, slow runs (wanted: at least {NODES_TARGET})"),
            median,
            median >= NODES_TARGET,
        );
    }

    fn batches(&self, second: f64, report: &mut Report) {
        let mut rows = Vec::new();
        for subject in [QUICK, SLOW] {
            for latency in LATENCIES {
                let way = Duration::from_micros(latency);
                let with = self.path(subject, 1, way, &[]);
                let without = self.path(subject, 1, way, &["--without", "batches"]);
                let in_a_start = |cost: Cost| 1.0 / (cost.seconds * second);
                rows.push(Row::new(
                    format!("{}, {}", subject.name, shown(latency)),
                    [
                        in_a_start(without),
                        in_a_start(with),
                        without.seconds / with.seconds,
                    ],
                ));
            }
        }
        report.table(Table {
            title: "Batches".to_owned(),
            note: "Paths of a search on one node with one worker, in the time of one start of erl. \
                   Messages take a certain time in each direction. Without batches a worker has one \
                   input at a time, and waits for the next one."
                .to_owned(),
            rows_are: "search".to_owned(),
            columns: vec![
                column("without batches").more(),
                column("with batches").more(),
                column("worth").more(),
            ],
            rows,
        });
    }

    /// Returns what a quick path takes of the time of a processor where the search is.
    fn costs(&self, second: f64, report: &mut Report) -> SearchWork {
        // As many inputs are under way as with several nodes, so that frames have as much in them.
        let far = Duration::from_micros(LATENCIES[1]);
        let [quick, slow] = [QUICK, SLOW].map(|it| self.path(it, 1, far, &[]));
        let alone = self.path(QUICK, 1, Duration::ZERO, &["--without", "batches"]);
        let costs = [
            (QUICK.name.to_owned(), quick),
            (SLOW.name.to_owned(), slow),
            (format!("{}, without batches", QUICK.name), alone),
        ];
        report.table(Table {
            title: "The cost of a path on a node".to_owned(),
            note: format!(
                "What the machine pays where the command was given, while a node runs, replays and \
                 solves: the tool and its BEAM in the cluster. Messages take {} in each direction. \
                 Bytes are those on the network, in both directions. Without batches, each path has two \
                 frames of its own.",
                shown(LATENCIES[1])
            ),
            rows_are: "search".to_owned(),
            columns: vec![
                column("paths in the processor time of a start of erl").more(),
                counted("bytes / path").less(),
            ],
            rows: costs
                .iter()
                .map(|(name, it)| {
                    Row::new(name.clone(), [1.0 / (it.cpu_seconds * second), it.bytes.round()])
                })
                .collect(),
        });
        let seconds = |it: f64| Duration::try_from_secs_f64(it).unwrap_or_default();
        SearchWork {
            path: seconds(quick.cpu_seconds),
            frame: seconds((alone.cpu_seconds - quick.cpu_seconds) / 2.0),
        }
    }

    fn simulations(&self, work: SearchWork, second: f64, report: &mut Report) {
        let mut rows = Vec::new();
        let mut least_used: f64 = 1.0;
        let mut least_possible: f64 = 1.0;
        let runs = if self.is_quick { &RUNS[..1] } else { &RUNS[..] };
        for run in runs {
            for nodes in NODES {
                for latency in LATENCIES {
                    let cluster = self.cluster(nodes, *run, latency);
                    let possible = simulate(&cluster);
                    let cluster = Cluster {
                        work: work.path,
                        frame: work.frame,
                        ..cluster
                    };
                    let used = simulate(&cluster);
                    if nodes == 100 {
                        least_used = least_used.min(used.utilisation);
                        least_possible = least_possible.min(possible.utilisation);
                    }
                    rows.push(Row::new(
                        format!("{nodes} nodes, runs of {run} ms, {}", shown(latency)),
                        [
                            used.paths_per_second(&cluster) / second,
                            used.utilisation,
                            possible.utilisation,
                        ],
                    ));
                }
            }
        }
        report.table(Table {
            title: "Many nodes, simulated".to_owned(),
            note: format!(
                "The real rules for who gets which input, with simulated nodes of one worker each, of \
                 which one in a hundred fails in a minute. A run is all that a node does for a path: it \
                 runs, replays and solves. The search has {THREADS} threads; a path \
                 takes as much of their time as was measured above for quick runs, and a frame half of \
                 what a path without batches takes more. *Used* is the part \
                 of the time of all workers that runs took. In the last column a path takes the search \
                 no time: what is missing there is latency and failures."
            ),
            rows_are: "cluster".to_owned(),
            columns: vec![
                column("paths in a start of erl").more(),
                column("used").more(),
                column("used if the search has time").more(),
            ],
            rows,
        });
        report.target(
            format!("use of 100 simulated nodes, worst of runs of 1 ms and more (wanted: at least {USED_TARGET})"),
            least_used,
            least_used >= USED_TARGET,
        );
        report.target(
            format!("the same if the search has time (wanted: at least {USED_TARGET})"),
            least_possible,
            least_possible >= USED_TARGET,
        );
        report.table(Table {
            title: "The limit of a search".to_owned(),
            note: format!(
                "How many nodes with one worker each keep {THREADS} threads of a search busy, by how \
                 long runs take, if their frames are full. More nodes make it no faster: only less work for a path does, or more \
                 threads."
            ),
            rows_are: "runs".to_owned(),
            columns: vec![column("nodes").more()],
            rows: RUNS
                .iter()
                .map(|run| {
                    let run_seconds = Duration::from_millis(*run).as_secs_f64();
                    let nodes = run_seconds * THREADS as f64 / work.path.as_secs_f64();
                    Row::new(format!("of {run} ms"), [nodes])
                })
                .collect(),
        });
    }

    fn cluster(&self, nodes: usize, run: u64, latency: u64) -> Cluster {
        let most = Duration::from_millis(run * MOST_PATHS / nodes as u64);
        Cluster {
            nodes,
            latency: Duration::from_micros(latency),
            run: Duration::from_millis(run),
            work: Duration::ZERO,
            frame: Duration::ZERO,
            threads: THREADS,
            failing: FAILING,
            time: if self.is_quick { most / 100 } else { most }.min(MINUTE),
            seed: 1,
        }
    }
}

fn ids(processes: &[Process]) -> Vec<i32> {
    processes.iter().map(Process::id).collect()
}

fn shown(microseconds: u64) -> String {
    format!("{} ms", microseconds as f64 / 1e3)
}
