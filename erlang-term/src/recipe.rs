//! Recipes: terms that stand for values of opaque types. Such a value is not made up but made by
//! calls, so that every program can have it.
//!
//! A recipe is a tuple whose first element, the tag, names a function. The other elements are its
//! arguments, which may contain recipes too. The Erlang side has the same in `erlconcolic_recipe`.

use std::fmt;

use crate::atom::Atom;
use crate::term::Term;

/// Between the parts of a tag.
const SEPARATOR: char = '\u{1f}';
/// What tags begin with.
const PREFIX: &str = "$erlconcolic_";

/// Which value a call makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RecipeKind {
    /// The one that it returns.
    Value,
    /// The one that it returns in `{ok, Value}`.
    Ok,
    /// Its argument with this number, from 0, which it changes.
    Effect(usize),
}

/// The first element of a recipe.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecipeTag {
    /// Which value the call makes.
    pub kind: RecipeKind,
    /// The module that is called.
    pub module: Atom,
    /// The function that is called.
    pub function: Atom,
}

impl RecipeTag {
    /// The tag that an atom is, if it is one.
    pub fn of(atom: &Atom) -> Option<Self> {
        let mut parts = atom.as_str().strip_prefix(PREFIX)?.split(SEPARATOR);
        let (kind, module, function) = (parts.next()?, parts.next()?, parts.next()?);
        if parts.next().is_some() {
            return None;
        }
        Some(Self {
            kind: kind_of(kind)?,
            module: Atom::new(module),
            function: Atom::new(function),
        })
    }

    /// The tag as an atom.
    pub fn atom(&self) -> Atom {
        let kind = match self.kind {
            RecipeKind::Value => "value".to_owned(),
            RecipeKind::Ok => "ok".to_owned(),
            RecipeKind::Effect(argument) => format!("effect{}", argument + 1),
        };
        let (module, function) = (self.module.as_str(), self.function.as_str());
        Atom::new(format!(
            "{PREFIX}{kind}{SEPARATOR}{module}{SEPARATOR}{function}"
        ))
    }
}

fn kind_of(text: &str) -> Option<RecipeKind> {
    match text {
        "value" => Some(RecipeKind::Value),
        "ok" => Some(RecipeKind::Ok),
        effect => {
            let number: usize = effect.strip_prefix("effect")?.parse().ok()?;
            Some(RecipeKind::Effect(number.checked_sub(1)?))
        }
    }
}

/// A call that makes a value.
#[derive(Clone, Debug)]
pub struct Recipe<'term> {
    /// What is called.
    pub tag: RecipeTag,
    /// With these arguments.
    pub arguments: &'term [Term],
}

impl<'term> Recipe<'term> {
    /// The recipe that a term is, if it is one.
    pub fn of(term: &'term Term) -> Option<Self> {
        let (tag, arguments) = term.as_tuple()?.split_first()?;
        let Term::Atom(atom) = tag else { return None };
        let tag = RecipeTag::of(atom)?;
        let is_whole = match tag.kind {
            RecipeKind::Value | RecipeKind::Ok => true,
            RecipeKind::Effect(argument) => argument < arguments.len(),
        };
        is_whole.then_some(Self { tag, arguments })
    }

    /// The recipe as a term.
    pub fn term(tag: &RecipeTag, arguments: Vec<Term>) -> Term {
        let elements = std::iter::once(Term::Atom(tag.atom())).chain(arguments);
        Term::Tuple(elements.collect())
    }
}

impl Term {
    /// Whether a recipe is somewhere in the term.
    pub fn has_recipes(&self) -> bool {
        self.subterms().any(|term| match term {
            Self::TableFun(fun) => fun.results().any(Self::has_recipes),
            Self::Tuple(_) => Recipe::of(term).is_some(),
            Self::Integer(_)
            | Self::Float(_)
            | Self::Atom(_)
            | Self::List(..)
            | Self::Map(_)
            | Self::Bits(..)
            | Self::ExternalFun(_) => false,
        })
    }
}

/// As Erlang source.
impl fmt::Display for Recipe<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source(&Term::to_string))
    }
}

