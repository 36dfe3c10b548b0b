//! Runs small programs, step by step.

use std::collections::BTreeSet;

use super::small_program::{Delivery, Number, Op, Operand, Patience, SmallProgram};
use crate::replay::{Access, Death, Object, RunEvent, RunEventKind};

/// A decision: the inputs on which its first way is taken, as a bit set, and the way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) inputs: u8,
    pub(super) way: usize,
}

impl Choice {
    /// Whether an input takes this way.
    pub(super) fn fits(self, input: u8) -> bool {
        (self.inputs >> input & 1 == 1) == (self.way == 0)
    }
}

#[derive(Clone, Debug)]
struct Running<'program> {
    /// The rest of each block.
    blocks: Vec<&'program [Op]>,
    register: Number,
    /// Messages with the events with which they came.
    mailbox: Vec<(usize, Number)>,
    /// The `receive` that runs, and the messages that it has looked at.
    receive: Option<(usize, Vec<usize>)>,
    /// When it is over, if it waits for some time.
    until: u32,
    is_started: bool,
    has_ended: bool,
}

/// A program that runs.
#[derive(Clone, Debug)]
pub(super) struct Machine<'program> {
    pub(super) input: u8,
    processes: Vec<Running<'program>>,
    memory: [Number; 2],
    pub(super) events: Vec<RunEvent>,
    pub(super) choices: Vec<Choice>,
    /// For each `receive` what it accepts, and how long it waits.
    pub(super) receives: Vec<(u8, Patience)>,
    pub(super) deaths: Vec<Death>,
    has_signals: bool,
    clock: u32,
    /// For each event the value that it sends.
    sent: Vec<Number>,
    spawned: usize,
    delivery: Delivery,
    /// Messages that were sent and not delivered, the oldest first: channels and sends.
    under_way: Vec<(usize, usize)>,
    /// Channels and deliveries.
    delivered: Vec<(usize, usize)>,
}

impl<'program> Machine<'program> {
    pub(super) fn new(program: &'program SmallProgram, input: u8) -> Self {
        let processes = program.processes.iter().map(|code| Running {
            blocks: vec![code.as_slice()],
            register: Number::Constant(0),
            mailbox: Vec::new(),
            receive: None,
            until: 0,
            is_started: false,
            has_ended: false,
        });
        let mut machine = Self {
            input,
            processes: processes.collect(),
            memory: [Number::Constant(0); 2],
            events: Vec::new(),
            choices: Vec::new(),
            receives: Vec::new(),
            deaths: Vec::new(),
            has_signals: program.has_signals,
            clock: 0,
            sent: Vec::new(),
            spawned: 1,
            delivery: program.delivery,
            under_way: Vec::new(),
            delivered: Vec::new(),
        };
        machine.processes[0].is_started = true;
        machine.go_on();
        machine
    }

    /// Whether a message could match a `receive`.
    pub(super) fn might_match(&self, receive: usize, send: usize) -> bool {
        let (accepts, _) = self.receives[receive];
        matches(accepts, self.sent[send]) != Some(false)
    }

    /// The number of a channel, behind those of the processes.
    fn channel(&self, from: usize, to: usize) -> usize {
        let processes = self.processes.len();
        processes + from * processes + to
    }

    /// The processes and channels that can take a step.
    pub(super) fn enabled(&self) -> Vec<usize> {
        let all = 0..self.processes.len();
        let mut enabled: Vec<usize> = all.filter(|it| self.is_enabled(*it)).collect();
        let channels = self.under_way.iter().map(|it| it.0);
        enabled.extend(channels.collect::<BTreeSet<usize>>());
        if enabled.is_empty() && !self.processes[0].has_ended {
            return self.first_timeout().into_iter().collect();
        }
        enabled
    }

    /// The process whose time is over first.
    fn first_timeout(&self) -> Option<usize> {
        let waits = |it: &(usize, &Running<'_>)| {
            let patience = it.1.patience();
            it.1.is_alive() && patience == Some(Patience::Later)
        };
        let all = self.processes.iter().enumerate().filter(waits);
        all.min_by_key(|it| (it.1.until, it.0)).map(|it| it.0)
    }

