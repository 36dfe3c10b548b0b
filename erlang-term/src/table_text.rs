//! Funs that are tables as Erlang source: `fun(3) -> 42; (_) -> 0 end`.

use std::fmt;

use crate::source_text::write_separated;
use crate::term::{TableFun, Term};

impl fmt::Display for TableFun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("fun")?;
        for (arguments, result) in &self.entries {
            // The pattern of a map would match larger maps.
            if arguments.iter().any(Term::has_funs) {
                Head::of(arguments).fmt(f)?;
            } else if arguments.iter().any(has_maps) {
                write_guarded(f, arguments)?;
            } else {
                f.write_str("(")?;
                write_separated(f, arguments, ", ")?;
                f.write_str(")")?;
            }
            write!(f, " -> {result}; ")?;
        }
        let others = vec!["_"; usize::from(self.arity)].join(", ");
        write!(f, "({others}) -> {} end", self.default)
    }
}

fn write_guarded(f: &mut fmt::Formatter<'_>, arguments: &[Term]) -> fmt::Result {
    let names: Vec<String> = (1..=arguments.len()).map(|it| format!("X{it}")).collect();
    write!(f, "({}) when ", names.join(", "))?;
    for (index, (name, argument)) in names.iter().zip(arguments).enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        write!(f, "{comma}{name} =:= {argument}")?;
    }
    Ok(())
}

/// Patterns in which funs and maps are variables: `(F1, {X2}) when is_function(F1, 1), X2 =:= #{}`.
#[derive(Debug, Default)]
struct Head {
    patterns: Vec<String>,
    tests: Vec<String>,
}

impl Head {
    fn of(arguments: &[Term]) -> Self {
        let mut head = Self::default();
        head.patterns = head.all(arguments);
        head
    }

    fn all(&mut self, terms: &[Term]) -> Vec<String> {
        terms.iter().map(|it| self.pattern(it)).collect()
    }

    fn pattern(&mut self, term: &Term) -> String {
        match term {
            Term::TableFun(fun) => self.any_fun(fun.arity),
            Term::ExternalFun(fun) => self.any_fun(fun.arity),
            Term::Map(_) => {
                let name = format!("X{}", self.tests.len() + 1);
                self.tests.push(format!("{name} =:= {term}"));
                name
            }
            _ if !term.has_funs() && !has_maps(term) => term.to_string(),
            Term::Tuple(elements) => format!("{{{}}}", self.all(elements).join(",")),
            Term::List(elements, tail) => {
                let elements = self.all(elements).join(",");
                let tail = tail.as_deref().map(|it| format!("|{}", self.pattern(it)));
                format!("[{elements}{}]", tail.unwrap_or_default())
            }
            Term::Integer(_) | Term::Float(_) | Term::Atom(_) | Term::Bits(..) => term.to_string(),
        }
    }

    fn any_fun(&mut self, arity: u8) -> String {
        let name = format!("F{}", self.tests.len() + 1);
        self.tests.push(format!("is_function({name}, {arity})"));
        name
    }
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (patterns, tests) = (self.patterns.join(", "), self.tests.join(", "));
        write!(f, "({patterns}) when {tests}")
    }
}

fn has_maps(term: &Term) -> bool {
    term.subterms().any(|it| matches!(it, Term::Map(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn funs_and_maps_in_patterns_are_variables() {
        let any = |arity| Term::TableFun(Box::new(TableFun::any(arity)));
        let tuple = Term::Tuple(vec![Term::atom("a"), any(2), Term::Map(Vec::new())]);
        let list = Term::list_before(vec![any(0)], Term::atom("b"));
        let fun = TableFun::new(
            2,
            vec![(vec![tuple, list], Term::atom("c"))],
            Term::list([]),
        );
        assert_eq!(
            fun.to_string(),
            "fun({a,F1,X2}, [F3|b]) when is_function(F1, 2), X2 =:= #{}, is_function(F3, 0) -> c; \
             (_, _) -> [] end"
        );
    }
}
