//! How a call ends.

use solver::graph::Graph;

use super::super::binary_sizes::ByteRange;
use super::super::path_facts::PathFacts;
use super::super::relevance::Relevance;
use super::super::state_key::{LiveValue, StateKey, hash_of_words, write};
use super::super::state_words::Levels;
use super::super::state_writer::StateWriter;
use super::part_place::{CallRoot, PartAround, part_around};

/// The key of what a call returns or raises. Its levels are counted from the roots of the entry, so
/// that calls that begin at different levels have the same exits. There is no key if something is
/// not known, or if it depends on something that is not in the entry.
pub(in super::super) fn key_of_exit(
    graph: &Graph,
    facts: &mut PathFacts<'_>,
    place: Vec<u64>,
    values: &[LiveValue<'_>],
    entry_roots: &[CallRoot],
) -> (Option<StateKey>, usize) {
    let mut writer = StateWriter::new(graph, Relevance::new(graph, facts), place);
    if write(&mut writer, graph, values).is_err() {
        return (None, writer.words.written());
    }
    let mut words = writer.words.words().to_vec();
    let mut levels = Levels::new();
    let (roots, own) = writer.roots();
    for (root, level) in roots.iter().zip(own) {
        let first = writer.relevance.first_byte(*root);
        let Some(around) = part_around(graph, *root, first, entry_roots) else {
            return (None, writer.words.written());
        };
        words.push(around.number as u64);
        let level = match first {
            Some(first) => {
                let most = writer.relevance.facts.known.bytes(*root).most;
                level_of_rest(&mut words, around, first, most)
            }
            None if *level == 0 => 0,
            None => around.steps,
        };
        levels.push(level);
    }
    let key = StateKey {
        hash: hash_of_words(&words),
        levels,
    };
    (Some(key), writer.words.written())
}

/// The level of the rest of a binary: how many bytes the call has skipped. If the call has found out
/// how many bytes are left at most, that is written.
fn level_of_rest(words: &mut Vec<u64>, around: PartAround, first: u32, most: i64) -> u16 {
    let (before, most_before) = around
        .bytes
        .map_or((0, ByteRange::NO_LIMIT), |it| (it.first, it.most));
    if most == most_before {
        words.push(0);
        return u16::try_from(first.saturating_sub(before)).unwrap_or(u16::MAX);
    }
    words.extend([1, (most - i64::from(first)).cast_unsigned()]);
    0
}
