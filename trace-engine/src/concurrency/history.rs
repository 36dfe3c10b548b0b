//! What happens before what in a run.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::clocks::{Clocks, covers, join};
use super::conflicts::Conflicts;
use crate::replay::{Access, Death, Object, RunEvent, RunEventKind};

/// When the arrivals of two messages at one process depend on each other. A message arrives when it
/// is sent, or when it is delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mailboxes {
    /// Always: each order of arrivals is a run of its own.
    Ordered,
    /// If a `receive` could take either.
    ByReceive,
}

/// Events that an event depends on, besides the one before it in its process.
pub(super) type CausingEvents = SmallVec<[usize; 2]>;

/// The events of a run and their order.
#[derive(Debug)]
pub(crate) struct History<'run> {
    pub(crate) events: &'run [RunEvent],
    /// Processes that others ended. The first death has the number behind the last event, as if it
    /// were one; but it is part of nothing.
    pub(super) deaths: &'run [Death],
    /// For each process its events. A channel between two processes is one of its own.
    pub(super) by_process: Vec<Vec<usize>>,
    /// The position of each event in its process.
    positions: Vec<u32>,
    /// The event before it in its process. For the first one, the event that started the process.
    pub(super) before: Vec<Option<usize>>,
    pub(super) causes: Vec<CausingEvents>,
    /// What each event uses.
    accesses: Vec<SmallVec<[Access; 2]>>,
    /// For each root of an object the events that use it or a part of it, in order.
    users: FxHashMap<u64, Vec<usize>>,
    clocks: Clocks,
    /// For each look and each timeout, the messages that could have been looked at instead.
    pub(super) rivals: Vec<Vec<usize>>,
    pub(super) mailboxes: Mailboxes,
    /// Timeouts for which all processes waited: everything else happens before or after them.
    pub(super) barriers: Vec<usize>,
    /// Nothing before it can happen in another order.
    pub(crate) first_spawn: usize,
}

