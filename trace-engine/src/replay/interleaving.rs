//! Replays the processes of a run together, in the order of their steps.
//!
//! A lease says that a process made some steps. Its log is followed until it has made them; the
//! events behind the last one, up to the next step, concern nobody else and come with its next
//! lease. A delivery takes a message from its channel to the mailbox. When all leases were followed,
//! each process comes to its end, or to the `receive` in which it waits.

use std::convert::Infallible;

use flattener::flat::{Callable, Statement};
use trace_format::{
    Broken, CallBack, Ending, Happened, Listener, ProcessFollower, ProcessLogs, Progress, RunLog,
    TakenLease,
};

use super::bounds::{Bounds, Rest};
use super::coverage_only::note_reached;
use super::deaths::note_death;
use super::delivering::{deliver, number_channels};
use super::events;
use super::exit_signals::process_ended;
use super::hibernation::{hibernates_for_ever, wakes_up};
use super::listening::{ProcessListener, Refusal, misfit};
use super::mailbox::waits_for_ever;
use super::old_receives::{OldOutcome, old_receive};
use super::process::Process;
use super::process_ids::FIRST_FOREIGN;
use super::replayed::{Misfit, ReplayError};
use super::run_state::RunState;
use super::signals::add_signals;
use super::stack::Frame;
use super::steps::{ended_in_step, sleeps_for_ever, step_calls_back};
use super::timers::{is_timer, timer_fires};
use super::waited_events::put_before_timeouts;
use super::waiting::note_open_times;

/// The processes of a run while they are replayed.
pub(super) struct Interleaving<'replay, 'run> {
    run: RunState<'run>,
    /// By their numbers; `None` for processes that nobody controls.
    strands: Vec<Option<Strand<'run>>>,
    /// The log of the entry function.
    log: RunLog<'run>,
    logs: &'run ProcessLogs,
    /// Some function, for the bottom of stacks.
    some: Frame<'run>,
    bounds: Bounds,
    is_past_bounds: bool,
    should_stop: &'replay dyn Fn() -> bool,
}

/// A process, and how far its log was followed.
struct Strand<'run> {
    process: Process<'run>,
    follower: ProcessFollower<'run>,
    /// How its log ended, once it has.
    ending: Option<Ending>,
    /// Whether the step was made that is its end.
    has_ended: bool,
}

/// Whether the replay goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Going {
    On,
    /// There is no time left, or the rest does not matter, or the logs are cut short.
    Stopped,
}

impl<'replay, 'run> Interleaving<'replay, 'run> {
    /// A run before its first event, with the process of the entry function.
    pub(super) fn new(
        mut run: RunState<'run>,
        entry: Process<'run>,
        (log, logs): (&RunLog<'run>, &'run ProcessLogs),
        bounds: Bounds,
        should_stop: &'replay dyn Fn() -> bool,
    ) -> Self {
        run.begin_together(known_processes(logs), logs.has_deliveries());
        if let (Some(process), Some((module, index))) =
            (run.replayed.processes.first_mut(), log.entry)
        {
            process.entry = Some((module, Callable::Function(index)));
        }
        let some = entry.stack.frame;
        let strand = Strand::new(entry, log);
        Self {
            run,
            strands: vec![Some(strand)],
            log: *log,
            logs,
            some,
            bounds,
            is_past_bounds: false,
            should_stop,
        }
    }

