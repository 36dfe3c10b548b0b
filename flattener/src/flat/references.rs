//! The functions that code names, as far as its text shows.

use erlang_term::{Atom, Term};

use super::code::{Function, Operation};
use super::ids::FunctionId;
use super::value::FunctionRef;
use super::visit::{Visitor, walk_operation};

/// A function that code names: its module, and its name there.
pub type Reference = (Atom, FunctionId);

/// The functions that a function of a module calls by name or makes funs of.
pub fn references(module: &Atom, function: &Function) -> Vec<Reference> {
    let mut finder = ReferenceFinder {
        module,
        function,
        found: Vec::new(),
    };
    finder.visit_fun(&function.fun);
    finder.found
}

struct ReferenceFinder<'flat> {
    module: &'flat Atom,
    function: &'flat Function,
    found: Vec<Reference>,
}

impl<'flat> Visitor<'flat> for ReferenceFinder<'flat> {
    fn function(&self) -> &'flat Function {
        self.function
    }

    fn visit_operation(&mut self, operation: &'flat Operation) {
        self.found.extend(operation.remote_callee());
        walk_operation(self, operation);
    }

    fn visit_literal(&mut self, literal: &'flat Term) {
        for term in literal.subterms() {
            if let Term::ExternalFun(fun) = term {
                let (name, arity) = (fun.name.clone(), fun.arity.into());
                let function = FunctionId { name, arity };
                self.found.push((fun.module.clone(), function));
            }
        }
    }

    fn visit_function_ref(&mut self, reference: &'flat FunctionRef) {
        if let FunctionRef::Module(id) = reference {
            self.found.push((self.module.clone(), id.clone()));
        }
    }
}

impl Operation {
    /// The function that a `call` calls, if its text shows it.
    pub fn remote_callee(&self) -> Option<Reference> {
        let Self::Call {
            module,
            name,
            arguments,
        } = self
        else {
            return None;
        };
        let module = Atom::new(module.as_literal()?.as_atom()?);
        let name = Atom::new(name.as_literal()?.as_atom()?);
        let arity = u32::try_from(arguments.len()).ok()?;
        Some((module, FunctionId { name, arity }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{flatten, parse_module};

    /// The references of the function `'f'/1` with this body.
    fn references_of(body: &str) -> Vec<String> {
        let text = format!(
            "module 'm' [] attributes []
             'f'/1 = fun (X) -> {body}
             'g'/1 = fun (X) -> X
             end"
        );
        let module = flatten(parse_module(&text).expect("a module")).expect("a program");
        let function = module.functions.first().expect("a function");
        let found = references(&module.name, function).into_iter();
        found.map(|(module, id)| format!("{module}:{id}")).collect()
    }

    #[test]
    fn calls_and_funs_are_references() {
        let body = "let <Y> = call 'a':'b'(X,'g'/1) in
            let <Z> = fun (W) -> apply 'g'/1(W) in
            do call 'a':X(Y)
            {'g'/1,[fun 'c':'d'/2,Z]}";
        assert_eq!(
            references_of(body),
            ["a:'b'/2", "m:'g'/1", "m:'g'/1", "m:'g'/1", "c:'d'/2"]
        );
    }

    #[test]
    fn values_may_be_deep() {
        for element in ["X", "1"] {
            let (opening, closing) = ("[".repeat(50_000), "]".repeat(50_000));
            let body = format!("{opening}{element},'g'/1{closing}");
            assert_eq!(references_of(&body), ["m:'g'/1"]);
        }
    }
}
