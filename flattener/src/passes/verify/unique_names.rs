//! Whether names are unique after renaming.

use std::collections::HashSet;

use erlang_term::Atom;
use smol_str::SmolStr;

use crate::ast::{self, CorePattern, Definition, Expr, Variable, deep};

/// After renaming: no variable and no local function of a top-level function is bound twice, no
/// local function has the name of one of the module, and names of variables are ASCII.
pub fn unique_variables(module: &ast::CoreModule) -> Vec<String> {
    let functions: HashSet<DefinitionKey<'_>> = module.definitions.iter().map(key).collect();
    let mut broken = Vec::new();
    for definition in &module.definitions {
        let mut binders = Binders {
            variables: HashSet::new(),
            module_functions: &functions,
            functions: HashSet::new(),
            broken: Vec::new(),
        };
        binders.fun(&definition.fun);
        broken.extend(
            binders
                .broken
                .iter()
                .map(|text| format!("{}: {text}", definition.name)),
        );
    }
    broken
}

type DefinitionKey<'tree> = (&'tree Atom, u32);

fn key(definition: &Definition) -> DefinitionKey<'_> {
    (&definition.name.name, definition.name.arity)
}

struct Binders<'tree> {
    variables: HashSet<&'tree SmolStr>,
    module_functions: &'tree HashSet<DefinitionKey<'tree>>,
    functions: HashSet<DefinitionKey<'tree>>,
    broken: Vec<String>,
}

impl<'tree> Binders<'tree> {
    fn bind(&mut self, variables: impl IntoIterator<Item = &'tree Variable>) {
        for Variable { name, .. } in variables {
            if !self.variables.insert(name) {
                self.broken.push(format!("{name} is bound twice"));
            }
            if !name.is_ascii() {
                self.broken.push(format!("{name} is not ASCII"));
            }
        }
    }

    fn define(&mut self, definition: &'tree Definition) {
        let key = key(definition);
        if self.module_functions.contains(&key) || !self.functions.insert(key) {
            self.broken
                .push(format!("{} is defined twice", definition.name));
        }
    }

    fn fun(&mut self, fun: &'tree ast::CoreFun) {
        self.bind(&fun.parameters);
        self.expr(&fun.body);
    }

    fn exprs(&mut self, exprs: impl IntoIterator<Item = &'tree Expr>) {
        exprs.into_iter().for_each(|expr| self.expr(expr));
    }

    fn expr(&mut self, expr: &'tree Expr) {
        deep(|| match expr {
            Expr::Variable(_)
            | Expr::Literal(_)
            | Expr::Constant(_)
            | Expr::FunctionName(_)
            | Expr::ExternalFun(_) => {}
            Expr::Cons(cons) => self.exprs([&cons.head, &cons.tail]),
            Expr::Tuple(tuple) => self.exprs(&tuple.elements),
            Expr::Values(values) => self.exprs(&values.elements),
            Expr::Map(map) => {
                self.exprs(&map.base);
                map.pairs
                    .iter()
                    .for_each(|pair| self.exprs([&pair.key, &pair.value]));
            }
            Expr::Binary(binary) => {
                for segment in &binary.segments {
                    self.exprs([&segment.value, &segment.size]);
                }
            }
            Expr::Fun(fun) => self.fun(fun),
            Expr::Let(node) => {
                self.bind(&node.variables);
                self.exprs([&node.argument, &node.body]);
            }
            Expr::Letrec(node) => {
                for definition in &node.definitions {
                    self.define(definition);
                    self.fun(&definition.fun);
                }
                self.expr(&node.body);
            }
            Expr::Sequence(node) => self.exprs([&node.first, &node.second]),
            Expr::Case(node) => {
                self.expr(&node.argument);
                self.clauses(&node.clauses);
            }
            Expr::Apply(node) => {
                self.expr(&node.operator);
                self.exprs(&node.arguments);
            }
            Expr::Call(node) => {
                self.exprs([&node.module, &node.name]);
                self.exprs(&node.arguments);
            }
            Expr::Primop(node) => self.exprs(&node.arguments),
            Expr::Try(node) => {
                self.bind(node.variables.iter().chain(&node.exception_variables));
                self.exprs([&node.argument, &node.body, &node.handler]);
            }
            Expr::Catch(node) => self.expr(&node.body),
            Expr::Receive(node) => {
                self.clauses(&node.clauses);
                self.exprs([&node.timeout, &node.action]);
            }
        });
    }

    fn clauses(&mut self, clauses: &'tree [ast::CoreClause]) {
        for clause in clauses {
            clause
                .patterns
                .iter()
                .for_each(|pattern| self.pattern(pattern));
            self.exprs([&clause.guard, &clause.body]);
        }
    }

    fn pattern(&mut self, pattern: &'tree CorePattern) {
        deep(|| match pattern {
            CorePattern::Variable(variable) => self.bind([&**variable]),
            CorePattern::Literal(_) | CorePattern::Constant(_) => {}
            CorePattern::Cons(cons) => {
                self.pattern(&cons.head);
                self.pattern(&cons.tail);
            }
            CorePattern::Tuple(tuple) => {
                tuple
                    .elements
                    .iter()
                    .for_each(|element| self.pattern(element));
            }
            CorePattern::Map(map) => map.pairs.iter().for_each(|pair| self.pattern(&pair.value)),
            CorePattern::Binary(binary) => {
                binary
                    .segments
                    .iter()
                    .for_each(|segment| self.pattern(&segment.value));
            }
            CorePattern::Alias(alias) => {
                self.bind([&alias.variable]);
                self.pattern(&alias.pattern);
            }
        });
    }
}
