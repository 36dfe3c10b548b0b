//! Which point stands for an event of a run. Two runs are equivalent if their events have the same
//! points.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::cut::{Cut, LastEvent};
use super::history::History;
use super::made_runs::MadeRuns;
use crate::replay::RunEventKind;
use crate::visited::{Causes, Label, Point, Visited};

/// The points of the events of a run. The branch that a decision took is asked with its number and
/// the point before it. If processes may be ended by others, there are further points that say that
/// a process went on.
pub(crate) fn identify(
    history: &History<'_>,
    visited: &mut Visited,
    mut taken: impl FnMut(usize, Point) -> Option<usize>,
) -> Vec<Point> {
    let mut points: Vec<Point> = Vec::with_capacity(history.events.len());
    let mut going_on = Vec::new();
    let has_signals = history.has_signals();
    for (number, event) in history.events.iter().enumerate() {
        let before = point_before(history, visited, &points, number);
        let label = match event.kind {
            RunEventKind::Decision(decision) => taken(decision, before).map(Label::way),
            // Nobody can come between these, and a run without a second process has them as well.
            _ if number < history.first_spawn => None,
            RunEventKind::Step(_)
            | RunEventKind::Send { .. }
            | RunEventKind::Spawn { .. }
            | RunEventKind::End => Some(Label::Step),
            RunEventKind::Deliver { .. } => Some(Label::Delivery),
            RunEventKind::Look { .. } => Some(Label::Look),
            RunEventKind::Timeout { .. } => Some(Label::Timeout),
        };
        if has_signals && matches!(label, Some(Label::Step | Label::Look | Label::Timeout)) {
            going_on.push(visited.follow(before, Label::GoesOn, Causes::new()));
        }
        points.push(match label {
            Some(label) => {
                let causes = history.causes.get(number).into_iter().flatten();
                let causes = points_of(&points, causes.copied());
                visited.follow(before, label, causes)
            }
            None => before,
        });
    }
    points.extend(going_on);
    points
}

/// The point before an event in its process.
fn point_before(
    history: &History<'_>,
    visited: &mut Visited,
    points: &[Point],
    event: usize,
) -> Point {
    let before = history.before.get(event).copied().flatten();
    let Some(before) = before else {
        return Visited::START;
    };
    let point = points.get(before).copied().unwrap_or(Visited::START);
    if history.process(before) == history.process(event) {
        return point;
    }
    visited.follow(point, Label::Child, Causes::new())
}

fn points_of(points: &[Point], events: impl Iterator<Item = usize>) -> Causes {
    events.filter_map(|it| points.get(it).copied()).collect()
}

/// What a part of a run is, whichever run it was found in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PartIdentity {
    /// Events of it that happen before no others.
    maximal: Box<[Point]>,
    /// The last event, which the run did not have.
    before_last: Point,
    label: Label,
    causes: Causes,
}

impl PartIdentity {
    /// The identity of a part of a run whose events have these points.
    pub(crate) fn new(
        history: &History<'_>,
        visited: &mut Visited,
        points: &[Point],
        cut: &Cut,
    ) -> Self {
        let place = cut.last.place();
        let causes = cut.causes_of_last(history);
        let maximal = cut.maximal(history, &causes);
        let maximal = maximal.into_iter().filter_map(|it| points.get(it).copied());
        let mut maximal: Box<[Point]> = maximal.collect();
        maximal.sort_unstable();
        let mut causes = points_of(points, causes.into_iter());
        causes.sort_unstable();
        Self {
            maximal,
            before_last: point_before(history, visited, points, place),
            label: match cut.last {
                LastEvent::Step(step) => match history.events.get(step).map(|it| &it.kind) {
                    Some(RunEventKind::Timeout { .. }) => Label::Timeout,
                    Some(RunEventKind::Deliver { .. }) => Label::Delivery,
                    _ => Label::Step,
                },
                LastEvent::Look { .. } => Label::Look,
                LastEvent::Timeout { .. } => Label::Timeout,
                LastEvent::GoesOn { .. } => Label::GoesOn,
                LastEvent::Way { way, .. } => Label::way(way),
            },
            causes,
        }
    }

    /// The point before the last event.
    pub(crate) fn before_last(&self) -> Point {
        self.before_last
    }

    /// Whether a run that was made contains it.
    pub(crate) fn was_run(&self, visited: &Visited, made: &MadeRuns) -> bool {
        let Some(last) = visited.find(self.before_last, self.label, self.causes.clone()) else {
            return false;
        };
        made.contains(last, &self.maximal)
    }

    /// Whether these events of a run, by their points, contain it.
    pub(crate) fn is_in(&self, visited: &Visited, points: &[Point]) -> bool {
        let last = visited.find(self.before_last, self.label, self.causes.clone());
        let has = |point: &Point| points.contains(point);
        last.is_some_and(|last| has(&last)) && self.maximal.iter().all(has)
    }

    /// A hash of it.
    pub(crate) fn hash_code(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.hash(&mut hasher);
        hasher.finish()
    }
}
