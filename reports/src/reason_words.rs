//! The words of reasons, and keys of reasons as far as their texts alone show them.

use crate::printed_value::{Shape, read_shape};

/// Stands for a value.
pub(crate) const ANY: &str = "_";

/// The words of Erlang's own reasons.
pub(crate) const WORDS: [&str; 24] = [
    "badarg",
    "badarith",
    "badarity",
    "badfun",
    "badkey",
    "badmap",
    "badmatch",
    "badrecord",
    "bad_filter",
    "bad_generator",
    "case_clause",
    "else_clause",
    "function_clause",
    "if_clause",
    "killed",
    "nocatch",
    "noconnection",
    "noproc",
    "normal",
    "shutdown",
    "system_limit",
    "timeout_value",
    "try_clause",
    "undef",
];

/// Those that are followed by the value that has no match.
pub(crate) const BEFORE_VALUE: [&str; 11] = [
    "badarity",
    "badfun",
    "badmap",
    "badmatch",
    "badrecord",
    "bad_filter",
    "bad_generator",
    "case_clause",
    "else_clause",
    "nocatch",
    "try_clause",
];

/// The key of a reason without knowledge of the code.
pub(crate) fn rough_key(reason: &str) -> String {
    match read_shape(reason) {
        Some(Shape::Atom(atom)) => atom,
        Some(Shape::Tuple(elements)) => match elements.first() {
            Some(Shape::Atom(tag)) => tagged(tag, elements.len()),
            Some(_) | None => ANY.to_owned(),
        },
        Some(
            Shape::Number(_)
            | Shape::Text(_)
            | Shape::Bits(_)
            | Shape::List(..)
            | Shape::Map(_)
            | Shape::Unknown(_),
        ) => ANY.to_owned(),
        None => unread(reason),
    }
}

/// The key of a reason that is too deep or was cut.
pub(crate) fn unread(reason: &str) -> String {
    let tag = reason.strip_prefix('{').and_then(|it| it.split_once(','));
    let is_plain = |tag: &str| tag.chars().all(|it| it.is_ascii_lowercase() || it == '_');
    match tag {
        Some((tag, _)) if is_plain(tag) => tagged(tag, 2),
        Some(_) | None => ANY.to_owned(),
    }
}

/// A tuple of which only the first element matters.
pub(crate) fn tagged(tag: &str, size: usize) -> String {
    let values = vec![ANY; size.saturating_sub(1)];
    let elements: Vec<&str> = std::iter::once(tag).chain(values).collect();
    format!("{{{}}}", elements.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_the_code_only_the_first_word_counts() {
        for (reason, expected) in [
            ("badarith", "badarith"),
            ("{badmatch,7}", "{badmatch,_}"),
            ("{a,b,c}", "{a,_,_}"),
            ("17", "_"),
            ("{1,2}", "_"),
            ("\"a,b\"", "_"),
        ] {
            assert_eq!(rough_key(reason), expected);
        }
    }
}
