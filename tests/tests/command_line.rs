//! The command as a user meets it: its input, its output, its messages.

use std::env;
use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Stdio;

use end_to_end::erlang::{Finished, erlc, evaluate, package_path};
use end_to_end::tool::Workplace;
use insta::assert_snapshot;

const SHOP: &str = "\
-module(shop).
-export([total/2, cheapest/1]).

total([], Sum) -> Sum;
total([{_, Price, Count} | Rest], Sum) when Count > 0 ->
    total(Rest, Sum + Price * Count).

cheapest(Items) ->
    try lists:min([Price || {_, Price, _} <- Items]) of
        Price -> {ok, Price}
    catch
        error:_ -> none
    end.
";

fn workplace() -> Workplace {
    Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"))
}

/// The smallest module of this name.
fn module(name: &str) -> String {
    format!("-module({name}).\n-export([f/0]).\nf() -> {name}.\n")
}

/// The names of the modules in a text of Core Erlang.
fn module_names(text: &str) -> Vec<&str> {
    text.lines()
        .filter_map(|line| line.strip_prefix("module '"))
        .filter_map(|rest| rest.split('\'').next())
        .collect()
}

/// A text from its first function on: without exports and attributes.
fn functions(text: &str) -> &str {
    text.find("\n\n").map_or(text, |at| &text[at..])
}

#[test]
fn source_core_and_beam_give_the_same_flat_functions() {
    let place = workplace().with(&[("shop.erl", SHOP)]);
    let source = place.path("shop.erl");
    erlc(&place.path("."), ["+debug_info"], &[&source]);
    erlc(&place.path("."), ["+to_core"], &[&source]);
    let from_source = place.run(&["flatten", "shop.erl"]).success();
    let from_core = place.run(&["flatten", "shop.core"]).success();
    let from_beam = place.run(&["flatten", "shop.beam"]).success();
    // `erlc +to_core` omits more annotations than positions.
    let bare = |text: &str| {
        let text = text.replace(" -| ['list_comprehension'] )", "");
        functions(&text.replace("( ", "")).to_owned()
    };
    assert_eq!(bare(&from_source), bare(&from_core));
    assert_eq!(functions(&from_source), functions(&from_beam));
    assert_snapshot!(from_source);
}

#[test]
fn prints_core_erlang_as_the_compiler_gives_it() {
    let place = workplace().with(&[("shop.erl", SHOP)]);
    assert_snapshot!(
        place
            .run(&["flatten", "--emit", "core", "shop.erl"])
            .success()
    );
}

#[test]
fn annotations_have_lines_and_columns() {
    let place = workplace().with(&[("src/tiny.erl", &module("tiny"))]);
    let text = place
        .run(&["flatten", "src/tiny.erl", "--annotations"])
        .success();
    assert!(text.contains("{'file',\"src/tiny.erl\"}"), "{text}");
    assert!(text.contains("{'f',0}},{3,1},"), "{text}");
}

#[test]
fn flat_text_compiles_and_behaves() {
    let place = workplace();
    let sample = package_path("../samples/paper/app.erl");
    let sample = sample.to_str().expect("the path is UTF-8");
    let text = place.run(&["flatten", "--emit", "flat", sample]).success();
    place.write("app.core", text.as_bytes());
    erlc(&place.path("."), ["+from_core"], &[place.path("app.core")]);
    let call = "io:format(\"~w\", [app:main([a])]), halt().";
    let Finished { status, text } = evaluate(&place.path("."), call);
    assert_eq!((status, text.as_str()), (0, "[a,a]"));
}

#[test]
fn folders_are_searched_for_modules() {
    let place = workplace().with(&[
        ("src/b.erl", &module("b")),
        ("src/deep/er/a.erl", &module("a")),
        ("src/README.md", "not a module"),
        ("src/_build/default/old.erl", &module("old")),
        ("more/c.erl", &module("c")),
    ]);
    let text = place.run(&["flatten", "src", "more"]).success();
    assert_eq!(module_names(&text), ["b", "a", "c"]);
}

#[test]
fn a_file_named_twice_is_read_once() {
    let place = workplace().with(&[("src/a.erl", &module("a"))]);
    let text = place
        .run(&["flatten", "src/a.erl", "src", "./src/a.erl"])
        .success();
    assert_eq!(module_names(&text), ["a"]);
}