    fn is_enabled(&self, process: usize) -> bool {
        let Some(running) = self.processes.get(process) else {
            return self.under_way.iter().any(|it| it.0 == process);
        };
        let waits = || running.patience().is_some_and(|it| it != Patience::Zero);
        let can_go_on = || !waits() && !self.has_messages_for_target(process);
        running.is_alive() && (self.is_spawning(process) || can_go_on())
    }

    /// A process is about to take a step. If that reaches another process, messages arrive before, also
    /// where a plan does not know what the step is.
    fn deliver_before(&mut self, process: usize) {
        let is_process = process < self.processes.len();
        while is_process
            && self.processes[process].is_alive()
            && self.has_messages_for_target(process)
        {
            if let Some(Op::Kill(target) | Op::Ask(target)) = self.processes[process].next() {
                self.step(self.channel(process, *target));
            }
        }
    }

    /// Whether a process is about to reach another one that has not got all its messages.
    fn has_messages_for_target(&self, process: usize) -> bool {
        match self.processes[process].next() {
            Some(Op::Kill(target) | Op::Ask(target)) => {
                let channel = self.channel(process, *target);
                self.under_way.iter().any(|it| it.0 == channel)
            }
            Some(Op::Write(..) | Op::Read(_) | Op::Send(..) | Op::Receive { .. } | Op::If(..))
            | None => false,
        }
    }

    fn is_spawning(&self, process: usize) -> bool {
        process == 0 && self.spawned < self.processes.len()
    }

    /// Follows a schedule, then delivers messages at once, and lets each process run on, the last one
    /// first.
    pub(super) fn run(&mut self, schedule: &[usize]) {
        for process in schedule {
            self.deliver_before(*process);
            let is_enabled = self.enabled().contains(process);
            assert!(is_enabled, "the schedule can be followed");
            self.step(*process);
        }
        let mut last = schedule.last().copied().unwrap_or(0);
        loop {
            if let Some((channel, _)) = self.under_way.first() {
                self.step(*channel);
                continue;
            }
            if !self.is_enabled(last) {
                let Some(first) = self.enabled().first().copied() else {
                    return;
                };
                last = first;
            }
            self.step(last);
        }
    }

    fn emit(&mut self, process: usize, kind: RunEventKind, sent: Number) {
        let signal = if let RunEventKind::Deliver { to } = kind {
            Access::read(mailbox(to))
        } else {
            Access {
                object: alive(process),
                writes: matches!(kind, RunEventKind::End),
            }
        };
        let signals = (self.has_signals && kind.is_step()).then_some(signal);
        let mut event = RunEvent::new(process, kind, None);
        event.signals.extend(signals);
        self.events.push(event);
        self.sent.push(sent);
    }

    fn send(&mut self, process: usize, to: usize, value: Number) {
        let number = self.events.len();
        let arrives = self.delivery == Delivery::Instant || process == to;
        let touched = self.has_signals && arrives;
        let accesses = touched.then(|| Access::read(mailbox(to)));
        let kind = RunEventKind::Send {
            to,
            arrives,
            accesses: accesses.into_iter().collect(),
        };
        self.emit(process, kind, value);
        if arrives {
            self.processes[to].mailbox.push((number, value));
        } else {
            self.under_way.push((self.channel(process, to), number));
        }
    }

    /// Delivers the oldest message of a channel.
    fn deliver(&mut self, channel: usize) {
        let mut under_way = self.under_way.iter();
        let first = under_way.position(|it| it.0 == channel);
        let (_, send) = self
            .under_way
            .remove(first.expect("a message is under way"));
        let (to, value) = (channel % self.processes.len(), self.sent[send]);
        let number = self.events.len();
        self.emit(channel, RunEventKind::Deliver { to }, value);
        self.events[number].behind.push(send);
        self.delivered.push((channel, number));
        self.processes[to].mailbox.push((number, value));
    }

