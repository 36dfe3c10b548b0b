//! The process dictionary: what a program puts there it finds again as it was, symbolic or not.

use flattener::flat::Statement;
use trace_format::Payload;

use super::{Misfit, Replay};
use solver::graph::{Condition, Node, NodeId};

/// What the program has put into the dictionary of its process, by keys that may be symbolic.
#[derive(Debug, Default)]
pub(super) struct Dictionary(Vec<(NodeId, NodeId)>);

impl<'run> Replay<'run> {
    /// What a function of the dictionary returned; `None` if it is something else, or if the
    /// dictionary is not as it should be.
    pub(super) fn dictionary_call(
        &mut self,
        statement: &'run Statement,
        name: &str,
        arguments: &[NodeId],
        payload: &Payload,
    ) -> Result<Option<NodeId>, Misfit> {
        match (name, arguments) {
            ("get", [key]) => self.entry(statement, *key, payload, |_, _| {}),
            ("erase", [key]) => self.entry(statement, *key, payload, |entries, index| {
                index.map(|index| entries.remove(index));
            }),
            ("put", &[key, value]) => self.entry(statement, key, payload, |entries, index| {
                match index.and_then(|index| entries.get_mut(index)) {
                    Some(entry) => entry.1 = value,
                    None => entries.push((key, value)),
                }
            }),
            ("get", []) => Ok(self.all_entries(payload)),
            ("erase", []) => {
                let all = self.all_entries(payload);
                self.dictionary.0.clear();
                Ok(all)
            }
            ("get_keys", []) => Ok(self.has_constant_keys().then(|| self.constant(payload))),
            _ => Ok(None),
        }
    }

    /// Which entry has a key is decided by comparing it with all keys, the oldest first. What was
    /// there is returned, and then changed.
    fn entry(
        &mut self,
        statement: &'run Statement,
        key: NodeId,
        payload: &Payload,
        change: impl FnOnce(&mut Vec<(NodeId, NodeId)>, Option<usize>),
    ) -> Result<Option<NodeId>, Misfit> {
        let keys: Vec<NodeId> = self.dictionary.0.iter().map(|it| it.0).collect();
        let mut ways: Vec<Condition> = keys
            .into_iter()
            .map(|known| self.graph().equal(key, known))
            .collect();
        ways.push(Condition::TRUE);
        let Some(taken) = self.choose(statement, &ways)? else {
            return Ok(None);
        };
        let found = self.dictionary.0.get(taken).copied();
        change(&mut self.dictionary.0, found.map(|_| taken));
        let logged = self.constant(payload);
        Ok(match found {
            Some((_, value)) => self.is_as_logged(value, logged).then_some(value),
            // Somebody else may have put it there.
            None => (logged == self.graph().atom("undefined")).then_some(logged),
        })
    }

    /// All keys with their values, in the order of the run.
    fn all_entries(&mut self, payload: &Payload) -> Option<NodeId> {
        if !self.has_constant_keys() {
            return None;
        }
        let logged = payload.term().ok()?;
        let mut list = NodeId::NIL;
        for pair in logged.as_list()?.iter().rev() {
            let pair = self.graph().constant(pair);
            let Node::Tuple(parts) = self.graph().node(pair).clone() else {
                return None;
            };
            let (key, value) = (*parts.first()?, *parts.get(1)?);
            let known = self.dictionary.0.iter().find(|it| it.0 == key);
            let value = known.map_or(value, |it| it.1);
            let pair = self.graph().tuple([key, value]);
            list = self.graph().cons(pair, list);
        }
        Some(list)
    }

    /// Otherwise the order of entries depends on the input.
    fn has_constant_keys(&self) -> bool {
        let graph = &self.replayed.graph;
        self.dictionary.0.iter().all(|it| graph.is_ground(it.0))
    }
}
