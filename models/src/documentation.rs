//! The table as text, for `docs/limitations.md`.

use std::collections::BTreeMap;

use crate::elixir_libraries::FOLLOWED_ELIXIR_MODULES;
use crate::libraries::FOLLOWED_MODULES;
use crate::model::{Meaning, Model};
use crate::table::all;

/// The longest line of the documentation.
const LINE: usize = 100;

/// All functions with a model, as a list of Markdown with an item for each group.
pub fn list_of_models() -> String {
    let mut groups: BTreeMap<(usize, String), BTreeMap<&str, Vec<u32>>> = BTreeMap::new();
    // The tool's own modules are nobody else's business.
    let is_own = |model: &&Model| model.module.starts_with("erlconcolic_");
    for model in all().iter().filter(|it| !is_own(it)) {
        let functions = groups.entry(group(model)).or_default();
        functions.entry(model.name).or_default().push(model.arity);
    }
    let items = groups.into_iter().map(|((_, title), functions)| {
        let names = functions.into_iter().map(|(name, mut arities)| {
            arities.sort_unstable();
            let arities: Vec<String> = arities.iter().map(u32::to_string).collect();
            format!("`{name}/{}`", arities.join(","))
        });
        wrapped(&format!("  - {title}:"), "   ", names)
    });
    items.collect()
}

/// The order and title of the group that a model is listed in.
fn group(model: &Model) -> (usize, String) {
    match model.meaning {
        Meaning::Rule(..) | Meaning::Walk(_) => {
            let is_other = usize::from(model.module != "erlang");
            (is_other, format!("`{}`", model.module))
        }
        Meaning::GuardRule(_) => (2, "in guards only".to_owned()),
        Meaning::Process(_) => (3, "with what happened before in the run".to_owned()),
        Meaning::Raise(_) => (4, "raise always".to_owned()),
    }
}

/// The names of all modules of OTP that are followed, as lines of Markdown.
pub fn list_of_followed_modules() -> String {
    let names = FOLLOWED_MODULES.iter();
    wrapped(" ", " ", names.map(|module| format!("`{}`", module.name)))
}

/// The names of all modules of Elixir that are followed, as lines of Markdown.
pub fn list_of_followed_elixir_modules() -> String {
    let names = FOLLOWED_ELIXIR_MODULES.iter();
    wrapped(" ", " ", names.map(|module| format!("`{module}`")))
}

/// Words after a title, with a comma and a space between them, in lines.
fn wrapped(title: &str, indent: &str, words: impl Iterator<Item = String>) -> String {
    let words: Vec<String> = words.collect();
    let mut text = String::new();
    let mut line = title.to_owned();
    for (number, word) in words.iter().enumerate() {
        let end = if number + 1 == words.len() { "" } else { "," };
        if line.len() + 1 + word.len() + end.len() > LINE {
            text.push_str(&line);
            text.push('\n');
            line = indent.to_owned();
        }
        line = format!("{line} {word}{end}");
    }
    text + &line + "\n"
}
