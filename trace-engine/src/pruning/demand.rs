//! What the rest of a run looks at of each variable of a program.

use flattener::flat::{LocalId, VarId};
use rustc_hash::FxHashMap;

use super::view::{NOTHING, View};

/// A top-level function: module and index.
pub(crate) type FunctionPlace = (usize, usize);

/// The views of the functions that a search can reach.
#[derive(Debug, Default)]
pub(crate) struct Demand {
    /// By the numbers of the variables.
    pub(super) variables: FxHashMap<FunctionPlace, Vec<View>>,
    /// What is looked at of the results of functions.
    pub(super) results: FxHashMap<FunctionPlace, View>,
    /// The same for functions of a `letrec`.
    pub(super) results_of_locals: FxHashMap<(FunctionPlace, LocalId), View>,
    /// What is looked at of the reasons of exceptions by those who catch them.
    pub(super) raised: View,
}

impl Demand {
    /// What is looked at of a variable. In a function that nobody knew to be reachable, it is
    /// everything.
    pub(crate) fn variable(&self, place: FunctionPlace, variable: VarId) -> &View {
        let views = self.variables.get(&place);
        let view = views.and_then(|views| views.get(variable.index()));
        view.unwrap_or(&View::Full)
    }

    /// What is looked at of the result of a function.
    pub(crate) fn result(&self, place: FunctionPlace) -> &View {
        if !self.variables.contains_key(&place) {
            return &View::Full;
        }
        self.results.get(&place).unwrap_or(&NOTHING)
    }

    /// The same for a function of a `letrec`.
    pub(crate) fn result_of_local(&self, place: FunctionPlace, local: LocalId) -> &View {
        if !self.variables.contains_key(&place) {
            return &View::Full;
        }
        let result = self.results_of_locals.get(&(place, local));
        result.unwrap_or(&NOTHING)
    }

    /// Whether nobody looks at what a function returns.
    pub(crate) fn is_unseen(&self, place: FunctionPlace) -> bool {
        let is_reached = self.variables.contains_key(&place);
        is_reached && self.results.get(&place).is_none_or(View::is_nothing)
    }

    /// The same for a function of a `letrec`.
    pub(crate) fn is_local_unseen(&self, place: FunctionPlace, local: LocalId) -> bool {
        let is_reached = self.variables.contains_key(&place);
        let result = self.results_of_locals.get(&(place, local));
        is_reached && result.is_none_or(View::is_nothing)
    }
}
