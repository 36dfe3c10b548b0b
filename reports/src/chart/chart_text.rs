//! A chart as text: a column for each process, time goes down.
//!
//! ```text
//!      0    0.1   0.2
//!      |---->+                cell.erl:12  starts 0.1
//!      |-----|---->+          cell.erl:13  starts 0.2
//!   *  |     :<----|          cell.erl:20  sends {add,1}
//! ```
//!
//! A process that waits for a message is `:`, otherwise it is `|`.

use std::fmt::Write;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{
    Chart, ChartRow, LaneState, RowKind, ShownRow, UnreadMail, lane_states, row_text, shown_rows,
};
use crate::source_place::SourcePlace;
use crate::terminal::visible_name;

/// Lines have at most this many columns.
const COLUMNS: usize = 100;

/// At most this many columns are for processes; the others share one.
const COLUMNS_OF_LANES: usize = 54;

/// The widest distance of two processes.
const WIDEST: usize = 12;

/// Longer charts are shown without their middle.
const MOST_ROWS: usize = 40;

/// At most so many columns are for places.
const COLUMNS_OF_PLACES: usize = 28;

/// At most so many messages that nobody took are shown.
const MOST_UNREAD: usize = 5;

/// What stands for the rest of a text.
const CUT: &str = "...";

/// The chart as lines of text.
pub fn chart_text(chart: &Chart) -> String {
    let layout = Layout::new(chart);
    let drawing = Drawing::new(chart, &layout);
    let mut out = layout.names(chart);
    out.push_str(&layout.header(chart));
    for shown in shown_rows(chart, MOST_ROWS) {
        let line = match shown {
            ShownRow::Row(number) => drawing.row(number),
            ShownRow::Gap(gap) => {
                let words = chart.words_of_gap(&gap);
                drawing.gap(&format!("{CUT} {words} {CUT}"))
            }
        };
        push_line(&mut out, &line);
    }
    push_notes(&mut out, chart);
    out
}

fn push_line(out: &mut String, line: &str) {
    out.push_str(line.trim_end());
    out.push('\n');
}

/// What is said below a chart.
fn push_notes(out: &mut String, chart: &Chart) {
    // Writing to a string cannot fail.
    if chart.is_cut {
        out.push_str("the run goes on, but is too long to be shown\n");
    }
    if chart.left_out > 0 {
        let _ = writeln!(out, "{}", chart.words_of_left_out());
    }
    if chart.rows.iter().any(|it| it.is_racing) {
        out.push_str("* the order of these steps matters\n");
    }
    for mail in chart.unread.iter().take(MOST_UNREAD) {
        let words = unread_text(chart, mail);
        push_line(out, &fitting(&visible_name(&words), COLUMNS));
    }
    if chart.unread.len() > MOST_UNREAD {
        let more = chart.unread.len() - MOST_UNREAD;
        let _ = writeln!(out, "never taken: {more} more messages");
    }
}

fn unread_text(chart: &Chart, mail: &UnreadMail) -> String {
    let (from, to) = (chart.path(mail.from), chart.path(mail.to));
    format!("never taken: {} from {from} to {to}", mail.message)
}

/// Where things are drawn.
struct Layout {
    /// The column of each process. Those that there is no room for share the last one.
    columns: Vec<usize>,
    /// How many processes have a column of their own.
    own: usize,
    /// The distance of two processes.
    distance: usize,
    /// The width of the places.
    places: usize,
}

impl Layout {
    fn new(chart: &Chart) -> Self {
        let widest = chart.lanes.iter().map(|it| it.path.len()).max();
        let least = (widest.unwrap_or(1) + 1).max(5);
        let count = chart.lanes.len().max(1);
        let room = (COLUMNS_OF_LANES / least).max(2);
        let own = if count <= room { count } else { room - 1 };
        let shown = count.min(room);
        let distance = (COLUMNS_OF_LANES / shown).clamp(least, WIDEST);
        let columns = (0..chart.lanes.len()).map(|it| it.min(own) * distance);
        let places = chart.rows.iter().filter_map(|it| it.place.as_ref());
        let places = places.map(|it| it.short().width()).max();
        Self {
            columns: columns.collect(),
            own,
            distance,
            places: places.unwrap_or(0).min(COLUMNS_OF_PLACES),
        }
    }

    fn column(&self, lane: usize) -> usize {
        self.columns.get(lane).copied().unwrap_or(0)
    }

    /// The width of the part with the processes.
    fn width(&self) -> usize {
        let last = self.columns.iter().max().copied();
        last.unwrap_or(0) + self.distance.min(8)
    }

    /// The functions of the processes, one in each line.
    fn names(&self, chart: &Chart) -> String {
        let mut out = String::new();
        let widest = chart.lanes.iter().map(|it| it.path.len()).max();
        for lane in chart.lanes.iter().take(self.own) {
            let (path, width) = (&lane.path, widest.unwrap_or(0));
            let line = format!("process {path:width$}  {}", visible_name(&lane.entry));
            push_line(&mut out, &fitting(&line, COLUMNS));
        }
        if chart.lanes.len() > self.own {
            let _ = writeln!(
                out,
                "others: {} more processes",
                chart.lanes.len() - self.own
            );
        }
        out
    }

