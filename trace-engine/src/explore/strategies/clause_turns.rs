//! Clauses take turns, so that a clause at which thousands of inputs aim does not keep others
//! waiting.
//!
//! Each clause has a queue of its own. The next input is the oldest one for the clause that was
//! aimed at least often so far; of clauses that were aimed at equally often, the one whose input
//! has waited longest. A clause with a weight has to wait as if each turn were so many.
//!
//! Of other orders of processes there may be very many. When too many wait, the newest is run first,
//! because it leads to few others that were not known.

use std::collections::{BTreeSet, VecDeque};

use rustc_hash::FxHashMap;

use super::super::candidate::{Aim, Candidate};
use super::super::clause_id::ClauseId;

/// How many orders of processes wait before the newest comes first.
const MANY_ORDERS: usize = 2_000;

/// The inputs with one aim.
#[derive(Debug)]
struct Line {
    /// How often it was the aim.
    turns: u64,
    /// How much each turn counts, at least 1.
    weight: u64,
    /// Numbered in the order in which they were added.
    waiting: VecDeque<(u64, Candidate)>,
}

impl Line {
    fn key(&self, aim: Aim) -> Option<(u64, u64, Aim)> {
        let (number, _) = self.waiting.front()?;
        let turns = self.turns.saturating_add(1);
        Some((turns.saturating_mul(self.weight), *number, aim))
    }
}

impl Default for Line {
    fn default() -> Self {
        Self {
            turns: 0,
            weight: 1,
            waiting: VecDeque::new(),
        }
    }
}

/// Inputs that wait.
#[derive(Debug, Default)]
pub(super) struct ClauseTurns {
    lines: FxHashMap<Aim, Line>,
    /// The lines that are not empty, the next one first.
    order: BTreeSet<(u64, u64, Aim)>,
    count: usize,
    added: u64,
}

impl ClauseTurns {
    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn push(&mut self, candidate: Candidate) {
        let aim = line_of(&candidate);
        let number = self.added;
        self.added += 1;
        self.count += 1;
        self.change(aim, |line| line.waiting.push_back((number, candidate)));
    }

    pub(super) fn pop(&mut self) -> Option<Candidate> {
        let (_, _, aim) = *self.order.first()?;
        self.count -= 1;
        self.change(aim, |line| {
            line.turns += 1;
            let is_full = aim == Aim::Order && line.waiting.len() > MANY_ORDERS;
            let next = match is_full {
                true => line.waiting.pop_back(),
                false => line.waiting.pop_front(),
            };
            Some(next?.1)
        })
    }

    /// The aim of the next input, and its weight.
    pub(super) fn next_aim(&self) -> Option<(Aim, u64)> {
        let (_, _, aim) = *self.order.first()?;
        let line = self.lines.get(&aim)?;
        Some((aim, line.weight))
    }

    /// Gives an aim another weight, at least 1.
    pub(super) fn weigh(&mut self, aim: Aim, weight: u64) {
        self.change(aim, |line| line.weight = weight.max(1));
    }

    /// Whether an input that aimed at this clause was run.
    pub(super) fn was_aimed_at(&self, clause: ClauseId) -> bool {
        let line = self.lines.get(&Aim::Clause(clause));
        line.is_some_and(|line| line.turns > 0)
    }

    /// Counts an input that is run without waiting here.
    pub(super) fn had_turn(&mut self, candidate: &Candidate) {
        self.change(line_of(candidate), |line| line.turns += 1);
    }

    /// Changes a line, and its place in the order with it.
    fn change<R>(&mut self, aim: Aim, change: impl FnOnce(&mut Line) -> R) -> R {
        let line = self.lines.entry(aim).or_default();
        if let Some(key) = line.key(aim) {
            self.order.remove(&key);
        }
        let result = change(line);
        self.order.extend(line.key(aim));
        result
    }
}

/// The line in which a candidate waits. Seeds and guesses aim at no clause, and share one.
fn line_of(candidate: &Candidate) -> Aim {
    match candidate.aim() {
        Aim::Seed | Aim::Guess => Aim::Guess,
        Aim::Clause(clause) => Aim::Clause(clause),
        Aim::Order => Aim::Order,
    }
}

