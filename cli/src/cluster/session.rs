//! A session with a node, as the search sees it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::beam::worker::Run;

/// What became of an input that was sent to a node.
#[derive(Debug)]
pub(super) enum Answer {
    /// It was run, with so many atoms in order.
    Ran(Box<Run>, usize),
    /// The node could not run it.
    Failed(String),
}

/// A session, from its opening until it is lost. The inputs that wait for an answer are lost with it.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) number: i64,
    /// The name of the node.
    pub(super) node: String,
    /// How many runs the node has made in it.
    pub(super) made: AtomicUsize,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    workers: usize,
    takes_more: bool,
    is_lost: bool,
    waiting: HashMap<i64, Sender<Answer>>,
}

impl Session {
    pub(super) fn new(number: i64, node: String) -> Self {
        Self {
            number,
            node,
            made: AtomicUsize::new(0),
            state: Mutex::new(State {
                workers: 0,
                takes_more: false,
                is_lost: false,
                waiting: HashMap::new(),
            }),
        }
    }

    /// The node has the program, and so many workers.
    pub(super) fn begin(&self, workers: usize) {
        let mut state = self.lock();
        state.workers = workers;
        state.takes_more = !state.is_lost;
    }

    /// How many workers the node has.
    pub(super) fn workers(&self) -> usize {
        self.lock().workers
    }

    /// Whether inputs may be sent.
    pub(super) fn takes_more(&self) -> bool {
        self.lock().takes_more
    }

    /// How many inputs the node has not answered.
    pub(super) fn waiting(&self) -> usize {
        self.lock().waiting.len()
    }

    /// The node leaves. Whether it owes nothing.
    pub(super) fn leave(&self) -> bool {
        let mut state = self.lock();
        state.takes_more = false;
        state.waiting.is_empty()
    }

    /// The session is over. All that waits is told, by the end of its channel.
    pub(super) fn lose(&self) {
        let mut state = self.lock();
        state.takes_more = false;
        state.is_lost = true;
        state.waiting.clear();
    }

    /// Notes an input that is about to be sent; `None` if the session takes no more.
    pub(super) fn expect(&self, id: i64) -> Option<Receiver<Answer>> {
        let mut state = self.lock();
        state.takes_more.then(|| {
            let (sender, receiver) = channel();
            state.waiting.insert(id, sender);
            receiver
        })
    }

    /// Passes an answer on, or tells that there will be none. Answers that nobody waits for are
    /// dropped. Whether the node has left and owes nothing more.
    pub(super) fn answered(&self, id: i64, answer: Option<Answer>) -> bool {
        let mut state = self.lock();
        let waiting = state.waiting.remove(&id);
        if let (Some(sender), Some(answer)) = (waiting, answer) {
            if matches!(answer, Answer::Ran(..)) {
                self.made.fetch_add(1, Ordering::Relaxed);
            }
            // The search may have stopped waiting.
            let _ = sender.send(answer);
        }
        !state.takes_more && state.waiting.is_empty()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::beam::GateReport;
    use crate::beam::worker::Outcome;

    fn ran() -> Option<Answer> {
        let run = Run {
            outcome: Outcome::Ok("ok".to_owned()),
            logs: Vec::new(),
            output: String::new(),
            gate: GateReport::default(),
            exits: Vec::new(),
        };
        Some(Answer::Ran(Box::new(run), 0))
    }

    #[test]
    fn an_answer_counts_once_and_only_if_it_is_awaited() {
        let session = Session::new(1, "w@h".to_owned());
        assert!(session.expect(1).is_none(), "it has not begun");
        session.begin(2);
        let receiver = session.expect(1).expect("it takes inputs");
        session.answered(7, ran());
        session.answered(1, ran());
        session.answered(1, ran());
        assert!(matches!(receiver.recv(), Ok(Answer::Ran(..))));
        assert!(receiver.recv().is_err(), "there is one answer");
        assert_eq!(session.made.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn what_waits_is_lost_with_its_session() {
        let session = Session::new(1, "w@h".to_owned());
        session.begin(1);
        let receiver = session.expect(1).expect("it takes inputs");
        session.lose();
        assert!(receiver.recv().is_err());
        session.begin(1);
        assert!(session.expect(2).is_none(), "it does not begin again");
    }

    #[test]
    fn a_node_that_leaves_answers_what_it_owes() {
        let session = Session::new(1, "w@h".to_owned());
        session.begin(1);
        let receivers = [1, 2].map(|id| session.expect(id).expect("it takes inputs"));
        assert!(!session.leave());
        assert!(session.expect(3).is_none());
        assert!(!session.answered(1, ran()));
        assert!(session.answered(2, None));
        assert!(receivers[0].recv().is_ok());
        assert!(receivers[1].recv().is_err(), "it is given back");
    }
}