    /// Takes the next step of a process, and then all that follows without a step.
    pub(super) fn step(&mut self, process: usize) {
        let none = Number::Constant(0);
        if process >= self.processes.len() {
            self.deliver(process);
            return self.go_on();
        }
        if self.is_spawning(process) {
            let child = self.spawned;
            self.spawned += 1;
            self.emit(0, RunEventKind::Spawn { child }, none);
            self.processes[child].is_started = true;
            return self.go_on();
        }
        match self.processes[process].next().cloned() {
            None => {
                self.processes[process].has_ended = true;
                self.emit(process, RunEventKind::End, none);
            }
            Some(Op::Write(variable, value)) => {
                let value = self.value(process, value);
                self.memory[usize::from(variable)] = value;
                self.access(process, variable, true);
            }
            Some(Op::Read(variable)) => {
                self.processes[process].register = self.memory[usize::from(variable)];
                self.access(process, variable, false);
            }
            Some(Op::Send(to, value)) => {
                let value = self.value(process, value);
                self.send(process, to, value);
                self.processes[process].advance();
            }
            Some(Op::Receive { .. }) => {
                let running = &mut self.processes[process];
                let (receive, _) = running.receive.take().expect("it looked");
                let waits = running.patience() == Some(Patience::Later);
                self.clock = self.clock.max(if waits { running.until } else { 0 });
                self.emit(process, RunEventKind::Timeout { receive }, none);
                self.events.last_mut().expect("it was emitted").waits = waits;
                self.processes[process].advance();
            }
            Some(Op::Kill(victim)) => {
                let touched = [alive(victim), mailbox(victim)].map(Access::write);
                self.touch(process, touched.into());
                self.stay_behind(process, victim);
                self.kill(process, victim);
            }
            Some(Op::Ask(other)) => {
                let is_alive = u8::from(self.processes[other].is_alive());
                self.processes[process].register = Number::Constant(is_alive);
                self.touch(process, vec![Access::read(alive(other))]);
                self.stay_behind(process, other);
            }
            Some(Op::If(..)) => unreachable!("it is no step"),
        }
        self.go_on();
    }

    /// The last event comes after the messages that a process sent to another one before.
    fn stay_behind(&mut self, process: usize, target: usize) {
        let channel = self.channel(process, target);
        let mut delivered = self.delivered.iter().rev();
        let last = delivered.find(|it| it.0 == channel);
        let event = self.events.last_mut().expect("there is a step");
        event.behind.extend(last.map(|it| it.1));
    }

    fn kill(&mut self, killer: usize, victim: usize) {
        let is_spawning = self.is_spawning(victim);
        let running = &mut self.processes[victim];
        if !running.is_alive() {
            return;
        }
        running.has_ended = true;
        let waits = running.patience().is_some_and(|it| it != Patience::Zero);
        if killer != victim {
            self.deaths.push(Death {
                process: victim,
                by: self.events.len() - 1,
                is_waiting: waits && !is_spawning,
            });
        }
    }

    fn access(&mut self, process: usize, variable: u8, writes: bool) {
        let object = Object {
            root: u64::from(variable),
            part: None,
        };
        self.touch(process, vec![Access { object, writes }]);
    }

    fn touch(&mut self, process: usize, accesses: Vec<Access>) {
        let step = RunEventKind::Step(accesses);
        self.emit(process, step, Number::Constant(0));
        self.processes[process].advance();
    }

    fn value(&self, process: usize, operand: Operand) -> Number {
        match operand {
            Operand::Number(number) => number,
            Operand::Register => self.processes[process].register,
        }
    }

    /// Lets all processes go on to their next steps.
    fn go_on(&mut self) {
        for process in 0..self.processes.len() {
            if self.processes[process].is_alive() && !self.is_spawning(process) {
                self.go_on_with(process);
            }
        }
    }

