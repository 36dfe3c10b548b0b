//! Shows messages on the terminal.

use std::io::{IsTerminal, Write};

use diagnostic::Diagnostic;
use reports::draw_diagnostics;

/// Whether messages on stderr may use colours: only on a terminal, and not where the user does
/// not want them.
fn colours_on_stderr() -> bool {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    std::io::stderr().is_terminal() && !unwanted
}

/// Shows messages to the user, on stderr.
pub(crate) fn show(diagnostics: &[Diagnostic]) {
    let text = draw_diagnostics(diagnostics, colours_on_stderr());
    // Nowhere is left to report that the terminal is gone.
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Shows why a command failed. Who sits at a terminal is told where to read more.
pub(crate) fn show_failure(diagnostics: &[Diagnostic]) {
    show(diagnostics);
    if std::io::stderr().is_terminal() {
        let _ = writeln!(std::io::stderr().lock(), "{}", hint(diagnostics));
    }
}

/// Which command explains the codes of these messages.
fn hint(diagnostics: &[Diagnostic]) -> String {
    let mut codes: Vec<&str> = diagnostics.iter().map(|it| it.code).collect();
    codes.sort_unstable();
    codes.dedup();
    match codes.as_slice() {
        [code] => format!("erlconcolic explain {code} says more"),
        _ => "erlconcolic explain CODE says more about the codes in brackets".to_owned(),
    }
}

#[cfg(test)]
mod tests;
