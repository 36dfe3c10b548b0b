//! Parts of JSON reports.

use serde_json::Value;

/// The elements of a list in a report; none if there is no such list.
pub fn list<'report>(report: &'report Value, name: &str) -> &'report [Value] {
    at(report, &format!("/{name}"))
        .as_array()
        .map_or(&[], Vec::as_slice)
}

/// The value at a place in a report, given as `/findings/0/args`; `null` if there is none.
pub fn at<'report>(report: &'report Value, place: &str) -> &'report Value {
    report.pointer(place).unwrap_or(&Value::Null)
}
