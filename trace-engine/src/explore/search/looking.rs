//! What a run tells: it is compared with the runs before, and inputs that take other paths are found.
//!
//! A run that was replayed elsewhere comes without its conditions. Whoever has them answers questions
//! about it, and the run waits for that.

use std::time::Duration;

use trace_format::ProcessLogs;

use super::super::alternatives::{Patience, Run, solve};
use super::super::assistant::{AskedWay, fill_guesses, foreseen_ways};
use super::super::call_walk::CallWalk;
use super::super::candidate::Candidate;
use super::super::executor::{Execution, Executor, Lesson};
use super::super::gap::Gap;
use super::super::long_runs::{AskedDecisions, FOLLOWED};
use super::super::replaying::{Clock, Replaying, RunToReplay};
use super::super::report::{Pruned, Test};
use super::super::solutions::{Alternative, Answers, Solutions};
use super::asked_run::{AskedRun, MadeRun, Questions};
use super::course_of_run::Course;
use super::followed::Followed;
use super::job::Job;
use super::orders::{ManyProcesses, Planning, exceeds};
use super::task_state::{MergedHere, TaskState};
use super::{Search, Tools};
use crate::replay::{Decision, Replayed, Rest, RunEvent, Segments};

/// How long the solver works on one run while other tasks wait.
const SLICE: Duration = Duration::from_millis(250);

/// What came of a look at a run.
enum Looked {
    /// Inputs that take other paths.
    Solved(Box<Solutions>),
    /// Somebody else answers these questions.
    Asked(Questions),
}

impl<'search, E: Executor + Sync> Search<'search, E> {
    /// Finds inputs that take other paths than a run. Returns whether that is done; otherwise somebody
    /// else does it.
    pub(super) fn learn(
        &self,
        job: Job<'search>,
        execution: Execution<E::Outcome>,
        followed: Followed,
        tools: &mut Tools<'search, E>,
    ) -> bool {
        let mut course = Course {
            is_controlled: execution.uncontrolled.is_empty(),
            ..Course::default()
        };
        let run_time = followed.run_time;
        let looked = self.ask((&job, &execution.logs), followed, tools, &mut course);
        let made = MadeRun {
            job,
            execution,
            course,
            run_time,
        };
        match looked {
            Looked::Solved(solutions) => {
                self.note(made, *solutions, tools);
                true
            }
            Looked::Asked(questions) => {
                let key = made.job.key();
                tools
                    .asked
                    .push(key, Box::new(AskedRun { made, questions }));
                false
            }
        }
    }

    /// Goes on with a run when its questions are answered. If the answers are lost, they are found here.
    pub(super) fn take_answers(
        &self,
        asked: AskedRun<'search, E::Outcome>,
        tools: &mut Tools<'search, E>,
    ) {
        let AskedRun { made, questions } = asked;
        let Questions {
            alternatives,
            ways,
            merged_ways,
            replay_time,
        } = questions;
        let answers = tools.executor.answers(made.job.key());
        let is_over = self.lock().is_over;
        let answers = answers.unwrap_or_else(|| {
            if is_over {
                return Answers::stopped();
            }
            let logs = &made.execution.logs;
            self.answer_here(&made.job, logs, (&alternatives, &ways), tools)
        });
        let mut solutions = Solutions::new(answers, &alternatives);
        solutions.merged_ways = merged_ways;
        solutions.statistics.replay_time = replay_time;
        self.plan_inputs(&made.job, None, &alternatives, &mut solutions);
        self.note(made, solutions, tools);
    }

    /// The questions that somebody else gets. The search alone knows values for what is not understood;
    /// other threads may have found more of them meanwhile.
    fn asked_ways(
        &self,
        job: &Job<'_>,
        decisions: &[Decision],
        alternatives: &[Alternative],
    ) -> Vec<AskedWay> {
        let state = self.lock();
        let known = state.tasks.get(job.task_number);
        let ways = alternatives.iter().map(|alternative| {
            let decision = decisions.get(alternative.decision);
            let guessed = decision.filter(|it| it.given.is_some());
            let count = guessed.map_or(0, |it| it.ways.len().saturating_sub(1));
            let values = known.map_or(&[][..], |it| it.guesses.values(alternative.point));
            AskedWay::new(alternative, values.get(..count).unwrap_or_default())
        });
        ways.collect()
    }

