//! A second replay of a run, for what it says about other runs that come to its states.
//!
//! From each state to the next one, the run is replayed with inputs as the leaves of the first
//! state (see `StateShape`). So each decision on the way says for which leaves it would have been the
//! same, also where the run itself had no choice.

use solver::graph::{Graph, Input, Node, NodeId};
use trace_format::{Broken, Ending, Happened, Listener, RunLog};

use super::events;
use super::listening::Refusal;
use super::process::Process;
use super::reached_state::ReachedState;
use super::replayed::Decision;
use super::run_state::RunState;
use super::state_keys::is_known;
use crate::pruning::{Fitted, StateShape, ViewRule};

/// A run with more decisions in its second replay is too long.
const MOST_DECISIONS: usize = 2_000;

/// The part of a run between two states.
#[derive(Debug)]
pub(crate) struct Segment {
    /// The number of the state among those that the run reached.
    pub(crate) state: usize,
    /// The decisions, about the leaves of the state.
    pub(crate) decisions: Vec<Decision>,
    pub(crate) end: SegmentEnd,
}

/// How a segment ends.
#[derive(Debug)]
pub(crate) enum SegmentEnd {
    /// In another state that the run reached, by its number.
    State(usize, Fitted),
    /// With the run.
    Ended,
    /// With something that is not known.
    Lost,
}

/// The segments of a run.
#[derive(Debug)]
pub(crate) struct Segments {
    /// The graph that their conditions are in.
    pub(crate) graph: Graph,
    pub(crate) list: Vec<Segment>,
}

/// Replays a run of one process that is about to begin, given the states that it reached; `None` if
/// that is not possible.
pub(super) fn follow_segments<'run>(
    (mut run, mut process): (RunState<'run>, Process<'run>),
    log: &RunLog<'run>,
    states: &[ReachedState],
    should_stop: &dyn Fn() -> bool,
) -> Option<Segments> {
    let mut listener = SegmentListener {
        run: &mut run,
        process: &mut process,
        states,
        next: 0,
        open: None,
        segments: Vec::new(),
        should_stop,
    };
    let ending = match trace_format::follow(log, &mut listener) {
        Ok(ending) => ending,
        Err(Broken::Log(_) | Broken::Refused(_)) => return None,
    };
    listener.end(ending);
    let list = listener.segments;
    Some(Segments {
        graph: run.replayed.graph,
        list,
    })
}

struct SegmentListener<'replay, 'run> {
    run: &'replay mut RunState<'run>,
    process: &'replay mut Process<'run>,
    states: &'replay [ReachedState],
    /// The number of the next state.
    next: usize,
    /// The state in which the current segment begins.
    open: Option<usize>,
    segments: Vec<Segment>,
    should_stop: &'replay dyn Fn() -> bool,
}

impl<'run> Listener<'run> for SegmentListener<'_, 'run> {
    type Refusal = Refusal;

    fn forgets_at_tail_calls(&self) -> bool {
        self.run.forgets
    }

    fn hear(&mut self, event: Happened<'run>) -> Result<(), Refusal> {
        self.process.events += 1;
        if self.process.events.is_multiple_of(1 << 10) && (self.should_stop)() {
            return Err(Refusal::Stop);
        }
        while let Some(state) = self.states.get(self.next)
            && state.event <= self.process.events
        {
            if state.event == self.process.events
                && let Some(shape) = &state.shape
            {
                let site = event.statement.map(|it| (event.module, it.site));
                let depth = self.process.stack.depth();
                if site == Some(state.place) && depth == state.depth {
                    self.begin(self.next, shape);
                }
            }
            self.next += 1;
        }
        if self.run.replayed.decisions.len() > MOST_DECISIONS {
            return Err(Refusal::Enough);
        }
        events::take(self.run, self.process, event).map_err(Refusal::Misfit)
    }
}

impl SegmentListener<'_, '_> {
    /// A segment begins in a state, unless something waits that is not in its variables.
    fn begin(&mut self, state: usize, shape: &StateShape) {
        let process = &*self.process;
        let waits = process.pending.is_some()
            || process.exception.is_some()
            || !process.held.is_empty()
            || !process.begun.is_empty();
        if waits {
            return;
        }
        let environment = &process.stack.environment;
        let value_of = |level, variable| environment.value_in(level, variable);
        let fitted = shape.fit(self.run.graph(), &value_of);
        self.close(fitted.map(|it| SegmentEnd::State(state, it)));
        self.open = Some(state);
        self.start_anew(shape);
    }

    /// Closes the segment.
    fn close(&mut self, end: Option<SegmentEnd>) {
        let is_clear = is_known(self.run);
        let graph = &self.run.replayed.graph;
        let decisions = std::mem::take(&mut self.run.replayed.decisions);
        let mut conditions = decisions.iter().flat_map(|it| &it.ways);
        let is_clear = is_clear && !conditions.any(|it| graph.is_unknown_condition(*it));
        let end = end.filter(|_| is_clear).unwrap_or(SegmentEnd::Lost);
        if let Some(state) = self.open.take() {
            self.segments.push(Segment {
                state,
                decisions,
                end,
            });
        }
    }

    /// The leaves of the state are inputs from now on. Other values are those of the run.
    fn start_anew(&mut self, shape: &StateShape) {
        let RunState {
            input, replayed, ..
        } = &mut *self.run;
        let graph = &mut replayed.graph;
        let environment = &mut self.process.stack.environment;
        environment.change_all(|value| match input.value(graph, value) {
            Some(constant) if !matches!(graph.node(value), Node::Closure(_)) => constant,
            Some(_) | None => graph.unknown(),
        });
        let leaves = shape.leaves.iter();
        let leaves: Vec<NodeId> = leaves.map(|it| graph.constant(&it.term)).collect();
        *input = Input::new(&leaves);
        for (level, variable, value) in shape.values(graph) {
            environment.bind_in(level, variable, value);
        }
        // Funs hold values of earlier segments.
        self.run.made.values_mut().for_each(|made| *made = None);
    }

    /// The run ends.
    fn end(&mut self, ending: Ending) {
        let is_told = match ending {
            Ending::Returned => true,
            Ending::Raised => self.is_exception_told(),
            Ending::Open => false,
        };
        let is_told = is_told && self.process.held.is_empty();
        self.close(is_told.then_some(SegmentEnd::Ended));
    }

    /// Whether class and first word of the exception, by which findings are told apart, are the
    /// same for all leaves.
    fn is_exception_told(&self) -> bool {
        let graph = &self.run.replayed.graph;
        let Some(exception) = self.process.exception else {
            return false;
        };
        let mut word = exception.reason;
        if let Node::Tuple(elements) = graph.node(word)
            && let Some(first) = elements.first()
        {
            word = *first;
        }
        let is_word_told = graph.is_ground(word) || !ViewRule::CoveredWords.is_kept();
        graph.is_ground(exception.class) && is_word_told
    }
}
