//! One search on several nodes, which run on this machine: the report is that of one machine.
//! `faults.rs` has what happens when nodes die, hang or are cut off.

use std::fs;
use std::process::{Command, Stdio};

use end_to_end::cluster::{COOKIE, Found, NODE_FILES, Node, free_port, made, search_on};
use end_to_end::erlang::package_path;
use end_to_end::faults::Programs;
use end_to_end::faults::laws::{check_same_paths, report, undisturbed};
use end_to_end::faults::round::{Ended, Round, TOTAL};
use end_to_end::rebar3::Project;
use rustix::process::Signal;

fn programs() -> Programs {
    Programs {
        tool: env!("CARGO_BIN_EXE_erlconcolic-under-test").into(),
        cutting_erl: env!("CARGO_BIN_EXE_cutting-erl").into(),
    }
}

fn search(round: &Round, more: &[&str], on: &[&str]) -> Ended {
    let words = [&TOTAL[..], more].concat();
    round.start(search_on(round, &words, on)).wait()
}

/// The search found what one machine finds.
#[track_caller]
fn assert_same(ended: &Ended) {
    check_same_paths(ended, &undisturbed(&programs(), &TOTAL));
}

fn runs(ended: &Ended) -> usize {
    Found::of(&report(ended).expect("there is a report")).tests
}

#[track_caller]
fn assert_nothing_left(round: &Round, files: &[&str]) {
    round.check_nothing_left(&[&[COOKIE, NODE_FILES][..], files].concat());
}

#[test]
fn nodes_find_what_one_machine_finds() {
    let round = Round::new(&programs());
    let command = Node::command(&round, "w2@127.0.0.1", free_port(), &["--workers", "2"]);
    let port: u16 = port_of(&command);
    let nodes = [
        Node::start(&round, "w1"),
        Node::start_by(&round, command, "w2@127.0.0.1", port),
    ];
    let on = nodes.each_ref().map(Node::address);
    let on = on.each_ref().map(String::as_str);
    assert_same(&search(&round, &[], &on));
    // Also without a worker here, and with a program that the nodes have.
    let ended = search(&round, &["--workers", "0"], &on);
    assert_same(&ended);
    let counts = nodes.each_ref().map(|node| made(&ended, node));
    assert_eq!(counts.iter().sum::<usize>(), runs(&ended), "{ended:?}");
    assert!(counts.iter().all(|it| *it > 0), "{counts:?}");
    for node in nodes {
        assert_eq!(node.leave().status, Some(0));
    }
    assert_nothing_left(&round, &[]);
}

/// The port in the command that starts a node.
fn port_of(command: &Command) -> u16 {
    let mut words = command.get_args().skip_while(|it| *it != "--port").skip(1);
    let port = words.next().and_then(|it| it.to_str()?.parse().ok());
    port.expect("it has a port")
}

#[test]
fn a_node_may_join_late() {
    let round = Round::new(&programs());
    let port = free_port();
    let on = format!("late@127.0.0.1:{port}");
    let words = [&TOTAL[..], &["--workers", "0"]].concat();
    let mut running = round.start(search_on(&round, &words, &[&on]));
    running.wait_for("[no-node]");
    let node = Node::start_at(&round, "late", port);
    let ended = running.wait();
    assert_same(&ended);
    assert_eq!(made(&ended, &node), runs(&ended), "{ended:?}");
}

#[test]
fn a_node_that_is_told_to_leave_finishes_its_runs() {
    let round = Round::new(&programs());
    let first = Node::start(&round, "w1");
    let port = free_port();
    let second = format!("w2@127.0.0.1:{port}");
    // Runs take some milliseconds, so that most are left when the first node has gone.
    for file in ["slow_paths.erl", "slow_work.erl"] {
        let text = fs::read(package_path("erlang_samples").join(file));
        round.place.write(file, &text.expect("the sample is there"));
    }
    let words = ["explore", "slow_paths.erl", "slow_work.erl"];
    let words = [&words[..], &["--entry", "slow_paths:count/1"]].concat();
    let words = [&words[..], &["--opaque", "slow_work", "--paths", "all"]].concat();
    let words = [&words[..], &["--term-depth", "4", "--format", "json"]].concat();
    let expected = report(&round.run(&words)).expect("there is a report");
    let words = [&words[..], &["--workers", "0", "--verbose"]].concat();
    let mut running = round.start(search_on(&round, &words, &[&first.address(), &second]));
    running.wait_for_tests(20);
    first.tool().signal(Signal::TERM);
    let left = first.wait();
    assert_eq!(left.status, Some(0), "{left:?}");
    let second = Node::start_at(&round, "w2", port);
    let ended = running.wait();
    check_same_paths(&ended, &expected);
    assert!(made(&ended, &second) > 0, "{ended:?}");
    second.leave();
    assert_nothing_left(&round, &["slow_paths.erl", "slow_work.erl"]);
}

