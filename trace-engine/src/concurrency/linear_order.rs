//! An order in which the events of a part can happen.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::cut::{Cut, LastEvent};
use super::history::History;

/// The events of a part in an order in which they can happen, without the last one; `None` if there
/// is no such order. It is the order of the run as far as possible.
///
/// A `receive` looks at the first message that could match. So the message of a look was sent
/// before all its rivals.
pub(crate) fn linear_order(history: &History<'_>, cut: &Cut) -> Option<Vec<usize>> {
    let LastEvent::Look { in_place_of, send } = cut.last else {
        // The events that are kept can stay in their order.
        return Some(cut.events(history).collect());
    };
    let mut constraints = Constraints::new(history.events.len());
    for event in cut.events(history) {
        constraints.add_event(history, cut, event);
    }
    let rivals = history.rivals.get(in_place_of)?.iter().copied();
    let replaced = match history.looked_at(in_place_of) {
        Some(looked_at) => vec![looked_at],
        None => Vec::new(),
    };
    for rival in rivals.chain(replaced).filter(|it| *it != send) {
        if cut.keeps(history, rival) {
            constraints.add(send, rival);
        }
    }
    constraints.sorted(cut.events(history).collect())
}

/// Which events come before others.
struct Constraints {
    after: Vec<Vec<usize>>,
    /// How many events come directly before each.
    open: Vec<usize>,
}

impl Constraints {
    fn new(events: usize) -> Self {
        Self {
            after: vec![Vec::new(); events],
            open: vec![0; events],
        }
    }

    fn add(&mut self, one: usize, other: usize) {
        if let (Some(after), Some(open)) = (self.after.get_mut(one), self.open.get_mut(other)) {
            after.push(other);
            *open += 1;
        }
    }

    /// Adds the events before an event, and for a look or timeout the messages after it.
    fn add_event(&mut self, history: &History<'_>, cut: &Cut, event: usize) {
        let before = history.before.get(event).copied().flatten();
        let causes = history.causes.get(event).into_iter().flatten().copied();
        for earlier in before.into_iter().chain(causes) {
            self.add(earlier, event);
        }
        let first = history.looked_at(event).unwrap_or(event);
        for rival in history.rivals.get(event).into_iter().flatten() {
            if cut.keeps(history, *rival) {
                self.add(first, *rival);
            }
        }
    }

    /// The events in an order that fits, the earliest first where there is a choice.
    fn sorted(mut self, events: Vec<usize>) -> Option<Vec<usize>> {
        let is_free = |event: &&usize| self.open.get(**event) == Some(&0);
        let free = events.iter().filter(is_free);
        let mut free: BinaryHeap<Reverse<usize>> = free.copied().map(Reverse).collect();
        let mut sorted = Vec::with_capacity(events.len());
        while let Some(Reverse(event)) = free.pop() {
            sorted.push(event);
            for later in self.after.get(event).into_iter().flatten() {
                if let Some(open) = self.open.get_mut(*later) {
                    *open -= 1;
                    if *open == 0 {
                        free.push(Reverse(*later));
                    }
                }
            }
        }
        (sorted.len() == events.len()).then_some(sorted)
    }
}
