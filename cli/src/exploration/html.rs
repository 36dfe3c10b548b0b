//! The report as one HTML file that needs nothing else: no network, no other file.
//!
//! A [`Page`] is plain data; `from_exploration` makes it from what a search found. Findings and
//! sources are written as HTML and can be read without scripts. The tests and the tree of paths
//! are data in JSON, of which `page.js` shows what is asked for. The page has nothing in it that
//! differs from run to run.

mod data;
mod erlang;
mod findings;
mod from_exploration;
mod gaps;
mod lines;
mod program;
mod source;
mod sources;
mod steps;
mod text;
mod tree;

use std::fmt::Write;

use sha2::{Digest, Sha256};

use text::{base64, escape, json_in_html};

pub(crate) use from_exploration::{argument_names, page};

const TEMPLATE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// All that the page shows.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// What was explored: `m:f/1`.
    pub(crate) title: String,
    /// One for each function that was explored.
    pub(crate) entries: Vec<EntryPage>,
    /// Functions that were not explored, and why.
    pub(crate) left_out: Vec<(String, String)>,
    pub(crate) sources: Vec<SourcePage>,
    /// The names of the user's modules of which no source can be shown.
    pub(crate) without_source: Vec<String>,
    /// Functions and clauses: reached, and all.
    pub(crate) functions: (usize, usize),
    pub(crate) clauses: (usize, usize),
}

/// What came of one function.
#[derive(Debug, Default)]
pub(crate) struct EntryPage {
    /// `m:f/1`.
    pub(crate) name: String,
    /// `m:f`.
    pub(crate) call: String,
    /// Whether all paths were run, and with arguments of which depth.
    pub(crate) is_complete: bool,
    pub(crate) term_depth: u32,
    /// Inputs that the precondition did not admit.
    pub(crate) rejected: usize,
    pub(crate) tests: Vec<TestPage>,
    pub(crate) findings: Vec<FindingPage>,
    pub(crate) steps: Vec<StepPage>,
    pub(crate) nodes: Vec<NodePage>,
    pub(crate) gaps: Vec<GapPage>,
}

/// A test.
#[derive(Debug, Default)]
pub(crate) struct TestPage {
    /// Its arguments, separated by commas.
    pub(crate) arguments: String,
    /// `ok`, `error` and so on, as in the JSON report.
    pub(crate) outcome: String,
    /// What it returned or raised.
    pub(crate) result: String,
    /// Whether it crashed.
    pub(crate) is_crash: bool,
    /// The places it came to, as bits.
    pub(crate) places: Vec<u8>,
}

/// A crash.
#[derive(Debug, Default)]
pub(crate) struct FindingPage {
    pub(crate) test: usize,
    /// `m:f(1) raises error: badarith`.
    pub(crate) title: String,
    /// Class and reason, or what else it is: `error: badarith`.
    pub(crate) what: String,
    /// Names and values.
    pub(crate) arguments: Vec<(String, String)>,
    /// What to type to see it.
    pub(crate) call: String,
    /// Where: a source and a line in it.
    pub(crate) place: Option<LinePage>,
    /// The functions that were running, and where.
    pub(crate) stack: Vec<(String, Option<LinePage>)>,
    /// The decisions that lead there.
    pub(crate) steps: Vec<StepPage>,
    /// Other arguments that crash there too.
    pub(crate) also: Vec<String>,
}

/// A line of a source: the number of the source if it is shown, and what to call it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LinePage {
    pub(crate) source: Option<usize>,
    pub(crate) line: u32,
    /// `src/m.erl:12`.
    pub(crate) text: String,
}

/// A decision on a path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct StepPage {
    pub(crate) place: Option<LinePage>,
    /// The function that decided: `m:f/1`.
    pub(crate) function: String,
    /// What was decided: `clause 2 is chosen`.
    pub(crate) what: String,
    /// The source text of it.
    pub(crate) code: String,
    /// What must hold for it, in terms of the arguments.
    pub(crate) condition: String,
    /// The source texts of the clauses before it, which do not match.
    pub(crate) passed_over: Vec<String>,
}

/// A node of the tree of paths.
#[derive(Debug, Default)]
pub(crate) struct NodePage {
    /// The node above; the first node has none.
    pub(crate) above: Option<usize>,
    /// The decisions on the way from there, as numbers of steps.
    pub(crate) steps: Vec<usize>,
    /// The tests that end here, as indices.
    pub(crate) tests: Vec<usize>,
}

/// What was concretized or left out.
#[derive(Debug, Default)]
pub(crate) struct GapPage {
    pub(crate) code: &'static str,
    pub(crate) what: String,
    pub(crate) why: &'static str,
    pub(crate) count: usize,
    pub(crate) places: Vec<LinePage>,
}

/// A source.
#[derive(Debug, Default)]
pub(crate) struct SourcePage {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) lines: Vec<SourceLine>,
}

/// A line of a source.
#[derive(Clone, Debug, Default)]
pub(crate) struct SourceLine {
    pub(crate) state: State,
    /// A test that came to one of these places came to the line.
    pub(crate) places: Vec<usize>,
    /// How many tests did.
    pub(crate) tests: usize,
    /// The findings that crash on this line: entry and number of the finding.
    pub(crate) findings: Vec<(usize, usize)>,
    /// Whether it is in a clause that crashes.
    pub(crate) in_crash: bool,
}

