//! How a call ends.

use smallvec::SmallVec;
use solver::graph::{Graph, NodeId};

use super::super::path_facts::PathFacts;
use super::super::relevance::Relevance;
use super::super::state_key::{LiveValue, StateKey, hash_of_words, write_path, write_values};
use super::super::state_words::Levels;
use super::super::state_writer::StateWriter;
use super::part_place::part_around;

/// The key of what a call returns or raises. Its levels are counted from the roots of the entry, so
/// that calls that begin at different levels have the same exits. There is no key if something is
/// not known, or if it depends on something that is not in the entry.
pub(in super::super) fn key_of_exit(
    graph: &Graph,
    facts: &mut PathFacts<'_>,
    place: Vec<u64>,
    values: &[LiveValue<'_>],
    entry_roots: &[NodeId],
) -> (Option<StateKey>, usize) {
    let mut writer = StateWriter::new(graph, Relevance::new(graph, facts), place);
    let written = write_values(&mut writer, graph, values)
        .and_then(|values| Ok((values, write_path(&mut writer)?)));
    let Ok((values, said)) = written else {
        return (None, writer.words.written());
    };
    let mut words: SmallVec<[u64; 32]> = values.iter().chain(&said).copied().collect();
    let mut levels = Levels::new();
    let (roots, own) = writer.roots();
    for (root, level) in roots.iter().zip(own) {
        let Some((number, steps)) = part_around(graph, *root, entry_roots) else {
            return (None, writer.words.written());
        };
        words.push(number as u64);
        if writer.relevance.first_byte(*root).is_some() {
            // How long a rest may be does not depend on where the entry is.
            words.push(u64::from(*level));
            levels.push(0);
        } else {
            levels.push(if *level == 0 { 0 } else { steps });
        }
    }
    let key = StateKey {
        hash: hash_of_words(&words),
        levels,
    };
    (Some(key), writer.words.written())
}
