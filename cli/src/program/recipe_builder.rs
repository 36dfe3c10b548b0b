//! Functions, as Core Erlang text, that make the values of the recipes in an argument, or check what
//! its funs are given.
//!
//! There is a function for each set of types that a part of the argument can have. It looks only
//! where recipes or such funs can be, so that it decides nothing else about the input:
//!
//! ```text
//! [{integer(), queue:queue()}]     'make_0'([H|T]) -> ['make_1'(H)|'make_0'(T)]
//!                                  'make_1'({X1,X2}) -> {X1,'make_2'(X2)}
//!                                  'make_2'({'queue:new'}) -> queue:new()
//!                                  'make_2'({'queue:in',X1,X2}) -> queue:in(X1,'make_2'(X2))
//! ```

use std::collections::{BTreeMap, BTreeSet, HashMap};

use erlang_term::{RecipeKind, RecipeTag};
use solver::types::{Alternative, Field, TypeId};

use crate::program::core_names::{clause_for, quoted};
use crate::program::recipe_grammar::{Change, RecipeGrammar};
use crate::program::type_checks::{TypeChecks, all, any};
use crate::sources::specs::Excluded;

/// The types that a part of an argument can have.
type TypeSet = BTreeSet<TypeId>;

/// Rejects the input.
const REJECT: &str = "call 'erlang':'exit'('erlconcolic_rejected')";

/// The functions for the arguments of one entry.
#[derive(Debug)]
pub(crate) struct RecipeBuilder<'spec> {
    grammar: &'spec RecipeGrammar,
    excluded: &'spec HashMap<RecipeTag, Vec<Excluded>>,
    /// What the names of the functions begin with.
    prefix: String,
    /// The number of each function.
    numbers: BTreeMap<TypeSet, usize>,
    /// Those whose text is not written yet.
    waiting: Vec<TypeSet>,
    /// What funs may be given.
    checks: TypeChecks<'spec>,
    /// The call that says that a fun was given something else, in its arguments `Xs`.
    complaint: String,
}

impl<'spec> RecipeBuilder<'spec> {
    pub(crate) fn new(
        grammar: &'spec RecipeGrammar,
        excluded: &'spec HashMap<RecipeTag, Vec<Excluded>>,
        prefix: String,
        complaint: String,
    ) -> Self {
        Self {
            grammar,
            excluded,
            checks: TypeChecks::new(grammar, format!("is_{prefix}")),
            complaint,
            prefix,
            numbers: BTreeMap::new(),
            waiting: Vec::new(),
        }
    }

    /// An expression for a variable whose value has one of these types, with the values of its
    /// recipes or with checked funs; the variable itself if it has none.
    pub(crate) fn made(&mut self, variable: &str, types: &[TypeId]) -> String {
        if !types.iter().any(|it| self.grammar.is_changed(*it)) {
            return variable.to_owned();
        }
        let types = types.iter().copied();
        let types: TypeSet = match self.grammar.change {
            Change::MakeValues => types.filter(|it| self.grammar.is_changed(*it)).collect(),
            // A fun may be of any of them.
            Change::CheckFuns => types.collect(),
        };
        let next = self.numbers.len();
        let number = match self.numbers.get(&types) {
            Some(number) => *number,
            None => {
                self.numbers.insert(types.clone(), next);
                self.waiting.push(types);
                next
            }
        };
        format!("apply '{}_{number}'/1({variable})", self.prefix)
    }

    /// The definitions of all functions that were named.
    pub(crate) fn functions(&mut self) -> String {
        let mut text = String::new();
        while let Some(types) = self.waiting.pop() {
            let number = self.numbers.get(&types).copied().unwrap_or_default();
            let clauses = self.clauses(&types).join(" ");
            text.push_str(&format!(
                "'{}_{number}'/1 = fun (V) -> case V of {clauses} <O> when 'true' -> O end\n",
                self.prefix
            ));
        }
        text.push_str(&self.checks.functions());
        text
    }

    fn clauses(&mut self, types: &TypeSet) -> Vec<String> {
        let ids = types.iter();
        let forms: Vec<&Alternative> = ids.flat_map(|it| self.grammar.alternatives(*it)).collect();
        let mut clauses = match self.grammar.change {
            Change::MakeValues => self.recipe_clauses(&forms),
            Change::CheckFuns => Vec::new(),
        };
        clauses.extend(self.tuple_clauses(&forms));
        clauses.extend(self.list_clause(&forms));
        clauses.extend(self.map_clause(&forms));
        clauses.extend(self.fun_clauses(&forms));
        clauses
    }

