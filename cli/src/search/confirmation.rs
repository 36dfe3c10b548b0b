//! Runs inputs again on the user's code without instrumentation.

use std::sync::Arc;
use std::time::Instant;

use erlang_term::{Atom, Term};
use reports::{
    ChartedRun, Entry, OrderedRun, OriginalCode, Outcome, REJECTED_INPUT, Trial, printed_text,
};
use trace_engine::explore::{OtherOrder, other_orders};
use trace_engine::{PlayMark, course_of};
use trace_format::Schedule;

use crate::beam::worker::{Limits, Worker};
use crate::beam::{BeamRules, ProcessModel};
use crate::failure::Failure;
use crate::program::target::{Start, Target};
use crate::search::recorded::{BOUNDS, MAX_EVENTS, Recorded};
use crate::search::run_ends::RunEnds;
use crate::search::subjects::Subject;
use crate::search::time_limit::TimeLimit;
use crate::sources::front_end::FrontEnd;

/// A worker for the original code, started for the first input.
#[derive(Debug)]
pub(crate) struct Confirmation<'search> {
    target: &'search Target,
    front_end: &'search FrontEnd,
    subjects: &'search [Subject],
    limits: &'search Limits,
    ends: RunEnds,
    time: TimeLimit,
    rules: Arc<BeamRules>,
    processes: ProcessModel,
    worker: Option<Worker>,
    /// For code whose processes follow schedules.
    ordered_worker: Option<Worker>,
}

impl<'search> Confirmation<'search> {
    pub(crate) fn new(
        target: &'search Target,
        front_end: &'search FrontEnd,
        subjects: &'search [Subject],
        limits: &'search Limits,
        time: TimeLimit,
    ) -> Self {
        Self {
            target,
            front_end,
            subjects,
            limits,
            ends: RunEnds::new(target.own_sources()),
            time,
            rules: Arc::default(),
            processes: ProcessModel::default(),
            worker: None,
            ordered_worker: None,
        }
    }

    /// The same, with the rules of the search.
    pub(crate) fn with_rules(self, rules: Arc<BeamRules>) -> Self {
        Self { rules, ..self }
    }

    /// The same, with processes that are controlled as in the search.
    pub(crate) fn with_processes(self, model: ProcessModel) -> Self {
        Self {
            processes: ProcessModel {
                is_recorded: false,
                ..model
            },
            ..self
        }
    }
}

impl Confirmation<'_> {
    /// A worker for the original code; `None` if there is no time left.
    fn original_worker(&mut self) -> Result<Option<Worker>, Failure> {
        let worker = match self.worker.take() {
            Some(worker) => Ok(worker),
            None => self
                .target
                .original_worker(self.front_end)
                .map(|it| it.with_rules(Arc::clone(&self.rules))),
        };
        match worker {
            Err(_) if Instant::now() >= self.time.end() => Ok(None),
            worker => worker.map(Some),
        }
    }

    /// A run that leaves a record.
    fn recorded(
        &mut self,
        entry: &Entry,
        arguments: Term,
        schedule: &Schedule,
    ) -> Option<Recorded> {
        let subjects = self.subjects;
        let subject = subjects.iter().find(|it| it.entry == *entry)?;
        let model = ProcessModel {
            is_recorded: true,
            ..self.processes
        };
        let terms = arguments.as_list().unwrap_or_default().to_vec();
        let mut worker = self.ordered_worker().with_processes(model);
        let Start { module, body, .. } = &subject.start;
        let (limits, end) = (self.limits, Some(self.time.end()));
        let run = worker.run_until((module, body), arguments, schedule, limits, end);
        let rules = worker.rules();
        self.ordered_worker = Some(worker);
        let run = run.ok()??;
        Some(Recorded::new(
            run,
            rules,
            (subject.start.number, terms),
            model,
        ))
    }

    /// A worker for code whose processes follow schedules.
    fn ordered_worker(&mut self) -> Worker {
        self.ordered_worker.take().unwrap_or_else(|| {
            let worker = self.target.worker().with(self.front_end.standby());
            worker.with_rules(Arc::clone(&self.rules))
        })
    }

    /// The text that a function of the runtime returns, beside the original code.
    fn text_of(&mut self, module: &str, function: &str, arguments: Term) -> Option<String> {
        let [module, function] = [module, function].map(Atom::new);
        let (limits, end) = (self.limits, self.time.end());
        let worker = self.worker.as_mut()?;
        let run = worker.run_until(
            (&module, &function),
            arguments,
            Schedule::run_on(),
            limits,
            Some(end),
        );
        match run.ok()??.outcome {
            Outcome::Ok(text) => printed_text(&text),
            Outcome::Exception { .. }
            | Outcome::Timeout
            | Outcome::Killed
            | Outcome::WorkerDied
            | Outcome::Deadlock { .. }
            | Outcome::Steps
            | Outcome::Blocked(_) => None,
        }
    }
}

