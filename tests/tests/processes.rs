//! Programs with processes: schedules, receives, ends, and what cannot be controlled.

use std::fs;

use end_to_end::erlang::package_path;
use end_to_end::exploring::Explored;
use end_to_end::tool::{Run, Workplace};
use erlang_term::Term;
use erlconcolic::worker::Limits;
use serde_json::Value;
use trace_format::Schedule;

const PROGRAMS: &str = "erlang_samples/controlled.erl";

fn workplace() -> Workplace {
    let text = fs::read_to_string(package_path(PROGRAMS)).expect("the programs are there");
    let binary = env!("CARGO_BIN_EXE_erlconcolic-under-test");
    Workplace::new(binary).with(&[("controlled.erl", &text)])
}

/// Runs a call such as `two(1)`, with more options.
fn run(place: &Workplace, call: &str, options: &[&str]) -> Run {
    let (name, arguments) = call.split_once('(').expect("it is a call");
    let arguments = arguments.strip_suffix(')').expect("it is a call");
    // No argument of these calls has a comma outside of brackets.
    let arity = usize::from(!arguments.is_empty());
    let entry = format!("{name}/{arity}");
    let list = format!("[{arguments}]");
    let fixed = ["run", "controlled.erl", "--entry", &entry, "--args", &list];
    place.run(&[&fixed[..], options].concat())
}

fn json(place: &Workplace, call: &str, options: &[&str]) -> Value {
    let run = run(place, call, &[options, &["--format", "json"]].concat());
    serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{call}: {run:?}"))
}

/// How a run ended, in a few words.
fn ending(report: &Value) -> String {
    let text = |key: &str| report[key].as_str().unwrap_or_default().to_owned();
    match report["outcome"].as_str() {
        Some("ok") => text("result"),
        Some("blocked") => format!("blocked {}", text("blocked")),
        Some(outcome @ ("error" | "exit" | "throw")) => format!("{outcome} {}", text("reason")),
        outcome => outcome.unwrap_or_default().to_owned(),
    }
}

/// How processes ended: `0.1 waiting`.
fn ends(report: &Value) -> Vec<String> {
    let processes = report["processes"].as_array().expect("a list of processes");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let end = |it: &Value| format!("{} {}", text(&it["path"]), text(&it["end"]));
    processes.iter().map(end).collect()
}

#[test]
fn the_order_of_senders_decides() {
    let place = workplace();
    for (schedule, result, leases) in [
        ("", "{ab,1}", "0*2,0.1*2,0.2*2,0"),
        ("0*2,0.2", "{ba,1}", "0*2,0.2*2,0.1*2,0"),
        ("0*2,0.2,0.1,0", "{ba,1}", "0*2,0.2,0.1,0,0.1,0.2"),
        ("0,0.1,0,0.2,0.1", "{ab,1}", "0,0.1,0,0.2,0.1,0,0.2"),
    ] {
        let report = json(&place, "two(1)", &["--schedule", schedule]);
        let told = [&report["result"], &report["schedule"]];
        assert_eq!(told, [result, leases], "{schedule}");
        assert_eq!(report["followed"], true, "{schedule}");
        let again = json(&place, "two(1)", &["--schedule", leases]);
        assert_eq!(again, report, "{schedule}");
    }
    let named = json(&place, "two_named(1)", &["--schedule", "0*3,0.2"]);
    assert_eq!(named["result"], "{b,a}");
}

#[test]
fn schedules_that_do_not_fit_are_told() {
    let place = workplace();
    for schedule in ["0.1,0", "0*9,0.1", "0*2,0.3", "0*2,0.1*3", "0*3,0.1"] {
        let run = run(&place, "two(1)", &["--schedule", schedule]);
        assert_eq!(run.status, 0, "{run:?}");
        let told = format!("does not follow the schedule {schedule}");
        assert!(run.stderr.contains("warning[other-schedule]"), "{run:?}");
        assert!(run.stderr.contains(&told), "{run:?}");
        let report = json(&place, "two(1)", &["--schedule", schedule]);
        assert_eq!(report["followed"], false, "{schedule}");
    }
    for wrong in ["x", "0,,0", "0*0", "0*x", "0.", "-1"] {
        let argument = format!("--schedule={wrong}");
        let failed = run(&place, "two(1)", &[&argument]).failure();
        assert!(failed.contains("invalid value"), "{failed}");
    }
}