    fn go_on_with(&mut self, process: usize) {
        loop {
            match self.processes[process].next().cloned() {
                Some(Op::If(operand, value, _, _)) => {
                    let holds = match self.value(process, operand) {
                        Number::Constant(constant) => constant == value,
                        Number::Input => self.decide(process, 1 << value),
                    };
                    self.processes[process].branch(holds);
                }
                Some(Op::Receive { accepts, patience }) => {
                    if !self.look(process, accepts, patience) {
                        return;
                    }
                }
                Some(Op::Write(..) | Op::Read(_) | Op::Send(..) | Op::Kill(_) | Op::Ask(_))
                | None => return,
            }
        }
    }

    /// Looks through the mailbox. Returns whether a message was taken.
    fn look(&mut self, process: usize, accepts: u8, patience: Patience) -> bool {
        if self.processes[process].receive.is_none() {
            self.processes[process].receive = Some((self.receives.len(), Vec::new()));
            self.processes[process].until = self.clock + 1;
            self.receives.push((accepts, patience));
        }
        for index in 0..self.processes[process].mailbox.len() {
            let running = &mut self.processes[process];
            let (send, value) = running.mailbox[index];
            let (receive, looked) = running.receive.as_mut().expect("it is running");
            let certain = matches(accepts, value);
            if looked.contains(&send) || certain == Some(false) {
                continue;
            }
            looked.push(send);
            let takes = certain.unwrap_or(accepts >> self.input & 1 == 1);
            let kind = RunEventKind::Look {
                receive: *receive,
                send,
                takes,
            };
            self.emit(process, kind, Number::Constant(0));
            if certain.is_none() {
                self.decide(process, accepts);
            }
            if takes {
                let running = &mut self.processes[process];
                running.mailbox.remove(index);
                running.receive = None;
                running.register = value;
                running.advance();
                return true;
            }
        }
        false
    }

    /// Decides whether the input is one of these.
    fn decide(&mut self, process: usize, inputs: u8) -> bool {
        let holds = inputs >> self.input & 1 == 1;
        let decision = self.choices.len();
        self.choices.push(Choice {
            inputs,
            way: usize::from(!holds),
        });
        let kind = RunEventKind::Decision(decision);
        self.emit(process, kind, Number::Constant(0));
        holds
    }
}

impl<'program> Running<'program> {
    fn is_alive(&self) -> bool {
        self.is_started && !self.has_ended
    }

    /// How long it waits, if it does next.
    fn patience(&self) -> Option<Patience> {
        match self.next() {
            Some(Op::Receive { patience, .. }) => Some(*patience),
            Some(
                Op::Write(..) | Op::Read(_) | Op::Send(..) | Op::Kill(_) | Op::Ask(_) | Op::If(..),
            )
            | None => None,
        }
    }

    fn next(&self) -> Option<&'program Op> {
        let mut blocks = self.blocks.iter().rev();
        blocks.find_map(|block| block.first())
    }

    fn advance(&mut self) {
        while let Some([]) = self.blocks.last() {
            self.blocks.pop();
        }
        if let Some(block) = self.blocks.last_mut() {
            *block = &block[1..];
        }
    }

    fn branch(&mut self, holds: bool) {
        let Some(Op::If(_, _, yes, no)) = self.next() else {
            unreachable!("it is a branch");
        };
        self.advance();
        self.blocks.push(if holds { yes } else { no });
    }
}

/// Whether a process is alive.
fn alive(process: usize) -> Object {
    Object {
        root: 100 + process as u64,
        part: None,
    }
}

/// What is in a mailbox. Sends only read it, so that their order does not matter.
fn mailbox(process: usize) -> Object {
    Object {
        root: 200 + process as u64,
        part: None,
    }
}

/// Whether a value is accepted; `None` if that depends on the input.
fn matches(accepts: u8, value: Number) -> Option<bool> {
    match value {
        Number::Constant(constant) => Some(accepts >> constant & 1 == 1),
        Number::Input if accepts == 7 => Some(true),
        Number::Input => None,
    }
}
