//! Guards stay trees: nothing in them can be called that could be traced.

use erlang_term::{Atom, Term};

use super::values::{make_list, make_tuple};
use super::{Flattener, atom_of};
use crate::ast::{self, Child, Expr, LiteralValue, Span, deep};
use crate::flat::{
    Guard, GuardCall, GuardCase, GuardClause, GuardLet, GuardMap, GuardOperator, GuardSegment,
    GuardTry, Value,
};

impl Flattener<'_> {
    pub(super) fn guard(&mut self, expr: Expr) -> Guard {
        deep(|| self.guard_step(expr))
    }

    fn guards(&mut self, exprs: Vec<Expr>) -> Vec<Guard> {
        exprs.into_iter().map(|expr| self.guard(expr)).collect()
    }

    fn guard_step(&mut self, expr: Expr) -> Guard {
        if let Some(value) = self.atomic_value(&expr) {
            return Guard::Value(value);
        }
        let span = expr.meta().span;
        match expr {
            Expr::Cons(cons) => {
                let cons = cons.into_inner();
                match (self.guard(cons.head), self.guard(cons.tail)) {
                    (Guard::Value(head), Guard::Value(tail)) => {
                        Guard::Value(make_list(vec![head], tail))
                    }
                    parts => Guard::Cons(Child::new(parts)),
                }
            }
            Expr::Tuple(tuple) => {
                let elements = self.guards(tuple.into_inner().elements);
                match plain_values(&elements) {
                    Some(values) => Guard::Value(make_tuple(values)),
                    None => Guard::Tuple(Child::new(elements)),
                }
            }
            Expr::Values(values) => {
                Guard::Values(Child::new(self.guards(values.into_inner().elements)))
            }
            Expr::Map(map) => self.guard_map(map.into_inner()),
            Expr::Binary(binary) => self.guard_binary(binary.into_inner()),
            Expr::Call(call) => self.guard_call(call.into_inner()),
            Expr::Primop(primop) => {
                let primop = primop.into_inner();
                Guard::Call(Child::new(GuardCall {
                    operator: GuardOperator::Primop(atom_of(&primop.name)),
                    arguments: self.guards(primop.arguments),
                    annotations: primop.meta.annotations,
                }))
            }
            Expr::Let(node) => {
                let node = node.into_inner();
                let argument = self.guard(node.argument);
                let variables = self.bind_all(node.variables);
                let body = self.guard(node.body);
                Guard::Let(Child::new(GuardLet {
                    variables,
                    argument,
                    body,
                }))
            }
            Expr::Sequence(node) => {
                let node = node.into_inner();
                let first = self.guard(node.first);
                Guard::Sequence(Child::new((first, self.guard(node.second))))
            }
            Expr::Case(node) => self.guard_case(node.into_inner()),
            Expr::Try(node) => self.guard_try(node.into_inner()),
            Expr::Apply(_) | Expr::Fun(_) | Expr::Letrec(_) | Expr::Catch(_) | Expr::Receive(_) => {
                self.not_allowed(span)
            }
            Expr::Variable(_)
            | Expr::Literal(_)
            | Expr::Constant(_)
            | Expr::FunctionName(_)
            | Expr::ExternalFun(_) => {
                unreachable!("these are atomic values")
            }
        }
    }

    fn not_allowed(&mut self, span: Span) -> Guard {
        self.complain(span, "a guard must be pure", "not allowed in a guard");
        Guard::Value(Value::literal(Term::atom("false")))
    }

    fn guard_map(&mut self, map: ast::Map) -> Guard {
        let base = map.base.map(|base| self.guard(base));
        let mut pairs = Vec::with_capacity(map.pairs.len());
        for pair in map.pairs {
            let key = self.guard(pair.key);
            pairs.push((pair.operator, key, self.guard(pair.value)));
        }
        Guard::Map(Child::new(GuardMap { base, pairs }))
    }

    fn guard_binary(&mut self, binary: ast::Binary) -> Guard {
        let mut segments = Vec::with_capacity(binary.segments.len());
        for segment in binary.segments {
            let kind = self.segment_type(
                segment.meta.span,
                &segment.unit,
                &segment.kind,
                &segment.flags,
            );
            let value = self.guard(segment.value);
            segments.push(GuardSegment {
                value,
                size: self.guard(segment.size),
                kind,
            });
        }
        Guard::Binary(Child::new(segments))
    }

    fn guard_call(&mut self, call: ast::Call) -> Guard {
        let (Some(module), Some(name)) = (as_atom(&call.module), as_atom(&call.name)) else {
            return self.not_allowed(call.meta.span);
        };
        Guard::Call(Child::new(GuardCall {
            operator: GuardOperator::Call(module, name),
            arguments: self.guards(call.arguments),
            annotations: call.meta.annotations,
        }))
    }

    fn guard_case(&mut self, case: ast::Case) -> Guard {
        let argument = self.guard(case.argument);
        let clauses = case
            .clauses
            .into_iter()
            .map(|clause| GuardClause {
                patterns: self.patterns(clause.patterns),
                guard: self.guard(clause.guard),
                body: self.guard(clause.body),
                annotations: clause.meta.annotations,
            })
            .collect();
        Guard::Case(Child::new(GuardCase { argument, clauses }))
    }

    fn guard_try(&mut self, node: ast::Try) -> Guard {
        let argument = self.guard(node.argument);
        let variables = self.bind_all(node.variables);
        let body = self.guard(node.body);
        let exception_variables = self.bind_all(node.exception_variables);
        let handler = self.guard(node.handler);
        Guard::Try(Child::new(GuardTry {
            argument,
            variables,
            body,
            exception_variables,
            handler,
        }))
    }
}

fn plain_values(guards: &[Guard]) -> Option<Vec<Value>> {
    let plain = |guard: &Guard| match guard {
        Guard::Value(value) => Some(value.clone()),
        _ => None,
    };
    guards.iter().map(plain).collect()
}

fn as_atom(expr: &Expr) -> Option<Atom> {
    match expr {
        Expr::Literal(literal) => match &literal.value {
            LiteralValue::Atom(atom) => Some(atom.clone()),
            _ => None,
        },
        _ => None,
    }
}