#[test]
fn processes_and_steps_are_shown() {
    let place = workplace();
    let text = run(&place, "waits(7)", &[]).success();
    assert_eq!(
        text,
        "\
controlled:waits(7) returned 7
process 0 (controlled:waits/1) took 3 steps, and ended
process 0.1 (fun in controlled:waits/1) took 2 steps, and ended
schedule: 0*2,0.1*2,0

process 0    controlled:waits/1
process 0.1  fun in controlled:waits/1
  0           0.1
  |---------->+       controlled.erl:126  starts 0.1
  |---------->:       controlled.erl:127  to 0.1: {go,7}
  :           o       controlled.erl:126  takes {go,7}
  :<----------|       controlled.erl:126  to 0: {went,7}
  :           =                           ends
  o                   controlled.erl:128  takes {went,7}
  =                                       returns 7
"
    );
    let alone = "controlled:sleeping(10) returned done\n";
    assert_eq!(run(&place, "sleeping(10)", &[]).success(), alone);
    let asked = run(&place, "sleeping(10)", &["--schedules"]).success();
    assert_eq!(
        asked,
        format!(
            "{alone}process 0 (controlled:sleeping/1) took 2 steps, and ended\nschedule: 0*2\n"
        )
    );
}

/// Many runs of one plan log the same bytes, although pids and references differ.
#[test]
fn one_plan_is_one_run() {
    let explored = Explored::new(package_path(PROGRAMS));
    let limits = Limits {
        milliseconds: 60_000,
        heap_words: 16 * 1024 * 1024,
        allowed: Vec::new(),
    };
    for (name, arguments, schedule) in [
        ("pids", vec![], ""),
        ("server", vec![3], "0*3,0.3,0.2,0.1*2,0"),
        ("names", vec![1], "0*2,0.2"),
        ("quiet", vec![], "0*2,0.2"),
        ("killing", vec![], ""),
    ] {
        let arguments = arguments.into_iter().map(|it: i64| match name {
            "names" => Term::atom("name"),
            _ => Term::Integer(it.into()),
        });
        let arguments: Vec<Term> = arguments.collect();
        let arity = u32::try_from(arguments.len()).expect("few arguments");
        let mut executor = explored.executor(name, arity);
        let schedule: Schedule = schedule.parse().expect("it is a schedule");
        let mut once = || {
            let run = executor.run_scheduled(&arguments, &schedule, &limits);
            let run = run.expect("it can be run");
            (run.outcome, run.logs, run.gate)
        };
        let first = once();
        for _ in 1..1_000 {
            assert_eq!(once(), first, "{name}");
        }
    }
}

#[test]
fn receives_mean_what_they_meant() {
    let place = workplace();
    for (call, result) in [
        ("selective()", "[2,4,1,3]"),
        ("nested(5)", "{5,none}"),
        ("poll(3)", "none"),
        ("quiet()", "[10,20,30,none]"),
        ("late(500)", "early"),
        ("late(2000)", "late"),
        ("bad_time(5)", "over"),
        ("bad_time(foo)", "error timeout_value"),
        ("bad_time(-1)", "error timeout_value"),
        ("bad_time(4294967296)", "error timeout_value"),
        ("in_try(0)", "zero"),
        ("in_try(1)", "one"),
        ("in_try(2)", "2"),
        ("in_case(3)", "positive"),
        ("in_case(a)", "none"),
        ("in_fun(7)", "[1,7]"),
        ("several_values({1,2})", "{1,2,1}"),
        ("several_values([1,2])", "{1,2,2}"),
        ("several_values(x)", "{x,x,x}"),
        ("infinity()", "done"),
        ("only_after(1000000)", "done"),
        ("tail(300)", "45150"),
        ("sleeping(1000000)", "done"),
        ("stacks(inner)", "{inner,[{stacks,1}]}"),
        ("stacks(last)", "{last,[{last_receive,1},{stacks,1}]}"),
        ("replace_mailbox()", "[one,none]"),
        (
            "reads_own_state()",
            "{{messages,[one,two]},{message_queue_len,2},{messages,[]}}",
        ),
    ] {
        assert_eq!(ending(&json(&place, call, &[])), result, "{call}");
    }
    // Others wait as they always did.
    for call in [
        "nested(5)",
        "in_fun(7)",
        "several_values(x)",
        "tail(300)",
        "waits(1)",
    ] {
        let free = json(&place, call, &["--schedules", "none"]);
        assert_eq!(ending(&free), ending(&json(&place, call, &[])), "{call}");
        assert_eq!(free["processes"], Value::Array(Vec::new()), "{call}");
    }
}

