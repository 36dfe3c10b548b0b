//! Who waits for whom when a run is over.
//!
//! A `receive` does not say from whom it wants a message. Mostly it is an answer: then it is the
//! process that got the last message of the one that waits.

use super::{Chart, ChartRow, RowKind};

/// Why a process is thought to wait for another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WaitReason {
    /// The lane of the process that waits.
    pub(crate) waiter: usize,
    /// The lane of the process that got its last message; `None` if it sent none.
    pub(crate) to: Option<usize>,
    /// That message.
    pub(crate) message: String,
}

/// For each process that waits when the run is over, to whom it sent its last message.
pub(crate) fn waits_for(chart: &Chart) -> Vec<WaitReason> {
    let waiting = chart.rows.iter().filter(|it| it.kind == RowKind::Waits);
    waiting.map(|row| last_message(chart, row.lane)).collect()
}

fn last_message(chart: &Chart, waiter: usize) -> WaitReason {
    let own = |it: &&ChartRow| it.lane == waiter;
    let mut sent = chart.rows.iter().rev().filter(own);
    let last = sent.find_map(|row| match &row.kind {
        RowKind::Sends { to, message, .. } if *to != waiter => Some((*to, message.clone())),
        RowKind::Sends { .. }
        | RowKind::Delivers { .. }
        | RowKind::Starts { .. }
        | RowKind::Takes { .. }
        | RowKind::TimesOut
        | RowKind::Calls(_)
        | RowKind::Ends(_)
        | RowKind::Crashes(_)
        | RowKind::IsEnded { .. }
        | RowKind::Waits => None,
    });
    let (to, message) = last.map_or((None, String::new()), |it| (Some(it.0), it.1));
    WaitReason {
        waiter,
        to,
        message,
    }
}
