//! The report as SARIF 2.1.0, which code hosts and editors show beside the code.

use std::fmt::Write;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::exploration::Exploration;
use crate::findings::Finding;
use crate::order_words::order_lines;
use crate::outcome::StackEntry;
use crate::text_report::finding_title;
use crate::wording::Wording;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The rules: how a call can crash.
const RULES: [(&str, &str); 6] = [
    ("error", "A call raises an error."),
    ("exit", "A call exits."),
    ("throw", "A call throws, and nothing catches it."),
    ("timeout", "A call does not end."),
    (
        "killed",
        "A call takes too much memory or brings the BEAM down.",
    ),
    (
        "deadlock",
        "A call waits for a message that no process sends.",
    ),
];

/// The report as a SARIF log, given the version of the tool.
pub fn sarif_report(exploration: &Exploration<'_>, version: &str) -> Value {
    let rules = RULES.map(|(id, text)| json!({"id": id, "shortDescription": {"text": text}}));
    let results = exploration.findings.iter();
    let results: Vec<Value> = results.map(|it| result(exploration, it)).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "erlconcolic", "version": version, "rules": rules}},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn result(exploration: &Exploration<'_>, finding: &Finding) -> Value {
    let class = finding.outcome.name();
    let rule = RULES.iter().position(|it| it.0 == class).unwrap_or(0);
    let level = if finding.is_likely { "error" } else { "note" };
    let mut lines = vec![finding_title(exploration, finding)];
    lines.extend(order_lines(exploration, finding));
    let mut object = json!({
        "ruleId": class,
        "ruleIndex": rule,
        "level": level,
        "message": {"text": lines.join("\n")},
        "locations": location(exploration, finding),
        // Lines change more often than the rest.
        "partialFingerprints": {"erlconcolicKey/v1": fingerprint(finding)},
        "suppressions": suppressions(finding),
    });
    let wording = exploration.wording(exploration.entry_of(finding.first()));
    let frames = finding.outcome.stack().iter();
    let frames: Vec<Value> = frames.map(|it| frame(&wording, it)).collect();
    if let Some(object) = object.as_object_mut().filter(|_| !frames.is_empty()) {
        object.insert("stacks".to_owned(), json!([{"frames": frames}]));
    }
    let related = related_locations(finding);
    if let Some(object) = object.as_object_mut().filter(|_| !related.is_empty()) {
        object.insert("relatedLocations".to_owned(), json!(related));
    }
    object
}

/// The places of the two steps whose order matters.
fn related_locations(finding: &Finding) -> Vec<Value> {
    let places = finding.race.iter().flatten();
    let places = places.filter_map(|it| physical(&it.file, it.line));
    places
        .map(|it| json!({"physicalLocation": it, "message": {"text": "its order matters"}}))
        .collect()
}

fn location(exploration: &Exploration<'_>, finding: &Finding) -> Vec<Value> {
    let wording = exploration.wording(exploration.entry_of(finding.first()));
    let function = wording.function(&finding.key.function);
    let logical = json!([{"fullyQualifiedName": function, "kind": "function"}]);
    let mut location = json!({"logicalLocations": logical});
    let site = finding.site.as_ref();
    let physical = site.and_then(|it| physical(&it.file, it.line));
    if let (Some(physical), Some(location)) = (physical, location.as_object_mut()) {
        location.insert("physicalLocation".to_owned(), physical);
    }
    vec![location]
}

/// A place in a file, if the file is known.
fn physical(file: &str, line: i64) -> Option<Value> {
    if file.is_empty() {
        return None;
    }
    let mut place = json!({"artifactLocation": {"uri": uri(file)}});
    if let Some(place) = place.as_object_mut().filter(|_| line > 0) {
        place.insert("region".to_owned(), json!({"startLine": line}));
    }
    Some(place)
}

fn frame(wording: &Wording<'_>, entry: &StackEntry) -> Value {
    let function = wording.function(&entry.function);
    let name = [json!({"fullyQualifiedName": function, "kind": "function"})];
    let mut location = json!({"logicalLocations": name});
    if let (Some(place), Some(location)) =
        (physical(&entry.file, entry.line), location.as_object_mut())
    {
        location.insert("physicalLocation".to_owned(), place);
    }
    json!({"location": location})
}

fn suppressions(finding: &Finding) -> Vec<Value> {
    let accepted = finding.is_accepted.then(|| {
        json!({
            "kind": "external",
            "status": "accepted",
            "justification": "It is in the file of accepted findings.",
        })
    });
    accepted.into_iter().collect()
}

/// The same for a finding as long as its function, class, reason and file are.
fn fingerprint(finding: &Finding) -> String {
    let mut text = String::new();
    for byte in Sha256::digest(finding.key.to_string()) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// A path as a reference in a URI.
fn uri(path: &str) -> String {
    let mut out = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                out.push(char::from(byte));
            }
            other => {
                // Writing to a string cannot fail.
                let _ = write!(out, "%{other:02X}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_references() {
        assert_eq!(uri("src/m.erl"), "src/m.erl");
        assert_eq!(uri("my src/50%:é.erl"), "my%20src/50%25%3A%C3%A9.erl");
        assert_eq!(uri("/a/m.erl"), "file:///a/m.erl");
    }
}
