//! Values as Erlang source.

use std::fmt;

use crate::number_text::{write_integer, write_short_float};
use crate::quoting::write_quoted;
use crate::readable_text::{binary_text, list_text};
use crate::recipe::Recipe;
use crate::term::Term;

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(integer) => write_integer(f, integer),
            Self::Float(float) => write_short_float(f, *float),
            Self::Atom(atom) => atom.fmt(f),
            Self::List(elements, tail) => write_list(f, elements, tail.as_deref()),
            Self::Tuple(elements) => match Recipe::of(self) {
                Some(recipe) => recipe.fmt(f),
                None => {
                    f.write_str("{")?;
                    write_separated(f, elements, ",")?;
                    f.write_str("}")
                }
            },
            Self::Map(pairs) => {
                f.write_str("#{")?;
                for (index, (key, value)) in pairs.iter().enumerate() {
                    let comma = if index == 0 { "" } else { "," };
                    write!(f, "{comma}{key} => {value}")?;
                }
                f.write_str("}")
            }
            Self::Bits(bytes, last_bits) => write_bits(f, bytes, *last_bits),
            Self::ExternalFun(fun) => write!(f, "fun {}:{}/{}", fun.module, fun.name, fun.arity),
            Self::TableFun(fun) => fun.fmt(f),
        }
    }
}

fn write_list(f: &mut fmt::Formatter<'_>, elements: &[Term], tail: Option<&Term>) -> fmt::Result {
    if tail.is_none()
        && let Some(text) = list_text(elements)
    {
        return write_quoted(f, &text, '"');
    }
    f.write_str("[")?;
    write_separated(f, elements, ",")?;
    if let Some(tail) = tail {
        write!(f, "|{tail}")?;
    }
    f.write_str("]")
}

pub(crate) fn write_separated(
    f: &mut fmt::Formatter<'_>,
    elements: &[Term],
    comma: &str,
) -> fmt::Result {
    for (index, element) in elements.iter().enumerate() {
        let comma = if index == 0 { "" } else { comma };
        write!(f, "{comma}{element}")?;
    }
    Ok(())
}

fn write_bits(f: &mut fmt::Formatter<'_>, bytes: &[u8], last_bits: u8) -> fmt::Result {
    f.write_str("<<")?;
    if last_bits == 8
        && let Some(text) = binary_text(bytes)
    {
        write_quoted(f, text, '"')?;
        return f.write_str(if text.is_ascii() { ">>" } else { "/utf8>>" });
    }
    for (index, byte) in bytes.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        if index + 1 == bytes.len() && last_bits < 8 {
            write!(f, "{comma}{}:{last_bits}", byte >> (8 - last_bits))?;
        } else {
            write!(f, "{comma}{byte}")?;
        }
    }
    f.write_str(">>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::TableFun;

    fn integer(value: i64) -> Term {
        Term::Integer(value.into())
    }

    fn shown(arity: u8, entries: Vec<(Vec<Term>, Term)>, default: Term) -> String {
        TableFun::new(arity, entries, default).to_string()
    }

    #[test]
    fn values_are_printed_as_erlang_source() {
        let term = Term::Tuple(vec![
            Term::atom("ok"),
            Term::atom("It's"),
            Term::atom("end"),
            Term::List(
                vec![Term::Integer(1.into())],
                Some(Box::new(Term::atom("x"))),
            ),
            Term::Map(vec![(Term::atom("k"), Term::Float(2.5))]),
            Term::Bits(vec![1, 0b1010_0000], 3),
        ]);
        assert_eq!(
            term.to_string(),
            r"{ok,'It\'s','end',[1|x],#{k => 2.5},<<1,5:3>>}"
        );
    }

    #[test]
    fn values_are_printed_as_people_write_them() {
        let cases = [
            (Term::binary("SAVE"), r#"<<"SAVE">>"#),
            (Term::binary("Zoë \"\n"), r#"<<"Zoë \"\n"/utf8>>"#),
            (Term::binary([200, 1]), "<<200,1>>"),
            (Term::binary(""), "<<>>"),
            (Term::Bits(b"AB".to_vec(), 7), "<<65,33:7>>"),
            (Term::list([integer(65), integer(66)]), r#""AB""#),
            (Term::list([integer(200)]), "[200]"),
            (Term::Float(0.1), "0.1"),
        ];
        for (term, expected) in cases {
            assert_eq!(term.to_string(), expected);
        }
    }

    #[test]
    fn funs_are_printed_as_erlang_source() {
        let entries = vec![(vec![integer(3)], integer(42))];
        assert_eq!(shown(1, entries, integer(0)), "fun(3) -> 42; (_) -> 0 end");
        assert_eq!(shown(0, Vec::new(), integer(5)), "fun() -> 5 end");
        let entries = vec![(Vec::new(), integer(7))];
        assert_eq!(shown(0, entries, integer(5)), "fun() -> 7 end");
        let entries = vec![(vec![integer(1), integer(2)], Term::atom("x"))];
        assert_eq!(
            shown(2, entries, Term::atom("y")),
            "fun(1, 2) -> x; (_, _) -> y end"
        );
    }

    #[test]
    fn maps_are_compared_in_a_guard() {
        let entries = vec![(vec![Term::Map(Vec::new()), integer(1)], Term::atom("x"))];
        assert_eq!(
            shown(2, entries, Term::atom("y")),
            "fun(X1, X2) when X1 =:= #{}, X2 =:= 1 -> x; (_, _) -> y end"
        );
    }
}
