//! The key of a state: what it is, apart from how a run came to it.
//!
//! The values that are still needed are written down through their views, and so is what the path
//! says about them. Parts of the input in them are roots, numbered as they appear, with their types:
//! where they are in the input does not matter. Only how deep they are does, because inputs are
//! bounded in depth; that is beside the key.

use serde::{Deserialize, Serialize};
use std::hash::BuildHasher;

use foldhash::quality::FixedState;
use smallvec::SmallVec;
use solver::graph::{Graph, NodeId};

use super::path_facts::PathFacts;
use super::relevance::Relevance;
use super::state_words::{Levels, NoState, StateMark};
use super::state_writer::StateWriter;
use super::view::View;
use super::view_rule::ViewRule;
use super::viewed::{Viewed, add_viewed};

/// Stands for a state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct StateKey {
    /// States with different hashes are different.
    pub(crate) hash: [u64; 2],
    /// Of two states with the same hash, the one whose roots are no deeper can go on in all ways in
    /// which the other can.
    pub(crate) levels: Levels,
}

/// The state before a decision, so that it can be compared with others that have the same values.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ComparableState {
    pub(crate) key: StateKey,
    /// A hash of its place and its values.
    pub(crate) values: [u64; 2],
    /// What the path says about them: a hash of each condition and fact, in order. All of it holds,
    /// so a state of which more is said can go on in no other ways.
    pub(crate) said: Box<[u64]>,
}

impl ComparableState {
    /// Whether all that is said of another state with the same values is said of this one.
    pub(crate) fn says_all_of(&self, said: &[u64]) -> bool {
        let mut own = self.said.iter();
        said.iter().all(|it| own.any(|own| own == it)) || !ViewRule::WiderStates.is_kept()
    }
}

/// A value that is still needed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LiveValue<'views> {
    /// The number of its function on the stack.
    pub(crate) frame: usize,
    /// The number of its variable.
    pub(crate) variable: u32,
    pub(crate) node: NodeId,
    pub(crate) view: &'views View,
}

/// A state, given words for its place and the values that are still needed, and how much work it was
/// to write it. There is none if something is not known, or if it is too long.
pub(super) fn comparable_state(
    graph: &Graph,
    facts: &mut PathFacts<'_>,
    place: Vec<u64>,
    live: &[LiveValue<'_>],
) -> (Option<ComparableState>, usize) {
    let mut writer = StateWriter::new(graph, Relevance::new(graph, facts), place);
    let state = write_state(&mut writer, graph, live).ok();
    (state, writer.words.written())
}

fn write_state(
    writer: &mut StateWriter<'_, '_>,
    graph: &Graph,
    live: &[LiveValue<'_>],
) -> Result<ComparableState, NoState> {
    let values = write_values(writer, graph, live)?;
    let said = write_path(writer)?;
    let key = StateKey {
        hash: hash_with_path(values, &said),
        levels: writer.roots().1.clone(),
    };
    Ok(ComparableState { key, values, said })
}

/// The hash of words.
pub(super) fn hash_of_words(words: &[u64]) -> [u64; 2] {
    [0, 1].map(|variant| hash(words, variant))
}

/// The hash of values, of which this is said.
pub(super) fn hash_with_path(values: [u64; 2], said: &[u64]) -> [u64; 2] {
    if said.is_empty() {
        return values;
    }
    let words: SmallVec<[u64; 32]> = values.iter().chain(said).copied().collect();
    hash_of_words(&words)
}

fn hash(words: &[u64], variant: u64) -> u64 {
    FixedState::with_seed(variant).hash_one(words)
}

/// Writes the values that are still needed. Returns the hash of all words.
pub(super) fn write_values(
    writer: &mut StateWriter<'_, '_>,
    graph: &Graph,
    live: &[LiveValue<'_>],
) -> Result<[u64; 2], NoState> {
    if writer.relevance.facts.is_unclear() {
        return Err(NoState);
    }
    let mut items = Vec::with_capacity(live.len());
    let mut seen = Vec::with_capacity(live.len());
    for value in live {
        let start = items.len();
        add_viewed(
            graph,
            writer.relevance.facts,
            value.node,
            value.view,
            &mut items,
        );
        for item in items.get(start..).unwrap_or_default() {
            if let Viewed::All(node) = item
                && !writer.relevance.add_value(*node)
            {
                return Err(NoState);
            }
        }
        seen.push((value, items.len() - start));
    }
    writer.relevance.close();
    let mut items = items.as_slice();
    for (value, count) in seen {
        let (own, others) = items.split_at(count);
        items = others;
        if own.is_empty() {
            continue;
        }
        let frame = value.frame as u64;
        writer.words.mark(StateMark::Live)?;
        writer.words.extend(&[frame, u64::from(value.variable)])?;
        for item in own {
            match item {
                Viewed::All(node) => writer.node(*node)?,
                Viewed::Word(word) => writer.words.push(*word)?,
            }
        }
    }
    Ok(hash_of_words(writer.words.words()))
}

/// What the path says about roots: a hash of each condition and fact, in order, and each once.
pub(super) fn write_path(writer: &mut StateWriter<'_, '_>) -> Result<Box<[u64]>, NoState> {
    let start = writer.words.len();
    let mut said = SmallVec::<[u64; 32]>::new();
    for number in std::mem::take(&mut writer.relevance.conditions) {
        writer.path_condition(number)?;
        note_said(writer, start, ViewRule::Conditions, &mut said);
    }
    for part in std::mem::take(&mut writer.relevance.parts) {
        writer.facts_of(part)?;
        note_said(writer, start, ViewRule::Facts, &mut said);
    }
    said.sort_unstable();
    said.dedup();
    Ok(said.as_slice().into())
}

/// Replaces the words from this one on by their hash, if there are some.
fn note_said(
    writer: &mut StateWriter<'_, '_>,
    start: usize,
    rule: ViewRule,
    said: &mut SmallVec<[u64; 32]>,
) {
    let words = writer.words.words().get(start..).unwrap_or_default();
    if !words.is_empty() && rule.is_kept() {
        said.push(hash(words, 0));
    }
    writer.words.truncate(start);
}
