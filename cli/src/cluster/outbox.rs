//! What a node has to say, gathered for a moment: a frame costs its receiver about as much whatever is in
//! it. A thread of the node sends what was gathered; whoever has nothing else to do sends it at once.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::frame::NodeReply;
use super::member::Member;

/// Replies that were not sent yet.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    gathered: Mutex<Gathered>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Gathered {
    /// By sessions, in order.
    replies: BTreeMap<i64, Vec<NodeReply>>,
    /// How long they are gathered.
    moment: Duration,
    is_over: bool,
}

impl Outbox {
    pub(super) fn push(&self, session: i64, reply: NodeReply) {
        self.lock().replies.entry(session).or_default().push(reply);
        self.changed.notify_one();
    }

    /// From now on replies are gathered for so long.
    pub(super) fn set_moment(&self, moment: Duration) {
        self.lock().moment = moment;
    }

    /// Sends all replies. The lock is held meanwhile, so that they stay in order.
    pub(super) fn send(&self, member: &Member) {
        let mut gathered = self.lock();
        for (session, replies) in std::mem::take(&mut gathered.replies) {
            member.send(session, NodeReply::frame(&replies));
        }
    }

    /// Sends replies a moment after the first of them came, until the node ends.
    pub(super) fn keep_sending(&self, member: &Member) {
        let mut gathered = self.lock();
        while !gathered.is_over {
            if gathered.replies.is_empty() {
                let waited = self.changed.wait(gathered);
                gathered = waited.unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let moment = gathered.moment;
            drop(gathered);
            thread::sleep(moment);
            self.send(member);
            gathered = self.lock();
        }
    }

    /// Nothing more is said.
    pub(super) fn end(&self) {
        self.lock().is_over = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Gathered> {
        self.gathered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
