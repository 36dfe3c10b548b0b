//! One way to walk the flat form: a visitor, in the order of the text.
//!
//! Override the `visit_*` methods of [`Visitor`] for the parts that matter, and call the function
//! `walk_*` of the same name where the walk is to go on into the part. A method that is not
//! overridden walks on by itself. Every step down goes through [`deep`], so a visitor can be as
//! simple as it likes and never overflows the stack.
//!
//! Which functions of other modules does a function call?
//!
//! ```
//! use flattener::flat::visit::{Visitor, walk_operation};
//! use flattener::flat::{Function, Operation};
//!
//! struct Calls<'flat> {
//!     function: &'flat Function,
//!     found: Vec<String>,
//! }
//!
//! impl<'flat> Visitor<'flat> for Calls<'flat> {
//!     fn function(&self) -> &'flat Function {
//!         self.function
//!     }
//!
//!     fn visit_operation(&mut self, operation: &'flat Operation) {
//!         if let Operation::Call { module, name, .. } = operation
//!             && let (Some(module), Some(name)) = (module.as_literal(), name.as_literal())
//!         {
//!             self.found.push(format!("{module}:{name}"));
//!         }
//!         walk_operation(self, operation);
//!     }
//! }
//!
//! let text = "module 'm' ['f'/1] attributes []
//!     'f'/1 = fun (X) ->
//!       let <G> = fun (Y) -> call 'lists':'reverse'(Y) in
//!       call 'lists':'map'(G, X)
//!     end";
//! let module = flattener::flatten(flattener::parse_module(text).unwrap()).unwrap();
//! let function = &module.functions[0];
//! let mut calls = Calls { function, found: Vec::new() };
//! calls.visit_fun(&function.fun);
//! assert_eq!(calls.found, ["lists:reverse", "lists:map"]);
//! ```

use erlang_term::Term;

use super::code::{Bound, Clause, Fun, Function, LocalFunction, Operation, Statement};
use super::guard::{Guard, GuardClause};
use super::ids::{BlockId, VarId};
use super::value::{FunctionRef, Pattern, Value};
use crate::ast::deep;

/// Sees the parts of a function. Begin with [`Visitor::visit_fun`] of the whole function.
pub trait Visitor<'flat> {
    /// The function that is walked, which holds its blocks.
    fn function(&self) -> &'flat Function;

    /// The function itself, a fun, or a function of a `letrec`.
    fn visit_fun(&mut self, fun: &'flat Fun) {
        walk_fun(self, fun);
    }

    /// A function of a `letrec`.
    fn visit_local_function(&mut self, local: &'flat LocalFunction) {
        self.visit_fun(&local.fun);
    }

    /// Variables and the code in which they can be seen.
    fn visit_scope(&mut self, variables: &'flat [VarId], inside: Inside<'flat>) {
        walk_scope(self, variables, inside);
    }

    /// A block.
    fn visit_block(&mut self, block: BlockId) {
        walk_block(self, block);
    }

    /// A statement.
    fn visit_statement(&mut self, statement: &'flat Statement) {
        walk_statement(self, statement);
    }

    /// The operation of a statement.
    fn visit_operation(&mut self, operation: &'flat Operation) {
        walk_operation(self, operation);
    }

    /// A clause of a `case` or `receive`.
    fn visit_clause(&mut self, clause: &'flat Clause) {
        walk_clause(self, clause);
    }

    /// A guard, or a part of one.
    fn visit_guard(&mut self, guard: &'flat Guard) {
        walk_guard(self, guard);
    }

    /// A clause of a `case` in a guard.
    fn visit_guard_clause(&mut self, clause: &'flat GuardClause) {
        walk_guard_clause(self, clause);
    }

    /// A pattern, or a part of one.
    fn visit_pattern(&mut self, pattern: &'flat Pattern) {
        walk_pattern(self, pattern);
    }

    /// A value, or a part of one.
    fn visit_value(&mut self, value: &'flat Value) {
        walk_value(self, value);
    }

    /// A literal in a value.
    fn visit_literal(&mut self, _: &'flat Term) {}

    /// A literal in a pattern.
    fn visit_literal_pattern(&mut self, _: &'flat Term) {}

    /// A function as a value.
    fn visit_function_ref(&mut self, _: &'flat FunctionRef) {}

    /// A variable where it is used.
    fn visit_use(&mut self, _: VarId) {}

    /// A variable where it is bound. It comes before all uses of the variable.
    fn visit_binding(&mut self, _: VarId) {}
}

/// The code in which some variables can be seen.
#[derive(Clone, Copy, Debug)]
pub enum Inside<'flat> {
    /// A block.
    Block(BlockId),
    /// A part of a guard.
    Guard(&'flat Guard),
}

/// Visits parameters and body.
pub fn walk_fun<'flat>(visitor: &mut (impl Visitor<'flat> + ?Sized), fun: &'flat Fun) {
    visitor.visit_scope(&fun.parameters, Inside::Block(fun.body));
}

