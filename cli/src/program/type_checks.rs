//! Functions, as Core Erlang text, that say whether a value is of a type.
//!
//! ```text
//! {1..3, [atom()]}     'is_0'({X1,X2}) -> is_1(X1) and is_2(X2)
//!                      'is_1'(V) -> is_integer(V) and V >= 1 and V =< 3
//!                      'is_2'(V) -> V =:= [] or V is [H|T] with is_atom(H) and is_2(T)
//! ```

use std::collections::BTreeSet;

use erlang_term::Integer;
use solver::types::{Alternative, Field, TypeId};

use crate::program::core_names::quoted;
use crate::program::recipe_grammar::RecipeGrammar;

/// The functions for some types.
#[derive(Debug)]
pub(crate) struct TypeChecks<'spec> {
    grammar: &'spec RecipeGrammar,
    /// What the names of the functions begin with.
    prefix: String,
    named: BTreeSet<TypeId>,
    /// Those whose text is not written yet.
    waiting: Vec<TypeId>,
}

impl<'spec> TypeChecks<'spec> {
    pub(crate) fn new(grammar: &'spec RecipeGrammar, prefix: String) -> Self {
        Self {
            grammar,
            prefix,
            named: BTreeSet::new(),
            waiting: Vec::new(),
        }
    }

    /// An expression that says whether the value of a variable is of a type.
    pub(crate) fn check(&mut self, variable: &str, of: TypeId) -> String {
        if self.grammar.is_any(of) {
            return TRUE.to_owned();
        }
        if self.named.insert(of) {
            self.waiting.push(of);
        }
        format!("apply '{}_{}'/1({variable})", self.prefix, of.0)
    }

    /// The definitions of all functions that were named.
    pub(crate) fn functions(&mut self) -> String {
        let mut text = String::new();
        while let Some(of) = self.waiting.pop() {
            let forms = self.grammar.alternatives(of).iter();
            let forms: Vec<String> = forms.map(|it| self.form(it)).collect();
            let check = any(forms);
            let (prefix, number) = (&self.prefix, of.0);
            text.push_str(&format!("'{prefix}_{number}'/1 = fun (V) -> {check}\n"));
        }
        text
    }

    /// Whether `V` has a form.
    fn form(&mut self, form: &Alternative) -> String {
        if self.grammar.tag(form).is_some() {
            // Nobody knows what values of opaque types look like.
            return TRUE.to_owned();
        }
        match form {
            Alternative::Any => TRUE.to_owned(),
            Alternative::Integer(min, max) => is_between(min.as_ref(), max.as_ref()),
            Alternative::Float => test("is_float", "V"),
            Alternative::AnyAtom => test("is_atom", "V"),
            Alternative::Atom(atom) => compared("=:=", "V", &quoted(atom)),
            Alternative::Nil => compared("=:=", "V", "[]"),
            Alternative::Cons(head, tail) => {
                let parts = [self.check("X1", *head), self.check("X2", *tail)];
                matches("[X1|X2]", &all(parts))
            }
            Alternative::AnyTuple => test("is_tuple", "V"),
            Alternative::Tuple(types) => self.tuple(types),
            Alternative::AnyMap => test("is_map", "V"),
            Alternative::Map(fields) => self.map(fields),
            Alternative::Bits(base, unit) => bits(*base, *unit),
            Alternative::Text => {
                let characters = "call 'unicode':'characters_to_list'(V)";
                all([test("is_binary", "V"), test("is_list", characters)])
            }
            Alternative::AnyFun | Alternative::Fun(None, _) => test("is_function", "V"),
            Alternative::Fun(Some(parameters), _) => {
                let arity = parameters.len();
                format!("call 'erlang':'is_function'(V,{arity})")
            }
            Alternative::Pid => test("is_pid", "V"),
            Alternative::Port => test("is_port", "V"),
            Alternative::Reference => test("is_reference", "V"),
        }
    }

    fn tuple(&mut self, types: &[TypeId]) -> String {
        let names: Vec<String> = (1..=types.len()).map(|it| format!("X{it}")).collect();
        let parts = names.iter().zip(types);
        let parts: Vec<String> = parts.map(|(name, of)| self.check(name, *of)).collect();
        matches(&format!("{{{}}}", names.join(",")), &all(parts))
    }

    /// Each pair fits a field, and each required field has a pair.
    fn map(&mut self, fields: &[Field]) -> String {
        let each = fields.iter().map(|it| self.field(*it)).collect();
        let mut conditions = vec![test("is_map", "V"), of_pairs("all", &any(each))];
        for field in fields.iter().filter(|it| it.is_required) {
            let this = self.field(*field);
            conditions.push(of_pairs("any", &this));
        }
        all(conditions)
    }

    fn field(&mut self, field: Field) -> String {
        all([self.check("K", field.key), self.check("X", field.value)])
    }
}

