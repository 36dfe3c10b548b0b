//! `rebar3 concolic` with real rebar3, offline, on a project and on an umbrella.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Stdio;

use end_to_end::rebar3::{Printed, Project, plugin};
use end_to_end::tool::Workplace;
use insta::assert_snapshot;

/// The output of a command that fails.
const FAILED: i32 = 1;

fn project(name: &str) -> Project {
    Project::of_samples(env!("CARGO_BIN_EXE_erlconcolic-under-test"), name)
}

fn shop() -> Project {
    project("shop").with_plugin()
}

fn umbrella() -> Project {
    project("umbrella").with_plugin()
}

#[track_caller]
fn assert_ends(printed: &Printed, status: i32, text: &str) {
    assert_eq!(printed.status, status, "{}", printed.text);
    assert!(printed.text.contains(text), "{}", printed.text);
}

#[test]
fn everything_with_a_spec_is_explored_and_findings_fail_the_command() {
    let printed = shop().rebar3("concolic");
    assert_eq!(printed.status, FAILED, "{}", printed.text);
    assert_snapshot!(printed.text);
}

#[test]
fn calls_into_dependencies_are_followed_on_demand() {
    let printed = shop().rebar3("concolic --deps");
    let complete = "1 finding; 15 of 15 clauses reached; all paths";
    assert_ends(&printed, FAILED, complete);
    assert!(!printed.text.contains("money:"), "{}", printed.text);
}

#[test]
fn a_project_without_findings_passes() {
    let shop = shop();
    shop.edit("src/shop.erl", "length(Games)", "max(1, length(Games))");
    assert_ends(&shop.rebar3("concolic --deps"), 0, " tests, 0 findings; ");
}

#[test]
fn applications_of_an_umbrella_are_explored_together() {
    let printed = umbrella().rebar3("concolic");
    assert_eq!(printed.status, FAILED, "{}", printed.text);
    assert_snapshot!(printed.text);
}

#[test]
fn functions_modules_and_applications_can_be_chosen() {
    let umbrella = umbrella();
    for (choice, status, text) in [
        ("--entry stock:shelf/1", 0, "3 tests, 0 findings"),
        (
            "--entry shelf/1 --entry packages/2",
            FAILED,
            "6 tests, 1 finding",
        ),
        ("--module orders", FAILED, "3 tests, 1 finding"),
        ("--app stock", 0, "3 tests, 0 findings"),
        ("--app stock --app orders", FAILED, "6 tests, 1 finding"),
        (
            "--entry stock:shelf/1 --max-runs 2",
            0,
            "2 tests, 0 findings",
        ),
        (
            "--entry stock:shelf/1 --args '[901]' --max-runs 1 --verbose",
            0,
            "shelf(901)",
        ),
        ("--app shop", FAILED, "only stock, orders"),
        ("--entry nosuch/1", FAILED, "error[no-entry]"),
    ] {
        assert_ends(
            &umbrella.rebar3(&format!("concolic {choice}")),
            status,
            text,
        );
    }
}

#[test]
fn options_of_the_profile_are_used() {
    let umbrella = umbrella();
    // The profile has an entry of its own and another macro.
    let post = "concolic --entry stock:shelf/1 --post stock:top/2";
    umbrella.edit("apps/stock/src/stock.erl", "[shelf/1]", "[shelf/1, top/2]");
    umbrella.append(
        "apps/stock/src/stock.erl",
        "\ntop(_Grams, #place{shelf = Shelf}) -> Shelf =< 2.\n",
    );
    assert_ends(&umbrella.rebar3(post), FAILED, "breaks its postcondition");
    assert_ends(
        &umbrella.rebar3(&format!("as test {post}")),
        0,
        "0 findings",
    );
    assert_ends(
        &umbrella.rebar3("as test concolic"),
        0,
        "3 tests, 0 findings",
    );
}

#[test]
fn rebar_config_has_options_and_the_command_line_wins() {
    let shop = shop();
    shop.append("rebar.config", "{erlconcolic, [{max_runs, 3}, deps]}.\n");
    assert_ends(&shop.rebar3("concolic"), FAILED, "3 tests, 1 finding; ");
    assert_ends(
        &shop.rebar3("concolic --max-runs 1"),
        0,
        "1 test, 0 findings; ",
    );
}

#[test]
fn a_second_list_of_plugins_is_noticed() {
    let shop = shop();
    shop.append("rebar.config", "{project_plugins, [rebar3_hex]}.\n");
    let printed = shop.rebar3("concolic --max-runs 1");
    // rebar3 itself is told to be quiet, so only the search shows that the first list counts.
    assert_ends(&printed, 0, "1 test, 0 findings; ");
    let printed = shop.shell("rebar3 concolic --max-runs 1");
    assert_ends(&printed, 0, "several lists of project_plugins");
}

#[test]
fn the_report_can_go_to_a_file() {
    let shop = shop();
    let printed = shop.rebar3("concolic --format json --output out/report.json");
    assert_ends(&printed, FAILED, "There are findings: see out/report.json.");
    let report: serde_json::Value =
        serde_json::from_str(&shop.read("out/report.json")).expect("it is JSON alone");
    let found = report
        .pointer("/findings/0/file")
        .and_then(|it| it.as_str());
    assert_eq!(found, Some("src/shop.erl"));
}

#[test]
fn the_page_names_files_as_the_project_does() {
    let shop = shop();
    let printed = shop.rebar3("concolic --html report.html");
    assert_ends(&printed, FAILED, "1 finding");
    let page = shop.read("report.html");
    assert!(page.contains("src/shop.erl"), "the page shows the source");
    let folder = shop.path("src").display().to_string();
    assert!(!page.contains(&folder), "the page names no absolute path");
}