    /// Replays all of it.
    pub(super) fn replay(mut self) -> Result<RunState<'run>, ReplayError> {
        let mut going = Going::On;
        for lease in self.logs.leases() {
            if going == Going::On && !self.is_past_bounds {
                going = match *lease {
                    TakenLease::Steps(process, steps) => self.lease(process, steps)?,
                    TakenLease::Deliveries(from, to, count) => self.deliver(from, to, count)?,
                };
            }
        }
        if going == Going::On {
            self.end_processes()?;
        }
        if !self.run.replayed.is_stopped && self.bounds.rest == Rest::Coverage {
            self.note_other_logs();
        }
        Ok(self.into_run())
    }

    /// Replays deliveries of messages from one process to another one.
    fn deliver(&mut self, from: usize, to: usize, count: u32) -> Result<Going, ReplayError> {
        for _ in 0..count {
            let delivered = deliver(&mut self.run, from, to);
            delivered.map_err(|Misfit(what)| misfit_of_leases(from, what))?;
        }
        Ok(Going::On)
    }

    /// Replays the steps of a lease.
    fn lease(&mut self, number: usize, steps: u32) -> Result<Going, ReplayError> {
        if is_timer(&self.run, number) {
            self.run.begin_turn(number);
            let fired = timer_fires(&mut self.run, number);
            fired.map_err(|Misfit(what)| misfit_of_leases(number, what))?;
            return Ok(Going::On);
        }
        let Some(progress) = self.resume(number, steps)? else {
            return Ok(Going::Stopped);
        };
        let Progress::Ended(ending) = progress else {
            return Ok(Going::On);
        };
        if self.is_past_bounds {
            return Ok(Going::On);
        }
        self.log_ended(number, ending)?;
        let missing = steps.saturating_sub(self.run.steps_of_turn());
        let strand = self.strand(number)?;
        if missing == 1 && !strand.has_ended && !strand.follower.is_too_long() {
            strand.has_ended = true;
            if let Some(process) = self.run.replayed.processes.get_mut(number) {
                process.waits_at = None;
            }
            self.last_step(number)?;
            return Ok(Going::On);
        }
        if self.is_cut_short(number)? {
            self.run.replayed.is_cut_short = true;
            return Ok(Going::Stopped);
        }
        Err(misfit_of_leases(number, "it made fewer steps"))
    }

    /// Replays the step that is the end of a process.
    fn last_step(&mut self, number: usize) -> Result<(), ReplayError> {
        let run = &mut self.run;
        let Some(Some(strand)) = self.strands.get_mut(number) else {
            return Ok(());
        };
        let (ending, stopped_at) = (strand.ending, strand.follower.stopped_at());
        let process = &mut strand.process;
        let misfit = |events, wrong| Err(misfit(events, wrong));
        if let Some((_, statement)) = stopped_at.filter(|_| ending == Some(Ending::Open)) {
            match ended_in_step(run, process, statement) {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(wrong) => return misfit(process.events, wrong),
            }
        }
        match process_ended(run, process, ending) {
            Ok(()) => Ok(()),
            Err(wrong) => misfit(process.events, wrong),
        }
    }

    /// Follows the log of a process until it has made so many steps; `None` if it should stop.
    fn resume(&mut self, number: usize, steps: u32) -> Result<Option<Progress>, ReplayError> {
        let strand = self.strands.get_mut(number).and_then(Option::as_mut);
        let strand = strand.ok_or_else(|| misfit_of_leases(number, "nobody spawned it"))?;
        self.run.begin_turn(number);
        let mut listener = SteppingListener {
            steps,
            inner: ProcessListener {
                run: &mut self.run,
                process: &mut strand.process,
                bounds: self.bounds,
                is_past_bounds: self.is_past_bounds,
                keys: None,
                should_stop: self.should_stop,
            },
        };
        let followed = strand.follower.resume(&mut listener);
        self.is_past_bounds = listener.inner.is_past_bounds;
        let progress = match followed {
            Ok(progress) => Some(progress),
            Err(Broken::Log(error)) => return Err(error.into()),
            Err(Broken::Refused(Refusal::Misfit(wrong))) => {
                return Err(misfit(strand.process.events, wrong));
            }
            Err(Broken::Refused(Refusal::Stop)) => {
                self.run.replayed.is_stopped = true;
                None
            }
            Err(Broken::Refused(Refusal::Enough)) => None,
        };
        self.add_spawned();
        Ok(progress)
    }

    /// Follows the processes that were spawned.
    fn add_spawned(&mut self) {
        for (number, call) in self.run.take_spawned() {
            self.strands.resize_with(number, || None);
            let process = Process::of_spawn(number, self.some, call);
            let log = RunLog {
                bytes: self.logs.process(number),
                entry: None,
                ..self.log
            };
            self.strands.push(Some(Strand::new(process, &log)));
        }
    }

    fn strand(&mut self, number: usize) -> Result<&mut Strand<'run>, ReplayError> {
        let strand = self.strands.get_mut(number).and_then(Option::as_mut);
        strand.ok_or_else(|| misfit_of_leases(number, "nobody spawned it"))
    }

    /// The log of a process is over. If it waits in a `receive`, that looks at all messages.
    fn log_ended(&mut self, number: usize, ending: Ending) -> Result<(), ReplayError> {
        let run = &mut self.run;
        let Some(Some(strand)) = self.strands.get_mut(number) else {
            return Ok(());
        };
        if strand.ending.replace(ending).is_some() {
            return Ok(());
        }
        let process = &mut strand.process;
        let stopped_at = strand.follower.stopped_at();
        let waiting = stopped_at.filter(|_| ending == Ending::Open && process.held.is_empty());
        let waits_at = match waiting {
            Some((module, statement)) => waits(run, process, statement)
                .map(|waits| waits.then_some((module, statement.site))),
            None => events::replay_held(run, process).map(|()| None),
        };
        let waits_at = waits_at.map_err(|wrong| misfit(process.events, wrong))?;
        if let Some(replayed) = run.replayed.processes.get_mut(number) {
            replayed.ending = ending;
            replayed.waits_at = waits_at;
        }
        Ok(())
    }

    /// Whether the log of a process ends before the process did, although nobody ended it.
    fn is_cut_short(&mut self, number: usize) -> Result<bool, ReplayError> {
        let processes = &self.run.replayed.processes;
        let process = processes.get(number);
        let waits = process.is_some_and(|it| it.waits_at.is_some());
        let together = self.run.together.as_ref();
        let was_ended = together.is_some_and(|it| it.signals.is_gone(number));
        let strand = self.strand(number)?;
        if strand.follower.is_too_long() {
            return Ok(true);
        }
        let is_open = strand.ending == Some(Ending::Open);
        Ok(is_open && !waits && !strand.has_ended && !was_ended)
    }

    /// After the last lease no process makes a step, unless the run was cut short.
    fn end_processes(&mut self) -> Result<(), ReplayError> {
        for number in 0..self.strands.len() {
            let strand = self.strands.get(number).and_then(Option::as_ref);
            if strand.is_none_or(|strand| strand.ending.is_some()) {
                continue;
            }
            match self.resume(number, u32::MAX)? {
                None => return Ok(()),
                Some(Progress::Paused) => {}
                Some(Progress::Ended(_)) if self.is_past_bounds => {}
                Some(Progress::Ended(ending)) => self.end_process(number, ending)?,
            }
        }
        Ok(())
    }

    fn end_process(&mut self, number: usize, ending: Ending) -> Result<(), ReplayError> {
        let steps = self.run.steps_of_turn();
        self.log_ended(number, ending)?;
        let is_cut_short = self.is_cut_short(number)?;
        self.run.replayed.is_cut_short |= is_cut_short;
        if steps > 0 && !is_cut_short {
            return Err(misfit_of_leases(number, "it made more steps"));
        }
        Ok(())
    }

    /// Notes what processes reached that no followed code spawned, as far as their logs tell.
    fn note_other_logs(&mut self) {
        for number in 0..self.logs.count() {
            if let Some(Some(_)) = self.strands.get(number) {
                continue;
            }
            let log = RunLog {
                bytes: self.logs.process(number),
                entry: None,
                ..self.log
            };
            let mut listener = CoverageListener(&mut self.run);
            let _ = trace_format::follow(&log, &mut listener);
        }
    }

    fn into_run(self) -> RunState<'run> {
        let mut run = self.run;
        note_open_times(&mut run);
        number_channels(&mut run);
        let entry = self.strands.first().and_then(Option::as_ref);
        let entry = entry.and_then(|it| it.ending);
        run.replayed.ending = entry.unwrap_or(Ending::Open);
        if run.has_signals() {
            add_signals(&mut run.replayed);
            let replayed = &run.replayed;
            if !replayed.is_stopped && !replayed.is_cut_short && !self.is_past_bounds {
                note_deaths(&mut run, &self.strands);
            }
        }
        put_before_timeouts(&mut run.replayed);
        run
    }
}

