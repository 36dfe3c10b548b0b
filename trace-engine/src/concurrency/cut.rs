//! A part of a run, with another event at its end.

use smallvec::SmallVec;

use super::clocks::{covers, join};
use super::conflicts::Conflicts;
use super::history::{CausingEvents, History, count};
use crate::replay::{Access, RunEventKind, SignalState};

/// The event at the end of a part, which the run did not have there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LastEvent {
    /// A step of the run, before another one that it depends on.
    Step(usize),
    /// A look at the message of this event, in place of another event.
    Look {
        /// The look or timeout that the run had there.
        in_place_of: usize,
        /// The event with which the message came into the mailbox.
        send: usize,
    },
    /// The end of the time, in place of a look.
    Timeout {
        /// The look that the run had there.
        in_place_of: usize,
    },
    /// Whatever a process does next, in place of its death.
    GoesOn {
        /// The death.
        in_place_of: usize,
    },
    /// Another way of a decision.
    Way {
        /// The decision that the run made there.
        in_place_of: usize,
        /// The way.
        way: usize,
    },
}

impl LastEvent {
    /// The event of the run whose place in its process it takes.
    pub(crate) fn place(self) -> usize {
        match self {
            Self::Step(event) => event,
            Self::Look { in_place_of, .. }
            | Self::Timeout { in_place_of }
            | Self::GoesOn { in_place_of }
            | Self::Way { in_place_of, .. } => in_place_of,
        }
    }
}

/// A part of a run that is closed under "happens before", and another event at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    /// How many events of each process belong to it.
    kept: Vec<u32>,
    pub(crate) last: LastEvent,
}

impl Cut {
    /// All events that do not happen after one of these, and a last one.
    pub(crate) fn without(history: &History<'_>, dropped: &[usize], last: LastEvent) -> Self {
        let kept = history.by_process.iter().map(|events| {
            let is_kept = |event: &usize| {
                let is_after = |it: &usize| history.happens_before(*it, *event);
                !dropped.iter().any(is_after)
            };
            count(events.partition_point(is_kept))
        });
        Self {
            kept: kept.collect(),
            last,
        }
    }

    /// Whether an event of the run belongs to it.
    pub(crate) fn keeps(&self, history: &History<'_>, event: usize) -> bool {
        covers(&self.kept, history.process(event), history.position(event))
    }

    /// The first step that a step depends on and that does not belong to it.
    pub(crate) fn first_dropped(&self, history: &History<'_>, step: usize) -> Option<usize> {
        let mut causes = history.causes.get(step)?.iter().copied();
        causes.find(|cause| !self.keeps(history, *cause))
    }

    /// The events of the run that belong to it, in the order of the run.
    pub(crate) fn events<'cut>(
        &'cut self,
        history: &'cut History<'_>,
    ) -> impl Iterator<Item = usize> + 'cut {
        let all = 0..history.events.len();
        all.filter(|event| self.keeps(history, *event))
    }

    /// The event before the last one, in its process or in the one that started it.
    pub(crate) fn before_last(&self, history: &History<'_>) -> Option<usize> {
        let before = history.before.get(self.last.place());
        before.copied().flatten()
    }

    /// The events that the last one depends on, besides the one before it.
    pub(crate) fn causes_of_last(&self, history: &History<'_>) -> CausingEvents {
        let mut causes = match self.last {
            LastEvent::Step(step) => {
                let mut causes = self.conflicts(history, &self.accesses_of_last(history, step));
                history.add_behind(step, &mut causes);
                causes
            }
            LastEvent::Timeout { in_place_of } => {
                let process = history.process(in_place_of);
                self.conflicts(history, &history.accesses_of_timeout(process))
            }
            // What it depends on is not known.
            LastEvent::GoesOn { .. } => return CausingEvents::new(),
            LastEvent::Look { .. } | LastEvent::Way { .. } => CausingEvents::new(),
        };
        causes.extend(self.last_barrier(history));
        if let Some(before) = self.before_last(history) {
            causes.retain(|cause| !history.happens_before(*cause, before));
        }
        if let LastEvent::Look { send, .. } = self.last {
            causes.push(send);
        }
        causes
    }

    /// What a step touches at the end of this part: links and flags may be others than in the run.
    fn accesses_of_last(&self, history: &History<'_>, step: usize) -> SmallVec<[Access; 2]> {
        let effects = |event: usize| {
            let event = history.events.get(event);
            event.map_or(&[][..], |it| it.effects.as_slice())
        };
        if effects(step).is_empty() || step < history.first_spawn {
            return history.accesses(step).into();
        }
        let mut state = SignalState::default();
        for effect in self.events(history).flat_map(effects) {
            state.touched_by(*effect);
        }
        let mut accesses = history.own_accesses(step);
        for effect in effects(step) {
            accesses.extend(state.touched_by(*effect));
        }
        accesses
    }

    /// The events that a step with these accesses would depend on.
    fn conflicts(&self, history: &History<'_>, accesses: &[Access]) -> CausingEvents {
        if accesses.is_empty() {
            return CausingEvents::new();
        }
        let mut roots: SmallVec<[u64; 4]> = accesses.iter().map(|it| it.object.root).collect();
        roots.sort_unstable();
        roots.dedup();
        let mut conflicts = Conflicts::default();
        for root in roots {
            let users = history.users(root).iter().copied();
            for event in users.filter(|it| self.keeps(history, *it)) {
                let same = |it: &&Access| it.object.root == root;
                conflicts.note(event, history.accesses(event).iter().filter(same));
            }
        }
        conflicts.of(accesses).into()
    }

    /// The last timeout for which all processes waited.
    fn last_barrier(&self, history: &History<'_>) -> Option<usize> {
        let mut barriers = history.barriers.iter().rev().copied();
        barriers.find(|event| self.keeps(history, *event))
    }

    /// The events of the run that belong to it and happen before no other event of it. The last
    /// event of the part, which the run does not have, counts as one; it depends on these.
    pub(crate) fn maximal(&self, history: &History<'_>, causes: &CausingEvents) -> Vec<usize> {
        let mut clock = vec![0; self.kept.len()];
        let causes = causes.iter().copied();
        for event in self.before_last(history).into_iter().chain(causes) {
            join(&mut clock, history.clock(event));
        }
        let ends: SmallVec<[usize; 16]> = self.ends(history).collect();
        let is_covered = |end: usize| {
            let is_before = |other: &usize| *other != end && history.happens_before(end, *other);
            covers(&clock, history.process(end), history.position(end))
                || ends.iter().any(is_before)
        };
        let maximal = ends.iter().copied().filter(|end| !is_covered(*end));
        maximal.collect()
    }

    /// The last event of each process.
    fn ends<'cut>(&'cut self, history: &'cut History<'_>) -> impl Iterator<Item = usize> + 'cut {
        let kept = self.kept.iter().zip(&history.by_process);
        kept.filter_map(|(kept, events)| {
            let last = (*kept as usize).checked_sub(1)?;
            events.get(last).copied()
        })
    }

    /// The decisions of the run that belong to it, by their numbers.
    pub(crate) fn decisions<'cut>(
        &'cut self,
        history: &'cut History<'_>,
    ) -> impl Iterator<Item = (usize, usize)> + 'cut {
        self.events(history).filter_map(|number| {
            match history.events.get(number).map(|event| &event.kind) {
                Some(RunEventKind::Decision(decision)) => Some((number, *decision)),
                _ => None,
            }
        })
    }
}
