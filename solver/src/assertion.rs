//! Adding conditions to what is known.

use erlang_term::Term;
use flattener::ast::deep;

use super::integers::{Constraint, Relation};
use super::{Conflict, Solver, Step};
use crate::graph::{Condition, Formula, Kinds, Node, NodeId, Place};

impl Solver<'_> {
    /// Adds a condition. What cannot be decided yet is kept.
    pub(super) fn assert(&mut self, condition: Condition) -> Step {
        if self.ends() {
            return Err(Conflict);
        }
        let holds = !condition.is_negated();
        match self.graph.formula(condition).clone() {
            Formula::True => self.require(holds),
            Formula::All(parts) if holds => parts
                .iter()
                .try_for_each(|part| deep(|| self.assert(*part))),
            Formula::All(parts) => self.assert_not_all(condition, &parts),
            Formula::Kind(kinds, node) => {
                let kinds = if holds { kinds } else { !kinds };
                self.assert_kind(condition, kinds, node)
            }
            Formula::Arity(arity, node) => self.assert_arity(condition, arity, node),
            Formula::FunArity(arity, node) => self.assert_fun_arity(condition, arity, node),
            Formula::ProperList(node) => self.assert_proper_list(condition, node),
            Formula::Member(of, node) => self.assert_member(condition, of, node),
            Formula::HasKey(key, map) => self.assert_has_key(condition, key, map),
            Formula::Fields(fields, map) => self.assert_fields(condition, &fields, map),
            Formula::Equal(left, right) if holds => self.unify(left, right),
            Formula::Equal(left, right) => self.separate(condition, left, right),
            Formula::Same(left, right) => self.assert_same(condition, left, right),
            Formula::Less(left, right) => self.assert_less(condition, left, right),
            Formula::TooLarge(operator, left, right) => {
                self.assert_too_large(condition, operator, left, right)
            }
        }
    }

    pub(super) fn require(&self, holds: bool) -> Step {
        if holds { Ok(()) } else { Err(Conflict) }
    }

    pub(super) fn keep(&mut self, condition: Condition) -> Step {
        self.store.kept.push(condition);
        Ok(())
    }

    pub(super) fn resolve(&mut self, node: NodeId) -> NodeId {
        self.store.resolve(self.graph, node)
    }

    /// The kinds that a resolved value can have.
    pub(super) fn kinds(&mut self, node: NodeId) -> Kinds {
        if self.graph.is_part(node) {
            return self.store.part(node).kinds;
        }
        let known = self.graph.kinds(node);
        if !matches!(self.graph.node(node), Node::Arithmetic(..)) || known.is_single() {
            return known;
        }
        let is_integer = self.graph.kind(Kinds::INTEGER, node);
        match self.status(is_integer) {
            Some(true) => Kinds::INTEGER,
            Some(false) => Kinds::FLOAT,
            None => known,
        }
    }

    fn assert_not_all(&mut self, condition: Condition, parts: &[Condition]) -> Step {
        let mut open = None;
        for part in parts {
            match self.status(*part) {
                Some(false) => return Ok(()),
                Some(true) => {}
                None if open.is_some() => return self.keep(condition),
                None => open = Some(*part),
            }
        }
        match open {
            Some(part) => deep(|| self.assert(!part)),
            None => Err(Conflict),
        }
    }

    /// Whether a condition holds whatever the open parts are.
    pub(super) fn status(&mut self, condition: Condition) -> Option<bool> {
        if self.ends() {
            return None;
        }
        let holds = match self.graph.formula(condition).clone() {
            Formula::True => Some(true),
            // A condition on a part stands behind the one that says that the part is there.
            Formula::All(parts) => {
                let mut statuses = parts.iter().map(|part| deep(|| self.status(*part)));
                let first = statuses.find(|status| *status != Some(true));
                first.unwrap_or(Some(true))
            }
            Formula::Kind(kinds, node) => {
                let node = self.resolve(node);
                let possible = self.kinds(node);
                if possible.is_within(kinds) {
                    Some(true)
                } else if possible.intersects(kinds) {
                    None
                } else {
                    Some(false)
                }
            }
            Formula::Arity(arity, node) => self.status_of_arity(arity, node),
            Formula::FunArity(arity, node) => self.status_of_fun_arity(arity, node),
            Formula::ProperList(node) => self.list_end(node).err(),
            Formula::Member(of, node) => self.status_of_member(of, node),
            Formula::HasKey(key, map) => self.status_of_has_key(key, map),
            Formula::Fields(fields, map) => self.status_of_fields(&fields, map),
            Formula::Equal(left, right) => self.status_of_equal(left, right),
            Formula::Same(left, right) => {
                let (left, right) = (self.resolve(left), self.resolve(right));
                if self.kinds(left).can_be_same(self.kinds(right)) {
                    constant(self.graph.same(left, right))
                } else {
                    Some(false)
                }
            }
            Formula::Less(left, right) => {
                let (left, right) = (self.resolve(left), self.resolve(right));
                let by_kinds = self.kinds(left).all_before(self.kinds(right));
                by_kinds.or_else(|| constant(self.graph.less(left, right)))
            }
            Formula::TooLarge(operator, left, right) => {
                self.status_of_too_large(operator, left, right)
            }
        };
        holds.map(|holds| holds != condition.is_negated())
    }

    /// Whether the condition of a choice holds. Of integers, what was asserted is known again by
    /// its constraint; without that, a choice would be split into the same cases for ever.
    pub(super) fn status_of_choice(&mut self, condition: Condition) -> Option<bool> {
        let status = self.status(condition);
        if status.is_some() {
            return status;
        }
        let holds = match *self.graph.formula(condition) {
            Formula::Less(left, right) => {
                if self.is_asserted(left, Relation::Less, right) {
                    true
                } else if self.is_asserted(right, Relation::AtMost, left) {
                    false
                } else {
                    return None;
                }
            }
            Formula::Equal(left, right) => {
                let either = [(left, right), (right, left)];
                let mut is = |relation| {
                    let mut either = either.into_iter();
                    either.any(|(left, right)| self.is_asserted(left, relation, right))
                };
                if is(Relation::Equal) {
                    true
                } else if is(Relation::Different) {
                    false
                } else {
                    return None;
                }
            }
            _ => return None,
        };
        Some(holds != condition.is_negated())
    }

    /// Whether two values are integers whose difference is known to be related to 0 in this way,
    /// because it is a constant or because just that was added.
    fn is_asserted(&mut self, left: NodeId, relation: Relation, right: NodeId) -> bool {
        let (left, right) = (self.resolve(left), self.resolve(right));
        if !(self.kinds(left) | self.kinds(right)).is_within(Kinds::INTEGER) {
            return false;
        }
        let Some(linear) = self.linear_difference(left, right) else {
            return false;
        };
        let constraint = Constraint { linear, relation };
        constraint
            .constant()
            .unwrap_or_else(|| self.store.constraints.contains(&constraint))
    }

    fn status_of_arity(&mut self, arity: u32, node: NodeId) -> Option<bool> {
        let node = self.resolve(node);
        if !self.graph.is_part(node) {
            return constant(self.graph.arity(arity, node));
        }
        let part = self.store.part(node);
        if !part.kinds.intersects(Kinds::TUPLE) || part.not_arities.contains(&arity) {
            return Some(false);
        }
        match part.arity {
            Some(known) if known != arity => Some(false),
            Some(_) if part.kinds == Kinds::TUPLE => Some(true),
            _ => None,
        }
    }

    fn status_of_equal(&mut self, left: NodeId, right: NodeId) -> Option<bool> {
        let (left, right) = (self.resolve(left), self.resolve(right));
        let simpler = self.graph.equal(left, right);
        if simpler.is_constant() {
            return constant(simpler);
        }
        if !self.kinds(left).intersects(self.kinds(right)) {
            return Some(false);
        }
        for (part, value) in [(left, right), (right, left)] {
            if self.graph.is_part(part) && self.store.part(part).not.contains(&value) {
                return Some(false);
            }
        }
        if *self.graph.formula(simpler) == Formula::Equal(left.min(right), left.max(right)) {
            None
        } else {
            deep(|| self.status(simpler))
        }
    }

    fn assert_kind(&mut self, condition: Condition, kinds: Kinds, node: NodeId) -> Step {
        let node = self.resolve(node);
        if self.graph.is_part(node) {
            return self.store.narrow(self.graph, node, kinds);
        }
        let simpler = self.graph.kind(kinds, node);
        self.assert_simpler(condition, simpler)
    }

    /// Adds what a condition has become; keeps it if it still is what it was.
    pub(super) fn assert_simpler(&mut self, condition: Condition, simpler: Condition) -> Step {
        if simpler == condition {
            self.keep(condition)
        } else {
            deep(|| self.assert(simpler))
        }
    }

    fn assert_arity(&mut self, condition: Condition, arity: u32, node: NodeId) -> Step {
        let node = self.resolve(node);
        let holds = !condition.is_negated();
        if !self.graph.is_part(node) {
            let simpler = self.graph.arity(arity, node);
            return self.assert_simpler(condition, simpler.signed_as(condition));
        }
        let status = self.status_of_arity(arity, node);
        if let Some(status) = status {
            return self.require(status == holds);
        }
        if holds {
            self.store.change(node, |part| part.arity = Some(arity));
            return self.store.narrow(self.graph, node, Kinds::TUPLE);
        }
        if self.store.part(node).arity == Some(arity) {
            return self.store.narrow(self.graph, node, !Kinds::TUPLE);
        }
        self.store.change(node, |part| part.not_arities.push(arity));
        Ok(())
    }

    /// Where a list is not known any more, or whether it is proper.
    fn list_end(&mut self, list: NodeId) -> Result<NodeId, bool> {
        let (_, end) = self.known_cells(list);
        let kinds = self.kinds(end);
        if kinds == Kinds::NIL {
            Err(true)
        } else if kinds.intersects(Kinds::LIST) {
            Ok(end)
        } else {
            Err(false)
        }
    }

    /// How many cells of a list are known to be there, and what is behind them.
    pub(super) fn known_cells(&mut self, list: NodeId) -> (i128, NodeId) {
        let mut count = 0;
        let mut rest = self.resolve(list);
        while self.kinds(rest) == Kinds::CONS {
            count += 1;
            let tail = self.graph.tail(rest);
            rest = self.resolve(tail);
        }
        (count, rest)
    }

    fn assert_proper_list(&mut self, condition: Condition, node: NodeId) -> Step {
        let holds = !condition.is_negated();
        let end = match self.list_end(node) {
            Ok(end) => end,
            Err(is_proper) => return self.require(is_proper == holds),
        };
        if self.graph.is_part(end) {
            let kinds = if holds { Kinds::LIST } else { !Kinds::NIL };
            self.store.narrow(self.graph, end, kinds)?;
            if self.kinds(end) == Kinds::NIL {
                return Ok(());
            }
        }
        self.keep(condition)
    }

    // ---- Equality

    /// Makes two values the same.
    fn unify(&mut self, left: NodeId, right: NodeId) -> Step {
        let (left, right) = (self.resolve(left), self.resolve(right));
        if left == right {
            return Ok(());
        }
        match (self.graph.is_part(left), self.graph.is_part(right)) {
            (true, true) => self.unify_parts(left, right),
            (true, false) => self.bind(left, right),
            (false, true) => self.bind(right, left),
            (false, false) => {
                let simpler = self.graph.equal(left, right);
                if *self.graph.formula(simpler) == Formula::Equal(left.min(right), left.max(right))
                {
                    if (self.kinds(left) | self.kinds(right)).is_within(Kinds::INTEGER) {
                        self.constrain(simpler, Relation::Equal, left, right)
                    } else {
                        self.keep(simpler)
                    }
                } else {
                    deep(|| self.assert(simpler))
                }
            }
        }
    }

    /// Binds a part to a value that is no part.
    pub(super) fn bind(&mut self, part: NodeId, value: NodeId) -> Step {
        let kinds = self.kinds(value);
        match self.graph.node(value) {
            Node::Arithmetic(..)
            | Node::Rounded(..)
            | Node::Length(_)
            | Node::TupleSize(_)
            | Node::MapSize(_) => {
                self.store.narrow(self.graph, part, kinds)?;
                let condition = self.graph.equal(part, value);
                return if kinds == Kinds::INTEGER {
                    self.constrain(condition, Relation::Equal, part, value)
                } else {
                    self.keep(condition)
                };
            }
            Node::Truth(_) | Node::Choice(..) => {
                let simpler = self.graph.equal(part, value);
                return deep(|| self.assert(simpler));
            }
            Node::Bits(_) | Node::FloatOf(..) => {
                self.store.narrow(self.graph, part, kinds)?;
                let simpler = self.graph.equal(part, value);
                let same = Formula::Equal(part.min(value), part.max(value));
                return if *self.graph.formula(simpler) == same {
                    self.keep(simpler)
                } else {
                    deep(|| self.assert(simpler))
                };
            }
            Node::Closure(_) | Node::Unknown(_) => {
                self.gave_up = true;
                return Err(Conflict);
            }
            _ => {}
        }
        if !self.can_be_fun(part, value) {
            return Err(Conflict);
        }
        let known = self.store.part(part);
        if !known.kinds.intersects(kinds) || known.not.contains(&value) {
            return Err(Conflict);
        }
        let (depth, parts) = (known.depth, known.parts.clone());
        let (keys, is_map) = (known.keys.clone(), kinds == Kinds::MAP);
        if let Node::Tuple(elements) = self.graph.node(value) {
            let arity = u32::try_from(elements.len()).unwrap_or(u32::MAX);
            if known.arity.is_some_and(|known| known != arity) || known.not_arities.contains(&arity)
            {
                return Err(Conflict);
            }
        }
        let not = match self.graph.node(value) {
            Node::AtomOf(_) => known.not.clone(),
            _ => Vec::new(),
        };
        self.store.bind(part, value);
        self.store.limit_depth(self.graph, value, depth)?;
        for other in not {
            let is_other = self.graph.equal(value, other);
            deep(|| self.assert(!is_other))?;
        }
        if is_map {
            self.unify_maps(part, value, &keys)?;
        }
        self.unify_inner(&parts, value)
    }

    /// The known parts of a value that was bound become parts of what it was bound to. Those of
    /// another shape were looked at in a case that is over.
    fn unify_inner(&mut self, parts: &[NodeId], value: NodeId) -> Step {
        let is_part = self.graph.is_part(value);
        for part in parts {
            let Node::Part(place, _) = *self.graph.node(*part) else {
                continue;
            };
            let inner = if is_part {
                self.graph.at(place, value)
            } else if let Place::Value(key) = place {
                // A key that was asked for may be there or not.
                let is_there = self.graph.has_key(key, value);
                let there = self.graph.value_at(key, value);
                let is_same = self.graph.equal(*part, there);
                let must_hold = self.graph.any([!is_there, is_same]);
                deep(|| self.assert(must_hold))?;
                continue;
            } else {
                match self.graph.known_at(place, value) {
                    Some(inner) => inner,
                    None => continue,
                }
            };
            deep(|| self.unify(*part, inner))?;
        }
        Ok(())
    }

    fn unify_parts(&mut self, left: NodeId, right: NodeId) -> Step {
        // The part that is less deep in the input stays, since what is built contains it.
        let (gone, stays) = if self.store.part(left).depth <= self.store.part(right).depth {
            (left, right)
        } else {
            (right, left)
        };
        let merged = self.store.part(gone).clone();
        self.store.bind(gone, stays);
        let known = self.store.part(stays);
        let arity = match (known.arity, merged.arity) {
            (Some(one), Some(other)) if one != other => {
                // Both may still be something else than tuples.
                self.store.narrow(self.graph, stays, !Kinds::TUPLE)?;
                None
            }
            (one, other) => one.or(other),
        };
        self.store.change(stays, |part| {
            part.arity = arity;
            part.not_arities.extend(&merged.not_arities);
            part.not.extend(&merged.not);
        });
        let part = self.store.part(stays);
        if part
            .arity
            .is_some_and(|arity| part.not_arities.contains(&arity))
        {
            self.store.narrow(self.graph, stays, !Kinds::TUPLE)?;
        }
        self.store.narrow(self.graph, stays, merged.kinds)?;
        self.unify_funs(gone, stays)?;
        self.store.limit_depth(self.graph, stays, merged.depth)?;
        self.unify_maps(gone, stays, &merged.keys)?;
        self.unify_inner(&merged.parts, stays)
    }

    /// Makes two values different.
    fn separate(&mut self, condition: Condition, left: NodeId, right: NodeId) -> Step {
        let (left, right) = (self.resolve(left), self.resolve(right));
        let equal = self.graph.equal(left, right);
        if *self.graph.formula(equal) != Formula::Equal(left.min(right), left.max(right)) {
            return deep(|| self.assert(!equal));
        }
        if !self.kinds(left).intersects(self.kinds(right)) {
            return Ok(());
        }
        for (part, value) in [(left, right), (right, left)] {
            if self.graph.is_part(part) && self.graph.is_constant_map(value) {
                self.store.change(part, |part| part.not.push(value));
                return Ok(());
            }
            if self.graph.is_part(part) && self.graph.is_atomic(value) {
                if self.graph.kinds(value) == Kinds::ATOM
                    && let Some(own) = self.graph.known_text(part)
                {
                    let is_atom = self.graph.kind(Kinds::ATOM, part);
                    let text = self.graph.text(value);
                    let is_same = self.graph.equal(own, text);
                    let is_same = self.graph.all([is_atom, is_same]);
                    return deep(|| self.assert(!is_same));
                }
                if let Some(same) = self.graph.same_constant_bits(part, value) {
                    return deep(|| self.assert(!same));
                }
                self.store.change(part, |part| part.not.push(value));
                if *self.graph.node(value) == Node::Nil {
                    return self.store.narrow(self.graph, part, !Kinds::NIL);
                }
                return Ok(());
            }
        }
        if (self.kinds(left) | self.kinds(right)).is_within(Kinds::INTEGER) {
            return self.constrain(!equal, Relation::Different, left, right);
        }
        self.keep(condition)
    }

    fn assert_same(&mut self, condition: Condition, left: NodeId, right: NodeId) -> Step {
        let (left, right) = (self.resolve(left), self.resolve(right));
        let same = self.graph.same(left, right);
        let holds = !condition.is_negated();
        if *self.graph.formula(same) != Formula::Same(left.min(right), left.max(right)) {
            return deep(|| self.assert(same.signed_as(condition)));
        }
        if !self.kinds(left).can_be_same(self.kinds(right)) {
            return self.require(!holds);
        }
        let kinds = self.kinds(left) | self.kinds(right);
        if kinds.is_within(Kinds::INTEGER) {
            let equal = self.graph.equal(left, right);
            return deep(|| self.assert(equal.signed_as(condition)));
        }
        for (part, value) in [(left, right), (right, left)] {
            if self.graph.is_part(part)
                && let Some(either) = self.same_as_value(part, value)
            {
                return deep(|| self.assert(either.signed_as(condition)));
            }
        }
        self.keep(same.signed_as(condition))
    }

    /// What it means that a part is the same as a number, a list cell or a tuple.
    fn same_as_value(&mut self, part: NodeId, value: NodeId) -> Option<Condition> {
        match self.graph.node(value).clone() {
            Node::Integer(_) | Node::Float(_) => {
                let as_it_is = self.graph.equal(part, value);
                let Some(other) = self.graph.other_form(value) else {
                    return Some(as_it_is);
                };
                let otherwise = self.graph.equal(part, other);
                Some(self.graph.any([as_it_is, otherwise]))
            }
            Node::Cons(head, tail) => {
                let is_cons = self.graph.kind(Kinds::CONS, part);
                let (own_head, own_tail) = (self.graph.head(part), self.graph.tail(part));
                let heads = self.graph.same(own_head, head);
                let tails = self.graph.same(own_tail, tail);
                Some(self.graph.all([is_cons, heads, tails]))
            }
            Node::Tuple(elements) => {
                let arity = u32::try_from(elements.len()).ok()?;
                let mut all = vec![self.graph.arity(arity, part)];
                for (index, element) in (0..).zip(&elements) {
                    let own = self.graph.element(index, part);
                    all.push(self.graph.same(own, *element));
                }
                Some(self.graph.all(all))
            }
            Node::Map(_) => {
                let value = self.graph.to_term(value).filter(|it| !has_numbers(it))?;
                let value = self.graph.constant(&value);
                Some(self.graph.equal(part, value))
            }
            _ => None,
        }
    }

    // ---- Order

    fn assert_less(&mut self, condition: Condition, left: NodeId, right: NodeId) -> Step {
        let (left, right) = (self.resolve(left), self.resolve(right));
        let less = self.graph.less(left, right);
        let holds = !condition.is_negated();
        if *self.graph.formula(less) != Formula::Less(left, right) {
            return deep(|| self.assert(less.signed_as(condition)));
        }
        let (low, high) = if holds { (left, right) } else { (right, left) };
        self.narrow_order(low, high)?;
        let (left, right) = (self.resolve(left), self.resolve(right));
        let (left_kinds, right_kinds) = (self.kinds(left), self.kinds(right));
        if let Some(status) = left_kinds.all_before(right_kinds) {
            return self.require(status == holds);
        }
        if (left_kinds | right_kinds).is_within(Kinds::INTEGER) {
            return if holds {
                self.constrain(less, Relation::Less, left, right)
            } else {
                self.constrain(!less, Relation::AtMost, right, left)
            };
        }
        if left_kinds.is_single() && left_kinds == right_kinds {
            if left_kinds == Kinds::ATOM && self.is_about_text(left, right) {
                let (left, right) = (self.graph.text(left), self.graph.text(right));
                let by_text = self.graph.less(left, right);
                return deep(|| self.assert(by_text.signed_as(condition)));
            }
            if left_kinds == Kinds::CONS {
                let by_parts = self.less_lists(left, right);
                return deep(|| self.assert(by_parts.signed_as(condition)));
            }
            if let Some(by_parts) = self.less_tuples(left, right) {
                return deep(|| self.assert(by_parts.signed_as(condition)));
            }
        }
        self.keep(less.signed_as(condition))
    }

    /// Whether the text of one of two atoms was looked at.
    fn is_about_text(&self, left: NodeId, right: NodeId) -> bool {
        [left, right].into_iter().any(|atom| {
            matches!(self.graph.node(atom), Node::AtomOf(_))
                || self.graph.known_text(atom).is_some()
        })
    }

    /// Leaves both sides only kinds with which the one is not behind the other.
    fn narrow_order(&mut self, low: NodeId, high: NodeId) -> Step {
        if self.graph.is_part(low) {
            let kinds = self.kinds(high).or_below();
            self.store.narrow(self.graph, low, kinds)?;
        }
        if self.graph.is_part(high) {
            let kinds = self.kinds(low).or_above();
            self.store.narrow(self.graph, high, kinds)?;
        }
        Ok(())
    }

    fn less_lists(&mut self, left: NodeId, right: NodeId) -> Condition {
        let (head, other) = (self.graph.head(left), self.graph.head(right));
        let heads = self.graph.less(head, other);
        let same = self.graph.same(head, other);
        let (tail, other) = (self.graph.tail(left), self.graph.tail(right));
        let tails = self.graph.less(tail, other);
        let tails = self.graph.all([same, tails]);
        self.graph.any([heads, tails])
    }

    fn less_tuples(&mut self, left: NodeId, right: NodeId) -> Option<Condition> {
        let arities = (self.known_arity(left)?, self.known_arity(right)?);
        if arities.0 != arities.1 {
            return Some(Condition::of(arities.0 < arities.1));
        }
        let mut less = Condition::FALSE;
        for index in (0..arities.0).rev() {
            let (left, right) = (
                self.graph.element(index, left),
                self.graph.element(index, right),
            );
            let here = self.graph.less(left, right);
            let same = self.graph.same(left, right);
            let later = self.graph.all([same, less]);
            less = self.graph.any([here, later]);
        }
        Some(less)
    }

    pub(super) fn known_arity(&self, node: NodeId) -> Option<u32> {
        match self.graph.node(node) {
            Node::Tuple(elements) => u32::try_from(elements.len()).ok(),
            _ if self.graph.is_part(node) => self.store.part(node).arity,
            _ => None,
        }
    }

    // ---- Integers

    /// Adds a relation between two integers. `condition` says the same.
    fn constrain(
        &mut self,
        condition: Condition,
        relation: Relation,
        left: NodeId,
        right: NodeId,
    ) -> Step {
        if self.graph.is_unknown_condition(condition) {
            self.gave_up = true;
            return Err(Conflict);
        }
        match self.linear_difference(left, right) {
            Some(linear) => {
                let constraint = Constraint { linear, relation };
                if let Some(holds) = constraint.constant() {
                    return self.require(holds);
                }
                self.store.constraints.push(constraint);
                Ok(())
            }
            None => self.keep(condition),
        }
    }
}

/// Whether a number is somewhere in a term, so that others can be the same by `==`.
fn has_numbers(term: &Term) -> bool {
    match term {
        Term::Integer(_) | Term::Float(_) => true,
        // Funs are equal or different.
        Term::ExternalFun(_) | Term::TableFun(_) => false,
        Term::Atom(_) | Term::Bits(..) => false,
        Term::List(elements, tail) => {
            let mut inner = elements.iter().chain(tail.as_deref());
            inner.any(|it| deep(|| has_numbers(it)))
        }
        Term::Tuple(elements) => elements.iter().any(|it| deep(|| has_numbers(it))),
        // Keys are equal or different.
        Term::Map(pairs) => pairs.iter().any(|it| deep(|| has_numbers(&it.1))),
    }
}

pub(super) fn constant(condition: Condition) -> Option<bool> {
    match condition {
        Condition::TRUE => Some(true),
        Condition::FALSE => Some(false),
        _ => None,
    }
}
