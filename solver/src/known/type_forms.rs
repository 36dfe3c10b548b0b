//! The forms that a value of a type can still have.

use super::Known;
use crate::graph::{Condition, NodeId};
use crate::types::{Alternative, TypeId};

/// A form that a value of a type can still have.
pub(crate) struct Form {
    /// What it says of the value.
    pub(crate) condition: Condition,
    /// Whether it says more than that about constants.
    pub(crate) is_opaque: bool,
    /// Whether all values of a kind have it.
    pub(crate) is_whole_kind: bool,
    /// What it says of the results of a fun, beside the condition.
    pub(crate) returns: Option<TypeId>,
}

impl Form {
    /// Whether all that it says can be added to what is known.
    pub(crate) fn can_be_said(&self) -> bool {
        !self.is_opaque || self.returns.is_some()
    }
}

impl Known<'_> {
    /// The forms of a type that a part can still have.
    pub(crate) fn possible_forms(&mut self, of: TypeId, part: NodeId) -> Vec<Form> {
        let types = self.graph.types().clone();
        let mut forms = Vec::new();
        for alternative in types.alternatives(of) {
            let condition = self.graph.has_form(alternative, part);
            if self.status(condition) != Some(false) {
                forms.push(Form {
                    condition,
                    is_opaque: alternative.is_opaque(),
                    is_whole_kind: alternative.is_whole_kind(),
                    returns: match alternative {
                        Alternative::Fun(_, result) => Some(*result),
                        _ => None,
                    },
                });
            }
        }
        forms
    }

    pub(crate) fn is_of_all(&mut self, types: &[TypeId], value: NodeId) -> bool {
        let mut types = types.iter();
        types.all(|of| self.graph.member(*of, value) == Condition::TRUE)
    }
}
