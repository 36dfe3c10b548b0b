//! `explore --calls`: sequences of calls of a module's functions, in which later ones take what
//! earlier ones made.

use end_to_end::erlang::{erlc, evaluate};
use end_to_end::tool::{Run, Workplace};
use serde_json::Value;

/// A stack that counts wrong: only in one place, and only for one element.
const STACK: &str = "\
-module(stack).
-export([new/0, push/2, pop/1, size/1, is_valid/1]).
-export_type([t/0]).
-opaque t() :: {non_neg_integer(), [integer()]}.

-spec new() -> t().
new() -> {0, []}.

-spec push(integer(), t()) -> t().
push(X, {N, Xs}) -> {N + 1, [X | Xs]}.

-spec pop(stack:t()) -> {ok, integer(), t()} | empty.
pop({0, []}) -> empty;
pop({2, [7, X]}) -> {ok, 7, {2, [X]}};
pop({N, [X | Xs]}) -> {ok, X, {N - 1, Xs}}.

-spec size(t()) -> non_neg_integer().
size({N, Xs}) -> N = length(Xs).

-spec is_valid(t()) -> boolean().
is_valid({N, Xs}) -> N =:= length(Xs).
";

/// Counts in the dictionary of its process.
const METER: &str = "\
-module(meter).
-export([new/0, tick/1, read/1]).
-export_type([t/0]).
-opaque t() :: {meter}.

-spec new() -> t().
new() -> {meter}.

-spec tick(t()) -> ok.
tick({meter}) ->
    case get(ticks) of
        undefined -> put(ticks, 1);
        N -> put(ticks, N + 1)
    end,
    ok.

-spec read(t()) -> integer().
read({meter}) ->
    case get(ticks) of
        2 -> error(two);
        undefined -> 0;
        N -> N
    end.
";

fn workplace(files: &[(&str, &str)]) -> Workplace {
    Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test")).with(files)
}

fn explored(place: &Workplace, arguments: &[&str]) -> Run {
    place.run(&[&["explore"], arguments].concat())
}

fn report(place: &Workplace, arguments: &[&str]) -> Value {
    let run = explored(place, &[arguments, &["--format", "json"]].concat());
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

fn text<'value>(object: &'value Value, key: &str) -> &'value str {
    object.get(key).and_then(Value::as_str).unwrap_or("none")
}

fn list<'value>(object: &'value Value, key: &str) -> &'value [Value] {
    let list = object.get(key).and_then(Value::as_array);
    list.unwrap_or_else(|| panic!("{key} is an array in {object:#}"))
}

fn texts<'value>(object: &'value Value, key: &str) -> Vec<&'value str> {
    list(object, key).iter().filter_map(Value::as_str).collect()
}

fn only_finding(report: &Value) -> &Value {
    let [finding] = list(report, "findings") else {
        panic!("there is one finding: {report:#}");
    };
    finding
}

fn is_complete(report: &Value) -> bool {
    report.get("complete") == Some(&Value::Bool(true))
}

/// What a plain `erl` prints as the value of a script.
fn value_of(place: &Workplace, source: &str, script: &str) -> String {
    let folder = place.path("");
    erlc(&folder, [], &[place.path(source)]);
    let expression = script.trim_end_matches('.');
    let shown = evaluate(
        &folder,
        &format!("io:format(\"~0p\", [catch begin {expression} end]), halt()."),
    );
    assert_eq!(shown.status, 0, "{}", shown.text);
    shown.text
}

/// The file of a module of OTP.
fn beam_of(place: &Workplace, module: &str) -> String {
    let expression = format!("io:put_chars(code:where_is_file(\"{module}.beam\")), halt().");
    let shown = evaluate(&place.path(""), &expression);
    assert_eq!(shown.status, 0, "{}", shown.text);
    shown.text
}

#[test]
fn a_broken_invariant_is_found_with_the_calls_that_break_it() {
    let place = workplace(&[("stack.erl", STACK)]);
    let arguments = ["stack.erl", "--calls", "stack", "--invariant", "is_valid/1"];
    let report = report(&place, &arguments);
    assert_eq!(text(&report, "entry"), "stack (calls)");
    assert!(is_complete(&report), "{report:#}");
    let finding = only_finding(&report);
    let events = [
        "S1 = stack:new()",
        "S2 = stack:push(0, S1)",
        "S3 = stack:push(7, S2)",
        "stack:pop(S3)",
    ];
    assert_eq!(texts(finding, "events"), events);
    let reason = "{invariant,{stack,is_valid,1},{2,[0]}}";
    assert_eq!(text(finding, "reason"), reason);
    let script = text(finding, "script");
    assert!(
        script.ends_with("{ok,_,S4} = stack:pop(S3),\nstack:is_valid(S4)."),
        "{script}"
    );
    assert_eq!(value_of(&place, "stack.erl", script), "false");
}

