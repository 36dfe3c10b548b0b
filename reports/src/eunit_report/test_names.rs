//! Names of tests that say what they assert: `share_of_0_and_7_raises_badarith_test`.

use std::collections::BTreeSet;

use erlang_term::Atom;

use crate::printed_value::{Shape, Unknown, bytes, unquoted};

/// How many characters of a name the arguments and the outcome may take.
const ARGUMENTS: usize = 60;
const OUTCOME: usize = 30;
/// How many the function may take.
const FUNCTION: usize = 60;

/// The names that are taken.
#[derive(Debug, Default)]
pub(super) struct UniqueNames(BTreeSet<String>);

impl UniqueNames {
    /// A name that no other test has: this one, with a number if it is taken. The ending tells
    /// EUnit what kind of function it is.
    pub(super) fn unique(&mut self, wanted: &str, ending: &str) -> Atom {
        let mut name = wanted.to_owned();
        let mut number = 1;
        while self.0.contains(&name) {
            number += 1;
            name = format!("{wanted}_{number}");
        }
        self.0.insert(name.clone());
        Atom::new(format!("{name}_{ending}"))
    }
}

/// A name for what a call does: function, arguments, verb, and the object of the verb.
pub(super) fn name(
    function: &str,
    arguments: &[Option<Shape>],
    verb: &str,
    object: Option<&Shape>,
) -> String {
    let mut parts = vec![cut(&plain(function), FUNCTION)];
    if !arguments.is_empty() {
        parts.push("of".to_owned());
        parts.push(all_arguments(arguments));
    }
    parts.push(verb.to_owned());
    parts.extend(object.map(|it| shortest(it, OUTCOME)));
    parts.retain(|part| !part.is_empty());
    parts.join("_")
}

fn all_arguments(arguments: &[Option<Shape>]) -> String {
    let joined = |word: &dyn Fn(&Shape) -> String| {
        let words = arguments.iter();
        let words = words.map(|it| it.as_ref().map_or("something".to_owned(), word));
        words.collect::<Vec<_>>().join("_and_")
    };
    let fine = joined(&words);
    if fine.chars().count() <= ARGUMENTS {
        fine
    } else {
        cut(&joined(&rough_words), ARGUMENTS)
    }
}

fn shortest(shape: &Shape, limit: usize) -> String {
    let fine = words(shape);
    if fine.chars().count() <= limit {
        fine
    } else {
        cut(&rough_words(shape), limit)
    }
}

/// A value in words.
fn words(shape: &Shape) -> String {
    match shape {
        Shape::Number(text) => number(text),
        Shape::Atom(text) => atom(text),
        Shape::Text(text) => format!("text_{}", characters(&unquoted(text))),
        Shape::Bits(text) => bits(text),
        Shape::List(elements, None) if elements.is_empty() => "empty_list".to_owned(),
        Shape::List(elements, tail) => {
            let end = tail.iter().flat_map(|it| ["before".to_owned(), words(it)]);
            let elements = elements.iter().map(words).chain(end);
            format!("list_{}", elements.collect::<Vec<_>>().join("_"))
        }
        Shape::Tuple(elements) if elements.is_empty() => "empty_tuple".to_owned(),
        Shape::Tuple(elements) => {
            let elements: Vec<String> = elements.iter().map(words).collect();
            format!("tuple_{}", elements.join("_"))
        }
        Shape::Map(pairs) if pairs.is_empty() => "empty_map".to_owned(),
        Shape::Map(pairs) => {
            let pairs = pairs.iter();
            let pairs = pairs.map(|(key, value)| format!("{}_{}", words(key), words(value)));
            format!("map_{}", pairs.collect::<Vec<_>>().join("_"))
        }
        Shape::Unknown(unknown) => of_unknown(*unknown).to_owned(),
    }
}

/// The same in fewer words.
fn rough_words(shape: &Shape) -> String {
    match shape {
        Shape::Text(text) => format!("text_of_{}", unquoted(text).chars().count()),
        Shape::Bits(text) => {
            let count = bytes(text).map_or(0, |it| it.0.len());
            format!("binary_of_{count}")
        }
        Shape::List(elements, _) if !elements.is_empty() => format!("list_of_{}", elements.len()),
        Shape::Tuple(elements) => {
            if let Some(Shape::Atom(tag)) = elements.first() {
                format!("{}_tuple", atom(tag))
            } else {
                format!("tuple_of_{}", elements.len())
            }
        }
        Shape::Map(pairs) if !pairs.is_empty() => format!("map_of_{}", pairs.len()),
        Shape::Number(_) | Shape::Atom(_) | Shape::List(..) | Shape::Map(_) | Shape::Unknown(_) => {
            words(shape)
        }
    }
}

fn of_unknown(unknown: Unknown) -> &'static str {
    match unknown {
        Unknown::Fun => "a_fun",
        Unknown::Pid => "a_pid",
        Unknown::Port => "a_port",
        Unknown::Reference => "a_reference",
        Unknown::List(_) => "a_long_list",
        Unknown::Tuple(_) => "a_large_tuple",
        Unknown::Map(_) => "a_large_map",
        Unknown::Bits(_) => "a_long_binary",
        Unknown::Integer(_) => "a_large_integer",
        Unknown::Any => "something",
    }
}

