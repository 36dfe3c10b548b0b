//! Inputs as source that one can read: bytes as text, and long repetitions by their number.

use erlang_term::{Term, write_quoted};

/// So many equal elements are not written one by one.
const MANY: usize = 50;

/// An argument as an Erlang expression.
pub(super) fn source(term: &Term) -> String {
    match term {
        Term::Bits(bytes, 8) => binary(bytes),
        Term::List(elements, None) => list(elements, term),
        Term::List(elements, Some(tail)) => {
            format!("[{}|{}]", separated(elements), source(tail))
        }
        Term::Tuple(elements) => match repeated(elements) {
            Some(element) => format!("erlang:make_tuple({}, {})", elements.len(), source(element)),
            None => format!("{{{}}}", separated(elements)),
        },
        Term::Map(pairs) => {
            let pairs = pairs.iter();
            let pairs = pairs.map(|(key, value)| format!("{} => {}", source(key), source(value)));
            format!("#{{{}}}", pairs.collect::<Vec<_>>().join(","))
        }
        // The arguments in the table of a fun are patterns.
        Term::Integer(_)
        | Term::Float(_)
        | Term::Atom(_)
        | Term::Bits(..)
        | Term::ExternalFun(_)
        | Term::TableFun(_) => term.to_string(),
    }
}

fn separated(elements: &[Term]) -> String {
    let texts: Vec<String> = elements.iter().map(source).collect();
    texts.join(",")
}

fn list(elements: &[Term], whole: &Term) -> String {
    if let Some(element) = repeated(elements) {
        return format!("lists:duplicate({}, {})", elements.len(), source(element));
    }
    if elements.iter().all(|it| matches!(it, Term::Integer(_))) {
        // It may be a string.
        return whole.to_string();
    }
    format!("[{}]", separated(elements))
}

fn binary(bytes: &[u8]) -> String {
    if let Some(byte) = repeated(bytes) {
        return format!("binary:copy(<<{byte}>>, {})", bytes.len());
    }
    let is_printable = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t');
    if bytes.is_empty() || !bytes.iter().all(is_printable) {
        return Term::binary(bytes).to_string();
    }
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_quoted(&mut text, &String::from_utf8_lossy(bytes), '"');
    format!("<<{text}>>")
}

/// The only element of a long row.
fn repeated<T: PartialEq>(elements: &[T]) -> Option<&T> {
    let first = elements.first()?;
    let is_long = elements.len() >= MANY;
    (is_long && elements.iter().all(|it| it == first)).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

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
