//! Message sequence charts: who sent what to whom in a run of several processes.
//!
//! A [`Chart`] is plain data that text and page share: a lane for each process, and rows in the
//! order in which things happened.

mod chart_json;
mod chart_text;
mod from_course;
mod idle_lanes;
mod lane_states;
mod row_text;
mod shown_rows;
mod waits_for;

use crate::source_place::SourcePlace;
pub use chart_json::chart_json;
pub use chart_text::chart_text;
pub use from_course::{ChartedRun, Racing};
pub(crate) use lane_states::{LaneState, lane_states};
pub(crate) use row_text::row_text;
pub(crate) use shown_rows::{ShownRow, shown_rows};
pub(crate) use waits_for::{WaitReason, waits_for};

/// A message sequence chart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chart {
    /// The processes.
    pub lanes: Vec<Lane>,
    /// What they did, in order.
    pub rows: Vec<ChartRow>,
    /// The messages that nobody took, in the order in which they were sent.
    pub unread: Vec<UnreadMail>,
    /// How many steps of code that is not the user's have no row.
    pub left_out: usize,
    /// Whether the run is too long, so that its end is not in the chart.
    pub is_cut: bool,
}

/// A process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// The spawns that led to it: `0.1`.
    pub path: String,
    /// What it started with: `m:f/1`.
    pub entry: String,
}

/// Something that a process did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartRow {
    /// The lane of the process.
    pub lane: usize,
    /// What it did.
    pub kind: RowKind,
    /// Where in the source.
    pub place: Option<SourcePlace>,
    /// Whether it is one of two steps whose order matters.
    pub is_racing: bool,
}

/// What a process did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// It sent a message.
    Sends {
        /// The lane of the receiver.
        to: usize,
        /// The message.
        message: String,
        /// Whether it was there at once.
        arrives: bool,
    },
    /// A message that it sent before arrived.
    Delivers {
        /// The lane of the receiver.
        to: usize,
        /// The message.
        message: String,
    },
    /// It started a process.
    Starts {
        /// The lane of that.
        child: usize,
    },
    /// It took a message.
    Takes {
        /// The lane of the sender, or of the process whose end it is about.
        from: usize,
        /// The message.
        message: String,
        /// Whether it waited for the message.
        waited: bool,
    },
    /// The time of a `receive` was over.
    TimesOut,
    /// It took another step, such as `ets:insert/2`.
    Calls(String),
    /// It returned, or ended as it should; with the value or reason.
    Ends(Option<String>),
    /// It raised: class and reason.
    Crashes(String),
    /// Another process ended it.
    IsEnded {
        /// The lane of that.
        by: usize,
    },
    /// It waits for a message when the run is over.
    Waits,
}

/// A message that nobody took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadMail {
    /// The lane of the sender, or of the process whose end it is about.
    pub from: usize,
    /// The lane of the receiver.
    pub to: usize,
    /// The message.
    pub message: String,
}

impl Chart {
    /// The name of a process.
    pub(crate) fn path(&self, lane: usize) -> &str {
        self.lanes.get(lane).map_or("?", |it| &it.path)
    }

    /// The lane that a row leads to, if it is an arrow.
    pub(crate) fn target(row: &ChartRow) -> Option<usize> {
        match row.kind {
            RowKind::Sends { to, .. } | RowKind::Delivers { to, .. } => Some(to),
            RowKind::Starts { child } => Some(child),
            RowKind::Takes { .. }
            | RowKind::TimesOut
            | RowKind::Calls(_)
            | RowKind::Ends(_)
            | RowKind::Crashes(_)
            | RowKind::IsEnded { .. }
            | RowKind::Waits => None,
        }
    }
}

impl RowKind {
    /// Whether the process is gone after it.
    pub(crate) fn is_end(&self) -> bool {
        match self {
            Self::Ends(_) | Self::Crashes(_) | Self::IsEnded { .. } => true,
            Self::Sends { .. }
            | Self::Delivers { .. }
            | Self::Starts { .. }
            | Self::Takes { .. }
            | Self::TimesOut
            | Self::Calls(_)
            | Self::Waits => false,
        }
    }
}

#[cfg(test)]
mod tests;
