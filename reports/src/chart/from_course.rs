//! Makes a chart from the course of a run and the ends of its processes.

use erlang_term::Term;
use flattener::flat::{Operation, SiteId, Value};
use trace_engine::explore::Race;
use trace_engine::{Moment, MomentKind, RunCourse};
use trace_format::{ProcessPath, Program};

use super::idle_lanes::{UNCONTROLLED, without_idle_lanes};
use super::{Chart, ChartRow, Lane, RowKind, UnreadMail};
use crate::explored_code::ExploredCode;
use crate::outcome::{Outcome, StackEntry, Waiting, innermost};
use crate::run_end::RunEnd;
use crate::run_process::{ProcessEnd, RunProcess};
use crate::source_place::SourcePlace;

/// A run of several processes, with what they did and how they ended.
#[derive(Clone, Debug)]
pub struct ChartedRun {
    /// What they did.
    pub course: RunCourse,
    /// How they ended.
    pub end: RunEnd,
}

/// Two steps whose order matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Racing {
    /// By their numbers among the events of the run.
    Events([usize; 2]),
    /// By their places.
    Places(Race),
}

impl ChartedRun {
    /// Its chart. Steps of code that is not the user's are only counted, unless they are messages,
    /// starts or ends.
    pub fn chart(&self, code: &ExploredCode<'_>, racing: Option<Racing>) -> Chart {
        let course = &self.course;
        let racing = racing.map_or([None; 2], |it| racing_moments(course, it));
        let moments = course.moments.iter().enumerate();
        let is_shown = |(number, moment): &(usize, &Moment)| {
            let is_own = moment.place.is_none_or(|it| it.0 < code.own_modules);
            is_own || moment.kind != MomentKind::Step || racing.contains(&Some(*number))
        };
        let shown = moments.filter(is_shown);
        let rows = shown.map(|(number, moment)| ChartRow {
            lane: moment.process,
            kind: self.kind(code.program, moment),
            place: match moment.place {
                Some(place) => SourcePlace::of_site(code.program, &code.folder, place),
                None => self.place_of_end(moment),
            },
            is_racing: racing.contains(&Some(number)),
        });
        let mut rows: Vec<ChartRow> = rows.collect();
        let left_out = course.moments.len() - rows.len();
        if !course.is_cut {
            self.add_end_of_entry(&mut rows);
            rows.extend(self.waiting(code));
        }
        let unread = course.unread.iter().map(|it| UnreadMail {
            from: it.from,
            to: it.to,
            message: it.message.clone(),
        });
        let lanes = (0..course.processes.len()).map(|it| self.lane(it));
        let chart = Chart {
            lanes: lanes.collect(),
            rows,
            unread: unread.collect(),
            left_out,
            is_cut: course.is_cut,
        };
        without_idle_lanes(chart)
    }

    /// A process as the gate of the run knows it.
    fn process(&self, number: usize) -> Option<&RunProcess> {
        self.end.processes.iter().find(|it| it.index == number)
    }

    fn lane(&self, number: usize) -> Lane {
        let path = self.course.processes.get(number).map(|it| &it.path);
        let is_controlled = path.is_some_and(|it| *it != ProcessPath::ENTRY.child(0));
        let path = path.filter(|_| is_controlled);
        let process = self.process(number);
        Lane {
            path: path.map_or_else(|| UNCONTROLLED.to_owned(), ToString::to_string),
            entry: process.map(|it| it.entry.clone()).unwrap_or_default(),
        }
    }

    fn kind(&self, program: &Program, moment: &Moment) -> RowKind {
        match &moment.kind {
            MomentKind::Send {
                to,
                message,
                arrives,
            } => RowKind::Sends {
                to: *to,
                message: message.clone(),
                arrives: *arrives,
            },
            MomentKind::Deliver { to, message } => RowKind::Delivers {
                to: *to,
                message: message.clone(),
            },
            MomentKind::Spawn { child } => RowKind::Starts { child: *child },
            MomentKind::Take {
                from,
                message,
                waited,
            } => RowKind::Takes {
                from: *from,
                message: message.clone(),
                waited: *waited,
            },
            MomentKind::Timeout => RowKind::TimesOut,
            MomentKind::Step => {
                let call = moment.place.and_then(|it| called(program, it));
                RowKind::Calls(call.unwrap_or_else(|| "a step".to_owned()))
            }
            MomentKind::End => self.end_of(moment.process),
            MomentKind::Ended { by } => RowKind::IsEnded { by: *by },
        }
    }

    /// How a process ended.
    fn end_of(&self, number: usize) -> RowKind {
        if number == 0
            && let Some((kind, _)) = self.end_of_entry()
        {
            return kind;
        }
        match self.process(number).map(|it| &it.end) {
            Some(ProcessEnd::Raised {
                class,
                reason,
                stack,
            }) => end_by(&Outcome::Exception {
                class: class.clone(),
                reason: reason.clone(),
                stack: stack.clone(),
            })
            .unwrap_or(RowKind::Ends(None)),
            Some(
                ProcessEnd::Normal | ProcessEnd::Killed | ProcessEnd::Waiting | ProcessEnd::Running,
            )
            | None => RowKind::Ends(None),
        }
    }

