//! Names that hold quotes, line ends, escape sequences and the syntax of shells, pages and formats
//! work everywhere, and are only names.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt;
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

/// Runs the tool, which must end with this status and send no commands to the terminal.
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
fn arguments_that_are_not_a_list_are_refused() {
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

#[test]
fn conditions_and_opaque_modules_may_have_any_name() {
    let names = ["it's \"odd\"", "line\nbreak", "$(touch pwned) `x`", "'q'"];
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    // The compiler refuses line ends in names of modules.
    let module = atom(names.concat().replace('\n', "").as_str());
    let exports = names.map(|name| format!("{}/1", atom(name))).join(", ");
    let conditions = names.map(|name| format!("{}(X) -> X =/= 7.\n", atom(name)));
    let source = format!(
        "-module({module}).\n-export([{exports}]).\n{}",
        conditions.concat()
    );
    place.write("src/conditions.erl", source.as_bytes());
    let calls = names
        .map(|name| format!("{module}:{}(X)", atom(name)))
        .join(", ");
    let source = format!("-module(odd).\n-export([f/1, g/1]).\nf(X) -> X.\ng(X) -> {{{calls}}}.\n");
    place.write("src/odd.erl", source.as_bytes());
    let explore = [
        "explore",
        "src",
        "--no-spec",
        "--max-runs",
        "9",
        "--format",
        "json",
    ];
    for name in names {
        let condition = format!("{module}:{}/1", atom(name));
        let conditions = [
            "--entry", "odd:f/1", "--pre", &condition, "--post", &condition,
        ];
        let report = run(&place, 0, &[&explore[..], &conditions].concat());
        let json: Value = serde_json::from_str(&report.stdout).expect("the report is JSON");
        assert_eq!(
            json.pointer("/stats/rejected"),
            Some(&Value::from(1)),
            "{json:#}"
        );
    }
    let report = run(
        &place,
        0,
        &[&explore[..], &["--entry", "odd:g/1", "--opaque", &module]].concat(),
    );
    let json: Value = serde_json::from_str(&report.stdout).expect("the report is JSON");
    let left_out = json
        .pointer("/incomplete/0")
        .expect("calls are not followed");
    assert_eq!(text(left_out, "code"), "opaque-call", "{json:#}");
    assert!(!place.path("pwned").exists());
}

/// A function that crashes for 7, named alone in a module.
fn module_with(name: &str, function: &str) -> String {
    let (module, function) = (atom(name), atom(function));
    format!(
        "-module({module}).\n-export([{function}/1]).\n\
         {function}(7) -> error(bug);\n{function}(X) -> X.\n"
    )
}

#[test]
fn names_may_be_as_long_as_atoms_and_file_names() {
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    // Beside `.erl` a file name has room for 251 bytes, an atom in compiled code has 255.
    let ends = ["a", "b"].map(|end| format!("{}{end}", "m".repeat(250)));
    let begins = ["a", "b"].map(|begin| format!("{begin}{}", "ü".repeat(127)));
    for (module, function) in ends.iter().zip(&begins) {
        let source = module_with(module, function);
        place.write(&format!("src/{module}.erl"), source.as_bytes());
    }
    let both = begins
        .clone()
        .map(|function| module_with("both", &function));
    let [first, second] = both.map(|text| text.split_once("]).\n").expect("code").1.to_owned());
    let exports = begins
        .map(|function| format!("{}/1", atom(&function)))
        .join(", ");
    let source = format!("-module(both).\n-export([{exports}]).\n{first}{second}");
    place.write("src/both.erl", source.as_bytes());
    run(&place, 0, &["flatten", "src", "-o", "flat"]);
    assert_eq!(place.list("flat").len(), 3);
    run(&place, 0, &["instrument", "src", "-o", "build"]);
    let explore = [
        "explore",
        "build",
        "--all",
        "--no-spec",
        "--state",
        "runs",
        "--quiet",
    ];
    let more = ["--eunit", "long_tests.erl", "--html", "page.html"];
    let report = run(&place, 1, &[&explore[..], &more].concat());
    assert!(report.stdout.contains("8 tests, 4 findings"), "{report:?}");
    let replayed = run(&place, 1, &["replay", "runs", "build"]);
    assert!(replayed.stdout.contains("4 still fail"), "{replayed:?}");
}

#[test]
fn names_that_look_alike_are_kept_apart() {
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    // A file name cannot hold a slash, bodies of functions are called `@f`, and folders of a state
    // have codes of characters in their names.
    for (file, module) in [("1", "a/b"), ("2", "a_b")] {
        let module = atom(module);
        let text =
            format!("module {module} ['f'/1] attributes []\n'f'/1 = fun (X) -> {module}\nend\n");
        place.write(
            &format!("src/{file}.core"),
            text.replace(" a_b", " 'a_b'").as_bytes(),
        );
    }
    let functions = ["f", "@f", "@1@f", "a 0", "a\u{200}"].map(atom);
    let exports = functions.clone().map(|name| format!("{name}/1")).join(", ");
    let clauses = functions
        .clone()
        .map(|name| format!("{name}(7) -> error({name}).\n"))
        .concat();
    let source = format!("-module(alike).\n-export([{exports}]).\n{clauses}");
    place.write("src/alike.erl", source.as_bytes());
    run(&place, 0, &["flatten", "src", "-o", "flat"]);
    assert_eq!(place.list("flat").len(), 3);
    run(&place, 0, &["instrument", "src", "-o", "build"]);
    for module in ["a/b", "a_b"].map(atom) {
        let entry = format!("{module}:f/1");
        let ran = run(
            &place,
            0,
            &["run", "build", "--entry", &entry, "--args", "[1]"],
        );
        assert!(
            ran.stdout.ends_with(&format!("returned {module}\n")),
            "{ran:?}"
        );
    }
    let explore = [
        "explore",
        "build",
        "--module",
        "alike",
        "--no-spec",
        "--state",
        "runs",
    ];
    let report = run(&place, 1, &[&explore[..], &["--format", "json"]].concat());
    let json: Value = serde_json::from_str(&report.stdout).expect("the report is JSON");
    let findings = json
        .get("findings")
        .and_then(Value::as_array)
        .expect("there are findings");
    for name in &functions {
        let of_it = findings
            .iter()
            .filter(|it| text(it, "entry") == format!("alike:{name}/1"));
        let reasons: Vec<&str> = of_it.map(|it| text(it, "reason")).collect();
        assert_eq!(reasons, ["function_clause", name], "{json:#}");
    }
    let replayed = run(&place, 1, &["replay", "runs", "build"]);
    assert!(replayed.stdout.contains("10 still fail"), "{replayed:?}");
}

#[test]
fn names_that_are_too_long_are_refused_before_anything_is_run() {
    let place = workplace("src");
    let before = place.list("");
    let long = "ö".repeat(128);
    let tests = format!("{}.erl", "t".repeat(252));
    let [page, state, log] =
        ["html", "state", "log"].map(|option| [format!("--{option}"), long.clone()]);
    let eunit = ["--eunit".to_owned(), tests];
    let entry = format!("odd:{}/1", atom("a:b/1"));
    for option in [page, state, eunit] {
        let option = option.each_ref().map(String::as_str);
        let refused = run(
            &place,
            2,
            &[&["explore", "src", "--entry", &entry][..], &option].concat(),
        );
        assert!(refused.stderr.starts_with("error[io]"), "{refused:?}");
        assert_eq!(refused.stdout, "");
    }
    let log = log.each_ref().map(String::as_str);
    let refused = run(
        &place,
        2,
        &[
            &["run", "src", "--entry", &entry, "--args", "[1]"][..],
            &log,
        ]
        .concat(),
    );
    assert!(refused.stderr.starts_with("error[io]"), "{refused:?}");
    let refused = run(&place, 2, &["instrument", "src", "-o", &long]);
    assert!(refused.stderr.starts_with("error[io]"), "{refused:?}");
    assert_eq!(place.list(""), before);
}

#[test]
fn folders_may_begin_with_dashes_and_hold_line_ends() {
    let folder = "-o\n'\"\\ 😀";
    let place = workplace(folder);
    place.write(&format!("{folder}/include/odd.hrl"), b"-define(IN, 1).\n");
    let source = b"-module(with).\n-include(\"odd.hrl\").\n-export([f/1]).\nf(?IN) -> error(bug);\nf(X) -> X.\n";
    place.write(&format!("{folder}/with.erl"), source);
    let include = format!("--include={folder}/include");
    let state = format!("--state={folder}/state");
    let page = format!("--html={folder}/page.html");
    let tests = format!("--eunit={folder}/with_tests.erl");
    let output = format!("--output={folder}/build");
    run(&place, 0, &["instrument", &output, &include, "--", folder]);
    let explore = [
        "explore", &include, &state, &page, &tests, "--entry", "with:f/1",
    ];
    let sources = ["--", &format!("{folder}/with.erl")];
    let report = run(&place, 1, &[&explore[..], &sources].concat());
    assert!(
        report.stdout.contains("with:f(1) raises error: bug"),
        "{report:?}"
    );
    for name in ["state", "page.html", "with_tests.erl", "build"] {
        assert!(place.path(folder).join(name).exists(), "{name}");
    }
    let state = format!("{folder}/state");
    run(
        &place,
        1,
        &["replay", "--", &state, &format!("{folder}/build")],
    );
}

/// Runs the tool with arguments that need not be text.
#[track_caller]
fn run_with(place: &Workplace, status: i32, arguments: &[&OsStr]) -> Run {
    let run = place.finish(place.command(arguments), &[]);
    assert_eq!(run.status, status, "{run:?}");
    check_terminal(&run);
    run
}

#[test]
fn names_that_are_not_utf8_work_where_erlang_does_not_see_them() {
    let place = workplace("src");
    let name = |end: &str| OsString::from_vec([b"\xff\xfe ", end.as_bytes()].concat());
    std::fs::create_dir_all(place.path(name("folder")).join("src")).expect("it can be made");
    std::fs::copy(
        place.path("src/odd.erl"),
        place.path(name("folder")).join("src/odd.erl"),
    )
    .expect("it can be copied");
    let words = |text: &'static str| text.split(' ').map(OsStr::new).collect::<Vec<_>>();
    let entry = [
        OsString::from("--entry"),
        format!("odd:{}/1", atom("")).into(),
    ];
    let entry = entry.each_ref().map(OsString::as_os_str);
    let (build, state, page, log) = (name("build"), name("state"), name("page"), name("log"));
    // There is no message about names that are not used.
    let quiet = run_with(
        &place,
        0,
        &[&words("run src --args [1] --log")[..], &[&log], &entry].concat(),
    );
    assert_eq!(quiet.stderr, "");
    run_with(
        &place,
        0,
        &[&words("instrument src -o")[..], &[&build]].concat(),
    );
    let explore = [
        &words("explore --quiet")[..],
        &[&build],
        &entry,
        &words("--html"),
        &[&page],
    ]
    .concat();
    run_with(
        &place,
        1,
        &[&explore[..], &words("--state"), &[&state]].concat(),
    );
    run_with(
        &place,
        1,
        &[&words("replay")[..], &[&state, &build]].concat(),
    );
    run_with(&place, 0, &[&words("events")[..], &[&log, &build]].concat());
    for made in [&build, &state, &page, &log] {
        assert!(place.path(made).exists(), "{made:?}");
    }
    // These names are passed to Erlang, which takes only text.
    let (folder, test_file) = (name("folder"), name("tests.erl"));
    let before = place.list("");
    let source = [&words("explore")[..], &[&folder], &entry].concat();
    let include = [&words("explore src --include")[..], &[&folder], &entry].concat();
    let code_path = [&words("explore src --pa")[..], &[&folder], &entry].concat();
    let tests = [&words("explore src --eunit")[..], &[&test_file], &entry].concat();
    for arguments in [source, include, code_path, tests] {
        let refused = run_with(&place, 2, &arguments);
        assert!(
            refused.stderr.contains("not UTF-8") || refused.stderr.contains("not the name of"),
            "{refused:?}"
        );
        assert_eq!(refused.stdout, "");
    }
    for arguments in [
        &["explore", "--all"][..],
        &["instrument", "src", "-o", "build"],
    ] {
        let mut command = place.command(arguments);
        command.current_dir(place.path(&folder));
        let refused = place.finish(command, arguments);
        assert_eq!(refused.status, 2, "{refused:?}");
        assert!(refused.stderr.starts_with("error[encoding]"), "{refused:?}");
    }
    assert_eq!(place.list(""), before);
}