#[test]
fn time_passes_when_the_model_says_so() {
    let place = workplace();
    let at_once = ["--schedule", "0*2"];
    let any = [&at_once[..], &["--time", "any"]].concat();
    let quiet = json(&place, "late(2000)", &at_once);
    assert_eq!(
        (ending(&quiet), &quiet["followed"]),
        ("late".to_owned(), &Value::from(false))
    );
    let early = json(&place, "late(2000)", &any);
    assert_eq!(
        (ending(&early), &early["followed"]),
        ("early".to_owned(), &Value::from(true))
    );
    for (schedule, result) in [
        ("0,0.1", "{hello,3}"),
        ("0*2,0.1", "{hello,2}"),
        ("0*3,0.1", "{hello,1}"),
        ("0*4,0.1", "none"),
    ] {
        let report = json(&place, "poll(3)", &["--schedule", schedule]);
        assert_eq!(ending(&report), result, "{schedule}");
    }
}

#[test]
fn all_ways_to_start_a_process_are_controlled() {
    let place = workplace();
    for form in [
        "spawn",
        "spawn_mfa",
        "spawn_link",
        "spawn_link_mfa",
        "spawn_monitor",
        "spawn_monitor_mfa",
        "spawn_opt",
        "spawn_opt_mfa",
    ] {
        let report = json(&place, &format!("forms({form})"), &[]);
        assert_eq!(ending(&report), "hello", "{form}");
        assert_eq!(report["schedule"], "0,0.1*2,0", "{form}");
        assert_eq!(ends(&report), ["0 normal", "0.1 normal"], "{form}");
    }
    for form in ["bad_fun", "bad_arguments", "bad_options"] {
        let report = json(&place, &format!("forms({form})"), &[]);
        assert_eq!(ending(&report), "error badarg", "{form}");
    }
    let missing = json(&place, "forms(undefined_function)", &[]);
    assert_eq!(ends(&missing), ["0 normal", "0.1 undef"]);
    let computed = json(&place, "computed(3)", &["--schedule", "0*2,0.2"]);
    assert_eq!(computed["schedule"], "0*2,0.2*2,0.1*2,0");
    assert_eq!(ends(&json(&place, "spawn_loop(300)", &[])).len(), 301);
}

#[test]
fn a_deadlock_is_found_at_once_and_names_who_waits() {
    let place = workplace();
    // Longer than any test runs.
    let long = ["--run-timeout", "4000000"];
    let deadlock = run(&place, "deadlock()", &long);
    assert_eq!((deadlock.status, deadlock.stderr.as_str()), (1, ""));
    let (first, rest) = deadlock.stdout.split_once('\n').expect("several lines");
    assert_eq!(first, "controlled:deadlock() waits for ever");
    let report = json(&place, "deadlock()", &long);
    let waiting = report["waiting"].as_array().expect("a list");
    let processes: Vec<_> = waiting.iter().map(|it| it["process"].clone()).collect();
    assert_eq!(processes, ["0", "0.1"]);
    for process in waiting {
        assert_eq!(process["file"], "controlled.erl");
        let line = format!("controlled.erl:{}", process["line"]);
        assert!(rest.contains(&line), "{line} in {rest}");
    }
    assert_eq!(report["line"], waiting[0]["line"]);
    for call in ["alone()", "waits_after_call()", "trap_and_kill()"] {
        assert_eq!(ending(&json(&place, call, &long)), "deadlock", "{call}");
    }
}

