//! `mix concolic` with real Mix, offline, on a project and on an umbrella. Needs Elixir; without
//! it, the tests say so and pass.

use end_to_end::elixir;
use end_to_end::rebar3::{Printed, Project, copy_folder, mix_package};

const BINARY: &str = env!("CARGO_BIN_EXE_erlconcolic-under-test");

fn cart() -> Project {
    Project::of_samples(BINARY, "cart").with_mix_task()
}

#[track_caller]
fn assert_ends(printed: &Printed, status: i32, texts: &[&str]) {
    assert_eq!(printed.status, status, "{}", printed.text);
    for text in texts {
        assert!(printed.text.contains(text), "no {text} in {}", printed.text);
    }
}

#[test]
fn the_package_passes_its_own_tests() {
    if !elixir::is_installed() {
        return;
    }
    let project = Project::of_samples(BINARY, "cart");
    copy_folder(&mix_package(), &project.path("package"));
    let printed = project.shell("cd package && mix test && mix format --check-formatted");
    assert_ends(&printed, 0, &["...."]);
}

#[test]
fn the_sample_has_findings_and_passes_when_they_are_fixed() {
    if !elixir::is_installed() {
        return;
    }
    let cart = cart();
    assert_ends(&cart.shell("mix test"), 0, &["...."]);
    let games = "Cart.total([], {:games, 0}) raises ** (ArithmeticError) bad argument in \
                 arithmetic expression\n  --> lib/cart.ex:21:";
    let coupon = "Cart.Coupon.parse(\"SAVE\") raises ** (ArgumentError) ";
    let printed = cart.shell("mix concolic --quiet --max-runs 300");
    assert_ends(&printed, 1, &[games, coupon, "There are findings"]);
    cart.edit(
        "lib/cart.ex",
        "    share = div(off, games)",
        "    share = if games == 0, do: 0, else: div(off, games)",
    );
    let printed = cart.shell("mix concolic --quiet --module Cart --max-runs 300");
    assert_ends(&printed, 0, &["Cart.total/2", " 0 findings"]);
}

#[test]
fn mix_exs_has_options_and_the_command_line_wins() {
    if !elixir::is_installed() {
        return;
    }
    let cart = cart();
    cart.edit(
        "mix.exs",
        "deps: deps()",
        "deps: deps(), erlconcolic: [entry: {Cart.Coupon, :parse, 1}, max_runs: 1]",
    );
    assert_ends(&cart.shell("mix concolic"), 0, &["1 test, 0 findings; "]);
    let printed = cart.shell("mix concolic --max-runs 1 --entry 'Cart.total/2' --verbose");
    assert_ends(
        &printed,
        0,
        &["test 1: Cart.total(", "1 test, 0 findings; "],
    );
    assert_ends(
        &cart.shell("mix concolic --tiemout 5"),
        2,
        &["Did you mean --timeout?"],
    );
    assert_ends(
        &cart.shell("mix concolic --entry nosuch/1"),
        2,
        &["error[no-entry]"],
    );
    let printed = cart.shell("mix concolic --max-runs 1 --format json --output out/report.json");
    assert_ends(&printed, 0, &[]);
    assert!(
        cart.read("out/report.json")
            .contains("\"Cart.Coupon.parse(")
    );
    let printed = cart.without_tool().shell("mix concolic");
    assert_ends(
        &printed,
        2,
        &["erlconcolic is not on the PATH", "cargo install"],
    );
}

#[test]
fn applications_of_an_umbrella_are_explored_together() {
    if !elixir::is_installed() {
        return;
    }
    let project = Project::of_samples(BINARY, "cart").called("umbrella");
    let moved = "mkdir -p apps/cart && mv lib test apps/cart/ && cp mix.exs apps/cart/";
    assert_ends(&project.shell(moved), 0, &[]);
    project.edit("mix.exs", "Cart.MixProject", "Umbrella.MixProject");
    project.edit("mix.exs", "app: :cart,", "apps_path: \"apps\",");
    project.edit(
        "apps/cart/mix.exs",
        "app: :cart,",
        "app: :cart, build_path: \"../../_build\",",
    );
    let project = project.with_mix_task();
    let printed = project.shell("mix concolic --entry 'Cart.Coupon.parse/1' --first --quiet");
    assert_ends(
        &printed,
        1,
        &["Cart.Coupon.parse(\"SAVE\") raises ** (ArgumentError)"],
    );
    let printed = project.shell("mix concolic --app cards");
    assert_ends(&printed, 2, &["no such application, only cart"]);
}

#[test]
fn the_task_has_help() {
    if !elixir::is_installed() {
        return;
    }
    let cart = cart();
    let printed = cart.shell("mix deps.compile >/dev/null; mix help concolic");
    assert_ends(
        &printed,
        0,
        &["by concolic testing", "--term-depth N", "Exit status"],
    );
}