#[test]
fn writes_one_file_for_each_module() {
    let place = workplace().with(&[("src/a.erl", &module("a")), ("src/b.erl", &module("b"))]);
    let text = place.run(&["flatten", "src", "-o", "out/flat"]).success();
    assert_eq!(text, "");
    assert_eq!(place.list("out/flat"), ["a.core", "b.core"]);
    let printed = place.run(&["flatten", "src/b.erl"]).success();
    assert_eq!(place.read("out/flat/b.core"), printed);
}

#[test]
fn output_can_be_read_again() {
    let place = workplace().with(&[("shop.erl", SHOP)]);
    let once = place.run(&["flatten", "shop.erl"]).success();
    place.write("again/shop.core", once.as_bytes());
    let twice = place.run(&["flatten", "again/shop.core"]).success();
    assert_eq!(once, twice);
}

#[test]
fn writes_nothing_when_one_module_fails() {
    let place = workplace().with(&[
        ("src/good.erl", &module("good")),
        ("src/bad.erl", "-module(bad).\nf( -> ok.\n"),
    ]);
    let failure = place.run(&["flatten", "src", "-o", "out"]).failure();
    assert!(!place.path("out").exists());
    assert_snapshot!(failure);
}

#[test]
fn prints_nothing_when_one_module_fails() {
    let place = workplace().with(&[
        ("src/good.erl", &module("good")),
        (
            "src/bad.core",
            "module 'bad' ['f'/0] attributes [] 'f'/0 = fun () -> X end",
        ),
    ]);
    assert_snapshot!(place.run(&["flatten", "src"]).failure());
}

#[test]
fn include_folders_and_macros_are_as_for_erlc() {
    let place = workplace().with(&[
        ("headers/sizes.hrl", "-define(SMALL, 3).\n"),
        ("headers/names.hrl", "-record(name, {first, last}).\n"),
        (
            "src/m.erl",
            "-module(m).\n-export([f/0]).\n-include(\"sizes.hrl\").\n\
             -include(\"names.hrl\").\n\
             -ifdef(FAST).\nf() -> {?SMALL, ?LARGE, ?TEXT, #name{first = 1}}.\n-endif.\n",
        ),
    ]);
    let arguments = |include: &'static str, define: &'static str| {
        [
            "flatten",
            "src",
            include,
            "headers",
            define,
            "FAST",
            define,
            "LARGE=[10,20]",
            define,
            "TEXT=\"x\"",
        ]
    };
    let short = place.run(&arguments("-I", "-D")).success();
    assert!(
        short.contains("{3,[10,20],\"x\",{'name',1,'undefined'}}"),
        "{short}"
    );
    let long = place.run(&arguments("--include", "--define")).success();
    assert_eq!(short, long);
}

const TRANSFORM: &str = "\
-module(my_transform).
-export([parse_transform/2]).
parse_transform(Forms, _) -> [form(Form) || Form <- Forms].
form({function, Line, f, 0, _}) ->
    {function, Line, f, 0, [{clause, Line, [], [], [{atom, Line, transformed}]}]};
form(Form) -> Form.
";

#[test]
fn parse_transforms_of_the_same_project_are_applied() {
    let place = workplace().with(&[
        ("src/my_transform.erl", TRANSFORM),
        (
            "src/a.erl",
            "-module(a).\n-compile({parse_transform, my_transform}).\n-export([f/0]).\nf() -> a.\n",
        ),
    ]);
    let text = place.run(&["flatten", "src/a.erl"]).success();
    assert!(text.contains("'transformed'"), "{text}");
}

#[test]
fn parse_transforms_are_found_in_code_paths() {
    let place = workplace().with(&[
        ("transform/my_transform.erl", TRANSFORM),
        (
            "src/a.erl",
            "-module(a).\n-compile({parse_transform, my_transform}).\n-export([f/0]).\nf() -> a.\n",
        ),
    ]);
    fs::create_dir(place.path("ebin")).expect("a folder can be made");
    erlc(
        &place.path("ebin"),
        [],
        &[place.path("transform/my_transform.erl")],
    );
    let text = place
        .run(&["flatten", "src/a.erl", "--pa", "ebin"])
        .success();
    assert!(text.contains("'transformed'"), "{text}");
    assert_snapshot!(place.run(&["flatten", "src/a.erl"]).failure());
}

#[test]
fn options_of_a_rebar_project_are_used() {
    let place = workplace().with(&[
        (
            "rebar.config",
            "{erl_opts, [debug_info, {d, 'LIMIT', 42}, {i, \"headers\"},\n             \
             {parse_transform, my_transform}]}.\n",
        ),
        ("headers/names.hrl", "-record(name, {first, last}).\n"),
        ("src/my_transform.erl", TRANSFORM),
        (
            "src/a.erl",
            "-module(a).\n-export([f/0, g/0]).\n-include(\"names.hrl\").\n\
             f() -> a.\ng() -> #name{first = ?LIMIT}.\n",
        ),
    ]);
    let text = place.run(&["flatten", "src/a.erl"]).success();
    assert!(text.contains("'transformed'"), "{text}");
    assert!(text.contains("{'name',42,'undefined'}"), "{text}");
}