    fn header(&self, chart: &Chart) -> String {
        let mut canvas = vec![' '; self.width() + self.distance];
        let mut place = |at: usize, text: &str| {
            for (offset, character) in text.chars().enumerate() {
                if let Some(slot) = canvas.get_mut(at + offset) {
                    *slot = character;
                }
            }
        };
        for (lane, column) in chart.lanes.iter().zip(&self.columns).take(self.own) {
            place(*column, &lane.path);
        }
        if chart.lanes.len() > self.own {
            place(self.own * self.distance, "others");
        }
        let mut out = String::new();
        push_line(&mut out, &format!("  {}", String::from_iter(canvas)));
        out
    }
}

/// Draws the rows of a chart.
struct Drawing<'chart> {
    chart: &'chart Chart,
    layout: &'chart Layout,
    states: Vec<Vec<LaneState>>,
}

impl<'chart> Drawing<'chart> {
    fn new(chart: &'chart Chart, layout: &'chart Layout) -> Self {
        Self {
            chart,
            layout,
            states: lane_states(chart),
        }
    }

    /// The processes as columns.
    fn canvas(&self, number: usize) -> Vec<char> {
        let mut canvas = vec![' '; self.layout.width()];
        let states = self.states.get(number).map_or(&[][..], Vec::as_slice);
        // Where processes share a column, one that does not wait is seen.
        for (shown, character) in [(LaneState::Waiting, ':'), (LaneState::Running, '|')] {
            for (lane, _) in states.iter().enumerate().filter(|it| *it.1 == shown) {
                put(&mut canvas, self.layout.column(lane), character);
            }
        }
        canvas
    }

    fn row(&self, number: usize) -> String {
        let Some(row) = self.chart.rows.get(number) else {
            return String::new();
        };
        let place = row.place.as_ref().map(SourcePlace::short);
        let place = visible_name(place.as_deref().unwrap_or_default()).into_owned();
        let place = fitting(&place, self.layout.places);
        let padding = " ".repeat(self.layout.places.saturating_sub(place.width()));
        let mark = if row.is_racing { '*' } else { ' ' };
        let drawn = self.drawn(number, row);
        let head = format!("{mark} {drawn}{place}{padding}  ");
        let room = COLUMNS.saturating_sub(head.width());
        let mut words = row_text(self.chart, row);
        if row.lane >= self.layout.own {
            words = format!("{} {words}", self.chart.path(row.lane));
        }
        format!("{head}{}", fitting(&visible_name(&words), room))
    }

    /// The processes in a row, and what one of them does.
    fn drawn(&self, number: usize, row: &ChartRow) -> String {
        let mut canvas = self.canvas(number);
        let (from, to) = (row.lane, Chart::target(row).unwrap_or(row.lane));
        let columns = (self.layout.column(from), self.layout.column(to));
        let is_arrow = columns.0 != columns.1;
        if is_arrow {
            let is_posted = matches!(&row.kind, RowKind::Sends { arrives: false, .. });
            arrow(&mut canvas, columns, if is_posted { '.' } else { '-' });
        }
        let mark = match &row.kind {
            RowKind::Starts { .. } => '|',
            RowKind::Sends { .. } | RowKind::Delivers { .. } if is_arrow => '|',
            RowKind::Sends { .. }
            | RowKind::Delivers { .. }
            | RowKind::Takes { .. }
            | RowKind::TimesOut
            | RowKind::Calls(_) => 'o',
            RowKind::Ends(_) => '=',
            RowKind::Crashes(_) | RowKind::IsEnded { .. } => 'X',
            RowKind::Waits => ':',
        };
        put(&mut canvas, columns.0, mark);
        if let RowKind::Starts { child } = row.kind {
            put(&mut canvas, self.layout.column(child), '+');
        }
        canvas.into_iter().collect()
    }

    fn gap(&self, words: &str) -> String {
        let width = 2 + self.layout.width() + self.layout.places + 2;
        let room = COLUMNS.saturating_sub(width);
        if words.width() <= room {
            return format!("{}{words}", " ".repeat(width));
        }
        format!("  {}", fitting(words, COLUMNS - 2))
    }
}

fn put(canvas: &mut [char], column: usize, character: char) {
    if let Some(slot) = canvas.get_mut(column) {
        *slot = character;
    }
}

/// Draws an arrow between two columns.
fn arrow(canvas: &mut [char], (from, to): (usize, usize), line: char) {
    let (first, last) = (from.min(to), from.max(to));
    for column in first + 1..last {
        put(canvas, column, line);
    }
    if from < to {
        put(canvas, to - 1, '>');
    } else {
        put(canvas, to + 1, '<');
    }
}

/// A text without its end, if it is too wide.
fn fitting(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut width = CUT.len();
    for character in text.chars() {
        width += character.width().unwrap_or(0);
        if width > columns {
            break;
        }
        out.push(character);
    }
    out.push_str(CUT);
    out
}
