//! Erlang source as tokens: for colours, and to tell which lines are code.

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Comment,
    /// A string, a character or a quoted atom.
    Quoted,
    Keyword,
    Variable,
    Number,
    Macro,
    /// A plain atom.
    Atom,
    /// Brackets, operators, commas.
    Sign,
    /// The end of a form.
    Dot,
}

/// A token, by byte offsets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

const KEYWORDS: &[&str] = &[
    "after", "and", "andalso", "band", "begin", "bnot", "bor", "bsl", "bsr", "bxor", "case",
    "catch", "div", "else", "end", "fun", "if", "maybe", "not", "of", "or", "orelse", "receive",
    "rem", "try", "when", "xor",
];

const SIGNS: &[&str] = &[
    "=:=", "=/=", "...", "<:-", "<:=", "->", "<-", "<=", "=>", ":=", "<<", ">>", "||", "++", "--",
    "==", "/=", "=<", ">=", "::", "..", "?=", "&&",
];

/// The tokens of a text, in order. Text that is not Erlang becomes tokens as well.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..)
        && let Some(first) = rest.chars().next()
    {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (kind, length) = token(rest, first);
        let (start, end) = (at, at + length.max(first.len_utf8()));
        tokens.push(Token { kind, start, end });
        at = end;
    }
    tokens
}

fn token(rest: &str, first: char) -> (TokenKind, usize) {
    match first {
        '%' => (TokenKind::Comment, rest.find('\n').unwrap_or(rest.len())),
        '"' | '\'' => (TokenKind::Quoted, string(rest, first)),
        '~' => (TokenKind::Quoted, sigil(rest)),
        '$' => (TokenKind::Quoted, character(rest)),
        '?' => {
            let name = rest.trim_start_matches('?');
            let signs = rest.len() - name.len();
            (TokenKind::Macro, signs + word(name))
        }
        '0'..='9' => (TokenKind::Number, number(rest)),
        '_' => (TokenKind::Variable, word(rest)),
        _ if first.is_uppercase() => (TokenKind::Variable, word(rest)),
        _ if first.is_alphabetic() => {
            let length = word(rest);
            let is_keyword = KEYWORDS.contains(&rest.get(..length).unwrap_or_default());
            let kind = if is_keyword {
                TokenKind::Keyword
            } else {
                TokenKind::Atom
            };
            (kind, length)
        }
        '.' if ends_form(rest) => (TokenKind::Dot, 1),
        _ => {
            let mut signs = SIGNS.iter();
            let sign = signs.find(|sign| rest.starts_with(**sign));
            (
                TokenKind::Sign,
                sign.map_or(first.len_utf8(), |it| it.len()),
            )
        }
    }
}

fn ends_form(rest: &str) -> bool {
    let next = rest.chars().nth(1);
    next.is_none_or(|next| next.is_whitespace() || next == '%')
}

fn word(rest: &str) -> usize {
    let is_part = |it: char| it.is_alphanumeric() || it == '_' || it == '@';
    rest.find(|it| !is_part(it)).unwrap_or(rest.len())
}

fn number(rest: &str) -> usize {
    let mut end = 0;
    let mut characters = rest.char_indices().peekable();
    while let Some((at, it)) = characters.next() {
        let next = characters.peek().map(|it| it.1);
        let goes_on = it.is_alphanumeric()
            || matches!(it, '_' | '#')
            || (it == '.' && next.is_some_and(|it| it.is_ascii_digit()));
        if !goes_on {
            break;
        }
        end = at + it.len_utf8();
    }
    end
}

/// A string in one of its forms, or a quoted atom.
fn string(rest: &str, quote: char) -> usize {
    triple_quoted(rest).unwrap_or_else(|| quoted(rest, quote, true))
}

