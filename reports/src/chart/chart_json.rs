//! A chart as JSON.

use serde_json::{Value, json};

use super::{Chart, ChartRow, RowKind};

/// The chart as JSON: `processes`, `rows`, `unread`, `left_out` and `cut`.
pub fn chart_json(chart: &Chart) -> Value {
    let lanes = chart.lanes.iter();
    let lanes = lanes.map(|it| json!({"path": it.path, "entry": it.entry}));
    let rows = chart.rows.iter().map(|it| row_json(chart, it));
    let unread = chart.unread.iter().map(|it| {
        json!({
            "from": chart.path(it.from),
            "to": chart.path(it.to),
            "message": it.message,
        })
    });
    json!({
        "processes": lanes.collect::<Value>(),
        "rows": rows.collect::<Value>(),
        "unread": unread.collect::<Value>(),
        "left_out": chart.left_out,
        "cut": chart.is_cut,
    })
}

fn row_json(chart: &Chart, row: &ChartRow) -> Value {
    let place = row.place.as_ref();
    let file = place.map(|it| &it.file).filter(|it| !it.is_empty());
    let line = place.map(|it| it.line).filter(|it| *it > 0);
    let mut object = json!({
        "process": chart.path(row.lane),
        "what": what(&row.kind),
        "file": file,
        "line": line,
        "racing": row.is_racing,
    });
    let mut set = |key: &str, value: Value| {
        if let Some(object) = object.as_object_mut() {
            object.insert(key.to_owned(), value);
        }
    };
    match &row.kind {
        RowKind::Sends {
            to,
            message,
            arrives,
        } => {
            set("to", json!(chart.path(*to)));
            set("message", json!(message));
            set("arrives", json!(arrives));
        }
        RowKind::Delivers { to, message } => {
            set("to", json!(chart.path(*to)));
            set("message", json!(message));
        }
        RowKind::Starts { child } => set("to", json!(chart.path(*child))),
        RowKind::Takes {
            from,
            message,
            waited,
        } => {
            set("from", json!(chart.path(*from)));
            set("message", json!(message));
            set("waited", json!(waited));
        }
        RowKind::Calls(call) => set("call", json!(call)),
        RowKind::Ends(Some(reason)) | RowKind::Crashes(reason) => set("reason", json!(reason)),
        RowKind::IsEnded { by } => set("by", json!(chart.path(*by))),
        RowKind::TimesOut | RowKind::Ends(None) | RowKind::Waits => {}
    }
    object
}

/// The name of what a process did.
fn what(kind: &RowKind) -> &'static str {
    match kind {
        RowKind::Sends { .. } => "send",
        RowKind::Delivers { .. } => "deliver",
        RowKind::Starts { .. } => "start",
        RowKind::Takes { .. } => "take",
        RowKind::TimesOut => "timeout",
        RowKind::Calls(_) => "call",
        RowKind::Ends(_) => "end",
        RowKind::Crashes(_) => "crash",
        RowKind::IsEnded { .. } => "ended",
        RowKind::Waits => "wait",
    }
}