impl<'run> History<'run> {
    /// The order of some events. Whether a message could match a `receive`, whatever the input is,
    /// is asked with the number of the `receive` and the event that sent the message.
    pub(crate) fn new(
        events: &'run [RunEvent],
        deaths: &'run [Death],
        mailboxes: Mailboxes,
        might_match: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Self {
        let is_spawn = |event: &RunEvent| matches!(event.kind, RunEventKind::Spawn { .. });
        let processes = events.iter().map(|event| event.process);
        let processes = processes.chain(deaths.iter().map(|death| death.process));
        let width = processes.max().map_or(1, |last| last + 1);
        let mut history = Self {
            events,
            deaths,
            by_process: vec![Vec::new(); width],
            positions: Vec::with_capacity(events.len()),
            before: Vec::with_capacity(events.len()),
            causes: Vec::with_capacity(events.len()),
            accesses: Vec::with_capacity(events.len()),
            users: FxHashMap::default(),
            clocks: Clocks::new(width),
            rivals: Vec::new(),
            mailboxes,
            barriers: Vec::new(),
            first_spawn: events.iter().position(is_spawn).unwrap_or(events.len()),
        };
        history.order();
        history.find_rivals(might_match);
        history
    }

    /// Finds the causes and the clock of each event.
    fn order(&mut self) {
        let mut spawned = vec![None; self.by_process.len()];
        let mut conflicts = Conflicts::default();
        for (number, event) in self.events.iter().enumerate() {
            let own = self.by_process.get(event.process);
            let last = own.and_then(|events| events.last().copied());
            let parent = spawned.get(event.process).copied().flatten();
            self.before.push(last.or(parent));
            let accesses = self.find_accesses(number);
            let mut causes: CausingEvents = conflicts.of(&accesses).into();
            conflicts.note(number, &accesses);
            self.note_accesses(number, accesses);
            match event.kind {
                RunEventKind::Look { send, .. } => causes.push(send),
                RunEventKind::Spawn { child } => {
                    if let Some(parent) = spawned.get_mut(child) {
                        *parent = Some(number);
                    }
                }
                RunEventKind::Decision(_)
                | RunEventKind::Step(_)
                | RunEventKind::Send { .. }
                | RunEventKind::Deliver { .. }
                | RunEventKind::Timeout { .. }
                | RunEventKind::End => {}
            }
            // Everything else waited too.
            if event.waits {
                causes.extend(self.by_process.iter().filter_map(|it| it.last().copied()));
                self.barriers.push(number);
            }
            self.add_behind(number, &mut causes);
            let barriers = self.barriers.iter().rev().copied();
            causes.extend(barriers.filter(|it| *it != number).take(1));
            self.add(number, event.process, causes);
        }
        for Death { process, .. } in self.deaths {
            let own = self.by_process.get(*process);
            let last = own.and_then(|events| events.last().copied());
            let parent = spawned.get(*process).copied().flatten();
            self.before.push(last.or(parent));
        }
    }

    /// Adds an event with its clock. Causes that others imply are dropped.
    fn add(&mut self, number: usize, process: usize, causes: CausingEvents) {
        let before = self.before.get(number).copied().flatten();
        let mut clock = match before {
            Some(before) => self.clocks.of(before).to_vec(),
            None => self.clocks.zero(),
        };
        let is_known = |it: &usize| {
            let cause_process = self.events.get(*it).map_or(0, |event| event.process);
            // Which message is looked at is never implied.
            self.looked_at(number) != Some(*it) && covers(&clock, cause_process, self.position(*it))
        };
        let causes: CausingEvents = causes.into_iter().filter(|it| !is_known(it)).collect();
        for cause in &causes {
            join(&mut clock, self.clocks.of(*cause));
        }
        let events = self.by_process.get_mut(process);
        let position = events.map_or(0, |events| {
            events.push(number);
            count(events.len() - 1)
        });
        if let Some(own) = clock.get_mut(process) {
            *own = position + 1;
        }
        self.positions.push(position);
        self.causes.push(causes);
        self.clocks.push(&clock);
    }

    fn note_accesses(&mut self, number: usize, accesses: SmallVec<[Access; 2]>) {
        for access in &accesses {
            let users = self.users.entry(access.object.root).or_default();
            if users.last() != Some(&number) {
                users.push(number);
            }
        }
        self.accesses.push(accesses);
    }

    /// What an event uses, with its mailbox if the order of messages counts. Before the first spawn
    /// there is nobody to share with.
    pub(super) fn accesses(&self, number: usize) -> &[Access] {
        self.accesses.get(number).map_or(&[], SmallVec::as_slice)
    }

    /// The events that use an object with this root or a part of it, in order.
    pub(super) fn users(&self, root: u64) -> &[usize] {
        self.users.get(&root).map_or(&[], Vec::as_slice)
    }

    fn find_accesses(&self, number: usize) -> SmallVec<[Access; 2]> {
        let mut all = self.own_accesses(number);
        let event = self
            .events
            .get(number)
            .filter(|_| number >= self.first_spawn);
        all.extend(
            event
                .into_iter()
                .flat_map(|it| it.consequences.iter().copied()),
        );
        all
    }

    /// The same without what follows from links and flags.
    pub(super) fn own_accesses(&self, number: usize) -> SmallVec<[Access; 2]> {
        let Some(event) = self.events.get(number) else {
            return SmallVec::new();
        };
        if number < self.first_spawn {
            return SmallVec::new();
        }
        let mut all: SmallVec<[Access; 2]> = event.own_accesses().copied().collect();
        let is_ordered = self.mailboxes == Mailboxes::Ordered;
        if let RunEventKind::Timeout { .. } = event.kind {
            all.extend(self.accesses_of_timeout(event.process));
        }
        let filled = event.fills().filter(|_| is_ordered);
        all.extend(filled.map(|to| mailbox(to, true)));
        all
    }

    /// What a timeout of a process uses.
    pub(super) fn accesses_of_timeout(&self, process: usize) -> SmallVec<[Access; 2]> {
        let is_ordered = self.mailboxes == Mailboxes::Ordered;
        let mailbox = is_ordered.then(|| mailbox(process, false));
        mailbox.into_iter().collect()
    }

    /// Finds for each look and each timeout the messages that could have been looked at instead.
    fn find_rivals(&mut self, might_match: &mut dyn FnMut(usize, usize) -> bool) {
        self.rivals = vec![Vec::new(); self.events.len()];
        let inboxes = self.inboxes();
        for (process, own) in self.by_process.iter().enumerate() {
            let Some(mut inbox) = inboxes.get(process).cloned() else {
                continue;
            };
            // The messages that the running `receive` has looked at.
            let mut looked: Vec<usize> = Vec::new();
            let mut running = None;
            // It gets no more messages.
            if let Some(killer) = self.killer_of(process) {
                inbox.retain(|send| !self.happens_before(killer, *send));
            }
            for number in own {
                let Some((receive, look)) = self.receive_of(*number) else {
                    continue;
                };
                if running.replace(receive) != Some(receive) {
                    looked.clear();
                }
                let open = inbox.iter().copied().filter(|send| {
                    Some(*send) != look.map(|it| it.0)
                        && !looked.contains(send)
                        && !self.happens_before(*number, *send)
                });
                let mut rivals: Vec<usize> =
                    open.filter(|send| might_match(receive, *send)).collect();
                rivals.dedup();
                if let Some(slot) = self.rivals.get_mut(*number) {
                    *slot = rivals;
                }
                if let Some((send, takes)) = look {
                    looked.push(send);
                    // One event may bring several messages.
                    let place = inbox.iter().position(|it| *it == send);
                    if let Some(place) = place.filter(|_| takes) {
                        inbox.remove(place);
                    }
                }
            }
        }
    }

    /// The deaths with their numbers.
    pub(super) fn numbered_deaths(&self) -> impl Iterator<Item = (usize, &'run Death)> {
        (self.events.len()..).zip(self.deaths)
    }

    /// The step that ended a process, if another process did.
    fn killer_of(&self, process: usize) -> Option<usize> {
        let mut deaths = self.deaths.iter();
        deaths.find(|it| it.process == process).map(|it| it.by)
    }

    fn death(&self, number: usize) -> Option<&'run Death> {
        self.deaths.get(number.checked_sub(self.events.len())?)
    }

