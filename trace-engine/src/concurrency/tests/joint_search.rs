//! The search over orders and inputs, on small programs, in three orders.

use super::super::{
    Cut, History, Independent, LastEvent, MadeRuns, Mailboxes, PartIdentity, Staying, identify,
    largest_sets, linear_order, reversals,
};
use super::machine::Machine;
use super::small_program::{DOMAIN, Patience, SmallProgram};
use crate::replay::RunEventKind;
use crate::visited::{Point, Visited};

/// Which part is run next.
#[derive(Clone, Copy, Debug)]
pub(super) enum Order {
    Newest,
    Oldest,
    Random(u64),
}

impl Order {
    fn next(&mut self, count: usize) -> usize {
        match self {
            Self::Newest => count - 1,
            Self::Oldest => 0,
            Self::Random(state) => {
                *state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(11);
                (*state >> 33) as usize % count
            }
        }
    }
}

/// A part of a run that waits to be run.
struct Waiting {
    input: u8,
    schedule: Vec<usize>,
    identity: Option<PartIdentity>,
}

pub(super) struct Search<'program> {
    mailboxes: Mailboxes,
    visited: Visited,
    made: MadeRuns,
    waiting: Vec<Waiting>,
    /// The runs that were made.
    pub(super) machines: Vec<Machine<'program>>,
    /// How many other runs were equivalent to earlier ones.
    pub(super) repeated: usize,
    classes: std::collections::BTreeSet<Vec<Point>>,
}

fn history<'run>(machine: &'run Machine<'_>, mailboxes: Mailboxes) -> History<'run> {
    History::new(
        &machine.events,
        &machine.deaths,
        mailboxes,
        &mut |receive, send| machine.might_match(receive, send),
    )
}

fn points(machine: &Machine<'_>, history: &History<'_>, visited: &mut Visited) -> Vec<Point> {
    identify(history, visited, |decision, _| {
        Some(machine.choices[decision].way)
    })
}

/// The points of the events of a run.
pub(super) fn class(
    machine: &Machine<'_>,
    mailboxes: Mailboxes,
    visited: &mut Visited,
) -> Vec<Point> {
    let mut points = points(machine, &history(machine, mailboxes), visited);
    points.sort_unstable();
    points.dedup();
    points
}

impl<'program> Search<'program> {
    pub(super) fn run(
        program: &'program SmallProgram,
        mailboxes: Mailboxes,
        mut order: Order,
        workers: usize,
    ) -> Self {
        let mut search = Self {
            mailboxes,
            visited: Visited::default(),
            made: MadeRuns::default(),
            waiting: Vec::new(),
            machines: Vec::new(),
            repeated: 0,
            classes: std::collections::BTreeSet::new(),
        };
        search.waiting.push(Waiting {
            input: 0,
            schedule: Vec::new(),
            identity: None,
        });
        while !search.waiting.is_empty() {
            // Nobody knows of the runs of the others while they are made.
            let taken: Vec<Waiting> = (0..workers)
                .filter_map(|_| search.next(&mut order))
                .collect();
            for next in taken {
                let mut machine = Machine::new(program, next.input);
                machine.run(&next.schedule);
                search.learn(machine, next.identity.as_ref());
            }
        }
        search
    }

    /// Takes out a part that was not run yet.
    fn next(&mut self, order: &mut Order) -> Option<Waiting> {
        while !self.waiting.is_empty() {
            let next = order.next(self.waiting.len());
            let next = self.waiting.remove(next);
            let known = next.identity.as_ref();
            if !known.is_some_and(|it| it.was_run(&self.visited, &self.made)) {
                return Some(next);
            }
        }
        None
    }

    fn learn(&mut self, machine: Machine<'program>, identity: Option<&PartIdentity>) {
        let history = history(&machine, self.mailboxes);
        let points = points(&machine, &history, &mut self.visited);
        if let Some(identity) = identity {
            assert!(identity.is_in(&self.visited, &points), "the run diverged");
        }
        let mut class = points.clone();
        class.sort_unstable();
        class.dedup();
        if !self.classes.insert(class) {
            self.repeated += 1;
            return;
        }
        self.made.add(points.iter().copied());
        let times_out = |receive: usize| machine.receives[receive].1 == Patience::Zero;
        for cut in reversals(&history, times_out) {
            self.plan(machine.input, &history, &points, &cut);
        }
        for (number, event) in machine.events.iter().enumerate() {
            if let RunEventKind::Decision(decision) = event.kind {
                self.ask(&machine, &history, &points, number, decision);
            }
        }
        drop(history);
        self.machines.push(machine);
    }

    fn plan(&mut self, input: u8, history: &History<'_>, points: &[Point], cut: &Cut) {
        let identity = PartIdentity::new(history, &mut self.visited, points, cut);
        if identity.was_run(&self.visited, &self.made) || !self.made.note(identity.hash_code()) {
            return;
        }
        let Some(events) = linear_order(history, cut) else {
            return;
        };
        let last = match cut.last {
            LastEvent::Step(step)
            | LastEvent::Timeout { in_place_of: step }
            | LastEvent::GoesOn { in_place_of: step } => Some(step),
            LastEvent::Look { .. } | LastEvent::Way { .. } => None,
        };
        let is_step = |it: &usize| history.events[*it].kind.is_step();
        let steps = events.into_iter().filter(is_step).chain(last);
        self.waiting.push(Waiting {
            input,
            schedule: steps.map(|it| history.process(it)).collect(),
            identity: Some(identity),
        });
    }

    fn ask(
        &mut self,
        machine: &Machine<'_>,
        history: &History<'_>,
        points: &[Point],
        event: usize,
        decision: usize,
    ) {
        let other = super::machine::Choice {
            way: 1 - machine.choices[decision].way,
            ..machine.choices[decision]
        };
        let last = LastEvent::Way {
            in_place_of: event,
            way: other.way,
        };
        let cut = Cut::without(history, &[event], last);
        let identity = PartIdentity::new(history, &mut self.visited, points, &cut);
        if identity.was_run(&self.visited, &self.made) || !self.made.note(identity.hash_code()) {
            return;
        }
        self.made.forget(identity.hash_code());
        let decisions: std::collections::BTreeMap<usize, usize> = cut.decisions(history).collect();
        let choice_of = |event: usize| machine.choices[decisions[&event]];
        let kept: Vec<usize> = decisions.keys().copied().collect();
        let is_past = |it: &usize| history.happens_before(*it, event);
        let (past, others): (Vec<usize>, Vec<usize>) = kept.iter().partition(|it| is_past(it));
        let mut ask = |staying: &[usize]| {
            let wanted = past.iter().chain(staying).map(|it| choice_of(*it));
            let wanted: Vec<_> = wanted.chain([other]).collect();
            let found = (0..DOMAIN).find(|input| wanted.iter().all(|it| it.fits(*input)));
            found.map_or(Staying::Cannot, Staying::Can)
        };
        let independent = Independent {
            decisions: &others,
            happens_before: &|one, other| history.happens_before(one, other),
            ask: &mut ask,
        };
        let (sets, is_all) = largest_sets(independent, 8);
        assert!(is_all);
        for set in sets {
            let mut dropped = set.dropped;
            dropped.push(event);
            let cut = Cut::without(history, &dropped, last);
            self.plan(set.answer, history, points, &cut);
        }
    }
}
