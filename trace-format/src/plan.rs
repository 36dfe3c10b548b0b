//! What is known about each site and block before a program runs.
//!
//! **The lean wire** skips all that the reader of a log can derive by following the program. Two
//! things need care. A program must not run forever without logging anything. And when a built-in
//! raises, the log names only its site, so no site may run twice between two items of the log. Both
//! hold by two rules. They depend on what the function has logged since it was entered or since the
//! last call returned to it ([`State`]). A call is logged unless something has surely been logged.
//! The return of a built-in is logged if a call may have returned since. Then at most one call
//! between two items is not logged, and everything after a return is.

use std::collections::HashMap;

use erlang_term::{Atom, Term};
use flattener::ast::deep;
use flattener::flat::{
    Block, BlockId, Function, LocalId, Module, Operation, Pattern, SiteId, Statement, Value, VarId,
};
use models::Model;

use crate::calls::{CallKind, model_of};
use crate::function_index::{ExportIndex, ModuleIndex};

/// A module that gets a plan.
pub(crate) struct PlannedModule<'program> {
    pub(crate) flat: &'program Module,
    pub(crate) functions: &'program ModuleIndex,
    /// Whether it is loaded under another name, beside the original.
    pub(crate) is_copy: bool,
}

/// The plan for a module.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    kinds: Vec<Option<CallKind>>,
    /// The models of the functions that sites call.
    models: Vec<Option<&'static Model>>,
    /// Whether the call or return at a site is on the lean wire.
    lean: Vec<bool>,
    /// For each function, for each block, whether it ends bare.
    bare: Vec<Vec<bool>>,
    /// Whether a site is a tail call of a followed function.
    tail_calls: Vec<bool>,
    /// For each function, for each function of a `letrec` in it, the site of that `letrec`.
    letrecs: Vec<Vec<SiteId>>,
}

impl Plan {
    pub(crate) fn new(module: &PlannedModule<'_>, exports: &ExportIndex) -> Self {
        let sites = module.flat.site_count as usize;
        let mut plan = Self {
            kinds: vec![None; sites],
            models: vec![None; sites],
            lean: vec![false; sites],
            tail_calls: vec![false; sites],
            bare: Vec::with_capacity(module.flat.functions.len()),
            letrecs: Vec::with_capacity(module.flat.functions.len()),
        };
        for function in &module.flat.functions {
            let mut letrecs = vec![SiteId::default(); function.locals.len()];
            for statement in function.blocks.iter().flat_map(|block| &block.statements) {
                if let Operation::Letrec { definitions, .. } = &statement.operation {
                    for local in definitions {
                        if let Some(site) = letrecs.get_mut(local.id.index()) {
                            *site = statement.site;
                        }
                    }
                }
                if let Some(model) = plan.models.get_mut(statement.site.index()) {
                    *model = model_of(&statement.operation);
                }
                if let Some(kind) = plan.kinds.get_mut(statement.site.index()) {
                    *kind = CallKind::of(&statement.operation, module.functions, exports);
                    if matches!(kind, Some(CallKind::Followed(_)))
                        && calls_original(module, function, statement)
                    {
                        *kind = Some(CallKind::Opaque);
                    }
                }
            }
            plan.letrecs.push(letrecs);
            let bare = function.blocks.iter().map(|block| plan.is_bare(block));
            let bare = bare.collect();
            plan.bare.push(bare);
            let mut marker = LeanMarker {
                function,
                plan: &mut plan,
            };
            marker.block(function.fun.body, State::Fresh);
            plan.mark_tail_calls(function);
        }
        plan
    }

    /// What the call at a site does; `None` if there is no call.
    pub fn kind(&self, site: SiteId) -> Option<CallKind> {
        self.kinds.get(site.index()).copied().flatten()
    }

