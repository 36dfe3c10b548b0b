//! What flattening promises.

use std::collections::HashSet;

use crate::ast::deep;
use crate::flat::{
    BlockId, Bound, Clause, Fun, Function, FunctionId, FunctionRef, Guard, LocalFunction, LocalId,
    Module, Operation, Pattern, PatternSegment, Statement, Value, VarId,
};

/// After flattening: each variable is bound once, before it is used and where it can be seen;
/// each block and each local function belongs to one place; names are unique; functions that are
/// called or exported exist; everything gives as many values as its place takes.
///
/// That arguments are variables or literals and that calls stand on the right of a `let` needs
/// no check: the types of the flat form admit nothing else.
pub fn flat(module: &Module) -> Vec<String> {
    let functions: HashSet<&FunctionId> = module
        .functions
        .iter()
        .map(|function| &function.id)
        .collect();
    let mut broken: Vec<String> = module
        .exports
        .iter()
        .filter(|export| !functions.contains(export))
        .map(|export| format!("{export} is exported but not defined"))
        .collect();
    for function in &module.functions {
        let mut checker = FlatChecker {
            function,
            functions: &functions,
            visible: vec![false; function.variables.len()],
            bound: vec![false; function.variables.len()],
            visible_locals: vec![false; function.locals.len()],
            defined_locals: vec![false; function.locals.len()],
            visited: vec![false; function.blocks.len()],
            broken: Vec::new(),
        };
        checker.names();
        checker.fun(&function.fun, 1);
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
    functions: &'flat HashSet<&'flat FunctionId>,
    /// Bound and in scope at this point.
    visible: Vec<bool>,
    /// Bound somewhere so far.
    bound: Vec<bool>,
    visible_locals: Vec<bool>,
    defined_locals: Vec<bool>,
    visited: Vec<bool>,
    broken: Vec<String>,
}

impl FlatChecker<'_> {
    fn complain(&mut self, text: impl Into<String>) {
        self.broken.push(text.into());
    }

    fn names(&mut self) {
        let function = self.function;
        let mut seen = HashSet::new();
        for variable in &function.variables {
            if !seen.insert(&variable.name) || variable.name.is_empty() {
                self.complain(format!("the name {:?} is not unique", variable.name));
            }
        }
        let mut seen = HashSet::new();
        for local in &function.locals {
            if self.functions.contains(local) || !seen.insert(local) {
                self.complain(format!("the name {local} is not unique"));
            }
        }
    }

    fn everything_is_used(&mut self) {
        if self.visited.contains(&false) {
            self.complain("a block belongs to no place");
        }
        if self.bound.contains(&false) {
            self.complain("a variable is bound nowhere");
        }
        if self.defined_locals.contains(&false) {
            self.complain("a local function is defined nowhere");
        }
    }

    fn count(&mut self, given: usize, wanted: usize, what: &str) {
        if given != wanted {
            self.complain(format!("{what} gives {given} values instead of {wanted}"));
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

    fn fun(&mut self, fun: &Fun, count: usize) {
        self.scoped(&fun.parameters, |checker| checker.block(fun.body, count));
    }

    fn block(&mut self, id: BlockId, count: usize) {
        match self.visited.get_mut(id.index()) {
            Some(visited) if !*visited => *visited = true,
            Some(_) => return self.complain(format!("{id:?} is in two places")),
            None => return self.complain(format!("{id:?} does not exist")),
        }
        let block = self.function.block(id);
        self.count(block.result.len(), count, &format!("{id:?}"));
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
        let count = match &statement.bound {
            Bound::Variables(variables) => variables.len(),
            Bound::Discarded => 1,
        };
        let operands = statement.operation.operands();
        operands.into_iter().for_each(|value| self.value(value));
        match &statement.operation {
            Operation::Values(values) => self.count(values.len(), count, "a list of values"),
            Operation::Primop { .. }
            | Operation::Apply { .. }
            | Operation::Call { .. }
            | Operation::Map { .. }
            | Operation::Binary(_) => {}
            Operation::Fun(fun) => deep(|| self.fun(fun, 1)),
            Operation::Case { arguments, clauses } => {
                self.clauses(clauses, arguments.len(), count);
            }
            Operation::Letrec { definitions, body } => {
                let is_label = statement.annotations.has("letrec_goto");
                self.letrec(definitions, *body, if is_label { count } else { 1 }, count);
            }
            Operation::Try {
                argument,
                variables,
                body,
                exception_variables,
                handler,
            } => deep(|| {
                self.block(*argument, variables.len());
                self.scoped(variables, |checker| checker.block(*body, count));
                self.scoped(exception_variables, |checker| {
                    checker.block(*handler, count)
                });
            }),
            Operation::Catch(body) => deep(|| self.block(*body, 1)),
            Operation::Receive {
                clauses, action, ..
            } => {
                self.clauses(clauses, 1, count);
                deep(|| self.block(*action, count));
            }
        }
    }

    fn letrec(
        &mut self,
        definitions: &[LocalFunction],
        body: BlockId,
        function_count: usize,
        count: usize,
    ) {
        for local in definitions {
            self.define(local.id);
        }
        deep(|| {
            for local in definitions {
                self.fun(&local.fun, function_count);
            }
            self.block(body, count);
        });
        for local in definitions {
            if let Some(visible) = self.visible_locals.get_mut(local.id.index()) {
                *visible = false;
            }
        }
    }

    fn define(&mut self, id: LocalId) {
        match (
            self.defined_locals.get_mut(id.index()),
            self.visible_locals.get_mut(id.index()),
        ) {
            (Some(defined), Some(visible)) => {
                let twice = *defined;
                (*defined, *visible) = (true, true);
                if twice {
                    self.complain(format!("{id:?} is defined twice"));
                }
            }
            _ => self.complain(format!("{id:?} does not exist")),
        }
    }

    fn clauses(&mut self, clauses: &[Clause], looked_at: usize, count: usize) {
        for clause in clauses {
            let bound = self.patterns(&clause.patterns);
            self.count(clause.patterns.len(), looked_at, "a clause");
            self.scoped(&bound, |checker| {
                checker.guard(&clause.guard);
                deep(|| checker.block(clause.body, count));
            });
        }
    }

    /// Checks what patterns use; returns what they bind.
    fn patterns(&mut self, patterns: &[Pattern]) -> Vec<VarId> {
        let mut bound = Vec::new();
        for pattern in patterns {
            self.pattern(pattern, &mut bound);
        }
        bound
    }

    fn pattern(&mut self, pattern: &Pattern, bound: &mut Vec<VarId>) {
        deep(|| match pattern {
            Pattern::Variable(id) => bound.push(*id),
            Pattern::Literal(_) => {}
            Pattern::Cons(parts) => {
                self.pattern(&parts.0, bound);
                self.pattern(&parts.1, bound);
            }
            Pattern::Tuple(elements) => {
                for element in elements.iter() {
                    self.pattern(element, bound);
                }
            }
            Pattern::Map(pairs) => {
                for (key, value) in pairs.iter() {
                    self.value(key);
                    self.pattern(value, bound);
                }
            }
            Pattern::Binary(segments) => self.pattern_segments(segments, bound),
            Pattern::Alias(parts) => {
                bound.push(parts.0);
                self.pattern(&parts.1, bound);
            }
        });
    }

    /// A size may use what earlier segments of the same binary bind.
    fn pattern_segments(&mut self, segments: &[PatternSegment], bound: &mut Vec<VarId>) {
        let first = bound.len();
        for segment in segments {
            let earlier = bound.get(first..).unwrap_or_default();
            if !matches!(&segment.size, Value::Variable(id) if earlier.contains(id)) {
                self.value(&segment.size);
            }
            self.pattern(&segment.value, bound);
        }
    }

    fn values(&mut self, values: &[Value]) {
        values.iter().for_each(|value| self.value(value));
    }

    fn value(&mut self, value: &Value) {
        deep(|| match value {
            Value::Variable(id) => {
                if self.visible.get(id.index()) != Some(&true) {
                    self.complain(format!("{id:?} is used where it is not bound"));
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
            FunctionRef::Module(id) => self.functions.contains(id),
            FunctionRef::Local(id) => self.visible_locals.get(id.index()) == Some(&true),
        };
        if !known {
            self.complain(format!("{reference:?} is not defined here"));
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
                    let bound = self.patterns(&clause.patterns);
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