/// When a wait for a real timer ends. If the computer is busy, the timer may be over too early, and
/// waiting for it is in vain. That must not take the time of all other findings.
fn halfway_to(end: Instant) -> Instant {
    let now = Instant::now();
    now + end.saturating_duration_since(now) / 2
}

impl OriginalCode for Confirmation<'_> {
    type Failure = Failure;

    fn run(&mut self, entry: &Entry, arguments: Term) -> Result<Option<Outcome>, Failure> {
        let target = self.target;
        let end = self.time.end();
        let waits = entry.waits(arguments.as_list().unwrap_or_default());
        let end_of_run = if waits { halfway_to(end) } else { end };
        let Some(mut worker) = self.original_worker()? else {
            return Ok(None);
        };
        let Entry {
            module, function, ..
        } = target.start(entry);
        let module = target.renaming.loaded_as(&module);
        let run = worker.run_until(
            (module, &function.name),
            arguments.clone(),
            Schedule::run_on(),
            self.limits,
            Some(end_of_run),
        );
        let mut outcome = run?.map(|run| run.outcome);
        let was_ended = matches!(
            outcome,
            Some(Outcome::Timeout | Outcome::Killed | Outcome::WorkerDied)
        );
        if was_ended && !can_be_made(&mut worker, arguments, self.limits, end)? {
            outcome = Some(Outcome::Exception {
                class: "exit".to_owned(),
                reason: REJECTED_INPUT.to_owned(),
                stack: Vec::new(),
            });
        }
        self.worker = Some(worker);
        if let Some(outcome) = &mut outcome {
            target.tidy_original(outcome);
            self.ends.locate(outcome);
        }
        Ok(outcome)
    }

    fn try_out(
        &mut self,
        entry: &Entry,
        arguments: Term,
        trial: Trial,
    ) -> Result<Option<Vec<Outcome>>, Failure> {
        let Some(mut worker) = self.original_worker()? else {
            return Ok(None);
        };
        let target = self.target;
        let Entry {
            module, function, ..
        } = target.start(entry);
        let module = target.renaming.loaded_as(&module);
        let (limits, end) = (self.limits, self.time.end());
        let run = worker.run_trial((module, &function.name), arguments, trial, limits, end)?;
        self.worker = Some(worker);
        Ok(run.map(|run| {
            let mut ends = vec![run.outcome];
            ends.extend(run.exits);
            for outcome in &mut ends {
                target.tidy_original(outcome);
                self.ends.locate(outcome);
            }
            ends
        }))
    }

    fn run_in_order(
        &mut self,
        entry: &Entry,
        arguments: Term,
        schedule: &Schedule,
    ) -> Result<Option<OrderedRun>, Failure> {
        let subjects = self.subjects;
        let Some(subject) = subjects.iter().find(|it| it.entry == *entry) else {
            return Ok(None);
        };
        let mut worker = self.ordered_worker().with_processes(self.processes);
        let Start { module, body, .. } = &subject.start;
        let (limits, end) = (self.limits, Some(self.time.end()));
        let run = worker.run_until((module, body), arguments, schedule, limits, end)?;
        self.ordered_worker = Some(worker);
        Ok(run.map(|mut run| {
            self.target.tidy(&mut run.outcome);
            let schedule = run.gate.schedule();
            let is_alone = run.gate.processes.len() < 2;
            OrderedRun {
                end: self.ends.of(entry, run.outcome, run.gate.processes),
                schedule: if is_alone {
                    Schedule::default()
                } else {
                    schedule
                },
            }
        }))
    }

    fn other_orders(
        &mut self,
        entry: &Entry,
        arguments: Term,
        schedule: &Schedule,
    ) -> Vec<OtherOrder> {
        let recorded = self.recorded(entry, arguments, schedule);
        let should_stop = || Instant::now() >= self.time.end_of_shrinking();
        let orders = recorded.map(|recorded| {
            let run = recorded.run(self.target);
            other_orders(&run, MAX_EVENTS, BOUNDS, &should_stop)
        });
        orders.unwrap_or_default()
    }

    fn charted_run(
        &mut self,
        entry: &Entry,
        arguments: Term,
        schedule: &Schedule,
    ) -> Option<ChartedRun> {
        let mut recorded = self.recorded(entry, arguments, schedule)?;
        let should_stop = || Instant::now() >= self.time.end();
        let run = recorded.run(self.target);
        let course = course_of(&run, MAX_EVENTS, BOUNDS, &should_stop)?;
        self.target.tidy(&mut recorded.outcome);
        let Recorded {
            outcome, processes, ..
        } = recorded;
        let end = self.ends.of(entry, outcome, processes);
        Some(ChartedRun { course, end })
    }

    fn marks(&mut self, entry: &Entry, arguments: Term, schedule: &Schedule) -> Vec<PlayMark> {
        let recorded = self.recorded(entry, arguments, schedule);
        let (Some(recorded), Some(modules)) = (recorded, self.target.marks()) else {
            return Vec::new();
        };
        let should_stop = || Instant::now() >= self.time.end();
        let run = recorded.run(self.target);
        run.marks(modules, MAX_EVENTS, BOUNDS, &should_stop)
    }

    fn banner(&mut self, entry: &Entry, arguments: Term) -> Option<String> {
        let Entry {
            module, function, ..
        } = self.target.start(entry);
        let module = self.target.renaming.loaded_as(&module).clone();
        let given = [Term::Atom(module), Term::Atom(function.name), arguments];
        let banner = self.text_of("erlconcolic_exception", "banner", Term::list(given));
        banner.filter(|it| !it.is_empty())
    }

    fn formatted(&mut self, source: &str, columns: usize) -> Option<String> {
        let columns = Term::Integer(i64::try_from(columns).ok()?.into());
        let given = Term::list([Term::binary(source), columns]);
        self.text_of("erlconcolic_formatter", "format", given)
    }

    fn has_time_to_shrink(&self) -> bool {
        Instant::now() < self.time.end_of_shrinking()
    }

    fn is_input(&self, entry: &Entry, arguments: &[Term]) -> bool {
        let subject = self.subjects.iter().find(|it| it.entry == *entry);
        let signature = subject.and_then(|it| it.task.signature.as_ref());
        signature.is_none_or(|it| it.admits(arguments))
    }
}

/// Whether the values of an input can be made. If not, it is no crash of the entry that the run was
/// ended.
fn can_be_made(
    worker: &mut Worker,
    arguments: Term,
    limits: &Limits,
    end: Instant,
) -> Result<bool, Failure> {
    if !arguments.has_recipes() {
        return Ok(true);
    }
    let [module, function] = ["erlang", "is_list"].map(Atom::new);
    let arguments = Term::list([arguments]);
    let run = worker.run_until(
        (&module, &function),
        arguments,
        Schedule::run_on(),
        limits,
        Some(end),
    )?;
    Ok(run.is_some_and(|run| matches!(run.outcome, Outcome::Ok(_))))
}
