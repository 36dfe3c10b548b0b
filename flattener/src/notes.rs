//! Annotations, read in one go with the parenthesis behind them.
//!
//! Nearly all annotations are among the last few that were read: `['compiler_generated']`, or the
//! name of the function that the compiler is in. Those are recognised by their text alone, and
//! the nodes share them.

use logos::Lexer;

use crate::ast::Annotations;
use crate::constants::ConstantReader;
use crate::lexer::Token;
use crate::parser::annotations;

/// How many annotations to remember. Three are enough for 85 % of those in OTP's stdlib, four for
/// one more.
const REMEMBERED: usize = 3;

/// Reads annotations from one text.
#[derive(Default)]
pub(crate) struct NotesReader<'text> {
    /// Annotations and their text, up to the parenthesis; those that were used last come first.
    recent: Vec<(&'text str, Annotations)>,
}

impl<'text> NotesReader<'text> {
    /// Reads annotations whose `-|` the lexer has just passed, and the parenthesis behind them.
    /// If there is anything else, the lexer stays where it is.
    pub(crate) fn read(
        &mut self,
        lexer: &mut Lexer<'text, Token>,
        constants: &mut ConstantReader,
    ) -> Option<Annotations> {
        let rest = lexer.remainder();
        let known = |(text, _): &(&str, _)| rest.starts_with(text);
        if let Some(index) = self.recent.iter().position(known) {
            let used = self.recent.get_mut(..=index)?;
            used.rotate_right(1);
            let (text, notes) = used.first()?;
            lexer.bump(text.len());
            return Some(notes.clone());
        }
        let mut ahead = lexer.clone();
        if ahead.next()?.ok()? != Token::LeftBracket {
            return None;
        }
        let notes = annotations(constants.read(&mut ahead, Token::LeftBracket)?)?;
        if ahead.next()?.ok()? != Token::RightParenthesis {
            return None;
        }
        let text = rest.get(..rest.len() - ahead.remainder().len())?;
        *lexer = ahead;
        self.recent.truncate(REMEMBERED - 1);
        self.recent.insert(0, (text, notes.clone()));
        Some(notes)
    }
}

#[cfg(test)]
mod tests {
    use logos::Logos;

    use super::*;

    #[test]
    fn reads_annotations_again_as_the_first_time() {
        let text = "-| [1] ) -| [1] ) -| [2,{'a'}] ) -| [3] ) -| [1] ) -| [4] ) -| [1] ) X";
        let mut lexer = Token::lexer(text);
        let mut reader = NotesReader::default();
        let mut read = Vec::new();
        while let Some(Ok(Token::Annotate)) = lexer.next() {
            let notes = reader.read(&mut lexer, &mut ConstantReader::default());
            read.push(notes.expect("annotations"));
        }
        assert_eq!(lexer.slice(), "X");
        let lengths: Vec<usize> = read.iter().map(|notes| notes.as_slice().len()).collect();
        assert_eq!(lengths, [1, 1, 2, 1, 1, 1, 1]);
        assert_eq!([&read[1], &read[4], &read[6]], [&read[0]; 3]);
        assert_ne!(read[3], read[0]);
    }

    #[test]
    fn leaves_everything_else_to_the_grammar() {
        for text in ["-| []", "-| [1|2] )", "-| {1} )", "-| [1] X", "-| [1", "-|"] {
            let mut lexer = Token::lexer(text);
            lexer.next();
            let notes = NotesReader::default().read(&mut lexer, &mut ConstantReader::default());
            assert_eq!(notes, None, "{text}");
            assert_eq!(lexer.remainder(), &text[2..], "{text}");
        }
    }
}
