//! The chart of a finding: a column for each process, arrows for messages. A step can be unfolded to
//! see its line.

use std::fmt::Write;

use super::escaping::escape;
use super::line_links::{line_id, line_link};
use super::page::{ChartPage, LinePage, Page};
use super::waiting_graph::waiting_graph;
use crate::chart::{
    Chart, ChartRow, LaneState, RowKind, ShownRow, lane_states, row_text, shown_rows,
};

/// Longer charts are shown without their middle.
const MOST_ROWS: usize = 200;

/// At most so many messages that nobody took are listed.
const MOST_UNREAD: usize = 50;

/// The height of a row.
const HEIGHT: usize = 28;

/// The chart, the processes, who waits for whom, and the messages that nobody took.
pub(super) fn section(out: &mut String, page: &Page, shown: &ChartPage) {
    let chart = &shown.chart;
    processes(out, chart);
    waiting_graph(out, chart);
    rows(out, page, shown);
    unread(out, chart);
}

/// All processes, and how they ended.
fn processes(out: &mut String, chart: &Chart) {
    out.push_str(
        "<div class=\"wide\"><table class=\"processes\"><thead><tr><th scope=\"col\">Process</th>\
         <th scope=\"col\">Started with</th><th scope=\"col\">Ended</th></tr></thead><tbody>",
    );
    for (number, lane) in chart.lanes.iter().enumerate() {
        let end = chart.rows.iter().rev();
        let end = end.filter(|it| it.lane == number);
        let mut end = end.filter(|it| it.kind.is_end() || it.kind == RowKind::Waits);
        let (class, words) = match end.next() {
            Some(row) => (class(&row.kind), row_text(chart, row)),
            None => ("", "still runs when the run is over".to_owned()),
        };
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "<tr><th scope=\"row\"><code>{}</code></th><td><code>{}</code></td>\
             <td class=\"{class}\">{}</td></tr>",
            escape(&lane.path),
            escape(&lane.entry),
            escape(&words)
        );
    }
    out.push_str("</tbody></table></div>");
}

/// The class of what happens in a row.
fn class(kind: &RowKind) -> &'static str {
    match kind {
        RowKind::Crashes(_) => "bad",
        RowKind::Waits => "open",
        RowKind::Sends { .. }
        | RowKind::Delivers { .. }
        | RowKind::Starts { .. }
        | RowKind::Takes { .. }
        | RowKind::TimesOut
        | RowKind::Calls(_)
        | RowKind::Ends(_)
        | RowKind::IsEnded { .. } => "",
    }
}

fn rows(out: &mut String, page: &Page, shown: &ChartPage) {
    let chart = &shown.chart;
    let states = lane_states(chart);
    let columns = Columns::new(chart.lanes.len());
    out.push_str("<div class=\"wide\"><ol class=\"chart\" aria-label=\"What the processes do\">");
    header(out, chart, columns);
    for row in shown_rows(chart, MOST_ROWS) {
        match row {
            ShownRow::Row(number) => {
                let lanes = states.get(number).map_or(&[][..], Vec::as_slice);
                let place = shown.places.get(number).and_then(Option::as_ref);
                if let Some(row) = chart.rows.get(number) {
                    let picture = columns.picture(row, lanes);
                    one_row(out, page, chart, row, (&picture, place));
                }
            }
            ShownRow::Gap(gap) => {
                let words = chart.words_of_gap(&gap);
                let _ = write!(
                    out,
                    "<li class=\"skipped\">{} not shown here</li>",
                    escape(&words)
                );
            }
        }
    }
    out.push_str("</ol></div>");
    if chart.left_out > 0 {
        let words = escape(&chart.words_of_left_out());
        let _ = write!(out, "<p class=\"hint\">{words}</p>");
    }
    if chart.is_cut {
        out.push_str("<p class=\"hint\">The run goes on, but is too long to be shown.</p>");
    }
    let race = if chart.rows.iter().any(|it| it.is_racing) {
        " The order of the marked steps matters."
    } else {
        ""
    };
    let _ = write!(
        out,
        "<p class=\"hint\">Choose a step to see its line. A dotted line waits for a message.{race}</p>"
    );
}

/// The names of the processes above their columns.
fn header(out: &mut String, chart: &Chart, columns: Columns) {
    let _ = write!(
        out,
        "<li class=\"lanes\"><svg width=\"{}\" height=\"{HEIGHT}\" role=\"img\" \
         aria-label=\"Processes\">",
        columns.width()
    );
    for (number, lane) in chart.lanes.iter().enumerate() {
        let _ = write!(
            out,
            "<text x=\"{}\" y=\"18\" text-anchor=\"middle\"><title>{}</title>{}</text>",
            columns.x(number),
            escape(&lane.entry),
            escape(&lane.path)
        );
    }
    out.push_str("</svg></li>");
}

fn one_row(
    out: &mut String,
    page: &Page,
    chart: &Chart,
    row: &ChartRow,
    (picture, place): (&str, Option<&LinePage>),
) {
    let race = if row.is_racing { " race" } else { "" };
    let mark = if row.is_racing {
        " <span class=\"mark\">race</span>"
    } else {
        ""
    };
    let head = format!(
        "{picture}<span class=\"words\"><code>{}</code> {}</span>{mark}",
        escape(chart.path(row.lane)),
        escape(&row_text(chart, row))
    );
    let _ = write!(out, "<li class=\"{}{race}\">", class(&row.kind));
    match place {
        Some(place) => {
            let _ = write!(
                out,
                "<details><summary>{head} <span class=\"at\">{}</span></summary>{}</details>",
                escape(&place.text),
                source_line(page, place)
            );
        }
        None => {
            let _ = write!(out, "<div class=\"plain\">{head}</div>");
        }
    }
    out.push_str("</li>");
}

