//! The head of the page: the most important facts, and links to the sections.

use std::fmt::Write;

use super::page::Page;
use crate::counted::counted;

/// The most important facts.
pub(super) fn facts(page: &Page) -> String {
    let tests: usize = page.entries.iter().map(|it| it.tests.len()).sum();
    let findings = page.findings.iter().filter(|it| !it.is_accepted).count();
    let mut out = String::from("<dl class=\"facts\">");
    let mut fact = |class: &str, name: &str, value: String, note: String| {
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "<div class=\"fact {class}\"><dt>{name}</dt><dd><strong>{value}</strong>\
             <span>{note}</span></dd></div>"
        );
    };
    let class = if findings == 0 { "good" } else { "bad" };
    fact(class, "Findings", findings.to_string(), String::new());
    fact("", "Tests", tests.to_string(), String::new());
    for (name, (reached, all)) in [
        ("Functions reached", page.functions),
        ("Clauses reached", page.clauses),
    ] {
        let class = if reached == all { "good" } else { "" };
        fact(class, name, reached.to_string(), format!("of {all}"));
    }
    let (class, value, note) = if page.is_complete {
        let bounds = &page.bounds;
        match page.proved_after {
            None => {
                let note = format!("with {bounds}");
                ("good", "all", note)
            }
            Some(runs) => {
                let note = format!(
                    "after {}: every path with {bounds} goes on as one that was run",
                    counted(runs, "run")
                );
                ("good", "proved", note)
            }
        }
    } else {
        let note = "<a href=\"#skipped\">what was skipped</a>".to_owned();
        ("open", "some", note)
    };
    let name = match page.proved_after {
        None => "Paths run",
        Some(_) => "Paths",
    };
    fact(class, name, value.to_owned(), note);
    out.push_str("</dl>");
    out
}

/// Links to the sections.
pub(super) fn navigation(page: &Page) -> String {
    let findings = page.findings.iter().filter(|it| !it.is_accepted).count();
    let gaps: usize = page.entries.iter().map(|it| it.gaps.len()).sum();
    let skipped = gaps + page.skipped.len();
    let mut out = String::new();
    let mut links = vec![
        ("findings", "Findings", findings.to_string()),
        ("sources", "Source", String::new()),
        ("paths", "Paths", String::new()),
        ("skipped", "Skipped", skipped.to_string()),
    ];
    if !page.machines.is_empty() {
        links.insert(1, ("machines", "States", String::new()));
    }
    for (id, name, count) in links {
        let count = if count.is_empty() {
            String::new()
        } else {
            format!(" <span class=\"count\">{count}</span>")
        };
        // Writing to a string cannot fail.
        let _ = write!(out, "<li><a href=\"#{id}\">{name}{count}</a></li>");
    }
    out
}
