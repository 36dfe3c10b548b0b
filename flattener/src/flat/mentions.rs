//! What a function can lead to: the functions that it names, and the modules and functions of
//! calls that only a run puts together.

use erlang_term::{Atom, Term};

use super::code::{Function, Operation};
use super::elixir::is_elixir_module;
use super::ids::FunctionId;
use super::references::{Reference, references};
use super::value::Value;
use super::visit::{Visitor, walk_operation};

/// What a function mentions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mentions {
    /// The functions that it names.
    pub references: Vec<Reference>,
    /// The modules of Elixir whose names are values in it, as the names of implementations are in a
    /// protocol.
    pub modules: Vec<Atom>,
    /// The functions that it calls in modules that are values, as `V:reduce(...)` does.
    pub computed: Vec<FunctionId>,
}

/// What a function of a module mentions.
pub fn mentions(module: &Atom, function: &Function) -> Mentions {
    let mut finder = MentionFinder {
        function,
        found: Mentions::default(),
    };
    finder.visit_fun(&function.fun);
    Mentions {
        references: references(module, function),
        ..finder.found
    }
}

struct MentionFinder<'flat> {
    function: &'flat Function,
    found: Mentions,
}

impl<'flat> Visitor<'flat> for MentionFinder<'flat> {
    fn function(&self) -> &'flat Function {
        self.function
    }

    /// The module of a call by name is no value.
    fn visit_operation(&mut self, operation: &'flat Operation) {
        let Operation::Call {
            module,
            name,
            arguments,
        } = operation
        else {
            return walk_operation(self, operation);
        };
        if module.as_literal().is_none()
            && let Some(name) = name.as_literal().and_then(Term::as_atom)
            && let Ok(arity) = u32::try_from(arguments.len())
        {
            let name = Atom::new(name);
            self.found.computed.push(FunctionId { name, arity });
        }
        for argument in said_arguments(operation, arguments) {
            self.visit_value(argument);
        }
    }

    fn visit_literal(&mut self, literal: &'flat Term) {
        let atoms = literal.subterms().filter_map(Term::as_atom);
        let modules = atoms.filter(|it| is_elixir_module(it)).map(Atom::new);
        self.found.modules.extend(modules);
    }
}

/// The arguments of a call, without the options of `erlang:error/3`: these name the module that
/// explains the error to a reader.
fn said_arguments<'flat>(operation: &Operation, arguments: &'flat [Value]) -> &'flat [Value] {
    let is_error = operation.remote_callee().is_some_and(|(module, function)| {
        (module.as_str(), function.name.as_str()) == ("erlang", "error")
    });
    let said = if is_error { 2 } else { usize::MAX };
    arguments
        .get(..said.min(arguments.len()))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{flatten, parse_module};

    #[test]
    fn values_and_computed_calls_are_mentioned() {
        let text = "module 'm' [] attributes []
            'f'/1 = fun (X) ->
              let <Y> = call 'Elixir.Enum':'map'(X,['Elixir.Enumerable.List'|'lists']) in
              case Y of
                <'Elixir.Pattern'> when 'true' -> call X:'reduce'(Y,{'Elixir.MapSet',1})
                <Z> when 'true' -> call X:Y()
              end
            end";
        let module = flatten(parse_module(text).expect("a module")).expect("a program");
        let function = module.functions.first().expect("a function");
        let found = mentions(&module.name, function);
        let modules: Vec<&str> = found.modules.iter().map(Atom::as_str).collect();
        assert_eq!(modules, ["Elixir.Enumerable.List", "Elixir.MapSet"]);
        let computed: Vec<String> = found.computed.iter().map(ToString::to_string).collect();
        assert_eq!(computed, ["'reduce'/2"]);
        assert_eq!(found.references.len(), 1);
    }
}
