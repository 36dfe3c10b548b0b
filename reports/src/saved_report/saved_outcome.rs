//! How a run of a report ended.

use serde::Deserialize;

use crate::outcome::{Outcome, StackEntry, Waiting};

/// How a run ended, as tests and findings have it.
#[derive(Debug, Deserialize)]
pub(super) struct SavedOutcome {
    outcome: String,
    #[serde(default)]
    result: Option<String>,
    class: Option<String>,
    reason: Option<String>,
    stack: Vec<String>,
    #[serde(default)]
    waiting: Vec<SavedWaiting>,
    #[serde(default)]
    beam_died: bool,
    #[serde(default)]
    refused: String,
}

#[derive(Debug, Deserialize)]
struct SavedWaiting {
    process: String,
    function: Option<String>,
    file: Option<String>,
    line: Option<i64>,
}

impl SavedOutcome {
    /// The outcome, or why it cannot be read.
    pub(super) fn outcome(&self) -> Result<Outcome, String> {
        let given = |value: &Option<String>, key: &str| {
            let missing = || format!("a run with the outcome {} has no `{key}`", self.outcome);
            value.clone().ok_or_else(missing)
        };
        match self.outcome.as_str() {
            "ok" => Ok(Outcome::Ok(given(&self.result, "result")?)),
            "timeout" => Ok(Outcome::Timeout),
            "killed" if self.beam_died => Ok(Outcome::WorkerDied),
            "killed" => Ok(Outcome::Killed),
            "blocked" => Ok(Outcome::Blocked(self.refused.clone())),
            "steps" => Ok(Outcome::Steps),
            "deadlock" => Ok(Outcome::Deadlock {
                waiting: self.waiting.iter().map(SavedWaiting::waiting).collect(),
            }),
            "error" | "exit" | "throw" => Ok(Outcome::Exception {
                class: given(&self.class, "class")?,
                reason: given(&self.reason, "reason")?,
                stack: self.stack.iter().map(|it| frame(it)).collect(),
            }),
            other => Err(format!("the outcome {other} is unknown")),
        }
    }
}

impl SavedWaiting {
    fn waiting(&self) -> Waiting {
        let frame = self.function.as_ref().map(|function| StackEntry {
            function: function.clone(),
            file: self.file.clone().unwrap_or_default(),
            line: self.line.unwrap_or(0),
            is_own: false,
        });
        Waiting {
            process: self.process.clone(),
            stack: frame.into_iter().collect(),
        }
    }
}

/// `m:f/2 (src/m.erl:12)`; file and line may be missing.
fn frame(text: &str) -> StackEntry {
    let (function, place) = match text.strip_suffix(')').and_then(parts) {
        Some(parts) => parts,
        None => (text, ""),
    };
    let numbered = place.rsplit_once(':');
    let numbered = numbered.and_then(|(file, line)| Some((file, line.parse().ok()?)));
    let (file, line) = numbered.unwrap_or((place, 0));
    StackEntry {
        function: function.to_owned(),
        file: file.to_owned(),
        line,
        is_own: false,
    }
}

/// A function and its place: a quoted name may have brackets too, but ends with its arity.
fn parts(text: &str) -> Option<(&str, &str)> {
    let ends = text.match_indices(" (").find(|(end, _)| {
        let function = text.get(..*end).unwrap_or_default();
        let arity = function.rsplit_once('/').map(|it| it.1);
        arity.is_some_and(|it| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit()))
    });
    let (end, _) = ends?;
    Some((text.get(..end)?, text.get(end + 2..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_read_as_they_are_written() {
        for text in [
            "m:f/1",
            "m:f/1 (src/m.erl)",
            "m:f/1 (src/m.erl:12)",
            "'a (b':'c (d)'/2 (my (own)/m.erl:3)",
            "m:'-f/1-fun-0-'/1 (a:b/m.erl:7)",
        ] {
            assert_eq!(frame(text).to_string(), text);
        }
        let frame = frame("m:f/1 (src/m.erl:12)");
        assert_eq!((frame.file.as_str(), frame.line), ("src/m.erl", 12));
    }
}
