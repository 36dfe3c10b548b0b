//! `erlconcolic run` and `erlconcolic instrument` as a user meets them.

use std::fs;

use end_to_end::erlang::{erlc, node, package_path};
use end_to_end::tool::{Run, Workplace};
use insta::assert_snapshot;

const SHOP: &str = "\
-module(shop).
-export([total/1, save/1, forever/0, greedy/1, talk/0, child/1, stop/0]).

total(Items) ->
    lists:foldl(fun({_, Price, Count}, Sum) -> Sum + Price * Count end, 0, Items).

save(Name) ->
    file:delete(Name).

forever() ->
    forever().

greedy(List) ->
    greedy(List ++ List).

talk() ->
    io:format(\"hello ~p~n\", [self() =:= self()]),
    done.

child(X) ->
    Self = self(),
    spawn(fun() -> Self ! {answer, total(X)} end),
    receive {answer, Sum} -> Sum after 1000 -> none end.

stop() ->
    F = fun erlang:halt/0,
    F().
";

fn workplace() -> Workplace {
    Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test")).with(&[("src/shop.erl", SHOP)])
}

/// The paper's program as the paper writes it.
fn figure_5() -> String {
    let path = package_path("../samples/paper/figure5.core");
    fs::read_to_string(path).expect("the sample is there")
}

#[test]
fn the_paper_program_has_the_nine_events_of_example_2() {
    let place = workplace().with(&[("figure5.core", &figure_5())]);
    for wire in ["full", "lean"] {
        let arguments = [
            "run",
            "figure5.core",
            "--entry",
            "main/1",
            "--args",
            "[[a]]",
        ];
        let arguments = [&arguments[..], &["--events", "--wire", wire]].concat();
        assert_eq!(
            place.run(&arguments).success(),
            "\
call([X],[W],W,[X,X])
case([X,Y],[W1,W2],2,X,[H|T],[(1,X,[]),(2,X,[H|T])])
call([X,Y],[W1,W2],W2,[T,Y])
case([X,Y],[W1,W2],1,X,[],[(1,X,[]),(2,X,[H|T])])
exitcase([X,Y],[W1,W2],W1,Y)
exit([X,Y],[W1,W2],W1)
exitcase([X,Y],[W1,W2],W1,[H|W2])
exit([X,Y],[W1,W2],W1)
exit([X],[W],W)
figure5:main([a]) returned [a,a]
"
        );
    }
}

#[test]
fn the_paper_program_is_instrumented_as_in_figure_9() {
    let place = workplace().with(&[("figure5.core", &figure_5())]);
    let arguments = ["instrument", "figure5.core", "--emit", "instrumented"];
    assert_snapshot!(place.run(&arguments).success());
}

/// The whole output of a command, and its exit status.
fn shown(run: &Run) -> String {
    let shown = format!("{}{}(exit status {})\n", run.stdout, run.stderr, run.status);
    without_lines_of_lists(&shown)
}

/// The same text without line numbers in OTP's `lists`, which each release has elsewhere.
fn without_lines_of_lists(text: &str) -> String {
    let mut parts = text.split("(lists.erl:");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        shown.push_str("(lists.erl");
        shown.push_str(part.trim_start_matches(|it: char| it.is_ascii_digit()));
    }
    shown
}

/// Runs a function of the shop.
fn shop(entry: &str, arguments: &str, more: &[&str]) -> String {
    let fixed = ["run", "src", "--entry", entry, "--args", arguments];
    let finished = workplace().run(&[&fixed[..], more].concat());
    shown(&finished)
}

#[test]
fn library_code_leaves_events_of_its_own() {
    assert_snapshot!(shop("total/1", "[[{apple, 3, 2}]]", &["--events"]));
}

#[test]
fn an_exception_is_shown_with_its_stack() {
    assert_snapshot!(shop("shop:total/1", "[[{apple, three, 2}]]", &[]));
}

