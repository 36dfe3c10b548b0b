//! Inputs for clauses that were not reached yet come first, then clauses take turns. In a machine a
//! clause that was reached in other states only counts as new.
//!
//! Many sequences lead to the same state of a machine, and they all wait for their next event. Those
//! with data of another form than before have every second turn: after two ticks a machine may do
//! what it does not after one.

use std::collections::{HashSet, VecDeque};

use super::super::candidate::{Aim, Candidate};
use super::super::clause_id::ClauseId;
use super::clause_turns::ClauseTurns;
use super::strategy::{Queue, Strategy};

/// The strategy `coverage`.
pub(super) const STRATEGY: Strategy = Strategy::new(
    "coverage",
    "One for a clause that was not reached yet",
    |_, _| Box::new(Coverage::default()),
);

#[derive(Debug, Default)]
struct Coverage {
    /// Inputs that were not looked at yet.
    unseen: VecDeque<Candidate>,
    /// Inputs for clauses that were reached or aimed at before.
    turns: ClauseTurns,
    /// The clauses that were aimed at in states of a machine.
    transitions: HashSet<(u64, ClauseId)>,
    /// Inputs with the first event for data of a machine, in order.
    next_events: VecDeque<Candidate>,
    /// Such data, and the clauses that chose their next events.
    data: HashSet<(u64, ClauseId)>,
    /// Whether the last input was such a one.
    was_next_event: bool,
}

impl Coverage {
    /// Whether an input aims at a clause that was neither reached nor aimed at. Seed inputs count
    /// as new. Branches inside built-ins are not clauses that a run reaches; there only the first
    /// input that aims at one is new.
    fn is_new(&self, candidate: &Candidate, reached: &HashSet<ClauseId>) -> bool {
        match candidate.aim() {
            Aim::Seed => true,
            Aim::Clause(clause) => !reached.contains(&clause) && !self.turns.was_aimed_at(clause),
            Aim::Guess | Aim::Order => false,
        }
    }
}

impl Queue for Coverage {
    fn push(&mut self, candidate: Candidate) {
        self.unseen.push_back(candidate);
    }

    fn pop(&mut self, reached: &HashSet<ClauseId>) -> Option<Candidate> {
        // A clause that was reached stays reached, so one look at each input is enough.
        while let Some(candidate) = self.unseen.pop_front() {
            let transition = candidate.transition();
            let is_new_there = transition.is_some_and(|it| self.transitions.insert(it));
            let next_event = candidate.next_event();
            let has_new_data = next_event.is_some_and(|it| self.data.insert(it));
            if is_new_there || self.is_new(&candidate, reached) {
                self.turns.had_turn(&candidate);
                return Some(candidate);
            }
            match has_new_data {
                true => self.next_events.push_back(candidate),
                false => self.turns.push(candidate),
            }
        }
        self.was_next_event = !self.was_next_event || self.turns.len() == 0;
        let next_event = self.was_next_event.then(|| self.next_events.pop_front());
        let next = next_event.flatten().inspect(|it| self.turns.had_turn(it));
        next.or_else(|| self.turns.pop())
    }

    fn len(&self) -> usize {
        self.unseen.len() + self.next_events.len() + self.turns.len()
    }
}

#[cfg(test)]
mod tests {
    use flattener::flat::SiteId;

    use super::super::super::arguments::Arguments;
    use super::super::super::candidate::{Target, TargetState};
    use super::*;
    use crate::visited::Visited;

    const CALLBACK: u32 = 1;
    const PLAY: u32 = 2;

    /// An input that gives a machine with this data an event.
    fn next_event(number: usize, data: u64) -> Candidate {
        candidate(number, PLAY, Some(data))
    }

    /// An input that reaches another clause of a callback.
    fn other_clause(number: usize) -> Candidate {
        candidate(number, CALLBACK, None)
    }

    fn candidate(number: usize, site: u32, fixed_data: Option<u64>) -> Candidate {
        let label = 0;
        Candidate {
            arguments: Arguments::new(&[]),
            parent: Some(number),
            target: Some(Target {
                point: Visited::START,
                decision: 0,
                way: 0,
                clause: Some((0, SiteId(site), 0)),
                machine_state: Some(TargetState { label, fixed_data }),
                is_certain: true,
            }),
            order: None,
            is_exchanged: false,
        }
    }

    fn order(candidates: impl IntoIterator<Item = Candidate>) -> Vec<usize> {
        let mut coverage = Coverage::default();
        candidates.into_iter().for_each(|it| coverage.push(it));
        let count = coverage.len();
        let reached = [CALLBACK, PLAY].map(|site| (0, SiteId(site), 0));
        let reached = reached.into_iter().collect();
        let next = std::iter::from_fn(|| coverage.pop(&reached));
        let order: Vec<usize> = next.filter_map(|it| it.parent).collect();
        assert_eq!(order.len(), count);
        order
    }

    #[test]
    fn the_first_event_for_new_data_does_not_wait_for_all_others() {
        let known = (0..10).map(|number| next_event(number, 0));
        let others = (10..20).map(other_clause);
        let ticked = next_event(20, 1);
        let order = order(known.chain(others).chain([ticked]));
        // Before it come the first of each transition, and an input that has its turn.
        assert!(order[..4].contains(&20), "{order:?}");
    }

    #[test]
    fn events_for_new_data_leave_every_second_turn_to_others() {
        let all_new = (0..20).map(|number| next_event(number, number as u64));
        let others = (20..40).map(other_clause);
        let order = order(all_new.chain(others));
        let others_first = order[..20].iter().filter(|it| **it >= 20).count();
        assert!((9..=11).contains(&others_first), "{order:?}");
    }
}
