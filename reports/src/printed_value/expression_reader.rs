//! Reads printed values.

use super::printed_shape::{Shape, Unknown};

/// How deep a value may be nested.
const DEPTH: usize = 100;

/// Reads a printed value; `None` if it is too deep or not understood.
pub(crate) fn read_shape(text: &str) -> Option<Shape> {
    let mut reader = ShapeReader { rest: text };
    let shape = reader.term(DEPTH)?;
    reader.rest.trim_start().is_empty().then_some(shape)
}

/// The characters of a quoted text, without the quotes.
pub(crate) fn unquoted(text: &str) -> String {
    let inside = text
        .get(1..text.len().saturating_sub(1))
        .unwrap_or_default();
    let mut out = String::new();
    let mut characters = inside.chars().peekable();
    while let Some(character) = characters.next() {
        if character != '\\' {
            out.push(character);
            continue;
        }
        match characters.next() {
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some('s') => out.push(' '),
            Some('x') => {
                let digits: String = characters.by_ref().take_while(|it| *it != '}').collect();
                let code = u32::from_str_radix(digits.trim_start_matches('{'), 16).ok();
                out.extend(code.and_then(char::from_u32));
            }
            Some(first) if first.is_digit(8) => {
                let mut code = first.to_digit(8).unwrap_or(0);
                for _ in 0..2 {
                    let next = characters.next_if(|it| it.is_digit(8));
                    code = next
                        .and_then(|it| it.to_digit(8))
                        .map_or(code, |digit| code * 8 + digit);
                }
                out.extend(char::from_u32(code));
            }
            // The rest are rare control characters such as `\e`, or stand for themselves.
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}

/// The bytes of a printed bit string, and how many bits of the last byte count.
pub(crate) fn bytes(text: &str) -> Option<(Vec<u8>, usize)> {
    let inside = text.strip_prefix("<<")?.strip_suffix(">>")?;
    if inside.is_empty() {
        return Some((Vec::new(), 8));
    }
    if inside.starts_with('"') {
        return Some(match inside.strip_suffix("/utf8") {
            Some(quoted) => (unquoted(quoted).into_bytes(), 8),
            None => {
                let characters = unquoted(inside);
                let bytes = characters.chars().map(|it| u8::try_from(u32::from(it)));
                (bytes.collect::<Result<_, _>>().ok()?, 8)
            }
        });
    }
    let mut bytes = Vec::new();
    let mut last = 8;
    for part in inside.split(',') {
        let (value, size) = part.split_once(':').unwrap_or((part, "8"));
        bytes.push(value.trim().parse().ok()?);
        last = size.trim().parse().ok()?;
    }
    Some((bytes, last))
}

/// A text that is read from its beginning.
struct ShapeReader<'text> {
    rest: &'text str,
}

impl<'text> ShapeReader<'text> {
    fn term(&mut self, depth: usize) -> Option<Shape> {
        let depth = depth.checked_sub(1)?;
        self.rest = self.rest.trim_start();
        if let Some(unknown) = self.unknown() {
            return Some(Shape::Unknown(unknown));
        }
        if self.skip("#{") {
            return self.map(depth);
        }
        if self.skip("{") {
            return self.tuple(depth);
        }
        if self.skip("[") {
            return self.list(depth);
        }
        if self.rest.starts_with("<<") {
            return self.bits().map(Shape::Bits);
        }
        if self.rest.starts_with("-(") {
            return self.negative_power();
        }
        match self.rest.chars().next()? {
            quote @ '"' => self.quoted(quote).map(|it| Shape::Text(it.to_owned())),
            quote @ '\'' => self.quoted(quote).map(|it| Shape::Atom(it.to_owned())),
            _ => self.word(),
        }
    }

    fn skip(&mut self, prefix: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(prefix);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn unknown(&mut self) -> Option<Unknown> {
        let tags = [
            ("#Fun<", Unknown::Fun),
            ("#Ref<", Unknown::Reference),
            ("#Port<", Unknown::Port),
        ];
        for (tag, unknown) in tags {
            if self.skip(tag) {
                return self.skip_past('>').map(|()| unknown);
            }
        }
        let inside = self.rest.strip_prefix('<');
        if inside.is_some_and(|it| it.starts_with(|digit: char| digit.is_ascii_digit())) {
            return self.skip_past('>').map(|()| Unknown::Pid);
        }
        if self.rest.starts_with("fun(") {
            return self.skip_table().map(|()| Unknown::Fun);
        }
        if self.skip("fun ") {
            self.word_or_quoted()?;
            self.skip(":");
            self.word_or_quoted()?;
            self.skip("/");
            self.word_or_quoted()?;
            return Some(Unknown::Fun);
        }
        None
    }

    /// Skips the text up to and including the next such character.
    fn skip_past(&mut self, end: char) -> Option<()> {
        self.rest = self.rest.split_once(end)?.1;
        Some(())
    }

    /// Skips a fun that is written as a table.
    fn skip_table(&mut self) -> Option<()> {
        let mut open = 0_usize;
        loop {
            let first = self.rest.chars().next()?;
            if first == '"' || first == '\'' {
                self.quoted(first)?;
            } else if first.is_alphanumeric() || first == '_' || first == '@' {
                let word = self.take_while(|it| it.is_alphanumeric() || it == '_' || it == '@');
                match word {
                    "fun" if self.rest.starts_with('(') => open += 1,
                    "end" => open = open.checked_sub(1)?,
                    _ => {}
                }
                if open == 0 {
                    return Some(());
                }
            } else {
                self.rest = self.rest.get(first.len_utf8()..)?;
            }
        }
    }

    fn take_while(&mut self, is_part: impl Fn(char) -> bool) -> &'text str {
        let end = self.rest.find(|it| !is_part(it));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        word
    }

    fn quoted(&mut self, quote: char) -> Option<&'text str> {
        let mut escaped = true;
        for (at, character) in self.rest.char_indices() {
            if escaped {
                escaped = false;
            } else if character == '\\' {
                escaped = true;
            } else if character == quote {
                let (text, rest) = self.rest.split_at(at + quote.len_utf8());
                self.rest = rest;
                return Some(text);
            }
        }
        None
    }

    fn word_or_quoted(&mut self) -> Option<()> {
        if self.rest.starts_with('\'') {
            return self.quoted('\'').map(|_| ());
        }
        let word = self.take_while(|it| it.is_alphanumeric() || it == '_' || it == '@');
        (!word.is_empty()).then_some(())
    }

    /// A number or an atom without quotes.
    fn word(&mut self) -> Option<Shape> {
        let start = self.rest;
        let is_part = |it: char| it.is_alphanumeric() || "_@.+-".contains(it);
        let word = self.take_while(is_part);
        let first = word.chars().next()?;
        if !first.is_ascii_digit() && first != '-' {
            return Some(Shape::Atom(word.to_owned()));
        }
        if self.rest.starts_with(" bsl ") {
            self.rest = self.rest.get(5..)?;
            self.take_while(|it| it.is_ascii_digit());
            self.skip_summand();
        }
        self.since(start).map(Shape::Number)
    }

    /// `-(1 bsl 1023) + 1`.
    fn negative_power(&mut self) -> Option<Shape> {
        let start = self.rest;
        self.skip_past(')')?;
        self.skip_summand();
        self.since(start).map(Shape::Number)
    }

    /// Skips ` + 1` or ` - 1`.
    fn skip_summand(&mut self) {
        for sign in [" + ", " - "] {
            if let Some(rest) = self.rest.strip_prefix(sign) {
                self.rest = rest;
                self.take_while(|it| it.is_ascii_digit());
            }
        }
    }

    /// The text between an earlier place and this one.
    fn since(&self, start: &str) -> Option<String> {
        let length = start.len() - self.rest.len();
        start.get(..length).map(str::to_owned)
    }

    fn bits(&mut self) -> Option<String> {
        let start = self.rest;
        while !self.rest.starts_with(">>") {
            match self.rest.chars().next()? {
                quote @ '"' => {
                    self.quoted(quote)?;
                }
                other => self.rest = self.rest.get(other.len_utf8()..)?,
            }
        }
        self.rest = self.rest.get(2..)?;
        self.since(start)
    }

    fn tuple(&mut self, depth: usize) -> Option<Shape> {
        let mut elements = Vec::new();
        if self.skip("}") {
            return Some(Shape::Tuple(elements));
        }
        loop {
            elements.push(self.term(depth)?);
            if self.skip("}") {
                return Some(Shape::Tuple(elements));
            }
            if !self.skip(",") {
                return None;
            }
        }
    }

    fn list(&mut self, depth: usize) -> Option<Shape> {
        let mut elements = Vec::new();
        if self.skip("]") {
            return Some(Shape::List(elements, None));
        }
        loop {
            elements.push(self.term(depth)?);
            if self.skip("]") {
                return Some(Shape::List(elements, None));
            }
            if self.skip("|") {
                let tail = self.term(depth)?;
                return self
                    .skip("]")
                    .then_some(Shape::List(elements, Some(Box::new(tail))));
            }
            if !self.skip(",") {
                return None;
            }
        }
    }

    fn map(&mut self, depth: usize) -> Option<Shape> {
        let mut pairs = Vec::new();
        if self.skip("}") {
            return Some(Shape::Map(pairs));
        }
        loop {
            let key = self.term(depth)?;
            if !self.skip("=>") {
                return None;
            }
            pairs.push((key, self.term(depth)?));
            if self.skip("}") {
                return Some(Shape::Map(pairs));
            }
            if !self.skip(",") {
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atom(text: &str) -> Shape {
        Shape::Atom(text.to_owned())
    }

    #[test]
    fn values_are_read() {
        let shape = read_shape(r#"{ok,[1,-2.5e-3|x],#{'a b' => "q\"]"},<<"é>>"/utf8>>}"#);
        let number = |text: &str| Shape::Number(text.to_owned());
        assert_eq!(
            shape,
            Some(Shape::Tuple(vec![
                atom("ok"),
                Shape::List(
                    vec![number("1"), number("-2.5e-3")],
                    Some(Box::new(atom("x")))
                ),
                Shape::Map(vec![(atom("'a b'"), Shape::Text(r#""q\"]""#.to_owned()))]),
                Shape::Bits("<<\"é>>\"/utf8>>".to_owned()),
            ]))
        );
    }

    #[test]
    fn long_integers_are_read() {
        let texts = [
            "1 bsl 1023",
            "1 bsl 1023 - 1",
            "-(1 bsl 1023)",
            "-(3 bsl 200) + 12",
        ];
        for text in texts {
            let shape = read_shape(&format!("{{{text},a}}"));
            let number = Shape::Number(text.to_owned());
            assert_eq!(shape, Some(Shape::Tuple(vec![number, atom("a")])));
        }
    }

    #[test]
    fn parts_that_differ_in_every_run_are_unknown() {
        let cases = [
            ("#Fun<m.1.2>", Unknown::Fun),
            ("fun 'M x':f/2", Unknown::Fun),
            (
                "fun(1) -> fun(_) -> 'end' end; (\"end\") -> 2; (_) -> 0 end",
                Unknown::Fun,
            ),
            ("<0.12.3>", Unknown::Pid),
            ("#Port<0.6>", Unknown::Port),
            ("#Ref<0.1.2.3>", Unknown::Reference),
        ];
        for (text, unknown) in cases {
            let shape = read_shape(&format!("[{text}]"));
            let list = Shape::List(vec![Shape::Unknown(unknown)], None);
            assert_eq!(shape, Some(list), "{text}");
        }
        for text in ["'<0.12.3>'", "\"#Fun<m.1.2>\"", "funny"] {
            let shape = read_shape(text);
            assert!(shape.is_some_and(|it| it.is_exact()), "{text}");
        }
    }

    #[test]
    fn deep_values_and_other_texts_are_not_read() {
        assert_eq!(read_shape(&"[".repeat(10_000)), None);
        for text in ["", "{a", "{a b}", "[a|b,c]", "#{a}", "'a", "a b", "<<1"] {
            assert_eq!(read_shape(text), None, "{text}");
        }
    }

    #[test]
    fn bit_strings_have_bytes() {
        let cases: [(&str, &[u8], usize); 5] = [
            ("<<>>", b"", 8),
            ("<<\"ab\">>", b"ab", 8),
            ("<<\"é\"/utf8>>", "é".as_bytes(), 8),
            ("<<\"é\">>", &[233], 8),
            ("<<1,5:3>>", &[1, 5], 3),
        ];
        for (text, expected, last) in cases {
            assert_eq!(bytes(text), Some((expected.to_vec(), last)), "{text}");
        }
    }

    #[test]
    fn quotes_are_removed() {
        assert_eq!(
            unquoted(r"'it\'s\n\x{2603}\001\\'"),
            "it's\n\u{2603}\u{1}\\"
        );
    }
}
