//! Which places of the program belong to which line of a source.
//!
//! The compiler notes the lines of clauses and calls, but not of everything: `{ok, X}` after a call
//! is reached if the call returned, and the second line of a long call if the first line is. The
//! text tells the rest.

use super::erlang_tokens::{Token, TokenKind};
use super::noted_lines::{NotedLine, NotedLines, Place};

/// What is known about a line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    /// A run that reaches one of these reaches the line; none for lines without code.
    pub(crate) places: Vec<Place>,
    /// The clauses that begin here.
    pub(crate) heads: Vec<Place>,
}

/// The lines of a text, with their places.
pub(crate) fn lines(text: &str, tokens: &[Token], noted: &NotedLines) -> Vec<Line> {
    let mut lines = vec![Line::default(); text.lines().count()];
    let mut filling = Filling::default();
    let mut tokens = tokens
        .iter()
        .filter(|token| token.kind != TokenKind::Comment)
        .peekable();
    let mut end = 0;
    for (index, (line, content)) in lines.iter_mut().zip(text.split('\n')).enumerate() {
        end += content.len() + 1;
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let mut words: Vec<(TokenKind, &str)> = Vec::new();
        while let Some(token) = tokens.next_if(|token| token.start < end) {
            let word = text.get(token.start..token.end).unwrap_or_default();
            words.push((token.kind, word));
        }
        filling.line(line, &words, noted.line(number));
    }
    lines
}

/// Follows the text line by line, to find the places of lines that the compiler did not note.
#[derive(Debug, Default)]
struct Filling {
    /// Whether a form has begun, and whether it is an attribute.
    form: Option<bool>,
    /// The brackets and keywords that are open, with their places.
    open: Vec<Opened>,
    /// The places of the line before.
    before: Vec<Place>,
    /// The places that are reached when the expression on the line before has its value.
    after: Option<Vec<Place>>,
    /// Whether the next line begins an expression.
    is_new: bool,
    /// The places of the last clause head.
    head: Vec<Place>,
    ends_with_arrow: bool,
}

#[derive(Clone, Debug)]
struct Opened {
    is_bracket: bool,
    places: Vec<Place>,
    after: Option<Vec<Place>>,
}

impl Filling {
    fn line(&mut self, line: &mut Line, words: &[(TokenKind, &str)], noted: Option<&NotedLine>) {
        let Some((_, first)) = words.first() else {
            return;
        };
        let is_attribute = *self.form.get_or_insert(*first == "-");
        if !is_attribute {
            self.reached(line, first, noted);
        }
        self.read(words, line);
    }

    fn reached(&mut self, line: &mut Line, first: &str, noted: Option<&NotedLine>) {
        let is_inside = self.open.last().is_some_and(|it| it.is_bracket);
        let begins = self.is_new && !is_inside;
        if let Some(NotedLine { heads, statements }) = noted {
            line.heads.clone_from(heads);
            line.places.clone_from(heads);
            line.places.extend(statements.iter().map(|it| it.began));
            if !heads.is_empty() {
                self.head.clone_from(heads);
            }
            let ended = statements.last().map(|it| vec![it.ended]);
            if begins || self.after.is_none() || !heads.is_empty() {
                self.after = ended;
            }
        } else if matches!(first, "end" | "of" | "catch" | "after" | "else") && !is_inside {
            // The line belongs to the expression that it ends or divides.
            if let Some(opened) = self.open.last() {
                line.places.clone_from(&opened.places);
            }
            self.after = None;
        } else if begins {
            line.places = if self.ends_with_arrow {
                self.head.clone()
            } else {
                self.after.take().unwrap_or_else(|| self.before.clone())
            };
            self.after = None;
        } else {
            line.places.clone_from(&self.before);
        }
        self.before.clone_from(&line.places);
    }

    /// Follows brackets and keywords up to the end of the line.
    fn read(&mut self, words: &[(TokenKind, &str)], line: &Line) {
        for (index, (kind, word)) in words.iter().enumerate() {
            match kind {
                TokenKind::Sign => self.read_sign(word, line),
                TokenKind::Keyword => {
                    let next = words.get(index + 1..).unwrap_or_default();
                    self.read_keyword(word, next, line);
                }
                TokenKind::Dot => {
                    *self = Self::default();
                    return;
                }
                TokenKind::Comment
                | TokenKind::Quoted
                | TokenKind::Variable
                | TokenKind::Number
                | TokenKind::Macro
                | TokenKind::Atom => {}
            }
        }
        let previous = words.last().map_or("", |it| it.1);
        self.ends_with_arrow = previous == "->";
        self.is_new = matches!(
            previous,
            "," | "->" | ";" | "of" | "begin" | "try" | "after"
        );
    }

    fn read_sign(&mut self, sign: &str, line: &Line) {
        match sign {
            "(" | "[" | "{" | "<<" => self.open(true, line),
            ")" | "]" | "}" | ">>" => self.close(),
            _ => {}
        }
    }

    fn read_keyword(&mut self, keyword: &str, next: &[(TokenKind, &str)], line: &Line) {
        match keyword {
            "begin" | "case" | "if" | "maybe" | "receive" | "try" => self.open(false, line),
            // `fun (X) -> … end`, but not `fun f/1` or `fun m:f/1`.
            "fun" if next.iter().take(2).any(|it| it.1 == "(") => self.open(false, line),
            "end" => self.close(),
            _ => {}
        }
    }

    fn close(&mut self) {
        if let Some(closed) = self.open.pop()
            && !closed.is_bracket
        {
            self.after = closed.after;
        }
    }

    fn open(&mut self, is_bracket: bool, line: &Line) {
        self.open.push(Opened {
            is_bracket,
            places: line.places.clone(),
            after: self.after.clone(),
        });
    }
}
