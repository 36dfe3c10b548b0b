//! Making two values the same.

use flattener::ast::deep;

use super::Asserting;
use crate::conflict::{Conflict, Step};
use crate::graph::{Formula, Kinds, Node, NodeId, Place};
use crate::integers::Relation;

impl Asserting<'_, '_> {
    /// Makes two values the same.
    pub(super) fn unify(&mut self, left: NodeId, right: NodeId) -> Step {
        let (left, right) = (self.known.resolve(left), self.known.resolve(right));
        if left == right {
            return Ok(());
        }
        match (
            self.known.graph.is_part(left),
            self.known.graph.is_part(right),
        ) {
            (true, true) => self.unify_parts(left, right),
            (true, false) => self.bind(left, right),
            (false, true) => self.bind(right, left),
            (false, false) => {
                let simpler = self.known.graph.equal(left, right);
                if *self.known.graph.formula(simpler)
                    == Formula::Equal(left.min(right), left.max(right))
                {
                    if (self.known.kinds(left) | self.known.kinds(right)).is_within(Kinds::INTEGER)
                    {
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

    /// Binds a part to a value that is not a part.
    pub(crate) fn bind(&mut self, part: NodeId, value: NodeId) -> Step {
        let kinds = self.known.kinds(value);
        match self.known.graph.node(value) {
            Node::Arithmetic(..)
            | Node::Rounded(..)
            | Node::Length(_)
            | Node::TupleSize(_)
            | Node::MapSize(_) => {
                self.known.narrow(part, kinds)?;
                let condition = self.known.graph.equal(part, value);
                return if kinds == Kinds::INTEGER {
                    self.constrain(condition, Relation::Equal, part, value)
                } else {
                    self.keep(condition)
                };
            }
            Node::Truth(_) | Node::Choice(..) => {
                let simpler = self.known.graph.equal(part, value);
                return deep(|| self.assert(simpler));
            }
            Node::Bits(_) | Node::FloatOf(..) => {
                self.known.narrow(part, kinds)?;
                let simpler = self.known.graph.equal(part, value);
                let same = Formula::Equal(part.min(value), part.max(value));
                return if *self.known.graph.formula(simpler) == same {
                    self.keep(simpler)
                } else {
                    deep(|| self.assert(simpler))
                };
            }
            Node::Closure(_) | Node::Unknown(_) => {
                return Err(self.known.give_up());
            }
            Node::Input(_)
            | Node::Part(..)
            | Node::Integer(_)
            | Node::Float(_)
            | Node::Atom(_)
            | Node::Nil
            | Node::Other(..)
            | Node::Cons(..)
            | Node::Tuple(_)
            | Node::Map(_)
            | Node::Put(..)
            | Node::Without(..)
            | Node::AtomOf(_)
            | Node::Table(_) => {}
        }
        if !self.can_be_fun(part, value) {
            return Err(Conflict);
        }
        let known = self.known.store.part(part);
        if !known.kinds.intersects(kinds) || known.not.contains(&value) {
            return Err(Conflict);
        }
        let (depth, parts) = (known.depth, known.parts.clone());
        let (keys, is_map) = (known.keys.clone(), kinds == Kinds::MAP);
        if let Node::Tuple(elements) = self.known.graph.node(value) {
            let arity = u32::try_from(elements.len()).unwrap_or(u32::MAX);
            if known.arity.is_some_and(|known| known != arity) || known.not_arities.contains(&arity)
            {
                return Err(Conflict);
            }
        }
        let not = if let Node::AtomOf(_) = self.known.graph.node(value) {
            known.not.clone()
        } else {
            Vec::new()
        };
        self.known.store.bind(part, value);
        self.known.limit_depth(value, depth)?;
        for other in not {
            let is_other = self.known.graph.equal(value, other);
            deep(|| self.assert(!is_other))?;
        }
        if is_map {
            self.unify_maps(part, value, &keys)?;
        }
        self.unify_inner(&parts, value)
    }

    /// Unifies the known parts of a bound value with the parts of the value it was bound to. Parts
    /// that the new value does not have come from a case that is over.
    fn unify_inner(&mut self, parts: &[NodeId], value: NodeId) -> Step {
        let is_part = self.known.graph.is_part(value);
        for part in parts {
            let Node::Part(place, _) = *self.known.graph.node(*part) else {
                continue;
            };
            let inner = if is_part {
                self.known.graph.at(place, value)
            } else if let Place::Value(key) = place {
                // The map may or may not have this key.
                let is_there = self.known.graph.has_key(key, value);
                let there = self.known.graph.value_at(key, value);
                let is_same = self.known.graph.equal(*part, there);
                let must_hold = self.known.graph.any([!is_there, is_same]);
                deep(|| self.assert(must_hold))?;
                continue;
            } else {
                match self.known.graph.known_at(place, value) {
                    Some(inner) => inner,
                    None => continue,
                }
            };
            deep(|| self.unify(*part, inner))?;
        }
        Ok(())
    }

    fn unify_parts(&mut self, left: NodeId, right: NodeId) -> Step {
        // The part that is less deep in the input stays, because what is built contains it.
        let (gone, stays) =
            if self.known.store.part(left).depth <= self.known.store.part(right).depth {
                (left, right)
            } else {
                (right, left)
            };
        let merged = self.known.store.part(gone).clone();
        self.known.store.bind(gone, stays);
        let known = self.known.store.part(stays);
        let arity = match (known.arity, merged.arity) {
            (Some(one), Some(other)) if one != other => {
                // Both may still be something other than tuples.
                self.known.narrow(stays, !Kinds::TUPLE)?;
                None
            }
            (one, other) => one.or(other),
        };
        self.known.store.change(stays, |part| {
            part.arity = arity;
            part.not_arities.extend(&merged.not_arities);
            part.not.extend(&merged.not);
        });
        let part = self.known.store.part(stays);
        if part
            .arity
            .is_some_and(|arity| part.not_arities.contains(&arity))
        {
            self.known.narrow(stays, !Kinds::TUPLE)?;
        }
        self.known.narrow(stays, merged.kinds)?;
        self.unify_funs(gone, stays)?;
        self.known.limit_depth(stays, merged.depth)?;
        self.unify_maps(gone, stays, &merged.keys)?;
        self.unify_inner(&merged.parts, stays)
    }
}
