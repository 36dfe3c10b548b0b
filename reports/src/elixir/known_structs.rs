//! The fields of structs, as their modules define them.

use erlang_term::{Atom, Term};
use flattener::flat::{Function, FunctionId, Operation};
use trace_format::Program;

/// The structs of a program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownStructs<'code> {
    program: Option<&'code Program>,
}

impl<'code> KnownStructs<'code> {
    /// Those of a program, if there is one.
    pub(crate) fn new(program: Option<&'code Program>) -> Self {
        Self { program }
    }

    /// Whether a map with these keys may be written as a struct of a module. Of modules that are
    /// not in the program as a whole, all may.
    pub(super) fn has(&self, module: &str, keys: &[String]) -> bool {
        let module = Atom::new(module);
        let Some(fields) = self.fields(&module) else {
            return self.function(&module, "__info__", 1).is_none();
        };
        fields.len() == keys.len() && keys.iter().all(|it| fields.contains(&it.as_str()))
    }

    /// The keys of the map that `__struct__/0` of a module returns.
    fn fields(&self, module: &Atom) -> Option<Vec<&'code str>> {
        fields_in(self.function(module, "__struct__", 0)?)
    }

    fn function(&self, module: &Atom, name: &str, arity: u32) -> Option<&'code Function> {
        let program = self.program?;
        let name = Atom::new(name);
        let (number, index) = program.exported(module, &FunctionId { name, arity })?;
        program.module(number)?.function(index)
    }
}

/// The keys of the first map with the key `__struct__` that a function makes.
fn fields_in(function: &Function) -> Option<Vec<&str>> {
    let results = function.blocks.iter().flat_map(|it| &it.result);
    let results = results.filter_map(|it| literal_keys(it.as_literal()?));
    let made = function.statements();
    let made = made.filter_map(|it| map_keys(&it.operation));
    results
        .chain(made)
        .find(|keys| keys.contains(&"__struct__"))
}

/// The keys of a map, if all are atoms.
fn literal_keys(term: &Term) -> Option<Vec<&str>> {
    let Term::Map(pairs) = term else { return None };
    pairs.iter().map(|it| it.0.as_atom()).collect()
}

/// The keys of a map that an operation makes.
fn map_keys(operation: &Operation) -> Option<Vec<&str>> {
    let Operation::Map { base: None, pairs } = operation else {
        return None;
    };
    let keys = pairs.iter().map(|it| it.1.as_literal());
    keys.map(|it| it.and_then(Term::as_atom)).collect()
}
