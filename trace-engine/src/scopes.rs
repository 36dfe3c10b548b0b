//! The variables that a fun takes along from its surroundings.

use std::collections::BTreeSet;

use flattener::ast::deep;
use flattener::flat::{
    BlockId, Clause, Fun, Function, FunctionRef, Guard, LocalId, Operation, Pattern, Statement,
    Value, VarId,
};

/// The variables of its surroundings that a fun uses, itself or in functions that it calls.
pub(crate) fn captured(function: &Function, fun: &Fun) -> Vec<VarId> {
    let mut scope = Scope {
        function,
        used: BTreeSet::new(),
        bound: BTreeSet::new(),
        locals: BTreeSet::new(),
    };
    scope.fun(fun);
    scope.used.difference(&scope.bound).copied().collect()
}

/// The variables that the guard of a clause uses.
pub(crate) fn used_in_guard(function: &Function, clause: &Clause) -> Vec<VarId> {
    let mut scope = Scope {
        function,
        used: BTreeSet::new(),
        bound: BTreeSet::new(),
        locals: BTreeSet::new(),
    };
    scope.guard(&clause.guard);
    scope.used.difference(&scope.bound).copied().collect()
}

/// What was seen; variables have names of their own, so the order does not matter.
struct Scope<'code> {
    function: &'code Function,
    used: BTreeSet<VarId>,
    bound: BTreeSet<VarId>,
    locals: BTreeSet<LocalId>,
}

impl<'code> Scope<'code> {
    fn fun(&mut self, fun: &'code Fun) {
        self.bound.extend(&fun.parameters);
        self.block(fun.body);
    }

    fn block(&mut self, id: BlockId) {
        let block = self.function.block(id);
        for statement in &block.statements {
            deep(|| self.statement(statement));
        }
        self.values(&block.result);
    }

    fn statement(&mut self, statement: &'code Statement) {
        if let flattener::flat::Bound::Variables(variables) = &statement.bound {
            self.bound.extend(variables);
        }
        self.values(statement.operation.operands());
        match &statement.operation {
            Operation::Fun(fun) => self.fun(fun),
            Operation::Case { clauses, .. } | Operation::Receive { clauses, .. } => {
                self.clauses(clauses);
            }
            Operation::Letrec { definitions, .. } => {
                for local in definitions {
                    self.fun(&local.fun);
                }
            }
            Operation::Try {
                variables,
                exception_variables,
                ..
            } => {
                self.bound.extend(variables);
                self.bound.extend(exception_variables);
            }
            Operation::Values(_)
            | Operation::Apply { .. }
            | Operation::Call { .. }
            | Operation::Primop { .. }
            | Operation::Map { .. }
            | Operation::Binary(_)
            | Operation::Catch(_) => {}
        }
        for block in statement.operation.own_blocks() {
            self.block(block);
        }
    }

    fn clauses(&mut self, clauses: &'code [Clause]) {
        for clause in clauses {
            clause.patterns.iter().for_each(|it| self.pattern(it));
            self.guard(&clause.guard);
        }
    }

    fn values(&mut self, values: impl IntoIterator<Item = &'code Value>) {
        values.into_iter().for_each(|value| self.value(value));
    }

    fn value(&mut self, value: &'code Value) {
        match value {
            Value::Variable(variable) => {
                self.used.insert(*variable);
            }
            Value::Literal(_) => {}
            Value::Function(reference) => {
                if let FunctionRef::Local(id) = **reference {
                    self.local(id);
                }
            }
            Value::Cons(parts) => deep(|| self.values([&parts.0, &parts.1])),
            Value::Tuple(elements) => deep(|| self.values(elements.iter())),
        }
    }

    /// A function of a `letrec` around the fun, with all that it takes along itself.
    fn local(&mut self, id: LocalId) {
        if !self.locals.insert(id) {
            return;
        }
        let statements = self.function.blocks.iter().flat_map(|it| &it.statements);
        let definitions = statements.filter_map(|statement| {
            if let Operation::Letrec { definitions, .. } = &statement.operation {
                return Some(definitions);
            }
            None
        });
        let found = definitions.flatten().find(|local| local.id == id);
        if let Some(local) = found {
            deep(|| self.fun(&local.fun));
        }
    }

    fn pattern(&mut self, pattern: &'code Pattern) {
        match pattern {
            Pattern::Variable(variable) => {
                self.bound.insert(*variable);
            }
            Pattern::Literal(_) => {}
            Pattern::Cons(parts) => {
                deep(|| self.pattern(&parts.0));
                deep(|| self.pattern(&parts.1));
            }
            Pattern::Tuple(elements) => {
                elements.iter().for_each(|it| deep(|| self.pattern(it)));
            }
            Pattern::Map(pairs) => {
                for (key, value) in pairs.iter() {
                    self.value(key);
                    deep(|| self.pattern(value));
                }
            }
            Pattern::Binary(segments) => {
                for segment in segments.iter() {
                    self.value(&segment.size);
                    deep(|| self.pattern(&segment.value));
                }
            }
            Pattern::Alias(parts) => {
                self.bound.insert(parts.0);
                deep(|| self.pattern(&parts.1));
            }
        }
    }

    fn guard(&mut self, guard: &'code Guard) {
        match guard {
            Guard::Value(value) => self.value(value),
            Guard::Cons(parts) | Guard::Sequence(parts) => {
                self.guards([&parts.0, &parts.1]);
            }
            Guard::Tuple(guards) | Guard::Values(guards) => self.guards(guards.iter()),
            Guard::Map(map) => {
                self.guards(map.base.iter());
                for (_, key, value) in &map.pairs {
                    self.guards([key, value]);
                }
            }
            Guard::Binary(segments) => {
                for segment in segments.iter() {
                    self.guards([&segment.value, &segment.size]);
                }
            }
            Guard::Call(call) => self.guards(&call.arguments),
            Guard::Let(binding) => {
                self.bound.extend(&binding.variables);
                self.guards([&binding.argument, &binding.body]);
            }
            Guard::Case(case) => {
                self.guards([&case.argument]);
                for clause in &case.clauses {
                    clause.patterns.iter().for_each(|it| self.pattern(it));
                    self.guards([&clause.guard, &clause.body]);
                }
            }
            Guard::Try(protected) => {
                self.bound.extend(&protected.variables);
                self.bound.extend(&protected.exception_variables);
                self.guards([&protected.argument, &protected.body, &protected.handler]);
            }
        }
    }

    fn guards(&mut self, guards: impl IntoIterator<Item = &'code Guard>) {
        for guard in guards {
            deep(|| self.guard(guard));
        }
    }
}
