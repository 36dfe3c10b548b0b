//! What users of Elixir see: values, findings and tests in Elixir. Needs Elixir; without it, the
//! tests say so and pass.

use std::fmt::Write;

use end_to_end::elixir::{self, library};
use end_to_end::random_terms::RandomTerms;
use end_to_end::tool::{Run, Workplace};
use erlang_term::{TableFun, Term, encode};
use insta::assert_snapshot;
use reports::{Language, Wording};

const BINARY: &str = env!("CARGO_BIN_EXE_erlconcolic-under-test");

/// Reads values back, each a line with the external format in hexadecimal and the source.
const READ_BACK: &str = r##"
[file] = System.argv()

for line <- File.stream!(file) do
  [bytes, source] = line |> String.trim_trailing("\n") |> String.split(" ", parts: 2)
  expected = bytes |> Base.decode16!(case: :lower) |> :erlang.binary_to_term()
  {value, _} = Code.eval_string(source)
  if value !== expected, do: IO.puts("#{source} is #{inspect(value)}, not #{inspect(expected)}")
end

IO.write("done")
"##;

const CART: &str = r##"
defmodule Cart.Item do
  defstruct [:price, qty: 1]
  @type t :: %__MODULE__{price: integer, qty: integer}
end

defmodule Cart.Empty do
  defexception [:what]
  def message(error), do: "nothing in #{error.what}"
end

defmodule Cart do
  alias Cart.Item

  @spec total(%{price: integer, qty: integer}) :: integer
  def total(%{price: price, qty: 5}), do: div(100, price)
  def total(%{price: price, qty: qty}), do: price * qty

  @spec item(Item.t()) :: integer
  def item(%Item{price: 8}), do: raise(Cart.Empty, what: "cart")
  def item(%Item{qty: qty}), do: qty

  @spec loose(term) :: term
  def loose(%Item{price: 3}), do: throw(:oops)
  def loose(a: x), do: exit({:bad, x})
  def loose("ab" <> _), do: :erlang.error({:odd, "x"})
  def loose(f) when is_function(f, 1), do: {f, f.(2)}
  def loose(1.5), do: -0.5
  def loose(_), do: [ok: ~c"abc", text: "a\"b"]

  @spec valid?(boolean) :: boolean
  def valid?(flag), do: not flag
end
"##;

fn cart() -> Workplace {
    let place = Workplace::new(BINARY);
    elixir::compile_text(CART, &place.path(""));
    place
}

fn explore(place: &Workplace, arguments: &[&str]) -> Run {
    let library = library();
    let library = library.to_str().expect("it is UTF-8");
    let words = [&["explore", "ebin", "--pa", library][..], arguments].concat();
    place.run(&words)
}

#[test]
fn values_in_elixir_read_back_to_the_same_values() {
    if !elixir::is_installed() {
        return;
    }
    let wording = Wording::in_language(Language::Elixir, None);
    let mut terms = RandomTerms::new(21);
    let mut lines = String::new();
    for _ in 0..3_000 {
        let term = terms.next(3);
        let bytes: String = encode(&term).iter().map(|it| format!("{it:02x}")).collect();
        let source = wording.value(&term.to_string());
        assert!(!source.contains('\n'), "{source}");
        writeln!(lines, "{bytes} {source}").expect("a string can be written");
    }
    let place = Workplace::new(BINARY);
    place.write("values", lines.as_bytes());
    place.write("read_back.exs", READ_BACK.as_bytes());
    let printed = elixir::run(&place.path(""), "elixir", &["read_back.exs", "values"]);
    assert_eq!(printed, "done");
}

#[test]
fn funs_in_elixir_look_their_arguments_up() {
    if !elixir::is_installed() {
        return;
    }
    let integer = |value: i64| Term::Integer(value.into());
    let entries = vec![
        (vec![integer(3), Term::binary("x")], integer(42)),
        (
            vec![Term::Map(vec![]), Term::list([integer(1)])],
            Term::atom("map"),
        ),
    ];
    let fun = Term::TableFun(Box::new(TableFun::new(2, entries, Term::atom("other"))));
    let source = Wording::in_language(Language::Elixir, None).value(&fun.to_string());
    let expression = format!(
        "f = {source}; IO.inspect([f.(3, \"x\"), f.(%{{}}, [1]), f.(%{{a: 1}}, [1]), f.(0, 0)])"
    );
    let place = Workplace::new(BINARY);
    let printed = elixir::run(&place.path(""), "elixir", &["-e", &expression]);
    assert_eq!(printed, "[42, :map, :other, :other]\n");
}

#[test]
fn findings_are_in_elixir() {
    if !elixir::is_installed() {
        return;
    }
    let place = cart();
    for (entry, expected) in [
        (
            "Cart.total/1",
            "Cart.total(%{price: 0, qty: 5}) raises ** (ArithmeticError) bad argument in \
             arithmetic expression",
        ),
        (
            "'Elixir.Cart':item/1",
            "Cart.item(%Cart.Item{price: 8, qty: 0}) raises ** (Cart.Empty) nothing in cart",
        ),
        (
            "Elixir.Cart:loose/1",
            "Cart.loose([a: 0]) raises ** (exit) {:bad, 0}",
        ),
        (
            "loose/1",
            "reproduce with: Cart.loose(%{__struct__: Cart.Item, price: 3})\n",
        ),
    ] {
        let run = explore(&place, &["--entry", entry]);
        assert_eq!(run.status, 1, "{run:?}");
        assert!(run.stdout.contains(expected), "{}", run.stdout);
    }
}