/// The line of a step, with a link to it.
fn source_line(page: &Page, place: &LinePage) -> String {
    let source = place.source.and_then(|it| page.sources.get(it));
    let index = usize::try_from(place.line).unwrap_or(0).saturating_sub(1);
    let text = source.and_then(|it| it.text.split('\n').nth(index));
    match (place.source, text) {
        (Some(number), Some(text)) => format!(
            "<pre class=\"frame\"><span class=\"row\"><a href=\"#{}\" class=\"n\">{}</a>{}\n</span></pre>",
            line_id(number, place.line),
            place.line,
            escape(text.trim_end_matches('\r'))
        ),
        _ => line_link(place),
    }
}

/// The messages that nobody took.
fn unread(out: &mut String, chart: &Chart) {
    if chart.unread.is_empty() {
        return;
    }
    out.push_str("<h4 class=\"part\">Never received</h4><ul class=\"unread\">");
    for mail in chart.unread.iter().take(MOST_UNREAD) {
        let _ = write!(
            out,
            "<li><code>{}</code> from <code>{}</code> to <code>{}</code></li>",
            escape(&mail.message),
            escape(chart.path(mail.from)),
            escape(chart.path(mail.to))
        );
    }
    if chart.unread.len() > MOST_UNREAD {
        let more = chart.unread.len() - MOST_UNREAD;
        let _ = write!(out, "<li>and {more} more</li>");
    }
    out.push_str("</ul>");
}

/// Where the columns of the processes are.
#[derive(Clone, Copy)]
struct Columns {
    lanes: usize,
    distance: usize,
}

impl Columns {
    fn new(lanes: usize) -> Self {
        let distance = match lanes {
            0..=6 => 84,
            7..=12 => 60,
            _ => 44,
        };
        Self { lanes, distance }
    }

    fn x(self, lane: usize) -> usize {
        self.distance / 2 + lane * self.distance
    }

    fn width(self) -> usize {
        self.lanes * self.distance
    }

    /// A row of the chart as a picture.
    fn picture(self, row: &ChartRow, lanes: &[LaneState]) -> String {
        let mut out = format!(
            "<svg width=\"{}\" height=\"{HEIGHT}\" aria-hidden=\"true\">",
            self.width()
        );
        let middle = HEIGHT / 2;
        for (lane, state) in lanes.iter().enumerate() {
            let class = match state {
                LaneState::Absent => continue,
                LaneState::Running => "life",
                LaneState::Waiting => "life waits",
            };
            let ends = row.lane == lane && row.kind.is_end();
            let end = if ends { middle } else { HEIGHT };
            let x = self.x(lane);
            let _ = write!(out, "<path class=\"{class}\" d=\"M{x} 0V{end}\"/>");
        }
        self.mark(&mut out, row);
        out.push_str("</svg>");
        out
    }

    fn mark(self, out: &mut String, row: &ChartRow) {
        let (x, middle) = (self.x(row.lane), HEIGHT / 2);
        let target = Chart::target(row).filter(|it| *it != row.lane);
        if let Some(target) = target {
            let posted = matches!(row.kind, RowKind::Sends { arrives: false, .. });
            self.arrow(out, (row.lane, target), if posted { " posted" } else { "" });
        }
        let _ = match &row.kind {
            RowKind::Starts { child } => {
                let child = self.x(*child);
                write!(
                    out,
                    "<path class=\"life\" d=\"M{child} {middle}V{HEIGHT}\"/>\
                     <path class=\"stop\" d=\"M{} {middle}h16\"/>",
                    child.saturating_sub(8)
                )
            }
            RowKind::Sends { .. } | RowKind::Delivers { .. } if target.is_some() => Ok(()),
            RowKind::Crashes(_) | RowKind::IsEnded { .. } => write!(
                out,
                "<path class=\"cross\" d=\"M{} {}l12 12m0 -12l-12 12\"/>",
                x.saturating_sub(6),
                middle - 6
            ),
            RowKind::Ends(_) => write!(
                out,
                "<path class=\"stop\" d=\"M{} {middle}h16\"/>",
                x.saturating_sub(8)
            ),
            RowKind::Sends { .. }
            | RowKind::Delivers { .. }
            | RowKind::Takes { .. }
            | RowKind::TimesOut
            | RowKind::Calls(_)
            | RowKind::Waits => {
                write!(
                    out,
                    "<circle class=\"dot\" cx=\"{x}\" cy=\"{middle}\" r=\"4\"/>"
                )
            }
        };
    }

    fn arrow(self, out: &mut String, (from, to): (usize, usize), class: &str) {
        let (from, to, middle) = (self.x(from), self.x(to), HEIGHT / 2);
        let (end, head) = if from < to {
            (to - 8, "-8 -5v10z")
        } else {
            (to + 8, "8 -5v10z")
        };
        let tip = if from < to { to - 1 } else { to + 1 };
        let _ = write!(
            out,
            "<path class=\"arrow{class}\" d=\"M{from} {middle}H{end}\"/>\
             <path class=\"head\" d=\"M{tip} {middle}l{head}\"/>"
        );
    }
}
