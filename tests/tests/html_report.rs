//! `erlconcolic explore --html`: the file itself. `tests/browser` tests what a browser shows.

use std::fs;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::process::{Command, Stdio};
use std::thread;

use end_to_end::erlang::package_path;
use end_to_end::tool::Workplace;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

const SHOP: &str = "\
-module(shop).
-export([total/2]).

%% A comment.
total([], Sum) ->
    Sum;
total([{Name, Price} | Rest], Sum) when is_atom(Name) ->
    Cost = price(Price),
    {cost, Cost},
    total(Rest, Sum + Cost);
total(never, _) when false ->
    missed.

price(free) -> 0;
price({euro, N}) ->
    N * 100;
price(Text) ->
    erlang:phash2(Text).
";

fn workplace() -> Workplace {
    Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test")).with(&[("shop.erl", SHOP)])
}

/// The page for some arguments, and the data of its script.
fn page(place: &Workplace, arguments: &[&str]) -> (String, Value) {
    let html = ["--html", "report.html"];
    let run = place.run(&[&["explore"], arguments, &html].concat());
    assert!(run.status < 2, "{run:?}");
    let page = place.read("report.html");
    let data = between(&page, "id=\"data\">", "</script>");
    let data = serde_json::from_str(data).expect("the data is JSON");
    (page, data)
}

fn between<'text>(text: &'text str, start: &str, end: &str) -> &'text str {
    let (_, rest) = text.split_once(start).expect("it begins");
    rest.split_once(end).expect("it ends").0
}

const TOTAL: [&str; 5] = ["shop.erl", "--entry", "total/2", "--term-depth", "3"];

/// The labels of the lines with code.
fn labels(page: &str) -> Vec<&str> {
    let labels = page.split("aria-label=\"line ").skip(1);
    labels
        .map(|rest| rest.split('"').next().unwrap_or_default())
        .collect()
}

#[test]
fn each_line_shows_how_many_tests_reach_it() {
    let place = workplace();
    let arguments = [
        "shop.erl",
        "--entry",
        "total/2",
        "--max-runs",
        "1",
        "--args",
        "[[],0]",
    ];
    let (page, _) = page(&place, &arguments);
    let labels = labels(&page);
    for line in [5, 6] {
        let label = format!("{line}: reached by 1 test");
        assert!(labels.contains(&label.as_str()), "{labels:?}");
    }
    for line in [7, 8, 9, 10, 14, 15, 16, 17, 18] {
        let label = format!("{line}: not reached by any test");
        assert!(labels.contains(&label.as_str()), "{line}: {labels:?}");
    }
    assert!(!labels.iter().any(|it| it.starts_with("4:")), "{labels:?}");
}

#[test]
fn lines_after_a_crash_are_not_reached() {
    let place = workplace();
    // The price is not a number, so line 8 does not return.
    let input = "[[{apple,{euro,bad}}],0]";
    let arguments = [
        "shop.erl",
        "--entry",
        "total/2",
        "--max-runs",
        "1",
        "--args",
        input,
    ];
    let (page, _) = page(&place, &arguments);
    let labels = labels(&page);
    let expected = [
        "7: reached by 1 test",
        "8: reached by 1 test",
        "9: not reached by any test",
        "10: not reached by any test",
        "15: reached by 1 test, in a clause that crashes",
        "16: reached by 1 test, crashes here",
    ];
    for label in expected {
        assert!(labels.contains(&label), "{label}: {labels:?}");
    }
}

/// Lines about which the compiler says nothing, in all places where there are such.
const LINES: &str = "\
-module(lines).
-export([f/2]).
-define(TWICE(X), (X + X)).

-spec f(term(), term()) -> term().
f(X, L) ->
    Y = case X of
            1 -> one;
            {a, B}
              when is_integer(B),
                   B > 3 ->
                g(B,
                  four);
            _ ->
                other
        end,
    Z = {result,
         Y},
    Fun = fun(A) when A > 0 ->
                  A + 1;
             (_) ->
                  negative
          end,
    W = [Fun(E) || E <- L, E =/= skip],
    V = case L of [] -> e; [never, x, y, z] -> n; _ -> m end,
    try
        h(V, W)
    of
        fine -> {Z, fine};
        Else -> {Z, Else}
    catch
        error:Reason ->
            {caught, Reason};
        throw:_ ->
            thrown
    after
        ok
    end.

g(B, K) ->
    T = ?TWICE(B),
    R = 10 div (T - 10),
    {K, R}.

h(e, _) ->
    fine;
h(m, [1 | _]) ->
    error(bad);
h(_, _) ->
    begin
        A = length([]),
        A
    end.
";

