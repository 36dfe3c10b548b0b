//! A replay without its values and conditions: what a search needs if it was made elsewhere.

use erlang_term::Term;
use flattener::flat::SiteId;
use serde::{Deserialize, Serialize};
use solver::ReleaseRules;
use solver::graph::{Condition, Graph, NodeId};
use trace_format::Ending;

use super::call_marks::CallMark;
use super::play_mark::PlayMark;
use super::reached_state::ReachedState;
use super::replayed::{Decision, OpaqueCall, Replayed};

/// What a search needs of a run of one process that was replayed elsewhere.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReplaySummary {
    decisions: Vec<DecisionSummary>,
    trace: Vec<u32>,
    clauses: Vec<(usize, SiteId, usize)>,
    functions: Vec<(usize, usize)>,
    opaque: Vec<OpaqueCall>,
    states: Vec<ReachedState>,
    calls: Vec<CallMark>,
    marks: Vec<PlayMark>,
    uncontrolled: Vec<OpaqueCall>,
    is_stopped: bool,
    is_open: bool,
}

/// A decision without its conditions.
#[derive(Debug, Serialize, Deserialize)]
struct DecisionSummary {
    module: usize,
    site: SiteId,
    ways: usize,
    taken: usize,
    clause: Option<usize>,
    /// The value of an argument of an opaque operation, if this is about one.
    given: Option<Term>,
}

impl ReplaySummary {
    /// What a search needs of a replay; `None` if it needs all of it.
    pub(crate) fn of(replayed: &Replayed) -> Option<Self> {
        let has_shapes = replayed.states.iter().any(|it| it.shape.is_some());
        if !replayed.processes.is_empty() || has_shapes {
            return None;
        }
        let decisions = replayed.decisions.iter().map(|it| DecisionSummary {
            module: it.module,
            site: it.site,
            ways: it.ways.len(),
            taken: it.taken,
            clause: it.clause,
            given: it.given.as_ref().map(|given| given.1.clone()),
        });
        Some(Self {
            decisions: decisions.collect(),
            trace: replayed.trace.clone(),
            clauses: replayed.clauses.iter().copied().collect(),
            functions: replayed.functions.iter().copied().collect(),
            opaque: replayed.opaque.clone(),
            states: replayed.states.clone(),
            calls: replayed.calls.clone(),
            marks: replayed.marks.clone(),
            uncontrolled: replayed.uncontrolled.clone(),
            is_stopped: replayed.is_stopped,
            is_open: replayed.ending == Ending::Open,
        })
    }

    /// A replay whose conditions all hold and whose values are not there.
    pub(crate) fn into_replayed(self) -> Replayed {
        let rules = ReleaseRules::default();
        // Values that are not understood are compared.
        let graph = match self.decisions.iter().any(|it| it.given.is_some()) {
            true => Graph::new(rules),
            false => Graph::without_values(rules),
        };
        let decisions = self.decisions.into_iter().map(|it| Decision {
            module: it.module,
            site: it.site,
            ways: vec![Condition::TRUE; it.ways],
            taken: it.taken,
            clause: it.clause,
            given: it.given.map(|value| (NodeId::NIL, value)),
        });
        Replayed {
            decisions: decisions.collect(),
            trace: self.trace,
            clauses: self.clauses.into_iter().collect(),
            functions: self.functions.into_iter().collect(),
            opaque: self.opaque,
            states: self.states,
            calls: self.calls,
            marks: self.marks,
            uncontrolled: self.uncontrolled,
            is_stopped: self.is_stopped,
            ending: if self.is_open {
                Ending::Open
            } else {
                Ending::Returned
            },
            ..Replayed::with_graph(graph, 0)
        }
    }
}
