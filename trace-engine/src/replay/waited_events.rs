//! Puts the events of several processes into the order in which they happened, where that matters.
//!
//! What a process does between two steps is replayed with the second one. But the time of a
//! `receive` that waits, or of a timer, is over only when no process can go on. So what the others do up to their
//! next steps, with the messages that they had, happened before.

use super::replayed::Replayed;
use super::run_event::{RunEvent, RunEventKind};

/// Moves such events before the timeouts that they are behind.
pub(super) fn put_before_timeouts(replayed: &mut Replayed) {
    if !replayed.events.iter().any(|it| it.waits) {
        return;
    }
    let order = Reordering::new(&replayed.events).all();
    let is_changed = order.iter().enumerate().any(|(new, old)| new != *old);
    if is_changed && has_all_decisions(replayed) {
        apply(replayed, &order);
    }
}

/// A new order of events, from the first on.
struct Reordering<'run> {
    events: &'run [RunEvent],
    order: Vec<usize>,
    is_placed: Vec<bool>,
    /// The processes that were spawned.
    begun: Vec<usize>,
}

impl<'run> Reordering<'run> {
    fn new(events: &'run [RunEvent]) -> Self {
        Self {
            events,
            order: Vec::with_capacity(events.len()),
            is_placed: vec![false; events.len()],
            begun: vec![0],
        }
    }

    /// The old numbers of all events.
    fn all(mut self) -> Vec<usize> {
        for (number, event) in self.events.iter().enumerate() {
            if self.is_placed(number) {
                continue;
            }
            if event.waits {
                let others = self.begun.clone().into_iter();
                for other in others.filter(|it| *it != event.process) {
                    self.place_local(other, number);
                }
            }
            self.place(number);
        }
        self.order
    }

    fn is_placed(&self, event: usize) -> bool {
        self.is_placed.get(event) == Some(&true)
    }

    fn place(&mut self, number: usize) {
        if let Some(RunEventKind::Spawn { child }) = self.events.get(number).map(|it| &it.kind) {
            self.begun.push(*child);
        }
        if let Some(slot) = self.is_placed.get_mut(number) {
            *slot = true;
        }
        self.order.push(number);
    }

    /// Places the events of a process behind this one, up to one that is not local.
    fn place_local(&mut self, process: usize, behind: usize) {
        let later = self.events.iter().enumerate().skip(behind);
        let own = later.filter(|it| it.1.process == process);
        for (number, event) in own {
            if self.is_placed(number) {
                continue;
            }
            let is_local = match event.kind {
                RunEventKind::Decision(_) => true,
                RunEventKind::Look { send, .. } => self.is_placed(send),
                RunEventKind::Step(_)
                | RunEventKind::Send { .. }
                | RunEventKind::Deliver { .. }
                | RunEventKind::Spawn { .. }
                | RunEventKind::Timeout { .. }
                | RunEventKind::End => false,
            };
            if !is_local {
                return;
            }
            self.place(number);
        }
    }
}

/// Whether each decision is an event.
fn has_all_decisions(replayed: &Replayed) -> bool {
    let decisions = replayed.events.iter();
    let decisions = decisions.filter(|it| matches!(it.kind, RunEventKind::Decision(_)));
    decisions.count() == replayed.decisions.len()
}