/// Visits the bindings of variables, then the code inside.
pub fn walk_scope<'flat>(
    visitor: &mut (impl Visitor<'flat> + ?Sized),
    variables: &'flat [VarId],
    inside: Inside<'flat>,
) {
    visit_bindings(visitor, variables);
    deep(|| match inside {
        Inside::Block(block) => visitor.visit_block(block),
        Inside::Guard(guard) => visitor.visit_guard(guard),
    });
}

/// Visits the statements and the result of a block.
pub fn walk_block<'flat>(visitor: &mut (impl Visitor<'flat> + ?Sized), block: BlockId) {
    let block = visitor.function().block(block);
    for statement in &block.statements {
        visitor.visit_statement(statement);
    }
    visit_values(visitor, &block.result);
}

/// Visits the operation of a statement, then the variables that the statement binds.
pub fn walk_statement<'flat>(
    visitor: &mut (impl Visitor<'flat> + ?Sized),
    statement: &'flat Statement,
) {
    visitor.visit_operation(&statement.operation);
    if let Bound::Variables(variables) = &statement.bound {
        visit_bindings(visitor, variables);
    }
}

/// Visits the values, functions, clauses and blocks of an operation.
pub fn walk_operation<'flat>(
    visitor: &mut (impl Visitor<'flat> + ?Sized),
    operation: &'flat Operation,
) {
    visit_values(visitor, operation.operands());
    match operation {
        Operation::Values(_)
        | Operation::Apply { .. }
        | Operation::Call { .. }
        | Operation::Primop { .. }
        | Operation::Map { .. }
        | Operation::Binary(_) => {}
        Operation::Fun(fun) => deep(|| visitor.visit_fun(fun)),
        Operation::Case { clauses, .. } => visit_clauses(visitor, clauses),
        Operation::Letrec { definitions, body } => deep(|| {
            for local in definitions {
                visitor.visit_local_function(local);
            }
            visitor.visit_block(*body);
        }),
        Operation::Try {
            argument,
            variables,
            body,
            exception_variables,
            handler,
        } => deep(|| {
            visitor.visit_block(*argument);
            visitor.visit_scope(variables, Inside::Block(*body));
            visitor.visit_scope(exception_variables, Inside::Block(*handler));
        }),
        Operation::Catch(body) => deep(|| visitor.visit_block(*body)),
        Operation::Receive {
            clauses, action, ..
        } => {
            visit_clauses(visitor, clauses);
            deep(|| visitor.visit_block(*action));
        }
    }
}

/// Visits patterns, guard and body of a clause.
pub fn walk_clause<'flat>(visitor: &mut (impl Visitor<'flat> + ?Sized), clause: &'flat Clause) {
    visit_patterns(visitor, &clause.patterns);
    deep(|| visitor.visit_guard(&clause.guard));
    deep(|| visitor.visit_block(clause.body));
}

/// Visits patterns, guard and body of a clause in a guard.
pub fn walk_guard_clause<'flat>(
    visitor: &mut (impl Visitor<'flat> + ?Sized),
    clause: &'flat GuardClause,
) {
    visit_patterns(visitor, &clause.patterns);
    visit_guards(visitor, [&clause.guard, &clause.body]);
}