    /// The model of the function that a site calls by its name, if it has one.
    #[inline]
    pub fn model(&self, site: SiteId) -> Option<&'static Model> {
        self.models.get(site.index()).copied().flatten()
    }

    /// Whether a lean log holds the call of a followed function at a site, or the return of a
    /// built-in.
    pub fn is_on_lean_wire(&self, site: SiteId) -> bool {
        self.lean.get(site.index()).copied().unwrap_or(false)
    }

    /// Whether a block of a function ends in a statement that stands bare in tail position: a
    /// call that may be a tail call, or an operation whose blocks end by themselves. Nothing is
    /// logged after it.
    pub fn ends_bare(&self, function: usize, block: BlockId) -> bool {
        let blocks = self.bare.get(function);
        blocks
            .and_then(|blocks| blocks.get(block.index()))
            .copied()
            .unwrap_or(false)
    }

    /// Whether a site calls a followed function, and only returns its values after the call.
    pub fn is_tail_call(&self, site: SiteId) -> bool {
        self.tail_calls.get(site.index()).copied().unwrap_or(false)
    }

    /// The `letrec` that defines a local function of a function.
    pub fn letrec(&self, function: usize, local: LocalId) -> SiteId {
        let locals = self.letrecs.get(function);
        locals
            .and_then(|locals| locals.get(local.index()))
            .copied()
            .unwrap_or_default()
    }

    fn mark_tail_calls(&mut self, function: &Function) {
        let mut last_blocks = vec![function.fun.body];
        for statement in function.statements() {
            if let Operation::Fun(fun) = &statement.operation {
                last_blocks.push(fun.body);
            }
            if let Operation::Letrec { definitions, .. } = &statement.operation {
                last_blocks.extend(definitions.iter().map(|local| local.fun.body));
            }
        }
        while let Some(id) = last_blocks.pop() {
            let block = function.block(id);
            let last = block.statements.last().filter(|_| self.is_bare(block));
            let Some(last) = last else {
                continue;
            };
            if let Operation::Try { body, handler, .. } = &last.operation {
                last_blocks.extend([*body, *handler]);
            } else {
                last_blocks.extend(last.operation.own_blocks());
            }
            if matches!(self.kind(last.site), Some(CallKind::Followed(_)))
                && let Some(is_tail_call) = self.tail_calls.get_mut(last.site.index())
            {
                *is_tail_call = true;
            }
        }
    }

    fn is_bare(&self, block: &Block) -> bool {
        let Some(last) = block.statements.last() else {
            return false;
        };
        block.ends_in_tail_position()
            && match &last.operation {
                Operation::Case { .. }
                | Operation::Letrec { .. }
                | Operation::Try { .. }
                | Operation::Receive { .. } => true,
                Operation::Values(_)
                | Operation::Map { .. }
                | Operation::Binary(_)
                | Operation::Fun(_)
                | Operation::Catch(_) => false,
                Operation::Apply { .. } | Operation::Call { .. } | Operation::Primop { .. } => {
                    self.kind(last.site).is_some_and(CallKind::can_be_tail_call)
                }
            }
    }
}

/// Whether a function of a copy calls the function of the same name with its own arguments. Such a
/// call means the original, which is a built-in or has a model; followed, it would return to the
/// copy forever.
fn calls_original(module: &PlannedModule<'_>, function: &Function, statement: &Statement) -> bool {
    let Operation::Call {
        module: called_module,
        name,
        arguments,
    } = &statement.operation
    else {
        return false;
    };
    let is = |value: &Value, atom: &Atom| {
        value.as_literal().and_then(Term::as_atom) == Some(atom.as_str())
    };
    let is_itself = module.is_copy
        && is(called_module, &module.flat.name)
        && is(name, &function.id.name)
        && function.fun.parameters.len() == arguments.len();
    if !is_itself {
        return false;
    }
    let names = other_names(function);
    let mut pairs = function.fun.parameters.iter().zip(arguments);
    pairs.all(|(parameter, argument)| {
        matches!(argument, Value::Variable(variable) if first_name(*variable, &names) == *parameter)
    })
}

/// Variables that clauses of `case` bind to other variables, as most functions with several clauses
/// do with their arguments.
fn other_names(function: &Function) -> HashMap<VarId, VarId> {
    let mut names = HashMap::new();
    for statement in function.statements() {
        let Operation::Case { arguments, clauses } = &statement.operation else {
            continue;
        };
        for clause in clauses {
            for (argument, pattern) in arguments.iter().zip(&clause.patterns) {
                let bound = match pattern {
                    Pattern::Variable(bound) => *bound,
                    Pattern::Alias(parts) => parts.0,
                    Pattern::Literal(_)
                    | Pattern::Cons(_)
                    | Pattern::Tuple(_)
                    | Pattern::Map(_)
                    | Pattern::Binary(_) => continue,
                };
                if let Value::Variable(argument) = argument {
                    names.insert(bound, *argument);
                }
            }
        }
    }
    names
}

fn first_name(mut variable: VarId, names: &HashMap<VarId, VarId>) -> VarId {
    while let Some(name) = names.get(&variable) {
        variable = *name;
    }
    variable
}

/// What a function has logged since it was entered or since the last call returned to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Nothing, and no call has returned.
    Fresh,
    /// Something, surely.
    Logged,
    /// Perhaps nothing.
    Unsure,
}

impl State {
    fn join(self, other: Self) -> Self {
        if self == other { self } else { Self::Unsure }
    }
}

struct LeanMarker<'plan> {
    function: &'plan Function,
    plan: &'plan mut Plan,
}

