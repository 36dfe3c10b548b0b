//! What a run of several processes adds to a search: other orders of its steps, and other ways of
//! its decisions among what other processes did.

use std::hash::{Hash, Hasher};
use std::num::NonZeroU32;

use rustc_hash::FxHasher;
use solver::graph::Graph;
use trace_format::{Lease, Program, Schedule, StepOwner};

use super::super::arguments::Arguments;
use super::super::candidate::{Candidate, OtherOrder, PlannedOrder, Race};
use super::super::solutions::{Alternative, Among, Solution};
use super::task_state::TaskState;
use crate::concurrency::{
    Cut, History, LastEvent, Mailboxes, PartIdentity, identify, linear_order, reversals,
};
use crate::replay::{Death, Decision, ReceiveTimeout, Replayed, RunEvent, RunEventKind};
use crate::visited::{Causes, Label, Point};

/// A run of several processes.
pub(super) struct ManyProcesses<'run> {
    pub(super) history: History<'run>,
    /// The points of its events.
    pub(super) points: Vec<Point>,
    /// The names of its processes, then of its channels.
    pub(super) owners: Vec<StepOwner>,
    /// For each `receive`, whether its time may be over at any moment.
    pub(super) polling: Vec<bool>,
    /// Whether every run with the same input and schedule is the same.
    pub(super) is_certain: bool,
}

/// How orders are planned.
#[derive(Clone, Copy)]
pub(super) struct Planning<'run> {
    /// The input of the run.
    pub(super) arguments: &'run Arguments,
    /// The number of its test.
    pub(super) parent: usize,
    pub(super) max_switches: Option<usize>,
}

/// How many orders a run led to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OrderCounts {
    pub(super) races: u64,
    /// Those that have too many switches.
    pub(super) too_long: u64,
}

impl<O> TaskState<O> {
    /// The points of the events of a run.
    pub(super) fn identify(
        &mut self,
        history: &History<'_>,
        decisions: &mut [Decision],
        graph: &mut Graph,
    ) -> Vec<Point> {
        let guesses = &mut self.guesses;
        identify(history, &mut self.visited, |number, at| {
            let decision = decisions.get_mut(number)?;
            guesses.take_in(at, decision, graph);
            Some(decision.taken)
        })
    }

    /// Notes a run. Returns whether no equivalent one was made before.
    pub(super) fn note_run(&mut self, many: &ManyProcesses<'_>) -> bool {
        let mut class = many.points.clone();
        class.sort_unstable();
        class.dedup();
        let mut hasher = FxHasher::default();
        class.hash(&mut hasher);
        let is_new = self.made.note(hasher.finish());
        if is_new {
            let after = many.points.get(many.history.first_spawn..);
            self.made.add(after.unwrap_or_default().iter().copied());
        }
        is_new
    }

    /// Whether a run has the events that it was made for.
    pub(super) fn is_as_planned(&self, candidate: &Candidate, points: &[Point]) -> bool {
        let has_order = candidate
            .order
            .as_ref()
            .is_none_or(|order| !order.is_certain || order.part.is_in(&self.visited, points));
        has_order
            && candidate.target.is_none_or(|target| {
                let label = Label::way(target.way);
                let point = self.visited.find(target.point, label, Causes::new());
                candidate.order.is_some()
                    || !target.is_certain
                    || point.is_some_and(|point| points.contains(&point))
            })
    }

    /// Plans the other orders that a run shows to be possible.
    pub(super) fn plan_orders(
        &mut self,
        many: &ManyProcesses<'_>,
        planning: &Planning<'_>,
    ) -> OrderCounts {
        let mut counts = OrderCounts::default();
        for cut in many.reversals() {
            counts.races += 1;
            let Some(order) = self.plan(many, &cut) else {
                continue;
            };
            if exceeds(&order.schedule, planning.max_switches) {
                counts.too_long += 1;
                continue;
            }
            self.queue.push(Candidate {
                arguments: planning.arguments.clone(),
                parent: Some(planning.parent),
                target: None,
                order: Some(Box::new(order)),
                is_exchanged: false,
            });
        }
        counts
    }

