//! `doctor`, `explain`, `completions`, `--version`, help, and the message about a crash.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use end_to_end::erlang::{erlc, evaluate};
use end_to_end::tool::{Run, Workplace};
use insta::assert_snapshot;
use serde_json::Value;

/// All commands that `--help` lists.
const COMMANDS: [&str; 13] = [
    "explore",
    "eunit",
    "replay",
    "accept",
    "merge",
    "instrument",
    "run",
    "events",
    "flatten",
    "explain",
    "serve",
    "doctor",
    "completions",
];

fn workplace() -> Workplace {
    Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"))
}

/// Runs the tool with a variable set.
fn run_with(place: &Workplace, arguments: &[&str], variables: &[(&str, &str)]) -> Run {
    let mut command = place.command(arguments);
    command.envs(variables.iter().copied());
    place.finish(command, arguments)
}

/// The report of `doctor`, and its exit status.
fn doctor(place: &Workplace, variables: &[(&str, &str)]) -> (i32, Value) {
    let run = run_with(place, &["doctor", "--format", "json"], variables);
    let report = serde_json::from_str(&run.stdout);
    (
        run.status,
        report.unwrap_or_else(|error| panic!("{error}: {run:?}")),
    )
}

fn check<'report>(report: &'report Value, name: &str) -> &'report Value {
    let checks = report["checks"].as_array().expect("a list");
    let mut found = checks.iter().filter(|check| check["name"] == name);
    found
        .next()
        .unwrap_or_else(|| panic!("{name} in {report:#}"))
}

