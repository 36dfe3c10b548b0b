//! The process dictionary: values that a program puts there stay symbolic.

use models::ProcessCall;
use solver::graph::{Condition, Graph, Node, NodeId};
use trace_format::Payload;

use super::replayed::{Misfit, ProgramSite};
use super::run_state::RunState;

/// The entries that the program has put into the dictionary of its process, by keys that may be
/// symbolic.
#[derive(Debug, Default)]
pub(super) struct Dictionary(Vec<(NodeId, NodeId)>);

impl Dictionary {
    /// The result of a function of the dictionary; `None` for other functions, and if the
    /// dictionary is not as expected.
    pub(super) fn call(
        &mut self,
        run: &mut RunState<'_>,
        at: ProgramSite,
        call: ProcessCall,
        arguments: &[NodeId],
        payload: &Payload,
    ) -> Result<Option<NodeId>, Misfit> {
        match (call, arguments) {
            (ProcessCall::Get, &[key]) => self.entry(run, at, key, payload, |_, _| {}),
            (ProcessCall::Erase, &[key]) => self.entry(run, at, key, payload, |entries, index| {
                index.map(|index| entries.remove(index));
            }),
            (ProcessCall::Put, &[key, value]) => {
                self.entry(run, at, key, payload, |entries, index| {
                    match index.and_then(|index| entries.get_mut(index)) {
                        Some(entry) => entry.1 = value,
                        None => entries.push((key, value)),
                    }
                })
            }
            (ProcessCall::GetAll, _) => Ok(self.all_entries(run.graph(), payload)),
            (ProcessCall::EraseAll, _) => {
                let all = self.all_entries(run.graph(), payload);
                self.0.clear();
                Ok(all)
            }
            (ProcessCall::GetKeys, _) => {
                let is_known = self.has_constant_keys(run.graph());
                Ok(is_known.then(|| run.constant(payload)))
            }
            (
                ProcessCall::Get
                | ProcessCall::Erase
                | ProcessCall::Put
                | ProcessCall::OwnPid
                | ProcessCall::Send
                | ProcessCall::Apply
                | ProcessCall::MakeFun
                | ProcessCall::Raise
                | ProcessCall::Encode
                | ProcessCall::Decode,
                _,
            ) => Ok(None),
        }
    }

    /// Compares a key with all keys, the oldest first, to decide which entry has it. Returns the
    /// value that was there, and changes it.
    fn entry(
        &mut self,
        run: &mut RunState<'_>,
        at: ProgramSite,
        key: NodeId,
        payload: &Payload,
        change: impl FnOnce(&mut Vec<(NodeId, NodeId)>, Option<usize>),
    ) -> Result<Option<NodeId>, Misfit> {
        let known = self.0.iter();
        let mut ways: Vec<Condition> = known
            .map(|(known, _)| run.graph().equal(key, *known))
            .collect();
        ways.push(Condition::TRUE);
        let Some(taken) = run.choose(at, &ways)? else {
            return Ok(None);
        };
        let found = self.0.get(taken).copied();
        change(&mut self.0, found.map(|_| taken));
        let logged = run.constant(payload);
        Ok(match found {
            Some((_, value)) => run.is_as_logged(value, logged).then_some(value),
            // Other code may have put it there.
            None => (logged == run.graph().atom("undefined")).then_some(logged),
        })
    }

    /// All keys with their values, in the order of the run.
    fn all_entries(&self, graph: &mut Graph, payload: &Payload) -> Option<NodeId> {
        if !self.has_constant_keys(graph) {
            return None;
        }
        let logged = payload.term().ok()?;
        let mut list = NodeId::NIL;
        for pair in logged.as_list()?.iter().rev() {
            let pair = graph.constant(pair);
            let Node::Tuple(parts) = graph.node(pair).clone() else {
                return None;
            };
            let (key, value) = (*parts.first()?, *parts.get(1)?);
            let known = self.0.iter().find(|it| it.0 == key);
            let value = known.map_or(value, |it| it.1);
            let pair = graph.tuple([key, value]);
            list = graph.cons(pair, list);
        }
        Some(list)
    }

    /// Otherwise the order of entries depends on the input.
    fn has_constant_keys(&self, graph: &Graph) -> bool {
        self.0.iter().all(|it| graph.is_ground(it.0))
    }
}
