//! Functions, as Core Erlang text, that put what earlier calls made in the place of references.
//!
//! There is a function for each set of types that a part of an argument can have. It looks only
//! where references can be, so that it decides nothing else about the input.

use std::collections::{BTreeMap, BTreeSet};

use erlang_term::Atom;
use solver::types::{Alternative, TypeId};

use crate::program::callable::Callables;
use crate::program::core_names::quoted;

type ReferenceTypes = BTreeSet<TypeId>;

/// The functions for the arguments of some calls.
#[derive(Debug)]
pub(crate) struct ReferenceBuilder<'calls> {
    callables: &'calls Callables,
    /// What the names of the functions begin with.
    prefix: String,
    numbers: BTreeMap<ReferenceTypes, usize>,
    /// Those whose text is not written yet.
    waiting: Vec<ReferenceTypes>,
}

impl<'calls> ReferenceBuilder<'calls> {
    pub(crate) fn new(callables: &'calls Callables, prefix: String) -> Self {
        Self {
            callables,
            prefix,
            numbers: BTreeMap::new(),
            waiting: Vec::new(),
        }
    }

    /// An expression for a variable whose value has one of these types, with what its references
    /// mean; the variable itself if it has none.
    pub(crate) fn made(&mut self, variable: &str, types: &[TypeId]) -> String {
        let types = types.iter().copied();
        let types: ReferenceTypes = types
            .filter(|it| self.callables.has_references(*it))
            .collect();
        if types.is_empty() {
            return variable.to_owned();
        }
        let next = self.numbers.len();
        let number = *self.numbers.entry(types.clone()).or_insert(next);
        if number == next {
            self.waiting.push(types);
        }
        format!("apply '{}_{number}'/3({variable},N,Made)", self.prefix)
    }

    /// The same for an argument that is the number of a value: the number of the call, and what it
    /// made.
    pub(crate) fn meant(&self, variable: &str, id: TypeId) -> Option<String> {
        let reference = self.callables.only_reference(id)?;
        let most = self.callables.most_values(reference);
        Some(format!(
            "apply 'numbered'/5({reference},{variable},{most},N,Made)"
        ))
    }

    /// The definitions of all functions that were named.
    pub(crate) fn functions(&mut self) -> String {
        let mut text = String::new();
        while let Some(types) = self.waiting.pop() {
            let number = self.numbers.get(&types).copied().unwrap_or_default();
            let clauses = self.clauses(&types);
            text.push_str(&format!(
                "'{}_{number}'/3 = fun (V,N,Made) -> case V of {clauses} end\n",
                self.prefix
            ));
        }
        text
    }

    fn clauses(&mut self, types: &ReferenceTypes) -> String {
        let callables = self.callables;
        let forms = types.iter().flat_map(|it| callables.alternatives(*it));
        let forms: Vec<&Alternative> = forms.collect();
        let references = forms.iter().filter_map(|it| callables.reference(it));
        let references: BTreeMap<usize, Atom> = references.map(|it| (it.1, it.0)).collect();
        let is_whole = references.len() == forms.len();
        let mut clauses: Vec<String> = Vec::new();
        for (reference, tag) in references {
            let tag = quoted(&tag);
            clauses.push(format!(
                "<{{{tag},B,P}}> when 'true' -> case apply 'made'/5({reference},B,P,N,Made) of \
                 <{{U,W}}> when 'true' -> W end"
            ));
        }
        clauses.extend(self.tuple_clauses(&forms));
        clauses.extend(self.list_clause(&forms));
        if !is_whole {
            clauses.push("<O> when 'true' -> O".to_owned());
        }
        clauses.join(" ")
    }

    fn tuple_clauses(&mut self, forms: &[&Alternative]) -> Vec<String> {
        let mut sizes: BTreeMap<usize, Vec<Vec<TypeId>>> = BTreeMap::new();
        for form in forms {
            if let (None, Alternative::Tuple(elements)) = (self.callables.reference(form), form) {
                add_each(sizes.entry(elements.len()).or_default(), elements);
            }
        }
        let tuples = sizes.into_values();
        let tuples = tuples.filter_map(|types| self.parts(&types));
        tuples
            .map(|[patterns, bindings, values]| {
                let (patterns, values) = (patterns.join(","), values.join(","));
                format!(
                    "<{{{patterns}}}> when 'true' -> {}{{{values}}}",
                    bindings.concat()
                )
            })
            .collect()
    }

    fn list_clause(&mut self, forms: &[&Alternative]) -> Option<String> {
        let mut types = vec![Vec::new(); 2];
        for form in forms {
            if let Alternative::Cons(head, tail) = form {
                add_each(&mut types, &[*head, *tail]);
            }
        }
        let [patterns, bindings, values] = self.parts(&types)?;
        let (patterns, values) = (patterns.join("|"), values.join("|"));
        let bindings = bindings.concat();
        Some(format!(
            "<[{patterns}]> when 'true' -> {bindings}[{values}]"
        ))
    }

    /// Variables for the parts of a value, `let`s for those with references, and the new parts;
    /// `None` if no part has references.
    fn parts(&mut self, types: &[Vec<TypeId>]) -> Option<[Vec<String>; 3]> {
        let [mut patterns, mut bindings, mut values] = [Vec::new(), Vec::new(), Vec::new()];
        for (index, types) in (1..).zip(types) {
            let variable = format!("X{index}");
            let made = self.made(&variable, types);
            if made == variable {
                values.push(made);
            } else {
                bindings.push(format!("let <Y{index}> = {made} in "));
                values.push(format!("Y{index}"));
            }
            patterns.push(variable);
        }
        (!bindings.is_empty()).then_some([patterns, bindings, values])
    }
}

/// Adds one type to each list of types.
fn add_each(lists: &mut Vec<Vec<TypeId>>, types: &[TypeId]) {
    lists.resize(types.len(), Vec::new());
    for (list, id) in lists.iter_mut().zip(types) {
        list.push(*id);
    }
}