#[test]
fn a_result_can_be_json() {
    assert_snapshot!(shop("total/1", "[[{apple, a, 2}]]", &["--format", "json"]));
}

#[test]
fn a_run_that_takes_too_long_is_ended() {
    assert_snapshot!(shop("forever/0", "[]", &["--run-timeout", "200"]));
}

#[test]
fn a_run_that_takes_too_much_memory_is_ended() {
    let patient = ["--run-timeout", "100000"];
    assert_snapshot!(shop("greedy/1", "[[a]]", &patient));
}

#[test]
fn output_of_a_program_is_kept_apart() {
    assert_snapshot!(shop("talk/0", "[]", &[]));
}

#[test]
fn spawned_processes_have_logs_of_their_own() {
    assert_snapshot!(shop("child/1", "[[{apple, 3, 2}]]", &["--events"]));
}

#[test]
fn calls_that_could_harm_are_refused() {
    let place = workplace().with(&[("precious", "gold")]);
    let arguments = [
        "run",
        "src",
        "--entry",
        "save/1",
        "--args",
        "[\"precious\"]",
    ];
    assert_snapshot!(place.run(&arguments).success());
    assert!(place.path("precious").exists());
    let allowed = [&arguments[..], &["--allow", "file:delete/1"]].concat();
    assert_snapshot!(
        "calls_that_are_allowed_happen",
        place.run(&allowed).success()
    );
    assert!(!place.path("precious").exists());
}

#[test]
fn a_program_cannot_halt_the_node() {
    assert_snapshot!(shop("stop/0", "[]", &[]));
}

#[test]
fn wrong_entries_and_arguments_are_explained() {
    for (name, entry, arguments) in [
        ("entry_misspelt", "totl/1", "[[]]"),
        ("entry_of_wrong_arity", "total/2", "[[]]"),
        ("entry_in_no_module", "shpo:total/1", "[[]]"),
        ("entry_that_is_none", "total", "[[]]"),
        ("arguments_cut_short", "total/1", "[[a"),
        ("arguments_too_many", "total/1", "[1,2]"),
        ("arguments_no_list", "total/1", "a"),
        ("arguments_with_variables", "total/1", "[X]"),
        ("arguments_empty", "total/1", ""),
    ] {
        assert_snapshot!(name, shop(entry, arguments, &[]));
    }
    let bad = shop("total/1", "[[]]", &["--allow", "file:"]);
    assert_snapshot!("allow_that_is_none", bad);
}

#[test]
fn a_build_is_whole_and_made_again_only_where_it_changed() {
    let place = workplace().with(&[(
        "src/other.erl",
        "-module(other).\n-export([f/0]).\nf() -> 1.\n",
    )]);
    let instrument = ["instrument", "src", "-o", "build"];
    let first = place.run(&instrument);
    assert_snapshot!("first_build", shown(&first));
    assert_snapshot!("second_build", shown(&place.run(&instrument)));
    let before = fs::read(place.path("build/instrumented/other.beam")).expect("a beam");
    let changed = SHOP.replace("Sum + Price", "Sum - Price");
    fs::write(place.path("src/shop.erl"), changed).expect("the source can be written");
    let run = ["run", "--entry", "total/1", "--args", "[[{a,1,1}]]"];
    let stale = place.run(&run);
    assert_snapshot!("stale_build", shown(&stale));
    assert_snapshot!("build_after_a_change", shown(&place.run(&instrument)));
    assert_eq!(
        place.run(&run).success(),
        "shop:total([{a,1,1}]) returned -1\n"
    );
    let after = fs::read(place.path("build/instrumented/other.beam")).expect("a beam");
    assert_eq!(before, after);
}