    /// A part of a run as an order to be run, unless it was planned or made before, or is
    /// impossible.
    fn plan(&mut self, many: &ManyProcesses<'_>, cut: &Cut) -> Option<PlannedOrder> {
        let history = &many.history;
        let part = PartIdentity::new(history, &mut self.visited, &many.points, cut);
        let hash = part.hash_code();
        if self.made.is_noted(hash) || part.was_run(&self.visited, &self.made) {
            return None;
        }
        self.made.note(hash);
        Some(PlannedOrder {
            schedule: many.schedule(cut)?,
            part,
            race: many.race(cut),
            is_certain: many.is_certain,
        })
    }

    /// The ways of decisions that were not asked for yet, among what other processes did.
    pub(super) fn ways_among(
        &mut self,
        many: &ManyProcesses<'_>,
        decisions: &[Decision],
    ) -> Vec<Alternative> {
        let mut alternatives = Vec::new();
        for (event, kind) in many.history.events.iter().map(|it| &it.kind).enumerate() {
            let RunEventKind::Decision(number) = *kind else {
                continue;
            };
            let Some(decision) = decisions.get(number) else {
                continue;
            };
            for way in (0..decision.ways.len()).filter(|way| *way != decision.taken) {
                alternatives.extend(self.way_among(many, event, number, way));
            }
        }
        alternatives
    }

    fn way_among(
        &mut self,
        many: &ManyProcesses<'_>,
        event: usize,
        decision: usize,
        way: usize,
    ) -> Option<Alternative> {
        let history = &many.history;
        let last = LastEvent::Way {
            in_place_of: event,
            way,
        };
        let cut = Cut::without(history, &[event], last);
        let part = PartIdentity::new(history, &mut self.visited, &many.points, &cut);
        let point = part.before_last();
        let alternative = |among| Alternative {
            decision,
            point,
            state: None,
            is_again: false,
            way,
            among,
        };
        // Before the first process is started, this is a search of one process.
        if event < history.first_spawn {
            return self.visited.ask(point, way).then(|| alternative(None));
        }
        let hash = part.hash_code();
        let is_known = self.refuted.contains(&(point, way))
            || self.made.is_noted(hash)
            || part.was_run(&self.visited, &self.made);
        if is_known {
            return None;
        }
        self.made.note(hash);
        let is_past = |it: &(usize, usize)| history.happens_before(it.0, event);
        let kept = cut.decisions(history);
        let (past, independent): (Vec<_>, Vec<_>) = kept.partition(is_past);
        Some(alternative(Some(Box::new(Among {
            event,
            past: past.into_iter().map(|it| it.1).collect(),
            independent,
            hash,
        }))))
    }

    /// The order in which an input for another way is run; `None` if it was planned or made before.
    /// Without other processes there is no order.
    pub(super) fn plan_way(
        &mut self,
        many: &ManyProcesses<'_>,
        alternatives: &[Alternative],
        solution: &Solution,
    ) -> Option<Option<Box<PlannedOrder>>> {
        let alternative = alternatives.get(solution.alternative)?;
        let Some(among) = &alternative.among else {
            return Some(None);
        };
        let mut dropped = solution.dropped.clone();
        dropped.push(among.event);
        let last = LastEvent::Way {
            in_place_of: among.event,
            way: alternative.way,
        };
        let cut = Cut::without(&many.history, &dropped, last);
        // It is noted already if all others stay.
        if solution.dropped.is_empty() {
            self.made.forget(among.hash);
        }
        let order = self.plan(many, &cut)?;
        Some(Some(Box::new(PlannedOrder {
            race: None,
            is_certain: solution.target.is_certain && many.is_certain,
            ..order
        })))
    }
}

impl<'run> ManyProcesses<'run> {
    /// A run of several processes, given its events and ends by signals; `None` if there was only one.
    pub(super) fn new(
        program: &Program,
        (events, deaths): (&'run [RunEvent], &'run [Death]),
        replayed: &mut Replayed,
        any_time: bool,
    ) -> Option<Self> {
        if events.is_empty() {
            return None;
        }
        let mut might_match =
            |receive: usize, send: usize| replayed.might_match(program, receive, send);
        let history = History::new(events, deaths, Mailboxes::ByReceive, &mut might_match);
        let timeouts = replayed.receives.iter().map(|it| it.timeout);
        Some(Self {
            history,
            points: Vec::new(),
            owners: owners(replayed),
            polling: timeouts
                .map(|it| match it {
                    ReceiveTimeout::Zero => true,
                    ReceiveTimeout::Later => any_time,
                    ReceiveTimeout::Never => false,
                })
                .collect(),
            is_certain: replayed.uncontrolled.is_empty() && !replayed.is_stopped,
        })
    }