impl LeanMarker<'_> {
    /// The state after a block, given the state before it.
    fn block(&mut self, id: BlockId, state: State) -> State {
        deep(|| {
            let statements = &self.function.block(id).statements;
            statements.iter().fold(state, |state, statement| {
                self.operation(&statement.operation, statement.site, state)
            })
        })
    }

    fn operation(&mut self, operation: &Operation, site: SiteId, state: State) -> State {
        match operation {
            Operation::Values(_) => state,
            Operation::Map { .. } | Operation::Binary(_) => self.built_in(site, state),
            Operation::Fun(fun) => {
                // A fun announces itself.
                self.block(fun.body, State::Logged);
                state
            }
            Operation::Apply { .. } | Operation::Call { .. } | Operation::Primop { .. } => {
                self.call(site, state)
            }
            Operation::Case { clauses, .. } => {
                let inside = if clauses.len() > 1 {
                    State::Logged
                } else {
                    state
                };
                let ends: Vec<State> = clauses
                    .iter()
                    .map(|clause| self.block(clause.body, inside))
                    .collect();
                ends.into_iter().reduce(State::join).unwrap_or(state)
            }
            Operation::Letrec { definitions, body } => {
                for definition in definitions {
                    self.block(definition.fun.body, State::Fresh);
                }
                self.block(*body, state)
            }
            Operation::Try {
                argument,
                body,
                handler,
                ..
            } => {
                let left = self.block(*argument, state);
                let normal = self.block(*body, left);
                normal.join(self.block(*handler, State::Unsure))
            }
            Operation::Catch(body) => {
                self.block(*body, state);
                State::Unsure
            }
            Operation::Receive {
                clauses, action, ..
            } => {
                for clause in clauses {
                    self.block(clause.body, State::Logged);
                }
                self.block(*action, State::Logged);
                State::Unsure
            }
        }
    }

    fn call(&mut self, site: SiteId, state: State) -> State {
        match self.plan.kind(site) {
            Some(CallKind::Followed(_)) => {
                self.mark(site, state != State::Logged);
                State::Unsure
            }
            Some(CallKind::Computed) => State::Unsure,
            Some(CallKind::Opaque | CallKind::StackTrace | CallKind::Take) => State::Logged,
            Some(CallKind::Builtin) => self.built_in(site, state),
            Some(CallKind::Total | CallKind::Raises | CallKind::Peek | CallKind::Wait) | None => {
                state
            }
        }
    }

    fn built_in(&mut self, site: SiteId, state: State) -> State {
        self.mark(site, state == State::Unsure);
        if state == State::Unsure {
            State::Logged
        } else {
            state
        }
    }

    fn mark(&mut self, site: SiteId, is_on_wire: bool) {
        if let Some(lean) = self.plan.lean.get_mut(site.index()) {
            *lean = is_on_wire;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls::Callee;
    use crate::program::Program;

    fn kind_of_only_call(text: &str, loaded_as: &str) -> Option<CallKind> {
        let module = flattener::parse_module(text).expect("the text is Core Erlang");
        let module = flattener::flatten(module).expect("the module is a program");
        let program = Program::new([(module, Atom::new(loaded_as))]);
        let module = &program.modules()[0];
        let mut statements = module.flat.statements();
        statements.find_map(|it| module.plan.kind(it.site))
    }

    #[test]
    fn a_copy_of_a_built_in_calls_the_original() {
        let text = |arguments| {
            format!(
                "module 'm' ['f'/2] attributes [] \
                 'f'/2 = fun (X, Y) -> call 'm':'f'({arguments}) end"
            )
        };
        let itself = Some(CallKind::Followed(Callee::Function(0, 0)));
        let same = text("X, Y");
        assert_eq!(kind_of_only_call(&same, "m@copy"), Some(CallKind::Opaque));
        assert_eq!(kind_of_only_call(&same, "m"), itself);
        assert_eq!(kind_of_only_call(&text("Y, X"), "m@copy"), itself);
    }

    #[test]
    fn a_model_with_clauses_calls_the_original() {
        let text = |arguments| {
            format!(
                "module 'm' ['f'/2] attributes [] \
                 'f'/2 = fun (X, Y) -> case <X, Y> of \
                   <V, W> when 'true' -> case W of \
                     <Z> when 'true' -> call 'm':'f'({arguments}) end end end"
            )
        };
        let itself = Some(CallKind::Followed(Callee::Function(0, 0)));
        let opaque = Some(CallKind::Opaque);
        for same in ["V, W", "X, Z"] {
            assert_eq!(kind_of_only_call(&text(same), "m@copy"), opaque);
        }
        assert_eq!(kind_of_only_call(&text("W, V"), "m@copy"), itself);
    }
}