/// The code of a module depends on more than its own text.
#[test]
fn a_changed_parse_transform_or_project_makes_a_build_again() {
    let transform = "\
-module(rename).
-export([parse_transform/2]).
parse_transform(Forms, _) ->
    [case Form of
         {function, A, answer, 0, _} ->
             {function, A, answer, 0, [{clause, A, [], [], [{integer, A, 1}]}]};
         _ -> Form
     end || Form <- Forms].
";
    let user = "\
-module(user).
-compile({parse_transform, rename}).
-export([answer/0]).
answer() -> 0.
";
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"))
        .with(&[("src/rename.erl", transform), ("src/user.erl", user)]);
    let instrument = ["instrument", "src", "-o", "build"];
    let build = || place.run(&instrument).stderr;
    let run = || {
        let run = ["run", "--entry", "answer/0", "--args", "[]"];
        place.run(&run).success()
    };
    assert!(build().starts_with("instrumented 2 of 2 modules"));
    assert_eq!(run(), "user:answer() returned 1\n");
    let changed = transform.replace("{integer, A, 1}", "{integer, A, 2}");
    place.write("src/rename.erl", changed.as_bytes());
    assert!(build().starts_with("instrumented 2 of 2 modules"));
    assert_eq!(run(), "user:answer() returned 2\n");
    assert!(build().starts_with("instrumented 0 of 2 modules"));
    let options = "{erl_opts, [{d, 'UNUSED'}]}.\n";
    place.write("rebar.config", options.as_bytes());
    let remade = build();
    assert!(
        remade.starts_with("instrumented 0 of 2 modules"),
        "{remade}"
    );
    assert_eq!(run(), "user:answer() returned 2\n");
}

#[test]
fn a_build_that_cannot_be_written_leaves_nothing_behind() {
    let place = workplace().with(&[
        ("file", "not a folder"),
        ("mine/keep", "kept"),
        ("mine/flat", "not a folder"),
    ]);
    for (name, folder) in [
        ("build_under_a_file", "file/build"),
        ("build_in_place_of_a_file", "file"),
        ("build_beside_a_file_of_the_same_name", "mine"),
    ] {
        let finished = place.run(&["instrument", "src", "-o", folder]);
        assert_snapshot!(name, finished.failure());
    }
    let mut left: Vec<_> = fs::read_dir(place.path("mine"))
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be read").file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["flat", "keep"]);
}

#[test]
fn compiled_code_is_found_in_the_code_paths() {
    let place = workplace().with(&[(
        "src/caller.erl",
        "-module(caller).\n-export([f/0]).\nf() -> helper:answer().\n",
    )]);
    let helper = "-module(helper).\n-export([answer/0]).\nanswer() -> 42.\n";
    place.write("ebin/helper.erl", helper.as_bytes());
    erlc(&place.path("ebin"), [], &[place.path("ebin/helper.erl")]);
    let run = ["--entry", "caller:f/0", "--args", "[]", "--pa", "ebin"];
    let from_source = [&["run", "src"][..], &run].concat();
    assert_eq!(
        place.run(&from_source).success(),
        "caller:f() returned 42\n"
    );
    let built = place.run(&["instrument", "src", "-o", "build", "--pa", "ebin"]);
    assert_eq!(built.status, 0, "{}", shown(&built));
    let from_build = [&["run", "build"][..], &run].concat();
    assert_eq!(place.run(&from_build).success(), "caller:f() returned 42\n");
}

#[test]
fn modules_that_the_runtime_needs_stay_in_place() {
    let place = workplace().with(&[(
        "lists.erl",
        "-module(lists).\n-export([reverse/1]).\nreverse([X | _]) -> {first, X}.\n",
    )]);
    let arguments = ["--entry", "lists:reverse/1", "--args", "[[a]]"];
    let run = place.run(&[&["run", "lists.erl"], &arguments[..]].concat());
    assert_eq!(run.success(), "lists:reverse([a]) returned {first,a}\n");
}