    /// The parts in which two steps change places.
    fn reversals(&self) -> Vec<Cut> {
        let times_out = |receive: usize| self.polling.get(receive) == Some(&true);
        reversals(&self.history, times_out)
    }

    /// The orders in which two steps change places.
    pub(super) fn reversed(&self) -> Vec<OtherOrder> {
        let cuts = self.reversals();
        let orders = cuts.iter().filter_map(|cut| {
            Some(OtherOrder {
                race: self.race(cut)?,
                events: self.racing_events(cut)?,
                schedule: self.schedule(cut)?.parse().ok()?,
            })
        });
        orders.collect()
    }

    /// Which process took its steps when.
    pub(super) fn own_schedule(&self) -> Schedule {
        let steps = self.history.events.iter().filter(|it| it.kind.is_step());
        let leases = leases(steps.map(|it| it.process));
        let leases = leases.filter_map(|(number, steps)| {
            let owner = self.owners.get(number)?.clone();
            Some(Lease { owner, steps })
        });
        leases.collect()
    }

    /// A schedule that leads to the events of a part, as text; `None` if they cannot all happen.
    fn schedule(&self, cut: &Cut) -> Option<Box<str>> {
        let history = &self.history;
        let events = linear_order(history, cut)?;
        let last = match cut.last {
            LastEvent::Step(step)
            | LastEvent::Timeout { in_place_of: step }
            | LastEvent::GoesOn { in_place_of: step } => Some(step),
            LastEvent::Look { .. } | LastEvent::Way { .. } => None,
        };
        let is_step = |it: &usize| {
            let event = history.events.get(*it);
            event.is_some_and(|event| event.kind.is_step())
        };
        let steps = events.into_iter().filter(is_step).chain(last);
        let leases = leases(steps.map(|step| history.process(step)));
        let leases = leases.map(|(number, steps)| {
            let owner = self.owners.get(number)?.clone();
            Some(Lease { owner, steps })
        });
        let schedule: Schedule = leases.collect::<Option<_>>()?;
        Some(schedule.to_string().into())
    }

    /// The places of the two steps whose order is another one in a part.
    fn race(&self, cut: &Cut) -> Option<Race> {
        let place = |event: usize| self.history.events.get(event)?.place;
        let [one, other] = self.racing_events(cut)?;
        Some([place(one)?, place(other)?])
    }

    /// The two steps whose order is another one in a part, by their events.
    fn racing_events(&self, cut: &Cut) -> Option<[usize; 2]> {
        match cut.last {
            LastEvent::Look { in_place_of, send } => {
                let looked_at = self.history.looked_at(in_place_of);
                Some([looked_at.unwrap_or(in_place_of), send])
            }
            LastEvent::Timeout { in_place_of } => {
                Some([self.history.looked_at(in_place_of)?, in_place_of])
            }
            LastEvent::Step(step) => Some([cut.first_dropped(&self.history, step)?, step]),
            LastEvent::GoesOn { .. } | LastEvent::Way { .. } => None,
        }
    }
}

/// Steps, by the numbers of those who take them: who takes how many in a row.
fn leases(steps: impl Iterator<Item = usize>) -> impl Iterator<Item = (usize, NonZeroU32)> {
    let mut steps = steps.peekable();
    std::iter::from_fn(move || {
        let owner = steps.next()?;
        let mut count = NonZeroU32::MIN;
        while count < NonZeroU32::MAX && steps.next_if_eq(&owner).is_some() {
            count = count.saturating_add(1);
        }
        Some((owner, count))
    })
}

/// The names of the processes of a run, then of its channels.
fn owners(replayed: &Replayed) -> Vec<StepOwner> {
    let path = |number: usize| Some(replayed.processes.get(number)?.path.clone());
    let processes = replayed.processes.iter();
    let processes = processes.map(|it| StepOwner::Process(it.path.clone()));
    let channels = replayed.channels.iter().filter_map(|(from, to)| {
        Some(StepOwner::Channel {
            from: path(*from)?,
            to: path(*to)?,
        })
    });
    processes.chain(channels).collect()
}

/// Whether a schedule has more switches between processes than are wanted.
pub(super) fn exceeds(schedule: &str, max_switches: Option<usize>) -> bool {
    let schedule = || schedule.parse().unwrap_or_else(|_| Schedule::default());
    max_switches.is_some_and(|most| schedule().switches() > most)
}
