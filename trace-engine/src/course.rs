//! The course of a run of several processes, as people tell it: who started whom, who sent what to
//! whom, who took which message, who ended.
//!
//! It is made from the events of a replay. Messages have the values that they had in the run, not
//! symbolic ones.

mod value_text;

use std::collections::{HashMap, HashSet};

use flattener::flat::SiteId;
use solver::graph::{Input, NodeId};

use crate::explore::RecordedRun;
use crate::replay::{Bounds, Replayed, ReplayedProcess, RunEvent, RunEventKind};
use value_text::ValueTexts;

/// What happened in a run of several processes, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunCourse {
    /// The processes, by their numbers.
    pub processes: Vec<ReplayedProcess>,
    /// What they did.
    pub moments: Vec<Moment>,
    /// The messages that nobody took.
    pub unread: Vec<UnreadMessage>,
    /// Whether the run is too long, so that its end is not here.
    pub is_cut: bool,
}

/// Something that a process did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Its number among the events of the run.
    pub event: usize,
    /// The number of the process.
    pub process: usize,
    /// What it did.
    pub kind: MomentKind,
    /// Module and site; `None` if it is not at one site.
    pub place: Option<(usize, SiteId)>,
}

/// What a process did. Messages are texts in the notation of Erlang, with processes by their names:
/// `{get,<0.1>}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MomentKind {
    /// It sent a message.
    Send {
        /// The number of the receiver.
        to: usize,
        /// The message.
        message: String,
        /// Whether it was in the mailbox at once.
        arrives: bool,
    },
    /// A message that it sent before came into the mailbox.
    Deliver {
        /// The number of the receiver.
        to: usize,
        /// The message.
        message: String,
    },
    /// It started a process.
    Spawn {
        /// The number of the new process.
        child: usize,
    },
    /// It took a message from its mailbox.
    Take {
        /// The number of the sender, or of the process whose end the message is about.
        from: usize,
        /// The message.
        message: String,
        /// Whether it waited: the message was not there after its last step.
        waited: bool,
    },
    /// The time of a `receive` was over.
    Timeout,
    /// It took another step.
    Step,
    /// It came to its end.
    End,
    /// Another process ended it.
    Ended {
        /// The number of that process.
        by: usize,
    },
}

/// A message that nobody took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadMessage {
    /// The number of the sender, or of the process whose end the message is about.
    pub from: usize,
    /// The number of the receiver.
    pub to: usize,
    /// The message.
    pub message: String,
    /// Whether it came into the mailbox.
    pub has_arrived: bool,
}

/// The course of a run; `None` for one process, or if the run cannot be replayed within so many
/// events, or before it should stop.
pub fn course_of(
    run: &RecordedRun<'_>,
    max_events: usize,
    bounds: Bounds,
    should_stop: &dyn Fn() -> bool,
) -> Option<RunCourse> {
    let mut replayed = run.replayed(max_events, bounds, should_stop)?;
    if replayed.events.is_empty() || replayed.is_stopped {
        return None;
    }
    let graph = &mut replayed.graph;
    let arguments: Vec<NodeId> = run.arguments.iter().map(|it| graph.constant(it)).collect();
    let is_cut = replayed.is_cut() || replayed.decisions.len() > bounds.max_decisions;
    let texts = ValueTexts::new(Input::new(&arguments), &replayed.processes);
    let told = Telling::new(&mut replayed, texts);
    let (moments, unread) = told.all();
    Some(RunCourse {
        processes: replayed.processes,
        moments,
        unread,
        is_cut,
    })
}

/// Turns events into moments.
struct Telling {
    events: Vec<RunEvent>,
    channels: Vec<(usize, usize)>,
    /// How many processes there are; the channels have the numbers behind.
    processes: usize,
    /// The message of each event that puts one into the mailbox of a process.
    messages: HashMap<(usize, usize), String>,
    /// The delivery of each message that was under way.
    deliveries: HashMap<usize, usize>,
    /// The processes that each event ended.
    deaths: HashMap<usize, Vec<usize>>,
    /// Event and receiver of the messages that were taken.
    taken: HashSet<(usize, usize)>,
    /// The last step of each process, or its start.
    last_steps: HashMap<usize, usize>,
}

