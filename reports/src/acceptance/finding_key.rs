//! Names for findings that stay the same while code moves and inputs change.
//!
//! `shop:total/2  error  badarith  src/shop.erl` is the innermost function of the user, the class,
//! the reason without values of the input, and the file.

use std::fmt;
use std::path::Path;

use erlang_term::Atom;
use serde_json::Value;

use crate::crash_site::CrashSite;
use crate::entry::Entry;
use crate::outcome::Outcome;
use crate::printed_value::unquoted;
use crate::reason_words::rough_key;

/// The classes, and the ways to end without one.
const CLASSES: [&str; 5] = ["error", "exit", "throw", "timeout", "killed"];
/// Stands for a reason or a file that there is not.
const NOTHING: &str = "-";

/// A name for a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct FindingKey {
    /// The source, or `-`.
    pub file: String,
    /// The innermost function of the user, or the entry if that is unknown: `m:f/1`.
    pub function: String,
    /// `error`, `exit`, `throw`, `timeout` or `killed`.
    pub class: String,
    /// The reason without values of the input, or `-`.
    pub reason: String,
}

impl FindingKey {
    pub(crate) fn new(
        entry: &Entry,
        outcome: &Outcome,
        site: Option<&CrashSite>,
        reason: &str,
    ) -> Self {
        let function = site.map(|it| outer_function(&it.function));
        let file = site.map_or("", |it| &it.file);
        Self {
            file: or_nothing(file),
            function: function.unwrap_or_else(|| entry.to_string()),
            class: outcome.name().to_owned(),
            reason: or_nothing(reason),
        }
    }

    /// Reads a line. The error says what is wrong.
    pub(super) fn parse(line: &str) -> Result<Self, &'static str> {
        let (function, rest) = word(line);
        let (class, rest) = word(rest);
        let (reason, file) = last_word(rest);
        if !is_function(function) {
            return Err("it does not begin with a function such as shop:total/2");
        }
        if !CLASSES.contains(&class) {
            return Err("after the function there must be error, exit, throw, timeout or killed");
        }
        if reason.is_empty() || file.is_empty() {
            return Err("after the class there must be a reason and a file");
        }
        Ok(Self {
            file: plain(file),
            function: function.to_owned(),
            class: class.to_owned(),
            reason: reason.to_owned(),
        })
    }

    /// Whether this key, from a file, is for a finding. Folders may be left out, and which of time
    /// and memory ends first is chance.
    pub(crate) fn is_for(&self, finding: &Self) -> bool {
        let class = |key: &Self| match key.class.as_str() {
            "timeout" => "killed".to_owned(),
            other => other.to_owned(),
        };
        let (one, other) = (Path::new(&self.file), Path::new(&finding.file));
        self.function == finding.function
            && class(self) == class(finding)
            && self.reason == finding.reason
            && (one.ends_with(other) || other.ends_with(one))
    }
}

impl fmt::Display for FindingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            file,
            function,
            class,
            reason,
        } = self;
        write!(f, "{function}  {class}  {reason}  ")?;
        if file.contains(|it: char| it.is_whitespace() || "\"'%".contains(it)) {
            write!(f, "{}", quoted(file))
        } else {
            f.write_str(file)
        }
    }
}

/// The key of a finding in a JSON report; one that was shortened may lack it.
///
/// # Errors
/// Says what the finding lacks.
pub fn key_in_report(finding: &Value) -> Result<FindingKey, String> {
    let text = |key: &str| finding.get(key).and_then(Value::as_str);
    if let Some(line) = text("key") {
        return FindingKey::parse(line).map_err(|why| format!("`key`: {why}"));
    }
    let entry = text("entry").ok_or("it has no `entry`")?;
    let class = text("outcome").or_else(|| text("class"));
    let file = text("file").unwrap_or_default();
    let stack = finding.get("stack").and_then(Value::as_array);
    let frames = stack.into_iter().flatten().filter_map(Value::as_str);
    let mut frames = frames.filter_map(|it| it.split_once(" ("));
    let own = frames.find(|(_, place)| !file.is_empty() && place.starts_with(file));
    Ok(FindingKey {
        file: or_nothing(file),
        function: own.map_or_else(|| entry.to_owned(), |it| outer_function(it.0)),
        class: class.ok_or("it has no `outcome`")?.to_owned(),
        reason: text("reason").map_or_else(|| NOTHING.to_owned(), rough_key),
    })
}

fn or_nothing(text: &str) -> String {
    let text = if text.is_empty() { NOTHING } else { text };
    text.to_owned()
}