#[test]
fn nodes_can_be_named_by_a_variable() {
    let round = Round::new(&programs());
    let node = Node::start(&round, "w1");
    let words = [&TOTAL[..], &["--workers", "0", "--cookie-file", COOKIE]].concat();
    let mut command = round.command(&words);
    let nobody = format!("w9@127.0.0.1:{}", free_port());
    command.env("ERLCONCOLIC_NODES", format!("{nobody}, {}", node.address()));
    let ended = round.start(command).wait();
    assert_same(&ended);
    assert_eq!(made(&ended, &node), runs(&ended), "{ended:?}");
}

/// epmd belongs to OTP: it is a daemon that stays, here one of this test.
#[test]
fn nodes_without_a_port_are_found_by_epmd() {
    let round = Round::new(&programs());
    let epmd_port = free_port().to_string();
    let name = "w1@127.0.0.1";
    let mut command = Node::command(&round, name, 1, &[]);
    let words: Vec<String> = command
        .get_args()
        .map(|it| it.to_string_lossy().into_owned())
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    // All but `--port 1`.
    let (before, after) = (&words[..3], &words[5..]);
    let files = round.place.path(NODE_FILES);
    command = round.command(&[before, after].concat());
    command
        .env("TMPDIR", files)
        .env("ERL_EPMD_PORT", &epmd_port);
    let node = Node::start_by(&round, command, name, 0);
    let words = [&TOTAL[..], &["--workers", "0"]].concat();
    let mut command = search_on(&round, &words, &[name]);
    command.env("ERL_EPMD_PORT", &epmd_port);
    let ended = round.start(command).wait();
    let left = node.leave();
    let stopped = Command::new("epmd")
        .args(["-port", &epmd_port, "-kill"])
        .stdout(Stdio::null())
        .status();
    assert!(stopped.is_ok_and(|it| it.success()));
    assert_eq!(left.status, Some(0), "{left:?}");
    assert_same(&ended);
    assert_nothing_left(&round, &[]);
}

/// Messages of a process to itself, and to another one, which take their time.
const MESSAGES: &str = "\
-module(messages).
-export([own/1, other/1]).
own(X) ->
    self() ! {first, X},
    self() ! {second, 7},
    receive {second, Y} when X > Y -> large; {first, _} -> rest() end.
rest() -> receive {second, 8} -> never; {second, Y} -> Y end.
other(X) ->
    Self = self(),
    Pid = spawn(fun() -> receive {ask, Y} when Y > 3 -> Self ! Y; {ask, _} -> Self ! few end end),
    Self ! own,
    Pid ! {ask, X},
    receive few -> few; own -> own; Y when Y =:= 9 -> nine; _ -> many end.
";

/// The search looks at runs of several processes by itself, and a node at the others.
#[test]
fn messages_that_take_their_time_make_no_difference() {
    let round = Round::new(&programs());
    round.place.write("messages.erl", MESSAGES.as_bytes());
    let node = Node::start(&round, "w1");
    for entry in ["own/1", "other/1"] {
        let words = [
            "explore",
            "messages.erl",
            "--entry",
            entry,
            "--paths",
            "all",
        ];
        let words = [&words[..], &["--delivery", "any", "--format", "json"]].concat();
        let here = report(&round.run(&words)).expect("there is a report");
        let words = [&words[..], &["--workers", "0"]].concat();
        let on_node = round
            .start(search_on(&round, &words, &[&node.address()]))
            .wait();
        let there = report(&on_node).expect("there is a report");
        assert_eq!(Found::of(&there), Found::of(&here), "{entry}");
        assert!(Found::of(&here).is_complete, "{entry}: {here}");
        assert!(made(&on_node, &node) > 0, "{on_node:?}");
    }
    node.leave();
    assert_nothing_left(&round, &["messages.erl"]);
}

/// With the code of the project around the program, which nodes do not have.
#[test]
fn projects_of_rebar3_are_searched_on_nodes() {
    let round = Round::new(&programs());
    let node = Node::start(&round, "w1");
    let binary = env!("CARGO_BIN_EXE_erlconcolic-under-test");
    let shop = || Project::of_samples(binary, "shop").with_plugin();
    let cookie = round.place.path(COOKIE);
    let words = format!(
        "concolic --deps --workers 0 --on {} --cookie-file {}",
        node.address(),
        cookie.display()
    );
    let (here, there) = (shop().rebar3("concolic --deps"), shop().rebar3(&words));
    assert_eq!(there.status, here.status, "{}", there.text);
    let complete = "1 finding; 15 of 15 clauses reached; all paths";
    assert!(there.text.contains(complete), "{}", there.text);
    assert!(there.text.contains("w1@127.0.0.1 made "), "{}", there.text);
}