/// Text up to its closing quote. In raw text a backslash is a character like others.
fn quoted(rest: &str, quote: char, has_escapes: bool) -> usize {
    let mut is_escaped = false;
    for (at, it) in rest.char_indices().skip(1) {
        match it {
            _ if is_escaped => is_escaped = false,
            '\\' if has_escapes => is_escaped = true,
            _ if it == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// A string that begins with three quotes or more at the end of a line, and ends with as many at
/// the beginning of one.
fn triple_quoted(rest: &str) -> Option<usize> {
    let quotes = rest.len() - rest.trim_start_matches('"').len();
    let (first, _) = rest.split_once('\n')?;
    if quotes < 3 || !first.get(quotes..)?.trim().is_empty() {
        return None;
    }
    let mut at = first.len() + 1;
    for line in rest.get(at..)?.split_inclusive('\n') {
        let text = line.trim_start();
        if text.starts_with(first.get(..quotes)?) {
            return Some(at + (line.len() - text.len()) + quotes);
        }
        at += line.len();
    }
    Some(rest.len())
}

/// `~s"…"`: a name, which is upper case for raw text, text in quotes or brackets, and a suffix.
fn sigil(rest: &str) -> usize {
    let start = 1 + rest.get(1..).map_or(0, word);
    let text = rest.get(start..).unwrap_or_default();
    let Some(close) = text.chars().next().and_then(closing) else {
        return 1;
    };
    let is_raw = rest
        .get(1..)
        .is_some_and(|it| it.starts_with(char::is_uppercase));
    let length = triple_quoted(text).unwrap_or_else(|| quoted(text, close, !is_raw));
    let suffix = text.get(length..).map_or(0, word);
    start + length + suffix
}

/// What closes the text of a sigil.
fn closing(open: char) -> Option<char> {
    match open {
        '(' => Some(')'),
        '[' => Some(']'),
        '{' => Some('}'),
        '<' => Some('>'),
        '/' | '|' | '\'' | '"' | '`' | '#' => Some(open),
        _ => None,
    }
}

fn character(rest: &str) -> usize {
    let mut characters = rest.chars();
    characters.next();
    match characters.next() {
        Some('\\') => 2 + characters.next().map_or(0, char::len_utf8),
        Some(it) => 1 + it.len_utf8(),
        None => 1,
    }
}

/// The clause head or expression that begins at a place, and whether an arrow follows. White space
/// becomes one blank, comments are skipped.
pub(crate) fn fragment(text: &str, start: usize, most: usize) -> (String, bool) {
    // No longer text is shown.
    let mut end = (start + 2_000).min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let Some(rest) = text.get(start..end) else {
        return (String::new(), false);
    };
    let mut depth = 0_usize;
    let mut in_guard = false;
    let mut out = String::new();
    let mut last = 0;
    let mut is_head = false;
    for token in tokens(rest) {
        let word = rest.get(token.start..token.end).unwrap_or_default();
        if token.kind == TokenKind::Comment {
            last = token.end;
            continue;
        }
        if token.kind == TokenKind::Dot {
            break;
        }
        if depth == 0 {
            match word {
                "->" => {
                    is_head = true;
                    break;
                }
                "of" | "end" | ")" | "]" | "}" | ">>" => break,
                "," | ";" if !in_guard => break,
                "when" => in_guard = true,
                _ => {}
            }
        }
        match word {
            // Only the expression of a `case` is shown.
            "case" if out.is_empty() => {}
            "(" | "[" | "{" | "<<" | "begin" | "case" | "if" | "receive" | "try" => depth += 1,
            ")" | "]" | "}" | ">>" | "end" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if !out.is_empty() && token.start > last {
            out.push(' ');
        }
        out.push_str(word);
        last = token.end;
    }
    if out.chars().count() > most {
        out = out.chars().take(most).collect::<String>() + "…";
    }
    (out, is_head)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<(&str, TokenKind)> {
        let tokens = tokens(text).into_iter();
        tokens
            .map(|it| {
                (
                    text.get(it.start..it.end).expect("whole characters"),
                    it.kind,
                )
            })
            .collect()
    }

    #[test]
    fn quoted_text_is_one_token() {
        let expected = [
            ("f", TokenKind::Atom),
            ("(", TokenKind::Sign),
            ("$\"", TokenKind::Quoted),
            (",", TokenKind::Sign),
            ("'a % \\' b'", TokenKind::Quoted),
            (")", TokenKind::Sign),
            ("->", TokenKind::Sign),
            ("\"%.\n\"", TokenKind::Quoted),
            (".", TokenKind::Dot),
            ("% end", TokenKind::Comment),
        ];
        assert_eq!(words("f($\", 'a % \\' b') -> \"%.\n\". % end"), expected);
    }

    #[test]
    fn triple_quoted_text_is_one_token() {
        let text = "X = \"\"\"\n  a \"quoted\" % word.\n  \"\"\", ok";
        let expected = [
            ("X", TokenKind::Variable),
            ("=", TokenKind::Sign),
            (
                "\"\"\"\n  a \"quoted\" % word.\n  \"\"\"",
                TokenKind::Quoted,
            ),
            (",", TokenKind::Sign),
            ("ok", TokenKind::Atom),
        ];
        assert_eq!(words(text), expected);
        // Before OTP 27 these are three strings in a row.
        assert_eq!(words("\"\"\"a\"\"\"").len(), 3);
        assert_eq!(words("\"\"\"\nnot closed").len(), 1);
    }

    #[test]
    fn a_sigil_is_one_token() {
        for text in [
            "~\"a, b.\"",
            "~s(a\\) % b)",
            "~B[a\\]",
            "~S{a\"}",
            "~b<a'>",
            "~|a, \\|b|suffix",
            "~\"\"\"\n a\"\n \"\"\"",
        ] {
            assert_eq!(words(text), [(text, TokenKind::Quoted)]);
        }
        assert_eq!(words("~").len(), 1);
        assert_eq!(words("~é").len(), 2);
    }

    #[test]
    fn a_dot_in_a_number_or_a_record_does_not_end_a_form() {
        let kinds: Vec<TokenKind> = words("X#r.f + 16#ff + 1.5e3")
            .iter()
            .map(|it| it.1)
            .collect();
        assert!(!kinds.contains(&TokenKind::Dot));
    }

    #[test]
    fn a_fragment_is_a_clause_head_or_an_expression() {
        let head = "f([H | T],\n   {x}) % why\n  when H > 3, T =/= [] -> g(T);";
        let shown = "f([H | T], {x}) when H > 3, T =/= []";
        assert_eq!(fragment(head, 0, 99), (shown.to_owned(), true));
        assert_eq!(
            fragment("{ok, V} = g(), V.", 0, 99),
            ("{ok, V} = g()".to_owned(), false)
        );
        assert_eq!(fragment("long_name", 0, 4), ("long…".to_owned(), false));
        assert_eq!(
            fragment("case f(case A of b -> c end) of", 0, 99).0,
            "case f(case A of b -> c end)"
        );
    }
}
