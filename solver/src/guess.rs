//! Guessing an input. Bound parts are taken as they are, integers get values that fulfil their
//! constraints, and everything else is as in the parent's input or as small as possible.

mod bit_strings;
mod checking;
mod choosing;
mod fun_values;
mod integer_draft;
mod integer_values;
mod map_draft;
mod map_values;
mod ordered_atoms;
mod parent;
mod plain_values;
mod quotients;
mod typed_values;
mod values;

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use rustc_hash::FxHasher;

use crate::asserting::Asserting;
use crate::conflict::Conflict;
use crate::graph::{Condition, NodeId};
use crate::known::Known;
use crate::store::NodeMap;
pub(crate) use integer_values::integer_values;
pub(crate) use parent::Parent;

/// Values for parts of the input.
pub(crate) struct Guess<'known, 'run> {
    known: &'known mut Known<'run>,
    parent: &'known mut Parent,
    values: NodeMap<NodeId>,
    integers: NodeMap<i128>,
    /// Kept conditions about single parts.
    kept: NodeMap<Vec<Condition>>,
    /// The parts that are being built, to detect values that would contain themselves.
    building: HashSet<NodeId, BuildHasherDefault<FxHasher>>,
    /// Conditions on funs and maps that must hold and do not.
    clashes: Vec<Condition>,
    /// Such a condition because of which no map could be made.
    map_clash: Option<Condition>,
}

impl<'known, 'run> Guess<'known, 'run> {
    /// A guess in which integers have these values, and nothing else has one yet.
    pub(crate) fn new(
        known: &'known mut Known<'run>,
        parent: &'known mut Parent,
        integers: NodeMap<i128>,
    ) -> Self {
        Self {
            known,
            parent,
            values: NodeMap::default(),
            integers,
            kept: NodeMap::default(),
            building: HashSet::default(),
            clashes: Vec::new(),
            map_clash: None,
        }
    }

    /// A guess in which these parts have these values.
    pub(crate) fn with_values(
        known: &'known mut Known<'run>,
        parent: &'known mut Parent,
        values: impl IntoIterator<Item = (NodeId, NodeId)>,
    ) -> Self {
        let mut guess = Self::new(known, parent, NodeMap::default());
        guess.values.extend(values);
        guess
    }

    /// The arguments of the entry function.
    pub(crate) fn arguments(&mut self) -> Result<Vec<NodeId>, Conflict> {
        self.sort_kept();
        let mut arguments = Vec::with_capacity(self.parent.arguments().len());
        for number in 0..self.parent.arguments().len() {
            let input = self.known.graph.input(number);
            arguments.push(self.value(input)?);
        }
        Ok(arguments)
    }

    /// What the parent's input has in this place.
    pub(crate) fn wanted(&mut self, part: NodeId) -> Option<NodeId> {
        self.parent.wanted(self.known.graph, part)
    }

    pub(crate) fn asserting(&mut self) -> Asserting<'_, 'run> {
        Asserting::new(self.known)
    }

    /// The value of a resolved node, if it was needed.
    fn value_of_resolved(&self, node: NodeId) -> Option<NodeId> {
        let known = self.values.get(&node).copied();
        known.or_else(|| self.known.graph.is_ground(node).then_some(node))
    }

    /// The condition because of which no map could be made, if there is one.
    pub(crate) fn map_clash(&mut self) -> Option<Condition> {
        self.map_clash.take()
    }
}