/// Notes the processes that others ended.
fn note_deaths(run: &mut RunState<'_>, strands: &[Option<Strand<'_>>]) {
    for (number, strand) in strands.iter().enumerate() {
        let Some(strand) = strand else {
            continue;
        };
        let by = run.together.as_ref().and_then(|it| it.killed.get(&number));
        // It may be ended when all that is left to do is its end.
        let was_running = strand.ending == Some(Ending::Open) || by.is_some();
        if was_running && !strand.has_ended {
            note_death(run, number, by.copied());
        }
    }
}

/// Whether a process waits at a statement to the end of the run. Its `receive` has looked at all
/// messages.
fn waits<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
) -> Result<bool, Misfit> {
    Ok(waits_for_ever(run, process, statement)?
        || old_receive(run, process, statement, OldOutcome::Waits)?
        || sleeps_for_ever(run, process, statement)?
        || hibernates_for_ever(run, process, statement)?)
}

impl<'run> Strand<'run> {
    fn new(process: Process<'run>, log: &RunLog<'run>) -> Self {
        Self {
            process,
            follower: ProcessFollower::new(log),
            ending: None,
            has_ended: false,
        }
    }
}

/// Hears the events of one process until it has made some steps.
struct SteppingListener<'replay, 'run> {
    inner: ProcessListener<'replay, 'run>,
    steps: u32,
}