#[test]
fn a_crash_reads_as_a_script() {
    let place = workplace(&[("stack.erl", STACK)]);
    let arguments = ["stack.erl", "--calls", "stack", "--length", "5"];
    let run = explored(&place, &arguments);
    assert_eq!(run.status, 1, "{run:?}");
    let script = "\
S1 = stack:new(),
S2 = stack:push(0, S1),
S3 = stack:push(7, S2),
{ok,_,S4} = stack:pop(S3),
stack:size(S4).";
    let lines = script.lines();
    for line in lines {
        assert!(run.stdout.contains(line), "{line} in {}", run.stdout);
    }
    let value = value_of(&place, "stack.erl", script);
    assert!(value.contains("{badmatch,1}"), "{value}");
    assert!(run.stdout.contains("stack.erl:18"), "{}", run.stdout);
}

#[test]
fn the_length_bounds_sequences() {
    let place = workplace(&[("stack.erl", STACK)]);
    let report = report(&place, &["stack.erl", "--calls", "stack", "--length", "2"]);
    assert!(is_complete(&report), "{report:#}");
    assert!(list(&report, "findings").is_empty(), "{report:#}");
    let tests = list(&report, "tests").iter();
    let mut sequences: Vec<String> = tests.map(|it| texts(it, "events").join(", ")).collect();
    sequences.sort();
    // Which element is pushed does not matter.
    let sequences: Vec<String> = sequences
        .iter()
        .map(|it| it.replace("1, ", "0, "))
        .collect();
    // Calls after `is_valid` or `size` show nothing that the same without them does not show.
    let expected = [
        "S1 = stack:new()",
        "S1 = stack:new(), S2 = stack:push(0, S1)",
        "S1 = stack:new(), stack:is_valid(S1)",
        "S1 = stack:new(), stack:pop(S1)",
        "S1 = stack:new(), stack:size(S1)",
    ];
    assert_eq!(sequences, expected);
}

