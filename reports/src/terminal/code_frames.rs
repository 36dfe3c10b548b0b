//! Draws messages with the code that they are about, in the style of rustc.

use std::borrow::Cow;

use annotate_snippets::{AnnotationKind, Group, Level as Severity, Renderer, Snippet};
use diagnostic::{Diagnostic, Level};

use super::visible_text::{visible, visible_name};

/// The text of messages, each followed by an empty line.
pub fn draw_diagnostics(diagnostics: &[Diagnostic], colours: bool) -> String {
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
    for fact in &diagnostic.notes {
        group = group.element(Severity::NOTE.message(visible(fact)));
    }
    for advice in &diagnostic.help {
        group = group.element(Severity::HELP.message(visible(advice)));
    }
    renderer.render(&[group])
}

/// A source without the control characters of two bytes, which the renderer does not replace.
/// Byte offsets stay the same.
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
mod tests {
    use diagnostic::Source;

    use super::*;

    #[test]
    fn draws_a_frame_around_any_place() {
        let text = "a\tž日🙂\r\n\r\u{feff}e\u{301}\0\n\n% \u{1b}[31m\u{200b}x";
        let places: Vec<usize> = (0..=text.len())
            .filter(|place| text.is_char_boundary(*place))
            .collect();
        for start in &places {
            for end in places.iter().filter(|end| *end >= start) {
                let source = Source {
                    name: "any.core".to_owned(),
                    text: text.to_owned(),
                };
                let error = Diagnostic::error("code", "title").at(source, *start..*end, "label");
                assert!(draw_diagnostics(&[error], false).contains("label"));
            }
        }
    }
}
