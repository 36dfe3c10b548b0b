//! Follows a run and gives the keys of its states.

use solver::graph::{Condition, Graph, Input, NodeId};
use solver::types::Signature;

use super::path_facts::PathFacts;
use super::separate_calls::{CallState, StateOfCall, key_of_exit, state_of_call};
use super::state_key::{ComparableState, LiveValue, StateKey, comparable_state};
use super::state_shape::StateShape;

/// What a run says about its input so far.
#[derive(Debug)]
pub(crate) struct StateTracker<'search> {
    facts: PathFacts<'search>,
}

impl<'search> StateTracker<'search> {
    /// A run that has not decided anything, of a function whose arguments may have types.
    pub(crate) fn new(signature: Option<&'search Signature>) -> Self {
        Self {
            facts: PathFacts::new(signature),
        }
    }

    /// The run took a way on this condition.
    pub(crate) fn add(&mut self, graph: &Graph, condition: Condition) {
        self.facts.add(graph, condition);
    }

    /// The state of the run, given words for its place and the values that are still needed, and
    /// how much work it was to write it. There is none if something is not known, or if it is too
    /// long.
    pub(crate) fn state(
        &mut self,
        graph: &Graph,
        place: Vec<u64>,
        live: &[LiveValue<'_>],
    ) -> (Option<ComparableState>, usize) {
        let before = self.facts.take_work();
        let (state, work) = comparable_state(graph, &mut self.facts, place, live);
        (state, before + work)
    }

    /// The keys of a call, and how much work it was to make them. There are none if something is
    /// not known, or if the call and those who wait for it depend on each other. All parts of the
    /// input that the call depends on must be in these, if there are any.
    pub(crate) fn call(
        &mut self,
        graph: &Graph,
        state: StateOfCall<'_, '_>,
        within: Option<&[NodeId]>,
    ) -> (Option<CallState>, usize) {
        let before = self.facts.take_work();
        let (call, work) = state_of_call(graph, &mut self.facts, state, within);
        (call, before + work)
    }

    /// The key of what a call returns or raises, given the roots of its entry, and how much work it
    /// was to make it.
    pub(crate) fn exit(
        &mut self,
        graph: &Graph,
        place: Vec<u64>,
        values: &[LiveValue<'_>],
        roots: &[NodeId],
    ) -> (Option<StateKey>, usize) {
        let before = self.facts.take_work();
        let (key, work) = key_of_exit(graph, &mut self.facts, place, values, roots);
        (key, before + work)
    }

    /// The shape of the state of a run with this input, given words for its place and the values
    /// that are still needed with the levels of their functions.
    pub(crate) fn shape(
        &mut self,
        values: (&mut Graph, &mut Input),
        place: Vec<u64>,
        live: &[(LiveValue<'_>, usize)],
    ) -> Option<StateShape> {
        StateShape::new(values, &mut self.facts, place, live)
    }

    /// Whether no later state will have a key, because the path says something that is not known.
    pub(crate) fn is_lost(&self) -> bool {
        self.facts.is_unclear()
    }
}
