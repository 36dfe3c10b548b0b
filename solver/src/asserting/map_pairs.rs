//! Which keys maps have, and what follows from that.

use flattener::ast::deep;

use super::{Asserting, require};
use crate::conflict::Step;
use crate::graph::{Condition, Kinds, NodeId};
use crate::types::Field;

impl Asserting<'_, '_> {
    pub(super) fn assert_has_key(
        &mut self,
        condition: Condition,
        key: NodeId,
        map: NodeId,
    ) -> Step {
        let holds = !condition.is_negated();
        let map = self.known.resolve(map);
        if !self.known.graph.is_part(map) {
            let simpler = self.known.graph.has_key(key, map);
            return self.assert_simpler(condition, simpler.signed_as(condition));
        }
        match self.known.status_of_has_key(key, map) {
            Some(status) => return require(status == holds),
            None => self
                .known
                .store
                .change(map, |part| part.keys.push((key, holds))),
        }
        if holds {
            self.known.narrow(map, Kinds::MAP)?;
            for fields in self.known.store.part(map).fields.clone() {
                let fits = self.known.graph.fits_field(&fields, key, map);
                deep(|| self.assert(fits))?;
            }
        }
        Ok(())
    }

    /// Lets the pairs of a map fit the fields of a type. The condition is added for each known key,
    /// and guesses are checked.
    pub(super) fn assert_fields(
        &mut self,
        condition: Condition,
        fields: &[Field],
        map: NodeId,
    ) -> Step {
        let map = self.known.resolve(map);
        if !self.known.graph.is_part(map) {
            let simpler = self.known.graph.has_fields(fields, map);
            return self.assert_simpler(condition, simpler.signed_as(condition));
        }
        if condition.is_negated() {
            return self.keep(condition);
        }
        self.known.narrow(map, Kinds::MAP)?;
        let known = self.known.store.part(map);
        if known.fields.iter().any(|it| **it == *fields) {
            return Ok(());
        }
        let keys = known.keys.clone();
        self.known
            .store
            .change(map, |part| part.fields.push(fields.into()));
        for (key, _) in keys.into_iter().filter(|it| it.1) {
            let fits = self.known.graph.fits_field(fields, key, map);
            deep(|| self.assert(fits))?;
        }
        self.keep(condition)
    }

    /// Copies what is known about the keys of a map to the value that it was bound to.
    pub(super) fn unify_maps(
        &mut self,
        gone: NodeId,
        stays: NodeId,
        keys: &[(NodeId, bool)],
    ) -> Step {
        for (key, is_there) in keys {
            let has_key = self.known.graph.has_key(*key, stays);
            deep(|| self.assert(if *is_there { has_key } else { !has_key }))?;
        }
        if let Some(size) = self.known.graph.known_map_size(gone)
            && self.known.kinds(stays) == Kinds::MAP
        {
            let size_now = self.known.graph.map_size(stays);
            self.known.store.bind(size, size_now);
        }
        Ok(())
    }
}
