//! What an expression needs from around it.

use std::collections::HashSet;

use erlang_term::Atom;
use flattener::ast::{
    Annotations, CoreClause, CoreFun, CorePattern, Expr, FunctionName, LiteralValue, Primop,
    Variable, deep,
};
use smol_str::SmolStr;

/// The free names of an expression, in the order of their first use.
#[derive(Debug, Default)]
pub(super) struct Captured {
    pub(super) variables: Vec<SmolStr>,
    pub(super) functions: Vec<(Atom, u32)>,
    /// Whether it has a part of a `receive`, which must stay in one function.
    pub(super) has_part_of_receive: bool,
}

/// What an expression needs. All its variables have different names.
pub(super) fn captured(expr: &Expr) -> Captured {
    let mut finder = Finder::default();
    finder.expression(expr);
    Captured {
        variables: finder.variables.free(),
        functions: finder.functions.free(),
        has_part_of_receive: finder.has_part_of_receive,
    }
}

/// The parts of a `receive`.
const OF_RECEIVE: [&str; 5] = [
    "recv_peek_message",
    "recv_next",
    "recv_wait_timeout",
    "remove_message",
    "timeout",
];

/// Names that are used, and names that are bound.
#[derive(Debug)]
struct Names<N> {
    used: Vec<N>,
    is_used: HashSet<N>,
    bound: HashSet<N>,
}

impl<N> Default for Names<N> {
    fn default() -> Self {
        Self {
            used: Vec::new(),
            is_used: HashSet::new(),
            bound: HashSet::new(),
        }
    }
}

impl<N: Clone + Eq + std::hash::Hash> Names<N> {
    fn use_name(&mut self, name: N) {
        if self.is_used.insert(name.clone()) {
            self.used.push(name);
        }
    }

    fn free(self) -> Vec<N> {
        let Self { used, bound, .. } = self;
        used.into_iter().filter(|it| !bound.contains(it)).collect()
    }
}

#[derive(Debug, Default)]
struct Finder {
    variables: Names<SmolStr>,
    functions: Names<(Atom, u32)>,
    has_part_of_receive: bool,
}

impl Finder {
    fn expression(&mut self, expr: &Expr) {
        deep(|| self.step(expr));
    }

    fn expressions<'code>(&mut self, exprs: impl IntoIterator<Item = &'code Expr>) {
        exprs.into_iter().for_each(|it| self.expression(it));
    }

    fn step(&mut self, expr: &Expr) {
        match expr {
            Expr::Variable(node) => self.variables.use_name(node.name.clone()),
            Expr::Literal(_) | Expr::Constant(_) | Expr::ExternalFun(_) => {}
            Expr::FunctionName(node) => self.functions.use_name(key(node)),
            Expr::Cons(node) => self.expressions([&node.head, &node.tail]),
            Expr::Tuple(node) => self.expressions(&node.elements),
            Expr::Values(node) => self.expressions(&node.elements),
            Expr::Map(node) => {
                self.expressions(&node.base);
                let pairs = node.pairs.iter();
                self.expressions(pairs.flat_map(|it| [&it.key, &it.value]));
            }
            Expr::Binary(node) => {
                let segments = node.segments.iter();
                self.expressions(segments.flat_map(|it| [&it.value, &it.size]));
            }
            Expr::Fun(node) => self.fun(node),
            Expr::Let(node) => {
                self.expression(&node.argument);
                self.bind(&node.variables);
                self.expression(&node.body);
            }
            Expr::Sequence(node) => self.expressions([&node.first, &node.second]),
            Expr::Letrec(node) => {
                let outside = self.has_part_of_receive;
                for definition in &node.definitions {
                    self.functions.bound.insert(key(&definition.name));
                    self.fun(&definition.fun);
                }
                self.expression(&node.body);
                if is_label(&node.meta.annotations) {
                    // A whole `receive` has a label around it.
                    self.has_part_of_receive = outside;
                }
            }
            Expr::Case(node) => {
                self.expression(&node.argument);
                self.clauses(&node.clauses);
            }
            Expr::Apply(node) => {
                self.expression(&node.operator);
                self.expressions(&node.arguments);
            }
            Expr::Call(node) => {
                self.expressions([&node.module, &node.name]);
                self.expressions(&node.arguments);
            }
            Expr::Primop(node) => self.primop(node),
            Expr::Try(node) => {
                self.bind(&node.variables);
                self.bind(&node.exception_variables);
                self.expressions([&node.argument, &node.body, &node.handler]);
            }
            Expr::Catch(node) => self.expression(&node.body),
            Expr::Receive(node) => {
                self.clauses(&node.clauses);
                self.expressions([&node.timeout, &node.action]);
            }
        }
    }

    fn primop(&mut self, node: &Primop) {
        let name = match &node.name.value {
            LiteralValue::Atom(name) => name.as_str(),
            LiteralValue::Integer(_)
            | LiteralValue::Float(_)
            | LiteralValue::Char(_)
            | LiteralValue::String(_)
            | LiteralValue::Nil => "",
        };
        if OF_RECEIVE.contains(&name) {
            self.has_part_of_receive = true;
        }
        self.expressions(&node.arguments);
    }

    fn fun(&mut self, fun: &CoreFun) {
        self.bind(&fun.parameters);
        self.expression(&fun.body);
    }

    fn clauses(&mut self, clauses: &[CoreClause]) {
        for clause in clauses {
            clause.patterns.iter().for_each(|it| self.pattern(it));
            self.expressions([&clause.guard, &clause.body]);
        }
    }

    fn bind(&mut self, variables: &[Variable]) {
        let names = variables.iter().map(|it| it.name.clone());
        self.variables.bound.extend(names);
    }

    fn pattern(&mut self, pattern: &CorePattern) {
        deep(|| match pattern {
            CorePattern::Variable(node) => self.bind(std::slice::from_ref(node)),
            CorePattern::Literal(_) | CorePattern::Constant(_) => {}
            CorePattern::Cons(node) => {
                self.pattern(&node.head);
                self.pattern(&node.tail);
            }
            CorePattern::Tuple(node) => node.elements.iter().for_each(|it| self.pattern(it)),
            CorePattern::Map(node) => {
                for pair in &node.pairs {
                    self.expression(&pair.key);
                    self.pattern(&pair.value);
                }
            }
            CorePattern::Binary(node) => {
                for segment in &node.segments {
                    self.expression(&segment.size);
                    self.pattern(&segment.value);
                }
            }
            CorePattern::Alias(node) => {
                self.bind(std::slice::from_ref(&node.variable));
                self.pattern(&node.pattern);
            }
        });
    }
}

fn key(name: &FunctionName) -> (Atom, u32) {
    (name.name.clone(), name.arity)
}

fn is_label(annotations: &Annotations) -> bool {
    annotations.has("letrec_goto")
}
