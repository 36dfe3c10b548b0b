//! What processes are doing while others take steps.

use super::{Chart, ChartRow, RowKind};

/// What a process is doing in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LaneState {
    /// It has not started, or has ended.
    Absent,
    /// It may go on.
    Running,
    /// It waits for a message.
    Waiting,
}

/// For each row the states of all processes. One that starts or ends in a row is absent after it or
/// before it.
pub(crate) fn lane_states(chart: &Chart) -> Vec<Vec<LaneState>> {
    let mut current = vec![LaneState::Absent; chart.lanes.len()];
    set(&mut current, 0, LaneState::Running);
    let mut states = Vec::with_capacity(chart.rows.len());
    for row in &chart.rows {
        states.push(current.clone());
        if let RowKind::Starts { child } = row.kind {
            set(&mut current, child, LaneState::Running);
        }
        if row.kind.is_end() {
            set(&mut current, row.lane, LaneState::Absent);
        }
    }
    for (number, row) in chart.rows.iter().enumerate() {
        if waits_before(&row.kind) {
            mark_waiting(chart, &mut states, number, row);
        }
    }
    states
}

/// Whether a process has waited before it does this.
fn waits_before(kind: &RowKind) -> bool {
    match kind {
        RowKind::Takes { waited, .. } => *waited,
        RowKind::Waits => true,
        RowKind::Sends { .. }
        | RowKind::Delivers { .. }
        | RowKind::Starts { .. }
        | RowKind::TimesOut
        | RowKind::Calls(_)
        | RowKind::Ends(_)
        | RowKind::Crashes(_)
        | RowKind::IsEnded { .. } => false,
    }
}

/// A process waits from the last thing that it did to this row.
fn mark_waiting(chart: &Chart, states: &mut [Vec<LaneState>], number: usize, row: &ChartRow) {
    let is_own = |it: &ChartRow| {
        let is_start = matches!(it.kind, RowKind::Starts { child } if child == row.lane);
        let is_delivery = matches!(it.kind, RowKind::Delivers { .. });
        is_start || it.lane == row.lane && !is_delivery
    };
    let before = chart.rows.get(..number).unwrap_or_default();
    let start = before.iter().rposition(is_own).map_or(0, |it| it + 1);
    let is_over = row.kind == RowKind::Waits;
    // A process that waits for ever still does so while others come to their ends.
    let end = if is_over { states.len() } else { number };
    for lanes in states.get_mut(start..end).unwrap_or_default() {
        set(lanes, row.lane, LaneState::Waiting);
    }
}

fn set(states: &mut [LaneState], lane: usize, state: LaneState) {
    if let Some(slot) = states.get_mut(lane) {
        *slot = state;
    }
}
