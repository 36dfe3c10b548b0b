//! Shows messages on the terminal.

use std::io::{IsTerminal, Write};

use diagnostic::Diagnostic;
use reports::{draw_diagnostics, visible};

/// Whether messages on stderr use colours: only on a terminal, and not with `NO_COLOR`.
fn colours_on_stderr() -> bool {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    std::io::stderr().is_terminal() && !unwanted
}

/// Shows messages to the user, on stderr.
pub(crate) fn show(diagnostics: &[Diagnostic]) {
    let text = draw_diagnostics(diagnostics, colours_on_stderr());
    // If the terminal is gone, there is nowhere to report it.
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Shows text on stderr.
pub(crate) fn text(text: &str) {
    let _ = std::io::stderr().lock().write_all(visible(text).as_bytes());
}

/// Shows a line that is neither a warning nor an error.
pub(crate) fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "note: {text}");
}

/// Shows why a command failed, and on a terminal where to read more.
pub(crate) fn show_failure(diagnostics: &[Diagnostic]) {
    show(diagnostics);
    if std::io::stderr().is_terminal() {
        let _ = writeln!(std::io::stderr().lock(), "{}", hint(diagnostics));
    }
}

/// The command that explains the codes of these messages.
fn hint(diagnostics: &[Diagnostic]) -> String {
    let mut codes: Vec<&str> = diagnostics.iter().map(|it| it.code).collect();
    codes.sort_unstable();
    codes.dedup();
    match codes.as_slice() {
        [code] => format!("for more information: erlconcolic explain {code}"),
        _ => "for more information on the codes in brackets: erlconcolic explain CODE".to_owned(),
    }
}

#[cfg(test)]
mod tests;
