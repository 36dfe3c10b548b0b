//! The behaviours of machines.

use erlang_term::Atom;
use flattener::ast::{Attribute, Constant, Expr, LiteralValue};
use flattener::flat::{Function, FunctionId, Module, Operation, Value};

/// A behaviour whose process gets events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Behaviour {
    /// `gen_server`, also as Elixir's `GenServer`.
    GenServer,
    /// `gen_statem`.
    GenStatem,
}

impl Behaviour {
    /// The behaviour of a module, if it is one of these.
    pub fn of(module: &Module) -> Option<Self> {
        let attributes = module.attributes.iter();
        let mut named = attributes.flat_map(behaviours);
        named.find_map(Self::named)
    }

    /// The behaviour with this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "gen_server" | "Elixir.GenServer" => Some(Self::GenServer),
            "gen_statem" => Some(Self::GenStatem),
            _ => None,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::GenServer => "gen_server",
            Self::GenStatem => "gen_statem",
        }
    }

    /// The functions of a module that its process calls.
    pub fn callbacks(self, module: &Module) -> impl Iterator<Item = &FunctionId> {
        let known: &[(&str, u32)] = match self {
            Self::GenServer => &[
                ("init", 1),
                ("handle_call", 3),
                ("handle_cast", 2),
                ("handle_info", 2),
                ("handle_continue", 2),
                ("terminate", 2),
            ],
            Self::GenStatem => &[("init", 1), ("callback_mode", 0), ("terminate", 3)],
        };
        let is_known = |it: &&FunctionId| known.contains(&(it.name.as_str(), it.arity));
        let named = module.exports.iter().filter(is_known);
        named.chain(self.event_functions(module))
    }

    /// The functions of a `gen_statem` that get events: `handle_event/4`, or else those of its
    /// states. Of other exported functions with three arguments only those can be told from these
    /// that send something to their first argument.
    pub fn event_functions(self, module: &Module) -> impl Iterator<Item = &FunctionId> {
        let is_named = |it: &FunctionId| it.name.as_str() == "handle_event" && it.arity == 4;
        let has_one = module.exports.iter().any(is_named);
        let is_state = |it: &FunctionId| {
            it.arity == 3
                && !matches!(it.name.as_str(), "terminate" | "code_change")
                && !module.functions.iter().any(|f| f.id == *it && is_client(f))
        };
        let exports = module.exports.iter();
        let chosen = exports.filter(move |it| if has_one { is_named(it) } else { is_state(it) });
        chosen.filter(move |_| self == Self::GenStatem)
    }
}

/// Whether a function gives its first argument to `gen_statem` as the process to talk to.
fn is_client(function: &Function) -> bool {
    let first = function.fun.parameters.first();
    function
        .statements()
        .any(|statement| match &statement.operation {
            Operation::Call {
                module, arguments, ..
            } => {
                let module = module.as_literal().and_then(|it| it.as_atom());
                let is_given =
                    |it: &Value| matches!(it, Value::Variable(given) if Some(given) == first);
                module == Some("gen_statem") && arguments.first().is_some_and(is_given)
            }
            Operation::Values(_)
            | Operation::Apply { .. }
            | Operation::Primop { .. }
            | Operation::Map { .. }
            | Operation::Binary(_)
            | Operation::Fun(_)
            | Operation::Case { .. }
            | Operation::Letrec { .. }
            | Operation::Try { .. }
            | Operation::Catch(_)
            | Operation::Receive { .. } => false,
        })
}

/// The behaviours that an attribute names.
fn behaviours(attribute: &Attribute) -> Vec<&str> {
    let is_key = |name: &str| attribute.key.value == LiteralValue::Atom(Atom::new(name));
    let Expr::Constant(value) = &attribute.value else {
        return Vec::new();
    };
    match &value.value {
        Constant::List(list) if is_key("behaviour") || is_key("behavior") => {
            list.elements.iter().filter_map(Constant::as_atom).collect()
        }
        Constant::List(_) | Constant::Atomic(_) | Constant::Tuple(_) | Constant::Map(_) => {
            Vec::new()
        }
    }
}