    /// The `receive` of a look or of a timeout that did not wait; for a look, the message and
    /// whether it is taken.
    fn receive_of(&self, number: usize) -> Option<(usize, Option<(usize, bool)>)> {
        let event = self.events.get(number)?;
        match event.kind {
            RunEventKind::Look {
                receive,
                send,
                takes,
            } => Some((receive, Some((send, takes)))),
            RunEventKind::Timeout { receive } if !event.waits => Some((receive, None)),
            RunEventKind::Timeout { .. }
            | RunEventKind::Decision(_)
            | RunEventKind::Step(_)
            | RunEventKind::Send { .. }
            | RunEventKind::Deliver { .. }
            | RunEventKind::Spawn { .. }
            | RunEventKind::End => None,
        }
    }

    /// The event with which the message of a look came into the mailbox.
    pub(crate) fn looked_at(&self, number: usize) -> Option<usize> {
        let (_, look) = self.receive_of(number)?;
        look.map(|(send, _)| send)
    }

    /// For each process the messages that came into its mailbox.
    fn inboxes(&self) -> Vec<Vec<usize>> {
        let mut inboxes = vec![Vec::new(); self.by_process.len()];
        for (number, event) in self.events.iter().enumerate() {
            for to in event.fills() {
                if let Some(inbox) = inboxes.get_mut(to) {
                    inbox.push(number);
                }
            }
        }
        inboxes
    }

    pub(crate) fn process(&self, event: usize) -> usize {
        if let Some(death) = self.death(event) {
            return death.process;
        }
        self.events.get(event).map_or(0, |event| event.process)
    }

    pub(super) fn position(&self, event: usize) -> u32 {
        // A death happens before nothing.
        self.positions.get(event).copied().unwrap_or(u32::MAX)
    }

    pub(super) fn clock(&self, event: usize) -> &[u32] {
        self.clocks.of(event)
    }

    /// Adds the events that an event comes after in every order, unless they are among these.
    pub(super) fn add_behind(&self, event: usize, causes: &mut CausingEvents) {
        for earlier in self.behind(event) {
            if !causes.contains(earlier) {
                causes.push(*earlier);
            }
        }
    }

    /// Events of others that an event comes after in every order.
    pub(super) fn behind(&self, event: usize) -> &'run [usize] {
        self.events.get(event).map_or(&[], |it| &it.behind)
    }

    /// Whether processes may be ended by others, as far as this run shows.
    pub(super) fn has_signals(&self) -> bool {
        self.events.iter().any(|event| !event.signals.is_empty())
    }

    /// Whether an event happens before another one, or is it.
    pub(crate) fn happens_before(&self, one: usize, other: usize) -> bool {
        covers(self.clock(other), self.process(one), self.position(one))
    }
}

/// The mailbox of a process.
fn mailbox(process: usize, writes: bool) -> Access {
    // No other object has a part that is a process and this root.
    const MAILBOXES: u64 = 0x6d61_696c_626f_7865;
    Access {
        object: Object {
            root: MAILBOXES.wrapping_add(process as u64),
            part: None,
        },
        writes,
    }
}

pub(super) fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
