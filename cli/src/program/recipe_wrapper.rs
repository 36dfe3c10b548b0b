//! Functions with arguments of opaque types: the search gives them recipes, see
//! [`erlang_term::Recipe`], from which a wrapper makes the arguments.
//!
//! The wrapper is in a module of its own, which is instrumented like the rest of the program. So
//! the search follows the calls that make a value, and solves for their arguments. If a call
//! raises, the input is rejected as if it failed a precondition.

use std::collections::HashMap;

use erlang_term::{Atom, Term};
use flattener::flat::{FunctionId, Module};
use reports::{Entry, Outcome, REJECTED_INPUT};

use crate::failure::Failure;
use crate::program::core_names::{call, quoted};
use crate::program::instrumented::flat_module;
use crate::program::recipe_builder::RecipeBuilder;
use crate::program::recipe_grammar::RecipeGrammar;
use crate::sources::specs::Spec;

/// The module of the wrappers.
const MODULE: &str = "erlconcolic_recipes";

/// The wrappers of some functions.
#[derive(Debug, Default)]
pub(crate) struct RecipeWrapper {
    /// The functions that have a wrapper, and its name.
    wrapped: Vec<(Entry, FunctionId)>,
    functions: String,
}

impl RecipeWrapper {
    /// Adds a wrapper for a function if its arguments can have recipes. The wrapper calls `start`,
    /// which is the function or the wrapper of its contract.
    pub(crate) fn wrap(
        &mut self,
        entry: &Entry,
        start: &Entry,
        spec: Option<&Spec>,
        seeds: &[Vec<Term>],
    ) {
        let signature = spec.map(|it| &it.signature);
        let arity = start.function.arity;
        let grammar = RecipeGrammar::new(arity as usize, signature, seeds);
        let all = grammar.arguments.iter().flatten();
        if !all.copied().any(|id| grammar.has_recipes(id)) {
            return;
        }
        let number = self.wrapped.len();
        let name = FunctionId {
            name: Atom::new(format!("run_{number}")),
            arity,
        };
        let none = HashMap::new();
        let excluded = spec.map_or(&none, |it| &it.excluded);
        let mut builder = RecipeBuilder::new(&grammar, excluded, format!("make_{number}"));
        let run = run_function(&name, start, &grammar, &mut builder);
        self.functions.push_str(&run);
        self.functions.push_str(&builder.functions());
        self.wrapped.push((entry.clone(), name));
    }

    /// The wrapper of a function.
    pub(crate) fn start(&self, entry: &Entry) -> Option<Entry> {
        let (_, function) = self.wrapped.iter().find(|it| it.0 == *entry)?;
        Some(Entry::new(Atom::new(MODULE), function.clone()))
    }

    /// The module of all wrappers; `None` if there are none.
    pub(crate) fn flat(&self) -> Result<Option<Module>, Failure> {
        if self.wrapped.is_empty() {
            return Ok(None);
        }
        flat_module(&Atom::new(MODULE), &self.core()).map(Some)
    }

    /// The same as Core Erlang.
    fn core(&self) -> String {
        let names = self.wrapped.iter().map(|it| &it.1);
        let exports: Vec<String> = names
            .map(|it| format!("{}/{}", quoted(&it.name), it.arity))
            .collect();
        let (exports, functions) = (exports.join(","), &self.functions);
        format!("module '{MODULE}' [{exports}] attributes []\n{functions}end\n")
    }

    /// Removes the wrapper from an outcome.
    pub(crate) fn tidy(&self, outcome: &mut Outcome) {
        if let Outcome::Exception { stack, .. } = outcome {
            stack.retain(|entry| !entry.function.starts_with(MODULE));
        }
    }
}

