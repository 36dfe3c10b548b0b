//! `explore --shard`, and `merge`: the reports of all shards make the report of the whole.

use std::collections::BTreeSet;

use end_to_end::tool::{Run, Workplace};
use serde_json::Value;

/// Three functions, two of which crash at the same place.
const SHOP: &str = "\
-module(shop).
-export([total/1, share/2, half/1, untyped/1]).

-spec total([{atom(), 0..1000}]) -> integer().
total([{_, N} | Rest]) -> N + total(Rest);
total([]) -> 0.

-spec share(1..3, integer()) -> integer().
share(Amount, People) -> divided(Amount, People).

-spec half(integer()) -> integer().
half(Parts) when Parts > 7 -> 1;
half(Parts) -> divided(100, Parts).

divided(Amount, People) -> Amount div People.

untyped(a) -> b.
";

/// A machine that crashes on its second push.
const DOOR: &str = "\
-module(door).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

init([]) -> {ok, 0}.

handle_call(count, _From, N) -> {reply, N, N}.

handle_cast(push, N) when N < 1 -> {noreply, N + 1};
handle_cast(push, _) -> error(stuck).
";

const LIMITS: [&str; 4] = ["--timeout", "300", "--length", "2"];

fn workplace() -> Workplace {
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    place.with(&[("src/shop.erl", SHOP), ("src/door.erl", DOOR)])
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

/// Explores all functions, and keeps the report.
fn explored(place: &Workplace, more: &[&str], file: &str) -> Value {
    let explore = ["explore", "src", "--all", "--format", "json"];
    let run = place.run(&[&explore, &LIMITS[..], more].concat());
    place.write(file, run.stdout.as_bytes());
    json(&run)
}

/// The report without counters, some of which depend on times and on what else is searched.
fn comparable(mut report: Value) -> Value {
    let object = report.as_object_mut().expect("it is an object");
    object.remove("stats");
    let entries = object["entries"].as_array_mut().expect("a list");
    let pruned = entries.iter_mut().map(|it| &mut it["pruned"]);
    for pruned in pruned.filter(|it| it.is_object()) {
        pruned["points"].take();
        pruned["ways"].take();
    }
    for counter in ["/pruned/points", "/pruned/ways"] {
        report.pointer_mut(counter).map(Value::take);
    }
    for key in ["reached", "missed", "reached_functions", "missed_functions"] {
        let list = report.pointer_mut(&format!("/coverage/{key}"));
        let list = list.and_then(Value::as_array_mut).expect("a list");
        list.sort_by_key(Value::to_string);
    }
    report
}

#[test]
fn the_merged_shards_are_the_report_of_the_whole() {
    let place = workplace();
    let whole = explored(&place, &[], "whole.json");
    let files = ["1.json", "2.json", "3.json"];
    for (number, file) in files.iter().enumerate() {
        explored(&place, &["--shard", &format!("{}/3", number + 1)], file);
    }
    // In any order.
    let merged = place.run(&["merge", "3.json", "1.json", "2.json", "--format", "json"]);
    assert_eq!(merged.status, 1, "{merged:?}");
    assert_eq!(comparable(json(&merged)), comparable(whole));
    for format in ["human", "sarif", "junit", "github"] {
        let of_shards = place.run(&[&["merge", "--format", format], &files[..]].concat());
        let of_whole = place.run(&["merge", "--format", format, "whole.json"]);
        assert_eq!(of_shards.stdout, of_whole.stdout);
        let own = ["explore", "src", "--all", "--format", format];
        let explored = place.run(&[&own, &LIMITS[..]].concat());
        assert_eq!(explored.stdout, of_whole.stdout, "{format}");
        assert_eq!(of_shards.status, 1);
    }
}

#[test]
fn each_function_is_in_one_shard() {
    let place = workplace();
    let mut names = Vec::new();
    for shard in ["1/2", "2/2"] {
        let report = explored(&place, &["--shard", shard], "shard.json");
        let entries = report["entries"].as_array().expect("a list");
        assert!(!entries.is_empty(), "{shard}");
        names.extend(entries.iter().map(|it| it["entry"].to_string()));
    }
    let all = explored(&place, &[], "whole.json");
    let expected = all["entries"].as_array().expect("a list").iter();
    let expected: BTreeSet<String> = expected.map(|it| it["entry"].to_string()).collect();
    assert_eq!(names.len(), expected.len());
    assert_eq!(names.into_iter().collect::<BTreeSet<_>>(), expected);
}

#[test]
fn a_shard_without_functions_says_so() {
    let place = workplace();
    let run = place.run(&["explore", "src", "--all", "--shard", "50/50"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{run:?}");
    let start = "shard 50 of 50: 0 of ";
    assert!(run.stdout.starts_with(start), "{run:?}");
    assert!(run.stdout.contains("no function was searched"), "{run:?}");
}

#[test]
fn shards_that_are_none_are_refused() {
    let place = workplace();
    for shard in ["0/3", "4/3", "x", "1/0", "1", "-1/2"] {
        let option = format!("--shard={shard}");
        let run = place.run(&["explore", "src", "--all", &option]);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{run:?}");
        let start = format!("error: invalid value '{shard}' for '--shard <K/N>': ");
        assert!(run.stderr.starts_with(&start), "{run:?}");
    }
}

#[test]
fn a_missing_shard_is_named() {
    let place = workplace();
    explored(&place, &["--shard", "1/3"], "1.json");
    explored(&place, &["--shard", "3/3"], "3.json");
    let run = place.run(&["merge", "1.json", "3.json"]);
    assert!(run.stdout.contains("\nshards 1, 3 of 3: "), "{run:?}");
    let line = "  skipped: shard 2 of 3 (missing-shard, 1 time)\n";
    assert!(run.stdout.ends_with(line), "{run:?}");
    let merged = place.run(&["merge", "1.json", "3.json", "--format", "json"]);
    assert_eq!(json(&merged)["complete"], false);
    // What was merged can be merged again.
    place.write("13.json", merged.stdout.as_bytes());
    explored(&place, &["--shard", "2/3"], "2.json");
    explored(&place, &[], "whole.json");
    let merged = json(&place.run(&["merge", "13.json", "2.json", "--format", "json"]));
    let whole = serde_json::from_str(&place.read("whole.json")).expect("it is JSON");
    assert_eq!(comparable(merged), comparable(whole));
}

#[test]
fn one_report_stays_as_it_is() {
    let place = workplace();
    explored(&place, &[], "whole.json");
    let run = place.run(&["merge", "whole.json", "--format", "json"]);
    assert_eq!(run.stdout, place.read("whole.json"));
}

#[test]
fn tests_for_eunit_are_those_of_the_whole() {
    let place = workplace();
    let files = ["1.json", "2.json"];
    for (number, file) in files.iter().enumerate() {
        let shard = format!("{}/2", number + 1);
        let more = ["--shard", &shard, "--eunit", "test/part_tests.erl"];
        explored(&place, &more, file);
    }
    explored(&place, &["--eunit", "test/whole_tests.erl"], "whole.json");
    let run = place.run(&["merge", "1.json", "2.json", "--eunit", "test/all_tests.erl"]);
    assert_eq!(run.status, 1, "{run:?}");
    let tests = |file: &str| {
        let text = place.read(file);
        let (_, tests) = text.split_once("-include_lib").expect("it is a module");
        tests.to_owned()
    };
    assert_eq!(tests("test/all_tests.erl"), tests("test/whole_tests.erl"));
}

#[test]
fn the_page_shows_findings_and_sources() {
    let place = workplace();
    for shard in ["1/2", "2/2"] {
        explored(
            &place,
            &["--shard", shard],
            &format!("{}.json", &shard[..1]),
        );
    }
    let run = place.run(&["merge", "1.json", "2.json", "--html", "report.html"]);
    assert_eq!(run.status, 1, "{run:?}");
    let page = place.read("report.html");
    for part in [
        "src/shop.erl",
        "shop:share(1, 0)",
        "crashes here",
        "This page was made from reports",
        "<span class=\"sign\">",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn reports_that_do_not_belong_together_are_refused() {
    let place = workplace();
    explored(&place, &["--shard", "1/2"], "1.json");
    explored(&place, &["--shard", "1/3"], "other.json");
    explored(&place, &[], "whole.json");
    let text = place.read("1.json").replace("\"otp\": \"", "\"otp\": \"1");
    place.write("otp.json", text.as_bytes());
    place.write(
        "old.json",
        br#"{"version": 1, "tests": [], "findings": []}"#,
    );
    place.write("cut.json", &place.read("1.json").as_bytes()[..500]);
    place.write("src/shop.erl", SHOP.replace("100", "101").as_bytes());
    explored(&place, &["--shard", "2/2"], "changed.json");
    let cases = [
        (
            "1.json",
            "different-reports",
            "shard 1 is in 1.json and in 1.json",
        ),
        ("other.json", "different-reports", "of other functions"),
        (
            "whole.json",
            "different-reports",
            "whole.json is not a shard",
        ),
        ("otp.json", "different-reports", "otp.json is from OTP 1"),
        (
            "changed.json",
            "different-reports",
            "the module shop is not the same",
        ),
        ("old.json", "bad-report", "missing field"),
        ("cut.json", "bad-report", "cut.json cannot be merged: "),
        ("none.json", "io", "cannot read none.json"),
    ];
    for (file, code, words) in cases {
        let arguments = [
            "merge",
            "1.json",
            file,
            "--html",
            "none.html",
            "--format",
            "json",
        ];
        let run = place.run(&arguments);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{run:?}");
        assert!(run.stderr.contains(&format!("error[{code}]: ")), "{run:?}");
        assert!(run.stderr.contains(words), "{run:?}");
    }
    let run = place.run(&["merge", "whole.json", "--eunit", "all_tests.erl"]);
    assert!(run.stderr.contains("error[no-eunit-tests]: "), "{run:?}");
    for file in ["none.html", "all_tests.erl"] {
        assert!(!place.path(file).exists(), "{file}");
    }
}
