//! How a search uses many nodes, with the real rules for who gets which input, in simulated time.

use std::time::Duration;

use end_to_end::simulated_cluster::{Cluster, SimulatedSearch, simulate};

/// A hundred nodes, of which one in a hundred fails in a minute, and a search that has time for them.
const LARGE: Cluster = Cluster {
    nodes: 100,
    latency: Duration::from_micros(200),
    run: Duration::from_millis(1),
    work: Duration::ZERO,
    frame: Duration::ZERO,
    threads: 2,
    failing: 10,
    time: Duration::from_secs(5),
    seed: 1,
};

/// The same with a longer way to the nodes.
const FAR: Cluster = Cluster {
    latency: Duration::from_millis(5),
    ..LARGE
};

fn utilisation(cluster: &Cluster) -> f64 {
    let SimulatedSearch { utilisation, .. } = simulate(cluster);
    utilisation
}

#[test]
fn the_same_happens_for_a_seed() {
    assert_eq!(simulate(&LARGE), simulate(&LARGE));
    assert_ne!(simulate(&LARGE), simulate(&Cluster { seed: 2, ..LARGE }));
}

#[test]
fn latency_and_failures_cost_less_than_a_tenth() {
    for cluster in [LARGE, FAR] {
        for milliseconds in [1, 10] {
            let run = Duration::from_millis(milliseconds);
            let part = utilisation(&Cluster { run, ..cluster });
            assert!(part > 0.9, "{part} of runs of {run:?} in {cluster:?}");
        }
    }
}

/// Nodes gather what they have to say the longer the more of them there are.
#[test]
fn frames_cost_less_than_a_tenth() {
    for cluster in [LARGE, FAR] {
        let frame = Duration::from_micros(60);
        let work = Duration::from_micros(8);
        let part = utilisation(&Cluster {
            frame,
            work,
            ..cluster
        });
        assert!(part > 0.85, "{part} in {cluster:?}");
    }
}

#[test]
fn what_is_lost_with_a_node_is_run_by_another() {
    // Each node lives for six seconds on average, and is away for longer.
    let fragile = Cluster {
        failing: 10_000,
        time: Duration::from_secs(60),
        nodes: 20,
        ..LARGE
    };
    let outcome = simulate(&fragile);
    assert!(outcome.lost > 50, "{outcome:?}");
    assert!(outcome.paths > 10_000, "{outcome:?}");
}

#[test]
fn a_search_without_time_is_the_limit_for_any_number_of_nodes() {
    let slow = Cluster {
        work: Duration::from_micros(200),
        ..LARGE
    };
    // Two threads, and five paths of each in a millisecond.
    let expected = 10.0 / 100.0;
    let part = utilisation(&slow);
    assert!((part - expected).abs() < 0.01, "{part}");
}
