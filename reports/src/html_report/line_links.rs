//! Links to lines of sources.

use super::escaping::escape;
use super::page::LinePage;

/// A link to a line, if its source is shown.
pub(super) fn line_link(line: &LinePage) -> String {
    let text = escape(&line.text);
    match line.source {
        Some(source) => format!(
            "<a class=\"place\" href=\"#{}\">{text}</a>",
            line_id(source, line.line)
        ),
        None => format!("<span class=\"place\">{text}</span>"),
    }
}

/// The id of the element that shows a line.
pub(super) fn line_id(source: usize, line: u32) -> String {
    format!("s{}-{line}", source + 1)
}
