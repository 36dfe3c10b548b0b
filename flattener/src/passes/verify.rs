//! Checks what the passes promise. Each function returns the broken promises in words.

use std::collections::HashSet;

use erlang_term::Atom;
use smol_str::SmolStr;

use super::number_sites::nested_blocks;
use crate::ast::{self, Expr, Pattern as AstPattern, Variable, deep};
use crate::flat::{
    BlockId, Bound, Clause, Fun, Function, FunctionRef, Guard, LocalId, Module, Operation, Pattern,
    Statement, Value, VarId,
};

/// After renaming: no variable of a top-level function is bound twice.
pub fn unique_variables(module: &ast::Module) -> Vec<String> {
    let mut broken = Vec::new();
    for definition in &module.definitions {
        let mut binders = Binders {
            seen: HashSet::new(),
            twice: Vec::new(),
        };
        binders.fun(&definition.fun);
        broken.extend(
            binders
                .twice
                .iter()
                .map(|name| format!("{}: {name} is bound twice", definition.name)),
        );
    }
    broken
}

struct Binders {
    seen: HashSet<SmolStr>,
    twice: Vec<SmolStr>,
}

impl Binders {
    fn bind<'tree>(&mut self, variables: impl IntoIterator<Item = &'tree Variable>) {
        for variable in variables {
            if !self.seen.insert(variable.name.clone()) {
                self.twice.push(variable.name.clone());
            }
        }
    }

    fn fun(&mut self, fun: &ast::Fun) {
        self.bind(&fun.parameters);
        self.expr(&fun.body);
    }

    fn exprs<'tree>(&mut self, exprs: impl IntoIterator<Item = &'tree Expr>) {
        exprs.into_iter().for_each(|expr| self.expr(expr));
    }

    fn expr(&mut self, expr: &Expr) {
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
                node.definitions
                    .iter()
                    .for_each(|definition| self.fun(&definition.fun));
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

    fn clauses(&mut self, clauses: &[ast::Clause]) {
        for clause in clauses {
            clause
                .patterns
                .iter()
                .for_each(|pattern| self.pattern(pattern));
            self.exprs([&clause.guard, &clause.body]);
        }
    }

    fn pattern(&mut self, pattern: &AstPattern) {
        deep(|| match pattern {
            AstPattern::Variable(variable) => self.bind([&**variable]),
            AstPattern::Literal(_) | AstPattern::Constant(_) => {}
            AstPattern::Cons(cons) => {
                self.pattern(&cons.head);
                self.pattern(&cons.tail);
            }
            AstPattern::Tuple(tuple) => {
                tuple
                    .elements
                    .iter()
                    .for_each(|element| self.pattern(element));
            }
            AstPattern::Map(map) => map.pairs.iter().for_each(|pair| self.pattern(&pair.value)),
            AstPattern::Binary(binary) => {
                binary
                    .segments
                    .iter()
                    .for_each(|segment| self.pattern(&segment.value));
            }
            AstPattern::Alias(alias) => {
                self.bind([&alias.variable]);
                self.pattern(&alias.pattern);
            }
        });
    }
}

/// After flattening: each variable is bound once, before it is used and where it can be seen;
/// each block belongs to one place; names are unique; functions that are called exist.
///
/// That arguments are variables or literals and that calls stand on the right of a `let` needs
/// no check: the types of the flat form admit nothing else.
pub fn flat(module: &Module) -> Vec<String> {
    let functions: HashSet<(&Atom, u32)> = module
        .functions
        .iter()
        .map(|function| (&function.id.name, function.id.arity))
        .collect();
    let mut broken = Vec::new();
    for function in &module.functions {
        let mut checker = FlatChecker {
            function,
            functions: &functions,
            visible: vec![false; function.variables.len()],
            bound: vec![false; function.variables.len()],
            visible_locals: vec![false; function.locals.len()],
            visited: vec![false; function.blocks.len()],
            broken: Vec::new(),
        };
        checker.names();
        checker.fun(&function.fun);
        checker.everything_is_used();
        broken.extend(
            checker
                .broken
                .iter()
                .map(|text| format!("{}: {text}", function.id)),
        );
    }
    broken
}

struct FlatChecker<'flat> {
    function: &'flat Function,
    functions: &'flat HashSet<(&'flat Atom, u32)>,
    /// Bound and in scope at this point.
    visible: Vec<bool>,
    /// Bound somewhere so far.
    bound: Vec<bool>,
    visible_locals: Vec<bool>,
    visited: Vec<bool>,
    broken: Vec<String>,
}