fn number(text: &str) -> String {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("minus_", digits),
        None => ("", text),
    };
    if digits.contains(" bsl ") {
        return format!("{sign}large_integer");
    }
    if digits.len() > 12 && !digits.contains('.') {
        return format!("{sign}integer_of_{}_digits", digits.len());
    }
    format!("{sign}{}", plain(&digits.replace('-', "minus_")))
}

fn atom(text: &str) -> String {
    if text.starts_with('\'') {
        let inside = unquoted(text);
        if inside.is_empty() {
            return "empty_atom".to_owned();
        }
        return characters(&inside);
    }
    text.to_owned()
}

fn bits(text: &str) -> String {
    match bytes(text) {
        Some((bytes, _)) if bytes.is_empty() => "empty_binary".to_owned(),
        Some((bytes, 8)) if bytes.iter().all(|it| matches!(it, b' '..=b'~')) => {
            format!("binary_{}", characters(&String::from_utf8_lossy(&bytes)))
        }
        Some((bytes, last)) => {
            let numbers: Vec<String> = bytes.iter().map(u8::to_string).collect();
            let kind = if last == 8 { "binary" } else { "bits" };
            format!("{kind}_{}", numbers.join("_"))
        }
        None => "binary".to_owned(),
    }
}

/// A text in words: letters and digits as they are, other characters by their names.
fn characters(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        if character.is_alphanumeric() {
            out.push(character);
            continue;
        }
        if !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
        out.push_str(called(character));
        out.push('_');
    }
    out.trim_matches('_').to_owned()
}

fn called(character: char) -> &'static str {
    match character {
        ' ' => "space",
        '\t' => "tab",
        '\n' => "newline",
        '\r' => "return",
        '!' => "bang",
        '"' => "quote",
        '#' => "hash",
        '$' => "dollar",
        '%' => "percent",
        '&' => "ampersand",
        '\'' => "apostrophe",
        '(' | '[' | '{' => "open",
        ')' | ']' | '}' => "close",
        '*' => "star",
        '+' => "plus",
        ',' => "comma",
        '-' => "dash",
        '.' => "dot",
        '/' => "slash",
        ':' => "colon",
        ';' => "semicolon",
        '<' => "less",
        '=' => "equals",
        '>' => "greater",
        '?' => "question",
        '@' => "at",
        '\\' => "backslash",
        '^' => "caret",
        '_' => "",
        '`' => "backquote",
        '|' => "bar",
        '~' => "tilde",
        _ => "other",
    }
}

/// A name with nothing but letters, digits and single underscores.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        let is_word = character.is_alphanumeric();
        if is_word || !(out.is_empty() || out.ends_with('_')) {
            out.push(if is_word { character } else { '_' });
        }
    }
    let out = out.trim_end_matches('_');
    if out.is_empty() {
        return "function".to_owned();
    }
    out.to_owned()
}

fn cut(text: &str, limit: usize) -> String {
    let short: String = text.chars().take(limit).collect();
    short.trim_end_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::printed_value::read_shape;

    fn named(function: &str, arguments: &[&str], verb: &str, object: Option<&str>) -> String {
        let arguments: Vec<Option<Shape>> = arguments.iter().map(|it| read_shape(it)).collect();
        let object = object.and_then(read_shape);
        name(function, &arguments, verb, object.as_ref())
    }

    #[test]
    fn names_say_what_a_call_does() {
        let cases = [
            (
                named("share", &["0", "-7"], "raises", Some("badarith")),
                "share_of_0_and_minus_7_raises_badarith",
            ),
            (
                named("f", &["[]", "{ok,\"a b\"}"], "returns", Some("#{k => 1.5}")),
                "f_of_empty_list_and_tuple_ok_text_a_space_b_returns_map_k_1_5",
            ),
            (
                named("f", &["<<91,1>>", "<<91>>"], "returns", Some("<<>>")),
                "f_of_binary_91_1_and_binary_open_returns_empty_binary",
            ),
            (
                named("now", &[], "returns", Some("<0.1.0>")),
                "now_returns_a_pid",
            ),
            (
                named("'", &["'\\n\\''"], "throws", Some("''")),
                "function_of_newline_apostrophe_throws_empty_atom",
            ),
        ];
        for (name, expected) in cases {
            assert_eq!(name, expected);
        }
    }

    #[test]
    fn names_are_short() {
        let long = format!("[{}]", vec!["alpha"; 40].join(","));
        let text = format!("\"{}\"", "x".repeat(200));
        assert_eq!(
            named("f", &[&long, &text], "returns", Some(&long)),
            "f_of_list_of_40_and_text_of_200_returns_list_of_40"
        );
        let atom = "y".repeat(200);
        let name = named(&atom, &[&atom, &atom, &atom], "returns", Some(&atom));
        assert!(name.len() < 200, "{name}");
    }

    #[test]
    fn names_that_clash_are_numbered() {
        let mut names = UniqueNames::default();
        let wanted = ["f", "f_2", "f", "f"];
        let names: Vec<String> = wanted.map(|it| names.unique(it, "test").to_string()).into();
        assert_eq!(names, ["f_test", "f_2_test", "f_3_test", "f_4_test"]);
    }
}