impl<'run> Listener<'run> for SteppingListener<'_, 'run> {
    type Refusal = Refusal;

    fn forgets_at_tail_calls(&self) -> bool {
        self.inner.forgets_at_tail_calls()
    }

    fn hear(&mut self, event: Happened<'run>) -> Result<(), Refusal> {
        self.inner.hear(event)
    }

    fn is_called_back(&mut self, statement: &'run Statement) -> Result<CallBack, Refusal> {
        if self.inner.is_past_bounds {
            return Ok(CallBack::Nested);
        }
        let ProcessListener { run, process, .. } = &mut self.inner;
        // That of the entry function is not controlled any more.
        let is_controlled = process.number > 0;
        if is_controlled && wakes_up(run, process, statement).map_err(Refusal::Misfit)? {
            return Ok(CallBack::Anew);
        }
        step_calls_back(run, process, statement).map_err(Refusal::Misfit)?;
        Ok(CallBack::Nested)
    }

    fn pauses(&self) -> bool {
        !self.inner.is_past_bounds && self.inner.run.steps_of_turn() >= self.steps
    }
}

/// Notes what events reach.
struct CoverageListener<'replay, 'run>(&'replay mut RunState<'run>);

impl<'run> Listener<'run> for CoverageListener<'_, 'run> {
    type Refusal = Infallible;

    fn forgets_at_tail_calls(&self) -> bool {
        self.0.forgets
    }

    fn hear(&mut self, event: Happened<'run>) -> Result<(), Infallible> {
        note_reached(self.0, &event);
        Ok(())
    }
}

/// How many processes logs and leases tell of.
fn known_processes(logs: &ProcessLogs) -> usize {
    let leased = logs
        .leases()
        .iter()
        .map(|it| it.last_process().saturating_add(1));
    let leased = leased.filter(|it| *it <= FIRST_FOREIGN as usize).max();
    logs.count().max(leased.unwrap_or(0))
}

fn misfit_of_leases(process: usize, what: &'static str) -> ReplayError {
    ReplayError::Leases { process, what }
}
