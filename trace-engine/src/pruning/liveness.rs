//! Which variables a run still needs: at a statement, and after it.
//!
//! Besides, the calls after which a function decides nothing more and returns something that
//! nobody looks at. Such a function is as good as gone.

use std::collections::BTreeSet;

use flattener::ast::deep;
use flattener::flat::{
    BlockId, Bound, Clause, Fun, Function, FunctionRef, LocalId, Operation, Pattern, SiteId,
    Statement, Value, VarId,
};

use super::view_rule::ViewRule;
use crate::scopes::{captured, used_in_guard};

/// What is live at a site.
#[derive(Clone, Debug, Default)]
pub(crate) struct LiveVariables {
    /// Before its statement.
    pub(crate) before: Box<[VarId]>,
    /// After it, without those that it binds.
    pub(crate) after: Box<[VarId]>,
    /// Whether the function decides nothing after it, and nobody looks at what it returns.
    pub(crate) is_last: bool,
}

type Variables = BTreeSet<VarId>;

/// The functions of a `letrec` whose results nobody looks at, and whether that holds for the
/// function itself.
pub(crate) struct UnseenResults<'views> {
    pub(crate) of_function: bool,
    pub(crate) of_local: &'views dyn Fn(LocalId) -> bool,
}

/// What is live at the sites of a function.
pub(crate) fn live_variables(
    function: &Function,
    unseen: &UnseenResults<'_>,
) -> Vec<(SiteId, LiveVariables)> {
    let mut liveness = Liveness {
        function,
        unseen,
        found: Vec::new(),
    };
    liveness.block(function.fun.body, &Variables::new(), unseen.of_function);
    liveness.found
}

struct Liveness<'flat> {
    function: &'flat Function,
    unseen: &'flat UnseenResults<'flat>,
    found: Vec<(SiteId, LiveVariables)>,
}

impl Liveness<'_> {
    /// What is live before a block, given what is live after it.
    fn block(&mut self, id: BlockId, after: &Variables, is_last: bool) -> Variables {
        let block = self.function.block(id);
        let mut live = after.clone();
        let mut is_last = is_last;
        for value in &block.result {
            add_variables(self.function, value, &mut live);
        }
        for statement in block.statements.iter().rev() {
            live = self.statement(statement, live, is_last);
            is_last &= !ViewRule::LastCalls.is_kept()
                || matches!(
                    &statement.operation,
                    Operation::Values(_) | Operation::Fun(_)
                );
        }
        live
    }

    fn statement(
        &mut self,
        statement: &Statement,
        mut live: Variables,
        is_last: bool,
    ) -> Variables {
        if let Bound::Variables(bound) = &statement.bound {
            for variable in bound {
                live.remove(variable);
            }
        }
        let after = live;
        let mut before = after.clone();
        for operand in statement.operation.operands() {
            add_variables(self.function, operand, &mut before);
        }
        let inner = deep(|| self.inside(statement, &after, is_last));
        before.extend(inner);
        let live = LiveVariables {
            before: before.iter().copied().collect(),
            after: after.into_iter().collect(),
            is_last,
        };
        self.found.push((statement.site, live));
        before
    }

    /// What the blocks, patterns and guards of a statement need.
    fn inside(&mut self, statement: &Statement, after: &Variables, is_last: bool) -> Variables {
        match &statement.operation {
            Operation::Values(_)
            | Operation::Apply { .. }
            | Operation::Call { .. }
            | Operation::Primop { .. }
            | Operation::Map { .. }
            | Operation::Binary(_) => Variables::new(),
            Operation::Fun(fun) => {
                self.block(fun.body, &Variables::new(), false);
                captured(self.function, fun).into_iter().collect()
            }
            Operation::Case { clauses, .. } => self.clauses(clauses, after, is_last),
            Operation::Receive {
                clauses, action, ..
            } => {
                let mut live = self.clauses(clauses, after, is_last);
                live.extend(self.block(*action, after, is_last));
                live
            }
            Operation::Letrec { definitions, body } => {
                for local in definitions {
                    let is_unseen = (self.unseen.of_local)(local.id);
                    self.block(local.fun.body, &Variables::new(), is_unseen);
                }
                self.block(*body, after, is_last)
            }
            Operation::Try {
                argument,
                variables,
                body,
                exception_variables,
                handler,
            } => {
                let mut live = self.block(*body, after, is_last);
                variables.iter().for_each(|it| {
                    live.remove(it);
                });
                let mut handled = self.block(*handler, after, is_last);
                exception_variables.iter().for_each(|it| {
                    handled.remove(it);
                });
                if ViewRule::Handlers.is_kept() {
                    live.extend(handled);
                }
                // An exception may lead to the handler from anywhere inside.
                self.block(*argument, &live, false)
            }
            Operation::Catch(body) => self.block(*body, after, false),
        }
    }

    fn clauses(&mut self, clauses: &[Clause], after: &Variables, is_last: bool) -> Variables {
        let mut live = Variables::new();
        for clause in clauses {
            let mut inner = self.block(clause.body, after, is_last);
            inner.extend(used_in_guard(self.function, clause));
            let mut bound = Variables::new();
            for pattern in &clause.patterns {
                add_pattern(self.function, pattern, &mut bound, &mut inner);
            }
            live.extend(inner.difference(&bound));
        }
        live
    }
}

/// Adds the variables of a value.
fn add_variables(function: &Function, value: &Value, variables: &mut Variables) {
    match value {
        Value::Variable(variable) => {
            variables.insert(*variable);
        }
        Value::Literal(_) => {}
        Value::Function(reference) => {
            if let FunctionRef::Local(id) = &**reference
                && let Some(fun) = local_function(function, *id)
            {
                variables.extend(captured(function, fun));
            }
        }
        Value::Cons(parts) => {
            add_variables(function, &parts.0, variables);
            deep(|| add_variables(function, &parts.1, variables));
        }
        Value::Tuple(elements) => {
            for element in elements.iter() {
                deep(|| add_variables(function, element, variables));
            }
        }
    }
}

/// Adds the variables that a pattern binds, and those that it uses.
fn add_pattern(
    function: &Function,
    pattern: &Pattern,
    bound: &mut Variables,
    used: &mut Variables,
) {
    match pattern {
        Pattern::Variable(variable) => {
            bound.insert(*variable);
        }
        Pattern::Literal(_) => {}
        Pattern::Cons(parts) => {
            add_pattern(function, &parts.0, bound, used);
            deep(|| add_pattern(function, &parts.1, bound, used));
        }
        Pattern::Tuple(elements) => {
            for element in elements.iter() {
                deep(|| add_pattern(function, element, bound, used));
            }
        }
        Pattern::Alias(parts) => {
            bound.insert(parts.0);
            deep(|| add_pattern(function, &parts.1, bound, used));
        }
        Pattern::Map(pairs) => {
            for (key, value) in pairs.iter() {
                add_variables(function, key, used);
                deep(|| add_pattern(function, value, bound, used));
            }
        }
        Pattern::Binary(segments) => {
            for segment in segments.iter() {
                add_variables(function, &segment.size, used);
                deep(|| add_pattern(function, &segment.value, bound, used));
            }
        }
    }
}

/// The function of a `letrec` with this number.
pub(crate) fn local_function(function: &Function, id: LocalId) -> Option<&Fun> {
    let mut statements = function.statements();
    statements.find_map(|statement| {
        if let Operation::Letrec { definitions, .. } = &statement.operation {
            let local = definitions.iter().find(|local| local.id == id);
            return local.map(|local| &local.fun);
        }
        None
    })
}
