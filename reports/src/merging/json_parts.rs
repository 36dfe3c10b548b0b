//! Parts of JSON objects, empty where they are missing.

use serde_json::Value;

/// A list.
pub(super) fn list<'value>(object: &'value Value, key: &str) -> &'value [Value] {
    let list = object.get(key).and_then(Value::as_array);
    list.map_or(&[], Vec::as_slice)
}

/// A text.
pub(super) fn text<'value>(object: &'value Value, key: &str) -> &'value str {
    object.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// A number.
pub(super) fn number(object: &Value, key: &str) -> u64 {
    object.get(key).and_then(Value::as_u64).unwrap_or(0)
}

/// Whether something is true.
pub(super) fn is_true(object: &Value, key: &str) -> bool {
    object.get(key).and_then(Value::as_bool) == Some(true)
}
