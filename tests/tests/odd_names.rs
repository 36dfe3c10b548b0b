//! Names with quotes, line ends, escape sequences and the syntax of shells, pages and formats in
//! them: they work everywhere, and are nowhere taken for more than names.

use std::path::Path;
use std::process::Command;

use end_to_end::tool::{Run, Workplace};
use serde_json::Value;

/// Functions with odd names, each of which crashes for an atom with an odd name.
const NAMES: [&str; 12] = [
    "it's \"odd\"",
    "</script><script>alert(1)</script>",
    "<!-- &amp; -->",
    "~p %s {}",
    "$(touch pwned); `touch pwned` & *",
    "line\nbreak\t",
    "'), halt(), ('",
    "\u{1b}[2J\u{1b}]0;title\u{7}",
    "a:b/1",
    "\\",
    "ü\u{e9}",
    "",
];

/// A folder whose name holds nearly everything that a name may hold.
const FOLDER: &str = "it's $(touch pwned); \"q\" `x` & <b> ~p %s \u{1b}[31m \u{202e}😀";

fn atom(text: &str) -> String {
    erlang_term::Term::atom(text).to_string()
}

/// The module `odd`: each function crashes for the atom of its own name.
fn odd_module() -> String {
    let exports: Vec<String> = NAMES
        .iter()
        .map(|name| format!("{}/1", atom(name)))
        .collect();
    let clauses = NAMES.map(|name| {
        let name = atom(name);
        format!("{name}({name}) -> error({{{name}, \"\\e[2J\"}});\n{name}(X) -> X.\n")
    });
    format!(
        "-module(odd).\n-export([{}]).\n{}",
        exports.join(", "),
        clauses.concat()
    )
}

fn workplace(folder: &str) -> Workplace {
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    place.write(&format!("{folder}/odd.erl"), odd_module().as_bytes());
    place
}

/// What a terminal would obey.
fn commands_to_terminals(text: &str) -> Vec<char> {
    let obeyed = |character: &char| {
        (character.is_control() && !matches!(character, '\n' | '\t'))
            || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().filter(obeyed).collect()
}

#[track_caller]
fn check_terminal(run: &Run) {
    let text = format!("{}{}", run.stdout, run.stderr);
    assert_eq!(commands_to_terminals(&text), [], "{run:?}");
}

/// Runs the tool, which must end with this status and tell the terminal nothing.
#[track_caller]
fn run(place: &Workplace, status: i32, arguments: &[&str]) -> Run {
    let run = place.run(arguments);
    assert_eq!(run.status, status, "{run:?}");
    check_terminal(&run);
    run
}

fn text<'json>(value: &'json Value, key: &str) -> &'json str {
    let text = value.get(key).and_then(Value::as_str);
    text.unwrap_or_else(|| panic!("{key} of {value}"))
}

#[test]
fn functions_may_have_any_name() {
    let place = workplace("src");
    let all = ["explore", "src", "--all", "--no-spec", "--max-runs", "60"];
    let more = [
        "--format",
        "json",
        "--eunit",
        "odd_tests.erl",
        "--html",
        "page.html",
        "--state",
        "runs",
    ];
    let report = run(&place, 1, &[&all[..], &more].concat());
    place.write("report.json", report.stdout.as_bytes());
    let json: Value = serde_json::from_str(&report.stdout).expect("the report is JSON");
    let findings = json
        .get("findings")
        .and_then(Value::as_array)
        .expect("there are findings");
    assert_eq!(findings.len(), NAMES.len(), "{json:#}");
    for (finding, name) in findings.iter().map(|it| (it, text(it, "entry"))) {
        let arguments = finding
            .get("args")
            .and_then(Value::as_array)
            .expect("a list");
        let argument = arguments.first().and_then(Value::as_str).expect("a text");
        // Entries and arguments are understood as they are printed.
        let list = format!("[{argument}]");
        let again = [
            "run", "src", "--entry", name, "--args", &list, "--format", "json",
        ];
        let again = run(&place, 1, &again);
        let again: Value = serde_json::from_str(&again.stdout).expect("it is JSON");
        assert_eq!(text(&again, "reason"), text(finding, "reason"));
    }
    run(&place, 1, &all);
    for saved in ["report.json", "runs"] {
        let replayed = run(&place, 1, &["replay", saved, "src"]);
        let line = format!("{} still fail", NAMES.len());
        assert!(replayed.stdout.contains(&line), "{replayed:?}");
    }
    check_eunit(&place);
    check_page(&place.read("page.html"));
    assert!(!place.path("pwned").exists());
}