#[test]
fn ends_of_all_processes_are_told() {
    let place = workplace();
    for (call, result, expected) in [
        ("crash(0)", "fine", ["0 normal", "0.1 badarith"]),
        ("crash(1)", "fine", ["0 normal", "0.1 normal"]),
        ("linked(bad)", "exit bad", ["0 bad", "0.1 bad"]),
        ("linked(normal)", "alive", ["0 normal", "0.1 normal"]),
        ("trapping()", "bad", ["0 normal", "0.1 bad"]),
        ("monitored(bye)", "bye", ["0 normal", "0.1 bye"]),
        ("killing()", "{false,undefined}", ["0 normal", "0.1 killed"]),
        ("outlives()", "done", ["0 normal", "0.1 waiting"]),
        (
            "outlives_and_crashes(0)",
            "done",
            ["0 normal", "0.1 badarith"],
        ),
        ("kill_parent()", "exit killed", ["0 killed", "0.1 normal"]),
        ("kill_self()", "exit killed", ["0 killed", "0.1 killed"]),
        ("busy()", "steps", ["0 waiting", "0.1 running"]),
        ("busy_after()", "done", ["0 normal", "0.1 running"]),
        ("infinity()", "done", ["0 normal", "0.1 waiting"]),
    ] {
        let report = json(&place, call, &[]);
        assert_eq!(ending(&report), result, "{call}");
        assert_eq!(ends(&report), expected, "{call}");
    }
    let trapped = json(&place, "trap_and_kill()", &["--schedule", "0,0.1,0*2"]);
    assert_eq!(ending(&trapped), "[first,second]");
}

#[test]
fn too_many_steps_end_a_run() {
    let place = workplace();
    let few = run(&place, "flood(100)", &["--max-steps", "100"]);
    assert_eq!(few.status, 1, "{few:?}");
    assert!(
        few.stdout
            .starts_with("controlled:flood(100) took too many steps")
    );
    let enough = json(&place, "flood(100)", &["--max-steps", "103"]);
    assert_eq!(ending(&enough), "100");
    let many = json(&place, "flood(20000)", &["--max-steps", "1000000"]);
    assert_eq!(ending(&many), "20000");
    assert_eq!(run(&place, "flood(1)", &["--max-steps", "0"]).status, 2);
}

#[test]
fn objects_are_shared_in_the_order_of_the_schedule() {
    let place = workplace();
    let in_turn = json(&place, "tables(1)", &[]);
    assert_eq!(ending(&in_turn), "[{key,3}]");
    let lost = json(&place, "tables(1)", &["--schedule", "0*4,0.1,0.2*4,0.1*3"]);
    assert_eq!(
        (ending(&lost), &lost["followed"]),
        ("[{key,2}]".to_owned(), &Value::from(true))
    );
    for (schedule, result) in [("", "[true,taken]"), ("0*2,0.2", "[taken,true]")] {
        let report = json(&place, "names(name)", &["--schedule", schedule]);
        assert_eq!(ending(&report), result, "{schedule}");
    }
    assert_eq!(ending(&json(&place, "pids()", &[])), "true");
    let dictionary = ending(&json(&place, "dictionary()", &[]));
    assert_eq!(dictionary, "{[{key,value}],{[],{dictionary,[]}}}");
}

#[test]
fn what_cannot_be_controlled_still_works_and_is_named() {
    let place = workplace();
    for (call, result, names) in [
        ("timer()", "tick", Vec::new()),
        ("server_behaviour()", "5", Vec::new()),
        ("server_of_otp()", "true", vec!["erlang:'!'/2"]),
        ("opaque_server()", "[]", vec!["pg:init/1"]),
        ("hibernating()", "awake", Vec::new()),
    ] {
        let report = json(&place, call, &["--run-timeout", "60000"]);
        assert_eq!(ending(&report), result, "{call}");
        assert_eq!(report["uncontrolled"], Value::from(names), "{call}");
    }
    assert_eq!(ending(&json(&place, "suspended()", &[])), "normal");
    let refused = json(&place, "kill_gate()", &[]);
    assert_eq!(ending(&refused), "blocked erlang:exit/2");
}

#[test]
fn a_log_file_has_the_leases() {
    let place = workplace();
    let built = place.run(&["instrument", "controlled.erl", "-o", "build"]);
    assert_eq!(built.status, 0, "{built:?}");
    let arguments = ["run", "build", "--entry", "two/1", "--args", "[1]"];
    let run = place.run(&[&arguments[..], &["--log", "two.log"]].concat());
    run.success();
    let header = fs::read(place.path("two.log")).expect("it was written");
    let header = String::from_utf8_lossy(&header);
    assert!(
        header.contains(r#""leases":[[0,2],[1,2],[2,2],[0,1]]"#),
        "{header}"
    );
    let events = place.run(&["events", "two.log", "build"]).success();
    assert!(events.contains("process 2:"), "{events}");
}
