//! Follows the calls of a run that can be explored by themselves.
//!
//! That is a call whose callers decide something after it, and depend on other parts of the input
//! than the call does. Calls in place of their callers belong to the call that they end.

use flattener::flat::{Callable, SiteId};
use solver::graph::NodeId;
use trace_format::{EventKind, Happened};

use super::call_marks::{CallMark, CallMarkKind};
use super::open_call::OpenCall;
use super::process::Process;
use super::run_state::RunState;
use super::stack::Frame;
use super::state_keys::{StateKeys, USUAL_VALUES, is_known, place_words};
use crate::pruning::{LiveValue, PlacedValues, StateOfCall, View};
use crate::scopes::captured;

/// A word before the words of an entry, of those who wait, and of an exit.
const ENTRY: u64 = u64::MAX;
const WAITING: u64 = u64::MAX - 1;
const EXIT: u64 = u64::MAX - 2;

/// Stands for the site of the first call, which has none.
const FIRST_CALL: (usize, SiteId) = (usize::MAX, SiteId(u32::MAX));

/// What an event may end, as it was before.
#[derive(Clone, Copy, Debug)]
pub(super) struct BeforeEvent {
    depth: usize,
    ending: CallEnding,
}

/// How a call ends.
#[derive(Clone, Copy, Debug)]
enum CallEnding {
    /// In no way that is known.
    Unknown,
    Returns(NodeId),
    /// Class and reason.
    Raises(NodeId, NodeId),
}