#[test]
fn the_tool_is_found_by_option_environment_and_path() {
    let shop = shop();
    let run = "rebar3 concolic --max-runs 1";
    assert_ends(&shop.shell(run), 0, "1 test, 0 findings");
    shop.shell("mv ../bin/erlconcolic ../elsewhere");
    assert_ends(
        &shop.shell(&format!("{run} --binary ../elsewhere")),
        0,
        "1 test,",
    );
    assert_ends(
        &shop.shell(&format!("ERLCONCOLIC=../elsewhere {run}")),
        0,
        "1 test,",
    );
    let option = format!("ERLCONCOLIC=/no/such {run} --binary ../elsewhere");
    assert_ends(&shop.shell(&option), 0, "1 test,");
}

#[test]
fn errors_come_with_advice() {
    let shop = shop().without_tool();
    let mut texts = Vec::new();
    for (line, config) in [
        ("rebar3 concolic", ""),
        ("rebar3 concolic --binary /no/such", ""),
        ("ERLCONCOLIC=/no/such rebar3 concolic", ""),
        ("rebar3 concolic --nonsense", ""),
        ("rebar3 concolic --timeout soon", ""),
        ("rebar3 concolic shop:total/2", ""),
        ("rebar3 concolic", "{erlconcolic, [{term_depht, 3}]}.\n"),
        ("rebar3 concolic", "{erlconcolic, [{term_depth, deep}]}.\n"),
        ("rebar3 concolic", "{erlconcolic, first}.\n"),
    ] {
        let before = shop.read("rebar.config");
        shop.append("rebar.config", config);
        let printed = shop.shell(&format!("QUIET=1 {line}"));
        assert_eq!(printed.status, FAILED, "{}", printed.text);
        fs::write(shop.path("rebar.config"), before).expect("it can be written");
        texts.push(format!("{config}$ {line}\n{}", printed.text.trim_end()));
    }
    assert_snapshot!(texts.join("\n\n"));
}

#[test]
fn rebar3_reports_modules_that_do_not_compile() {
    let shop = shop();
    shop.append("src/shop.erl", "oops(\n");
    assert_ends(&shop.rebar3("concolic"), FAILED, "src/shop.erl:");
}

#[test]
fn beams_without_debug_information_are_refused_with_advice() {
    let shop = shop();
    shop.edit("rebar.config", "[debug_info]", "[no_debug_info]");
    let printed = shop.rebar3("concolic");
    assert_ends(&printed, FAILED, "no debug information");
    assert_ends(&printed, FAILED, "erlconcolic could not do its work");
}

#[test]
fn help_lists_all_options() {
    let printed = shop().rebar3("help concolic");
    assert_eq!(printed.status, 0, "{}", printed.text);
    assert_snapshot!(printed.text);
}

#[test]
fn the_plugin_can_be_a_link_and_a_plugin_of_all_kinds() {
    let shop = project("shop");
    symlink(plugin(), shop.path("_checkouts/rebar3_erlconcolic")).expect("the link can be made");
    shop.edit("rebar.config", "{project_plugins,", "{plugins,");
    assert_ends(&shop.rebar3("concolic --max-runs 1"), 0, "1 test,");
}

#[test]
fn an_umbrella_can_name_the_folder_of_the_plugin() {
    let umbrella = project("umbrella");
    let folder = format!("{{project_plugin_dirs, [\"{}\"]}}.\n", plugin().display());
    umbrella.append("rebar.config", &folder);
    assert_ends(&umbrella.rebar3("concolic --max-runs 1"), 0, "1 test,");
}

#[test]
fn a_search_ends_when_rebar3_is_gone() {
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test")).with(&[(
        "src/m.erl",
        "-module(m).\n-export([f/1]).\nf([X | Rest]) when X > 1 -> f(Rest);\nf(_) -> ok.\n",
    )]);
    let watched = [
        "explore",
        "--entry",
        "f/1",
        "--term-depth",
        "9999",
        "--timeout",
        "600",
    ];
    let mut command = place.command(&[&watched[..], &["--stop-when-closed", "0"]].concat());
    let mut tool = command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("the tool can be started");
    drop(tool.stdin.take());
    let status = tool.wait().expect("it ends");
    assert_eq!(status.code(), Some(130));
}

#[test]
fn folders_and_modules_may_have_any_name() {
    let project = shop().called("it's $(touch pwned) \"q\" ü😀");
    let names = ["-o", "it's", "'q'", "$(touch pwned)"];
    let atoms = names.map(|name| erlang_term::Term::atom(name).to_string());
    for (name, atom) in names.iter().zip(&atoms) {
        let source = format!(
            "-module({atom}).\n-export([f/1]).\n-spec f(integer()) -> integer().\n\
             f(7) -> error({atom});\nf(X) -> X.\n"
        );
        project.append(&format!("src/{name}.erl"), &source);
    }
    let rebar3 = "LC_ALL=C.UTF-8 QUIET=1 rebar3 concolic";
    let all = project.shell(&format!("{rebar3} --app shop"));
    for atom in &atoms {
        assert_ends(&all, FAILED, &format!("{atom}:f(7) raises error: {atom}"));
    }
    let odd = "--entry=-o:f/1 --html='-x$(touch pwned).html' --state=-s --eunit=-t_tests.erl";
    let one = project.shell(&format!(
        "{rebar3} {odd} --format json --output '-o ü.json'"
    ));
    assert_ends(&one, FAILED, "There are findings");
    for made in ["-x$(touch pwned).html", "-s", "-t_tests.erl", "-o ü.json"] {
        assert!(project.path(made).exists(), "{made}: {one:?}");
    }
    assert!(!project.path("pwned").exists());
}
