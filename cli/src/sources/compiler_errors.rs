//! Errors of the Erlang compiler, with the lines they are about.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use diagnostic::{Diagnostic, Source};

use crate::beam::Message;
use crate::failure::Failure;
use crate::files::plain_file::read_source;

/// The compiler's errors, with the source lines.
pub(super) fn compiler_failure(messages: &[Message]) -> Failure {
    let mut sources: HashMap<&str, Option<String>> = HashMap::new();
    let errors = messages.iter().filter(|message| message.is_error);
    let diagnostics = errors
        .map(|message| {
            let text = sources
                .entry(&message.path)
                .or_insert_with(|| read_source(Path::new(&message.path)).ok())
                .as_deref();
            compiler_diagnostic(message, text)
        })
        .collect();
    Failure(diagnostics)
}

/// A message of the compiler, with the source line if the text is given.
pub(super) fn compiler_diagnostic(message: &Message, text: Option<&str>) -> Diagnostic {
    let error = |title: String| Diagnostic::error("compile", title);
    let range = text.and_then(|text| position(text, message.line, message.column));
    let Message {
        path,
        line,
        column,
        text: words,
        ..
    } = message;
    match (text, range) {
        (Some(text), Some(range)) => error(words.clone()).at(
            Source {
                name: path.clone(),
                text: text.to_owned(),
            },
            range,
            "",
        ),
        _ if path.is_empty() => error(words.clone()),
        _ if *line == 0 => error(format!("{path}: {words}")),
        _ if *column == 0 => error(format!("{path}:{line}: {words}")),
        _ => error(format!("{path}:{line}:{column}: {words}")),
    }
}

/// The byte range of the word at a line and column, both from 1; a whole line for column 0.
fn position(text: &str, line: usize, column: usize) -> Option<Range<usize>> {
    let start: usize = text
        .split_inclusive('\n')
        .take(line.checked_sub(1)?)
        .map(str::len)
        .sum();
    let content = text.get(start..)?.lines().next()?;
    if column == 0 {
        return Some(start..start + content.len());
    }
    let from = content
        .char_indices()
        .nth(column - 1)
        .map_or(content.len(), |(at, _)| at);
    let rest = content.get(from..)?;
    let is_word = |character: char| character.is_alphanumeric() || matches!(character, '_' | '@');
    let word = rest
        .find(|character| !is_word(character))
        .unwrap_or(rest.len());
    let length = word.max(rest.chars().next().map_or(0, char::len_utf8));
    Some(start + from..start + from + length)
}