impl Recipe<'_> {
    /// The recipe as Erlang source, given how arguments are written: `queue:in(0,queue:new())`,
    /// `element(2,m:new())`, or `(fun(X) -> m:put(X,1), X end)(m:new())`.
    pub fn source(&self, write: &dyn Fn(&Term) -> String) -> String {
        match self.tag.kind {
            RecipeKind::Value => self.call(write, None),
            RecipeKind::Ok => format!("element(2,{})", self.call(write, None)),
            RecipeKind::Effect(argument) => self.changes(write, argument),
        }
    }

    /// The call, with a variable instead of one of its arguments.
    fn call(&self, write: &dyn Fn(&Term) -> String, changed: Option<usize>) -> String {
        let arguments = self.arguments.iter().enumerate();
        let arguments = arguments.map(|(index, argument)| {
            if changed == Some(index) {
                "X".to_owned()
            } else {
                write(argument)
            }
        });
        let arguments: Vec<String> = arguments.collect();
        let RecipeTag {
            module, function, ..
        } = &self.tag;
        format!("{module}:{function}({})", arguments.join(","))
    }

    /// A value and all calls that change it, the first one first.
    fn changes(&self, write: &dyn Fn(&Term) -> String, argument: usize) -> String {
        let mut calls = vec![self.call(write, Some(argument))];
        let mut value = self.arguments.get(argument);
        while let Some(recipe) = value.and_then(Recipe::of)
            && let RecipeKind::Effect(argument) = recipe.tag.kind
        {
            value = recipe.arguments.get(argument);
            calls.push(recipe.call(write, Some(argument)));
        }
        calls.reverse();
        let value = value.map_or_else(String::new, write);
        format!("(fun(X) -> {}, X end)({value})", calls.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipe(kind: RecipeKind, function: &str, arguments: Vec<Term>) -> Term {
        let tag = RecipeTag {
            kind,
            module: Atom::new("m"),
            function: Atom::new(function),
        };
        Recipe::term(&tag, arguments)
    }

    fn new() -> Term {
        recipe(RecipeKind::Value, "new", Vec::new())
    }

    fn one() -> Term {
        Term::Integer(1.into())
    }

    #[test]
    fn recipes_are_printed_as_calls() {
        let pushed = recipe(RecipeKind::Value, "push", vec![one(), new()]);
        assert_eq!(pushed.to_string(), "m:push(1,m:new())");
        let in_list = Term::list([Term::Tuple(vec![one(), pushed])]);
        assert_eq!(in_list.to_string(), "[{1,m:push(1,m:new())}]");
        let opened = recipe(RecipeKind::Ok, "Open", vec![one()]);
        assert_eq!(opened.to_string(), "element(2,m:'Open'(1))");
    }

    #[test]
    fn changes_are_printed_in_their_order() {
        let put =
            |value, key: &str| recipe(RecipeKind::Effect(0), "put", vec![value, Term::atom(key)]);
        let changed = put(put(new(), "a"), "b");
        assert_eq!(
            changed.to_string(),
            "(fun(X) -> m:put(X,a), m:put(X,b), X end)(m:new())"
        );
    }

    #[test]
    fn tags_come_back() {
        for kind in [RecipeKind::Value, RecipeKind::Ok, RecipeKind::Effect(2)] {
            let tag = RecipeTag {
                kind,
                module: Atom::new("It's"),
                function: Atom::new("new"),
            };
            assert_eq!(RecipeTag::of(&tag.atom()), Some(tag));
        }
        for text in ["$erlconcolic_value", "$erlconcolic", "value"] {
            assert_eq!(RecipeTag::of(&Atom::new(text)), None);
        }
    }

    #[test]
    fn recipes_are_found_inside_of_terms() {
        assert!(Term::list([Term::Tuple(vec![one(), new()])]).has_recipes());
        let fun = crate::TableFun::new(1, Vec::new(), new());
        assert!(Term::TableFun(Box::new(fun)).has_recipes());
        assert!(!Term::Tuple(vec![one()]).has_recipes());
    }
}
