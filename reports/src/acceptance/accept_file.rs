//! The file that lists accepted findings.

use std::fmt::Write;

use super::finding_key::FindingKey;

/// The head of a new file.
const HEAD: &str = "\
% Findings of erlconcolic that are fine: function, class, reason and file.
% `erlconcolic accept REPORT` adds those of a report. Lines with % are comments.
";

/// Accepted findings.
#[derive(Clone, Debug, Default)]
pub struct AcceptFile {
    text: String,
    lines: Vec<(usize, FindingKey)>,
}

/// A line that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Its number, from 1.
    pub number: usize,
    /// What is wrong with it.
    pub why: &'static str,
}

impl AcceptFile {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// When there is a line that cannot be understood.
    pub fn parse(text: &str) -> Result<Self, BadLine> {
        let mut lines = Vec::new();
        for (line, number) in text.lines().zip(1..) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('%') {
                continue;
            }
            let key = FindingKey::parse(line).map_err(|why| BadLine { number, why })?;
            lines.push((number, key));
        }
        let text = text.to_owned();
        Ok(Self { text, lines })
    }

    /// Whether a finding is accepted.
    pub(crate) fn accepts(&self, finding: &FindingKey) -> bool {
        self.lines.iter().any(|it| it.1.is_for(finding))
    }

    /// Its lines with findings, by number.
    pub(crate) fn lines(&self) -> &[(usize, FindingKey)] {
        &self.lines
    }

    /// The text with more findings, each with a comment, and how many were added. What is there
    /// stays as it is.
    pub fn with(&self, mut findings: Vec<(FindingKey, String)>) -> (String, usize) {
        findings.sort();
        findings.dedup_by(|one, other| one.0 == other.0);
        findings.retain(|it| !self.accepts(&it.0));
        let mut text = self.text.clone();
        if text.is_empty() {
            text.push_str(HEAD);
        } else if !text.ends_with('\n') {
            text.push('\n');
        }
        for (key, comment) in &findings {
            let comment: String = comment.split(char::is_control).collect();
            // Writing to a string cannot fail.
            let _ = write!(text, "\n% {comment}\n{key}\n");
        }
        (text, findings.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(line: &str) -> (FindingKey, String) {
        let key = FindingKey::parse(line).expect("it is a key");
        (key, "m:f(0) raises\nerror".to_owned())
    }

    #[test]
    fn what_is_there_stays() {
        let old = "% ours\nm:f/1 error badarith m.erl\n\n% another";
        let file = AcceptFile::parse(old).expect("it is a file");
        let new = [
            "n:g/1  throw  _  src/n.erl",
            "m:f/1  error  badarith  src/m.erl",
            "m:g/1  throw  _  src/m.erl",
            "m:g/1  throw  _  src/m.erl",
        ];
        let (text, added) = file.with(new.map(finding).into());
        let comment = "% m:f(0) raiseserror";
        assert_eq!(added, 2);
        assert_eq!(
            text,
            format!(
                "{old}\n\n{comment}\nm:g/1  throw  _  src/m.erl\n\n{comment}\nn:g/1  throw  _  src/n.erl\n"
            )
        );
        let again = AcceptFile::parse(&text).expect("it is a file");
        assert_eq!(again.with(new.map(finding).into()), (text, 0));
    }

    #[test]
    fn bad_lines_are_named() {
        let bad = AcceptFile::parse("% fine\n\nm:f/1 badarith\n").expect_err("it is bad");
        assert_eq!(bad.number, 3);
    }
}
