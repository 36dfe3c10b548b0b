//! What a call site does, as far as can be said without running it.

use erlang_term::Atom;
use flattener::flat::{FunctionId, FunctionRef, LocalId, Operation, Value};

use crate::builtins::{is_pure_builtin, never_raises};
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
    /// Goes on in a function that is followed.
    Followed(Callee),
    /// Only the run can tell what is called.
    Computed,
    /// Returns what depends on its arguments alone, or raises.
    Builtin,
    /// A built-in that never raises.
    Total,
    /// Runs code that is not followed. What it returns is logged.
    Opaque,
    /// Makes a stack trace, which only the run knows.
    StackTrace,
    /// Always raises.
    Raises,
    /// Looks at the next message.
    Peek,
    /// Takes the message that was looked at from the mailbox.
    Take,
    /// Passes over the message that was looked at, or waits for the next one.
    Wait,
}

/// Functions of `erlang` that never return.
const RAISING: &[(&str, u32)] = &[
    ("error", 1),
    ("error", 2),
    ("error", 3),
    ("exit", 1),
    ("throw", 1),
    ("nif_error", 1),
    ("nif_error", 2),
];

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
            return Some(Self::of_call(&callee, FunctionId { name, arity }, program));
        }
        None
    }

    fn of_primop(name: &str) -> Self {
        match name {
            "match_fail" | "raise" | "raw_raise" => Self::Raises,
            "recv_peek_message" => Self::Peek,
            "remove_message" => Self::Take,
            "recv_next" | "recv_wait_timeout" => Self::Wait,
            "build_stacktrace" => Self::StackTrace,
            // The last three mark places, in OTP 27 and 28.
            "bs_init_writable" | "debug_line" | "executable_line" | "nif_start" => Self::Total,
            _ => Self::Builtin,
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

    fn of_call(module: &Atom, function: FunctionId, program: &ExportIndex) -> Self {
        let name = function.name.as_str();
        if module.as_str() == "erlang" {
            if RAISING.contains(&(name, function.arity)) {
                return Self::Raises;
            }
            if name == "apply" && [2, 3].contains(&function.arity) {
                return Self::Computed;
            }
        }
        if never_raises(module.as_str(), name, function.arity) {
            return Self::Total;
        }
        if is_pure_builtin(module.as_str(), name, function.arity) {
            return Self::Builtin;
        }
        match program.exported(module, &function) {
            Some((module, index)) => Self::Followed(Callee::Function(module, index)),
            None => Self::Opaque,
        }
    }

    /// Whether the call can be the last thing a block does: what it returns need not be logged.
    pub fn can_be_tail_call(self) -> bool {
        matches!(self, Self::Followed(_) | Self::Computed | Self::Raises)
    }
}
