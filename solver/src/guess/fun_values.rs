//! Guesses for funs.
//!
//! A fun returns the same for equal arguments. This is not asserted beforehand for every two
//! results. Instead a guess that breaks it reports a clash, which is then split into cases.

use flattener::ast::deep;

use super::Guess;
use crate::conflict::{Conflict, Step};
use crate::graph::{Kinds, MOST_PARAMETERS, Node, NodeId, Place, can_be_key, depth_of_constant};
use crate::store::NodeMap;

/// The result of a fun for some arguments in a guess.
struct FunEntry {
    arguments: NodeId,
    result: NodeId,
    /// The value of the arguments, as a table knows it.
    key: NodeId,
    /// The value of the result.
    value: NodeId,
}

impl Guess<'_, '_> {
    /// The result of a fun that has a value already.
    pub(super) fn result_of_guessed(&mut self, part: NodeId) -> Result<Option<NodeId>, Conflict> {
        let Node::Part(place, of) = *self.known.graph.node(part) else {
            return Ok(None);
        };
        let Some(fun) = self.values.get(&of).copied() else {
            return Ok(None);
        };
        let place = match place {
            Place::Result(arguments) => Place::Result(self.key(arguments)?),
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

    /// The value of arguments, as a table knows it. Funs in it need no value: they may be those that
    /// are given the arguments.
    fn key(&mut self, arguments: NodeId) -> Result<NodeId, Conflict> {
        let node = self.known.resolve(arguments);
        if let Some(arity) = self.arity_of_fun(node) {
            return Ok(self.known.graph.any_fun(arity));
        }
        let parts = self.known.graph.node(node).clone();
        if let Node::Cons(head, tail) = parts {
            let head = deep(|| self.key(head))?;
            let tail = deep(|| self.key(tail))?;
            return Ok(self.known.graph.cons(head, tail));
        }
        if let Node::Tuple(elements) = parts {
            let keys = elements.iter().map(|it| deep(|| self.key(*it)));
            let keys = keys.collect::<Result<Vec<NodeId>, Conflict>>()?;
            return Ok(self.known.graph.tuple(keys));
        }
        let value = self.value(node)?;
        Ok(self.known.graph.table_key(value))
    }

    /// How many parameters a value has that is known to be a fun.
    fn arity_of_fun(&mut self, node: NodeId) -> Option<u32> {
        if self.known.graph.is_part(node) && self.known.kinds(node) == Kinds::FUN {
            return self.known.store.part(node).fun_arity;
        }
        self.known.graph.known_fun_arity(node)
    }
}

/// Guesses a fun.
pub(super) struct FunGuess<'guess, 'known, 'run> {
    pub(super) guess: &'guess mut Guess<'known, 'run>,
    pub(super) part: NodeId,
}

impl FunGuess<'_, '_, '_> {
    /// A fun that returns the guessed results, and something simple for all other arguments.
    pub(super) fn choose(mut self, wanted: Option<NodeId>) -> Result<Option<NodeId>, Conflict> {
        let wanted = wanted.filter(|it| self.guess.known.graph.kinds(*it) == Kinds::FUN);
        let wanted_arity = wanted.and_then(|it| self.guess.known.graph.known_fun_arity(it));
        let arity = self.choose_arity(wanted_arity)?;
        let (entries, default) = self.entries(arity)?;
        self.note_clashes(&entries, default)?;
        if let Some(wanted) = wanted
            && matches!(self.guess.known.graph.node(wanted), Node::Other(..))
            && entries.is_empty()
            && wanted_arity == Some(arity)
            && !self.guess.known.store.part(self.part).not.contains(&wanted)
        {
            return Ok(Some(wanted));
        }
        let defaults = match default {
            Some(default) => vec![default],
            None => self.possible_defaults(wanted, &entries),
        };
        let conditions = self.guess.kept.get(&self.part).cloned().unwrap_or_default();
        let mut fallback = None;
        for default in defaults {
            let pairs = entries.iter().map(|it| (it.key, it.value)).collect();
            let candidate = self.guess.known.graph.table(arity, pairs, default);
            if self
                .guess
                .known
                .store
                .part(self.part)
                .not
                .contains(&candidate)
            {
                continue;
            }
            if self.guess.fits(self.part, candidate, &conditions) {
                return Ok(Some(candidate));
            }
            fallback = fallback.or(Some(candidate));
        }
        Ok(fallback)
    }

