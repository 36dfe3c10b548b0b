//! Types as conditions on values.

use erlang_term::decode;
use flattener::ast::deep;

use super::arena::Graph;
use super::formula::Formula;
use super::ids::{Condition, NodeId};
use super::node::{Node, Pair};
use crate::types::{Alternative, Field, Signature, TypeId};

impl Graph {
    /// The input fits a signature.
    pub(crate) fn admitted(&mut self, signature: &Signature) -> Condition {
        self.types = signature.types.clone();
        let clauses: Vec<Condition> = signature
            .clauses
            .iter()
            .map(|types| self.clause_admits(types))
            .collect();
        self.any(clauses)
    }

    fn clause_admits(&mut self, types: &[TypeId]) -> Condition {
        let members: Vec<Condition> = types
            .iter()
            .enumerate()
            .map(|(number, of)| {
                let input = self.input(number);
                self.member(*of, input)
            })
            .collect();
        self.all(members)
    }

    /// A value is of a type.
    pub(crate) fn member(&mut self, of: TypeId, node: NodeId) -> Condition {
        if self.types.is_any(of) {
            return Condition::TRUE;
        }
        if !self.types.kinds(of).intersects(self.kinds(node)) {
            return Condition::FALSE;
        }
        if self.is_choice(node) {
            return self.distribute_condition(node, |graph, leaf| graph.member(of, leaf));
        }
        if self.is_part(node) || matches!(self.node(node), Node::Unknown(_)) {
            return self.intern_formula(Formula::Member(of, node));
        }
        if !self.is_ground(node) {
            return self.has_some_form(of, node);
        }
        if let Some(known) = self.members.get(&(of, node)) {
            return Condition::of(*known);
        }
        let condition = self.has_some_form(of, node);
        if condition.is_constant() {
            self.members
                .insert((of, node), condition == Condition::TRUE);
        }
        condition
    }

    fn has_some_form(&mut self, of: TypeId, node: NodeId) -> Condition {
        let types = self.types.clone();
        let forms: Vec<Condition> = types
            .alternatives(of)
            .iter()
            .map(|alternative| deep(|| self.has_form(alternative, node)))
            .collect();
        self.any(forms)
    }

    /// A value has one of the forms of a type. For forms that conditions cannot tell apart this
    /// is only the kind, unless the value is a constant.
    pub(crate) fn has_form(&mut self, alternative: &Alternative, node: NodeId) -> Condition {
        let kinds = self.kind(alternative.kinds(), node);
        if kinds == Condition::FALSE || alternative.is_whole_kind() {
            return kinds;
        }
        let form = match alternative {
            Alternative::Integer(min, max) => {
                let min = min.clone().map(|min| self.big_integer(min));
                let max = max.clone().map(|max| self.big_integer(max));
                self.is_between(min, node, max)
            }
            Alternative::Atom(atom) => {
                let atom = self.atom(atom.as_str());
                return self.equal(node, atom);
            }
            Alternative::Cons(head_type, tail_type) => {
                let (head, tail) = (self.head(node), self.tail(node));
                let head = deep(|| self.member(*head_type, head));
                let tail = deep(|| self.member(*tail_type, tail));
                self.all([head, tail])
            }
            Alternative::Tuple(types) => return self.is_tuple_of(types, node),
            Alternative::Map(fields) => self.has_fields(fields, node),
            Alternative::Bits(base, unit) => self.has_form_of_bits(*base, *unit, node),
            Alternative::Text => self.utf8(0, node),
            Alternative::Fun(parameters, result) => {
                let arity = Alternative::arity(parameters.as_ref());
                return self.is_fun(arity, *result, node, kinds);
            }
            Alternative::Any
            | Alternative::Float
            | Alternative::AnyAtom
            | Alternative::Nil
            | Alternative::AnyTuple
            | Alternative::AnyMap
            | Alternative::AnyFun
            | Alternative::Pid
            | Alternative::Port
            | Alternative::Reference => {
                return self.constant_form(alternative, node).unwrap_or(kinds);
            }
        };
        self.all([kinds, form])
    }

    fn is_between(&mut self, min: Option<NodeId>, node: NodeId, max: Option<NodeId>) -> Condition {
        let min = min.map(|min| !self.less(node, min));
        let max = max.map(|max| !self.less(max, node));
        self.all(min.into_iter().chain(max))
    }

    fn is_tuple_of(&mut self, types: &[TypeId], node: NodeId) -> Condition {
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

    fn is_fun(
        &mut self,
        arity: Option<u32>,
        result: TypeId,
        node: NodeId,
        is_fun: Condition,
    ) -> Condition {
        let has_arity = match arity {
            Some(arity) => self.fun_arity(arity, node),
            None => is_fun,
        };
        let mut conditions = vec![has_arity];
        if let Node::Table(table) = self.node(node).clone() {
            let members = table.results().map(|it| deep(|| self.member(result, it)));
            conditions.extend(members);
        }
        self.all(conditions)
    }

    /// Whether a constant in external term format has a form.
    fn constant_form(&self, alternative: &Alternative, node: NodeId) -> Option<Condition> {
        let Node::Other(_, bytes) = self.node(node) else {
            return None;
        };
        let term = decode(bytes).ok()?;
        Some(Condition::of(self.types.has_form(alternative, &term)))
    }

    /// All pairs of a value that is a map fit these fields, and the required fields are present.
    pub(crate) fn has_fields(&mut self, fields: &[Field], map: NodeId) -> Condition {
        if let Node::Map(pairs) = self.node(map) {
            let pairs = pairs.clone();
            return self.pairs_have_fields(fields, &pairs, map);
        }
        let mut all = Vec::new();
        for field in fields.iter().filter(|field| field.is_required) {
            if let Some(key) = self.single_key(*field) {
                all.push(self.has_key(key, map));
            }
        }
        all.push(self.intern_formula(Formula::Fields(fields.into(), map)));
        self.all(all)
    }

    fn pairs_have_fields(&mut self, fields: &[Field], pairs: &[Pair], map: NodeId) -> Condition {
        let mut all = Vec::new();
        for (key, _) in pairs {
            all.push(self.fits_field(fields, *key, map));
        }
        for field in fields.iter().filter(|field| field.is_required) {
            let keys = pairs.iter().map(|it| it.0);
            let fits: Vec<Condition> = keys
                .map(|key| self.fits_field(&[*field], key, map))
                .collect();
            all.push(self.any(fits));
        }
        self.all(all)
    }

    /// A key of a map and its value fit one of these fields.
    pub(crate) fn fits_field(&mut self, fields: &[Field], key: NodeId, map: NodeId) -> Condition {
        let mut fits = Vec::new();
        for field in fields {
            let key_fits = deep(|| self.member(field.key, key));
            if key_fits != Condition::FALSE {
                let value = self.value_at(key, map);
                let value_fits = deep(|| self.member(field.value, value));
                fits.push(self.all([key_fits, value_fits]));
            }
        }
        self.any(fits)
    }

    /// The key of a field, if only one is possible.
    pub(crate) fn single_key(&mut self, field: Field) -> Option<NodeId> {
        match self.types.clone().alternatives(field.key) {
            [Alternative::Atom(atom)] => Some(self.atom(atom.as_str())),
            [Alternative::Integer(Some(low), Some(high))] if low == high => {
                Some(self.big_integer(low.clone()))
            }
            _ => None,
        }
    }
}
