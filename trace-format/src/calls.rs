//! What a call site does, as far as the program text tells.

use erlang_term::Atom;
use flattener::flat::{FunctionId, FunctionRef, LocalId, Operation, Value};
use models::{Meaning, Model, Primop, ProcessCall, Raises};

use crate::function_index::{ExportIndex, ModuleIndex};

/// A followed function that a site calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// A top-level function: number of its module, index in it.
    Function(usize, usize),
    /// A function of an enclosing `letrec`.
    Local(LocalId),
}

/// What a call, an application or a primitive operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallKind {
    /// Calls a function that is followed.
    Followed(Callee),
    /// Only the run knows the function that is called.
    Computed,
    /// Returns a result that depends on its arguments alone, or raises.
    Builtin,
    /// A built-in that never raises.
    Total,
    /// Runs code that is not followed. Its result is logged.
    Opaque,
    /// Makes a stack trace, which only the run knows.
    StackTrace,
    /// Always raises.
    Raises,
    /// Looks at the next message.
    Peek,
    /// Takes the message that was looked at from the mailbox.
    Take,
    /// Skips the message that was looked at, or waits for the next one.
    Wait,
}

/// The model of the function that an operation calls by its name, if it has one.
pub(crate) fn model_of(operation: &Operation) -> Option<&'static Model> {
    let Operation::Call {
        module,
        name,
        arguments,
    } = operation
    else {
        return None;
    };
    let arity = u32::try_from(arguments.len()).ok()?;
    let (module, name) = (module.as_literal()?, name.as_literal()?);
    models::find(module.as_atom()?, name.as_atom()?, arity)
}

impl CallKind {
    /// What an operation of a module does; `None` for operations that call nothing.
    pub(crate) fn of(
        operation: &Operation,
        module: &ModuleIndex,
        program: &ExportIndex,
    ) -> Option<Self> {
        if let Operation::Primop { name, .. } = operation {
            return Some(Self::of_primop(name.as_str()));
        }
        if let Operation::Apply { operator, .. } = operation {
            return Some(Self::of_apply(operator, module));
        }
        if let Operation::Call {
            module: callee,
            name,
            arguments,
        } = operation
        {
            let atom = |value: &Value| value.as_literal()?.as_atom().map(Atom::new);
            let (Some(callee), Some(name)) = (atom(callee), atom(name)) else {
                return Some(Self::Computed);
            };
            let arity = u32::try_from(arguments.len()).unwrap_or(u32::MAX);
            return Some(Self::of_call(&callee, &FunctionId { name, arity }, program));
        }
        None
    }

    fn of_primop(name: &str) -> Self {
        match models::primop(name) {
            Some(Primop::Raise(_)) => Self::Raises,
            Some(Primop::PeekMessage) => Self::Peek,
            Some(Primop::TakeMessage) => Self::Take,
            Some(Primop::NextMessage | Primop::WaitForMessage) => Self::Wait,
            Some(Primop::StackTrace) => Self::StackTrace,
            Some(Primop::EmptyBinary | Primop::Mark) => Self::Total,
            None => Self::Builtin,
        }
    }

    fn of_apply(operator: &Value, module: &ModuleIndex) -> Self {
        let Value::Function(function) = operator else {
            return Self::Computed;
        };
        match &**function {
            FunctionRef::Local(id) => Self::Followed(Callee::Local(*id)),
            FunctionRef::Module(id) => match module.index(id) {
                Some(index) => Self::Followed(Callee::Function(module.number, index)),
                None => Self::Opaque,
            },
        }
    }

    fn of_call(module: &Atom, function: &FunctionId, program: &ExportIndex) -> Self {
        let model = models::find(module.as_str(), function.name.as_str(), function.arity);
        if let Some(kind) = model.and_then(Self::of_model) {
            return kind;
        }
        match program.exported(module, function) {
            Some((module, index)) => Self::Followed(Callee::Function(module, index)),
            None => Self::Opaque,
        }
    }

    /// What a function does that has a model; `None` if its result is logged.
    fn of_model(model: &Model) -> Option<Self> {
        match (model.meaning, model.raises) {
            (Meaning::Rule(..) | Meaning::Walk(_), Raises::Never) => Some(Self::Total),
            (Meaning::Rule(..) | Meaning::Walk(_), _) => Some(Self::Builtin),
            (Meaning::Raise(_), _) => Some(Self::Raises),
            (Meaning::Process(ProcessCall::Apply), _) => Some(Self::Computed),
            (Meaning::GuardRule(_) | Meaning::Process(_), _) => None,
        }
    }

    /// Whether the call can be the last thing a block does: its result need not be logged.
    pub fn can_be_tail_call(self) -> bool {
        matches!(self, Self::Followed(_) | Self::Computed | Self::Raises)
    }
}
