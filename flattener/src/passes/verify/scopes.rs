//! Whether variables, local functions and blocks of the flat form are used where they may be.

use std::collections::HashSet;

use crate::flat::visit::{
    Inside, Visitor, visit_patterns, walk_block, walk_operation, walk_pattern, walk_scope,
};
use crate::flat::{
    BlockId, Clause, Function, FunctionId, FunctionRef, GuardClause, LocalId, Operation, Pattern,
    PatternSegment, Value, VarId,
};

/// What is wrong with the scopes of a function, given all functions of its module.
pub(super) fn broken_scopes(function: &Function, functions: &HashSet<&FunctionId>) -> Vec<String> {
    let mut checker = ScopeChecker {
        function,
        functions,
        visible: vec![false; function.variables.len()],
        bound: vec![false; function.variables.len()],
        in_scope: Vec::new(),
        in_patterns: false,
        matched: Vec::new(),
        visible_locals: vec![false; function.locals.len()],
        defined_locals: vec![false; function.locals.len()],
        visited: vec![false; function.blocks.len()],
        broken: Vec::new(),
    };
    checker.check_names();
    checker.visit_fun(&function.fun);
    checker.check_that_all_is_used();
    checker.broken
}

struct ScopeChecker<'flat> {
    function: &'flat Function,
    functions: &'flat HashSet<&'flat FunctionId>,
    /// Bound and in scope at this point.
    visible: Vec<bool>,
    /// Bound somewhere so far.
    bound: Vec<bool>,
    /// The variables that are visible, in the order in which they were bound.
    in_scope: Vec<VarId>,
    /// Whether patterns are visited: their variables are visible only after them.
    in_patterns: bool,
    /// The variables that these patterns have bound so far.
    matched: Vec<VarId>,
    visible_locals: Vec<bool>,
    defined_locals: Vec<bool>,
    visited: Vec<bool>,
    broken: Vec<String>,
}

impl<'flat> Visitor<'flat> for ScopeChecker<'flat> {
    fn function(&self) -> &'flat Function {
        self.function
    }

    fn visit_scope(&mut self, variables: &'flat [VarId], inside: Inside<'flat>) {
        self.scoped(|checker| walk_scope(checker, variables, inside));
    }

    fn visit_block(&mut self, block: BlockId) {
        match self.visited.get_mut(block.index()) {
            Some(visited) if !*visited => *visited = true,
            Some(_) => return self.complain(format!("{block:?} is in two places")),
            None => return self.complain(format!("{block:?} does not exist")),
        }
        self.scoped(|checker| walk_block(checker, block));
    }

    fn visit_operation(&mut self, operation: &'flat Operation) {
        let Operation::Letrec { definitions, .. } = operation else {
            return walk_operation(self, operation);
        };
        for local in definitions {
            self.define(local.id);
        }
        walk_operation(self, operation);
        for local in definitions {
            if let Some(visible) = self.visible_locals.get_mut(local.id.index()) {
                *visible = false;
            }
        }
    }

    fn visit_clause(&mut self, clause: &'flat Clause) {
        self.scoped(|checker| {
            checker.bind_patterns(&clause.patterns);
            checker.visit_guard(&clause.guard);
            checker.visit_block(clause.body);
        });
    }

    fn visit_guard_clause(&mut self, clause: &'flat GuardClause) {
        self.scoped(|checker| {
            checker.bind_patterns(&clause.patterns);
            checker.visit_guard(&clause.guard);
            checker.visit_guard(&clause.body);
        });
    }

    fn visit_pattern(&mut self, pattern: &'flat Pattern) {
        if let Pattern::Binary(segments) = pattern {
            self.check_segments(segments);
        } else {
            walk_pattern(self, pattern);
        }
    }

    fn visit_binding(&mut self, variable: VarId) {
        if self.in_patterns {
            self.matched.push(variable);
        } else {
            self.bind(variable);
        }
    }

    fn visit_use(&mut self, variable: VarId) {
        if self.visible.get(variable.index()) != Some(&true) {
            self.complain(format!("{variable:?} is used where it is not bound"));
        }
    }

    fn visit_function_ref(&mut self, reference: &'flat FunctionRef) {
        let is_known = match reference {
            FunctionRef::Module(id) => self.functions.contains(id),
            FunctionRef::Local(id) => self.visible_locals.get(id.index()) == Some(&true),
        };
        if !is_known {
            self.complain(format!("{reference:?} is not defined here"));
        }
    }
}

impl<'flat> ScopeChecker<'flat> {
    fn complain(&mut self, text: impl Into<String>) {
        self.broken.push(text.into());
    }

    fn check_names(&mut self) {
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

    fn check_that_all_is_used(&mut self) {
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

    /// Runs a check, then takes the variables that it has bound out of scope again.
    fn scoped(&mut self, check: impl FnOnce(&mut Self)) {
        let outside = self.in_scope.len();
        check(self);
        for variable in self.in_scope.drain(outside..) {
            if let Some(visible) = self.visible.get_mut(variable.index()) {
                *visible = false;
            }
        }
    }

    fn bind(&mut self, variable: VarId) {
        let index = variable.index();
        match (self.bound.get_mut(index), self.visible.get_mut(index)) {
            (Some(bound), Some(visible)) => {
                if *bound {
                    self.broken.push(format!("{variable:?} is bound twice"));
                }
                (*bound, *visible) = (true, true);
                self.in_scope.push(variable);
            }
            _ => self.complain(format!("{variable:?} does not exist")),
        }
    }

    fn bind_patterns(&mut self, patterns: &'flat [Pattern]) {
        self.in_patterns = true;
        visit_patterns(self, patterns);
        self.in_patterns = false;
        for variable in std::mem::take(&mut self.matched) {
            self.bind(variable);
        }
    }

    /// A size may use what earlier segments of the same binary bind.
    fn check_segments(&mut self, segments: &'flat [PatternSegment]) {
        let first = self.matched.len();
        for segment in segments {
            let earlier = self.matched.get(first..).unwrap_or_default();
            if !matches!(&segment.size, Value::Variable(id) if earlier.contains(id)) {
                self.visit_value(&segment.size);
            }
            visit_patterns(self, [&segment.value]);
        }
    }

    fn define(&mut self, id: LocalId) {
        match (
            self.defined_locals.get_mut(id.index()),
            self.visible_locals.get_mut(id.index()),
        ) {
            (Some(defined), Some(visible)) => {
                let is_twice = *defined;
                (*defined, *visible) = (true, true);
                if is_twice {
                    self.complain(format!("{id:?} is defined twice"));
                }
            }
            _ => self.complain(format!("{id:?} does not exist")),
        }
    }
}
