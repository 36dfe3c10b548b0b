//! Draws messages for the terminal.

use std::borrow::Cow;
use std::io::{IsTerminal, Write};

use annotate_snippets::{AnnotationKind, Group, Level as Severity, Renderer, Snippet};
use diagnostic::{Diagnostic, Level};

use crate::visible::{visible, visible_name};

/// Whether messages on stderr use colours: only on a terminal, and not with `NO_COLOR`.
fn colours_on_stderr() -> bool {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    std::io::stderr().is_terminal() && !unwanted
}

/// Shows messages to the user, on stderr.
pub(crate) fn show(diagnostics: &[Diagnostic]) {
    let text = render(diagnostics, colours_on_stderr());
    // If the terminal is gone, there is nowhere to report it.
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
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

/// The text of messages, each followed by an empty line.
pub(crate) fn render(diagnostics: &[Diagnostic], colours: bool) -> String {
    let renderer = if colours {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let mut text = String::new();
    for diagnostic in diagnostics {
        text.push_str(&render_one(diagnostic, &renderer));
        text.push_str("\n\n");
    }
    text
}

fn render_one(diagnostic: &Diagnostic, renderer: &Renderer) -> String {
    let severity = match diagnostic.level {
        Level::Error => Severity::ERROR,
        Level::Warning => Severity::WARNING,
    };
    let title = severity
        .primary_title(visible(&diagnostic.title))
        .id(diagnostic.code);
    let mut group = Group::with_title(title);
    if let Some((source, label)) = &diagnostic.place {
        let annotation = AnnotationKind::Primary.span(label.range.clone());
        let annotation = if label.text.is_empty() {
            annotation
        } else {
            annotation.label(&label.text)
        };
        group = group.element(
            Snippet::source(visible_source(&source.text))
                .path(visible_name(&source.name))
                .annotation(annotation),
        );
    }
    for advice in &diagnostic.help {
        group = group.element(Severity::HELP.message(visible(advice)));
    }
    renderer.render(&[group])
}

/// A source without the control characters of two bytes, which the renderer does not escape. Positions
/// stay the same.
fn visible_source(text: &str) -> Cow<'_, str> {
    if text.contains(is_second_control) {
        Cow::Owned(text.replace(is_second_control, "·"))
    } else {
        Cow::Borrowed(text)
    }
}

fn is_second_control(character: char) -> bool {
    matches!(character, '\u{80}'..='\u{9f}')
}

#[cfg(test)]
mod tests;