impl FlatChecker<'_> {
    fn names(&mut self) {
        let mut seen = HashSet::new();
        for variable in &self.function.variables {
            if !seen.insert(&variable.name) || variable.name.is_empty() {
                self.broken
                    .push(format!("the name {:?} is not unique", variable.name));
            }
        }
    }

    fn everything_is_used(&mut self) {
        if self.visited.contains(&false) {
            self.broken.push("a block belongs to no place".to_owned());
        }
        if self.bound.contains(&false) {
            self.broken.push("a variable is bound nowhere".to_owned());
        }
    }

    /// Binds variables, runs a check, and takes them out of scope again.
    fn scoped(&mut self, variables: &[VarId], check: impl FnOnce(&mut Self)) {
        for id in variables {
            match (
                self.bound.get_mut(id.index()),
                self.visible.get_mut(id.index()),
            ) {
                (Some(bound), Some(visible)) => {
                    if *bound {
                        self.broken.push(format!("{id:?} is bound twice"));
                    }
                    (*bound, *visible) = (true, true);
                }
                _ => self.broken.push(format!("{id:?} does not exist")),
            }
        }
        check(self);
        for id in variables {
            if let Some(visible) = self.visible.get_mut(id.index()) {
                *visible = false;
            }
        }
    }

    fn fun(&mut self, fun: &Fun) {
        self.scoped(&fun.parameters, |checker| checker.block(fun.body));
    }

    fn block(&mut self, id: BlockId) {
        match self.visited.get_mut(id.index()) {
            Some(visited) if !*visited => *visited = true,
            _ => {
                self.broken
                    .push(format!("{id:?} is in two places or in none"));
                return;
            }
        }
        let block = self.function.block(id);
        let mut in_scope: Vec<VarId> = Vec::new();
        for statement in &block.statements {
            self.operation(statement);
            if let Bound::Variables(variables) = &statement.bound {
                self.scoped(variables, |_| {});
                for id in variables {
                    if let Some(visible) = self.visible.get_mut(id.index()) {
                        *visible = true;
                    }
                }
                in_scope.extend(variables);
            }
        }
        self.values(&block.result);
        for id in in_scope {
            if let Some(visible) = self.visible.get_mut(id.index()) {
                *visible = false;
            }
        }
    }

    fn operation(&mut self, statement: &Statement) {
        match &statement.operation {
            Operation::Values(values)
            | Operation::Primop {
                arguments: values, ..
            } => {
                self.values(values);
            }
            Operation::Apply {
                operator,
                arguments,
            } => {
                self.value(operator);
                self.values(arguments);
            }
            Operation::Call {
                module,
                name,
                arguments,
            } => {
                self.value(module);
                self.value(name);
                self.values(arguments);
            }
            Operation::Map { base, pairs } => {
                base.iter().for_each(|base| self.value(base));
                pairs.iter().for_each(|(_, key, value)| {
                    self.value(key);
                    self.value(value);
                });
            }
            Operation::Binary(segments) => segments.iter().for_each(|segment| {
                self.value(&segment.value);
                self.value(&segment.size);
            }),
            Operation::Fun(fun) => deep(|| self.fun(fun)),
            Operation::Case { arguments, clauses } => {
                self.values(arguments);
                self.clauses(clauses);
            }
            Operation::Letrec { definitions, body } => deep(|| {
                let ids: Vec<LocalId> = definitions.iter().map(|local| local.id).collect();
                self.set_locals(&ids, true);
                definitions.iter().for_each(|local| self.fun(&local.fun));
                self.block(*body);
                self.set_locals(&ids, false);
            }),
            Operation::Try {
                argument,
                variables,
                body,
                exception_variables,
                handler,
            } => {
                deep(|| {
                    self.block(*argument);
                    self.scoped(variables, |checker| checker.block(*body));
                    self.scoped(exception_variables, |checker| checker.block(*handler));
                });
            }
            Operation::Catch(body) => deep(|| self.block(*body)),
            Operation::Receive {
                clauses,
                timeout,
                action,
            } => {
                self.value(timeout);
                self.clauses(clauses);
                deep(|| self.block(*action));
            }
        }
    }

    fn set_locals(&mut self, ids: &[LocalId], visible: bool) {
        for id in ids {
            if let Some(flag) = self.visible_locals.get_mut(id.index()) {
                *flag = visible;
            }
        }
    }

    fn clauses(&mut self, clauses: &[Clause]) {
        for clause in clauses {
            let mut bound = Vec::new();
            clause
                .patterns
                .iter()
                .for_each(|pattern| bound_in(pattern, &mut bound));
            self.scoped(&bound, |checker| {
                checker.guard(&clause.guard);
                deep(|| checker.block(clause.body));
            });
        }
    }

    fn values(&mut self, values: &[Value]) {
        values.iter().for_each(|value| self.value(value));
    }

    fn value(&mut self, value: &Value) {
        deep(|| match value {
            Value::Variable(id) => {
                if self.visible.get(id.index()) != Some(&true) {
                    self.broken
                        .push(format!("{id:?} is used where it is not bound"));
                }
            }
            Value::Literal(_) => {}
            Value::Function(reference) => self.reference(reference),
            Value::Cons(parts) => {
                self.value(&parts.0);
                self.value(&parts.1);
            }
            Value::Tuple(elements) => self.values(elements),
        });
    }

    fn reference(&mut self, reference: &FunctionRef) {
        let known = match reference {
            FunctionRef::Module(id) => self.functions.contains(&(&id.name, id.arity)),
            FunctionRef::Local(id) => self.visible_locals.get(id.index()) == Some(&true),
        };
        if !known {
            self.broken
                .push(format!("{reference:?} is not defined here"));
        }
    }

    fn guard(&mut self, guard: &Guard) {
        deep(|| match guard {
            Guard::Value(value) => self.value(value),
            Guard::Cons(parts) | Guard::Sequence(parts) => {
                self.guard(&parts.0);
                self.guard(&parts.1);
            }
            Guard::Tuple(elements) | Guard::Values(elements) => {
                elements.iter().for_each(|element| self.guard(element));
            }
            Guard::Map(map) => {
                map.base.iter().for_each(|base| self.guard(base));
                map.pairs.iter().for_each(|(_, key, value)| {
                    self.guard(key);
                    self.guard(value);
                });
            }
            Guard::Binary(segments) => segments.iter().for_each(|segment| {
                self.guard(&segment.value);
                self.guard(&segment.size);
            }),
            Guard::Call(call) => call
                .arguments
                .iter()
                .for_each(|argument| self.guard(argument)),
            Guard::Let(node) => {
                self.guard(&node.argument);
                self.scoped(&node.variables, |checker| checker.guard(&node.body));
            }
            Guard::Case(node) => {
                self.guard(&node.argument);
                for clause in &node.clauses {
                    let mut bound = Vec::new();
                    clause
                        .patterns
                        .iter()
                        .for_each(|pattern| bound_in(pattern, &mut bound));
                    self.scoped(&bound, |checker| {
                        checker.guard(&clause.guard);
                        checker.guard(&clause.body);
                    });
                }
            }
            Guard::Try(node) => {
                self.guard(&node.argument);
                self.scoped(&node.variables, |checker| checker.guard(&node.body));
                self.scoped(&node.exception_variables, |checker| {
                    checker.guard(&node.handler)
                });
            }
        });
    }
}