    /// Where a process raised.
    fn place_of_end(&self, moment: &Moment) -> Option<SourcePlace> {
        if moment.kind != MomentKind::End {
            return None;
        }
        if moment.process == 0 {
            return self.end_of_entry()?.1;
        }
        match &self.process(moment.process)?.end {
            ProcessEnd::Raised { stack, .. } => place_in(stack),
            ProcessEnd::Normal | ProcessEnd::Killed | ProcessEnd::Waiting | ProcessEnd::Running => {
                None
            }
        }
    }

    /// How the function ended, and where it raised; `None` if it did not.
    fn end_of_entry(&self) -> Option<(RowKind, Option<SourcePlace>)> {
        let outcome = &self.end.of_entry;
        let kind = end_by(outcome)?;
        let place = place_in(outcome.stack());
        Some((kind, place))
    }

    /// Adds how the function ended, after the last thing that its process did.
    fn add_end_of_entry(&self, rows: &mut Vec<ChartRow>) {
        let is_over = |it: &ChartRow| it.lane == 0 && it.kind.is_end();
        let Some((kind, place)) = self.end_of_entry() else {
            return;
        };
        if rows.iter().any(is_over) {
            return;
        }
        let last = rows.iter().rposition(|it| it.lane == 0);
        let row = ChartRow {
            lane: 0,
            kind,
            place,
            is_racing: false,
        };
        rows.insert(last.map_or(0, |it| it + 1), row);
    }

    /// The processes that wait when the run is over.
    fn waiting(&self, code: &ExploredCode<'_>) -> Vec<ChartRow> {
        let waiting = match &self.end.of_entry {
            Outcome::Deadlock { waiting } => waiting.as_slice(),
            Outcome::Ok(_)
            | Outcome::Exception { .. }
            | Outcome::Timeout
            | Outcome::Killed
            | Outcome::WorkerDied
            | Outcome::Blocked(_)
            | Outcome::Steps => &[],
        };
        let processes = self.course.processes.iter().enumerate();
        let rows = processes.filter_map(|(lane, process)| {
            let path = process.path.to_string();
            let known = waiting.iter().find(|it| it.process == path);
            let is_waiting = self
                .process(lane)
                .is_some_and(|it| it.end == ProcessEnd::Waiting);
            let known = known.and_then(Waiting::place).map(place_of);
            if known.is_none() && !is_waiting {
                return None;
            }
            let at = process.waits_at;
            let at = || at.and_then(|it| SourcePlace::of_site(code.program, &code.folder, it));
            Some(ChartRow {
                lane,
                kind: RowKind::Waits,
                place: known.or_else(at),
                is_racing: false,
            })
        });
        rows.collect()
    }
}

/// The end of a process that returned or raised; `None` if it did neither.
fn end_by(outcome: &Outcome) -> Option<RowKind> {
    match outcome {
        Outcome::Ok(value) => Some(RowKind::Ends(Some(value.clone()))),
        Outcome::Exception { class, reason, .. } if outcome.is_finding() => {
            Some(RowKind::Crashes(format!("{class}: {reason}")))
        }
        Outcome::Exception { reason, .. } => Some(RowKind::Ends(Some(reason.clone()))),
        Outcome::Timeout
        | Outcome::Killed
        | Outcome::WorkerDied
        | Outcome::Blocked(_)
        | Outcome::Deadlock { .. }
        | Outcome::Steps => None,
    }
}

fn place_in(stack: &[StackEntry]) -> Option<SourcePlace> {
    innermost(stack).map(|it| place_of(it.1))
}

fn place_of(entry: &StackEntry) -> SourcePlace {
    SourcePlace {
        file: entry.file.clone(),
        line: entry.line,
    }
}

/// The function that a statement calls, if it has a name.
fn called(program: &Program, (module, site): (usize, SiteId)) -> Option<String> {
    let (_, statement) = program.module(module)?.statement(site)?;
    let Operation::Call {
        module,
        name,
        arguments,
    } = &statement.operation
    else {
        return None;
    };
    let (Value::Literal(module), Value::Literal(name)) = (module, name) else {
        return None;
    };
    let (module, name): (&Term, &Term) = (module, name);
    Some(format!("{module}:{name}/{}", arguments.len()))
}

/// The moments of the two steps whose order matters, as far as they are found.
fn racing_moments(course: &RunCourse, racing: Racing) -> [Option<usize>; 2] {
    match racing {
        Racing::Events(events) => events.map(|event| {
            let own = |it: &Moment| it.event == event && it.kind != MomentKind::End;
            let found = course.moments.iter().position(own);
            found.or_else(|| course.moments.iter().position(|it| it.event == event))
        }),
        Racing::Places([one, other]) => {
            let is_at = |it: &Moment, place| it.place == Some(place);
            // The last steps before the end.
            let mut last = course.moments.iter().enumerate().rev();
            let found = last.find_map(|(number, later)| {
                let before = course.moments.get(..number)?;
                let earlier = before.iter().rposition(|it| {
                    let pair = is_at(it, one) && is_at(later, other)
                        || is_at(it, other) && is_at(later, one);
                    pair && it.process != later.process
                })?;
                Some([Some(earlier), Some(number)])
            });
            found.unwrap_or_default()
        }
    }
}
