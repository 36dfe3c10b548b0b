//! Functions with arguments of opaque types: the search gives them recipes, see
//! [`erlang_term::Recipe`], from which a wrapper makes the arguments.
//!
//! The wrapper is in a module of its own, which is instrumented like the rest of the program. So
//! the search follows the calls that make a value, and solves for their arguments. If a call
//! raises, the input is rejected as if it failed a precondition.
//!
//! With `--contracts` a wrapper of the same form checks what the funs of the input are given. Original
//! code runs with it too, because that is where the finding comes from.

use std::collections::HashMap;

use erlang_term::{Atom, Term};
use flattener::flat::{FunctionId, Module};
use reports::{BROKEN_FUN_CONTRACT, Entry, Outcome, REJECTED_INPUT, StackEntry};

use crate::beam::Beam;
use crate::failure::Failure;
use crate::program::contract::{original_beam, place};
use crate::program::core_names::{call, quoted};
use crate::program::library_code::flat_module;
use crate::program::recipe_builder::RecipeBuilder;
use crate::program::recipe_grammar::{Change, RecipeGrammar};
use crate::program::renaming::Renaming;
use crate::sources::front_end::FrontEnd;
use crate::sources::specs::Spec;

/// The wrappers of some functions.
#[derive(Debug, Default)]
pub(crate) struct RecipeWrapper {
    change: Change,
    /// The functions that have a wrapper, and its name.
    wrapped: Vec<(Entry, FunctionId)>,
    functions: String,
    /// Where functions are whose funs are checked.
    places: Vec<StackEntry>,
}

impl RecipeWrapper {
    /// No wrappers yet, for this purpose.
    pub(crate) fn new(change: Change) -> Self {
        Self {
            change,
            ..Self::default()
        }
    }

    /// The module of the wrappers.
    fn module(&self) -> &'static str {
        match self.change {
            Change::MakeValues => "erlconcolic_recipes",
            Change::CheckFuns => "erlconcolic_fun_contracts",
        }
    }

    /// Adds a wrapper for a function if its arguments can have recipes, or funs to be checked. The
    /// wrapper calls `start`, which is the function or another wrapper.
    pub(crate) fn wrap(
        &mut self,
        entry: &Entry,
        start: &Entry,
        spec: Option<&Spec>,
        seeds: &[Vec<Term>],
    ) {
        let signature = spec.map(|it| &it.signature);
        let arity = start.function.arity;
        let grammar = RecipeGrammar::new(arity as usize, signature, seeds, self.change);
        let all = grammar.arguments.iter().flatten();
        if !all.copied().any(|id| grammar.is_changed(id)) {
            return;
        }
        let number = self.wrapped.len();
        let name = FunctionId {
            name: Atom::new(format!("run_{number}")),
            arity,
        };
        let none = HashMap::new();
        let excluded = spec.map_or(&none, |it| &it.excluded);
        let prefix = format!("make_{number}");
        let mut builder = RecipeBuilder::new(&grammar, excluded, prefix, complaint(entry));
        let run = run_function(&name, start, &grammar, &mut builder);
        self.functions.push_str(&run);
        self.functions.push_str(&builder.functions());
        self.wrapped.push((entry.clone(), name));
    }

    /// The wrapper of a function.
    pub(crate) fn start(&self, entry: &Entry) -> Option<Entry> {
        let (_, function) = self.wrapped.iter().find(|it| it.0 == *entry)?;
        Some(Entry::new(Atom::new(self.module()), function.clone()))
    }

    /// Whether no function has a wrapper.
    pub(crate) fn is_empty(&self) -> bool {
        self.wrapped.is_empty()
    }

    /// The module of all wrappers; `None` if there are none.
    pub(crate) fn flat(&self) -> Result<Option<Module>, Failure> {
        if self.is_empty() {
            return Ok(None);
        }
        flat_module(&Atom::new(self.module()), &self.core()).map(Some)
    }

    /// The same, compiled without instrumentation.
    pub(crate) fn beam(
        &self,
        front_end: &FrontEnd,
        renaming: &Renaming,
    ) -> Result<Option<Beam>, Failure> {
        if self.is_empty() {
            return Ok(None);
        }
        original_beam(front_end, renaming, self.module(), &self.core()).map(Some)
    }

    /// The same as Core Erlang.
    fn core(&self) -> String {
        let names = self.wrapped.iter().map(|it| &it.1);
        let exports: Vec<String> = names
            .map(|it| format!("{}/{}", quoted(&it.name), it.arity))
            .collect();
        let (exports, functions) = (exports.join(","), &self.functions);
        let module = self.module();
        format!("module '{module}' [{exports}] attributes []\n{functions}end\n")
    }

    /// Finds the functions that have a wrapper in their modules.
    pub(crate) fn at_places_in(mut self, modules: &[Module]) -> Self {
        let entries = self.wrapped.iter();
        self.places = entries.map(|it| place(&it.0, modules)).collect();
        self
    }

    /// Removes the wrapper from an outcome. If nothing is left of the stack, a fun was called in tail
    /// position, and the place is that of the entry.
    pub(crate) fn tidy(&self, outcome: &mut Outcome) {
        let broken = outcome.broken_fun_contract();
        if let Outcome::Exception { stack, .. } = outcome {
            stack.retain(|entry| !entry.function.starts_with(self.module()));
            if stack.is_empty()
                && let Some(function) = broken
            {
                let place = self.places.iter().find(|it| it.function == function);
                stack.extend(place.cloned());
            }
        }
    }
}

/// The call that says that a fun of the input of an entry was given the arguments `Xs`, which are not
/// of its types.
fn complaint(entry: &Entry) -> String {
    let FunctionId { name, arity } = &entry.function;
    let (module, name) = (quoted(&entry.module), quoted(name));
    format!("call 'erlang':'error'({{'{BROKEN_FUN_CONTRACT}',{{{module},{name},{arity}}},Xs}})")
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
    if grammar.change == Change::CheckFuns {
        return format!("{quoted_name}/{arity} = fun ({parameters}) -> {bindings}{call}\n");
    }
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
                Alternative::Fun(Some(vec![TypeId(1)]), TypeId(0)),
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
