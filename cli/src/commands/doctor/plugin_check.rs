//! Whether rebar3 finds our plugin in the project of the current folder.

use std::env;

use erlang_term::Term;

use super::check::Check;
use crate::beam::{Helper, parse_messages};
use crate::terminal::near_path::near;

const NAME: &str = "rebar3 plugin";
const PLUGIN: &str = "rebar3_erlconcolic";

/// A list of plugins in `rebar.config`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    key: String,
    /// 0 if a script made it.
    line: i64,
    /// Names, or tuples with a version or a repository, as Erlang source.
    plugins: Vec<String>,
}

/// Where rebar3 gets the plugin from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    NotNamed,
    NotFound,
    /// A folder of the project.
    Here,
    /// A repository.
    Elsewhere,
}

/// The check; `None` outside of rebar3 projects.
pub(super) fn plugin(helper: &Helper) -> Option<Check> {
    let folder = env::current_dir().ok()?;
    let command = Term::Tuple(vec![
        Term::atom("rebar_plugin"),
        Term::binary(folder.to_str()?),
        Term::atom(PLUGIN),
    ]);
    let answer = helper.call(command).ok()?.ok()?;
    let warnings = parse_messages(answer.get("warnings")?)?;
    if let Some(warning) = warnings.first() {
        let found = format!(
            "{}:{}: {}",
            near(warning.path.clone()),
            warning.line,
            warning.text
        );
        return Some(Check::warning(
            NAME,
            found,
            "correct the file: rebar3 reads it too",
        ));
    }
    let entries = answer.get("entries")?.as_list()?.iter().map(entry);
    let entries: Vec<Entry> = entries.collect::<Option<_>>()?;
    Some(judge(&entries, place(answer.get("place")?)?))
}

fn entry(term: &Term) -> Option<Entry> {
    let names = term.get("plugins")?.as_list()?.iter();
    let names = names.map(|it| Some(String::from_utf8_lossy(it.as_binary()?).into_owned()));
    Some(Entry {
        key: term.get("key")?.as_atom()?.to_owned(),
        line: term.get("line")?.as_i64()?,
        plugins: names.collect::<Option<_>>()?,
    })
}

fn place(term: &Term) -> Option<Place> {
    match term.as_atom()? {
        "not_named" => Some(Place::NotNamed),
        "not_found" => Some(Place::NotFound),
        "here" => Some(Place::Here),
        "elsewhere" => Some(Place::Elsewhere),
        _ => None,
    }
}

fn judge(entries: &[Entry], place: Place) -> Check {
    if let Some(check) = doubled(entries) {
        return check;
    }
    match place {
        Place::NotNamed => {
            let line = with_plugin("project_plugins", all_plugins(entries, "project_plugins"));
            let advice = match entries.iter().find(|it| it.key == "project_plugins") {
                Some(entry) => format!("for rebar3 concolic, change {} to {line}", shown(entry)),
                None => format!("for rebar3 concolic, add the line {line}"),
            };
            Check::warning(NAME, "rebar.config does not name it", advice)
        }
        Place::NotFound => {
            let found = format!("rebar.config names {PLUGIN}, but it is not in _checkouts");
            let advice = format!(
                "copy erlang-support/apps/{PLUGIN} of erlconcolic's repository to _checkouts/"
            );
            Check::warning(NAME, found, advice)
        }
        Place::Here => Check::ok(NAME, "rebar.config names it, and it is in this project"),
        Place::Elsewhere => Check::ok(NAME, "rebar.config names it and its repository"),
    }
}

/// rebar3 ignores all but the first of several lists with the same key.
fn doubled(entries: &[Entry]) -> Option<Check> {
    let is_doubled = |key: &str| entries.iter().filter(|it| it.key == key).count() > 1;
    let key = &entries.iter().find(|it| is_doubled(&it.key))?.key;
    let same = entries.iter().filter(|it| it.key == *key);
    let places: Vec<String> = same.map(place_of).collect();
    let found = format!(
        "rebar.config has {key} {} times ({}), and rebar3 uses only the first",
        places.len(),
        places.join(", ")
    );
    let line = with_plugin(key, all_plugins(entries, key));
    Some(Check::warning(
        NAME,
        found,
        format!("write one line instead: {line}"),
    ))
}

fn all_plugins(entries: &[Entry], key: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in entries
        .iter()
        .filter(|it| it.key == key)
        .flat_map(|it| &it.plugins)
    {
        if !all.contains(name) {
            all.push(name.clone());
        }
    }
    all
}

/// The line that names these plugins, and ours.
fn with_plugin(key: &str, mut plugins: Vec<String>) -> String {
    let tuple = format!("{{{PLUGIN},");
    if !plugins
        .iter()
        .any(|it| it == PLUGIN || it.starts_with(&tuple))
    {
        plugins.push(PLUGIN.to_owned());
    }
    format!("{{{key}, [{}]}}.", plugins.join(", "))
}

fn shown(entry: &Entry) -> String {
    match entry.line {
        0 => entry.key.clone(),
        line => format!("line {line}"),
    }
}

fn place_of(entry: &Entry) -> String {
    match entry.line {
        0 => "in rebar.config.script".to_owned(),
        line => format!("line {line}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::Status;
    use super::*;

    fn entry_at(line: i64, plugins: &[&str]) -> Entry {
        Entry {
            key: "project_plugins".to_owned(),
            line,
            plugins: plugins.iter().map(|it| (*it).to_owned()).collect(),
        }
    }

    #[test]
    fn the_line_to_write_keeps_the_plugins_that_are_there() {
        let check = judge(
            &[entry_at(4, &["rebar3_hex", "{a,\"1.0\"}"])],
            Place::NotNamed,
        );
        assert_eq!(check.status, Status::Warning);
        assert_eq!(
            check.advice.as_deref(),
            Some(
                "for rebar3 concolic, change line 4 to \
                 {project_plugins, [rebar3_hex, {a,\"1.0\"}, rebar3_erlconcolic]}."
            )
        );
    }

    #[test]
    fn a_second_list_is_noticed() {
        let entries = [entry_at(1, &["rebar3_hex"]), entry_at(9, &[PLUGIN])];
        let check = judge(&entries, Place::Here);
        assert_eq!(check.status, Status::Warning);
        assert!(check.found.contains("line 1, line 9"), "{}", check.found);
        assert_eq!(
            check.advice.as_deref(),
            Some("write one line instead: {project_plugins, [rebar3_hex, rebar3_erlconcolic]}.")
        );
    }

    #[test]
    fn a_plugin_that_rebar3_finds_is_fine() {
        for place in [Place::Here, Place::Elsewhere] {
            assert_eq!(judge(&[entry_at(1, &[PLUGIN])], place).status, Status::Ok);
        }
        let missing = judge(&[entry_at(1, &[PLUGIN])], Place::NotFound);
        assert_eq!(missing.status, Status::Warning);
    }
}
