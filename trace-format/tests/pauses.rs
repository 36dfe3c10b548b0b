//! Pauses do not change what is heard of a log.

use std::convert::Infallible;

use erlang_term::Atom;
use flattener::{flatten, parse_module};
use proptest::prelude::*;
use trace_format::{
    Broken, Ending, EventKind, Happened, Listener, LogError, ProcessFollower, Program, Progress,
    RunLog, Wire, decode, follow,
};

/// The paper's program.
fn example_2() -> Program {
    let text = include_str!("../../samples/paper/figure5.core");
    let module = parse_module(text).expect("the text is a module");
    let flat = flatten(module).expect("the module is a program");
    let name = Atom::new(flat.name.as_str());
    Program::new([(flat, name)])
}

/// Keeps the kinds of events. It wants a pause after each of some number.
struct Pausing {
    heard: Vec<EventKind>,
    every: usize,
    paused_at: usize,
}

impl<'run> Listener<'run> for Pausing {
    type Refusal = Infallible;

    fn forgets_at_tail_calls(&self) -> bool {
        false
    }

    fn hear(&mut self, event: Happened<'run>) -> Result<(), Infallible> {
        self.heard.push(event.kind);
        Ok(())
    }

    fn pauses(&self) -> bool {
        self.heard.len() >= self.paused_at + self.every
    }
}

type Heard = (Vec<EventKind>, Result<Ending, LogError>);

/// What is heard with pauses, and how often it paused.
fn with_pauses(log: &RunLog<'_>, every: usize) -> (Heard, usize) {
    let mut listener = Pausing {
        heard: Vec::new(),
        every,
        paused_at: 0,
    };
    let mut follower = ProcessFollower::new(log);
    let mut pauses = 0;
    let ending = loop {
        match follower.resume(&mut listener) {
            Ok(Progress::Paused) => {
                pauses += 1;
                listener.paused_at = listener.heard.len();
            }
            Ok(Progress::Ended(ending)) => break Ok(ending),
            Err(Broken::Log(error)) => break Err(error),
            Err(Broken::Refused(never)) => match never {},
        }
    };
    ((listener.heard, ending), pauses)
}

fn without_pauses(log: &RunLog<'_>) -> Heard {
    let mut listener = Pausing {
        heard: Vec::new(),
        every: usize::MAX,
        paused_at: 0,
    };
    let ending = match follow(log, &mut listener) {
        Ok(ending) => Ok(ending),
        Err(Broken::Log(error)) => Err(error),
        Err(Broken::Refused(never)) => match never {},
    };
    (listener.heard, ending)
}

#[test]
fn a_log_is_followed_in_pieces() {
    let program = example_2();
    let log = RunLog::new(&program, Wire::Lean, &[3, 5, 4], Some((0, 0)));
    let decoded = decode(&log).expect("the log fits the program");
    let ((heard, ending), pauses) = with_pauses(&log, 1);
    assert_eq!(ending, Ok(Ending::Returned));
    assert_eq!(heard.len(), decoded.events.len());
    assert!(pauses > 3, "it paused {pauses} times");
}

#[test]
fn the_statement_is_known_at_which_a_log_ends() {
    let program = example_2();
    let log = RunLog::new(&program, Wire::Lean, &[3], Some((0, 0)));
    let mut follower = ProcessFollower::new(&log);
    let mut listener = Pausing {
        heard: Vec::new(),
        every: usize::MAX,
        paused_at: 0,
    };
    assert!(follower.stopped_at().is_none());
    let ended = follower.resume(&mut listener);
    assert_eq!(ended, Ok(Progress::Ended(Ending::Open)));
    assert!(follower.stopped_at().is_some());
    assert!(!follower.is_too_long());
}

proptest! {
    #[test]
    fn pauses_do_not_change_what_is_heard(
        bytes in prop::collection::vec(0..12_u8, 0..16),
        is_full: bool,
        has_entry: bool,
        every in 1..4_usize,
    ) {
        let program = example_2();
        let wire = if is_full { Wire::Full } else { Wire::Lean };
        let entry = has_entry.then_some((0, 0));
        let log = RunLog::new(&program, wire, &bytes, entry);
        prop_assert_eq!(with_pauses(&log, every).0, without_pauses(&log));
    }
}
