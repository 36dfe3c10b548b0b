//! Funs of the input: how many parameters they have, what they return, and how they are made.
//!
//! That a fun returns the same for equal arguments is not said beforehand, for every two of its
//! results: a guess that breaks it says so, and is then split.

use super::model::Guess;
use super::store::Index;
use super::{Conflict, Solver, Step};
use crate::graph::{
    Condition, Kinds, MOST_PARAMETERS, Node, NodeId, Place, depth_of_constant, has_funs,
};
use crate::types::TypeId;

/// What a fun returns for some arguments in a guess.
struct Entry {
    arguments: NodeId,
    result: NodeId,
    /// The values of both.
    key: NodeId,
    value: NodeId,
}

impl Solver<'_> {
    // ---- How many parameters a fun has

    pub(super) fn status_of_fun_arity(&mut self, arity: u32, node: NodeId) -> Option<bool> {
        let node = self.resolve(node);
        if !self.graph.is_part(node) {
            return super::assertion::constant(self.graph.fun_arity(arity, node));
        }
        let part = self.store.part(node);
        if !part.kinds.intersects(Kinds::FUN) || part.not_fun_arities.contains(&arity) {
            return Some(false);
        }
        match part.fun_arity {
            Some(known) if known != arity => Some(false),
            Some(_) if part.kinds == Kinds::FUN => Some(true),
            _ => None,
        }
    }

    pub(super) fn assert_fun_arity(
        &mut self,
        condition: Condition,
        arity: u32,
        node: NodeId,
    ) -> Step {
        let node = self.resolve(node);
        let holds = !condition.is_negated();
        if !self.graph.is_part(node) {
            let simpler = self.graph.fun_arity(arity, node);
            return self.assert_simpler(condition, simpler.signed_as(condition));
        }
        if let Some(status) = self.status_of_fun_arity(arity, node) {
            return self.require(status == holds);
        }
        if holds {
            if arity > MOST_PARAMETERS {
                self.gave_up = true;
                return Err(Conflict);
            }
            self.store.change(node, |part| part.fun_arity = Some(arity));
            return self.store.narrow(self.graph, node, Kinds::FUN);
        }
        if self.store.part(node).fun_arity == Some(arity) {
            return self.store.narrow(self.graph, node, !Kinds::FUN);
        }
        self.store
            .change(node, |part| part.not_fun_arities.push(arity));
        Ok(())
    }

    /// Whether a part can be this constant, if that is a fun.
    pub(super) fn can_be_fun(&mut self, part: NodeId, value: NodeId) -> bool {
        let Some(arity) = self.graph.known_fun_arity(value) else {
            return true;
        };
        let known = self.store.part(part);
        if known.fun_arity.is_some_and(|it| it != arity) || known.not_fun_arities.contains(&arity) {
            return false;
        }
        let types = known.results.clone();
        match self.graph.node(value).clone() {
            Node::Table(table) => {
                let mut results = table.entries.iter().map(|it| it.1).chain([table.default]);
                results.all(|it| self.is_of_all(&types, it))
            }
            _ => true,
        }
    }

    /// What is known about one fun holds for another one that is the same.
    pub(super) fn unify_funs(&mut self, gone: NodeId, stays: NodeId) -> Step {
        let gone = self.store.part(gone).clone();
        let known = self.store.part(stays).fun_arity;
        let are_different = match (known, gone.fun_arity) {
            (Some(one), Some(other)) => one != other,
            _ => false,
        };
        self.store.change(stays, |part| {
            part.fun_arity = part.fun_arity.or(gone.fun_arity);
            part.not_fun_arities.extend(&gone.not_fun_arities);
        });
        let part = self.store.part(stays);
        let arity = part.fun_arity;
        if are_different || arity.is_some_and(|it| part.not_fun_arities.contains(&it)) {
            // Both may still be something else.
            self.store.narrow(self.graph, stays, !Kinds::FUN)?;
        }
        let types = gone.results.into_iter();
        types
            .into_iter()
            .try_for_each(|it| self.returns_only(stays, it))
    }

    // ---- What a fun returns

    /// A fun returns only values of a type.
    pub(super) fn returns_only(&mut self, fun: NodeId, of: TypeId) -> Step {
        if self.graph.types().is_any(of) || self.store.part(fun).results.contains(&of) {
            return Ok(());
        }
        self.store.change(fun, |part| part.results.push(of));
        let parts = self.store.part(fun).parts.clone();
        for part in parts {
            if is_result(self.graph.node(part)) {
                let is_member = self.graph.member(of, part);
                self.assert(is_member)?;
            }
        }
        Ok(())
    }

    fn is_of_all(&mut self, types: &[TypeId], value: NodeId) -> bool {
        let mut types = types.iter();
        types.all(|of| self.graph.member(*of, value) == Condition::TRUE)
    }

    /// What a fun that was guessed already returns.
    pub(super) fn result_of_guessed(
        &mut self,
        guess: &mut Guess,
        part: NodeId,
    ) -> Result<Option<NodeId>, Conflict> {
        let Node::Part(place, of) = *self.graph.node(part) else {
            return Ok(None);
        };
        let Some(fun) = guess.values.get(&of).copied() else {
            return Ok(None);
        };
        let place = match place {
            Place::Result(arguments) => Place::Result(self.value(guess, arguments)?),
            Place::Default => place,
            _ => return Ok(None),
        };
        let result = self.graph.known_at(place, fun);
        result.map(Some).ok_or(Conflict)
    }

    // ---- Making a fun

    /// A fun that returns what its results have been given, and something simple otherwise.
    pub(super) fn choose_fun(
        &mut self,
        guess: &mut Guess,
        part: NodeId,
        wanted: Option<NodeId>,
    ) -> Result<Option<NodeId>, Conflict> {
        let wanted = wanted.filter(|it| self.graph.kinds(*it) == Kinds::FUN);
        let wanted_arity = wanted.and_then(|it| self.graph.known_fun_arity(it));
        let arity = self.choose_fun_arity(part, wanted_arity)?;
        let (entries, default) = self.entries(guess, part, arity)?;
        self.note_clashes(guess, part, &entries, default)?;
        if let Some(wanted) = wanted
            && matches!(self.graph.node(wanted), Node::Other(..))
            && entries.is_empty()
            && wanted_arity == Some(arity)
            && !self.store.part(part).not.contains(&wanted)
        {
            return Ok(Some(wanted));
        }
        let defaults = match default {
            Some(default) => vec![default],
            None => self.possible_defaults(part, wanted, &entries),
        };
        let conditions = guess.kept.get(&part).cloned().unwrap_or_default();
        let mut fallback = None;
        for default in defaults {
            let pairs = entries.iter().map(|it| (it.key, it.value)).collect();
            let candidate = self.graph.table(arity, pairs, default);
            if self.store.part(part).not.contains(&candidate) {
                continue;
            }
            if self.fits(guess, part, candidate, &conditions) {
                return Ok(Some(candidate));
            }
            fallback = fallback.or(Some(candidate));
        }
        Ok(fallback)
    }

    fn choose_fun_arity(&mut self, part: NodeId, wanted: Option<u32>) -> Result<u32, Conflict> {
        let known = self.store.part(part);
        let usual = [1, 0, 2].into_iter().chain(3..=MOST_PARAMETERS);
        let mut likely = wanted.into_iter().chain(usual);
        let arity = known
            .fun_arity
            .or_else(|| likely.find(|it| !known.not_fun_arities.contains(it)));
        arity.filter(|it| *it <= MOST_PARAMETERS).ok_or_else(|| {
            self.gave_up = true;
            Conflict
        })
    }

    /// What a fun returns for the arguments that it was given, and for those that cannot be in a
    /// table if there were some.
    fn entries(
        &mut self,
        guess: &mut Guess,
        part: NodeId,
        arity: u32,
    ) -> Result<(Vec<Entry>, Option<NodeId>), Conflict> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut default = None;
        let mut number = 0;
        // While values are chosen, more parts may come up.
        while let Some(result) = self.store.part(part).parts.get(number).copied() {
            number += 1;
            match *self.graph.node(result) {
                Node::Part(Place::Default, _) => default = Some(self.value(guess, result)?),
                Node::Part(Place::Result(arguments), _) if self.graph.count(arguments) == arity => {
                    let value = self.value(guess, result)?;
                    let key = self.value(guess, arguments).inspect_err(|_| {
                        // The fun may be among its own arguments.
                        self.gave_up = true;
                    })?;
                    entries.push(Entry {
                        arguments,
                        result,
                        key,
                        value,
                    });
                }
                _ => {}
            }
        }
        Ok((entries, default))
    }

    /// Notes what must hold and does not: equal arguments have one result, and those in which
    /// there are funs have the default.
    fn note_clashes(
        &mut self,
        guess: &mut Guess,
        part: NodeId,
        entries: &[Entry],
        default: Option<NodeId>,
    ) -> Step {
        let mut known: Index<&Entry> = Index::default();
        for entry in entries {
            if has_funs(self.graph, entry.key) {
                if default != Some(entry.value) {
                    let must_hold = self.returns_default(part, entry)?;
                    guess.clashes.push(must_hold);
                }
                continue;
            }
            let first = *known.entry(entry.key).or_insert(entry);
            if first.value != entry.value {
                let are_equal = self.graph.equal(first.arguments, entry.arguments);
                let is_same = self.graph.equal(first.result, entry.result);
                let must_hold = self.graph.any([!are_equal, is_same]);
                guess.clashes.push(must_hold);
            }
        }
        Ok(())
    }

    /// If there is a fun among arguments, the result is the default: only such funs are made.
    fn returns_default(&mut self, part: NodeId, entry: &Entry) -> Result<Condition, Conflict> {
        self.gave_up = true;
        let default = self.graph.default_result(part);
        let is_default = self.graph.equal(entry.result, default);
        let arguments = self.graph.node(entry.arguments).operands();
        let values = self.graph.node(entry.key).operands();
        for (argument, value) in arguments.into_iter().zip(values) {
            if self.graph.kinds(value) == Kinds::FUN {
                let is_fun = self.graph.kind(Kinds::FUN, argument);
                return Ok(self.graph.any([!is_fun, is_default]));
            }
        }
        Err(Conflict)
    }

    /// What a fun could return for all other arguments, the best first.
    fn possible_defaults(
        &mut self,
        part: NodeId,
        wanted: Option<NodeId>,
        entries: &[Entry],
    ) -> Vec<NodeId> {
        let known = self.store.part(part);
        let (types, depth) = (known.results.clone(), known.depth);
        let mut likely = Vec::new();
        if let Some(Node::Table(table)) = wanted.map(|it| self.graph.node(it)) {
            likely.push(table.default);
        }
        for of in &types {
            let simplest = self.graph.types().simplest_of_kinds(*of, Kinds::ANY);
            likely.extend(simplest.iter().map(|it| self.graph.constant(it)));
        }
        likely.extend((0..3).map(|it| self.graph.integer(it)));
        likely.extend(["a", "b", "true", "false"].map(|it| self.graph.atom(it)));
        likely.extend(entries.iter().map(|it| it.value));
        likely
            .retain(|it| depth_of_constant(self.graph, *it) < depth && self.is_of_all(&types, *it));
        likely
    }
}

pub(super) fn is_result(node: &Node) -> bool {
    matches!(node, Node::Part(Place::Result(_) | Place::Default, _))
}