#[test]
fn all_formats_are_in_elixir() {
    if !elixir::is_installed() {
        return;
    }
    let place = cart();
    let call = "Cart.total(%{price: 0, qty: 5})";
    for format in ["sarif", "junit", "github", "json"] {
        let run = explore(&place, &["--entry", "Cart.total/1", "--format", format]);
        assert_eq!(run.status, 1, "{run:?}");
        // Workflow commands of GitHub escape the sign.
        assert!(
            run.stdout.replace("%25", "%").contains(call),
            "{}",
            run.stdout
        );
        assert!(
            run.stdout.contains("** (ArithmeticError) "),
            "{}",
            run.stdout
        );
    }
    let page = [
        "--entry",
        "Cart.total/1",
        "--html",
        "report.html",
        "--quiet",
    ];
    assert_eq!(explore(&place, &page).status, 1);
    let page = place.read("report.html");
    assert!(
        page.contains(call) && page.contains("ArithmeticError"),
        "{page}"
    );
    let json = explore(&place, &["--entry", "Cart.total/1", "--format", "json"]).stdout;
    let report: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    let finding = report.pointer("/findings/0").expect("there is a finding");
    let text = |key: &str| finding.pointer(key).and_then(|it| it.as_str());
    assert_eq!(text("/args/0"), Some("#{price => 0,qty => 5}"));
    assert_eq!(text("/reason"), Some("badarith"));
    assert_eq!(text("/elixir/call"), Some(call));
}

#[test]
#[ignore = "takes a minute; `make slow-tests` runs it"]
fn names_of_elixir_are_understood_everywhere() {
    if !elixir::is_installed() {
        return;
    }
    let place = cart();
    let run = explore(&place, &["--module", "Cart", "--exclude", "Cart.Item"]);
    assert_eq!(run.status, 2, "{run:?}");
    let run = explore(&place, &["--all", "--exclude", "Cart"]);
    assert!(!run.stdout.contains("Cart.total/1"), "{}", run.stdout);
    let run = explore(&place, &["--entry", "Cart.valid?/1"]);
    assert_eq!(run.status, 0, "{run:?}");
    let run = explore(&place, &["--entry", "Card.total/1"]);
    assert!(run.stderr.contains("did you mean Cart?"), "{}", run.stderr);
    let run = explore(&place, &["--entry", "Cart.totals/1"]);
    assert!(
        run.stderr.contains("did you mean total/1?"),
        "{}",
        run.stderr
    );
}

#[test]
fn saved_inputs_and_accepted_findings_work() {
    if !elixir::is_installed() {
        return;
    }
    let place = cart();
    let run = explore(&place, &["--module", "Cart", "--format", "json"]);
    place.write("report.json", run.stdout.as_bytes());
    let library = library();
    let library = library.to_str().expect("it is UTF-8");
    let replay = place.run(&["replay", "report.json", "ebin", "--pa", library]);
    assert_eq!(replay.status, 1, "{replay:?}");
    assert!(
        replay
            .stdout
            .contains("still fails: Cart.total(%{price: 0, qty: 5})"),
        "{replay:?}"
    );
    assert_eq!(place.run(&["accept", "report.json"]).status, 0);
    let run = explore(
        &place,
        &["--module", "Cart", "--accept", "erlconcolic.accept"],
    );
    assert_eq!(run.status, 0, "{run:?}");
    assert!(
        run.stdout.contains("accepted: Cart.total("),
        "{}",
        run.stdout
    );
}

#[test]
fn tests_for_exunit_pass() {
    if !elixir::is_installed() {
        return;
    }
    let place = cart();
    let arguments = [
        "--module",
        "Cart",
        "--exunit",
        "cart_paths_test.exs",
        "--quiet",
    ];
    let run = explore(&place, &arguments);
    assert_eq!(run.status, 1, "{run:?}");
    let text = place.read("cart_paths_test.exs");
    let (_, tests) = text.split_once("defmodule").expect("there is a module");
    assert_snapshot!(format!("defmodule{tests}"));
    let main = "ExUnit.start(); Code.require_file(\"cart_paths_test.exs\")";
    // The status says whether they pass; what ExUnit prints differs from release to release.
    let printed = elixir::run(&place.path(""), "elixir", &["-pa", "ebin", "-e", main]);
    assert!(printed.contains("...."), "{printed}");
    let format = ["format", "--check-formatted", "cart_paths_test.exs"];
    elixir::run(&place.path(""), "mix", &format);
}

#[test]
fn bad_files_for_exunit_are_refused() {
    let place =
        Workplace::new(BINARY).with(&[("m.erl", "-module(m).\n-export([f/0]).\nf() -> 1.\n")]);
    let run = place.run(&[
        "explore",
        "m.erl",
        "--entry",
        "f/0",
        "--exunit",
        "m_test.ex",
    ]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stderr.contains("error[bad-exunit-file]"), "{run:?}");
    let run = place.run(&[
        "explore",
        "m.erl",
        "--entry",
        "f/0",
        "--exunit",
        "m_test.exs",
    ]);
    assert_eq!(run.status, 0, "{run:?}");
    let text = place.read("m_test.exs");
    assert!(text.contains("assert :m.f() == 1"), "{text}");
}
