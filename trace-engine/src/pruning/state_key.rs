//! The key of a state: what it is, apart from how a run came to it.
//!
//! The values that are still needed are written down through their views, and so is what the path
//! says about them. Parts of the input in them are roots, numbered as they appear, with their types:
//! where they are in the input does not matter. Only how deep they are does, because inputs are
//! bounded in depth; that is beside the key.

use serde::{Deserialize, Serialize};
use std::hash::BuildHasher;
use std::ops::Range;

use foldhash::quality::FixedState;
use solver::graph::{Graph, NodeId};

use super::path_facts::PathFacts;
use super::relevance::Relevance;
use super::state_words::{Levels, NoState, StateMark, Written};
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
    write_values(writer, graph, live)?;
    let values = hash_of_words(writer.words.words());
    let said = write_path(writer)?;
    let key = StateKey {
        hash: hash_of_words(writer.words.words()),
        levels: writer.roots().1.clone(),
    };
    Ok(ComparableState { key, values, said })
}

/// The hash of words.
pub(super) fn hash_of_words(words: &[u64]) -> [u64; 2] {
    [0, 1].map(|variant| hash(words, variant))
}

fn hash(words: &[u64], variant: u64) -> u64 {
    FixedState::with_seed(variant).hash_one(words)
}

/// Writes the values that are still needed, and what the path says about them.
pub(super) fn write(
    writer: &mut StateWriter<'_, '_>,
    graph: &Graph,
    live: &[LiveValue<'_>],
) -> Written {
    write_values(writer, graph, live)?;
    write_path(writer)?;
    Ok(())
}

/// Writes the values that are still needed.
pub(super) fn write_values(
    writer: &mut StateWriter<'_, '_>,
    graph: &Graph,
    live: &[LiveValue<'_>],
) -> Written {
    if writer.relevance.facts.is_unclear() {
        return Err(NoState);
    }
    let mut items = Vec::new();
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
    Ok(())
}

/// What the path says about roots: each condition and fact for itself, in order. Returns hashes of
/// them, in order.
pub(super) fn write_path(writer: &mut StateWriter<'_, '_>) -> Result<Box<[u64]>, NoState> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let start = writer.words.len();
    let mut end = start;
    for number in std::mem::take(&mut writer.relevance.conditions) {
        writer.path_condition(number)?;
        if ViewRule::Conditions.is_kept() {
            ranges.push(end..writer.words.len());
        }
        end = writer.words.len();
    }
    for part in std::mem::take(&mut writer.relevance.parts) {
        writer.facts_of(part)?;
        if end < writer.words.len() && ViewRule::Facts.is_kept() {
            ranges.push(end..writer.words.len());
        }
        end = writer.words.len();
    }
    let said = writer.words.split_off(start);
    let said_in = |range: &Range<usize>| {
        let words = said.get(range.start - start..range.end - start);
        words.unwrap_or_default()
    };
    ranges.sort_unstable_by(|one, other| said_in(one).cmp(said_in(other)));
    ranges.dedup_by(|one, other| said_in(one) == said_in(other));
    for range in &ranges {
        writer.words.put_back(said_in(range));
    }
    let hashes = ranges.iter().map(|range| hash(said_in(range), 0));
    let mut hashes: Box<[u64]> = hashes.collect();
    hashes.sort_unstable();
    Ok(hashes)
}
