//! Names that are declared once are the same wherever users meet them.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{CommandFactory, ValueEnum};
use trace_engine::explore::Strategy;

use super::CommandLine;
use super::values::ReportFormat;

const REBAR3_OPTIONS: &str =
    "erlang-support/apps/rebar3_erlconcolic/src/rebar3_erlconcolic_options.erl";

const MIX_OPTIONS: &str = "elixir-support/mix_erlconcolic/lib/mix_erlconcolic/options.ex";

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn strategies() -> Vec<String> {
    let names = Strategy::ALL.iter().map(|it| it.name());
    names.map(str::to_owned).collect()
}

fn formats() -> Vec<String> {
    let values = ReportFormat::value_variants().iter();
    let values = values.filter_map(ValueEnum::to_possible_value);
    values.map(|it| it.get_name().to_owned()).collect()
}

/// The names of the options of `explore` that help shows, without dashes, `-I` and `-D`: rebar3 has
/// `erl_opts` for these two.
fn explore_options() -> Vec<String> {
    let command = CommandLine::command();
    let explore = command.find_subcommand("explore").expect("it is a command");
    let shown = explore.get_arguments().filter(|it| !it.is_hide_set());
    let names = shown.filter_map(|it| it.get_long());
    let names = names.filter(|it| !["include", "define"].contains(it));
    names.map(str::to_owned).collect()
}

fn read(path: &str) -> String {
    fs::read_to_string(repository().join(path)).expect("the file is there")
}

/// The choices of an option of the plugin: `{format, {choice, [human, json]}`.
fn choices(option: &str) -> Vec<String> {
    let start = format!("{{{option}, {{choice, [");
    list_after(&read(REBAR3_OPTIONS), &start)
}

/// The choices of an option of the Mix task: `format: {{:choice, [:human, :json]}`.
fn mix_choices(option: &str) -> Vec<String> {
    let text = read(MIX_OPTIONS);
    let (_, text) = text
        .split_once(&format!("    {option}:"))
        .expect("the task has the option");
    let words = list_after(text, "{:choice, [").into_iter();
    words
        .map(|it| it.trim_start_matches(':').to_owned())
        .collect()
}

/// The words of the list after some text.
fn list_after(text: &str, start: &str) -> Vec<String> {
    let (_, rest) = text.split_once(start).expect("the option is there");
    let (list, _) = rest.split_once(']').expect("the list ends");
    list.split(',').map(|it| it.trim().to_owned()).collect()
}

/// Whether a page of the documentation names all values in the row or line of an option.
fn is_documented(option: &str, values: &[String]) -> bool {
    let docs = fs::read_dir(repository().join("docs")).expect("the folder is there");
    let docs = docs.map(|entry| entry.expect("it can be read").path());
    let pages = docs.chain([repository().join("README.md")]);
    let texts = pages.filter_map(|path| fs::read_to_string(path).ok());
    texts.into_iter().any(|text| {
        let mut lines = text.lines().filter(|line| line.contains(option));
        lines.any(|line| values.iter().all(|it| line.contains(&format!("`{it}`"))))
    })
}

#[test]
fn the_plugin_knows_every_strategy_and_format() {
    assert_eq!(choices("strategy"), strategies());
    assert_eq!(choices("format"), formats());
}

#[test]
fn the_plugin_has_every_option_of_explore() {
    let text = read(REBAR3_OPTIONS);
    for option in explore_options() {
        let name = option.replace('-', "_");
        assert!(text.contains(&format!("{{{name}, ")), "{name}");
    }
}

#[test]
fn the_mix_task_has_every_option_of_explore() {
    let text = read(MIX_OPTIONS);
    for option in explore_options() {
        let name = option.replace('-', "_");
        assert!(text.contains(&format!("\n    {name}:")), "{name}");
    }
    assert_eq!(mix_choices("strategy"), strategies());
    assert_eq!(mix_choices("format"), formats());
}

#[test]
fn the_documentation_has_every_option_of_explore() {
    let text = read("docs/explore.md") + &read("docs/machines.md");
    for option in explore_options() {
        assert!(text.contains(&format!("`--{option}")), "{option}");
    }
}

#[test]
fn the_documentation_names_every_strategy() {
    assert!(is_documented("--strategy", &strategies()));
}
