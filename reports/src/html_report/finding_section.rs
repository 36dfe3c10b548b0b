//! The section with findings: input, stack, code, and the decisions that lead to the crash.

use std::fmt::Write;

use super::chart_section;
use super::escaping::escape;
use super::line_links::{line_id, line_link};
use super::page::{FindingPage, LineState, OrderPage, Page, StepPage};
use crate::counted::counted;

/// Long paths are shown without their middle, which is in the tree.
const FIRST_STEPS: usize = 20;
const LAST_STEPS: usize = 40;

/// At most this many other inputs are shown.
const MOST_OTHERS: usize = 50;

/// If more clauses than this did not match, they are folded.
const MOST_PASSED_OVER: usize = 3;

/// How many lines are shown before and after the one that crashes.
const AROUND: u32 = 3;

/// The section with all findings.
pub(super) fn section(page: &Page) -> String {
    let mut out = String::new();
    if page.findings.iter().all(|it| it.is_accepted) {
        out.push_str(&nothing(page));
    }
    let mut heading = "";
    for (number, finding) in page.findings.iter().enumerate() {
        let own = heading_of(finding);
        if own != heading {
            // Writing to a string cannot fail.
            let _ = write!(out, "<h3 class=\"kind\">{own}</h3>");
            heading = own;
        }
        one_finding(&mut out, page, number, finding);
    }
    if page.unlikely_left_out > 0 {
        let count = counted(page.unlikely_left_out, "finding");
        let _ = write!(
            out,
            "<p class=\"nothing\">{count} with unlikely inputs left out.</p>"
        );
    }
    out
}

/// The heading of findings of some kind.
fn heading_of(finding: &FindingPage) -> &'static str {
    match (finding.is_accepted, finding.is_likely) {
        (true, _) => "Accepted findings",
        (false, false) => "Unlikely inputs",
        (false, true) => "",
    }
}

fn nothing(page: &Page) -> String {
    let tests = page.entries.iter().map(|it| it.tests.len()).sum();
    let tests = counted(tests, "test");
    let more = if page.is_complete {
        "and all paths were run".to_owned()
    } else {
        "but <a href=\"#skipped\">some paths were skipped</a>".to_owned()
    };
    let rejected = page.rejected.as_ref();
    let rejected = rejected.map_or_else(String::new, |text| format!(" {text}."));
    let crashes = if page.findings.is_empty() {
        format!("None of {tests} crashes")
    } else {
        format!("All crashes of {tests} are accepted")
    };
    format!("<p class=\"nothing\">{crashes}, {more}.{rejected}</p>")
}

fn one_finding(out: &mut String, page: &Page, number: usize, finding: &FindingPage) {
    let id = format!("f{}", number + 1);
    let part = |name: &str| format!("<h4 class=\"part\">{name}</h4>");
    let place = finding.place.as_ref().map(line_link);
    let place = place.map_or_else(String::new, |it| format!("{it} · "));
    let callee = finding.callee.as_ref();
    let callee = callee.map_or_else(String::new, |it| {
        format!("calls <code>{}</code> · ", escape(it))
    });
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "<article class=\"finding\" id=\"{id}\" aria-labelledby=\"{id}-name\">\
         <h3 id=\"{id}-name\" class=\"name\"><span class=\"what\">{}</span> <code>{}</code></h3>\
         <p class=\"where\">{place}{callee}<button type=\"button\" class=\"link\" hidden \
         data-test=\"{}:{}\">test {}</button> · {}</p>",
        escape(&finding.what),
        escape(&finding.title),
        finding.entry,
        finding.test,
        finding.test + 1,
        confirmed(finding)
    );
    frame(out, page, finding);
    let _ = write!(
        out,
        "<div class=\"columns\"><div>{}<dl class=\"input\">",
        part("Input")
    );
    for (name, value) in &finding.arguments {
        let _ = write!(
            out,
            "<div><dt><code>{}</code></dt><dd><code>{}</code></dd></div>",
            escape(name),
            escape(value)
        );
    }
    let call = escape(&finding.call);
    let _ = if call.contains('\n') {
        write!(
            out,
            "</dl><p class=\"try\">Reproduce with:</p><pre class=\"script\">{call}</pre></div>"
        )
    } else {
        write!(
            out,
            "</dl><p class=\"try\">Reproduce with: <code>{call}</code></p></div>"
        )
    };
    if !finding.stack.is_empty() {
        let _ = write!(out, "<div>{}", part("Stack"));
        stack(out, finding);
        out.push_str("</div>");
    }
    out.push_str("</div>");
    if let Some(order) = &finding.order {
        out.push_str(&part("Processes"));
        processes(out, order);
    }
    if let Some(chart) = &finding.chart {
        chart_section::section(out, page, chart);
    }
    out.push_str(&part("Path to the crash"));
    steps(out, &finding.steps);
    others(out, finding);
    out.push_str("</article>");
}

fn confirmed(finding: &FindingPage) -> &'static str {
    if finding.is_on_code {
        "confirmed on the original code"
    } else {
        "confirmed with its schedule"
    }
}

/// Who crashes or waits, the schedule, and the two steps whose order matters.
fn processes(out: &mut String, order: &OrderPage) {
    out.push_str("<ul class=\"order\">");
    if order.waiting.is_empty() {
        let process = escape(&order.process);
        let _ = write!(out, "<li>process <code>{process}</code> crashes</li>");
    }
    for (process, function, place) in &order.waiting {
        let place = place.as_ref().map(line_link).unwrap_or_default();
        let _ = write!(
            out,
            "<li>process <code>{}</code> waits in <code>{}</code> {place}</li>",
            escape(process),
            escape(function)
        );
    }
    if let [one, other] = order.race.as_slice() {
        let (one, other) = (line_link(one), line_link(other));
        let _ = write!(out, "<li>the order of {one} and {other} matters</li>");
    }
    if let Some(schedule) = &order.schedule {
        let schedule = escape(schedule);
        let _ = write!(out, "<li>schedule: <code>{schedule}</code></li>");
    }
    out.push_str("</ul>");
}

