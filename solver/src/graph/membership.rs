//! Whether a value is of a type.

use std::sync::Arc;

use erlang_term::decode;
use flattener::ast::deep;

use super::{Condition, Formula, Graph, Kinds, Node, NodeId};
use crate::types::{Alternative, Signature, TypeId, Types};

impl Graph {
    /// The input is one that a signature admits.
    pub fn admitted(&mut self, signature: &Signature) -> Condition {
        self.types = signature.types.clone();
        let clauses: Vec<Condition> = signature
            .clauses
            .iter()
            .map(|types| {
                let members: Vec<Condition> = types
                    .iter()
                    .enumerate()
                    .map(|(number, of)| {
                        let input = self.input(number);
                        self.member(*of, input)
                    })
                    .collect();
                self.all(members)
            })
            .collect();
        self.any(clauses)
    }

    /// A value is of a type.
    pub fn member(&mut self, of: TypeId, node: NodeId) -> Condition {
        let types = self.types.clone();
        if types.is_any(of) {
            return Condition::TRUE;
        }
        if !types.kinds(of).intersects(self.kinds(node)) {
            return Condition::FALSE;
        }
        if self.is_choice(node) {
            return self.distribute_condition(node, |graph, leaf| graph.member(of, leaf));
        }
        if self.is_part(node) || matches!(self.node(node), Node::Unknown(_)) {
            return self.intern_formula(Formula::Member(of, node));
        }
        let is_constant = self.is_ground(node);
        if is_constant && let Some(known) = self.members.get(&(of, node)) {
            return Condition::of(*known);
        }
        let forms: Vec<Condition> = types
            .alternatives(of)
            .iter()
            .map(|alternative| deep(|| self.has_form(alternative, node)))
            .collect();
        let condition = self.any(forms);
        if is_constant && condition.is_constant() {
            self.members
                .insert((of, node), condition == Condition::TRUE);
        }
        condition
    }

    /// A value has one of the forms of a type. Of forms that conditions cannot tell apart this
    /// says only the kind, unless the value is a constant.
    pub fn has_form(&mut self, alternative: &Alternative, node: NodeId) -> Condition {
        let kinds = self.kind(alternative.kinds(), node);
        if kinds == Condition::FALSE || alternative.is_whole_kind() {
            return kinds;
        }
        match alternative {
            Alternative::Integer(min, max) => {
                let mut conditions = vec![kinds];
                if let Some(min) = min {
                    let min = self.big_integer(min.clone());
                    conditions.push(!self.less(node, min));
                }
                if let Some(max) = max {
                    let max = self.big_integer(max.clone());
                    conditions.push(!self.less(max, node));
                }
                self.all(conditions)
            }
            Alternative::Atom(atom) => {
                let atom = self.atom(atom.as_str());
                self.equal(node, atom)
            }
            Alternative::Cons(head_type, tail_type) => {
                let (head, tail) = (self.head(node), self.tail(node));
                let head = deep(|| self.member(*head_type, head));
                let tail = deep(|| self.member(*tail_type, tail));
                self.all([kinds, head, tail])
            }
            Alternative::Tuple(types) => {
                let size = u32::try_from(types.len()).unwrap_or(u32::MAX);
                let mut conditions = vec![self.arity(size, node)];
                if conditions == [Condition::FALSE] {
                    return Condition::FALSE;
                }
                for (index, of) in (0..).zip(types) {
                    let element = self.element(index, node);
                    conditions.push(deep(|| self.member(*of, element)));
                }
                self.all(conditions)
            }
            Alternative::Map(fields) => {
                let fields = self.has_fields(fields, node);
                self.all([kinds, fields])
            }
            Alternative::Bits(base, unit) => {
                let size = self.has_form_of_bits(*base, *unit, node);
                self.all([kinds, size])
            }
            Alternative::Fun(arity, result) => {
                let has_arity = match arity {
                    Some(arity) => self.fun_arity(*arity, node),
                    None => kinds,
                };
                let mut conditions = vec![has_arity];
                if let Node::Table(table) = self.node(node).clone() {
                    let results = table.entries.iter().map(|it| it.1).chain([table.default]);
                    let members = results.map(|it| deep(|| self.member(*result, it)));
                    conditions.extend(members);
                }
                self.all(conditions)
            }
            _ => self.constant_form(alternative, node).unwrap_or(kinds),
        }
    }

    /// Whether a constant in external term format has a form.
    fn constant_form(&self, alternative: &Alternative, node: NodeId) -> Option<Condition> {
        let Node::Other(_, bytes) = self.node(node) else {
            return None;
        };
        let term = decode(bytes).ok()?;
        Some(Condition::of(self.types.has_form(alternative, &term)))
    }

    /// The types that conditions speak of.
    pub fn types(&self) -> &Arc<Types> {
        &self.types
    }

    /// The kinds of a type's values.
    pub fn kinds_of_type(&self, of: TypeId) -> Kinds {
        self.types.kinds(of)
    }
}