    fn choose_arity(&mut self, wanted: Option<u32>) -> Result<u32, Conflict> {
        let known = self.guess.known.store.part(self.part);
        let usual = [1, 0, 2].into_iter().chain(3..=MOST_PARAMETERS);
        let mut likely = wanted.into_iter().chain(usual);
        let arity = known
            .fun_arity
            .or_else(|| likely.find(|it| !known.not_fun_arities.contains(it)));
        let arity = arity.filter(|it| *it <= MOST_PARAMETERS);
        arity.ok_or_else(|| self.guess.known.give_up())
    }

    /// The results of a fun for the arguments that it is called with, and its default if there are
    /// calls whose arguments cannot be in a table.
    fn entries(&mut self, arity: u32) -> Result<(Vec<FunEntry>, Option<NodeId>), Conflict> {
        let mut entries: Vec<FunEntry> = Vec::new();
        let mut default = None;
        let mut number = 0;
        // Choosing values may add more parts.
        while let Some(result) = self
            .guess
            .known
            .store
            .part(self.part)
            .parts
            .get(number)
            .copied()
        {
            number += 1;
            let Node::Part(place, _) = *self.guess.known.graph.node(result) else {
                continue;
            };
            if place == Place::Default {
                default = Some(self.guess.value(result)?);
            } else if let Place::Result(arguments) = place
                && self.guess.known.graph.count(arguments) == arity
            {
                let value = self.guess.value(result)?;
                let key = self.guess.key(arguments).inspect_err(|_| {
                    // The fun may be in a list or map among its own arguments.
                    self.guess.known.give_up();
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

    /// Notes conditions that must hold and do not: arguments that are the same to a table have one
    /// result, and arguments that it cannot know have the default.
    fn note_clashes(&mut self, entries: &[FunEntry], default: Option<NodeId>) -> Step {
        let mut known: NodeMap<&FunEntry> = NodeMap::default();
        for entry in entries {
            if !can_be_key(self.guess.known.graph, entry.key) {
                if default != Some(entry.value) {
                    // Only such funs are made.
                    return Err(self.guess.known.give_up());
                }
                continue;
            }
            let first = *known.entry(entry.key).or_insert(entry);
            if first.value != entry.value {
                let graph = &mut *self.guess.known.graph;
                let are_same = graph.same_key(first.arguments, entry.arguments, entry.key);
                let is_same = graph.equal(first.result, entry.result);
                let must_hold = graph.any([!are_same, is_same]);
                self.guess.clashes.push(must_hold);
            }
        }
        Ok(())
    }

    /// Values that a fun could return for all other arguments, the best first.
    fn possible_defaults(&mut self, wanted: Option<NodeId>, entries: &[FunEntry]) -> Vec<NodeId> {
        let known = self.guess.known.store.part(self.part);
        let (types, depth) = (known.results.clone(), known.depth);
        let mut likely = Vec::new();
        if let Some(Node::Table(table)) = wanted.map(|it| self.guess.known.graph.node(it)) {
            likely.push(table.default);
        }
        for of in &types {
            let simplest = self
                .guess
                .known
                .graph
                .types()
                .simplest_of_kinds(*of, Kinds::ANY);
            likely.extend(
                simplest
                    .iter()
                    .map(|it| self.guess.known.graph.constant(it)),
            );
        }
        likely.extend((0..3).map(|it| self.guess.known.graph.integer(it)));
        likely.extend(["a", "b", "true", "false"].map(|it| self.guess.known.graph.atom(it)));
        likely.extend(entries.iter().map(|it| it.value));
        likely.retain(|it| {
            depth_of_constant(self.guess.known.graph, *it) < depth
                && self.guess.known.is_of_all(&types, *it)
        });
        likely
    }
}
