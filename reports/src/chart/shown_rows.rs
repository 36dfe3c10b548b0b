//! Which rows of a long chart are shown.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{Chart, RowKind};
use crate::counted::counted;

/// Of a long chart so many rows are shown at its beginning and at its end.
const FIRST_ROWS: usize = 8;
const LAST_ROWS: usize = 12;

/// So many are shown before and after a step whose order matters.
const AROUND_RACE: usize = 3;

/// A few rows in a gap are better shown.
const SMALLEST_GAP: usize = 3;

/// A row, or a gap for some that are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ShownRow {
    /// The row with this number.
    Row(usize),
    /// These are left out.
    Gap(Range<usize>),
}

/// The rows to be shown if there may be so many. Crashes and the steps whose order matters are
/// always shown.
pub(crate) fn shown_rows(chart: &Chart, most: usize) -> Vec<ShownRow> {
    let count = chart.rows.len();
    if count <= most {
        return (0..count).map(ShownRow::Row).collect();
    }
    let mut kept: BTreeSet<usize> = (0..FIRST_ROWS).collect();
    kept.extend(count.saturating_sub(LAST_ROWS)..count);
    for (number, row) in chart.rows.iter().enumerate() {
        if row.is_racing {
            let first = number.saturating_sub(AROUND_RACE);
            kept.extend(first..=(number + AROUND_RACE).min(count - 1));
        }
        if matches!(row.kind, RowKind::Crashes(_)) {
            kept.insert(number);
        }
    }
    let mut shown = Vec::new();
    let mut next = 0;
    for number in kept.into_iter().chain([count]) {
        if number - next >= SMALLEST_GAP {
            shown.push(ShownRow::Gap(next..number));
        } else {
            shown.extend((next..number).map(ShownRow::Row));
        }
        if number < count {
            shown.push(ShownRow::Row(number));
        }
        next = number + 1;
    }
    shown
}

impl Chart {
    /// That steps of other code have no rows.
    pub(crate) fn words_of_left_out(&self) -> String {
        let steps = counted(self.left_out, "more step");
        format!("not shown: {steps} of code that is not yours")
    }

    /// What is left out: `37 steps of 0.1 and 0.2`, with messages that were taken counted as steps.
    pub(crate) fn words_of_gap(&self, gap: &Range<usize>) -> String {
        let rows = self.rows.get(gap.clone()).unwrap_or_default();
        let lanes: BTreeSet<usize> = rows.iter().map(|it| it.lane).collect();
        let mut names: Vec<&str> = lanes.into_iter().map(|it| self.path(it)).collect();
        if names.len() > 4 {
            names.truncate(3);
            names.push("others");
        }
        let names = match names.as_slice() {
            [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
            names => names.concat(),
        };
        format!("{} steps of {names}", rows.len())
    }
}
