//! How long a text must be for what a program expects of its parts: the words that it is split into, and
//! matches of regular expressions.

use erlang_term::Term;
use flattener::flat::Pattern;
use regex_syntax::ParserBuilder;

/// Functions that split texts into words.
const SPLIT_TEXTS: [(&str, &str); 4] = [
    ("re", "split"),
    ("string", "lexemes"),
    ("string", "split"),
    ("string", "tokens"),
];

/// Functions whose arguments are a text and a regular expression, in this order.
const MATCH_TEXTS: [(&str, &str); 3] = [("re", "replace"), ("re", "run"), ("re", "split")];

/// Groups that look ahead or behind take nothing of the text.
const LOOKAROUNDS: [&str; 4] = ["(?=", "(?!", "(?<=", "(?<!"];

/// Whether a function of OTP splits texts into words.
pub(super) fn splits_texts(module: &str, function: &str) -> bool {
    SPLIT_TEXTS.contains(&(module, function))
}

/// The length of a text that is split into the words of a pattern, with a separator between each two;
/// `None` if the pattern names no word.
pub(super) fn joined_words(pattern: &Pattern) -> Option<u32> {
    let mut joined = JoinedWords::default();
    let mut rest = pattern;
    loop {
        match rest {
            Pattern::Cons(parts) => {
                joined.add(word_of_pattern(&parts.0));
                rest = &parts.1;
            }
            Pattern::Literal(term) => {
                let words = term.as_list().unwrap_or_default();
                words.iter().for_each(|it| joined.add(length_of_word(it)));
                return joined.length();
            }
            Pattern::Variable(_)
            | Pattern::Tuple(_)
            | Pattern::Map(_)
            | Pattern::Alias(_)
            | Pattern::Binary(_) => return joined.length(),
        }
    }
}

#[derive(Default)]
struct JoinedWords {
    count: u32,
    characters: u32,
    has_known: bool,
}

impl JoinedWords {
    /// Adds a word of which so much is known; one that is not known has a character.
    fn add(&mut self, length: Option<u32>) {
        self.count = self.count.saturating_add(1);
        self.characters = self.characters.saturating_add(length.unwrap_or(1));
        self.has_known |= length.is_some();
    }

    fn length(&self) -> Option<u32> {
        let separators = self.count.saturating_sub(1);
        self.has_known
            .then(|| self.characters.saturating_add(separators))
    }
}

/// How many characters a word has at least, if a pattern says what it begins with.
fn word_of_pattern(pattern: &Pattern) -> Option<u32> {
    if let Pattern::Literal(term) = pattern {
        return length_of_word(term);
    }
    let mut length = 0;
    let mut rest = pattern;
    while let Pattern::Cons(parts) = rest {
        if !matches!(&parts.0, Pattern::Literal(term) if term.as_i64().is_some()) {
            return None;
        }
        length += 1;
        rest = &parts.1;
    }
    let end = match rest {
        Pattern::Literal(term) => length_of_text(term),
        Pattern::Variable(_)
        | Pattern::Cons(_)
        | Pattern::Tuple(_)
        | Pattern::Map(_)
        | Pattern::Alias(_)
        | Pattern::Binary(_) => None,
    };
    let begins = length > 0;
    end.map(|it| it + length).or(begins.then_some(length))
}

/// The length of a word: a text, or a number that was made of one. An integer that is a character is
/// none: a text has many of them.
fn length_of_word(term: &Term) -> Option<u32> {
    match term.as_i64() {
        Some(32..=126) => None,
        Some(number) => u32::try_from(number.to_string().len()).ok(),
        None => length_of_text(term),
    }
}

/// The length of a list of characters that is not empty.
fn length_of_text(term: &Term) -> Option<u32> {
    let characters = term.as_list().filter(|it| !it.is_empty())?;
    let are_characters = characters.iter().all(|it| it.as_i64().is_some());
    are_characters.then(|| u32::try_from(characters.len()).unwrap_or(u32::MAX))
}

/// The length of the shortest text that a regular expression matches, if a call takes one that is
/// understood.
pub(super) fn shortest_match(
    module: &str,
    function: &str,
    literals: [Option<&Term>; 2],
) -> Option<u32> {
    let expression = match (module, function) {
        ("re", "compile") => literals[0],
        of if MATCH_TEXTS.contains(&of) => literals[1],
        _ => None,
    };
    let text = text_of(expression?)?;
    // Erlang matches bytes unless it is told otherwise.
    let mut parser = ParserBuilder::new().unicode(false).utf8(false).build();
    let shortest = parser.parse(&without_lookarounds(&text)).ok()?;
    u32::try_from(shortest.properties().minimum_len()?).ok()
}

fn text_of(term: &Term) -> Option<String> {
    if let Some(bytes) = term.as_binary() {
        return String::from_utf8(bytes.to_vec()).ok();
    }
    let codes = term.as_list()?.iter().map(Term::as_i64);
    let character = |code: Option<i64>| char::from_u32(u32::try_from(code?).ok()?);
    codes.map(character).collect()
}

/// An expression without the groups that look ahead and behind: a match is as long without them, or
/// longer.
fn without_lookarounds(expression: &str) -> String {
    let mut kept = String::new();
    let mut rest = expression;
    while let Some(first) = rest.chars().next() {
        if LOOKAROUNDS.iter().any(|it| rest.starts_with(it)) {
            rest = behind_group(rest);
            continue;
        }
        let taken = match (first, rest.get(1..).and_then(|it| it.chars().next())) {
            ('\\', Some(escaped)) => 1 + escaped.len_utf8(),
            _ => first.len_utf8(),
        };
        let (part, behind) = rest.split_at(taken);
        kept.push_str(part);
        rest = behind;
    }
    kept
}

/// What stands behind the group with which a text begins.
fn behind_group(text: &str) -> &str {
    let mut open = 0_usize;
    let mut is_escaped = false;
    let mut is_class = false;
    for (at, character) in text.char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' if !is_class => is_class = true,
            ']' if is_class => is_class = false,
            '(' if !is_class => open += 1,
            ')' if !is_class => open = open.saturating_sub(1),
            _ => {}
        }
        if open == 0 {
            return text.get(at + character.len_utf8()..).unwrap_or_default();
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_expression(text: &str) -> Option<u32> {
        shortest_match("re", "run", [None, Some(&Term::binary(text))])
    }

    #[test]
    fn the_shortest_match_of_an_expression_is_known() {
        assert_eq!(of_expression("^[a-z]{3}-\\d+$"), Some(5));
        assert_eq!(of_expression("(?<key>\\w+)=(?<value>\\w*)"), Some(2));
        assert_eq!(of_expression("^(?=.*\\d)(?=.*[)(])\\S{8,}$"), Some(8));
        assert_eq!(of_expression("\\(?=x"), Some(2));
        assert_eq!(of_expression("("), None);
    }

    #[test]
    fn only_the_argument_with_the_expression_counts() {
        let text = Term::binary("abc");
        assert_eq!(shortest_match("re", "run", [Some(&text), None]), None);
        assert_eq!(
            shortest_match("re", "compile", [Some(&text), None]),
            Some(3)
        );
        assert_eq!(shortest_match("lists", "member", [None, Some(&text)]), None);
    }
}
