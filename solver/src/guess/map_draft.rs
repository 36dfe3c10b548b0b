//! A map that is being made, pair by pair.

use std::rc::Rc;

use super::plain_values::plain_value;
use crate::graph::{Condition, Graph, Kinds, NodeId, Pair};
use crate::types::Field;

/// How many values are tried to find a new key.
const NEW_KEYS: usize = 100;

/// A map that is being made.
pub(super) struct MapDraft {
    /// The fields that its pairs must fit.
    pub(super) fields: Vec<Rc<[Field]>>,
    /// How many keys it must have, if that matters.
    pub(super) size: Option<usize>,
    pub(super) pairs: Vec<Pair>,
    /// Keys that it must not have.
    pub(super) absent: Vec<NodeId>,
}

impl MapDraft {
    /// Whether it may have more keys.
    pub(super) fn is_open(&self) -> bool {
        self.size.is_none_or(|size| self.pairs.len() < size)
    }

    /// Whether a key can be added.
    pub(super) fn is_new(&self, key: NodeId) -> bool {
        self.pairs.iter().all(|it| it.0 != key) && !self.absent.contains(&key)
    }

    /// Whether its types allow a key. The parent's map may be of another of several types.
    pub(super) fn allows(&self, graph: &mut Graph, key: NodeId) -> bool {
        let mut types = self.fields.iter();
        types.all(|fields| fields.iter().any(|field| is_key_of(graph, *field, key)))
    }

    /// Adds pairs that a type requires although the program asks for none of their keys.
    pub(super) fn add_required(&mut self, graph: &mut Graph) {
        for fields in self.fields.clone() {
            for field in fields.iter().filter(|it| it.is_required) {
                if graph.single_key(*field).is_some() {
                    continue;
                }
                let mut keys = self.pairs.iter().map(|it| it.0);
                let fits = keys.any(|key| is_key_of(graph, *field, key));
                if !fits && let Some(pair) = self.new_pair_of(graph, *field) {
                    self.pairs.push(pair);
                }
            }
        }
    }

    /// A pair with a key that is not there yet.
    pub(super) fn new_pair(&self, graph: &mut Graph) -> Option<Pair> {
        if let Some(fields) = self.fields.first() {
            let mut fields = fields.iter();
            return fields.find_map(|field| self.new_pair_of(graph, *field));
        }
        let key = (0..NEW_KEYS).find_map(|number| {
            let key = plain_value(graph, Kinds::ATOM, number)?;
            self.is_new(key).then_some(key)
        });
        Some((key?, graph.integer(0)))
    }

    fn new_pair_of(&self, graph: &mut Graph, field: Field) -> Option<Pair> {
        let types = graph.types().clone();
        let value = types.simplest(field.value)?;
        let value = graph.constant(value);
        let mut candidates: Vec<NodeId> = types
            .simplest_of_kinds(field.key, Kinds::ANY)
            .iter()
            .map(|it| graph.constant(it))
            .collect();
        for kind in types.kinds(field.key).each() {
            let plain = (0..NEW_KEYS).map_while(|number| plain_value(graph, kind, number));
            candidates.extend(plain.collect::<Vec<_>>());
        }
        let mut candidates = candidates.into_iter();
        let key = candidates.find(|key| self.is_new(*key) && is_key_of(graph, field, *key))?;
        Some((key, value))
    }
}

fn is_key_of(graph: &mut Graph, field: Field, key: NodeId) -> bool {
    graph.member(field.key, key) == Condition::TRUE
}