/// The function that a fun or a comprehension is in: `m:f/1` for `m:'-f/1-fun-0-'/1`. Their numbers
/// change with the code.
fn outer_function(function: &str) -> String {
    let outer = function.split_once(":'-").and_then(|(module, rest)| {
        let (inside, _) = rest.rsplit_once("'/")?;
        let name = unquoted(&format!("'{inside}'"));
        let name = name.strip_prefix("inlined-").unwrap_or(&name);
        let (name, arity) = name.split_once('/')?;
        let (arity, _) = arity.split_once('-')?;
        arity.parse::<u32>().ok()?;
        Some(format!("{module}:{}/{arity}", Atom::new(name)))
    });
    outer.unwrap_or_else(|| function.to_owned())
}

/// Whether a word is a function: `m:f/1`.
fn is_function(word: &str) -> bool {
    let arity = word.rsplit_once('/').map(|it| it.1);
    word.contains(':') && arity.is_some_and(|it| it.parse::<u32>().is_ok())
}

/// The first word of a text, and the rest. Words end at blanks outside of quotes.
fn word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let end = blanks(text).next().unwrap_or(text.len());
    text.split_at(end)
}

/// A text without its last word, and that word.
fn last_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let start = blanks(text).last();
    let (before, last) = text.split_at(start.unwrap_or(0));
    (before.trim(), last.trim())
}

/// Where a text has blanks outside of quotes.
fn blanks(text: &str) -> impl Iterator<Item = usize> {
    let mut quote = None;
    let mut is_escaped = false;
    text.char_indices().filter_map(move |(at, character)| {
        let was_escaped = is_escaped;
        is_escaped = character == '\\' && !was_escaped;
        match quote {
            Some(open) if open == character && !was_escaped => quote = None,
            Some(_) => {}
            None if matches!(character, '"' | '\'') => quote = Some(character),
            None => return character.is_whitespace().then_some(at),
        }
        None
    })
}

fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{escaped}\"")
}

/// A word without quotes.
fn plain(word: &str) -> String {
    if word.len() > 1 && word.starts_with('"') {
        unquoted(word)
    } else {
        word.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn keys_are_read_back() {
        let key = |function: &str, class: &str, reason: &str, file: &str| FindingKey {
            file: file.to_owned(),
            function: function.to_owned(),
            class: class.to_owned(),
            reason: reason.to_owned(),
        };
        for key in [
            key("m:f/2", "error", "badarith", "src/m.erl"),
            key(
                "'it\\'s m':'f  g'/2",
                "throw",
                "\"no  luck\"",
                "my src/m \"1\".erl",
            ),
            key("m:f/0", "timeout", "-", "-"),
            key("m:f/0", "exit", "{bad,#{a => 1},'%'}", "50%.erl"),
        ] {
            assert_eq!(FindingKey::parse(&key.to_string()), Ok(key));
        }
        let by_hand = FindingKey::parse("\tm:f/2 error {bad, _} src/m.erl ");
        let by_hand = by_hand.expect("it is a key");
        assert_eq!(
            (by_hand.reason.as_str(), by_hand.file.as_str()),
            ("{bad, _}", "src/m.erl")
        );
        for line in [
            "m",
            "m:f error a b",
            "m:f/1 wrong a b",
            "m:f/1 error",
            "m:f/1 error a",
        ] {
            assert!(FindingKey::parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn folders_and_kinds_of_endless_runs_do_not_matter() {
        let key = |line: &str| FindingKey::parse(line).expect("it is a key");
        let one = key("m:f/1  killed  -  m.erl");
        assert!(one.is_for(&key("m:f/1  timeout  -  src/m.erl")));
        assert!(!one.is_for(&key("m:f/1  error  -  src/m.erl")));
        assert!(!one.is_for(&key("m:f/1  timeout  -  src/am.erl")));
        assert!(!one.is_for(&key("m:g/1  timeout  -  m.erl")));
    }

    #[test]
    fn funs_count_as_the_function_around_them() {
        for (function, outer) in [
            ("m:'-f/1-fun-0-'/1", "m:f/1"),
            ("m:'-It\\'s/2-lc$^0/1-0-'/1", "m:'It\\'s'/2"),
            ("m:'-'/2", "m:'-'/2"),
            ("m:f/1", "m:f/1"),
        ] {
            assert_eq!(outer_function(function), outer);
        }
    }

    #[test]
    fn a_short_report_has_keys_too() {
        let finding = json!({
            "entry": "m:f/1", "class": "error", "reason": "{badmatch,7}", "file": "src/m.erl",
            "line": 12, "stack": ["lists:sum/2 (lists.erl:9)", "m:g/2 (src/m.erl:12)"],
        });
        let key = key_in_report(&finding).expect("it has a key");
        assert_eq!(key.to_string(), "m:g/2  error  {badmatch,_}  src/m.erl");
        let endless = json!({"entry": "m:f/1", "outcome": "timeout", "file": null});
        let key = key_in_report(&endless).expect("it has a key");
        assert_eq!(key.to_string(), "m:f/1  timeout  -  -");
        assert!(key_in_report(&json!({"entry": "m:f/1"})).is_err());
    }
}
