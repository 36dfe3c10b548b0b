//! The section on what was concretized or skipped.

use std::fmt::Write;

use super::escaping::escape;
use super::line_links::line_link;
use super::page::Page;

/// What was concretized or skipped, and why.
pub(super) fn section(page: &Page) -> String {
    let mut out = String::new();
    let several = page.entries.len() > 1;
    for entry in &page.entries {
        if several {
            let _ = write!(out, "<h3><code>{}</code></h3>", escape(&entry.name));
        }
        if entry.gaps.is_empty() {
            let _ = write!(
                out,
                "<p class=\"nothing\">Nothing: all paths with {} were run.</p>",
                entry.bounds
            );
            continue;
        }
        out.push_str(
            "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"What was skipped\">\
             <table><thead><tr><th scope=\"col\">What</th><th scope=\"col\">Why</th>\
             <th scope=\"col\">Where</th><th scope=\"col\" class=\"number\">Times</th></tr></thead>\
             <tbody>",
        );
        for gap in &entry.gaps {
            let places: Vec<String> = gap.places.iter().map(line_link).collect();
            let _ = write!(
                out,
                "<tr><th scope=\"row\"><code>{}</code></th><td><span class=\"code-name\">{}</span> \
                 {}</td><td>{}</td><td class=\"number\">{}</td></tr>",
                escape(&gap.what),
                gap.code,
                gap.why,
                places.join("<br>"),
                gap.count
            );
        }
        out.push_str("</tbody></table></div>");
    }
    if !page.skipped.is_empty() {
        out.push_str("<h3>Functions that were not explored</h3><ul>");
        for (name, why) in &page.skipped {
            let _ = write!(
                out,
                "<li><code>{}</code>: {}</li>",
                escape(name),
                escape(why)
            );
        }
        out.push_str("</ul>");
    }
    out
}