/// A folder for the PATH with a program in it.
fn program(place: &Workplace, name: &str, script: &str) -> String {
    place.write(&format!("bin/{name}"), script.as_bytes());
    let path = place.path(format!("bin/{name}"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
    place.path("bin").display().to_string()
}

#[test]
fn the_doctor_finds_everything_where_it_is() {
    let place = workplace();
    let (status, report) = doctor(&place, &[]);
    assert_eq!(
        (status, &report["ok"]),
        (0, &Value::Bool(true)),
        "{report:#}"
    );
    for name in [
        "erl",
        "helper BEAM",
        "Erlang/OTP",
        "compiler",
        "library",
        "Z3",
    ] {
        assert_eq!(check(&report, name)["status"], "ok", "{report:#}");
    }
    let text = place.run(&["doctor"]).success();
    assert!(
        text.ends_with("everything that is needed is installed\n"),
        "{text}"
    );
}

#[test]
fn the_doctor_says_what_to_do_without_erlang() {
    let place = workplace();
    let run = run_with(&place, &["doctor"], &[("PATH", "/none")]);
    assert_eq!(run.status, 2);
    let text = run.stdout;
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.contains("  Z3  ") && !line.contains("  cache  "))
        .collect();
    let folder = std::env::temp_dir().display().to_string();
    assert_snapshot!(
        lines
            .join("\n")
            .replace("<folder>", "FOLDER")
            .replace(&folder, "TEMPORARY")
    );
}

#[test]
fn the_doctor_notices_an_erlang_that_does_not_start() {
    let place = workplace();
    let folder = program(&place, "erl", "#!/bin/sh\nexit 1\n");
    let (status, report) = doctor(&place, &[("PATH", &folder)]);
    assert_eq!((status, &report["ok"]), (2, &Value::Bool(false)));
    assert_eq!(check(&report, "helper BEAM")["status"], "missing");
    assert_eq!(check(&report, "rebar3")["status"], "warning");
}

#[test]
fn the_doctor_says_how_to_name_the_plugin() {
    let name = "rebar3 plugin";
    let (_, report) = doctor(&workplace(), &[]);
    let checks = report["checks"].as_array().expect("a list");
    assert!(checks.iter().all(|it| it["name"] != name), "{report:#}");
    let plugin = "_checkouts/rebar3_erlconcolic/src/rebar3_erlconcolic.app.src";
    let found = [(plugin, "")];
    for (config, files, status, text) in [
        (
            "",
            &[][..],
            "warning",
            "add the line {project_plugins, [rebar3_erlconcolic]}.",
        ),
        (
            "{erl_opts, []}.\n{project_plugins, [{rebar3_hex, \"7.0\"}]}.\n",
            &[][..],
            "warning",
            "change line 2 to {project_plugins, [{rebar3_hex,\"7.0\"}, rebar3_erlconcolic]}.",
        ),
        (
            "{project_plugins, [rebar3_hex]}.\n{project_plugins, [rebar3_erlconcolic]}.\n",
            &found[..],
            "warning",
            "one line instead: {project_plugins, [rebar3_hex, rebar3_erlconcolic]}.",
        ),
        (
            "{project_plugins, [rebar3_erlconcolic]}.",
            &[][..],
            "warning",
            "_checkouts/",
        ),
        (
            "{project_plugins, [",
            &[][..],
            "warning",
            "correct the file",
        ),
        (
            "{project_plugins, [rebar3_erlconcolic]}.",
            &found[..],
            "ok",
            "",
        ),
    ] {
        let place = workplace().with(&[("rebar.config", config)]).with(files);
        let (exit, report) = doctor(&place, &[]);
        let check = check(&report, name);
        assert_eq!(
            (exit, &check["status"]),
            (0, &Value::from(status)),
            "{check}"
        );
        let advice = check["advice"].as_str().unwrap_or_default();
        assert!(advice.contains(text), "{check}");
    }
}

#[test]
fn the_doctor_notices_modules_without_debug_information() {
    let place = workplace();
    let copy = "{ok, Bytes} = file:read_file(code:which(calendar)), \
                {ok, {_, Bare}} = beam_lib:strip(Bytes), \
                ok = file:write_file(\"calendar.beam\", Bare), halt().";
    assert_eq!(evaluate(&place.path("."), copy).status, 0);
    let flags = format!("-pa {}", place.path(".").display());
    let (status, report) = doctor(&place, &[("ERL_FLAGS", &flags)]);
    assert_eq!(status, 2, "{report:#}");
    let library = check(&report, "library");
    assert_eq!(library["status"], "missing");
    let found = library["found"].as_str().expect("a text");
    assert!(found.ends_with("cannot be followed: calendar"), "{found}");
}

#[test]
fn the_doctor_notices_a_compiler_that_does_not_work() {
    let place = workplace().with(&[("compile.erl", "-module(compile).\n")]);
    erlc(&place.path("."), [], &[place.path("compile.erl")]);
    let flags = format!("-pa {}", place.path(".").display());
    let (status, report) = doctor(&place, &[("ERL_FLAGS", &flags)]);
    assert_eq!(status, 2, "{report:#}");
    assert_eq!(
        check(&report, "compiler")["status"],
        "missing",
        "{report:#}"
    );
}

#[test]
fn the_doctor_notices_folders_that_cannot_be_written() {
    let place = workplace();
    let (_, report) = doctor(&place, &[("TMPDIR", "/none")]);
    assert_eq!(
        check(&report, "temporary files")["status"],
        "warning",
        "{report:#}"
    );
}

#[test]
fn versions_are_shown_without_starting_anything() {
    let place = workplace();
    let short = place.run(&["-V"]).success();
    let own = concat!("erlconcolic ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(short, own);
    let long = place.run(&["--version"]).success();
    let lines: Vec<&str> = long.lines().collect();
    assert_eq!(lines.len(), 3, "{long}");
    assert_eq!(format!("{}\n", lines[0]), own);
    assert!(lines[1].starts_with("Z3 4."), "{long}");
    let version = lines[2].strip_prefix("Erlang/OTP ").expect("it is told");
    assert!(
        version.starts_with(|first: char| first.is_ascii_digit()),
        "{long}"
    );
}

#[test]
fn versions_are_shown_whatever_erlang_is_there() {
    let place = workplace();
    let last = |path: &str| {
        let run = run_with(&place, &["--version"], &[("PATH", path)]);
        assert_eq!(run.status, 0, "{run:?}");
        run.stdout.lines().last().unwrap_or_default().to_owned()
    };
    assert_eq!(last("/none"), "Erlang/OTP not found");
    let folder = program(&place, "erl", "#!/bin/sh\nprintf 27\n");
    assert_eq!(last(&folder), "Erlang/OTP 27");
    program(&place, "erl", "#!/bin/sh\nexit 1\n");
    assert!(
        last(&folder).starts_with("Erlang/OTP unknown: "),
        "{}",
        last(&folder)
    );
}

#[test]
fn codes_are_explained() {
    let place = workplace();
    assert_snapshot!(place.run(&["explain"]).success());
    let page = place.run(&["explain", "opaque-call"]).success();
    assert!(page.starts_with("opaque-call: An opaque call"), "{page}");
    assert_eq!(
        place.run(&["explain", "error[opaque-call]:"]).success(),
        page
    );
    let unknown = [["explain", "opaque-cal"], ["explain", "E0308"]];
    let texts = unknown.map(|arguments| place.run(&arguments).failure());
    assert_snapshot!(texts.join("\n\n"));
}

/// Runs a command line in a terminal and returns what it shows there.
fn in_terminal(place: &Workplace, arguments: &str) -> String {
    let binary = env!("CARGO_BIN_EXE_erlconcolic-under-test");
    let output = Command::new("script")
        .args([
            "--quiet",
            "--command",
            &format!("'{binary}' {arguments}"),
            "/dev/null",
        ])
        .current_dir(place.path("."))
        .env("NO_COLOR", "1")
        .output()
        .expect("`script` can be started");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn terminals_show_where_to_read_more() {
    let place = workplace();
    let hint = "for more information: erlconcolic explain io";
    let shown = in_terminal(&place, "flatten none.erl");
    assert!(shown.contains(hint), "{shown}");
    let piped = place.run(&["flatten", "none.erl"]).failure();
    assert!(!piped.contains(hint), "{piped}");
}

#[test]
fn a_crash_of_the_tool_is_an_error_and_leaves_a_file() {
    let place = workplace();
    fs::create_dir(place.path("tmp")).expect("it can be made");
    let folder = place.path("tmp").display().to_string();
    let variables = [
        ("ERLCONCOLIC_CRASH", "on demand"),
        ("TMPDIR", folder.as_str()),
    ];
    let run = run_with(&place, &["explain", "io"], &variables);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{run:?}");
    assert!(
        run.stderr
            .starts_with("error[internal]: erlconcolic crashed: "),
        "{run:?}"
    );
    assert!(
        run.stderr
            .contains("this is a bug in erlconcolic, not in your program")
    );
    let names = place.list("tmp");
    assert_eq!(names.len(), 1, "{names:?}");
    assert!(run.stderr.contains(&names[0]), "{run:?}");
    let text = place.read(&format!("tmp/{}", names[0]));
    for part in [
        "erlconcolic 0.",
        "\nZ3 ",
        "\nErlang/OTP ",
        "\"explain\" \"io\"",
        "on demand",
    ] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
    let nowhere = [("ERLCONCOLIC_CRASH", "on demand"), ("TMPDIR", "/none")];
    let run = run_with(&place, &["explain", "io"], &nowhere);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stderr.contains("erlconcolic --version"), "{run:?}");
}

#[test]
fn shells_get_completions_for_every_command() {
    let place = workplace();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = place.run(&["completions", shell]).success();
        for command in COMMANDS {
            assert!(text.contains(command), "{command} for {shell}");
        }
        assert!(!text.contains("man-pages"), "{shell}");
    }
    place.write(
        "completions.bash",
        place.run(&["completions", "bash"]).success().as_bytes(),
    );
    let status = Command::new("bash")
        .arg("-n")
        .arg(place.path("completions.bash"))
        .status();
    assert!(status.expect("bash can be started").success());
    assert_eq!(place.run(&["completions", "dos"]).status, 2);
}

#[test]
fn the_manual_has_a_page_for_every_command() {
    let place = workplace();
    place.run(&["man-pages", "man"]).success();
    let mut expected: Vec<String> = COMMANDS
        .iter()
        .map(|command| format!("erlconcolic-{command}.1"))
        .chain(["erlconcolic.1".to_owned()])
        .collect();
    expected.sort();
    assert_eq!(place.list("man"), expected);
    let page = place.read("man/erlconcolic-replay.1");
    assert!(
        page.contains("erlconcolic replay report.json src/"),
        "{page}"
    );
}

#[test]
fn help_of_every_command() {
    let place = workplace();
    let help = place.run(&["--help"]).success();
    let listed: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| line.starts_with(|first: char| first.is_ascii_lowercase()))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|word| !["help", "erlconcolic"].contains(word))
        .collect();
    assert_eq!(listed, COMMANDS);
    for command in COMMANDS {
        let help = place.run(&[command, "--help"]).success();
        for part in ["\nExample", "  erlconcolic ", "\nExit status: 0"] {
            assert!(help.contains(part), "{part:?} in the help of {command}");
        }
        assert_snapshot!(format!("help_of_{command}"), help);
    }
}

#[test]
fn the_tool_needs_nothing_of_the_folder_it_was_built_in() {
    let place = workplace().with(&[(
        "src/m.erl",
        "-module(m).\n-export([f/1]).\nf(1) -> lists:sum([a]);\nf(_) -> 1.\n",
    )]);
    let moved = place.path("moved/erlconcolic");
    fs::create_dir_all(place.path("moved")).expect("it can be made");
    fs::copy(env!("CARGO_BIN_EXE_erlconcolic-under-test"), &moved).expect("it can be copied");
    let text = fs::read(&moved).expect("it can be read");
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let support = folder.parent().expect("a folder").join("erlang-support");
    let support = support.display().to_string();
    let is_named = text
        .windows(support.len())
        .any(|part| part == support.as_bytes());
    assert!(!is_named, "the binary names {support}");
    let elsewhere = Workplace::new(moved.to_str().expect("it is UTF-8"));
    elsewhere.write("src/m.erl", place.read("src/m.erl").as_bytes());
    let run = elsewhere.run(&["explore", "--entry", "f/1"]);
    assert_eq!(run.status, 1, "{run:?}");
}