#[test]
fn compiler_errors_show_file_line_and_column() {
    let place = workplace().with(&[(
        "src/wrong.erl",
        "-module(wrong).\n-export([f/1]).\n\nf(X) ->\n    g(X) + Undefined.\n",
    )]);
    let failure = place.run(&["flatten", "src/wrong.erl"]).failure();
    assert!(failure.contains("src/wrong.erl:5:12"), "{failure}");
    assert_snapshot!(failure);
}

#[test]
fn a_missing_header_is_a_compiler_error() {
    let place = workplace().with(&[("a.erl", "-module(a).\n-include(\"none.hrl\").\n")]);
    assert_snapshot!(place.run(&["flatten", "a.erl"]).failure());
}

#[test]
fn all_modules_with_errors_are_reported() {
    let place = workplace().with(&[
        ("src/a.erl", "-module(a).\nf() -> X.\n"),
        ("src/b.erl", "-module(b).\nf() -> ok\n"),
        (
            "src/c.core",
            "module 'c' [] attributes [] 'f'/0 = fun () -> ok end",
        ),
    ]);
    assert_snapshot!(place.run(&["flatten", "src"]).failure());
}

#[test]
fn a_missing_file_is_named() {
    assert_snapshot!(workplace().run(&["flatten", "none.erl"]).failure());
}

#[test]
fn an_empty_folder_is_named() {
    let place = workplace().with(&[("src/notes.txt", "")]);
    assert_snapshot!(place.run(&["flatten", "src"]).failure());
}

#[test]
fn a_file_that_is_not_a_module_is_named() {
    let place = workplace().with(&[("notes.txt", "")]);
    assert_snapshot!(place.run(&["flatten", "notes.txt"]).failure());
}

#[test]
fn a_beam_without_debug_information_is_named() {
    let place = workplace().with(&[("shop.erl", SHOP)]);
    erlc(
        &place.path("."),
        ["+no_debug_info"],
        &[place.path("shop.erl")],
    );
    assert_snapshot!(place.run(&["flatten", "shop.beam"]).failure());
}

#[test]
fn a_beam_that_is_not_one_is_named() {
    let place = workplace().with(&[("shop.beam", "FOR1 and nothing else")]);
    assert_snapshot!(place.run(&["flatten", "shop.beam"]).failure());
}

#[test]
fn a_missing_erlang_is_reported() {
    let place = workplace().with(&[("shop.erl", SHOP)]);
    let arguments = ["flatten", "shop.erl"];
    let mut command = place.command(&arguments);
    command.env("PATH", place.path("no-such-folder"));
    assert_snapshot!(place.finish(command, &arguments).failure());
}

#[test]
fn core_files_need_no_erlang() {
    let place = workplace().with(&[("shop.erl", SHOP)]);
    erlc(&place.path("."), ["+to_core"], &[place.path("shop.erl")]);
    let arguments = ["flatten", "shop.core"];
    let mut command = place.command(&arguments);
    command.env("PATH", place.path("no-such-folder"));
    let text = place.finish(command, &arguments).success();
    assert_eq!(module_names(&text), ["shop"]);
}

#[test]
fn an_erlang_that_dies_is_reported() {
    let place = workplace().with(&[("shop.erl", SHOP)]);
    write_script(&place, "bin/erl", "#!/bin/sh\nexit 3\n");
    let arguments = ["flatten", "shop.erl"];
    let mut command = place.command(&arguments);
    command.env("PATH", place.path("bin"));
    assert_snapshot!(place.finish(command, &arguments).failure());
}

#[test]
fn text_that_is_not_utf8_is_named() {
    let place = workplace();
    place.write(
        "odd.core",
        b"module 'odd' [] attributes []\n%% caf\xe9\nend",
    );
    assert_snapshot!(place.run(&["flatten", "odd.core"]).failure());
}

#[test]
fn two_files_with_one_module_are_named() {
    let place = workplace().with(&[("one/a.erl", &module("a")), ("two/a.erl", &module("a"))]);
    assert_snapshot!(place.run(&["flatten", "one", "two"]).failure());
}

