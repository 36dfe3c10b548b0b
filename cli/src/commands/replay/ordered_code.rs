//! Instrumented code of one entry, whose processes follow schedules.

use std::sync::Arc;

use erlang_term::Term;
use reports::{Entry, Outcome};
use trace_engine::{PlayMark, PlayMarkKind};
use trace_format::Schedule;

use crate::beam::worker::{Limits, Worker};
use crate::beam::{BeamRules, DeliveryModel, ProcessModel, TimeModel};
use crate::failure::Failure;
use crate::program::target::{Request, Start, Target};
use crate::search::recorded::{BOUNDS, MAX_EVENTS, Recorded};
use crate::search::run_ends::RunEnds;
use crate::sources::front_end::FrontEnd;

/// Code whose processes follow schedules.
pub(super) struct OrderedCode {
    pub(super) entry: Entry,
    pub(super) target: Target,
    worker: Worker,
}

impl OrderedCode {
    /// Prepares the code of an entry.
    pub(super) fn prepare(
        entry: &Entry,
        request: &Request<'_>,
        front_end: &FrontEnd,
        rules: &Arc<BeamRules>,
    ) -> Result<Self, Failure> {
        let target = Target::prepare(request, front_end)?;
        let worker = target.worker().with(front_end.standby());
        let worker = worker.making_values(Term::list([]));
        let worker = worker.with_rules(Arc::clone(rules));
        Ok(Self {
            entry: entry.clone(),
            target,
            worker,
        })
    }

    /// Runs an input with a whole schedule.
    pub(super) fn run(
        &mut self,
        list: Term,
        schedule: &Schedule,
        limits: &Limits,
    ) -> Result<Outcome, Failure> {
        self.worker.control_processes(ordered_model(schedule));
        let Start { module, body, .. } = self.target.instrumented_start(&self.entry)?;
        let worker = &mut self.worker;
        let run = worker.run_scheduled((&module, &body), list, schedule, limits)?;
        let mut ends = RunEnds::new(self.target.own_sources());
        let mut end = ends.of(&self.entry, run.outcome, run.gate.processes);
        self.target.tidy(&mut end.of_entry);
        Ok(end.into_outcome())
    }

    /// Plays a machine in the usual order. Also says how many milliseconds it waited for timers:
    /// in a play no time passes.
    pub(super) fn play(&mut self, list: Term, limits: &Limits) -> Result<(Outcome, i64), Failure> {
        let model = ProcessModel {
            is_recorded: true,
            ..ProcessModel::default()
        };
        let terms = list.as_list().unwrap_or_default().to_vec();
        self.worker.control_processes(model);
        let start = self.target.instrumented_start(&self.entry)?;
        let (function, schedule) = ((&start.module, &start.body), Schedule::default());
        let run = self
            .worker
            .run_scheduled(function, list, &schedule, limits)?;
        let rules = self.worker.rules();
        let mut recorded = Recorded::new(run, rules, (start.number, terms), model);
        let modules = self.target.marks();
        let marks = modules.map(|modules| {
            let run = recorded.run(&self.target);
            run.marks(modules, MAX_EVENTS, BOUNDS, &|| false)
        });
        self.target.tidy(&mut recorded.outcome);
        self.target.own_sources().locate(&mut recorded.outcome);
        Ok((recorded.outcome, waited(&marks.unwrap_or_default())))
    }
}

/// How the processes of a run are controlled that follows a whole schedule: it says when times are
/// over, and when messages arrive.
fn ordered_model(schedule: &Schedule) -> ProcessModel {
    ProcessModel {
        time: TimeModel::Any,
        delivery: if schedule.has_deliveries() {
            DeliveryModel::Any
        } else {
            DeliveryModel::Instant
        },
        is_recorded: false,
        ..ProcessModel::default()
    }
}

/// How many milliseconds a play waited.
fn waited(marks: &[PlayMark]) -> i64 {
    let times = marks.iter().filter_map(|mark| match &mark.kind {
        PlayMarkKind::Waited(time) => time.as_i64(),
        PlayMarkKind::Handled { .. }
        | PlayMarkKind::Waits(_)
        | PlayMarkKind::Fired(_)
        | PlayMarkKind::Replied(_)
        | PlayMarkKind::Ended { .. } => None,
    });
    times.fold(0, i64::saturating_add)
}
