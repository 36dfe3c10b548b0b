//! The types of sequences of calls: each argument is a call, or `none` behind the last one.

use std::collections::HashMap;
use std::sync::Arc;

use erlang_term::{Atom, Integer};
use solver::types::{Alternative, Signature, TypeId, Types};

use crate::program::callable::Callables;
use crate::program::needed_calls::NeededCalls;
use crate::sources::specs::Spec;

/// The types of sequences of at most `length` calls.
pub(crate) fn sequence_spec(
    callables: &Callables,
    needed: NeededCalls,
    length: usize,
    read: &Spec,
) -> Spec {
    let mut grammar = CallGrammar::default();
    let positions =
        (0..length).map(|before| grammar.call(callables, needed, (before, length - before - 1)));
    let clause: Vec<TypeId> = positions.collect();
    Spec {
        signature: Signature {
            types: Arc::new(Types::new(grammar.definitions)),
            clauses: vec![clause],
        },
        excluded: read.excluded.clone(),
        unmade: read.unmade.clone(),
    }
}

#[derive(Default)]
struct CallGrammar {
    definitions: Vec<Vec<Alternative>>,
    atoms: HashMap<Atom, TypeId>,
}

impl CallGrammar {
    fn next(&self) -> u32 {
        u32::try_from(self.definitions.len()).unwrap_or(u32::MAX)
    }

    fn define(&mut self, alternatives: Vec<Alternative>) -> TypeId {
        let id = TypeId(self.next());
        self.definitions.push(alternatives);
        id
    }

    fn atom(&mut self, atom: &Atom) -> TypeId {
        if let Some(known) = self.atoms.get(atom) {
            return *known;
        }
        let id = self.define(vec![Alternative::Atom(atom.clone())]);
        self.atoms.insert(atom.clone(), id);
        id
    }

    /// A number from 1 on.
    fn number(&mut self, most: usize) -> TypeId {
        let bound = |it: usize| Some(Integer::from(i64::try_from(it).unwrap_or(i64::MAX)));
        self.define(vec![Alternative::Integer(bound(1), bound(most.max(1)))])
    }

    /// The type of a call with this many calls before it, and behind it at most. A sequence has at
    /// least one call.
    fn call(
        &mut self,
        callables: &Callables,
        needed: NeededCalls,
        (before, behind): (usize, usize),
    ) -> TypeId {
        let by = self.types(callables, needed.farthest(before));
        let mut forms = Vec::new();
        if before > 0 {
            forms.push(Alternative::Atom(Atom::new("none")));
        }
        for callable in callables.callable_after(before) {
            let is_beginning = callables.most_taken(callable) == Some(0);
            if is_beginning && !needed.admits_beginning(before, behind) {
                continue;
            }
            let mut parts = vec![self.atom(&callable.tag)];
            for id in &callable.arguments {
                parts.push(match callables.only_reference(*id) {
                    Some(reference) => {
                        let calls = needed.farthest(before);
                        self.number(calls * callables.most_values(reference))
                    }
                    None => TypeId(id.0 + by),
                });
            }
            forms.push(Alternative::Tuple(parts));
        }
        self.define(forms)
    }

    /// Adds the types of arguments, with references to this many calls. Returns by how much their
    /// numbers are larger.
    fn types(&mut self, callables: &Callables, before: usize) -> u32 {
        let before = self.number(before);
        let mut references: HashMap<usize, [TypeId; 3]> = HashMap::new();
        for form in callables.definitions().iter().flatten() {
            if let Some((tag, reference)) = callables.reference(form) {
                let tag = self.atom(&tag);
                let value = self.number(callables.most_values(reference));
                references.insert(reference, [tag, before, value]);
            }
        }
        let by = self.next();
        for forms in callables.definitions() {
            let forms = forms.iter().map(|form| {
                let reference = callables.reference(form);
                let parts = reference.and_then(|it| references.get(&it.1));
                parts.map_or_else(
                    || form.shifted(by),
                    |parts| Alternative::Tuple(parts.to_vec()),
                )
            });
            self.definitions.push(forms.collect());
        }
        by
    }
}
