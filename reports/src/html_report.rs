//! The report as one HTML file that needs nothing else: no network, no other file.
//!
//! A [`Page`] is plain data; `from_exploration` makes it from what a search found. Findings and
//! sources are HTML and can be read without scripts. Tests and paths are JSON; `page.js` shows them
//! on demand. Nothing in the page differs from run to run.

mod chart_section;
mod decision_names;
mod erlang_tokens;
mod escaping;
mod finding_section;
mod from_exploration;
mod gap_rows;
mod line_links;
mod line_places;
mod line_states;
mod machine_drawing;
mod machine_layout;
mod machine_section;
mod noted_lines;
mod numbering;
mod page;
mod page_json;
mod path_section;
mod path_tree;
mod skipped_section;
mod source_files;
mod source_section;
mod steps;
mod summary;
mod waiting_graph;

use sha2::{Digest, Sha256};

use crate::exploration::Exploration;
use crate::source_texts::ReadSource;
use escaping::{base64, escape, json_in_html};
use page::Page;

const TEMPLATE: &str = include_str!("html_report/page.html");
const STYLE: &str = include_str!("html_report/page.css");
const SCRIPT: &str = concat!(
    include_str!("html_report/machines.js"),
    include_str!("html_report/page.js")
);

/// The report of a search whose paths were kept, as one HTML file.
pub fn html_report(exploration: &Exploration<'_>, read: ReadSource<'_>) -> String {
    html(&from_exploration::page(exploration, read))
}

/// The page as text.
fn html(page: &Page) -> String {
    let policy = format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; \
         form-action 'none'",
        digest(SCRIPT),
        digest(STYLE)
    );
    let parts = [
        ("POLICY", policy),
        ("TITLE", escape(&page.title)),
        ("STYLE", STYLE.to_owned()),
        ("SUMMARY", summary::facts(page)),
        ("NAVIGATION", summary::navigation(page)),
        ("FINDINGS", finding_section::section(page)),
        ("MACHINES", machine_section::section(page)),
        ("SOURCES", source_section::section(page)),
        ("PATHS", path_section::section(page)),
        ("SKIPPED", skipped_section::section(page)),
        ("DATA", json_in_html(&page_json::object(page))),
        ("SCRIPT", SCRIPT.to_owned()),
    ];
    filled(TEMPLATE, &parts)
}

/// The template with its `{{NAMES}}` replaced. Replacements are not searched for names.
fn filled(template: &str, parts: &[(&str, String)]) -> String {
    let mut out = String::new();
    for piece in template.split("{{") {
        let replaced = piece.split_once("}}").and_then(|(name, rest)| {
            let part = parts.iter().find(|part| part.0 == name)?;
            Some((&part.1, rest))
        });
        match replaced {
            Some((part, rest)) => {
                out.push_str(part);
                out.push_str(rest);
            }
            None => out.push_str(piece),
        }
    }
    out
}

fn digest(text: &str) -> String {
    base64(&Sha256::digest(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::page::{EntryPage, FindingPage, NodePage};
    use super::*;

    #[test]
    fn replacements_are_not_searched_for_names() {
        let parts = [("A", "{{B}} }} {{".to_owned()), ("B", "b".to_owned())];
        assert_eq!(filled("x{{A}}y{{B}}", &parts), "x{{B}} }} {{yb");
    }

    #[test]
    fn style_and_script_do_not_close_their_elements() {
        assert!(!SCRIPT.contains("</") && !SCRIPT.contains("<!--"));
        assert!(!STYLE.contains("</"));
        assert!(TEMPLATE.contains("<script>{{SCRIPT}}</script>"));
        assert!(TEMPLATE.contains("<style>{{STYLE}}</style>"));
    }

    #[test]
    fn several_functions_have_a_section_each() {
        let entry = |name: &str| EntryPage {
            name: name.to_owned(),
            call: (format!("{name}("), ")"),
            nodes: vec![NodePage::default()],
            ..EntryPage::default()
        };
        let page = Page {
            title: "two functions".to_owned(),
            findings: vec![FindingPage {
                other_entries: vec!["m:g(<<>>)".to_owned()],
                ..FindingPage::default()
            }],
            entries: vec![entry("m:f/1"), entry("m:g/1")],
            skipped: vec![("m:h/1".to_owned(), "its spec wants a <pid>".to_owned())],
            ..Page::default()
        };
        let text = html(&page);
        for part in [
            "<h3 id=\"f1-name\"",
            "<li><code>m:g(&lt;&lt;&gt;&gt;)</code></li>",
            "<code>m:f/1</code> <small>",
            "data-tree=\"0\"",
            "data-tree=\"1\"",
            "<li><code>m:h/1</code>: its spec wants a &lt;pid&gt;</li>",
        ] {
            assert!(text.contains(part), "{part}");
        }
    }
}
