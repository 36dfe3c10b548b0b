//! Expressions that become plain values.

use super::folding::{constant, constant_value, external_fun, literal_term, make_list, make_tuple};
use super::{Flattener, statement};
use crate::ast::{self, Child, Expr, deep};
use crate::flat::{Bound, FunctionId, FunctionRef, Statement, Value};

impl Flattener<'_> {
    /// Emits the statements that evaluate an expression of one value; returns the value.
    pub(super) fn value(&mut self, expr: Expr, out: &mut Vec<Statement>) -> Value {
        deep(|| {
            let expr = self.unwrap_lets(expr, out);
            if let Some(value) = self.atomic_value(&expr) {
                return value;
            }
            if let Expr::Cons(cons) = expr {
                return self.list(cons.into_inner(), out);
            }
            if let Expr::Tuple(tuple) = expr {
                return make_tuple(self.values(tuple.into_inner().elements, out));
            }
            let (operation, annotations) = self.operation(expr, 1, out);
            let variable = self.fresh();
            out.push(statement(
                Bound::Variables(vec![variable]),
                operation,
                annotations,
            ));
            Value::Variable(variable)
        })
    }

    /// The value of an expression that needs no statement and has no parts with variables.
    pub(super) fn atomic_value(&mut self, expr: &Expr) -> Option<Value> {
        match expr {
            Expr::Variable(variable) => Some(self.variable(variable)),
            Expr::Literal(literal) => Some(Value::literal(literal_term(&literal.value))),
            Expr::Constant(constant) => Some(constant_value(&constant.value)),
            Expr::FunctionName(name) => Some(self.function_name(name)),
            Expr::ExternalFun(fun) => Some(Value::literal(external_fun(fun))),
            Expr::Binary(_) | Expr::Map(_) => constant(expr).map(Value::literal),
            Expr::Cons(_)
            | Expr::Tuple(_)
            | Expr::Values(_)
            | Expr::Fun(_)
            | Expr::Let(_)
            | Expr::Letrec(_)
            | Expr::Sequence(_)
            | Expr::Case(_)
            | Expr::Apply(_)
            | Expr::Call(_)
            | Expr::Primop(_)
            | Expr::Try(_)
            | Expr::Catch(_)
            | Expr::Receive(_) => None,
        }
    }

    fn variable(&mut self, variable: &ast::Variable) -> Value {
        let id = self.names.get(&variable.name).copied();
        Value::Variable(id.expect("variables are bound before they are used"))
    }

    fn function_name(&mut self, name: &ast::FunctionName) -> Value {
        let id = FunctionId {
            name: name.name.clone(),
            arity: name.arity,
        };
        let reference = match self.local_names.get(&id) {
            Some(local) => FunctionRef::Local(*local),
            None => FunctionRef::Module(id),
        };
        Value::Function(Child::new(reference))
    }

    /// A list, following its tail in a loop: lists may be very long.
    fn list(&mut self, cons: ast::Cons, out: &mut Vec<Statement>) -> Value {
        let mut heads = vec![self.value(cons.head, out)];
        let mut rest = cons.tail;
        while let Expr::Cons(more) = rest {
            let more = more.into_inner();
            heads.push(self.value(more.head, out));
            rest = more.tail;
        }
        let tail = self.value(rest, out);
        make_list(heads, tail)
    }
}
