//! The forms of a type as cases.

use super::{Case, Split};
use crate::graph::{Condition, Formula, Kinds};
use crate::known::Form;

impl Split<'_, '_> {
    /// The forms of a type as cases. Forms that the parent's value can have come first.
    pub(super) fn split_member(&mut self, condition: Condition) -> Option<Vec<Case>> {
        let Formula::Member(of, node) = *self.known.graph.formula(condition) else {
            return None;
        };
        let part = self.known.resolve(node);
        if condition.is_negated() || !self.known.graph.is_part(part) {
            return None;
        }
        let forms = self.known.possible_forms(of, part);
        if forms.len() < 2 {
            return None;
        }
        let wanted = self.wanted(part);
        let wanted = wanted.map_or(Kinds::NONE, |wanted| self.known.graph.kinds(wanted));
        let kind = self.known.graph.kind(wanted, part);
        let (first, rest): (Vec<Form>, Vec<Form>) = forms
            .into_iter()
            .partition(|form| self.known.graph.all([form.condition, kind]) != Condition::FALSE);
        let cases = first.into_iter().chain(rest);
        let case = |form: Form| {
            let more = form.is_opaque.then_some(condition);
            std::iter::once(form.condition).chain(more).collect()
        };
        Some(cases.map(case).collect())
    }
}
