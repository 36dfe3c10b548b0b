//! How a call begins, and who waits for it.

use serde::{Deserialize, Serialize};
use solver::graph::{Graph, Node, NodeId};

use super::super::node_tables::NumberMarks;
use super::super::path_facts::PathFacts;
use super::super::relevance::Relevance;
use super::super::state_key::{LiveValue, StateKey, hash_with_path, write_path, write_values};
use super::super::state_words::NoState;
use super::super::state_writer::StateWriter;
use super::part_place::{PartPlace, part_around};

/// Values after words for their place.
pub(crate) type PlacedValues<'values, 'views> = (Vec<u64>, &'values [LiveValue<'views>]);

/// The values of a call and of those who wait for it.
#[derive(Debug)]
pub(crate) struct StateOfCall<'values, 'views> {
    pub(crate) callee: PlacedValues<'values, 'views>,
    /// `None` if nobody waits.
    pub(crate) waiting: Option<PlacedValues<'values, 'views>>,
}

/// A call that can be explored by itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CallState {
    /// How it begins.
    pub(crate) entry: StateKey,
    /// The same without what the path says. Its roots are the first of all.
    pub(crate) values: StateKey,
    /// The parts of the input that it depends on.
    #[serde(skip)]
    pub(crate) roots: Box<[NodeId]>,
    /// Where they are.
    pub(crate) places: Box<[PartPlace]>,
    /// Who waits for it, if somebody does.
    pub(crate) waiting: Option<StateKey>,
}

/// A key, and the parts that it is about.
struct Described {
    key: StateKey,
    /// The same without what the path says.
    values: StateKey,
    roots: Box<[NodeId]>,
    mentioned: Vec<NodeId>,
}

/// The keys of a call. There are none if something is not known, if the call depends on no part of
/// the input or on others than these, or if those who wait depend on the same parts. Nor are there
/// any if it reads the rest of a binary: of how many bytes the rest may be depends how it can end, so
/// that calls at different bytes hardly ever have the same exits.
pub(in super::super) fn state_of_call(
    graph: &Graph,
    facts: &mut PathFacts<'_>,
    state: StateOfCall<'_, '_>,
    within: Option<&[NodeId]>,
) -> (Option<CallState>, usize) {
    let is_within = |root: &NodeId| within.is_none_or(|it| part_around(graph, *root, it).is_some());
    let (callee, mut work) = describe(graph, facts, state.callee, |writer| {
        let roots = writer.roots().0;
        let is_rest = |root: &NodeId| {
            let relevance = &writer.relevance;
            relevance.first_byte(*root).is_some() || relevance.is_byte_alone(*root)
        };
        !roots.is_empty() && roots.iter().all(|it| is_within(it) && !is_rest(it))
    });
    let Some(callee) = callee else {
        return (None, work);
    };
    let mut waiting = None;
    if let Some(state) = state.waiting {
        let (described, more_work) = describe(graph, facts, state, |_| true);
        work += more_work;
        let Some(described) = described.filter(|it| are_apart(graph, &callee, it)) else {
            return (None, work);
        };
        waiting = Some(described.key);
    }
    let places = callee.roots.iter().map(|it| PartPlace::of(graph, *it));
    let call = places.collect::<Option<_>>().map(|places| CallState {
        entry: callee.key,
        values: callee.values,
        roots: callee.roots,
        places,
        waiting,
    });
    (call, work)
}

/// Describes values, if what is written fits. That is asked before the path is written, too: most
/// often it is known then.
fn describe(
    graph: &Graph,
    facts: &mut PathFacts<'_>,
    (place, values): PlacedValues<'_, '_>,
    fits: impl Fn(&StateWriter<'_, '_>) -> bool,
) -> (Option<Described>, usize) {
    let mut writer = StateWriter::new(graph, Relevance::new(graph, facts), place);
    let described = write_described(&mut writer, graph, values, fits).ok();
    (described, writer.words.written())
}

fn write_described(
    writer: &mut StateWriter<'_, '_>,
    graph: &Graph,
    values: &[LiveValue<'_>],
    fits: impl Fn(&StateWriter<'_, '_>) -> bool,
) -> Result<Described, NoState> {
    let hash = write_values(writer, graph, values)?;
    if !fits(writer) {
        return Err(NoState);
    }
    let values = key_so_far(writer, hash);
    let said = write_path(writer)?;
    if !fits(writer) {
        return Err(NoState);
    }
    Ok(Described {
        key: key_so_far(writer, hash_with_path(hash, &said)),
        values,
        roots: writer.roots().0.into(),
        mentioned: std::mem::take(&mut writer.relevance.mentioned),
    })
}

fn key_so_far(writer: &StateWriter<'_, '_>, hash: [u64; 2]) -> StateKey {
    StateKey {
        hash,
        levels: writer.roots().1.clone(),
    }
}

/// Whether no part that one depends on is, or is in, a part that the other depends on.
fn are_apart(graph: &Graph, one: &Described, other: &Described) -> bool {
    let mut marks = NumberMarks::default();
    let mut are_outside = |parts: &[NodeId], wholes: &[NodeId]| {
        marks.clear();
        for part in wholes {
            marks.insert(part.index());
        }
        !parts.iter().any(|it| is_in(graph, *it, &marks))
    };
    are_outside(&one.mentioned, &other.mentioned) && are_outside(&other.mentioned, &one.mentioned)
}

/// Whether a part is one of these, or is in one.
fn is_in(graph: &Graph, part: NodeId, wholes: &NumberMarks) -> bool {
    let mut at = part;
    loop {
        if wholes.contains(at.index()) {
            return true;
        }
        let Node::Part(_, of) = graph.node(at) else {
            return false;
        };
        at = *of;
    }
}
