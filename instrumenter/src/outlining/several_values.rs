//! A function returns one value, so several travel in a tuple.

use erlang_term::Atom;
use flattener::ast::{
    Annotations, Case, Child, CoreClause, CorePattern, Expr, Let, Literal, LiteralValue, Meta,
    PatternTuple, Tuple, Values, Variable, deep,
};
use smol_str::SmolStr;

/// Changes an expression with several values to one with a tuple of them.
pub(super) fn in_a_tuple(expr: &mut Expr, count: usize, fresh: &mut dyn FnMut() -> SmolStr) {
    deep(|| match expr {
        Expr::Values(node) => {
            let elements = std::mem::take(&mut node.elements);
            *expr = tuple(elements);
        }
        Expr::Let(node) => in_a_tuple(&mut node.body, count, fresh),
        Expr::Sequence(node) => in_a_tuple(&mut node.second, count, fresh),
        Expr::Case(node) => {
            for clause in &mut node.clauses {
                in_a_tuple(&mut clause.body, count, fresh);
            }
        }
        Expr::Letrec(node) if node.meta.annotations.has("letrec_goto") => {
            for definition in &mut node.definitions {
                in_a_tuple(&mut definition.fun.body, count, fresh);
            }
            in_a_tuple(&mut node.body, count, fresh);
        }
        // A call never returns here, or jumps to a label.
        Expr::Apply(_) | Expr::Call(_) | Expr::Primop(_) => {}
        Expr::Variable(_)
        | Expr::Literal(_)
        | Expr::Constant(_)
        | Expr::FunctionName(_)
        | Expr::ExternalFun(_)
        | Expr::Cons(_)
        | Expr::Tuple(_)
        | Expr::Map(_)
        | Expr::Binary(_)
        | Expr::Fun(_)
        | Expr::Letrec(_)
        | Expr::Try(_)
        | Expr::Catch(_)
        | Expr::Receive(_) => {
            let names: Vec<SmolStr> = (0..count).map(|_| fresh()).collect();
            let argument = std::mem::replace(expr, nothing());
            *expr = Expr::Let(Child::new(Let {
                meta: Meta::default(),
                variables: names.iter().map(variable).collect(),
                argument,
                body: tuple(names.iter().map(use_of).collect()),
            }));
        }
    });
}

/// Changes an expression with a tuple to one with its elements, which get these names.
pub(super) fn out_of_a_tuple(expr: &mut Expr, names: Vec<SmolStr>) {
    let argument = std::mem::replace(expr, nothing());
    let elements = names
        .iter()
        .map(|it| CorePattern::Variable(Box::new(variable(it))));
    let pattern = CorePattern::Tuple(Child::new(PatternTuple {
        meta: Meta::default(),
        elements: elements.collect(),
    }));
    let values = Expr::Values(Child::new(Values {
        meta: Meta::default(),
        elements: names.iter().map(use_of).collect(),
    }));
    *expr = Expr::Case(Child::new(Case {
        meta: Meta::default(),
        argument,
        clauses: vec![CoreClause {
            meta: Meta::default(),
            patterns: vec![pattern],
            guard: always(),
            body: values,
        }],
    }));
}

fn always() -> Expr {
    Expr::Literal(Box::new(Literal {
        meta: Meta {
            annotations: Annotations::default(),
            ..Meta::default()
        },
        value: LiteralValue::Atom(Atom::new("true")),
    }))
}

fn tuple(elements: Vec<Expr>) -> Expr {
    Expr::Tuple(Child::new(Tuple {
        meta: Meta::default(),
        elements,
    }))
}

/// An expression to put in the place of another for a moment.
pub(super) fn nothing() -> Expr {
    tuple(Vec::new())
}

pub(super) fn variable(name: &SmolStr) -> Variable {
    Variable {
        meta: Meta::default(),
        name: name.clone(),
    }
}

pub(super) fn use_of(name: &SmolStr) -> Expr {
    Expr::Variable(Box::new(variable(name)))
}
