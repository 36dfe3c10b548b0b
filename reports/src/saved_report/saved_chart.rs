//! A chart in a report.

use serde::Deserialize;

use crate::chart::{Chart, ChartRow, Lane, RowKind, UnreadMail};
use crate::source_place::SourcePlace;

/// What the processes of a finding do.
#[derive(Debug, Deserialize)]
pub(super) struct SavedChart {
    processes: Vec<SavedLane>,
    rows: Vec<SavedRow>,
    unread: Vec<SavedMail>,
    left_out: usize,
    cut: bool,
}

#[derive(Debug, Deserialize)]
struct SavedLane {
    path: String,
    entry: String,
}

#[derive(Debug, Deserialize)]
struct SavedMail {
    from: String,
    to: String,
    message: String,
}

#[derive(Debug, Deserialize)]
struct SavedRow {
    process: String,
    file: Option<String>,
    line: Option<i64>,
    racing: bool,
    #[serde(flatten)]
    kind: SavedKind,
}

/// What a process did, by its name in `what`.
#[derive(Debug, Deserialize)]
#[serde(tag = "what", rename_all = "lowercase")]
enum SavedKind {
    Start {
        to: String,
    },
    Send {
        to: String,
        message: String,
        arrives: bool,
    },
    Deliver {
        to: String,
        message: String,
    },
    Take {
        from: String,
        message: String,
        waited: bool,
    },
    Timeout,
    Call {
        call: String,
    },
    End {
        #[serde(default)]
        reason: Option<String>,
    },
    Crash {
        reason: String,
    },
    Ended {
        by: String,
    },
    Wait,
}

impl SavedChart {
    /// The chart, or why it cannot be read.
    pub(super) fn chart(&self) -> Result<Chart, String> {
        let lanes = self.processes.iter().map(|it| Lane {
            path: it.path.clone(),
            entry: it.entry.clone(),
        });
        let rows = self.rows.iter().map(|it| self.row(it));
        let unread = self.unread.iter().map(|it| {
            Ok(UnreadMail {
                from: self.lane(&it.from)?,
                to: self.lane(&it.to)?,
                message: it.message.clone(),
            })
        });
        Ok(Chart {
            lanes: lanes.collect(),
            rows: rows.collect::<Result<_, String>>()?,
            unread: unread.collect::<Result<_, String>>()?,
            left_out: self.left_out,
            is_cut: self.cut,
        })
    }

    fn row(&self, row: &SavedRow) -> Result<ChartRow, String> {
        let has_place = row.file.is_some() || row.line.is_some();
        let place = has_place.then(|| SourcePlace {
            file: row.file.clone().unwrap_or_default(),
            line: row.line.unwrap_or(0),
        });
        Ok(ChartRow {
            lane: self.lane(&row.process)?,
            kind: self.kind(&row.kind)?,
            place,
            is_racing: row.racing,
        })
    }

    fn kind(&self, kind: &SavedKind) -> Result<RowKind, String> {
        Ok(match kind {
            SavedKind::Start { to } => RowKind::Starts {
                child: self.lane(to)?,
            },
            SavedKind::Send {
                to,
                message,
                arrives,
            } => RowKind::Sends {
                to: self.lane(to)?,
                message: message.clone(),
                arrives: *arrives,
            },
            SavedKind::Deliver { to, message } => RowKind::Delivers {
                to: self.lane(to)?,
                message: message.clone(),
            },
            SavedKind::Take {
                from,
                message,
                waited,
            } => RowKind::Takes {
                from: self.lane(from)?,
                message: message.clone(),
                waited: *waited,
            },
            SavedKind::Timeout => RowKind::TimesOut,
            SavedKind::Call { call } => RowKind::Calls(call.clone()),
            SavedKind::End { reason } => RowKind::Ends(reason.clone()),
            SavedKind::Crash { reason } => RowKind::Crashes(reason.clone()),
            SavedKind::Ended { by } => RowKind::IsEnded { by: self.lane(by)? },
            SavedKind::Wait => RowKind::Waits,
        })
    }

    /// The number of a process.
    fn lane(&self, path: &str) -> Result<usize, String> {
        let number = self.processes.iter().position(|it| it.path == path);
        number.ok_or_else(|| format!("its chart has no process {path}"))
    }
}