impl Telling {
    fn new(replayed: &mut Replayed, mut texts: ValueTexts) -> Self {
        let events = replayed.events.clone();
        let mut messages = HashMap::new();
        let mut earlier: HashMap<usize, usize> = HashMap::new();
        for (event, message) in replayed.arrivals().to_vec() {
            // A step may tell several processes, in this order.
            let number = earlier.entry(event).or_default();
            let mut fills = events.get(event).into_iter().flat_map(RunEvent::fills);
            if let Some(to) = fills.nth(*number) {
                let text = texts.text(&mut replayed.graph, message);
                messages.insert((event, to), text);
            }
            *number += 1;
        }
        let deliveries = events.iter().enumerate().filter_map(|(number, event)| {
            let is_delivery = matches!(event.kind, RunEventKind::Deliver { .. });
            let send = event.behind.first().filter(|_| is_delivery)?;
            Some((*send, number))
        });
        let mut deaths: HashMap<usize, Vec<usize>> = HashMap::new();
        for death in &replayed.deaths {
            deaths.entry(death.by).or_default().push(death.process);
        }
        Self {
            deliveries: deliveries.collect(),
            events,
            channels: replayed.channels.clone(),
            processes: replayed.processes.len(),
            messages,
            deaths,
            taken: HashSet::new(),
            last_steps: HashMap::new(),
        }
    }

    /// All moments, and the messages that nobody took.
    fn all(mut self) -> (Vec<Moment>, Vec<UnreadMessage>) {
        let mut moments = Vec::new();
        for (number, event) in std::mem::take(&mut self.events).into_iter().enumerate() {
            let process = self.doer(&event);
            if let Some(kind) = self.kind(number, &event) {
                moments.push(Moment {
                    event: number,
                    process,
                    kind,
                    place: event.place,
                });
            }
            if event.kind.is_step() && event.process < self.processes {
                self.last_steps.insert(process, number);
            }
            for ended in self.deaths.remove(&number).unwrap_or_default() {
                moments.push(Moment {
                    event: number,
                    process: ended,
                    kind: MomentKind::Ended { by: process },
                    place: None,
                });
            }
            self.events.push(event);
        }
        let unread = self.unread();
        (moments, unread)
    }

    /// The process that does something; of a delivery the sender.
    fn doer(&self, event: &RunEvent) -> usize {
        let channel = event.process.checked_sub(self.processes);
        let channel = channel.and_then(|it| self.channels.get(it));
        channel.map_or(event.process, |it| it.0)
    }

    fn message(&self, event: usize, to: usize) -> String {
        let message = self.messages.get(&(event, to));
        message.cloned().unwrap_or_else(|| "...".to_owned())
    }

    fn kind(&mut self, number: usize, event: &RunEvent) -> Option<MomentKind> {
        Some(match event.kind {
            RunEventKind::Send { to, arrives, .. } => {
                let arrival = self.deliveries.get(&number).filter(|_| !arrives);
                MomentKind::Send {
                    to,
                    message: self.message(*arrival.unwrap_or(&number), to),
                    arrives,
                }
            }
            RunEventKind::Deliver { to } => MomentKind::Deliver {
                to,
                message: self.message(number, to),
            },
            RunEventKind::Spawn { child } => {
                self.last_steps.insert(child, number);
                MomentKind::Spawn { child }
            }
            RunEventKind::Look {
                send, takes: true, ..
            } => {
                let to = event.process;
                self.taken.insert((send, to));
                let sender = self.events.get(send);
                let last_step = self.last_steps.get(&to);
                MomentKind::Take {
                    from: sender.map_or(to, |it| self.doer(it)),
                    message: self.message(send, to),
                    waited: last_step.is_some_and(|it| send > *it),
                }
            }
            RunEventKind::Timeout { .. } => MomentKind::Timeout,
            RunEventKind::Step(_) => MomentKind::Step,
            RunEventKind::End => MomentKind::End,
            RunEventKind::Look { takes: false, .. } | RunEventKind::Decision(_) => return None,
        })
    }

    fn unread(&self) -> Vec<UnreadMessage> {
        let mut unread = Vec::new();
        for (number, event) in self.events.iter().enumerate() {
            let from = self.doer(event);
            for to in event.fills() {
                if !self.taken.contains(&(number, to)) {
                    unread.push(UnreadMessage {
                        from,
                        to,
                        message: self.message(number, to),
                        has_arrived: true,
                    });
                }
            }
            if let RunEventKind::Send {
                to, arrives: false, ..
            } = event.kind
                && !self.deliveries.contains_key(&number)
            {
                unread.push(UnreadMessage {
                    from,
                    to,
                    message: self.message(number, to),
                    has_arrived: false,
                });
            }
        }
        unread
    }
}
