//! A machine that several searches found.

use serde_json::{Value, json};

use super::json_parts::{list, number, text};

/// A machine of two reports: the states and transitions of both.
pub(super) fn joined_machine(one: &Value, other: &Value) -> Value {
    let mut states: Vec<Value> = list(one, "states").to_vec();
    let mut reached: Vec<Value> = list(one, "reached").to_vec();
    for (state, more) in list(other, "states").iter().zip(list(other, "reached")) {
        let known = states.iter().position(|it| it == state);
        match known.and_then(|it| reached.get_mut(it)) {
            Some(known) => add(known, more, &["count"]),
            None => {
                states.push(state.clone());
                reached.push(more.clone());
            }
        }
    }
    let mut initial: Vec<Value> = list(one, "initial").to_vec();
    let new = list(other, "initial").iter();
    initial.extend(new.filter(|it| !list(one, "initial").contains(it)).cloned());
    let mut transitions: Vec<Value> = list(one, "transitions").to_vec();
    for more in list(other, "transitions") {
        let is_same = |it: &&mut Value| {
            ["from", "event", "to"]
                .iter()
                .all(|key| it[*key] == more[*key])
        };
        match transitions.iter_mut().find(is_same) {
            Some(known) => add(known, more, &["count", "crashes"]),
            None => transitions.push(more.clone()),
        }
    }
    json!({
        "module": text(one, "module"),
        "initial": initial,
        "states": states,
        "reached": reached,
        "transitions": transitions,
    })
}

/// Adds counts, and takes the shorter sequence.
fn add(known: &mut Value, more: &Value, counts: &[&str]) {
    for count in counts {
        known[*count] = json!(number(known, count) + number(more, count));
    }
    let size = |it: &Value| {
        let texts = list(it, "shortest").iter().filter_map(Value::as_str);
        (
            list(it, "shortest").len(),
            texts.map(str::len).sum::<usize>(),
        )
    };
    if size(more) < size(known) {
        known["shortest"] = more["shortest"].clone();
    }
}