/// What became of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum State {
    /// There is no code on it.
    #[default]
    NoCode,
    /// Some test came there.
    Covered,
    /// Of several clauses on it, only some were reached.
    Partly,
    /// No test came there.
    Missed,
}

/// The page as text.
pub(crate) fn html(page: &Page) -> String {
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
        ("SUMMARY", summary(page)),
        ("NAVIGATION", navigation(page)),
        ("FINDINGS", findings::section(page)),
        ("SOURCES", source::section(page)),
        ("PATHS", tree::section(page)),
        ("LEFT_OUT", left_out(page)),
        ("DATA", json_in_html(&data::object(page))),
        ("SCRIPT", SCRIPT.to_owned()),
    ];
    filled(TEMPLATE, &parts)
}

/// The template with its `{{NAMES}}` replaced; what is put in is not looked at again.
fn filled(template: &str, parts: &[(&str, String)]) -> String {
    let mut out = String::new();
    for piece in template.split("{{") {
        let put_in = piece.split_once("}}").and_then(|(name, rest)| {
            let part = parts.iter().find(|part| part.0 == name)?;
            Some((&part.1, rest))
        });
        match put_in {
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

fn summary(page: &Page) -> String {
    let tests: usize = page.entries.iter().map(|it| it.tests.len()).sum();
    let findings: usize = page.entries.iter().map(|it| it.findings.len()).sum();
    let is_complete = page.entries.iter().all(|it| it.is_complete);
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
    let depth = page.entries.iter().map(|it| it.term_depth).max();
    let (class, value, note) = if is_complete {
        let note = format!("with arguments of depth at most {}", depth.unwrap_or(0));
        ("good", "all", note)
    } else {
        let note = "<a href=\"#left-out\">what was left out</a>".to_owned();
        ("open", "some", note)
    };
    fact(class, "Paths run", value.to_owned(), note);
    out.push_str("</dl>");
    out
}

fn navigation(page: &Page) -> String {
    let findings: usize = page.entries.iter().map(|it| it.findings.len()).sum();
    let gaps: usize = page.entries.iter().map(|it| it.gaps.len()).sum();
    let mut out = String::new();
    let links = [
        ("findings", "Findings", findings.to_string()),
        ("sources", "Source", String::new()),
        ("paths", "Paths", String::new()),
        ("left-out", "Left out", gaps.to_string()),
    ];
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

/// What was concretized or left out, and why.
fn left_out(page: &Page) -> String {
    let mut out = String::new();
    let several = page.entries.len() > 1;
    for entry in &page.entries {
        if several {
            let _ = write!(out, "<h3><code>{}</code></h3>", escape(&entry.name));
        }
        if entry.gaps.is_empty() {
            let _ = write!(
                out,
                "<p class=\"nothing\">Nothing: all paths with arguments of depth at most {} were \
                 run.</p>",
                entry.term_depth
            );
            continue;
        }
        out.push_str(
            "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"What was left out\">\
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
    if !page.left_out.is_empty() {
        out.push_str("<h3>Functions that were not explored</h3><ul>");
        for (name, why) in &page.left_out {
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

/// A line as a link to it, where its source is shown.
fn line_link(line: &LinePage) -> String {
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
fn line_id(source: usize, line: u32) -> String {
    format!("s{}-{line}", source + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_is_not_looked_at_again() {
        let parts = [("A", "{{B}} }} {{".to_owned()), ("B", "b".to_owned())];
        assert_eq!(filled("x{{A}}y{{B}}", &parts), "x{{B}} }} {{yb");
    }

    #[test]
    fn style_and_script_end_where_their_elements_do() {
        assert!(!SCRIPT.contains("</") && !SCRIPT.contains("<!--"));
        assert!(!STYLE.contains("</"));
        assert!(TEMPLATE.contains("<script>{{SCRIPT}}</script>"));
        assert!(TEMPLATE.contains("<style>{{STYLE}}</style>"));
    }

    #[test]
    fn several_functions_have_a_section_each() {
        let entry = |name: &str, has_finding: bool| EntryPage {
            name: name.to_owned(),
            call: name.to_owned(),
            findings: has_finding.then(FindingPage::default).into_iter().collect(),
            nodes: vec![NodePage::default()],
            ..EntryPage::default()
        };
        let page = Page {
            title: "two functions".to_owned(),
            entries: vec![entry("m:f/1", true), entry("m:g/1", false)],
            left_out: vec![("m:h/1".to_owned(), "its spec wants a <pid>".to_owned())],
            ..Page::default()
        };
        let text = html(&page);
        for part in [
            "<h3 class=\"entry\"><code>m:f/1</code></h3>",
            "<h4 id=\"f1-1-name\"",
            "<h3 class=\"entry\"><code>m:g/1</code></h3>",
            "data-tree=\"0\"",
            "data-tree=\"1\"",
            "<li><code>m:h/1</code>: its spec wants a &lt;pid&gt;</li>",
        ] {
            assert!(text.contains(part), "{part}");
        }
    }
}
