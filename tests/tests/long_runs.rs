//! Runs with many decisions: only the first ones are replayed, but all that was reached counts.

use end_to_end::erlang::temporary_folder;
use end_to_end::exploring::Explored;
use erlang_term::Term;
use solver::ReleaseRules;
use trace_engine::{Bounds, Rest, replay, replay_within};
use trace_format::{RunLog, Wire};

/// Each round decides something. The last rounds reach clauses that no other reaches.
const ROUNDS: &str = "\
-module(rounds).
-export([f/1]).

f(N) when N > 3 -> f(N - 1);
f(N) -> late(N).

late(3) -> three;
late(N) -> other(N).

other(N) -> {other, N}.
";

#[test]
fn clauses_after_the_last_decision_count_as_reached() {
    let folder = temporary_folder();
    let path = folder.path().join("rounds.erl");
    std::fs::write(&path, ROUNDS).expect("it can be written");
    let explored = Explored::new(path);
    let mut executor = explored.executor("f", 1);
    for input in [40, 2] {
        let arguments = [Term::Integer(input.into())];
        let (_, logs) = executor.run_logged(&arguments).expect("it can be run");
        let entry = Some(executor.entry);
        let log = RunLog::new(&explored.program, Wire::Lean, logs.entry(), entry);
        let rules = ReleaseRules::default();
        let whole = replay(&log, &rules, &arguments).expect("it can be replayed");
        for max_decisions in [0, 5, 1_000] {
            let bounded = |rest| {
                let bounds = Bounds {
                    max_decisions,
                    max_decisions_of_several: max_decisions,
                    rest,
                };
                replay_within(&log, &rules, &arguments, 0, bounds, &|| false)
                    .expect("it can be replayed")
            };
            let covered = bounded(Rest::Coverage);
            let count = whole.decisions.len().min(max_decisions + 1);
            assert_eq!(covered.decisions.len(), count, "{input}, {max_decisions}");
            assert_eq!(covered.decisions, whole.decisions[..count]);
            assert_eq!(covered.trace, whole.trace, "{input}, {max_decisions}");
            assert_eq!(covered.clauses, whole.clauses, "{input}, {max_decisions}");
            assert_eq!(
                covered.functions, whole.functions,
                "{input}, {max_decisions}"
            );
            assert_eq!(covered.ending, whole.ending, "{input}, {max_decisions}");
            let cut = bounded(Rest::Nothing);
            assert_eq!(cut.decisions, covered.decisions, "{input}, {max_decisions}");
            assert!(cut.trace.len() <= whole.trace.len());
        }
    }
}
