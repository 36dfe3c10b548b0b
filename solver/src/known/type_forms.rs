//! The forms that a value of a type can still have.

use super::Known;
use super::form::Form;
use crate::graph::{Condition, NodeId};
use crate::types::{Alternative, TypeId};

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
                    returns: if let Alternative::Fun(_, result) = alternative {
                        Some(*result)
                    } else {
                        None
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