const TRUE: &str = "'true'";
const FALSE: &str = "'false'";

/// Whether all of these expressions are true, the first one first.
pub(crate) fn all(conditions: impl IntoIterator<Item = String>) -> String {
    let conditions: Vec<String> = conditions.into_iter().filter(|it| it != TRUE).collect();
    let joined = |rest: String, first: &String| match rest.as_str() {
        TRUE => first.clone(),
        _ => {
            format!("case {first} of <'true'> when 'true' -> {rest} <O> when 'true' -> {FALSE} end")
        }
    };
    conditions.iter().rev().fold(TRUE.to_owned(), joined)
}

/// Whether one of these expressions is true.
pub(crate) fn any(conditions: Vec<String>) -> String {
    if conditions.iter().any(|it| it == TRUE) {
        return TRUE.to_owned();
    }
    let joined = |rest: String, first: &String| match rest.as_str() {
        FALSE => first.clone(),
        _ => {
            format!("case {first} of <'true'> when 'true' -> {TRUE} <O> when 'true' -> {rest} end")
        }
    };
    conditions.iter().rev().fold(FALSE.to_owned(), joined)
}

fn test(name: &str, value: &str) -> String {
    format!("call 'erlang':'{name}'({value})")
}

fn compared(operator: &str, left: &str, right: &str) -> String {
    format!("call 'erlang':'{operator}'({left},{right})")
}

/// Whether `V` matches a pattern and a condition holds then.
fn matches(pattern: &str, condition: &str) -> String {
    format!("case V of <{pattern}> when 'true' -> {condition} <O> when 'true' -> {FALSE} end")
}

fn is_between(min: Option<&Integer>, max: Option<&Integer>) -> String {
    let min = min.map(|it| compared(">=", "V", &it.to_string()));
    let max = max.map(|it| compared("=<", "V", &it.to_string()));
    all([Some(test("is_integer", "V")), min, max]
        .into_iter()
        .flatten())
}

fn bits(base: u64, unit: u64) -> String {
    let is_bits = match (base, unit) {
        (0, 8) => return test("is_binary", "V"),
        _ => test("is_bitstring", "V"),
    };
    let size = test("bit_size", "V");
    let sized = match unit {
        0 => compared("=:=", &size, &base.to_string()),
        _ => {
            let more = format!("call 'erlang':'-'({size},{base})");
            let rest = format!("call 'erlang':'rem'({more},{unit})");
            all([
                compared(">=", &size, &base.to_string()),
                compared("=:=", &rest, "0"),
            ])
        }
    };
    all([is_bits, sized])
}

/// Whether a condition holds for all or any pairs `{K, X}` of the map `V`.
fn of_pairs(which: &str, condition: &str) -> String {
    format!(
        "let <F> = fun (P) -> case P of <{{K,X}}> when 'true' -> {condition} end in \
         call 'lists':'{which}'(F,call 'maps':'to_list'(V))"
    )
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use erlang_term::Atom;
    use solver::types::{Signature, Types};

    use super::*;
    use crate::program::library_code::flat_module;
    use crate::program::recipe_grammar::Change;

    #[test]
    fn every_form_can_be_checked() {
        let integer = Alternative::Integer(Some(Integer::from(1)), Some(Integer::from(3)));
        let field = |is_required| Field {
            is_required,
            key: TypeId(2),
            value: TypeId(1),
        };
        let types = vec![
            vec![
                Alternative::Nil,
                Alternative::Cons(TypeId(1), TypeId(0)),
                Alternative::Tuple(vec![TypeId(2), TypeId(3)]),
                Alternative::Map(vec![field(true), field(false)]),
                Alternative::Bits(3, 8),
                Alternative::Text,
                Alternative::Fun(Some(vec![TypeId(1)]), TypeId(1)),
                Alternative::Pid,
            ],
            vec![integer],
            vec![Alternative::Atom(Atom::new("a")), Alternative::Float],
            vec![Alternative::Any],
        ];
        let signature = Signature {
            types: Arc::new(Types::new(types)),
            clauses: vec![vec![TypeId(0)]],
        };
        let grammar = RecipeGrammar::new(1, Some(&signature), &[], Change::CheckFuns);
        let mut checks = TypeChecks::new(&grammar, "is".to_owned());
        let check = checks.check("A", TypeId(0));
        let functions = checks.functions();
        assert_eq!(check, "apply 'is_0'/1(A)");
        assert!(functions.contains("call 'erlang':'=<'(V,3)"), "{functions}");
        let module = format!("module 'checks' [] attributes []\n{functions}end\n");
        flat_module(&Atom::new("checks"), &module).expect("it is Core Erlang");
        assert_eq!(checks.check("A", TypeId(3)), "'true'");
    }
}