#[test]
fn an_output_folder_that_is_a_file_is_named() {
    let place = workplace().with(&[("a.erl", &module("a")), ("out", "a file")]);
    assert_snapshot!(place.run(&["flatten", "a.erl", "-o", "out"]).failure());
    assert_eq!(place.read("out"), "a file");
}

#[test]
fn an_output_folder_that_cannot_be_written_is_named() {
    let place = workplace().with(&[("a.erl", &module("a"))]);
    // Nobody can make folders there, not even root.
    assert_snapshot!(
        place
            .run(&["flatten", "a.erl", "-o", "/proc/erlconcolic"])
            .failure()
    );
}

#[test]
fn an_output_file_that_cannot_be_replaced_is_named() {
    let place = workplace().with(&[
        ("a.erl", &module("a")),
        ("b.erl", &module("b")),
        ("out/b.core/file", "in the way"),
    ]);
    assert_snapshot!(
        place
            .run(&["flatten", "a.erl", "b.erl", "-o", "out"])
            .failure()
    );
    // No temporary files stay behind.
    let left: Vec<String> = place.list("out");
    assert!(left.iter().all(|name| name.ends_with(".core")), "{left:?}");
}

#[test]
fn bad_usage_is_explained() {
    let place = workplace();
    let runs: [&[&str]; 5] = [
        &[],
        &["flaten"],
        &["flatten"],
        &["flatten", "--emit", "everything", "a.erl"],
        &["flatten", "--define", "=1", "a.erl"],
    ];
    let mut texts = Vec::new();
    place.write("a.erl", module("a").as_bytes());
    for arguments in runs {
        texts.push(place.run(arguments).failure());
    }
    assert_snapshot!(texts.join("\n\n"));
}

#[test]
fn a_macro_with_an_impossible_value_is_named() {
    let place = workplace().with(&[("a.erl", &module("a"))]);
    assert_snapshot!(place.run(&["flatten", "-D", "SIZE=[1,", "a.erl"]).failure());
}

#[test]
fn help_of_the_tool() {
    assert_snapshot!(workplace().run(&["--help"]).success());
}

/// Core Erlang that does not fit into a pipe.
fn large_core() -> String {
    let mut text = String::from("module 'large' [] attributes []\n");
    for number in 0..20_000 {
        text.push_str(&format!("'f{number}'/0 = fun () -> {number}\n"));
    }
    text.push_str("end\n");
    text
}

