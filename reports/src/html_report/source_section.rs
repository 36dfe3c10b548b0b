//! The section with sources and the coverage of their lines.

use std::fmt::Write;

use super::erlang_tokens::{TokenKind, tokens};
use super::escaping::escape;
use super::line_links::line_id;
use super::page::{LineState, Page, SourceLine, SourcePage};
use crate::counted::counted;

/// If there are more sources than this, those without a crash are folded.
const MOST_OPEN: usize = 4;

/// What the marks of lines mean on a page that was made from reports.
const BY_CLAUSES: &str = "<p class=\"hint\">This page was made from reports. They say which clauses \
    were reached, so a line is marked as the clause that it is in.</p>";

/// The section with all sources.
pub(super) fn section(page: &Page) -> String {
    let mut out = String::new();
    if page.is_told {
        out.push_str(BY_CLAUSES);
    }
    for (number, source) in page.sources.iter().enumerate() {
        let crashes = source.lines.iter().any(|line| !line.findings.is_empty());
        let is_open = page.sources.len() <= MOST_OPEN || crashes;
        one_source(&mut out, number, source, (is_open, page.is_told));
    }
    for name in &page.without_source {
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "<p class=\"nothing\">The source of <code>{}</code> was not found.</p>",
            escape(name)
        );
    }
    out
}

/// A source; `is_told` if it is not known which tests reached its lines.
fn one_source(
    out: &mut String,
    number: usize,
    source: &SourcePage,
    (is_open, is_told): (bool, bool),
) {
    let of_state = |state| source.lines.iter().filter(|it| it.state == state).count();
    let missed = of_state(LineState::Missed);
    let code = source.lines.len() - of_state(LineState::NoCode);
    let id = format!("s{}", number + 1);
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "<details class=\"source\" id=\"{id}\"{}><summary><h3 id=\"{id}-name\"><code>{}</code></h3>\
         <small>{} of {} of code reached</small></summary><div class=\"lines\" role=\"group\" \
         aria-labelledby=\"{id}-name\">",
        if is_open { " open" } else { "" },
        escape(&source.name),
        code - missed,
        counted(code, "line")
    );
    let shown = coloured(&source.text);
    for (index, (line, text)) in source.lines.iter().zip(shown).enumerate() {
        let index = u32::try_from(index + 1).unwrap_or(u32::MAX);
        one_line(out, (number, index), line, &text, is_told);
    }
    out.push_str("</div></details>");
}

fn one_line(
    out: &mut String,
    (source, number): (usize, u32),
    line: &SourceLine,
    text: &str,
    is_told: bool,
) {
    let class = class(line);
    let id = line_id(source, number);
    let _ = write!(out, "<div class=\"line{class}\" id=\"{id}\">");
    if line.state == LineState::NoCode {
        let _ = write!(
            out,
            "<span class=\"gutter\"><span class=\"n\">{number}</span></span>"
        );
    } else if is_told {
        let _ = write!(
            out,
            "<span class=\"gutter\"><span class=\"n\">{number}</span>\
             <span class=\"sign\">{}</span></span>",
            sign(line)
        );
    } else {
        let _ = write!(
            out,
            "<button type=\"button\" class=\"gutter\" data-line=\"{source}:{number}\" \
             aria-expanded=\"false\" aria-label=\"{}\"><span class=\"n\">{number}</span>\
             <span class=\"sign\">{}</span><span class=\"c\">{}</span></button>",
            label(number, line),
            sign(line),
            line.tests
        );
    }
    let _ = write!(out, "<code>{text}</code>");
    for finding in &line.findings {
        let _ = write!(
            out,
            "<a class=\"to-finding\" href=\"#f{}\">crashes here</a>",
            finding + 1
        );
    }
    out.push_str("</div>\n");
}

fn class(line: &SourceLine) -> String {
    let state = match line.state {
        LineState::NoCode => "",
        LineState::Covered => " covered",
        LineState::Partly => " partly",
        LineState::Missed => " missed",
    };
    let crash = match (line.findings.is_empty(), line.in_crash) {
        (false, _) => " crash crashing",
        (true, true) => " crashing",
        (true, false) => "",
    };
    format!("{state}{crash}")
}

/// A sign with the meaning of the colour.
fn sign(line: &SourceLine) -> &'static str {
    match line.state {
        _ if !line.findings.is_empty() => "✗",
        LineState::Missed => "○",
        LineState::Partly => "◐",
        LineState::Covered if line.in_crash => "!",
        LineState::Covered => "✓",
        LineState::NoCode => "",
    }
}

fn label(number: u32, line: &SourceLine) -> String {
    let reached = match (line.state, line.tests) {
        (LineState::Missed, _) => "not reached by any test".to_owned(),
        (LineState::Partly, tests) => {
            format!(
                "reached by {}, but not all clauses on it",
                counted(tests, "test")
            )
        }
        (LineState::Covered | LineState::NoCode, tests) => {
            format!("reached by {}", counted(tests, "test"))
        }
    };
    let crash = match (line.findings.is_empty(), line.in_crash) {
        (false, _) => ", crashes here",
        (true, true) => ", in a clause that crashes",
        (true, false) => "",
    };
    format!("line {number}: {reached}{crash}")
}

/// The lines of a text as HTML, with coloured tokens.
fn coloured(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut put = |text: &str, class: &str| {
        for (number, piece) in text.split('\n').enumerate() {
            if number > 0 {
                lines.push(String::new());
            }
            let Some(line) = lines.last_mut().filter(|_| !piece.is_empty()) else {
                continue;
            };
            let piece = escape(piece.trim_end_matches('\r'));
            if class.is_empty() {
                line.push_str(&piece);
            } else {
                let _ = write!(line, "<span class=\"{class}\">{piece}</span>");
            }
        }
    };
    let mut at = 0;
    for token in tokens(text) {
        let class = match token.kind {
            TokenKind::Comment => "tc",
            TokenKind::Quoted => "ts",
            TokenKind::Keyword => "tk",
            TokenKind::Variable => "tv",
            TokenKind::Number => "tn",
            TokenKind::Macro => "tm",
            TokenKind::Atom | TokenKind::Sign | TokenKind::Dot => continue,
        };
        put(text.get(at..token.start).unwrap_or_default(), "");
        put(text.get(token.start..token.end).unwrap_or_default(), class);
        at = token.end;
    }
    put(text.get(at..).unwrap_or_default(), "");
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_stays_one_line() {
        let lines = coloured("f(X) -> \"a\n<b\"; % '\nf(y).\r\n");
        let expected = [
            "f(<span class=\"tv\">X</span>) -&gt; <span class=\"ts\">&quot;a</span>",
            "<span class=\"ts\">&lt;b&quot;</span>; <span class=\"tc\">% &#39;</span>",
            "f(y).",
            "",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn signs_and_labels_mean_the_same_as_colours() {
        let mut line = SourceLine {
            state: LineState::Covered,
            tests: 1,
            ..SourceLine::default()
        };
        assert_eq!(label(12, &line), "line 12: reached by 1 test");
        line.findings.push(0);
        line.tests = 3;
        assert_eq!(sign(&line), "✗");
        assert_eq!(
            label(12, &line),
            "line 12: reached by 3 tests, crashes here"
        );
        line = SourceLine {
            state: LineState::Missed,
            ..SourceLine::default()
        };
        assert_eq!((sign(&line), class(&line).as_str()), ("○", " missed"));
        assert_eq!(label(2, &line), "line 2: not reached by any test");
    }
}