#[test]
fn a_damaged_build_is_refused() {
    let place = workplace();
    let built = place.run(&["instrument", "src", "-o", "build"]);
    assert_eq!(built.status, 0, "{}", shown(&built));
    let run = ["run", "build", "--entry", "total/1", "--args", "[[]]"];
    let flat = place.path("build/flat/shop.core");
    let text = fs::read_to_string(&flat).expect("the flat form is there");
    fs::write(&flat, text.replace("'foldl'", "'foldr'")).expect("it can be written");
    assert_snapshot!("build_that_was_changed", shown(&place.run(&run)));
    fs::remove_file(&flat).expect("it can be removed");
    assert_snapshot!("build_with_a_missing_file", shown(&place.run(&run)));
    fs::write(place.path("build/manifest.json"), "{").expect("it can be written");
    assert_snapshot!("build_without_a_manifest", shown(&place.run(&run)));
}

#[test]
fn a_log_can_be_kept_and_read() {
    let place = workplace();
    let built = place.run(&["instrument", "src", "-o", "build"]);
    assert_eq!(built.status, 0, "{}", shown(&built));
    let run = [
        "run",
        "--entry",
        "total/1",
        "--args",
        "[[{a,1,1}]]",
        "--log",
        "a.log",
    ];
    let printed = place.run(&[&run[..], &["--events"]].concat()).success();
    let events = place.run(&["events", "a.log"]).success();
    assert!(printed.starts_with(&events), "{printed}{events}");
    let bytes = fs::read(place.path("a.log")).expect("the log was written");
    place.write("short.log", &bytes[..bytes.len() - 1]);
    let mut damaged = bytes.clone();
    damaged[bytes.len() - 1] ^= 1;
    place.write("damaged.log", &damaged);
    place.write("other.log", b"hello");
    let mut other = bytes;
    let at = other
        .windows(9)
        .position(|it| it == b"\"program\"")
        .expect("a header")
        + 12;
    other[at] = if other[at] == b'0' { b'1' } else { b'0' };
    place.write("foreign.log", &other);
    for name in ["short", "damaged", "other", "foreign", "missing"] {
        let finished = place.run(&["events", &format!("{name}.log")]);
        assert_snapshot!(format!("log_that_is_{name}"), finished.failure());
    }
}

#[test]
fn a_run_that_brings_its_node_down_is_reported() {
    let allow = ["--allow", "erlang:halt/0"];
    assert_snapshot!(shop("stop/0", "[]", &allow));
}

/// The tests of a sample project, run by EUnit on instrumented code: callbacks from code that is
/// not followed, exceptions through both, spawned processes.
#[test]
fn an_eunit_suite_passes_on_instrumented_code() {
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    let project = package_path("../samples/ledger");
    let folder = |name: &str| project.join(name).display().to_string();
    let (src, test) = (folder("src"), folder("test"));
    for (suite, count) in [("money_tests", 123), ("ledger_tests", 35)] {
        let entry = format!("{suite}:test/0");
        let arguments = [
            "run", &src, &test, "--entry", &entry, "--args", "[]", "--events",
        ];
        let printed = place.run(&arguments).success();
        let passed = format!("All {count} tests passed.");
        assert!(printed.contains(&passed), "{printed}");
        assert!(printed.contains("process 1:\n"), "tests leave events");
    }
}

/// A folder that `instrument` made has everything that instrumented code needs.
#[test]
fn a_build_runs_without_the_tool_and_without_its_sources() {
    let place = workplace();
    let built = place.run(&["instrument", "src", "-o", "build"]);
    assert_eq!(built.status, 0, "{}", shown(&built));
    let mut command = node();
    command
        .current_dir(place.path("build"))
        .args(["-pa", "instrumented", "runtime", "-eval"])
        .arg("6 = shop:total([{apple, 3, 2}]), halt().");
    assert!(command.status().is_ok_and(|status| status.success()));
    fs::remove_dir_all(place.path("src")).expect("the sources can be removed");
    let run = ["run", "build", "--entry", "total/1", "--args", "[[]]"];
    assert_eq!(place.run(&run).success(), "shop:total([]) returned 0\n");
}

#[test]
fn nothing_to_run_is_explained() {
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    let finished = place.run(&["run", "--entry", "f/0", "--args", "[]"]);
    assert_snapshot!(shown(&finished));
}
