//! The variables that a fun takes along from its surroundings.

use std::collections::BTreeSet;

use flattener::flat::visit::Visitor;
use flattener::flat::{Clause, Fun, Function, FunctionRef, LocalId, Operation, Statement, VarId};

/// The variables of its surroundings that a fun uses, itself or in functions that it calls.
pub(crate) fn captured(function: &Function, fun: &Fun) -> Vec<VarId> {
    let mut scope = FreeVariables::new(function);
    scope.visit_fun(fun);
    scope.found()
}

/// The variables that the guard of a clause uses.
pub(crate) fn used_in_guard(function: &Function, clause: &Clause) -> Vec<VarId> {
    let mut scope = FreeVariables::new(function);
    scope.visit_guard(&clause.guard);
    scope.found()
}

/// The variables around a `case` or `receive` that the patterns and guards of its clauses use.
pub(crate) fn used_by_clauses(function: &Function, statement: &Statement) -> Vec<VarId> {
    let mut scope = FreeVariables::new(function);
    let clauses = match &statement.operation {
        Operation::Case { clauses, .. } | Operation::Receive { clauses, .. } => clauses.as_slice(),
        Operation::Values(_)
        | Operation::Apply { .. }
        | Operation::Call { .. }
        | Operation::Primop { .. }
        | Operation::Fun(_)
        | Operation::Letrec { .. }
        | Operation::Map { .. }
        | Operation::Binary(_)
        | Operation::Try { .. }
        | Operation::Catch(_) => &[],
    };
    for clause in clauses {
        clause
            .patterns
            .iter()
            .for_each(|pattern| scope.visit_pattern(pattern));
        scope.visit_guard(&clause.guard);
    }
    scope.found()
}

/// Finds variables that are used but not bound. Every variable has a name of its own, so the order
/// does not matter.
struct FreeVariables<'flat> {
    function: &'flat Function,
    used: BTreeSet<VarId>,
    bound: BTreeSet<VarId>,
    locals: BTreeSet<LocalId>,
}

impl<'flat> FreeVariables<'flat> {
    fn new(function: &'flat Function) -> Self {
        Self {
            function,
            used: BTreeSet::new(),
            bound: BTreeSet::new(),
            locals: BTreeSet::new(),
        }
    }

    fn found(&self) -> Vec<VarId> {
        self.used.difference(&self.bound).copied().collect()
    }

    /// The function of a `letrec` with this number.
    fn local(&self, id: LocalId) -> Option<&'flat Fun> {
        let statements = self.function.statements();
        let definitions = statements.filter_map(|statement| {
            if let Operation::Letrec { definitions, .. } = &statement.operation {
                Some(definitions)
            } else {
                None
            }
        });
        let local = definitions.flatten().find(|local| local.id == id);
        local.map(|local| &local.fun)
    }
}

impl<'flat> Visitor<'flat> for FreeVariables<'flat> {
    fn function(&self) -> &'flat Function {
        self.function
    }

    fn visit_use(&mut self, variable: VarId) {
        self.used.insert(variable);
    }

    fn visit_binding(&mut self, variable: VarId) {
        self.bound.insert(variable);
    }

    /// A function of a `letrec` around the fun takes along what it uses itself.
    fn visit_function_ref(&mut self, reference: &'flat FunctionRef) {
        if let FunctionRef::Local(id) = reference
            && self.locals.insert(*id)
            && let Some(fun) = self.local(*id)
        {
            self.visit_fun(fun);
        }
    }
}
