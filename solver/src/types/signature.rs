//! The types of a function's arguments.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

use erlang_term::Term;

use super::alternative::TypeId;
use super::grammar::Types;

/// The arguments that a function takes: a list of types for each clause of its spec.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Signature {
    /// The grammar.
    pub types: Arc<Types>,
    /// The arguments have the types of one of these clauses.
    pub clauses: Vec<Vec<TypeId>>,
}

impl Signature {
    /// Whether arguments are of the right types.
    pub fn admits(&self, arguments: &[Term]) -> bool {
        self.clauses.iter().any(|types| {
            let mut pairs = types.iter().zip(arguments);
            types.len() == arguments.len() && pairs.all(|(of, it)| self.types.contains(*of, it))
        })
    }

    /// Small arguments, for each clause whose arguments can all be made.
    pub fn simplest(&self) -> Vec<Vec<Term>> {
        let simplest = |of: &TypeId| self.types.simplest(*of).cloned();
        let clauses = self.clauses.iter();
        clauses
            .filter_map(|types| types.iter().map(simplest).collect())
            .collect()
    }
}