#[test]
fn a_closed_pipe_is_not_a_failure() {
    let place = workplace().with(&[("large.core", &large_core())]);
    let mut command = place.command(&["flatten", "large.core"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the tool can be started");
    let mut start = [0; 14];
    let mut stdout = child.stdout.take().expect("stdout is a pipe");
    stdout.read_exact(&mut start).expect("there is some output");
    assert_eq!(&start, b"module 'large'");
    drop(stdout);
    let output = child.wait_with_output().expect("the tool ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn output_that_cannot_be_written_is_a_failure() {
    let place = workplace().with(&[("large.core", &large_core())]);
    let arguments = ["flatten", "large.core"];
    let mut command = place.command(&arguments);
    let full = fs::File::options().write(true).open("/dev/full");
    command
        .stdout(full.expect("there is a full device"))
        .stderr(Stdio::piped());
    let output = command.spawn().and_then(|child| child.wait_with_output());
    let output = output.expect("the tool can be started");
    assert_eq!(output.status.code(), Some(2));
    assert_snapshot!(String::from_utf8_lossy(&output.stderr).trim_end());
}

fn write_script(place: &Workplace, path: &str, text: &str) {
    place.write(path, text.as_bytes());
    fs::set_permissions(place.path(path), fs::Permissions::from_mode(0o755))
        .expect("the permissions can be set");
}

/// The path of a program.
fn program(name: &str) -> PathBuf {
    let path = env::var_os("PATH").expect("there is a PATH");
    env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|candidate| candidate.is_file())
        .unwrap_or_else(|| panic!("{name} is not on the PATH"))
}

#[test]
fn starts_one_erl_however_many_files() {
    let names: Vec<String> = (0..20).map(|number| format!("m{number}")).collect();
    let place = workplace();
    for name in &names {
        place.write(&format!("src/{name}.erl"), module(name).as_bytes());
    }
    write_script(
        &place,
        "bin/erl",
        &format!(
            "#!/bin/sh\necho started >> '{}'\nexec '{}' \"$@\"\n",
            place.path("count").display(),
            program("erl").display()
        ),
    );
    let arguments = ["flatten", "src"];
    let mut command = place.command(&arguments);
    let path = env::var_os("PATH").expect("there is a PATH");
    let folders = [place.path("bin")]
        .into_iter()
        .chain(env::split_paths(&path));
    command.env(
        "PATH",
        env::join_paths(folders).expect("paths can be joined"),
    );
    let text = place.finish(command, &arguments).success();
    assert_eq!(module_names(&text).len(), names.len());
    assert_eq!(place.read("count"), "started\n");
}

#[test]
fn output_of_the_users_erlang_does_no_harm() {
    let place = workplace().with(&[
        (
            "src/noisy.erl",
            "-module(noisy).\n-export([parse_transform/2]).\n\
             parse_transform(Forms, _) -> io:format(\"hello from the transform~n\"), Forms.\n",
        ),
        (
            "src/a.erl",
            "-module(a).\n-compile({parse_transform, noisy}).\n-export([f/0]).\nf() -> a.\n",
        ),
    ]);
    let run = place.run(&["flatten", "src/a.erl"]);
    assert_eq!(run.status, 0);
    assert_eq!(module_names(&run.stdout), ["a"]);
    assert!(!run.stdout.contains("hello"), "{}", run.stdout);
    assert!(
        run.stderr.contains("hello from the transform"),
        "{}",
        run.stderr
    );
}

/// Runs a command in a terminal and returns what it shows there.
fn in_terminal(place: &Workplace, variables: &str) -> String {
    let line = format!(
        "{variables} '{}' flatten none.erl",
        env!("CARGO_BIN_EXE_erlconcolic-under-test")
    );
    let output = std::process::Command::new(program("script"))
        .args(["--quiet", "--command", &line, "/dev/null"])
        .current_dir(place.path("."))
        .env_remove("NO_COLOR")
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .output()
        .expect("`script` can be started");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn colours_are_used_on_terminals_and_on_request() {
    let place = workplace();
    let escape = '\u{1b}';
    let shown = in_terminal(&place, "");
    assert!(shown.contains(escape), "{shown:?}");
    let shown = in_terminal(&place, "NO_COLOR=1");
    assert!(
        shown.contains("none.erl") && !shown.contains(escape),
        "{shown:?}"
    );
    let piped = place.run(&["flatten", "none.erl"]).failure();
    assert!(!piped.contains(escape), "{piped:?}");
}

#[test]
fn names_may_hold_spaces_quotes_and_any_letter() {
    let folder = "it's \"my\" проект";
    let source = format!("{folder}/src/two words.erl");
    let place = workplace().with(&[
        (
            &source,
            "-module('two words').\n-export(['ключ'/0]).\n'ключ'() -> \"значение\".\n",
        ),
        (
            &format!("{folder}/src/größe.erl"),
            "-module('größe').\n-export([f/0]).\n-include(\"größe.hrl\").\nf() -> ?GROESSE.\n",
        ),
        (
            &format!("{folder}/inc l'ude/größe.hrl"),
            "-define(GROESSE, '日本').\n",
        ),
    ]);
    let include = format!("{folder}/inc l'ude");
    let text = place.run(&["flatten", folder, "-I", &include]).success();
    assert_eq!(module_names(&text), ["größe", "two words"]);
    assert!(text.contains("'日本'"), "{text}");

    let out = format!("{folder}/out put");
    place
        .run(&["flatten", folder, "-I", &include, "-o", &out])
        .success();
    assert_eq!(place.list(&out), ["größe.core", "two words.core"]);

    let failure = place
        .run(&["flatten", &format!("{folder}/src/größe.erl")])
        .failure();
    assert_snapshot!(failure);
}

#[test]
fn a_path_that_begins_with_a_dash_can_be_named() {
    let place = workplace().with(&[("-odd/a.erl", &module("a"))]);
    let text = place.run(&["flatten", "--", "-odd"]).success();
    assert_eq!(module_names(&text), ["a"]);
}

/// They used to crash the tool or its BEAM.
#[test]
fn times_that_are_too_long_are_refused() {
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"))
        .with(&[("m.erl", "-module(m).\n-export([f/1]).\nf(_) -> ok.\n")]);
    let explore = ["explore", "m.erl", "--entry", "f/1"];
    for (option, most) in [("--timeout", "3162240000"), ("--run-timeout", "4294967295")] {
        let refused = place.run(&[&explore[..], &[option, "18446744073709551615"]].concat());
        assert_eq!(refused.status, 2, "{refused:?}");
        assert!(refused.stderr.contains("is not in"), "{refused:?}");
        place
            .run(&[&explore[..], &[option, most]].concat())
            .success();
    }
}