/// The lines around the crash.
fn frame(out: &mut String, page: &Page, finding: &FindingPage) {
    let Some(place) = &finding.place else { return };
    let Some((number, source)) = place
        .source
        .and_then(|number| Some((number, page.sources.get(number)?)))
    else {
        return;
    };
    let first = place.line.saturating_sub(AROUND).max(1);
    let lines = source.text.split('\n').zip(&source.lines).zip(1_u32..);
    let near = lines
        .filter(|(_, line)| (first..=place.line + AROUND).contains(line))
        .skip_while(|((text, _), _)| text.trim().is_empty());
    out.push_str("<pre class=\"frame\" tabindex=\"0\" role=\"region\" aria-label=\"Code\">");
    for ((text, line), index) in near {
        let is_crash = index == place.line;
        let class = match line.state {
            _ if is_crash => "here",
            LineState::NoCode => "quiet",
            LineState::Covered | LineState::Partly | LineState::Missed => "",
        };
        let _ = write!(
            out,
            "<span class=\"row {class}\"><a href=\"#{}\" class=\"n\">{index}</a>\
             <span class=\"sign\">{}</span>{}\n</span>",
            line_id(number, index),
            if is_crash { "✗" } else { " " },
            escape(text.trim_end_matches('\r'))
        );
    }
    out.push_str("</pre>");
}

fn stack(out: &mut String, finding: &FindingPage) {
    out.push_str("<ol class=\"stack\">");
    for (function, place) in &finding.stack {
        let place = place.as_ref().map(line_link).unwrap_or_default();
        let _ = write!(out, "<li><code>{}</code> {place}</li>", escape(function));
    }
    out.push_str("</ol>");
}

fn steps(out: &mut String, steps: &[StepPage]) {
    if steps.is_empty() {
        out.push_str(
            "<p class=\"nothing\">Every input crashes here: there is no decision before.</p>",
        );
        return;
    }
    out.push_str("<ol class=\"steps\">");
    let is_long = steps.len() > FIRST_STEPS + LAST_STEPS + 1;
    for (number, step) in steps.iter().enumerate() {
        let in_middle = number >= FIRST_STEPS && number < steps.len() - LAST_STEPS.min(steps.len());
        if is_long && in_middle {
            if number == FIRST_STEPS {
                let count = steps.len() - FIRST_STEPS - LAST_STEPS;
                let _ = write!(
                    out,
                    "<li class=\"skipped\">{} not shown here</li>",
                    counted(count, "decision")
                );
            }
            continue;
        }
        one_step(out, number, step);
    }
    out.push_str("</ol>");
}

fn one_step(out: &mut String, number: usize, step: &StepPage) {
    let place = step.place.as_ref().map(line_link).unwrap_or_default();
    let _ = write!(
        out,
        "<li value=\"{}\"><div class=\"chosen\"><code class=\"code\">{}</code> \
         <span class=\"verb\">{}</span></div><div class=\"at\">{place} <span>{}</span></div>",
        number + 1,
        escape(&step.code),
        escape(&step.what),
        escape(&step.function)
    );
    if !step.condition.is_empty() {
        let _ = write!(
            out,
            "<div class=\"condition\">because <code>{}</code></div>",
            escape(&step.condition)
        );
    }
    passed_over(out, &step.passed_over);
    out.push_str("</li>");
}

/// The clauses before it that did not match, folded if there are many.
fn passed_over(out: &mut String, clauses: &[String]) {
    if clauses.is_empty() {
        return;
    }
    let count = counted(clauses.len(), "clause");
    let name = match clauses.len() {
        1 => format!("{count} before it does not match"),
        _ => format!("{count} before it do not match"),
    };
    let (open, name, close) = if clauses.len() > MOST_PASSED_OVER {
        (
            "<details>",
            format!("<summary>{name}</summary>"),
            "</details>",
        )
    } else {
        ("<div>", name, "</div>")
    };
    let _ = write!(out, "<div class=\"passed\">{open}{name}<ul>");
    for clause in clauses {
        let _ = write!(out, "<li><code>{}</code></li>", escape(clause));
    }
    let _ = write!(out, "</ul>{close}</div>");
}

/// Other inputs that crash there.
fn others(out: &mut String, finding: &FindingPage) {
    if !finding.other_entries.is_empty() {
        let count = counted(finding.other_entries.len(), "other function");
        let verb = verb(finding.other_entries.len());
        let name = format!("{count} {verb} here too");
        calls(out, &name, "other-entries", &finding.other_entries, 0);
    }
    let count = finding.also.len() + finding.not_shown;
    if count > 0 {
        let name = format!("{} {} here too", counted(count, "other input"), verb(count));
        calls(out, &name, "also", &finding.also, finding.not_shown);
    }
}

fn verb(count: usize) -> &'static str {
    if count == 1 { "crashes" } else { "crash" }
}

/// A list of calls, folded.
fn calls(out: &mut String, name: &str, class: &str, calls: &[String], not_shown: usize) {
    let _ = write!(
        out,
        "<details class=\"{class}\"><summary>{name}</summary><ul>"
    );
    for call in calls.iter().take(MOST_OTHERS) {
        let _ = write!(out, "<li><code>{}</code></li>", escape(call));
    }
    let more = calls.len().saturating_sub(MOST_OTHERS) + not_shown;
    if more > 0 {
        let _ = write!(out, "<li>and {more} more</li>");
    }
    out.push_str("</ul></details>");
}