    fn recipe_clauses(&mut self, forms: &[&Alternative]) -> Vec<String> {
        let mut recipes: BTreeMap<(RecipeTag, usize), Vec<Vec<TypeId>>> = BTreeMap::new();
        for form in forms {
            if let (Some(tag), Alternative::Tuple(elements)) = (self.grammar.tag(form), form) {
                let arguments = elements.get(1..).unwrap_or_default();
                let known = recipes.entry((tag, arguments.len())).or_default();
                add_each(known, arguments);
            }
        }
        let recipes = recipes.into_iter();
        recipes
            .map(|((tag, _), types)| self.recipe_clause(&tag, &types))
            .collect()
    }

    fn recipe_clause(&mut self, tag: &RecipeTag, types: &[Vec<TypeId>]) -> String {
        let Parts {
            patterns,
            bindings,
            values,
        } = self.parts(types);
        let patterns = std::iter::once(quoted(&tag.atom())).chain(patterns);
        let patterns: Vec<String> = patterns.collect();
        let arguments = values.join(",");
        let (module, function) = (quoted(&tag.module), quoted(&tag.function));
        let call = format!("call {module}:{function}({arguments})");
        let body = match tag.kind {
            RecipeKind::Value => self.checked(tag, &call),
            RecipeKind::Ok => format!(
                "case {call} of <{{'ok',R}}> when 'true' -> R <_> when 'true' -> {REJECT} end"
            ),
            RecipeKind::Effect(changed) => {
                let value = values.get(changed).map_or("'none'", String::as_str);
                format!("do {call} {value}")
            }
        };
        format!(
            "<{{{}}}> when 'true' -> {bindings}{body}",
            patterns.join(",")
        )
    }

    /// A call whose result must be of the opaque type.
    fn checked(&self, tag: &RecipeTag, call: &str) -> String {
        let excluded = self.excluded.get(tag).map_or(&[][..], |it| it);
        if excluded.is_empty() {
            return call.to_owned();
        }
        let clauses = excluded.iter().map(|it| clause_for(it, REJECT));
        let clauses: Vec<String> = clauses.collect();
        let clauses = clauses.join(" ");
        format!("case {call} of {clauses} <R> when 'true' -> R end")
    }

    fn tuple_clauses(&mut self, forms: &[&Alternative]) -> Vec<String> {
        let mut sizes: BTreeMap<usize, Vec<Vec<TypeId>>> = BTreeMap::new();
        for form in forms {
            if let (None, Alternative::Tuple(elements)) = (self.grammar.tag(form), form) {
                add_each(sizes.entry(elements.len()).or_default(), elements);
            }
        }
        let tuples = sizes.into_values().filter(|types| self.any_changed(types));
        let tuples: Vec<Vec<Vec<TypeId>>> = tuples.collect();
        let clause = |types: Vec<Vec<TypeId>>| {
            let parts = self.parts(&types);
            let (patterns, values) = (parts.patterns.join(","), parts.values.join(","));
            format!(
                "<{{{patterns}}}> when 'true' -> {}{{{values}}}",
                parts.bindings
            )
        };
        tuples.into_iter().map(clause).collect()
    }

    fn list_clause(&mut self, forms: &[&Alternative]) -> Option<String> {
        let mut types = vec![Vec::new(); 2];
        for form in forms {
            if let Alternative::Cons(head, tail) = form {
                add_each(&mut types, &[*head, *tail]);
            }
        }
        if !self.any_changed(&types) {
            return None;
        }
        let parts = self.parts(&types);
        let (patterns, values) = (parts.patterns.join("|"), parts.values.join("|"));
        let bindings = parts.bindings;
        Some(format!(
            "<[{patterns}]> when 'true' -> {bindings}[{values}]"
        ))
    }

    /// Values under fixed keys are replaced; other maps are made anew.
    fn map_clause(&mut self, forms: &[&Alternative]) -> Option<String> {
        let mut fields: Vec<Field> = Vec::new();
        for form in forms {
            if let Alternative::Map(all) = form {
                fields.extend(all);
            }
        }
        let is_changed = |id| self.grammar.is_changed(id);
        fields.retain(|it| is_changed(it.key) || is_changed(it.value));
        if fields.is_empty() {
            return None;
        }
        let mut keyed: BTreeMap<String, Vec<TypeId>> = BTreeMap::new();
        for field in &fields {
            match self.fixed_key(field.key) {
                Some(key) => keyed.entry(key).or_default().push(field.value),
                None => return Some(self.whole_map_clause(&fields)),
            }
        }
        let mut body = format!("M{}", keyed.len());
        for (index, (key, types)) in keyed.iter().enumerate().rev() {
            let made = self.made("X", types);
            let (before, after) = (format!("M{index}"), format!("M{}", index + 1));
            let changed = format!("let <Y> = {made} in ~{{{key}=>Y|{before}}}~");
            body = format!(
                "let <{after}> = case {before} of <~{{{key}:=X}}~> when 'true' -> {changed} \
                 <O> when 'true' -> O end in {body}"
            );
        }
        Some(format!("<M0> when call 'erlang':'is_map'(M0) -> {body}"))
    }

