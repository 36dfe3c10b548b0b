//! Crashes of machines that wait for timers.

use erlang_term::{Atom, Term};
use trace_engine::explore::{Arguments, Gap, Report, Test};
use trace_format::{Program, Schedule};

use super::{explored, raised, test};
use crate::*;

/// A machine whose real process waits until the time of the run is over. Its play crashes, or does
/// not end.
struct LongTimer {
    crashes: bool,
}

impl OriginalCode for LongTimer {
    type Failure = String;

    fn run(&mut self, _: &Entry, _: Term) -> Result<Option<Outcome>, String> {
        Ok(None)
    }

    fn run_in_order(
        &mut self,
        _: &Entry,
        _: Term,
        _: &Schedule,
    ) -> Result<Option<OrderedRun>, String> {
        Ok(Some(OrderedRun {
            end: RunEnd::alone(if self.crashes {
                raised("error", "badarg", 2)
            } else {
                Outcome::Ok("1".to_owned())
            }),
            schedule: Schedule::default(),
        }))
    }

    fn banner(&mut self, _: &Entry, _: Term) -> Option<String> {
        None
    }

    fn formatted(&mut self, _: &str, _: usize) -> Option<String> {
        None
    }

    fn is_input(&self, _: &Entry, _: &[Term]) -> bool {
        true
    }

    fn has_time_to_shrink(&self) -> bool {
        false
    }
}

/// A search of a machine that crashed, or did not end, after a timeout.
fn searched(outcome: Outcome) -> Searched {
    let program = Program::default();
    let code = explored(&program);
    let tests = vec![Test {
        arguments: Arguments::new(&[Term::atom("a"), Term::atom("timeout")]),
        ..test(None, 1, outcome)
    }];
    let report = Report {
        tests,
        ..Report::default()
    };
    let reachable = ReachableCode::new(&code);
    let entry = Entry::machine(Atom::new("m"), Behaviour::GenServer);
    Searched::new(&code, &reachable, entry, 4, report)
}

fn confirmed(outcome: Outcome, crashes: bool) -> (usize, Vec<Gap>) {
    let mut searches = [searched(outcome)];
    let program = Program::default();
    let mut original = LongTimer { crashes };
    let (findings, _) = find_crashes(&explored(&program), &mut searches, 1, &mut original);
    let gaps = searches[0].report.gaps.keys().cloned().collect();
    (findings.len(), gaps)
}

#[test]
fn a_wait_that_takes_all_of_its_time_is_played_without_timers() {
    let crash = || raised("error", "badarg", 2);
    assert_eq!(confirmed(crash(), true), (1, Vec::new()));
    let unconfirmed = Gap::Unconfirmed("error: badarg (m.erl:2)".to_owned());
    assert_eq!(confirmed(crash(), false), (0, vec![unconfirmed]));
}

#[test]
fn for_a_busy_wait_there_is_no_time() {
    let (findings, gaps) = confirmed(Outcome::Timeout, true);
    assert_eq!(findings, 0);
    let unchecked = |it: &Gap| matches!(it, Gap::UncheckedCrash(_));
    assert!(gaps.iter().all(unchecked) && gaps.len() == 1, "{gaps:?}");
}
