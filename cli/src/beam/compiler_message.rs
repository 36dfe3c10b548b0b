//! Messages of the Erlang compiler.

use erlang_term::Term;

/// A message of the compiler about a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Whether it is an error; otherwise it is a warning.
    pub is_error: bool,
    /// The file it is about.
    pub path: String,
    /// The line, from 1; 0 when unknown.
    pub line: usize,
    /// The column, from 1; 0 when unknown.
    pub column: usize,
    /// The compiler's words.
    pub text: String,
}

/// Reads a list of messages.
pub(crate) fn parse_messages(term: &Term) -> Option<Vec<Message>> {
    term.as_list()?.iter().map(parse_message).collect()
}

fn parse_message(term: &Term) -> Option<Message> {
    let [severity, path, line, column, text] = term.as_tuple()? else {
        return None;
    };
    let string = |term: &Term| Some(String::from_utf8_lossy(term.as_binary()?).into_owned());
    let number = |term: &Term| usize::try_from(term.as_i64()?).ok();
    Some(Message {
        is_error: severity.as_atom()? == "error",
        path: string(path)?,
        line: number(line)?,
        column: number(column)?,
        text: string(text)?,
    })
}