/// The tests compile, pass, and hold no code but tests.
fn check_eunit(place: &Workplace) {
    let run = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        let output = command.args(arguments).current_dir(place.path("")).output();
        let output = output.expect("Erlang is installed");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{text}");
        text
    };
    run("erlc", &["src/odd.erl", "odd_tests.erl"]);
    let code = "io:format(\"~p\", [eunit:test(odd_tests)]), halt().";
    let printed = run("erl", &["-noshell", "-eval", code]);
    assert!(printed.ends_with("ok"), "{printed}");
    assert_eq!(commands_to_terminals(&place.read("odd_tests.erl")), []);
}

/// No name has become an element of the page.
fn check_page(page: &str) {
    assert!(!page.contains("<script>alert"));
    assert!(!page.contains("<!-- &amp; -->"));
    assert_eq!(
        page.matches("</script").count(),
        page.matches("<script").count()
    );
    assert_eq!(commands_to_terminals(page), []);
}

#[test]
fn folders_may_have_any_name() {
    let place = workplace(FOLDER);
    let build = format!("{FOLDER} build");
    let log = format!("{FOLDER}.log");
    let page = format!("{FOLDER}.html");
    let state = format!("{FOLDER} state");
    let entry = format!("odd:{}/1", atom("a:b/1"));
    run(
        &place,
        0,
        &["flatten", FOLDER, "-o", &format!("{FOLDER} flat")],
    );
    run(&place, 0, &["instrument", FOLDER, "-o", &build]);
    run(
        &place,
        0,
        &[
            "run", &build, "--entry", &entry, "--args", "[1]", "--log", &log, "--events",
        ],
    );
    run(&place, 0, &["events", &log, &build]);
    let explore = [
        "explore",
        FOLDER,
        "--entry",
        &entry,
        "--html",
        &page,
        "--state",
        &state,
        "--include",
        FOLDER,
        "--pa",
        FOLDER,
        "--max-runs",
        "9",
    ];
    let report = run(&place, 1, &explore);
    assert!(report.stdout.contains("odd.erl:"), "{report:?}");
    run(
        &place,
        1,
        &[&explore[..], &["--resume", "--verbose"]].concat(),
    );
    run(&place, 1, &["replay", &state, FOLDER]);
    run(&place, 2, &["flatten", &format!("{FOLDER} nowhere")]);
    run(
        &place,
        2,
        &["explore", FOLDER, "--entry", &format!("{FOLDER}:f/1")],
    );
    check_page(&place.read(&page));
    assert!(!place.path("pwned").exists());
}

#[test]
fn modules_and_files_may_have_any_name() {
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    let names = [
        "-o",
        "a b",
        "<b>",
        "$(touch pwned)",
        "it's",
        "A",
        "a",
        "~p",
        "a.b",
        "\"q\"",
    ];
    for name in names {
        let module = atom(name);
        let source = format!("-module({module}).\n-export([f/1]).\nf(7) -> error({module}).\n");
        place.write(&format!("src/{name}.erl"), source.as_bytes());
    }
    run(&place, 0, &["instrument", "src", "-o", "build"]);
    for name in names {
        let entry = format!("{}:f/1", atom(name));
        let ran = run(
            &place,
            1,
            &["run", "build", "--entry", &entry, "--args", "[7]"],
        );
        assert!(
            ran.stdout
                .contains(&format!("raised error: {}\n", atom(name))),
            "{ran:?}"
        );
        assert!(Path::new(&place.path(format!("src/{name}.erl"))).exists());
    }
    assert!(!place.path("pwned").exists());
}

#[test]
fn what_is_no_list_of_arguments_is_refused() {
    let place = workplace("src");
    run(&place, 0, &["instrument", "src", "-o", "build"]);
    let long = format!("['{}']", "a".repeat(300));
    let open = "[".repeat(60_000);
    let deep = format!("{open}{}", "]".repeat(60_000));
    let wrong = [
        "",
        "ok",
        "[1.0e999]",
        "[16#]",
        "[37#1]",
        "[$\\]",
        "['abc]",
        "[\"abc]",
        "[X]",
        "[a]. [b].",
        "[fun() -> halt() end]",
        "[self()]",
        "[<<1:99999999999>>]",
        &long,
        &open,
        &deep,
        "['\u{1b}[2J\u{9b}2J",
        "[\u{202e}",
    ];
    for text in wrong {
        let entry = format!("odd:{}/1", atom(""));
        let refused = run(
            &place,
            2,
            &["run", "build", "--entry", &entry, "--args", text],
        );
        assert!(
            refused.stderr.starts_with("error[bad-arguments]"),
            "{refused:?}"
        );
    }
}