#[cfg(test)]
mod tests {
    use flattener::flat::SiteId;

    use super::super::super::arguments::Arguments;
    use super::super::super::candidate::{PlannedOrder, Target};
    use super::*;
    use crate::concurrency::{Cut, History, LastEvent, Mailboxes, PartIdentity};
    use crate::replay::{RunEvent, RunEventKind};
    use crate::visited::Visited;

    fn candidate(number: usize, site: Option<u32>) -> Candidate {
        let target = Target {
            point: Visited::START,
            decision: 0,
            way: 0,
            clause: site.map(|site| (0, SiteId(site), 0)),
            machine_state: None,
            is_certain: true,
        };
        Candidate {
            arguments: Arguments::new(&[]),
            parent: Some(number),
            target: Some(target),
            order: None,
            is_exchanged: false,
        }
    }

    fn nothing() -> PlannedOrder {
        let events = [RunEvent::new(0, RunEventKind::Spawn { child: 1 }, None)];
        let history = History::new(&events, &[], Mailboxes::ByReceive, &mut |_, _| true);
        let cut = Cut::without(&history, &[0], LastEvent::Step(0));
        let part = PartIdentity::new(&history, &mut Visited::default(), &[], &cut);
        PlannedOrder {
            schedule: "".into(),
            part,
            race: None,
            is_certain: true,
        }
    }

    fn order(turns: &mut ClauseTurns) -> Vec<usize> {
        let next = std::iter::from_fn(|| turns.pop());
        next.filter_map(|it| it.parent).collect()
    }

    #[test]
    fn clauses_take_turns() {
        let mut turns = ClauseTurns::default();
        let sites = [1, 1, 1, 1, 2, 2, 3];
        for (number, site) in sites.into_iter().enumerate() {
            turns.push(candidate(number, Some(site)));
        }
        assert_eq!(turns.len(), 7);
        assert_eq!(order(&mut turns), [0, 4, 6, 1, 5, 2, 3]);
        assert_eq!(turns.len(), 0);
    }

    #[test]
    fn a_heavy_clause_has_fewer_turns() {
        let mut turns = ClauseTurns::default();
        for (number, site) in [1, 1, 1, 1, 2, 2].into_iter().enumerate() {
            turns.push(candidate(number, Some(site)));
        }
        turns.weigh(Aim::Clause((0, SiteId(2), 0)), 3);
        assert_eq!(turns.next_aim(), Some((Aim::Clause((0, SiteId(1), 0)), 1)));
        assert_eq!(order(&mut turns), [0, 1, 2, 4, 3, 5]);
    }

    #[test]
    fn of_many_orders_the_newest_comes_first() {
        let mut turns = ClauseTurns::default();
        let order_of_nothing = nothing();
        for number in 0..MANY_ORDERS + 2 {
            turns.push(Candidate {
                target: None,
                order: Some(Box::new(order_of_nothing.clone())),
                ..candidate(number, None)
            });
        }
        let next = order(&mut turns);
        assert_eq!(next[..3], [MANY_ORDERS + 1, MANY_ORDERS, 0]);
    }

    #[test]
    fn a_seed_counts_as_a_turn_of_guesses() {
        let mut turns = ClauseTurns::default();
        let seed = Candidate {
            target: None,
            ..candidate(0, None)
        };
        turns.had_turn(&seed);
        turns.push(candidate(1, None));
        turns.push(candidate(2, Some(1)));
        assert_eq!(order(&mut turns), [2, 1]);
    }

    #[test]
    fn a_clause_that_had_turns_elsewhere_waits() {
        let mut turns = ClauseTurns::default();
        turns.had_turn(&candidate(9, Some(1)));
        turns.push(candidate(0, Some(1)));
        turns.push(candidate(1, None));
        turns.push(candidate(2, Some(2)));
        assert!(turns.was_aimed_at((0, SiteId(1), 0)));
        assert!(!turns.was_aimed_at((0, SiteId(2), 0)));
        assert_eq!(order(&mut turns), [1, 2, 0]);
    }
}
