//! Guesses for funs.
//!
//! That a fun returns the same for equal arguments is not asserted beforehand, for every two of its
//! results: a guess that breaks it says so, and is then split.

use super::Guess;
use crate::conflict::{Conflict, Step};
use crate::graph::{Condition, Kinds, MOST_PARAMETERS, Node, NodeId, Place};
use crate::store::NodeMap;

/// What a fun returns for some arguments in a guess.
struct FunEntry {
    arguments: NodeId,
    result: NodeId,
    /// The values of both.
    key: NodeId,
    value: NodeId,
}

impl Guess<'_, '_> {
    /// What a fun that was guessed already returns.
    pub(super) fn result_of_guessed(&mut self, part: NodeId) -> Result<Option<NodeId>, Conflict> {
        let Node::Part(place, of) = *self.known.graph.node(part) else {
            return Ok(None);
        };
        let Some(fun) = self.values.get(&of).copied() else {
            return Ok(None);
        };
        let place = match place {
            Place::Result(arguments) => Place::Result(self.value(arguments)?),
            Place::Default => place,
            Place::Head
            | Place::Tail
            | Place::Element(_)
            | Place::Text
            | Place::Value(_)
            | Place::Key(_)
            | Place::Bytes
            | Place::Unused
            | Place::Byte(_) => return Ok(None),
        };
        let result = self.known.graph.known_at(place, fun);
        result.map(Some).ok_or(Conflict)
    }

    /// A fun that returns what its results have been given, and something simple otherwise.
    pub(super) fn choose_fun(
        &mut self,
        part: NodeId,
        wanted: Option<NodeId>,
    ) -> Result<Option<NodeId>, Conflict> {
        let wanted = wanted.filter(|it| self.known.graph.kinds(*it) == Kinds::FUN);
        let wanted_arity = wanted.and_then(|it| self.known.graph.known_fun_arity(it));
        let arity = self.choose_fun_arity(part, wanted_arity)?;
        let (entries, default) = self.entries(part, arity)?;
        self.note_clashes(part, &entries, default)?;
        if let Some(wanted) = wanted
            && matches!(self.known.graph.node(wanted), Node::Other(..))
            && entries.is_empty()
            && wanted_arity == Some(arity)
            && !self.known.store.part(part).not.contains(&wanted)
        {
            return Ok(Some(wanted));
        }
        let defaults = match default {
            Some(default) => vec![default],
            None => self.possible_defaults(part, wanted, &entries),
        };
        let conditions = self.kept.get(&part).cloned().unwrap_or_default();
        let mut fallback = None;
        for default in defaults {
            let pairs = entries.iter().map(|it| (it.key, it.value)).collect();
            let candidate = self.known.graph.table(arity, pairs, default);
            if self.known.store.part(part).not.contains(&candidate) {
                continue;
            }
            if self.fits(part, candidate, &conditions) {
                return Ok(Some(candidate));
            }
            fallback = fallback.or(Some(candidate));
        }
        Ok(fallback)
    }

    fn choose_fun_arity(&mut self, part: NodeId, wanted: Option<u32>) -> Result<u32, Conflict> {
        let known = self.known.store.part(part);
        let usual = [1, 0, 2].into_iter().chain(3..=MOST_PARAMETERS);
        let mut likely = wanted.into_iter().chain(usual);
        let arity = known
            .fun_arity
            .or_else(|| likely.find(|it| !known.not_fun_arities.contains(it)));
        arity.filter(|it| *it <= MOST_PARAMETERS).ok_or_else(|| {
            self.known.give_up();
            Conflict
        })
    }

    /// What a fun returns for the arguments that it was given, and for those that cannot be in a
    /// table if there were some.
    fn entries(
        &mut self,
        part: NodeId,
        arity: u32,
    ) -> Result<(Vec<FunEntry>, Option<NodeId>), Conflict> {
        let mut entries: Vec<FunEntry> = Vec::new();
        let mut default = None;
        let mut number = 0;
        // While values are chosen, more parts may come up.
        while let Some(result) = self.known.store.part(part).parts.get(number).copied() {
            number += 1;
            let Node::Part(place, _) = *self.known.graph.node(result) else {
                continue;
            };
            if place == Place::Default {
                default = Some(self.value(result)?);
            } else if let Place::Result(arguments) = place
                && self.known.graph.count(arguments) == arity
            {
                let value = self.value(result)?;
                let key = self.value(arguments).inspect_err(|_| {
                    // The fun may be among its own arguments.
                    self.known.give_up();
                })?;
                entries.push(FunEntry {
                    arguments,
                    result,
                    key,
                    value,
                });
            }
        }
        Ok((entries, default))
    }

    /// Notes what must hold and does not: equal arguments have one result, and those in which
    /// there are funs have the default.
    fn note_clashes(
        &mut self,
        part: NodeId,
        entries: &[FunEntry],
        default: Option<NodeId>,
    ) -> Step {
        let mut known: NodeMap<&FunEntry> = NodeMap::default();
        for entry in entries {
            if self.known.graph.has_funs(entry.key) {
                if default != Some(entry.value) {
                    let must_hold = self.returns_default(part, entry)?;
                    self.clashes.push(must_hold);
                }
                continue;
            }
            let first = *known.entry(entry.key).or_insert(entry);
            if first.value != entry.value {
                let are_equal = self.known.graph.equal(first.arguments, entry.arguments);
                let is_same = self.known.graph.equal(first.result, entry.result);
                let must_hold = self.known.graph.any([!are_equal, is_same]);
                self.clashes.push(must_hold);
            }
        }
        Ok(())
    }

    /// If there is a fun among arguments, the result is the default: only such funs are made.
    fn returns_default(&mut self, part: NodeId, entry: &FunEntry) -> Result<Condition, Conflict> {
        self.known.give_up();
        let default = self.known.graph.default_result(part);
        let is_default = self.known.graph.equal(entry.result, default);
        let arguments = self.known.graph.operands(entry.arguments);
        let values = self.known.graph.operands(entry.key);
        for (argument, value) in arguments.into_iter().zip(values) {
            if self.known.graph.kinds(value) == Kinds::FUN {
                let is_fun = self.known.graph.kind(Kinds::FUN, argument);
                return Ok(self.known.graph.any([!is_fun, is_default]));
            }
        }
        Err(Conflict)
    }

    /// What a fun could return for all other arguments, the best first.
    fn possible_defaults(
        &mut self,
        part: NodeId,
        wanted: Option<NodeId>,
        entries: &[FunEntry],
    ) -> Vec<NodeId> {
        let known = self.known.store.part(part);
        let (types, depth) = (known.results.clone(), known.depth);
        let mut likely = Vec::new();
        if let Some(Node::Table(table)) = wanted.map(|it| self.known.graph.node(it)) {
            likely.push(table.default);
        }
        for of in &types {
            let simplest = self.known.graph.types().simplest_of_kinds(*of, Kinds::ANY);
            likely.extend(simplest.iter().map(|it| self.known.graph.constant(it)));
        }
        likely.extend((0..3).map(|it| self.known.graph.integer(it)));
        likely.extend(["a", "b", "true", "false"].map(|it| self.known.graph.atom(it)));
        likely.extend(entries.iter().map(|it| it.value));
        likely
            .retain(|it| self.known.graph.depth(*it) < depth && self.known.is_of_all(&types, *it));
        likely
    }
}
