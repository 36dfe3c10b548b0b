//! Guards stay trees: they call only built-ins, which emit no events.

use erlang_term::{Atom, Term};

use super::folding::{make_list, make_tuple};
use super::{Flattener, atom_of};
use crate::ast::{self, Child, Expr, LiteralValue, Span, deep};
use crate::flat::{
    Guard, GuardCall, GuardCase, GuardClause, GuardLet, GuardMap, GuardOperator, GuardSegment,
    GuardTry, Value,
};

impl Flattener<'_> {
    pub(super) fn guard(&mut self, expr: Expr, count: usize) -> Guard {
        deep(|| self.guard_step(expr, count))
    }

    fn guards(&mut self, exprs: Vec<Expr>) -> Vec<Guard> {
        exprs.into_iter().map(|expr| self.guard(expr, 1)).collect()
    }

    fn guard_step(&mut self, expr: Expr, count: usize) -> Guard {
        let span = expr.meta().span;
        if let Some(value) = self.atomic_value(&expr) {
            self.expect_count(span, 1, count);
            return Guard::Value(value);
        }
        match expr {
            Expr::Cons(cons) => {
                self.expect_count(span, 1, count);
                self.guard_list(cons.into_inner())
            }
            Expr::Tuple(tuple) => {
                self.expect_count(span, 1, count);
                self.guard_tuple(tuple.into_inner())
            }
            Expr::Values(values) => {
                self.expect_count(span, values.elements.len(), count);
                Guard::Values(Child::new(self.guards(values.into_inner().elements)))
            }
            Expr::Map(map) => {
                self.expect_count(span, 1, count);
                self.guard_map(map.into_inner())
            }
            Expr::Binary(binary) => {
                self.expect_count(span, 1, count);
                self.guard_binary(binary.into_inner())
            }
            Expr::Call(call) => {
                self.expect_count(span, 1, count);
                self.guard_call(call.into_inner())
            }
            Expr::Primop(primop) => {
                let primop = primop.into_inner();
                Guard::Call(Child::new(GuardCall {
                    operator: GuardOperator::Primop(atom_of(&primop.name)),
                    arguments: self.guards(primop.arguments),
                    annotations: primop.meta.annotations,
                }))
            }
            Expr::Let(node) => self.guard_let(node.into_inner(), count),
            Expr::Sequence(node) => {
                let node = node.into_inner();
                let first = self.guard(node.first, 1);
                Guard::Sequence(Child::new((first, self.guard(node.second, count))))
            }
            Expr::Case(node) => self.guard_case(node.into_inner(), count),
            Expr::Try(node) => self.guard_try(node.into_inner(), count),
            Expr::Apply(_) => self.not_allowed(span, "guards only call built-in functions"),
            Expr::Fun(_) => self.not_allowed(span, "guards make no funs"),
            Expr::Letrec(_) => self.not_allowed(span, "guards define no functions"),
            Expr::Catch(_) => self.not_allowed(span, "guards catch exceptions by `try` only"),
            Expr::Receive(_) => self.not_allowed(span, "guards receive no messages"),
            Expr::Variable(_)
            | Expr::Literal(_)
            | Expr::Constant(_)
            | Expr::FunctionName(_)
            | Expr::ExternalFun(_) => {
                unreachable!("these are atomic values")
            }
        }
    }

    fn not_allowed(&mut self, span: Span, label: &str) -> Guard {
        self.complain(span, "this cannot stand in a guard", label);
        Guard::Value(Value::literal(Term::atom("false")))
    }

    /// A list, following its tail in a loop: lists may be very long.
    fn guard_list(&mut self, cons: ast::Cons) -> Guard {
        let mut heads = vec![self.guard(cons.head, 1)];
        let mut rest = cons.tail;
        while let Expr::Cons(more) = rest {
            let more = more.into_inner();
            heads.push(self.guard(more.head, 1));
            rest = more.tail;
        }
        let mut list = self.guard(rest, 1);
        if let Guard::Value(tail) = list {
            let plain_from = heads
                .iter()
                .rposition(|head| !matches!(head, Guard::Value(_)))
                .map_or(0, |last| last + 1);
            list = Guard::Value(make_list(into_values(heads.split_off(plain_from)), tail));
        }
        for head in heads.into_iter().rev() {
            list = Guard::Cons(Child::new((head, list)));
        }
        list
    }

    fn guard_tuple(&mut self, tuple: ast::Tuple) -> Guard {
        let elements = self.guards(tuple.elements);
        if elements
            .iter()
            .all(|element| matches!(element, Guard::Value(_)))
        {
            Guard::Value(make_tuple(into_values(elements)))
        } else {
            Guard::Tuple(Child::new(elements))
        }
    }

    fn guard_map(&mut self, map: ast::Map) -> Guard {
        let base = map.base.map(|base| self.guard(base, 1));
        let mut pairs = Vec::with_capacity(map.pairs.len());
        for pair in map.pairs {
            let key = self.guard(pair.key, 1);
            pairs.push((pair.operator, key, self.guard(pair.value, 1)));
        }
        Guard::Map(Child::new(GuardMap { base, pairs }))
    }

    fn guard_binary(&mut self, binary: ast::Binary) -> Guard {
        let mut segments = Vec::with_capacity(binary.segments.len());
        for segment in binary.segments {
            let kind = self.segment_type(&segment.unit, &segment.kind, &segment.flags);
            let value = self.guard(segment.value, 1);
            segments.push(GuardSegment {
                value,
                size: self.guard(segment.size, 1),
                kind,
            });
        }
        Guard::Binary(Child::new(segments))
    }

    fn guard_call(&mut self, call: ast::Call) -> Guard {
        let (Some(module), Some(name)) = (as_atom(&call.module), as_atom(&call.name)) else {
            return self.not_allowed(
                call.meta.span,
                "module and function must be atoms in a guard",
            );
        };
        Guard::Call(Child::new(GuardCall {
            operator: GuardOperator::Call(module, name),
            arguments: self.guards(call.arguments),
            annotations: call.meta.annotations,
        }))
    }

    fn guard_let(&mut self, node: ast::Let, count: usize) -> Guard {
        let argument = self.guard(node.argument, node.variables.len());
        let variables = self.bind_all(node.variables);
        let body = self.guard(node.body, count);
        Guard::Let(Child::new(GuardLet {
            variables,
            argument,
            body,
        }))
    }

    fn guard_case(&mut self, case: ast::Case, count: usize) -> Guard {
        let looked_at = case
            .clauses
            .first()
            .map_or(1, |clause| clause.patterns.len());
        let argument = self.guard(case.argument, looked_at);
        let mut clauses = Vec::with_capacity(case.clauses.len());
        for clause in case.clauses {
            self.expect_patterns(&clause, looked_at);
            clauses.push(GuardClause {
                patterns: self.patterns(clause.patterns),
                guard: self.guard(clause.guard, 1),
                body: self.guard(clause.body, count),
                annotations: clause.meta.annotations,
            });
        }
        Guard::Case(Child::new(GuardCase { argument, clauses }))
    }

    fn guard_try(&mut self, node: ast::Try, count: usize) -> Guard {
        let argument = self.guard(node.argument, node.variables.len());
        let variables = self.bind_all(node.variables);
        let body = self.guard(node.body, count);
        let exception_variables = self.bind_all(node.exception_variables);
        let handler = self.guard(node.handler, count);
        Guard::Try(Child::new(GuardTry {
            argument,
            variables,
            body,
            exception_variables,
            handler,
        }))
    }
}

/// The values of guards that are nothing else.
fn into_values(guards: Vec<Guard>) -> Vec<Value> {
    let value = |guard| {
        if let Guard::Value(value) = guard {
            Some(value)
        } else {
            None
        }
    };
    guards.into_iter().filter_map(value).collect()
}

fn as_atom(expr: &Expr) -> Option<Atom> {
    if let Expr::Literal(literal) = expr
        && let LiteralValue::Atom(atom) = &literal.value
    {
        return Some(atom.clone());
    }
    None
}
