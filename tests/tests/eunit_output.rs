//! `explore --eunit`: tests for EUnit that pass on the code they were made from, and fail when it
//! changes.

use std::path::Path;
use std::process::Command;

use end_to_end::erlang::{evaluate, package_path};
use end_to_end::tool::{Run, Workplace};
use insta::assert_snapshot;

/// Fails for 7, and sometimes has no end.
const SHOP: &str = "\
-module(shop).
-export([price/1, label/1]).

-spec price(integer()) -> integer().
price(7) -> error(badarith);
price(9) -> price(9);
price(N) when N < 100 -> N * 2;
price(_) -> 150.

-spec label(apple | pear) -> {ok, string()} | none.
label(apple) -> {ok, \"an \\\"apple\\\"\"};
label(pear) -> none.
";

/// Values that are hard to write in a test.
const SPECIAL: &str = r#"
-module('special one').
-export([fun_in/1, fun_out/1, map/1, 'it\'s'/1, stop/1, time/1, coin/1, number/1, big/1, long/1,
         text/1, pid/1, bits/1, raise/1, nothing/0, deep/1, funs/1]).

-spec fun_in(fun((integer()) -> integer())) -> integer().
fun_in(F) ->
    case F(3) of
        42 -> error({hit, F, self()});
        N -> N
    end.

-spec funs(fun((map()) -> fun((map()) -> integer()))) -> integer().
funs(F) ->
    G = F(#{a => 1}),
    case G(#{}) of
        7 -> seven;
        _ -> other
    end.

-spec fun_out(integer()) -> term().
fun_out(0) -> fun() -> ok end;
fun_out(X) -> {fun lists:map/2, X, make_ref()}.

-spec map(map()) -> term().
map(#{a := 1.5}) -> throw(#{x => 0.0, y => #{}});
map(M) when map_size(M) =:= 1 -> M;
map(_) -> 0.0.

-spec 'it\'s'(atom()) -> term().
'it\'s'('a\nb') -> 'ünï ☃';
'it\'s'('%') -> exit("q\"uo,te).");
'it\'s'('$(x) `y`') -> '\n).\n-export([bad/0]).\n';
'it\'s'(_) -> -0.0.

-spec stop(0..3) -> ok.
stop(1) -> stop(1);
stop(2) -> halt();
stop(3) -> exit(normal);
stop(_) -> ok.

-spec time(integer()) -> term().
time(0) -> ok;
time(_) -> erlang:unique_integer().

-spec coin(integer()) -> term().
coin(_) -> rand:uniform(1 bsl 60).

-spec number(float()) -> float().
number(X) when X > 1.5 -> X * 2;
number(X) -> X.

-spec big(integer()) -> integer().
big(X) when X > 100000000000000000000000000000000000000 -> X * X;
big(5) -> -(1 bsl 8000);
big(_) -> 1 bsl 100.

-spec long(0..4) -> term().
long(1) -> lists:seq(1, 5000);
long(2) -> {ok, binary:copy(<<"abc">>, 5000), [self()]};
long(3) -> lists:foldl(fun(_, A) -> {A} end, a, lists:seq(1, 300));
long(4) -> [lists:seq(1, 900) | tail];
long(_) -> ok.

-spec text(string()) -> term().
text("a\"") -> "\n\e";
text([$\\ | _]) -> <<"hé"/utf8>>;
text([955]) -> [955, $a];
text(_) -> "☃".

-spec pid(0..2) -> term().
pid(1) -> error({bad, self()});
pid(2) -> exit({shutdown, self()});
pid(_) -> {self(), #{self() => 1, k => self()}}.

-spec bits(bitstring()) -> bitstring().
bits(<<1:3>>) -> <<5:3>>;
bits(B) when byte_size(B) > 300 -> B;
bits(_) -> <<>>.

-spec raise(0..4) -> ok.
raise(1) -> error({0.0, <<1:2>>, #{a => fun() -> ok end}});
raise(2) -> throw(fun() -> ok end);
raise(3) -> error({[1.5 | x], #{}, "text", 'A b'});
raise(4) -> error(lists:seq(1, 2000));
raise(_) -> ok.

-spec nothing() -> [].
nothing() -> [].

-spec deep([[[atom()]]]) -> term().
deep([[[x]]]) -> {[[#{[] => {}}]]};
deep(_) -> [].
"#;

fn workplace() -> Workplace {
    Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"))
}

fn explored(place: &Workplace, arguments: &[&str]) -> Run {
    let run = place.run(&[&["explore"], arguments].concat());
    assert!(run.status == 0 || run.status == 1, "{run:?}");
    run
}

/// Compiles files of a folder with all warnings, which are errors.
fn compile(folder: &Path, files: &[&str]) {
    let warnings = ["-Wall", "+warn_export_vars", "-Werror"];
    let mut command = Command::new("erlc");
    command.args(warnings).args(files).current_dir(folder);
    let output = command.output().expect("erlc can be started");
    assert!(output.status.success(), "{files:?}: {output:?}");
}

/// Whether all tests of a module pass, and what EUnit prints.
fn tested(folder: &Path, module: &str) -> (bool, String) {
    let expression =
        format!("case eunit:test({module}, [verbose]) of ok -> halt(0); error -> halt(1) end.");
    let finished = evaluate(folder, &expression);
    (finished.status == 0, finished.text)
}

#[test]
fn a_module_of_tests_is_readable_and_passes() {
    let place = workplace().with(&[("src/shop.erl", SHOP)]);
    let arguments = [
        "src",
        "--all",
        "--run-timeout",
        "300",
        "--eunit",
        "test/shop_tests.erl",
    ];
    let run = explored(&place, &arguments);
    assert_eq!(run.stderr, "");
    let text = place.read("test/shop_tests.erl");
    assert_snapshot!(text);
    let folder = place.path("");
    compile(&folder, &["src/shop.erl", "test/shop_tests.erl"]);
    let (passes, report) = tested(&folder, "shop");
    assert!(passes, "{report}");
    assert!(
        report.contains("price_of_7_raises_badarith_test"),
        "{report}"
    );
    // The second time replaces the first, with the same text.
    explored(&place, &arguments);
    assert_eq!(place.read("test/shop_tests.erl"), text);
    // With several workers tests are found in another order.
    explored(&place, &[&arguments[..], &["--workers", "3"]].concat());
    let others = place
        .read("test/shop_tests.erl")
        .replace(" --workers 3", "");
    assert_eq!(others, text);
}

#[test]
fn tests_fail_when_the_code_changes() {
    let place = workplace().with(&[("src/shop.erl", SHOP)]);
    let arguments = [
        "src",
        "--all",
        "--run-timeout",
        "300",
        "--eunit",
        "shop_tests.erl",
    ];
    explored(&place, &arguments);
    let folder = place.path("");
    compile(&folder, &["shop_tests.erl"]);
    let changes = [
        ("error(badarith)", "70", "price_of_7_raises"),
        ("N < 100", "N =< 100", "price_of_100_returns_150"),
        ("N * 2", "N + 2", "price_of_0_returns_0"),
        ("an \\\"apple", "one \\\"apple", "label_of_apple"),
        (
            "label(pear) -> none",
            "label(pears) -> none",
            "label_of_pear",
        ),
    ];
    for (from, to, test) in changes {
        place.write("shop.erl", SHOP.replace(from, to).as_bytes());
        compile(&folder, &["shop.erl"]);
        let (passes, report) = tested(&folder, "shop_tests");
        assert!(!passes, "{from} -> {to}: {report}");
        let failed = report.lines().find(|line| line.contains("*failed*"));
        assert!(
            failed.is_some_and(|line| line.contains(test)),
            "{to}: {report}"
        );
    }
}

#[test]
fn values_that_are_hard_to_write_are_written_well() {
    let place = workplace().with(&[("special one.erl", SPECIAL)]);
    let file = "it's $(a) é `b`.erl";
    let limits = [
        "--run-timeout",
        "500",
        "--max-runs",
        "300",
        "--timeout",
        "120",
    ];
    let arguments = ["special one.erl", "--all", "--eunit", file];
    explored(&place, &[&arguments[..], &limits].concat());
    let text = place.read(file);
    assert_snapshot!(text);
    let folder = place.path("");
    compile(&folder, &["special one.erl", file]);
    let (passes, report) = tested(&folder, "'it\\'s $(a) é `b`'");
    assert!(passes, "{report}");
    assert!(!report.contains("bad/0"), "{report}");
}

#[test]
fn several_modules_have_one_file() {
    let other = "-module(other).\n-export([price/1]).\n\
                 -spec price(boolean()) -> 1 | 2.\n\
                 price(true) -> 1;\nprice(false) -> 2.\n";
    let place = workplace().with(&[("src/shop.erl", SHOP), ("src/other.erl", other)]);
    let arguments = ["--all", "--run-timeout", "300", "--eunit", "all_tests.erl"];
    explored(&place, &arguments);
    let text = place.read("all_tests.erl");
    assert!(
        text.starts_with("%%% Tests of other, shop, made by"),
        "{text}"
    );
    assert!(
        text.contains("\nother_price_of_true_returns_1_test() ->\n"),
        "{text}"
    );
    assert!(
        text.contains("\nshop_price_of_7_raises_badarith_test() ->\n"),
        "{text}"
    );
    let folder = place.path("");
    compile(&folder, &["src/shop.erl", "src/other.erl", "all_tests.erl"]);
    let (passes, report) = tested(&folder, "all_tests");
    assert!(passes, "{report}");
}

/// Messages and the dictionary of a process must not reach the next test.
#[test]
fn tests_do_not_disturb_each_other() {
    let source = "-module(messy).\n-export([leave/1, same/2]).\n\
                  -spec leave(0..2) -> term().\n\
                  leave(0) -> {get(count), next()};\n\
                  leave(N) -> put(count, N), self() ! {left, N}, next().\n\
                  next() -> receive {left, 1} -> one after 0 -> none end.\n\
                  -spec same(fun((a) -> a | b), fun((a) -> a | b)) -> term().\n\
                  same(F, F) -> {same, F(a)};\n\
                  same(F, G) -> {F(a), G(a)}.\n";
    let place = workplace().with(&[("messy.erl", source)]);
    explored(
        &place,
        &["messy.erl", "--all", "--eunit", "messy_tests.erl"],
    );
    let text = place.read("messy_tests.erl");
    assert_snapshot!(text);
    let folder = place.path("");
    compile(&folder, &["messy.erl", "messy_tests.erl"]);
    let (passes, report) = tested(&folder, "messy_tests");
    assert!(passes, "{report}");
}

#[test]
fn broken_postconditions_are_documented() {
    let source = "-module(sorted).\n\
                  -export([last/1, small/1, is_right/2]).\n\
                  -spec last([0..5]) -> integer().\n\
                  last([]) -> 0;\nlast([A, 3]) -> A;\nlast(L) -> lists:last(L).\n\
                  small(L) -> length(L) < 3.\n\
                  is_right([], 0) -> true;\n\
                  is_right([5], 5) -> error(oops);\n\
                  is_right(L, R) -> lists:last(L) =:= R.\n";
    let place = workplace().with(&[("sorted.erl", source)]);
    let conditions = [
        "--entry",
        "last/1",
        "--pre",
        "small/1",
        "--post",
        "is_right/2",
    ];
    let file = ["sorted.erl", "--eunit", "sorted_tests.erl"];
    explored(&place, &[&file[..], &conditions].concat());
    let text = place.read("sorted_tests.erl");
    assert_snapshot!(text);
    let folder = place.path("");
    compile(&folder, &["sorted.erl", "sorted_tests.erl"]);
    let (passes, report) = tested(&folder, "sorted_tests");
    assert!(passes, "{report}");
}

#[test]
fn a_bad_file_is_refused_before_the_search() {
    let by_hand = "-module(own_tests).\n";
    let place = workplace().with(&[("src/shop.erl", SHOP), ("test/own_tests.erl", by_hand)]);
    let files = [
        "shop_tests",
        "test/shop_tests.txt",
        "test/.erl",
        "test/a\nb.erl",
        "test/own_tests.erl",
        "other/shop.erl",
        "src/shop.erl",
        "test",
        "src/shop.erl/shop_tests.erl",
        "/dev/null/shop_tests.erl",
    ];
    let mut messages = String::new();
    for file in files {
        let run = place.run(&["explore", "--all", "--eunit", file]);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{run:?}");
        messages.push_str(&run.stderr);
    }
    assert_snapshot!(messages);
    assert_eq!(place.read("test/own_tests.erl"), by_hand);
    assert_eq!(place.read("src/shop.erl"), SHOP);
    assert_eq!(place.list(""), ["src", "test"]);
}

#[test]
fn the_documentation_shows_real_tests() {
    let page = std::fs::read_to_string(package_path("../docs/eunit.md")).expect("it is there");
    let blocks = page.split("```erlang\n").nth(1);
    let block = blocks.and_then(|it| it.split("```").next());
    let block = block.expect("the page shows a test");
    let source = package_path("../samples/firewall/firewall.erl");
    let source = source.to_str().expect("the path is UTF-8");
    let place = workplace();
    let limits = ["--entry", "decide/1", "--term-depth", "2"];
    explored(
        &place,
        &[&[source, "--eunit", "firewall_tests.erl"][..], &limits].concat(),
    );
    let text = place.read("firewall_tests.erl");
    assert!(text.ends_with(block), "{text}");
    let tests = text.matches("_test() ->").count();
    assert_eq!(tests, 11, "{text}");
}

/// The samples as they are, but with few runs.
#[test]
fn tests_of_samples_pass() {
    for sample in ["brackets", "dates", "ini", "run_length", "regex", "voucher"] {
        let source = package_path(&format!("../samples/{sample}/{sample}.erl"));
        let source = source.to_str().expect("the path is UTF-8");
        let place = workplace();
        let file = format!("{sample}_tests.erl");
        let limits = ["--no-spec", "--max-runs", "150"];
        let which = [source, "--all", "--eunit", &file];
        explored(&place, &[&which[..], &limits].concat());
        let folder = place.path("");
        compile(&folder, &[source, &file]);
        let (passes, report) = tested(&folder, &format!("{sample}_tests"));
        assert!(passes, "{report}");
    }
}