/// The sign in front of each line after a run with this input alone.
fn signs(place: &Workplace, input: &str) -> Vec<String> {
    let (page, _) = page(
        place,
        &[
            "lines.erl",
            "--entry",
            "f/2",
            "--max-runs",
            "1",
            "--args",
            input,
        ],
    );
    // One element holds them all.
    let lines = page.split("<div class=\"line").skip(1);
    let lines = lines.filter(|line| !line.starts_with('s'));
    let sign = |line: &str| {
        let sign = line.split_once("class=\"sign\">").map(|it| it.1);
        let line = line.split("<code>").next().unwrap_or_default();
        let has_code = line.contains("<button");
        let sign = sign
            .filter(|_| has_code)
            .and_then(|it| it.split('<').next());
        sign.unwrap_or(" ").to_owned()
    };
    lines.map(sign).collect()
}

#[test]
fn lines_that_the_compiler_does_not_report_are_found() {
    let place = workplace().with(&[("lines.erl", LINES)]);
    let inputs = ["[1,[]]", "[{a,5},[]]", "[0,[0,5]]"];
    let columns = inputs.map(|input| signs(&place, input));
    let lines = LINES.lines().enumerate().map(|(number, text)| {
        let signs = columns.iter().map(|column| column[number].as_str());
        format!("{}  {text}\n", signs.collect::<Vec<_>>().join(" "))
    });
    insta::assert_snapshot!(lines.collect::<String>());
}

#[test]
fn findings_have_their_input_stack_and_conditions() {
    let place = workplace();
    let (page, _) = page(&place, &TOTAL);
    let findings = between(&page, "<section id=\"findings\"", "</section>");
    for text in [
        "error: function_clause",
        "error: badarith",
        "class=\"part\">Input</h4>",
        "class=\"part\">Stack</h4>",
        "class=\"part\">Path to the crash</h4>",
        "<code>total([{Name, Price} | Rest], Sum) when is_atom(Name)</code>",
        "because <code>",
        "<code>Sum</code>",
        "shop.erl:16</a>",
    ] {
        assert!(findings.contains(text), "{text} is not in {findings}");
    }
}

#[test]
fn concretized_values_are_shown_with_their_place() {
    let place = workplace();
    let (page, _) = page(&place, &TOTAL);
    let section = between(&page, "<section id=\"skipped\"", "</section>");
    for text in ["erlang:phash2/1", "opaque-call", "shop.erl:18</a>"] {
        assert!(section.contains(text), "{text} is not in {section}");
    }
}

#[test]
fn every_test_is_in_the_tree_once() {
    let place = workplace();
    let (_, data) = page(&place, &TOTAL);
    let entry = &data["entries"][0];
    let tests = entry["arguments"].as_array().expect("a list").len();
    let nodes = entry["nodeTests"].as_array().expect("a list").iter();
    let mut shown: Vec<u64> = nodes
        .flat_map(|tests| tests.as_array().expect("a list"))
        .map(|test| test.as_u64().expect("a number"))
        .collect();
    shown.sort_unstable();
    let all: Vec<u64> = (0..tests as u64).collect();
    assert_eq!(shown, all);
}

#[test]
fn the_page_is_the_same_each_time_and_the_report_too() {
    let place = workplace();
    let (first, _) = page(&place, &TOTAL);
    let (second, _) = page(&place, &TOTAL);
    assert!(first == second, "nothing in it depends on the moment");
    let arguments = [&["explore"], &TOTAL[..]].concat();
    let plain = place.run(&arguments);
    let with_page = place.run(&[&arguments[..], &["--html", "x.html"]].concat());
    assert_eq!(plain.stdout, with_page.stdout);
}

#[test]
fn names_with_any_characters_are_only_text() {
    let name = "</script><img src=x onerror=alert(1)>\\n\u{2028}é$(id)";
    let source = format!(
        "-module(odd).\n-export([f/1]).\n\n%% </script> <!-- \"&amp;\nf('{name}') -> error('{name}');\nf(_) -> ok.\n"
    );
    let odd = "od d'\"$(touch x)é.html";
    let place = workplace().with(&[("odd.erl", &source)]);
    let run = place.run(&["explore", "odd.erl", "--entry", "f/1", "--html", odd]);
    assert_eq!(run.status, 1, "{run:?}");
    let page = place.read(odd);
    assert!(!page.contains("<img"));
    assert_eq!(
        page.matches("</script>").count(),
        2,
        "one for the data, one for the script"
    );
    assert!(!page.contains('\u{2028}'));
    assert!(page.contains("&lt;/script&gt;&lt;img"));
}

#[test]
fn a_page_that_cannot_be_written_is_an_error_before_the_search() {
    let place = workplace().with(&[("folder/file", "")]);
    for path in ["folder", "folder/file/report.html", "/proc/report.html"] {
        let arguments = [&["explore"], &TOTAL[..], &["--html", path]].concat();
        let message = place.run(&arguments).failure();
        assert!(message.contains("error[io]: cannot write"), "{message}");
    }
    // Nothing is left behind.
    assert_eq!(place.list("."), ["folder", "shop.erl"]);
}

