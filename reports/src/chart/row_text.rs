//! What happens in a row of a chart, in words.

use super::{Chart, ChartRow, RowKind};

/// What happens in a row, in words.
pub(crate) fn row_text(chart: &Chart, row: &ChartRow) -> String {
    match &row.kind {
        RowKind::Sends { to, message, .. } => format!("to {}: {message}", chart.path(*to)),
        RowKind::Delivers { to, message } => {
            format!("reaches {}: {message}", chart.path(*to))
        }
        RowKind::Starts { child } => format!("starts {}", chart.path(*child)),
        RowKind::Takes { message, .. } => format!("takes {message}"),
        RowKind::TimesOut => "its time is over".to_owned(),
        RowKind::Calls(call) => format!("calls {call}"),
        RowKind::Ends(None) => "ends".to_owned(),
        RowKind::Ends(Some(reason)) if row.lane == 0 => format!("returns {reason}"),
        RowKind::Ends(Some(reason)) => format!("ends: {reason}"),
        RowKind::Crashes(reason) => format!("crashes: {reason}"),
        RowKind::IsEnded { by } => format!("is ended by {}", chart.path(*by)),
        RowKind::Waits => "waits for a message".to_owned(),
    }
}
