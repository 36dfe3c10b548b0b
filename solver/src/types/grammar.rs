//! A grammar of types, with a small value for each of them.

use erlang_term::Term;
use serde::{Deserialize, Serialize};

use super::alternative::{Alternative, TypeId};
use super::simplest;
use crate::kinds::Kinds;

/// A grammar: types that refer to each other.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Types {
    definitions: Vec<Definition>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Definition {
    /// The simplest first.
    alternatives: Vec<Alternative>,
    kinds: Kinds,
    /// For each alternative a small value, if one can be made.
    simplest: Vec<Option<Term>>,
}

impl Types {
    /// A grammar. The position of a definition is the number of its type.
    pub fn new(definitions: Vec<Vec<Alternative>>) -> Self {
        let simplest = simplest::all(&definitions);
        let definitions = definitions.into_iter().zip(simplest);
        let definitions = definitions.map(|(alternatives, simplest)| {
            let mut forms: Vec<_> = alternatives.into_iter().zip(simplest).collect();
            let size = |made: &Option<(u64, Term)>| made.as_ref().map_or(u64::MAX, |it| it.0);
            forms.sort_by_key(|(_, made)| size(made));
            let (alternatives, made): (Vec<_>, Vec<_>) = forms.into_iter().unzip();
            let kinds = alternatives.iter().map(Alternative::kinds);
            Definition {
                kinds: kinds.fold(Kinds::NONE, |all, kinds| all | kinds),
                alternatives,
                simplest: made.into_iter().map(|it| Some(it?.1)).collect(),
            }
        });
        Self {
            definitions: definitions.collect(),
        }
    }

    fn definition(&self, id: TypeId) -> Option<&Definition> {
        self.definitions.get(id.0 as usize)
    }

    /// The number of types.
    pub fn count(&self) -> usize {
        self.definitions.len()
    }

    /// The forms of a type's values, the simplest first.
    pub fn alternatives(&self, id: TypeId) -> &[Alternative] {
        self.definition(id).map_or(&[], |it| &it.alternatives)
    }

    /// The kinds of a type's values.
    pub(crate) fn kinds(&self, id: TypeId) -> Kinds {
        self.definition(id).map_or(Kinds::NONE, |it| it.kinds)
    }

    /// Whether every value is of this type.
    pub(crate) fn is_any(&self, id: TypeId) -> bool {
        self.alternatives(id).contains(&Alternative::Any)
    }

    /// A small value of a type, if one can be made.
    pub fn simplest(&self, id: TypeId) -> Option<&Term> {
        self.definition(id)?.simplest.first()?.as_ref()
    }

    /// Small values of a type that are of these kinds.
    pub(crate) fn simplest_of_kinds(&self, id: TypeId, kinds: Kinds) -> Vec<Term> {
        let Some(definition) = self.definition(id) else {
            return Vec::new();
        };
        let forms = definition.alternatives.iter().zip(&definition.simplest);
        forms
            .filter(|(alternative, _)| alternative.kinds().intersects(kinds))
            .filter_map(|(_, term)| term.clone())
            .collect()
    }
}