    /// The only key of a type, as Core Erlang, if it is an atom.
    fn fixed_key(&self, key: TypeId) -> Option<String> {
        match self.grammar.alternatives(key) {
            [Alternative::Atom(atom)] => Some(quoted(atom)),
            _ => None,
        }
    }

    fn whole_map_clause(&mut self, fields: &[Field]) -> String {
        let keys: Vec<TypeId> = fields.iter().map(|it| it.key).collect();
        let values: Vec<TypeId> = fields.iter().map(|it| it.value).collect();
        let (key, value) = (self.made("K", &keys), self.made("X", &values));
        format!(
            "<M> when call 'erlang':'is_map'(M) -> \
             let <F> = fun (P) -> case P of <{{K,X}}> when 'true' -> \
             let <K2> = {key} in let <X2> = {value} in {{K2,X2}} end in \
             call 'maps':'from_list'(call 'lists':'map'(F,call 'maps':'to_list'(M)))"
        )
    }

    /// The results of funs are made, and what they are given is checked, when the funs are called.
    fn fun_clauses(&mut self, forms: &[&Alternative]) -> Vec<String> {
        let mut funs: BTreeMap<usize, Vec<(&[TypeId], TypeId)>> = BTreeMap::new();
        for form in forms {
            if let Alternative::Fun(Some(parameters), result) = form {
                let known = funs.entry(parameters.len()).or_default();
                known.push((parameters.as_slice(), *result));
            }
        }
        let takes_anything = |form: &&Alternative| {
            matches!(
                form,
                Alternative::Any | Alternative::AnyFun | Alternative::Fun(None, _)
            )
        };
        let is_checked =
            self.grammar.change == Change::CheckFuns && !forms.iter().any(takes_anything);
        let funs = funs.into_iter();
        funs.filter_map(|(arity, types)| self.fun_clause(arity, &types, is_checked))
            .collect()
    }

    fn fun_clause(
        &mut self,
        arity: usize,
        types: &[(&[TypeId], TypeId)],
        is_checked: bool,
    ) -> Option<String> {
        let names: Vec<String> = (1..=arity).map(|it| format!("X{it}")).collect();
        let results: Vec<TypeId> = types.iter().map(|it| it.1).collect();
        let made = self.made("R", &results);
        let fits = if is_checked {
            let fits = types.iter().map(|it| self.fits(&names, it.0));
            any(fits.collect())
        } else {
            "'true'".to_owned()
        };
        let names = names.join(",");
        let call = format!("let <R> = apply F({names}) in {made}");
        let body = match fits.as_str() {
            "'true'" if made == "R" => return None,
            "'true'" => call,
            _ => format!(
                "case {fits} of <'true'> when 'true' -> {call} \
                 <O> when 'true' -> let <Xs> = [{names}] in {} end",
                self.complaint
            ),
        };
        Some(format!(
            "<F> when call 'erlang':'is_function'(F,{arity}) -> fun ({names}) -> {body}"
        ))
    }

    /// Whether arguments are of these types.
    fn fits(&mut self, names: &[String], types: &[TypeId]) -> String {
        let pairs = names.iter().zip(types);
        let checks: Vec<String> = pairs
            .map(|(name, of)| self.checks.check(name, *of))
            .collect();
        all(checks)
    }

    fn any_changed(&self, types: &[Vec<TypeId>]) -> bool {
        let mut all = types.iter().flatten();
        all.any(|it| self.grammar.is_changed(*it))
    }

    /// The parts of a value that is taken apart and put together again.
    fn parts(&mut self, types: &[Vec<TypeId>]) -> Parts {
        let mut parts = Parts::default();
        for (index, types) in (1..).zip(types) {
            let variable = format!("X{index}");
            let made = self.made(&variable, types);
            if made == variable {
                parts.values.push(made);
            } else {
                parts
                    .bindings
                    .push_str(&format!("let <Y{index}> = {made} in "));
                parts.values.push(format!("Y{index}"));
            }
            parts.patterns.push(variable);
        }
        parts
    }
}

/// Variables of a pattern, `let`s for those whose value changes, and the new values.
#[derive(Debug, Default)]
struct Parts {
    patterns: Vec<String>,
    bindings: String,
    values: Vec<String>,
}

/// Adds one type to each list of types.
fn add_each(lists: &mut Vec<Vec<TypeId>>, types: &[TypeId]) {
    lists.resize(types.len(), Vec::new());
    for (list, id) in lists.iter_mut().zip(types) {
        list.push(*id);
    }
}
