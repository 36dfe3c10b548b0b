//! `erlconcolic accept`: writes the findings of a report into the file of accepted ones.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use reports::{FindingKey, counted, key_in_report};
use serde_json::Value;

use crate::arguments::AcceptOptions;
use crate::failure::Failure;
use crate::files::accept_path::{read_if_there, usual_path};
use crate::files::output::write_whole_file;
use crate::search::saved_runs::bad;
use crate::terminal::printing::print_result;

/// The supported version of reports.
const VERSION: u64 = 1;
/// Longer comments are cut.
const LONGEST: usize = 200;

pub(crate) fn run(options: &AcceptOptions) -> Result<(), Failure> {
    let findings = findings(&options.report)?;
    let path = options.output.clone();
    let path = path.unwrap_or_else(|| usual_path(&[PathBuf::from(".")]));
    let file = read_if_there(&path)?;
    let count = findings.len();
    let (text, added) = file.with(findings);
    if added > 0 {
        write_whole_file(&path, text.as_bytes())?;
    }
    let line = format!(
        "{} in the report; {added} added to {}\n",
        counted(count, "finding"),
        path.display()
    );
    print_result(&mut io::stdout().lock(), [line])
}

/// The keys of the findings in a report, each with a comment.
fn findings(path: &Path) -> Result<Vec<(FindingKey, String)>, Failure> {
    let bytes = fs::read(path).map_err(|error| Failure::io("read", path, &error))?;
    findings_of_bytes(&bytes).map_err(|why| bad(path, &why))
}

fn findings_of_bytes(bytes: &[u8]) -> Result<Vec<(FindingKey, String)>, String> {
    let report: Value = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    if report.get("version").and_then(Value::as_u64) != Some(VERSION) {
        return Err(format!("it is not a report of version {VERSION}"));
    }
    let findings = report.get("findings").and_then(Value::as_array);
    let findings = findings.ok_or("it has no list of findings")?;
    let entry = report.get("entry").unwrap_or(&Value::Null);
    let read = |(place, finding): (usize, &Value)| {
        let mut finding = finding.clone();
        if finding.get("entry").is_none()
            && let Some(object) = finding.as_object_mut()
        {
            object.insert("entry".to_owned(), entry.clone());
        }
        let key = key_in_report(&finding);
        let key = key.map_err(|why| format!("finding {}: {why}", place + 1))?;
        Ok((key, comment(&finding)))
    };
    findings.iter().enumerate().map(read).collect()
}

/// An example: the call, and how it ends.
fn comment(finding: &Value) -> String {
    let text = |key: &str| finding.get(key).and_then(Value::as_str);
    let arguments = finding.get("args").and_then(Value::as_array);
    let arguments = arguments.into_iter().flatten().filter_map(Value::as_str);
    let arguments: Vec<&str> = arguments.collect();
    let function = text("entry").unwrap_or_default();
    let function = function.rsplit_once('/').map_or(function, |it| it.0);
    let call = format!("{function}({})", arguments.join(", "));
    let ending = match (text("class"), text("reason")) {
        (Some(class), Some(reason)) => format!("raises {class}: {reason}"),
        _ if text("outcome") == Some("timeout") => "takes too long".to_owned(),
        _ => "takes too much memory, or brings the BEAM down".to_owned(),
    };
    let comment = format!("{call} {ending}");
    match comment.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", comment.get(..end).unwrap_or_default()),
        None => comment,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_finding_has_a_key_and_a_comment() {
        let report = json!({"version": 1, "entry": "m:f/1", "findings": [
            {"args": ["0"], "class": "error", "reason": "badarith", "file": "src/m.erl",
             "line": 3, "stack": ["m:g/2 (src/m.erl:3)"]},
            {"entry": "m:h/0", "args": [], "outcome": "timeout", "key": "m:h/0  timeout  -  -"},
        ]});
        let found = findings_of_bytes(report.to_string().as_bytes()).expect("it is a report");
        let lines: Vec<String> = found
            .iter()
            .map(|(key, comment)| format!("{comment} | {key}"))
            .collect();
        assert_eq!(
            lines,
            [
                "m:f(0) raises error: badarith | m:g/2  error  badarith  src/m.erl",
                "m:h() takes too long | m:h/0  timeout  -  -"
            ]
        );
    }

    #[test]
    fn other_files_are_refused() {
        for text in [
            "",
            "{}",
            "[1]",
            r#"{"version": 1}"#,
            r#"{"version": 1, "findings": [{}]}"#,
        ] {
            assert!(findings_of_bytes(text.as_bytes()).is_err(), "{text}");
        }
    }
}