/// The variables a pattern binds, in order.
pub(crate) fn bound_in(pattern: &Pattern, out: &mut Vec<VarId>) {
    deep(|| match pattern {
        Pattern::Variable(id) => out.push(*id),
        Pattern::Literal(_) => {}
        Pattern::Cons(parts) => {
            bound_in(&parts.0, out);
            bound_in(&parts.1, out);
        }
        Pattern::Tuple(elements) => elements.iter().for_each(|element| bound_in(element, out)),
        Pattern::Map(pairs) => pairs.iter().for_each(|(_, value)| bound_in(value, out)),
        Pattern::Binary(segments) => {
            segments
                .iter()
                .for_each(|segment| bound_in(&segment.value, out));
        }
        Pattern::Alias(parts) => {
            out.push(parts.0);
            bound_in(&parts.1, out);
        }
    });
}

/// After numbering: sites are dense and in source order.
pub fn numbered(module: &Module) -> Vec<String> {
    let mut next = 0;
    let mut broken = Vec::new();
    for function in &module.functions {
        check_numbers(function, function.fun.body, &mut next, &mut broken);
    }
    if next != module.site_count {
        broken.push(format!(
            "{next} sites, but the module says {}",
            module.site_count
        ));
    }
    broken
}

fn check_numbers(function: &Function, id: BlockId, next: &mut u32, broken: &mut Vec<String>) {
    for statement in &function.block(id).statements {
        if statement.site.0 != *next {
            broken.push(format!(
                "{}: site {:?} should be {next}",
                function.id, statement.site
            ));
        }
        *next += 1;
        for nested in nested_blocks(&statement.operation) {
            deep(|| check_numbers(function, nested, next, broken));
        }
    }
}