#[test]
fn a_link_stays_a_link_and_a_pipe_a_pipe() {
    let place = workplace().with(&[("old.html", "old")]);
    symlink("old.html", place.path("link.html")).expect("it can be linked");
    let explore = |file: &str| {
        let run = place.run(&[&["explore"], &TOTAL[..], &["--html", file]].concat());
        assert_eq!(run.status, 1, "{run:?}");
    };
    explore("link.html");
    let link = fs::symlink_metadata(place.path("link.html")).expect("it is there");
    assert!(link.is_symlink());
    assert!(place.read("old.html").starts_with("<!DOCTYPE html>"));
    let pipe = place.path("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|status| status.success()));
    let reader = thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe)
    });
    explore("pipe");
    let kind = fs::metadata(&pipe).expect("it is there").file_type();
    assert!(kind.is_fifo());
    let text = reader.join().expect("it reads").expect("it is text");
    assert_eq!(text, place.read("old.html"));
}

#[test]
fn a_folder_that_is_missing_is_made() {
    let place = workplace();
    let arguments = [&["explore"], &TOTAL[..], &["--html", "new/report.html"]].concat();
    assert_eq!(place.run(&arguments).status, 1);
    assert_eq!(place.list("new"), ["report.html"]);
}

#[test]
fn an_interrupted_search_has_its_page() {
    let place = workplace();
    let arguments = [
        "explore",
        "shop.erl",
        "--entry",
        "total/2",
        "--term-depth",
        "200",
        "--state",
        "state",
        "--html",
        "report.html",
    ];
    let child = place
        .command(&arguments)
        .stdout(Stdio::null())
        .spawn()
        .expect("the tool can be started");
    let journal = place.path("state/runs.journal");
    while fs::metadata(&journal).map_or(0, |file| file.len()) < 5_000 {
        thread::yield_now();
    }
    let id = Pid::from_raw(i32::try_from(child.id()).expect("a process id")).expect("not 0");
    kill_process(id, Signal::INT).expect("it is there");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    assert!(
        place
            .read("report.html")
            .contains("<span class=\"code-name\">stopped</span>")
    );
}

#[test]
fn a_module_without_lines_is_named() {
    let core = "module 'plain' ['f'/1] attributes []\n'f'/1 = fun (X) ->\n case X of\n <1> when 'true' -> 'one'\n <_> when 'true' -> 'other'\n end\nend\n";
    let place = workplace().with(&[("plain.core", core)]);
    let (page, data) = page(&place, &["plain.core", "--entry", "f/1"]);
    assert!(page.contains("The source of <code>plain</code> was not found."));
    assert_eq!(
        data["entries"][0]["arguments"].as_array().map(Vec::len),
        Some(2)
    );
}

/// Where steps are and what they decide, without their conditions.
fn decided(entry: &Value, node: u64) -> Vec<&[Value]> {
    let list = |pointer: &str| {
        let list = entry.pointer(pointer).and_then(Value::as_array);
        list.expect("a list")
    };
    let steps = list(&format!("/nodeSteps/{node}")).iter();
    let steps = steps.map(|step| list(&format!("/steps/{step}")));
    let decided = steps.map(|step| step.split_last().expect("the last is the condition").1);
    decided.collect()
}

#[test]
fn a_way_that_was_not_run_goes_on_as_one_that_was() {
    let place = workplace();
    let source = package_path("erlang_samples/pruning/list_loops.erl");
    let source = source.to_str().expect("the path is UTF-8");
    let search = [source, "--entry", "machine/1", "--term-depth", "7"];
    let (all, data) = page(&place, &[&search[..], &["--paths", "all"]].concat());
    assert_eq!(data["entries"][0]["goesOnAs"], Value::Array(Vec::new()));
    assert!(!all.contains("“goes on as” another one"));
    let (page, data) = page(&place, &[&search[..], &["--paths", "states"]].concat());
    assert!(page.contains("“goes on as” another one"));
    assert!(page.contains("<strong>proved</strong>"));
    let entry = &data["entries"][0];
    let merged = entry["goesOnAs"].as_array().expect("a list");
    assert!(!merged.is_empty());
    for pair in merged {
        let [node, target] = [0, 1].map(|part| pair[part].as_u64().expect("a number"));
        let index = usize::try_from(node).expect("small");
        assert_eq!(entry["nodeTests"][index], Value::Array(Vec::new()));
        assert!(!merged.iter().any(|other| other[0] == target), "{target}");
        let [way] = decided(entry, node)[..] else {
            panic!("a way is one decision");
        };
        assert!(decided(entry, target).contains(&way), "{way:?}");
    }
}
