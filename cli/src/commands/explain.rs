//! `erlconcolic explain`: explains the code of a message, and what to do.

use std::fmt::Write;
use std::io;

use diagnostic::Diagnostic;

use crate::arguments::ExplainOptions;
use crate::explanations::{page, summaries};
use crate::failure::Failure;
use crate::program::entry::nearest;
use crate::terminal::printing::print_result;

pub(crate) fn run(options: &ExplainOptions) -> Result<(), Failure> {
    let text = match &options.code {
        Some(code) => explanation(code)?,
        None => list(),
    };
    print_result(&mut io::stdout().lock(), [text])
}

fn explanation(asked: &str) -> Result<String, Failure> {
    let code = bare(asked);
    if let Some(page) = page(&code) {
        return Ok(format!("{code}: {page}"));
    }
    let codes: Vec<String> = summaries().map(|(code, _)| code.to_owned()).collect();
    let error = Diagnostic::error("unknown-code", format!("no message has the code {asked}"));
    let error = match nearest(&code, &codes) {
        Some(meant) => error.help(format!("did you mean {meant}?")),
        None => error,
    };
    Err(error.help("erlconcolic explain lists all codes").into())
}

/// The code in a text that a user may copy from a message: `error[io]:` means `io`.
fn bare(asked: &str) -> String {
    let inner = asked.split_once('[').map_or(asked, |(_, rest)| rest);
    let inner = inner.split(']').next().unwrap_or(inner);
    inner.trim().to_lowercase()
}

/// One line for each code.
fn list() -> String {
    let width = summaries().map(|(code, _)| code.len()).max().unwrap_or(0);
    let mut out = String::new();
    for (code, summary) in summaries() {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{code:width$}  {summary}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_may_be_copied_with_their_brackets() {
        for text in ["io", "error[io]", "error[io]:", "[io]", "IO", " io "] {
            assert_eq!(bare(text), "io", "{text:?}");
        }
    }

    #[test]
    fn an_unknown_code_is_an_error_with_the_nearest_code() {
        let error = explanation("no-erlnag").expect_err("there is none");
        let help = error.0.into_iter().flat_map(|it| it.help);
        assert_eq!(
            help.take(1).collect::<Vec<_>>(),
            ["did you mean no-erlang?"]
        );
        for text in ["", "[", "]", "x", "error[", "日本"] {
            explanation(text).expect_err("there is none");
        }
    }
}
