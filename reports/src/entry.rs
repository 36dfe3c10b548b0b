//! What a search or a run begins with.

use std::fmt;

use erlang_term::{Atom, Term};
use flattener::flat::FunctionId;

use crate::call_sequence::call_texts;
use crate::machine::{Behaviour, play_text, played};

/// What the input of an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntryKind {
    /// The arguments of a function.
    Function,
    /// Events for a process with this behaviour.
    Machine(Behaviour),
    /// Calls of the functions of a module.
    Calls,
}

/// An exported function of the user, a machine, or a module whose functions are called in a row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// Its module.
    pub module: Atom,
    /// Its name and arity. A machine begins with `init/1`, a sequence of calls with any function.
    pub function: FunctionId,
    /// What its input is.
    pub kind: EntryKind,
}

impl Entry {
    /// A function.
    pub fn new(module: Atom, function: FunctionId) -> Self {
        Self {
            module,
            function,
            kind: EntryKind::Function,
        }
    }

    /// A module whose process gets events.
    pub fn machine(module: Atom, behaviour: Behaviour) -> Self {
        let function = FunctionId {
            name: Atom::new("init"),
            arity: 1,
        };
        Self {
            module,
            function,
            kind: EntryKind::Machine(behaviour),
        }
    }

    /// A module whose functions are called in a row.
    pub fn calls(module: Atom) -> Self {
        let function = FunctionId {
            name: Atom::new("calls"),
            arity: 0,
        };
        Self {
            module,
            function,
            kind: EntryKind::Calls,
        }
    }

    /// The behaviour of a machine.
    pub fn behaviour(&self) -> Option<Behaviour> {
        match self.kind {
            EntryKind::Machine(behaviour) => Some(behaviour),
            EntryKind::Function | EntryKind::Calls => None,
        }
    }

    /// Whether it is a single function.
    pub fn is_function(&self) -> bool {
        self.kind == EntryKind::Function
    }

    /// A call with these arguments, as Erlang source. For a machine or calls, what is played.
    pub fn call(&self, arguments: &[String]) -> String {
        let (module, name) = (&self.module, &self.function.name);
        match self.kind {
            EntryKind::Machine(_) => format!("{module}: {}", play_text(arguments)),
            EntryKind::Calls => arguments.join(", "),
            EntryKind::Function => format!("{module}:{name}({})", arguments.join(", ")),
        }
    }

    /// Whether an input of a machine waits for timers.
    pub fn waits(&self, arguments: &[Term]) -> bool {
        let is_timeout = |it: &Term| it.as_atom() == Some("timeout");
        self.behaviour().is_some() && played(arguments).iter().skip(1).any(is_timeout)
    }

    /// Arguments as Erlang source. For a machine, up to the last event; for calls, the
    /// calls.
    pub fn arguments(&self, arguments: &[Term]) -> Vec<String> {
        match self.kind {
            EntryKind::Machine(_) => argument_texts(played(arguments)),
            EntryKind::Calls => call_texts(&self.module, arguments, &[]),
            EntryKind::Function => argument_texts(arguments),
        }
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            module,
            function,
            kind,
        } = self;
        match kind {
            EntryKind::Machine(behaviour) => write!(f, "{module} ({})", behaviour.name()),
            EntryKind::Calls => write!(f, "{module} (calls)"),
            EntryKind::Function => write!(f, "{module}:{}/{}", function.name, function.arity),
        }
    }
}

/// Arguments as Erlang source.
pub fn argument_texts(arguments: &[Term]) -> Vec<String> {
    arguments.iter().map(Term::to_string).collect()
}