fn apply(replayed: &mut Replayed, order: &[usize]) {
    let mut new_numbers = vec![0; order.len()];
    for (new, old) in order.iter().enumerate() {
        if let Some(slot) = new_numbers.get_mut(*old) {
            *slot = new;
        }
    }
    let new_number = |old: usize| new_numbers.get(old).copied().unwrap_or(old);
    let mut decisions = Vec::with_capacity(replayed.decisions.len());
    let mut events = Vec::with_capacity(order.len());
    for old in order {
        let Some(mut event) = replayed.events.get(*old).cloned() else {
            continue;
        };
        if let RunEventKind::Look { send, .. } = &mut event.kind {
            *send = new_number(*send);
        }
        for earlier in &mut event.behind {
            *earlier = new_number(*earlier);
        }
        if let RunEventKind::Decision(number) = &mut event.kind {
            decisions.extend(replayed.decisions.get(*number).cloned());
            *number = decisions.len() - 1;
        }
        events.push(event);
    }
    replayed.events = events;
    replayed.decisions = decisions;
    for (send, _) in &mut replayed.messages {
        *send = new_number(*send);
    }
    replayed.messages.sort_unstable_by_key(|it| it.0);
    for death in &mut replayed.deaths {
        death.by = new_number(death.by);
    }
    // Before which decisions these were given is not known any longer.
    for (decisions, _) in &mut replayed.given {
        *decisions = 0;
    }
}

#[cfg(test)]
mod tests {
    use flattener::flat::SiteId;
    use solver::ReleaseRules;
    use solver::graph::{Condition, NodeId};

    use super::super::replayed::Decision;
    use super::*;

    fn replayed(kinds: Vec<(usize, RunEventKind)>) -> Replayed {
        let mut replayed = Replayed::new(&ReleaseRules::default(), 0);
        for (process, kind) in kinds {
            if let RunEventKind::Decision(number) = kind {
                replayed.decisions.push(Decision {
                    module: 0,
                    site: SiteId(u32::try_from(number).expect("few decisions")),
                    ways: vec![Condition::TRUE],
                    taken: 0,
                    clause: None,
                    given: None,
                });
            }
            if let RunEventKind::Send { .. } = kind {
                let number = replayed.events.len();
                replayed.messages.push((number, NodeId::NIL));
            }
            let waits = matches!(kind, RunEventKind::Timeout { .. });
            replayed.events.push(RunEvent {
                waits,
                ..RunEvent::new(process, kind, None)
            });
        }
        replayed
    }

    fn send(to: usize) -> RunEventKind {
        let accesses = Vec::new();
        RunEventKind::Send {
            to,
            arrives: true,
            accesses,
        }
    }

    fn look(send: usize, takes: bool) -> RunEventKind {
        RunEventKind::Look {
            receive: 0,
            send,
            takes,
        }
    }

    #[test]
    fn what_others_did_with_their_messages_comes_before_a_timeout() {
        let timeout = RunEventKind::Timeout { receive: 1 };
        let mut replayed = replayed(vec![
            (0, RunEventKind::Spawn { child: 1 }),
            (0, send(1)),
            (0, timeout.clone()),
            (0, RunEventKind::Decision(0)),
            (0, send(1)),
            (1, look(1, false)),
            (1, RunEventKind::Decision(1)),
            (1, look(4, true)),
            (1, RunEventKind::End),
        ]);
        put_before_timeouts(&mut replayed);
        let kinds: Vec<_> = replayed.events.iter().map(|it| it.kind.clone()).collect();
        let expected = [
            RunEventKind::Spawn { child: 1 },
            send(1),
            look(1, false),
            RunEventKind::Decision(0),
            timeout,
            RunEventKind::Decision(1),
            send(1),
            look(6, true),
            RunEventKind::End,
        ];
        assert_eq!(kinds, expected);
        let sites: Vec<u32> = replayed.decisions.iter().map(|it| it.site.0).collect();
        assert_eq!(sites, [1, 0]);
        let sends: Vec<usize> = replayed.messages.iter().map(|it| it.0).collect();
        assert_eq!(sends, [1, 6]);
    }

    #[test]
    fn other_events_stay_where_they_are() {
        let mut replayed = replayed(vec![
            (0, RunEventKind::Spawn { child: 1 }),
            (1, RunEventKind::Decision(0)),
            (1, send(0)),
            (0, look(2, true)),
            (0, RunEventKind::End),
        ]);
        let before = replayed.events.clone();
        put_before_timeouts(&mut replayed);
        assert_eq!(replayed.events, before);
    }
}