impl<'search> StateKeys<'search> {
    /// An event is about to be replayed.
    pub(super) fn before_event<'run>(
        &self,
        run: &mut RunState<'run>,
        process: &mut Process<'run>,
        event: &Happened<'run>,
    ) -> BeforeEvent {
        let depth = process.stack.depth();
        let is_open = self.open.last().is_some_and(|it| it.level == depth);
        let ending = match (&event.kind, process.exception) {
            (EventKind::Exit, _) if is_open && process.held.is_empty() => {
                let body = process.stack.frame.fun.body;
                let values = process.stack.block_values(run, body);
                let value = values.first().copied();
                value.map_or(CallEnding::Unknown, CallEnding::Returns)
            }
            (EventKind::Caught, Some(raised)) => CallEnding::Raises(raised.class, raised.reason),
            _ => CallEnding::Unknown,
        };
        BeforeEvent { depth, ending }
    }

    /// An event was replayed, and what it decided is noted.
    pub(super) fn after_event(
        &mut self,
        run: &mut RunState<'_>,
        process: &Process<'_>,
        before: BeforeEvent,
    ) {
        let depth = process.stack.depth();
        let is_over = before.depth == 0 && matches!(before.ending, CallEnding::Returns(_));
        while let Some(call) = self.open.pop_if(|it| is_over || it.level > depth) {
            self.end(run, &call, before.ending);
        }
        if depth > before.depth && self.states.with_calls {
            self.begin(run, process);
        }
    }

    fn end(&mut self, run: &mut RunState<'_>, call: &OpenCall<'_>, ending: CallEnding) {
        let value = |variable, node, view| LiveValue {
            frame: 0,
            variable,
            node,
            view,
        };
        let reason_view = self.states.pruning.reason_view();
        let (how, values) = match ending {
            CallEnding::Unknown => (0, Vec::new()),
            CallEnding::Returns(node) => (1, vec![value(0, node, call.result)]),
            CallEnding::Raises(class, reason) => (
                2,
                vec![value(0, class, &View::Full), value(1, reason, reason_view)],
            ),
        };
        let (key, work) = if how == 0 || !is_known(run) || self.tracker.is_lost() {
            (None, 0)
        } else {
            // If nobody looks at the result, the path says nothing about it.
            if how != 1 || !call.result.is_nothing() {
                self.tell(run, run.replayed.decisions.len());
            }
            let mut place = place_words(EXIT);
            place.push(how);
            let graph = &run.replayed.graph;
            self.tracker.exit(graph, place, &values, &call.roots)
        };
        note_mark(run, call.site, work, CallMarkKind::Ends(key));
    }

    /// The entry function was entered. Nobody waits for it.
    pub(super) fn begin_run(&mut self, run: &mut RunState<'_>, process: &Process<'_>) {
        if self.states.with_calls {
            let level = process.stack.depth();
            let arguments = self.arguments(process, &process.stack.frame, level);
            self.mark(run, process, FIRST_CALL, (&arguments, None));
        }
    }

    /// A function was entered. Its call is marked if it can be explored by itself.
    fn begin(&mut self, run: &mut RunState<'_>, process: &Process<'_>) -> Option<()> {
        let stack = &process.stack;
        let site = stack.frame.caller?.site;
        let level = stack.depth();
        let caller = stack.frames().nth(level.checked_sub(1)?)?;
        let function = (caller.module, caller.function);
        let known = self.states.pruning.live(caller.code, function, site)?;
        let decides_nothing = known.is_last || caller.code.plan.is_tail_call(site);
        let place = (caller.module, site);
        let is_left_out = self.states.skipped.contains(&place) || self.is_spent(place);
        if decides_nothing || is_left_out || !is_known(run) || self.tracker.is_lost() {
            return None;
        }
        let arguments = self.arguments(process, &stack.frame, level);
        let graph = &run.replayed.graph;
        let work = if arguments.iter().any(|it| graph.is_symbolic(it.node)) {
            self.tell(run, run.replayed.decisions.len());
            let mut words = place_words(WAITING);
            let mut waiting = Vec::with_capacity(USUAL_VALUES);
            self.collect_waiting(process, level, &mut words, &mut waiting)?;
            let waiting: Vec<LiveValue<'_>> = waiting.into_iter().map(|it| it.0).collect();
            let waiting = Some((words, &*waiting));
            self.mark(run, process, place, (&arguments, waiting))
        } else {
            // It depends on no part of the input.
            note_mark(run, place, arguments.len(), CallMarkKind::Depends);
            arguments.len()
        };
        *self.work.entry(place).or_default() += work;
        Some(())
    }

    /// Marks a call, given its arguments and those who wait for it, if it can be explored by itself.
    /// Returns how much work that was.
    fn mark(
        &mut self,
        run: &mut RunState<'_>,
        process: &Process<'_>,
        site: (usize, SiteId),
        (arguments, waiting): (&[LiveValue<'_>], Option<PlacedValues<'_, '_>>),
    ) -> usize {
        let frame = process.stack.frame;
        let level = process.stack.depth();
        let mut words = place_words(ENTRY);
        words.push(frame.module as u64);
        words.extend(words_of(frame.callable));
        words.push(u64::from(process.handlers.may_catch()));
        self.add_place_of_report(process, 0, &mut words);
        let state = StateOfCall {
            callee: (words, arguments),
            waiting,
        };
        let within = self.open.last().map(|it| &*it.roots);
        let graph = &run.replayed.graph;
        let (call, work) = self.tracker.call(graph, state, within);
        let kind = call.map_or(CallMarkKind::Depends, |call| {
            let function = (frame.module, frame.function);
            self.open.push(OpenCall {
                site,
                level,
                roots: call.roots.clone(),
                result: self.states.pruning.result_view(function, frame.callable),
            });
            CallMarkKind::Begins(Box::new(call))
        });
        note_mark(run, site, work, kind);
        work
    }

    /// The values that a function was called with: its parameters, and what it takes along.
    fn arguments(
        &mut self,
        process: &Process<'_>,
        frame: &Frame<'_>,
        level: usize,
    ) -> Vec<LiveValue<'search>> {
        let function = (frame.module, frame.function);
        let taken_along = self.captured.entry((frame.module, frame.callable));
        let taken_along = taken_along.or_insert_with(|| match frame.callable {
            Callable::Function(_) => Box::default(),
            Callable::Fun(_) | Callable::Local(..) => {
                captured(frame.function_code, frame.fun).into()
            }
        });
        let variables = frame.fun.parameters.iter().chain(&**taken_along);
        let values = variables.filter_map(|variable| {
            Some(LiveValue {
                frame: 0,
                variable: variable.0,
                node: process.stack.environment.value_in(level, *variable)?,
                view: self.states.pruning.view(function, *variable),
            })
        });
        values.filter(|it| !it.view.is_nothing()).collect()
    }
}

fn note_mark(run: &mut RunState<'_>, site: (usize, SiteId), work: usize, kind: CallMarkKind) {
    run.replayed.calls.push(CallMark {
        before: run.replayed.decisions.len(),
        site,
        work,
        kind,
    });
}

fn words_of(callable: Callable) -> [u64; 3] {
    match callable {
        Callable::Function(index) => [0, index as u64, 0],
        Callable::Fun(site) => [1, u64::from(site.0), 0],
        Callable::Local(site, local) => [2, u64::from(site.0), u64::from(local.0)],
    }
}
