//! Inputs as readable source: bytes as text, and long repetitions as a count.

use erlang_term::{Recipe, Term};
use flattener::ast::deep;

/// From this many on, equal elements are not written one by one.
const MANY: usize = 50;

/// Arguments as Erlang expressions. Two funs with the same text are not equal in Erlang, so equal
/// funs are one variable, which is bound first.
#[derive(Debug)]
pub(crate) struct ArgumentSource {
    /// `Fun1 = fun(_) -> 0 end`.
    pub(crate) bindings: Vec<String>,
    pub(crate) texts: Vec<String>,
}

impl ArgumentSource {
    pub(crate) fn new(terms: &[Term]) -> Self {
        let mut funs = Vec::new();
        terms.iter().for_each(|term| collect_funs(term, &mut funs));
        let mut shared: Vec<String> = Vec::new();
        for (index, fun) in funs.iter().enumerate() {
            if funs.iter().skip(index + 1).any(|it| it == fun) && !shared.contains(fun) {
                shared.push(fun.clone());
            }
        }
        let writer = InputWriter { shared: &shared };
        let texts = terms.iter().map(|term| writer.source(term)).collect();
        let bindings = shared.iter().enumerate();
        let bindings = bindings.map(|(index, fun)| format!("{} = {fun}", variable(index)));
        Self {
            bindings: bindings.collect(),
            texts,
        }
    }
}

/// An argument as an Erlang expression.
pub(super) fn source(term: &Term) -> String {
    InputWriter { shared: &[] }.source(term)
}

fn variable(index: usize) -> String {
    format!("Given{}", index + 1)
}

/// The texts of all funs, except those within the tables of other funs.
fn collect_funs(term: &Term, funs: &mut Vec<String>) {
    match term {
        Term::TableFun(fun) => funs.push(fun.to_string()),
        Term::List(elements, tail) => {
            let parts = elements.iter().chain(tail.as_deref());
            parts.for_each(|it| deep(|| collect_funs(it, funs)));
        }
        Term::Tuple(elements) => {
            elements
                .iter()
                .for_each(|it| deep(|| collect_funs(it, funs)));
        }
        Term::Map(pairs) => {
            let parts = pairs.iter().flat_map(|(key, value)| [key, value]);
            parts.for_each(|it| deep(|| collect_funs(it, funs)));
        }
        Term::Integer(_)
        | Term::Float(_)
        | Term::Atom(_)
        | Term::Bits(..)
        | Term::ExternalFun(_) => {}
    }
}

struct InputWriter<'shared> {
    /// The funs that become variables.
    shared: &'shared [String],
}

impl InputWriter<'_> {
    fn source(&self, term: &Term) -> String {
        deep(|| self.shallow_source(term))
    }

    fn shallow_source(&self, term: &Term) -> String {
        match term {
            Term::Bits(bytes, 8) => binary(bytes),
            Term::List(elements, None) => self.list(elements, term),
            Term::List(elements, Some(tail)) => {
                format!("[{}|{}]", self.separated(elements), self.source(tail))
            }
            Term::Tuple(elements) => self.tuple(elements, term),
            Term::Map(pairs) => {
                let pairs = pairs.iter();
                let pairs = pairs
                    .map(|(key, value)| format!("{} => {}", self.source(key), self.source(value)));
                format!("#{{{}}}", pairs.collect::<Vec<_>>().join(","))
            }
            // The arguments in the table of a fun are patterns, so a fun keeps its own text.
            Term::TableFun(fun) => {
                let text = fun.to_string();
                let shared = self.shared.iter().position(|it| *it == text);
                shared.map_or(text, variable)
            }
            Term::Integer(_)
            | Term::Float(_)
            | Term::Atom(_)
            | Term::Bits(..)
            | Term::ExternalFun(_) => term.to_string(),
        }
    }

    fn tuple(&self, elements: &[Term], whole: &Term) -> String {
        match (Recipe::of(whole), repeated(elements)) {
            (Some(recipe), _) => recipe.source(&|it| self.source(it)),
            (None, Some(element)) => format!(
                "erlang:make_tuple({}, {})",
                elements.len(),
                self.source(element)
            ),
            (None, None) => format!("{{{}}}", self.separated(elements)),
        }
    }

    fn separated(&self, elements: &[Term]) -> String {
        let texts: Vec<String> = elements.iter().map(|it| self.source(it)).collect();
        texts.join(",")
    }

    fn list(&self, elements: &[Term], whole: &Term) -> String {
        if let Some(element) = repeated(elements) {
            return format!(
                "lists:duplicate({}, {})",
                elements.len(),
                self.source(element)
            );
        }
        if elements.iter().all(|it| matches!(it, Term::Integer(_))) {
            // It may be a string.
            return whole.to_string();
        }
        format!("[{}]", self.separated(elements))
    }
}

fn binary(bytes: &[u8]) -> String {
    if let Some(byte) = repeated(bytes) {
        return format!("binary:copy(<<{byte}>>, {})", bytes.len());
    }
    Term::binary(bytes).to_string()
}

/// The element that a long row repeats.
fn repeated<T: PartialEq>(elements: &[T]) -> Option<&T> {
    let first = elements.first()?;
    let is_long = elements.len() >= MANY;
    (is_long && elements.iter().all(|it| it == first)).then_some(first)
}

#[cfg(test)]
mod tests {
    use erlang_term::TableFun;

    use super::*;

    #[test]
    fn equal_funs_become_one_variable() {
        let fun = |result: i64| {
            let table = TableFun::new(1, Vec::new(), Term::Integer(result.into()));
            Term::TableFun(Box::new(table))
        };
        let arguments = ArgumentSource::new(&[fun(0), Term::Tuple(vec![fun(1), fun(0)])]);
        assert_eq!(arguments.bindings, ["Given1 = fun(_) -> 0 end"]);
        assert_eq!(arguments.texts, ["Given1", "{fun(_) -> 1 end,Given1}"]);
    }

    #[test]
    fn bytes_are_text_and_repetitions_are_counted() {
        let zero = || Term::Integer(0.into());
        let cases = [
            (Term::binary("a\"\n"), r#"<<"a\"\n">>"#),
            (Term::binary([0, 97]), "<<0,97>>"),
            (Term::Bits(vec![0b1010_0000], 3), "<<5:3>>"),
            (Term::binary(vec![7; 300]), "binary:copy(<<7>>, 300)"),
            (Term::list(vec![zero(); 60]), "lists:duplicate(60, 0)"),
            (Term::Tuple(vec![zero(); 60]), "erlang:make_tuple(60, 0)"),
            (
                Term::Map(vec![(Term::atom("It's"), Term::binary("x"))]),
                r#"#{'It\'s' => <<"x">>}"#,
            ),
            (
                Term::list([Term::binary("x"), Term::list([Term::Integer(97.into())])]),
                r#"[<<"x">>,"a"]"#,
            ),
        ];
        for (term, expected) in cases {
            assert_eq!(source(&term), expected);
        }
    }
}