    /// Answers questions about a run that was replayed elsewhere.
    fn answer_here(
        &self,
        job: &Job<'_>,
        logs: &ProcessLogs,
        (alternatives, ways): (&[Alternative], &[AskedWay]),
        tools: &mut Tools<'search, E>,
    ) -> Answers {
        let followed = self.replay(job, logs, tools, Rest::Nothing);
        let mut replayed = match followed.replayed {
            Ok(replayed) => replayed,
            Err(error) => return Answers::bad_log(error.to_string()),
        };
        fill_guesses(&mut replayed, ways);
        self.solve(job, replayed, (alternatives, None), tools)
    }

    /// Notes what is known of a run, and what to run next.
    fn note(
        &self,
        made: MadeRun<'search, E::Outcome>,
        mut solutions: Solutions,
        tools: &Tools<'search, E>,
    ) {
        let MadeRun {
            job,
            execution,
            mut course,
            run_time,
        } = made;
        // The part that is missing in a log may have followed the prediction.
        course.diverged &= !course.is_cut;
        if course.is_made_before(&job) || course.is_vain(&job, &solutions) {
            return self.lock().forget(&job);
        }
        solutions.statistics.add(&course.order_statistics);
        solutions.statistics.divergences = u64::from(course.diverged);
        solutions.statistics.run_time = run_time;
        if course.diverged {
            solutions.gaps.push(Gap::Divergence);
        }
        let uncontrolled = execution.uncontrolled.into_iter().map(Gap::Uncontrolled);
        let uncontrolled = uncontrolled.filter(|it| !course.gaps.contains(it));
        solutions.gaps.extend(uncontrolled);
        solutions.gaps.extend(course.gaps);
        if course.is_cut {
            solutions.gaps.extend(execution.cut);
        }
        course.trace.shrink_to_fit();
        let order = job.candidate.order.as_ref();
        let race = order.and_then(|order| order.race);
        let test = Test {
            parent: job.candidate.parent,
            arguments: job.candidate.arguments.clone(),
            outcome: execution.outcome,
            trace: course.trace,
            diverged: course.diverged,
            repeats: course.repeats,
            new_clauses: course.new_clauses.clone(),
            other_processes: execution.logs.others().count(),
            schedule: course.schedule.map(|it| it.to_string().into()),
            race: race.map(Box::new),
            path: course.path,
            marks: course.marks.into(),
        };
        let statistics = solutions.statistics;
        let mut state = self.lock();
        if let Some(known) = state.tasks.get_mut(job.task_number) {
            if let Some(slot) = known.tests.get_mut(job.number) {
                *slot = Some(test);
            }
            known.add(&job, solutions, execution.logs);
        }
        tools.executor.learned(&Lesson {
            task: job.task_number,
            clauses: &course.new_clauses,
            statistics: &statistics,
            waiting: state.tasks.iter().map(|it| it.queue.len()).sum(),
            pruned: pruned_in_all(&state.tasks),
        });
        if execution.is_finding && self.options.first {
            state.is_over = true;
        }
    }

    /// Goes on with the questions about an earlier run.
    pub(super) fn ask_on(&self, job: Job<'_>, logs: ProcessLogs, tools: &mut Tools<'search, E>) {
        let mut course = Course::default();
        let followed = self.replay(&job, &logs, tools, Rest::Nothing);
        let looked = self.ask((&job, &logs), followed, tools, &mut course);
        let Looked::Solved(solutions) = looked else {
            return;
        };
        let mut state = self.lock();
        if let Some(known) = state.tasks.get_mut(job.task_number) {
            known.add(&job, *solutions, logs);
        }
    }