/// Visits the parts of a guard.
pub fn walk_guard<'flat>(visitor: &mut (impl Visitor<'flat> + ?Sized), guard: &'flat Guard) {
    match guard {
        Guard::Value(value) => deep(|| visitor.visit_value(value)),
        Guard::Cons(parts) | Guard::Sequence(parts) => {
            visit_guards(visitor, [&parts.0, &parts.1]);
        }
        Guard::Tuple(elements) | Guard::Values(elements) => {
            visit_guards(visitor, elements.iter());
        }
        Guard::Map(map) => {
            visit_guards(visitor, &map.base);
            for (_, key, value) in &map.pairs {
                visit_guards(visitor, [key, value]);
            }
        }
        Guard::Binary(segments) => {
            for segment in segments.iter() {
                visit_guards(visitor, [&segment.value, &segment.size]);
            }
        }
        Guard::Call(call) => visit_guards(visitor, &call.arguments),
        Guard::Let(node) => {
            visit_guards(visitor, [&node.argument]);
            visitor.visit_scope(&node.variables, Inside::Guard(&node.body));
        }
        Guard::Case(node) => {
            visit_guards(visitor, [&node.argument]);
            for clause in &node.clauses {
                deep(|| visitor.visit_guard_clause(clause));
            }
        }
        Guard::Try(node) => {
            visit_guards(visitor, [&node.argument]);
            visitor.visit_scope(&node.variables, Inside::Guard(&node.body));
            visitor.visit_scope(&node.exception_variables, Inside::Guard(&node.handler));
        }
    }
}

/// Visits the parts of a pattern.
pub fn walk_pattern<'flat>(visitor: &mut (impl Visitor<'flat> + ?Sized), pattern: &'flat Pattern) {
    match pattern {
        Pattern::Variable(variable) => visitor.visit_binding(*variable),
        Pattern::Literal(term) => visitor.visit_literal_pattern(term),
        Pattern::Cons(parts) => visit_patterns(visitor, [&parts.0, &parts.1]),
        Pattern::Tuple(elements) => visit_patterns(visitor, elements.iter()),
        Pattern::Map(pairs) => {
            for (key, value) in pairs.iter() {
                visit_values(visitor, [key]);
                visit_patterns(visitor, [value]);
            }
        }
        Pattern::Binary(segments) => {
            for segment in segments.iter() {
                visit_values(visitor, [&segment.size]);
                visit_patterns(visitor, [&segment.value]);
            }
        }
        Pattern::Alias(parts) => {
            visitor.visit_binding(parts.0);
            visit_patterns(visitor, [&parts.1]);
        }
    }
}

/// Visits the parts of a value.
pub fn walk_value<'flat>(visitor: &mut (impl Visitor<'flat> + ?Sized), value: &'flat Value) {
    match value {
        Value::Variable(variable) => visitor.visit_use(*variable),
        Value::Literal(term) => visitor.visit_literal(term),
        Value::Function(reference) => visitor.visit_function_ref(reference),
        Value::Cons(parts) => visit_values(visitor, [&parts.0, &parts.1]),
        Value::Tuple(elements) => visit_values(visitor, elements.iter()),
    }
}

fn visit_bindings<'flat>(visitor: &mut (impl Visitor<'flat> + ?Sized), variables: &'flat [VarId]) {
    for variable in variables {
        visitor.visit_binding(*variable);
    }
}

fn visit_clauses<'flat>(visitor: &mut (impl Visitor<'flat> + ?Sized), clauses: &'flat [Clause]) {
    for clause in clauses {
        deep(|| visitor.visit_clause(clause));
    }
}

/// Visits each of some guards.
pub fn visit_guards<'flat>(
    visitor: &mut (impl Visitor<'flat> + ?Sized),
    guards: impl IntoIterator<Item = &'flat Guard>,
) {
    for guard in guards {
        deep(|| visitor.visit_guard(guard));
    }
}

/// Visits each of some patterns.
pub fn visit_patterns<'flat>(
    visitor: &mut (impl Visitor<'flat> + ?Sized),
    patterns: impl IntoIterator<Item = &'flat Pattern>,
) {
    for pattern in patterns {
        deep(|| visitor.visit_pattern(pattern));
    }
}

/// Visits each of some values.
pub fn visit_values<'flat>(
    visitor: &mut (impl Visitor<'flat> + ?Sized),
    values: impl IntoIterator<Item = &'flat Value>,
) {
    for value in values {
        deep(|| visitor.visit_value(value));
    }
}

/// Calls a function on every statement of a function, in the order of the text, so that it can
/// change the statement.
pub fn change_statements(function: &mut Function, change: &mut impl FnMut(&mut Statement)) {
    change_block(function, function.fun.body, change);
}

fn change_block(function: &mut Function, id: BlockId, change: &mut impl FnMut(&mut Statement)) {
    let Some(block) = function.blocks.get_mut(id.index()) else {
        return;
    };
    let mut statements = std::mem::take(&mut block.statements);
    for statement in &mut statements {
        change(statement);
        for nested in statement.operation.nested_blocks() {
            deep(|| change_block(function, nested, change));
        }
    }
    if let Some(block) = function.blocks.get_mut(id.index()) {
        block.statements = statements;
    }
}