/// The function that makes all arguments, or rejects the input, and then calls `start`.
fn run_function(
    name: &FunctionId,
    start: &Entry,
    grammar: &RecipeGrammar,
    builder: &mut RecipeBuilder<'_>,
) -> String {
    let mut bindings = String::new();
    let (mut parameters, mut values, mut arguments) = (Vec::new(), Vec::new(), Vec::new());
    for (number, types) in (1..).zip(&grammar.arguments) {
        let parameter = format!("A{number}");
        let made = builder.made(&parameter, types);
        if made == parameter {
            arguments.push(made);
        } else {
            let value = format!("B{number}");
            bindings.push_str(&format!("let <{value}> = {made} in "));
            arguments.push(value.clone());
            values.push(value);
        }
        parameters.push(parameter);
    }
    let (quoted_name, arity) = (quoted(&name.name), name.arity);
    let (parameters, values) = (parameters.join(","), values.join(","));
    let call = call(start, &arguments);
    format!(
        "{quoted_name}/{arity} = fun ({parameters}) -> \
         case try {bindings}{{{values}}} of <R> -> R catch <C,E,T> -> 'rejected' of \
         <{{{values}}}> when 'true' -> {call} \
         <_> when 'true' -> call 'erlang':'exit'('{REJECTED_INPUT}') end\n"
    )
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use erlang_term::{RecipeKind, RecipeTag};
    use solver::types::{Alternative, Field, Signature, TypeId, Types};

    use super::*;
    use crate::sources::specs::Excluded;

    fn tag(kind: RecipeKind, function: &str) -> RecipeTag {
        RecipeTag {
            kind,
            module: Atom::new("m"),
            function: Atom::new(function),
        }
    }

    fn entry(arity: u32) -> Entry {
        Entry::new(
            Atom::new("m"),
            FunctionId {
                name: Atom::new("f"),
                arity,
            },
        )
    }

    fn field(key: u32, value: u32) -> Field {
        Field {
            is_required: false,
            key: TypeId(key),
            value: TypeId(value),
        }
    }

    /// A function whose argument is a union of all forms that can have recipes in them.
    fn spec() -> Spec {
        let atom = |tag: RecipeTag| vec![Alternative::Atom(tag.atom())];
        let tuple = |ids: &[u32]| Alternative::Tuple(ids.iter().copied().map(TypeId).collect());
        let integer = Alternative::Integer(None, None);
        let types = vec![
            vec![
                tuple(&[3]),
                tuple(&[4, 1]),
                tuple(&[5, 1, 0]),
                tuple(&[1, 0]),
                Alternative::Cons(TypeId(0), TypeId(2)),
                Alternative::Map(vec![field(6, 0)]),
                Alternative::Fun(Some(1), TypeId(0)),
                integer.clone(),
            ],
            vec![integer],
            vec![Alternative::Nil, Alternative::Map(vec![field(1, 0)])],
            atom(tag(RecipeKind::Value, "new")),
            atom(tag(RecipeKind::Ok, "open")),
            atom(tag(RecipeKind::Effect(1), "put")),
            vec![Alternative::Atom(Atom::new("key"))],
        ];
        let excluded = vec![
            Excluded::AnyAtom,
            Excluded::Atom(Atom::new("none")),
            Excluded::Nil,
            Excluded::Tagged(Atom::new("error"), 2),
        ];
        Spec {
            signature: Signature {
                types: Arc::new(Types::new(types)),
                clauses: vec![vec![TypeId(0), TypeId(1)]],
            },
            excluded: HashMap::from([(tag(RecipeKind::Value, "new"), excluded)]),
            unmade: Vec::new(),
        }
    }

    #[test]
    fn values_are_made_where_recipes_can_be() {
        let mut wrapper = RecipeWrapper::default();
        wrapper.wrap(&entry(2), &entry(2), Some(&spec()), &[]);
        insta::assert_snapshot!(wrapper.core().replace(['\u{1f}'], " "));
        assert!(wrapper.flat().is_ok_and(|it| it.is_some()));
        let start = wrapper.start(&entry(2)).map(|it| it.to_string());
        assert_eq!(start.as_deref(), Some("erlconcolic_recipes:run_0/2"));
    }

    #[test]
    fn plain_arguments_need_no_wrapper() {
        let mut wrapper = RecipeWrapper::default();
        let seeds = [vec![Term::list([Term::Tuple(vec![Term::atom("a")])])]];
        wrapper.wrap(&entry(1), &entry(1), None, &seeds);
        assert_eq!(wrapper.start(&entry(1)), None);
        assert!(wrapper.flat().is_ok_and(|it| it.is_none()));
    }

    #[test]
    fn calls_in_seed_inputs_need_a_wrapper() {
        let mut wrapper = RecipeWrapper::default();
        let call = erlang_term::Recipe::term(&tag(RecipeKind::Value, "new"), Vec::new());
        let seeds = [vec![Term::list([Term::Tuple(vec![Term::atom("a"), call])])]];
        wrapper.wrap(&entry(1), &entry(1), None, &seeds);
        insta::assert_snapshot!(wrapper.core());
        assert!(wrapper.flat().is_ok_and(|it| it.is_some()));
    }
}