    pub(super) fn replay(
        &self,
        job: &Job<'_>,
        logs: &ProcessLogs,
        tools: &Tools<'search, E>,
        rest: Rest,
    ) -> Followed {
        let executor = &tools.executor;
        let start = executor.now();
        let rules = executor.rules();
        let run = RunToReplay {
            entry: job.task.entry,
            signature: job.task.signature.as_ref(),
            marks: job.task.marks,
            arguments: job.arguments.terms(),
            logs,
            rules: &rules,
            modules: job.task.paths.as_ref().map_or(0, |it| it.modules),
            keys: job.keys(),
            rest,
        };
        let clock = Clock {
            now: &|| executor.now(),
            should_stop: &|| executor.should_stop(),
        };
        let replaying = Replaying::new(self.program, self.pruning.as_ref(), self.options);
        let (replayed, segments) = replaying.replay(&run, clock);
        Followed {
            replayed,
            segments,
            is_elsewhere: false,
            answers: None,
            rules,
            run_time: Duration::ZERO,
            replay_time: executor.now().saturating_sub(start),
        }
    }

    /// Asks for inputs that take other paths than a run.
    fn ask(
        &self,
        (job, logs): (&Job<'_>, &ProcessLogs),
        followed: Followed,
        tools: &mut Tools<'search, E>,
        course: &mut Course,
    ) -> Looked {
        let start = tools.executor.now();
        let replay_time = followed.replay_time;
        let looked = match followed.replayed {
            Ok(replayed) if followed.is_elsewhere => {
                let followed = (replayed, followed.answers);
                self.follow_elsewhere((job, logs), followed, tools, course)
            }
            Ok(replayed) => {
                let replayed = (replayed, followed.segments);
                Looked::Solved(Box::new(self.follow(job, replayed, tools, course)))
            }
            Err(error) => {
                let answers = Answers::bad_log(error.to_string());
                Looked::Solved(Box::new(Solutions::new(answers, &[])))
            }
        };
        match looked {
            Looked::Solved(mut solutions) => {
                solutions.statistics.replay_time = replay_time;
                solutions.statistics.solve_time = tools.executor.now().saturating_sub(start);
                Looked::Solved(solutions)
            }
            Looked::Asked(questions) => Looked::Asked(Questions {
                replay_time,
                ..questions
            }),
        }
    }

    /// The same for a run that was replayed elsewhere: whoever did that answers the questions, too.
    fn follow_elsewhere(
        &self,
        (job, logs): (&Job<'_>, &ProcessLogs),
        (mut replayed, answers): (Replayed, Option<Answers>),
        tools: &mut Tools<'search, E>,
        course: &mut Course,
    ) -> Looked {
        let (alternatives, merged) =
            self.take_in(job, (&mut replayed, None), &mut None, tools, course);
        self.note_gaps(&mut replayed, course);
        course.trace = replayed.trace;
        course.marks = replayed.marks;
        let is_foreseen = || {
            let foreseen = foreseen_ways(&replayed.decisions, job.asked_from()?);
            Some(foreseen.eq(alternatives.iter().map(AskedWay::as_foreseen)))
        };
        let was_asked = answers.is_some();
        let answers = match answers {
            Some(answers) if is_foreseen() == Some(true) => answers,
            // Nothing is known there about a run that was looked at whole.
            Some(_) | None => {
                let ways = self.asked_ways(job, &replayed.decisions, &alternatives);
                let is_open = !was_asked && tools.executor.ask(job.key(), &ways);
                if alternatives.is_empty() {
                    Answers::default()
                } else if is_open {
                    return Looked::Asked(Questions {
                        alternatives,
                        ways,
                        merged_ways: merged.ways.len(),
                        replay_time: Duration::ZERO,
                    });
                } else {
                    self.answer_here(job, logs, (&alternatives, &ways), tools)
                }
            }
        };
        let mut solutions = Solutions::new(answers, &alternatives);
        solutions.merged_ways = merged.ways.len();
        self.plan_inputs(job, None, &alternatives, &mut solutions);
        Looked::Solved(Box::new(solutions))
    }

    fn follow(
        &self,
        job: &Job<'_>,
        (mut replayed, segments): (Replayed, Option<Segments>),
        tools: &mut Tools<'search, E>,
        course: &mut Course,
    ) -> Solutions {
        let is_over = tools.executor.should_stop();
        let mut events = std::mem::take(&mut replayed.events);
        let deaths = std::mem::take(&mut replayed.deaths);
        if self.options.any_time {
            events.iter_mut().for_each(RunEvent::without_waiting);
        }
        let happened = (events.as_slice(), deaths.as_slice());
        let any_time = self.options.any_time;
        let mut many = ManyProcesses::new(self.program, happened, &mut replayed, any_time);
        if let Some(many) = &mut many {
            many.is_certain &= course.is_controlled;
        }
        let followed = (&mut replayed, segments.as_ref());
        let (alternatives, merged) = self.take_in(job, followed, &mut many, tools, course);
        self.note_gaps(&mut replayed, course);
        course.trace = std::mem::take(&mut replayed.trace);
        course.marks = std::mem::take(&mut replayed.marks);
        let is_stopped = replayed.is_stopped;
        let questions = (alternatives.as_slice(), many.as_ref());
        let answers = self.solve(job, replayed, questions, tools);
        let mut solutions = Solutions::new(answers, &alternatives);
        solutions.merged_ways = merged.ways.len();
        self.plan_inputs(job, many.as_ref(), &alternatives, &mut solutions);
        if is_stopped && is_over {
            solutions.gaps.push(Gap::Stopped);
        }
        solutions
    }

    /// Adds a run to what is known. Returns the ways that were not asked for, and those that were
    /// asked for in the same states elsewhere.
    fn take_in(
        &self,
        job: &Job<'_>,
        (replayed, segments): (&mut Replayed, Option<&Segments>),
        many: &mut Option<ManyProcesses<'_>>,
        tools: &Tools<'search, E>,
        course: &mut Course,
    ) -> (Vec<Alternative>, MergedHere) {
        course.is_cut = replayed.is_cut();
        let is_over = tools.executor.should_stop();
        // Otherwise replaying it took too long.
        let is_long = self.cut_decisions(replayed) || (replayed.is_stopped && !is_over);
        let asked = AskedDecisions::new(&replayed.decisions, self.options.max_decisions);
        let has_gap = is_long || asked.leaves_out();
        course.gaps.extend(has_gap.then_some(Gap::LongRun));
        let mut state = self.lock();
        let Some(known) = state.tasks.get_mut(job.task_number) else {
            return (Vec::new(), MergedHere::default());
        };
        course.new_clauses = known.reach(replayed, job);
        let (mut alternatives, merged) = match many {
            Some(many) => {
                let many = self.take_in_many(known, job, many, replayed, course);
                (many, MergedHere::default())
            }
            None => take_in_one(known, job, (replayed, segments), course),
        };
        alternatives.retain(|it| asked.contains(it.decision));
        course.path = known.path(replayed, &merged);
        course.diverged &= !replayed.is_stopped;
        (alternatives, merged)
    }

    /// Notes what is not understood in a run.
    fn note_gaps(&self, replayed: &mut Replayed, course: &mut Course) {
        let opaque = replayed.opaque.drain(..);
        let uncontrolled = replayed.uncontrolled.drain(..);
        let gaps = opaque.map(|call| Gap::OpaqueCall(call.name));
        let gaps = gaps.chain(uncontrolled.map(|call| Gap::Uncontrolled(call.name)));
        course.gaps.extend(gaps);
    }

    /// Solves the alternatives of a run that was replayed here.
    fn solve(
        &self,
        job: &Job<'_>,
        replayed: Replayed,
        (alternatives, many): (&[Alternative], Option<&ManyProcesses<'_>>),
        tools: &mut Tools<'search, E>,
    ) -> Answers {
        let run = Run {
            program: self.program,
            graph: replayed.graph,
            decisions: &replayed.decisions,
            history: many.map(|many| &many.history),
            arguments: job.arguments.terms(),
            signature: job.task.signature.as_ref(),
            given: &replayed.given,
            machine_states: &replayed.machine_states,
        };
        let Tools {
            executor, solvers, ..
        } = tools;
        let start = executor.now();
        let patience = Patience {
            should_stop: &|| executor.should_stop(),
            should_pause: &|| job.is_awaited && executor.now().saturating_sub(start) > SLICE,
        };
        solve(run, alternatives, solvers, job.task.limits, &patience)
    }

    /// Drops the decisions that are too many; whether there were some.
    fn cut_decisions(&self, replayed: &mut Replayed) -> bool {
        let most = self.options.max_decisions;
        let is_alone = replayed.processes.len() <= 1;
        let followed = if is_alone {
            most.saturating_mul(FOLLOWED)
        } else {
            most
        };
        let is_cut = replayed.decisions.len() > followed;
        replayed.decisions.truncate(followed);
        is_cut
    }

    /// Adds a run of several processes: plans other orders of its steps, and returns the ways of
    /// its decisions that were not asked for.
    fn take_in_many(
        &self,
        known: &mut TaskState<E::Outcome>,
        job: &Job<'_>,
        many: &mut ManyProcesses<'_>,
        replayed: &mut Replayed,
        course: &mut Course,
    ) -> Vec<Alternative> {
        let Replayed {
            decisions, graph, ..
        } = replayed;
        many.points = known.identify(&many.history, decisions, graph);
        course.diverged = !known.is_as_planned(&job.candidate, &many.points);
        let schedule = many.own_schedule();
        course.order_statistics.schedules = 1;
        course.order_statistics.steps = schedule.steps();
        course.order_statistics.switches = schedule.switches() as u64;
        course.schedule = Some(schedule);
        course.repeats = !known.note_run(many);
        if let (Some(order), false) = (&job.candidate.order, course.diverged) {
            // From now on a run contains it.
            known.made.forget(order.part.hash_code());
        }
        if course.repeats && job.is_new {
            return Vec::new();
        }
        let planning = Planning {
            arguments: &job.candidate.arguments,
            parent: job.number,
            max_switches: self.options.max_switches,
        };
        let counts = known.plan_orders(many, &planning);
        course
            .gaps
            .extend((counts.too_long > 0).then_some(Gap::ScheduleBound));
        course.order_statistics.races = counts.races;
        known.ways_among(many, decisions)
    }

    /// Makes what to run next of the solutions.
    fn plan_inputs(
        &self,
        job: &Job<'_>,
        many: Option<&ManyProcesses<'_>>,
        alternatives: &[Alternative],
        solutions: &mut Solutions,
    ) {
        let mut state = self.lock();
        let Some(known) = state.tasks.get_mut(job.task_number) else {
            return;
        };
        known.refuted.extend(solutions.refuted.drain(..));
        for solution in solutions.inputs.drain(..) {
            let order = match many {
                Some(many) => known.plan_way(many, alternatives, &solution),
                None => Some(None),
            };
            let planned = order.as_ref().and_then(Option::as_ref);
            if planned.is_some_and(|it| exceeds(&it.schedule, self.options.max_switches)) {
                solutions.gaps.push(Gap::ScheduleBound);
                continue;
            }
            if let Some(order) = order {
                solutions.candidates.push(Candidate {
                    arguments: solution.arguments,
                    parent: Some(job.number),
                    target: Some(solution.target),
                    order,
                    is_exchanged: false,
                });
            }
        }
    }
}

/// The states of all tasks.
fn pruned_in_all<O>(tasks: &[TaskState<O>]) -> Pruned {
    let mut all = Pruned::default();
    tasks.iter().for_each(|it| all.add(it.pruned()));
    all
}

/// Adds a run of one process, and returns the ways of its decisions that were not asked for, and
/// those that were asked for in the same states elsewhere.
fn take_in_one<O>(
    known: &mut TaskState<O>,
    job: &Job<'_>,
    (replayed, segments): (&mut Replayed, Option<&Segments>),
    course: &mut Course,
) -> (Vec<Alternative>, MergedHere) {
    let Replayed {
        decisions,
        graph,
        states,
        calls,
        ..
    } = &mut *replayed;
    let walk = CallWalk::new(job.number, &job.arguments, job.first_new_decision());
    let (points, end) = known.points(decisions, (states, calls), graph, walk);
    if let Some(states) = known.states.as_mut().filter(|_| job.is_new) {
        let found = (replayed.states.as_slice(), segments);
        states.add_run(job.number, &job.candidate, &points, found);
    }
    let decisions = &replayed.decisions;
    course.repeats = !known.visited.end(end);
    course.diverged = job.candidate.target.is_some_and(|target| {
        let mut steps = points.iter().zip(decisions);
        target.is_certain
            && !steps.any(|(at, step)| at.point == target.point && step.taken == target.way)
    });
    known.alternatives(decisions, &points, job)
}
