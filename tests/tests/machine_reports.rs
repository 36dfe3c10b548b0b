//! What is reported about a machine: its states and transitions as text, for Graphviz, and on the
//! page. `tests/browser` tests what a browser shows.

use std::fs;

use end_to_end::erlang::package_path;
use end_to_end::tool::{Run, Workplace};
use serde_json::Value;

const MACHINE: [&str; 5] = ["turnstile.erl", "--machine", "turnstile", "--length", "2"];

fn workplace() -> Workplace {
    let source = fs::read_to_string(package_path("erlang_samples/turnstile.erl"));
    let source = source.expect("the sample is there");
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    place.with(&[("turnstile.erl", &source)])
}

fn explore(place: &Workplace, arguments: &[&str]) -> Run {
    place.run(&[&["explore"], arguments].concat())
}

#[test]
fn the_text_report_lists_the_transitions_of_a_small_machine() {
    let run = explore(&workplace(), &MACHINE);
    assert_eq!(run.status, 1, "{run:?}");
    let expected = [
        "turnstile (gen_statem): 3 states, 17 transitions",
        "  starts in locked",
        "  locked -> open: call {code,integer()}, cast coin",
        "  locked -> end: cast stop",
        "  open -> end: cast coin (crashes)",
        "  blocked -> locked: cast reset",
    ];
    for line in expected {
        assert!(run.stdout.lines().any(|it| it == line), "{line}: {run:?}");
    }
}

#[test]
fn a_file_for_graphviz_has_states_transitions_start_and_end() {
    let place = workplace();
    let run = explore(&place, &[&MACHINE[..], &["--dot", "machine.dot"]].concat());
    assert_eq!(run.status, 1, "{run:?}");
    let graph = place.read("machine.dot");
    let expected = [
        "    label=\"turnstile (gen_statem)\";",
        "    \"m0>\" -> \"m0 locked\";",
        "    \"m0 blocked\" [label=\"blocked\", tooltip=\"init(1), call {code,0}\"];",
        "    \"m0 open\" -> \"m0 locked\" [label=\"cast push\", \
         tooltip=\"init(1), cast coin, cast push\"];",
        "    \"m0 open\" -> \"m0<\" [label=\"cast coin\", \
         tooltip=\"init(1), cast coin, cast coin\", color=red, fontcolor=red];",
    ];
    for line in expected {
        assert!(graph.lines().any(|it| it == line), "{line}: {graph}");
    }
}

#[test]
fn a_file_for_graphviz_needs_a_machine_and_a_place() {
    let place = workplace();
    let functions = ["turnstile.erl", "--entry", "turnstile:callback_mode/0"];
    for option in [
        ["--dot", "machine.dot"],
        ["--events", "turnstile:event/0"],
        ["--state-of", "turnstile:init/1"],
    ] {
        let run = explore(&place, &[&functions[..], &option].concat());
        assert_eq!(run.status, 2, "{run:?}");
        assert!(run.stderr.contains("error[no-machine]"), "{run:?}");
    }
    assert!(!place.path("machine.dot").exists());
    let run = explore(
        &place,
        &[&MACHINE[..], &["--dot", "turnstile.erl/machine.dot"]].concat(),
    );
    assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{run:?}");
    assert!(run.stderr.contains("error[io]"), "{run:?}");
}

#[test]
fn the_page_draws_the_machine_and_marks_what_no_event_reaches() {
    let place = workplace();
    let run = explore(&place, &[&MACHINE[..], &["--html", "page.html"]].concat());
    assert_eq!(run.status, 1, "{run:?}");
    let page = place.read("page.html");
    let (_, data) = page.split_once("id=\"data\">").expect("the page has data");
    let (data, _) = data.split_once("</script>").expect("the data ends");
    let data: Value = serde_json::from_str(data).expect("the data is JSON");
    let machine = &data["machines"][0];
    let transitions = machine["transitions"].as_array().expect("a list");
    let crash = transitions.iter().position(|it| it["crashes"] != 0);
    let crash = crash.expect("a coin too many");
    let expected = ["init(1)", "cast coin", "cast coin"];
    assert_eq!(transitions[crash]["shortest"], serde_json::json!(expected));
    let drawn = format!("<g class=\"event pick bad\" data-pick=\"t{crash}\">");
    assert_eq!(page.matches(&drawn).count(), 1, "{drawn}");
    for number in 0..3 {
        let drawn = format!("<g class=\"state pick\" data-pick=\"s{number}\">");
        assert_eq!(page.matches(&drawn).count(), 1, "{drawn}");
    }
    let missed = "not reached by any test";
    let lines = page.split("aria-label=\"line ").skip(1);
    let missed = lines.filter_map(|it| it.split('"').next()?.split_once(&format!(": {missed}")));
    let missed: Vec<&str> = missed.map(|it| it.0).collect();
    assert_eq!(missed, ["41", "42"]);
    assert!(
        page.contains("Reproduce with:</p><pre class=\"script\">{ok, Pid} = gen_statem:start(")
    );
    let (_, steps) = page.split_once("Path to the crash").expect("a path");
    let (steps, _) = steps.split_once("</ol>").expect("its end");
    assert!(steps.contains("turnstile:open/3") && !steps.contains("erlconcolic"));
    let test = &data["entries"][0];
    assert_eq!(test["call"], serde_json::json!(["turnstile: ", ""]));
    let first = test["arguments"][0].as_str().expect("a text");
    assert!(first.starts_with("init("), "{first}");
}
