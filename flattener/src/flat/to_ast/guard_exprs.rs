//! Guards as syntax.

use super::term_exprs::literal;
use super::{Unflattener, layout, noted};
use crate::ast::{
    self, Binary, Call, Case, Child, Cons, Expr, Let, LiteralValue, Map, MapOperator, MapPair,
    Meta, Primop, Sequence, Try, Tuple, Values, deep,
};
use crate::flat::{Guard, GuardCall, GuardClause, GuardMap, GuardOperator, GuardSegment};

impl Unflattener<'_> {
    pub(super) fn guard(&self, guard: &Guard) -> Expr {
        deep(|| self.guard_step(guard))
    }

    fn guards(&self, guards: &[Guard]) -> Vec<Expr> {
        guards.iter().map(|guard| self.guard(guard)).collect()
    }

    fn guard_step(&self, guard: &Guard) -> Expr {
        let meta = Meta::default();
        match guard {
            Guard::Value(value) => self.value(value),
            Guard::Cons(parts) => Expr::Cons(Child::new(Cons {
                meta,
                head: self.guard(&parts.0),
                tail: self.guard(&parts.1),
            })),
            Guard::Tuple(elements) => Expr::Tuple(Child::new(Tuple {
                meta,
                elements: self.guards(elements),
            })),
            Guard::Values(elements) => Expr::Values(Child::new(Values {
                meta,
                elements: self.guards(elements),
            })),
            Guard::Map(map) => self.guard_map(map),
            Guard::Binary(segments) => Expr::Binary(Child::new(Binary {
                meta,
                segments: segments
                    .iter()
                    .map(|segment| self.guard_segment(segment))
                    .collect(),
            })),
            Guard::Call(call) => self.guard_call(call),
            Guard::Let(node) => Expr::Let(Child::new(Let {
                meta,
                variables: self.variables(&node.variables),
                argument: self.guard(&node.argument),
                body: self.guard(&node.body),
            })),
            Guard::Sequence(parts) => Expr::Sequence(Child::new(Sequence {
                meta,
                first: self.guard(&parts.0),
                second: self.guard(&parts.1),
            })),
            Guard::Case(node) => Expr::Case(Child::new(Case {
                meta,
                argument: self.guard(&node.argument),
                clauses: node
                    .clauses
                    .iter()
                    .map(|clause| self.guard_clause(clause))
                    .collect(),
            })),
            Guard::Try(node) => Expr::Try(Child::new(Try {
                meta,
                argument: self.guard(&node.argument),
                variables: self.variables(&node.variables),
                body: self.guard(&node.body),
                exception_variables: self.variables(&node.exception_variables),
                handler: self.guard(&node.handler),
            })),
        }
    }

    fn guard_map(&self, map: &GuardMap) -> Expr {
        let pair = |(operator, key, value): &(MapOperator, Guard, Guard)| MapPair {
            meta: Meta::default(),
            operator: *operator,
            key: self.guard(key),
            value: self.guard(value),
        };
        Expr::Map(Child::new(Map {
            meta: Meta::default(),
            pairs: map.pairs.iter().map(pair).collect(),
            base: map.base.as_ref().map(|base| self.guard(base)),
        }))
    }

    fn guard_segment(&self, segment: &GuardSegment) -> ast::CoreSegment {
        let [unit, kind, flags] = layout(segment.kind);
        ast::CoreSegment {
            meta: Meta::default(),
            value: self.guard(&segment.value),
            size: self.guard(&segment.size),
            unit,
            kind,
            flags,
        }
    }

    fn guard_clause(&self, clause: &GuardClause) -> ast::CoreClause {
        ast::CoreClause {
            meta: noted(&clause.annotations),
            patterns: self.patterns(&clause.patterns),
            guard: self.guard(&clause.guard),
            body: self.guard(&clause.body),
        }
    }

    fn guard_call(&self, call: &GuardCall) -> Expr {
        let meta = noted(&call.annotations);
        let arguments = self.guards(&call.arguments);
        match &call.operator {
            GuardOperator::Call(module, name) => Expr::Call(Child::new(Call {
                meta,
                module: Expr::Literal(Box::new(literal(LiteralValue::Atom(module.clone())))),
                name: Expr::Literal(Box::new(literal(LiteralValue::Atom(name.clone())))),
                arguments,
            })),
            GuardOperator::Primop(name) => Expr::Primop(Child::new(Primop {
                meta,
                name: literal(LiteralValue::Atom(name.clone())),
                arguments,
            })),
        }
    }
}