#[test]
fn a_type_that_is_not_opaque_is_made_by_calls_too() {
    let source = "\
-module(door).
-export([new/1, open/2, close/1]).
-record(door, {code :: integer(), tries = 0 :: integer()}).
-type door() :: #door{}.

-spec new(integer()) -> {ok, door()} | {error, negative}.
new(Code) when Code < 0 -> {error, negative};
new(Code) -> {ok, #door{code = Code}}.

-spec open(integer(), #door{}) -> {open | closed, #door{}}.
open(Code, #door{code = Code, tries = 2} = Door) -> {open, Door#door{tries = late}};
open(Code, #door{code = Code} = Door) -> {open, Door};
open(_, #door{tries = Tries} = Door) -> {closed, Door#door{tries = Tries + 1}}.

-spec close(door()) -> door().
close(#door{tries = Tries} = Door) -> Door#door{tries = Tries + 0}.
";
    let place = workplace(&[("door.erl", source)]);
    let arguments = ["door.erl", "--calls", "door", "--length", "5"];
    let report = report(&place, &arguments);
    let mut findings = list(&report, "findings").iter();
    let closing = |it: &&Value| texts(it, "events").last() == Some(&"door:close(S4)");
    let finding = findings.find(closing);
    let finding = finding.unwrap_or_else(|| panic!("a door cannot be closed: {report:#}"));
    assert_eq!(text(finding, "reason"), "badarith");
    let events = texts(finding, "events");
    let expected = [
        "{ok,S1} = door:new(",
        "{_,S2} = door:open(",
        "{_,S3} = door:open(",
        "{_,S4} = door:open(",
        "door:close(S4)",
    ];
    let mut pairs = events.iter().zip(expected);
    assert!(pairs.all(|it| it.0.starts_with(it.1)), "{events:?}");
    let value = value_of(&place, "door.erl", text(finding, "script"));
    assert!(value.contains("badarith"), "{value}");
}

#[test]
fn parameters_of_types_are_kept() {
    let source = "\
-module(bag).
-export([new/0, add/2, sum/1, names/1]).
-export_type([bag/1]).
-opaque bag(T) :: [T].

-spec new() -> bag(_).
new() -> [].

-spec add(T, bag(T)) -> bag(T).
add(X, Bag) -> [X | Bag].

-spec sum(bag(integer())) -> integer().
sum([X, 42 | _]) -> error({sum, X});
sum(Bag) -> lists:sum(Bag).

-spec names(bag(atom())) -> [string()].
names(Bag) -> [atom_to_list(Name) || Name <- Bag].
";
    let place = workplace(&[("bag.erl", source)]);
    let report = report(&place, &["bag.erl", "--calls", "bag"]);
    assert!(is_complete(&report), "{report:#}");
    let finding = only_finding(&report);
    assert_eq!(text(finding, "reason"), "{sum,0}");
    let tests = list(&report, "tests").iter();
    let mut last_calls = tests.filter_map(|it| texts(it, "events").last().copied());
    assert!(last_calls.any(|it| it == "bag:names(S3)"), "{report:#}");
}

#[test]
fn several_values_and_lists_of_values_are_arguments() {
    let source = "\
-module(pile).
-export([new/1, split/1, join/1]).
-export_type([pile/0]).
-opaque pile() :: [integer()].

-spec new([integer()]) -> pile().
new(Integers) -> Integers.

-spec split(pile()) -> {pile(), pile()} | none.
split([]) -> none;
split([X | Xs]) -> {[X], Xs}.

-spec join([pile()]) -> pile().
join([[2], [1]]) -> error(swapped);
join(Piles) -> lists:append(Piles).
";
    let place = workplace(&[("pile.erl", source)]);
    let arguments = ["pile.erl", "--calls", "pile", "--length", "3", "--first"];
    let report = report(&place, &arguments);
    let finding = only_finding(&report);
    assert_eq!(text(finding, "reason"), "swapped");
    let value = value_of(&place, "pile.erl", text(finding, "script"));
    assert!(value.contains("swapped"), "{value}");
}

#[test]
fn calls_with_effects_count_even_if_they_return_nothing() {
    let place = workplace(&[("meter.erl", METER)]);
    let report = report(&place, &["meter.erl", "--calls", "meter"]);
    let finding = only_finding(&report);
    assert_eq!(text(finding, "reason"), "two");
    let expected = [
        "S1 = meter:new()",
        "meter:tick(S1)",
        "meter:tick(S1)",
        "meter:read(S1)",
    ];
    assert_eq!(texts(finding, "events"), expected);
}

/// Compiles a module and the tests that were written for it, and runs the tests in a plain `erl`.
fn assert_tests_pass(place: &Workplace, module: &str) -> String {
    let tests = place.read(&format!("{module}_tests.erl"));
    let shell = format!(
        "{{ok, {module}}} = compile:file({module}), \
         {{ok, {module}_tests}} = compile:file({module}_tests, [warnings_as_errors, report]), \
         ok = eunit:test({module}_tests), halt()."
    );
    let finished = evaluate(&place.path(""), &shell);
    assert_eq!(finished.status, 0, "{}{tests}", finished.text);
    tests
}

#[test]
fn tests_for_eunit_are_calls_with_variables() {
    let place = workplace(&[("stack.erl", STACK)]);
    let arguments = ["stack.erl", "--calls", "stack", "--length", "5"];
    let run = explored(
        &place,
        &[&arguments[..], &["--eunit", "stack_tests.erl"]].concat(),
    );
    assert_eq!(run.status, 1, "{run:?}");
    // Which element is pushed does not matter.
    let tests = assert_tests_pass(&place, "stack").replace("push(1, ", "push(0, ");
    let popped = "\
pop_after_new_test() ->
    S1 = stack:new(),
    ?assertEqual(empty, stack:pop(S1)).
";
    assert!(tests.contains(popped), "{tests}");
    let crash = "\
size_after_new_and_push_and_push_and_pop_raises_badmatch_1_test() ->
    S1 = stack:new(),
    S2 = stack:push(0, S1),
    S3 = stack:push(7, S2),
    {ok,7,S4} = stack:pop(S3),
    ?assertError({badmatch,1}, stack:size(S4)).
";
    assert!(tests.contains(crash), "{tests}");
    assert!(
        tests.contains("?assertMatch({ok,7,_}, stack:pop("),
        "{tests}"
    );
    let count = tests.matches("_test() ->").count();
    assert!(count < 12, "only what reaches something new: {tests}");
}

#[test]
fn a_broken_invariant_is_a_test_for_eunit() {
    let place = workplace(&[("stack.erl", STACK)]);
    let arguments = ["stack.erl", "--calls", "stack", "--invariant", "is_valid/1"];
    let run = explored(
        &place,
        &[&arguments[..], &["--eunit", "stack_tests.erl"]].concat(),
    );
    assert_eq!(run.status, 1, "{run:?}");
    let tests = assert_tests_pass(&place, "stack");
    let broken = "\
    {ok,7,S4} = stack:pop(S3),
    ?assertEqual(false, stack:is_valid(S4)).
";
    assert!(tests.contains(broken), "{tests}");
}

#[test]
fn tests_for_eunit_compare_what_can_be_compared() {
    // Maps and funs are no patterns, a reference is another one each time, and the type is open.
    let source = "\
-module(shelf).
-export([new/0, put/2, take/1, ticket/1]).
-type shelf() :: [integer()].

-spec new() -> shelf().
new() -> [].

-spec put(integer(), shelf()) -> {#{integer() => ok}, shelf()}.
put(X, [X | _] = Shelf) -> {#{}, Shelf};
put(X, Shelf) -> {#{X => ok}, [X | Shelf]}.

-spec take(shelf()) -> {ok, shelf()} | {error, fun(() -> nothing)}.
take([_ | Shelf]) -> {ok, Shelf};
take([]) -> {error, fun() -> nothing end}.

-spec ticket(shelf()) -> {reference(), shelf()} | none.
ticket([]) -> none;
ticket(Shelf) -> {make_ref(), Shelf}.
";
    let place = workplace(&[("shelf.erl", source)]);
    let arguments = ["shelf.erl", "--calls", "shelf", "--length", "3"];
    let run = explored(
        &place,
        &[&arguments[..], &["--eunit", "shelf_tests.erl"]].concat(),
    );
    assert_eq!(run.status, 0, "{run:?}");
    let tests = assert_tests_pass(&place, "shelf");
    for part in [
        "?assertEqual({#{0 => ok},[0]}, shelf:put(0, S1))",
        "?assertEqual({#{},[0]}, shelf:put(0, S2))",
        "    _ = shelf:take(S1)",
        "    _ = shelf:ticket(S2)",
        "{Map1_2,S2} = shelf:put(0, S1),\n    ?assert(Map1_2 =:= #{0 => ok})",
        "?assertEqual({ok,[]}, shelf:take(S2))",
    ] {
        assert!(tests.contains(part), "{part} in {tests}");
    }
}

#[test]
fn tests_of_calls_with_effects_have_processes_of_their_own() {
    let place = workplace(&[("meter.erl", METER)]);
    let arguments = [
        "meter.erl",
        "--calls",
        "meter",
        "--eunit",
        "meter_tests.erl",
    ];
    let run = explored(&place, &arguments);
    assert_eq!(run.status, 1, "{run:?}");
    let tests = assert_tests_pass(&place, "meter");
    let crash = "\
    {spawn, fun() ->
        S1 = meter:new(),
        ?assertEqual(ok, meter:tick(S1)),
        ?assertEqual(ok, meter:tick(S1)),
        ?assertError(two, meter:read(S1))
    end}.
";
    assert!(tests.contains(crash), "{tests}");
}

#[test]
fn modules_of_otp_are_explored() {
    let place = workplace(&[]);
    let cases = [
        ("queue", "empty", "queue:get(S1)"),
        ("orddict", "function_clause", "orddict:fetch("),
        ("array", "badarg", "array:get("),
        ("gb_trees", "function_clause", "gb_trees:take_smallest("),
    ];
    for (module, reason, call) in cases {
        let beam = beam_of(&place, module);
        let arguments = [&beam, "--calls", module, "--max-runs", "200"];
        let report = report(&place, &arguments);
        let findings = list(&report, "findings").iter();
        let mut found = findings.filter(|it| {
            let last = texts(it, "events").last().copied().unwrap_or_default();
            text(it, "reason") == reason && last.contains(call)
        });
        assert!(found.next().is_some(), "{module}: {report:#}");
    }
}

#[test]
fn what_cannot_be_called_is_refused() {
    let no_specs = "-module(plain).\n-export([new/0]).\nnew() -> [].\n";
    let no_first = "\
-module(locked).
-export([open/1]).
-export_type([t/0]).
-opaque t() :: {locked}.
-spec open(t()) -> t().
open({locked}) -> {locked}.
";
    let place = workplace(&[
        ("plain.erl", no_specs),
        ("locked.erl", no_first),
        ("stack.erl", STACK),
    ]);
    let cases: [(&[&str], &str); 7] = [
        (&["plain.erl", "--calls", "plain"], "no-calls"),
        (&["locked.erl", "--calls", "locked"], "no-first-call"),
        (&["stack.erl", "--calls", "stock"], "no-entry"),
        (
            &["stack.erl", "--calls", "stack", "--invariant", "push/2"],
            "bad-condition",
        ),
        (
            &["stack.erl", "--calls", "stack", "--pre", "is_valid/1"],
            "bad-condition",
        ),
        (
            &["stack.erl", "--calls", "stack", "--args", "[]"],
            "bad-arguments",
        ),
        (
            &["stack.erl", "--calls", "stack", "--length", "0"],
            "--length",
        ),
    ];
    for (arguments, code) in cases {
        let run = explored(&place, arguments);
        assert_eq!(run.status, 2, "{run:?}");
        assert!(run.stderr.contains(code), "{run:?}");
    }
}
