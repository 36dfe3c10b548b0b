//! Whether everything in the flat form gives as many values as its place takes.

use crate::flat::{BlockId, Bound, Clause, Function, Operation, Statement};

/// What gives too many or too few values in a function.
pub(super) fn broken_counts(function: &Function) -> Vec<String> {
    let mut checker = CountChecker {
        function,
        broken: Vec::new(),
    };
    checker.block(function.fun.body, 1);
    for statement in function.statements() {
        checker.statement(statement);
    }
    checker.broken
}

struct CountChecker<'flat> {
    function: &'flat Function,
    broken: Vec<String>,
}

impl CountChecker<'_> {
    fn count(&mut self, given: usize, wanted: usize, what: &str) {
        if given != wanted {
            self.broken
                .push(format!("{what} gives {given} values instead of {wanted}"));
        }
    }

    fn block(&mut self, id: BlockId, wanted: usize) {
        if let Some(block) = self.function.blocks.get(id.index()) {
            self.count(block.result.len(), wanted, &format!("{id:?}"));
        }
    }

    fn clauses(&mut self, clauses: &[Clause], looked_at: usize, wanted: usize) {
        for clause in clauses {
            self.count(clause.patterns.len(), looked_at, "a clause");
            self.block(clause.body, wanted);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let wanted = match &statement.bound {
            Bound::Variables(variables) => variables.len(),
            Bound::Discarded => 1,
        };
        match &statement.operation {
            Operation::Values(values) => self.count(values.len(), wanted, "a list of values"),
            Operation::Primop { .. }
            | Operation::Apply { .. }
            | Operation::Call { .. }
            | Operation::Map { .. }
            | Operation::Binary(_) => {}
            Operation::Fun(fun) => self.block(fun.body, 1),
            Operation::Case { arguments, clauses } => {
                self.clauses(clauses, arguments.len(), wanted);
            }
            Operation::Letrec { definitions, body } => {
                let is_label = statement.annotations.has("letrec_goto");
                for local in definitions {
                    self.block(local.fun.body, if is_label { wanted } else { 1 });
                }
                self.block(*body, wanted);
            }
            Operation::Try {
                argument,
                variables,
                body,
                handler,
                ..
            } => {
                self.block(*argument, variables.len());
                self.block(*body, wanted);
                self.block(*handler, wanted);
            }
            Operation::Catch(body) => self.block(*body, 1),
            Operation::Receive {
                clauses, action, ..
            } => {
                self.clauses(clauses, 1, wanted);
                self.block(*action, wanted);
            }
        }
    }
}
