//! One search on several nodes, which run on this machine: the report is that of one machine, also when
//! nodes come, die, hang or are cut off.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use end_to_end::tool::{Run, Workplace};
use serde_json::Value;

/// Each element is looked at, so there are many paths.
const SOURCE: &str = "\
-module(many).
-export([sum/1]).
-spec sum([0..9]) -> integer().
sum(List) -> sum(List, 0).
sum([], 17) -> error(seventeen);
sum([], Sum) -> Sum;
sum([3 | Rest], Sum) -> sum(Rest, Sum + 5);
sum([7 | Rest], Sum) -> sum(Rest, Sum + 7);
sum([_ | Rest], Sum) -> sum(Rest, Sum + 1).
";

/// A search of all its paths.
const SEARCH: [&str; 9] = [
    "explore",
    "many.erl",
    "--entry",
    "sum/1",
    "--term-depth",
    "5",
    "--paths",
    "all",
    "--format=json",
];

/// No command here may take longer.
const PATIENCE: Duration = Duration::from_secs(240);

/// A running `erlconcolic serve`, and everything that it has started.
struct Node {
    name: String,
    child: Child,
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Node {
    fn start(place: &Workplace, name: &str, port: u16) -> Self {
        Self::start_with(place, name, port, &[])
    }

    fn start_with(place: &Workplace, name: &str, port: u16, more: &[&str]) -> Self {
        let host = format!("{name}@127.0.0.1");
        let port_text = port.to_string();
        let mut arguments = vec!["serve", "--name", &host, "--port", &port_text];
        arguments.extend(["--cookie-file", "cookie"]);
        arguments.extend(more);
        let mut command = quick(place.command(&arguments));
        let mut child = command.stderr(Stdio::piped()).spawn().expect("it starts");
        let stderr = child.stderr.take().expect("it is a pipe");
        let mut lines = BufReader::new(stderr);
        let mut first = String::new();
        lines.read_line(&mut first).expect("it is text");
        assert!(first.contains("takes part in searches"), "{first}");
        // Nobody else reads it.
        thread::spawn(move || lines.lines().count());
        Self {
            name: format!("{host}:{port}"),
            child,
        }
    }

    /// The id of the BEAM that is in the cluster.
    fn beam(&self) -> u32 {
        let all = processes();
        let own = all.iter().filter(|it| it.parent == self.child.id());
        let member = own
            .into_iter()
            .find(|it| it.command.contains("-epmd_module"));
        member.expect("it runs").id
    }

    fn signal(&self, signal: &str, id: u32) {
        let status = Command::new("kill")
            .args([signal, &id.to_string()])
            .status();
        assert!(status.is_ok_and(|it| it.success()));
    }
}

struct Process {
    id: u32,
    parent: u32,
    command: String,
}

fn processes() -> Vec<Process> {
    let output = Command::new("ps")
        .args(["-eo", "pid=,ppid=,args="])
        .output();
    let text = output.expect("there is ps").stdout;
    let text = String::from_utf8_lossy(&text).into_owned();
    let lines = text.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        Some(Process {
            id: words.next()?.parse().ok()?,
            parent: words.next()?.parse().ok()?,
            command: words.collect::<Vec<_>>().join(" "),
        })
    });
    lines.collect()
}

/// With short times, so that tests end soon.
fn quick(mut command: Command) -> Command {
    command.env("ERLCONCOLIC_NET_TICK", "4");
    command.env_remove("ERLCONCOLIC_NODES");
    command
}

fn place() -> Workplace {
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    let place = place.with(&[
        ("many.erl", SOURCE),
        ("cookie", "secret"),
        ("other", "else"),
    ]);
    for cookie in ["cookie", "other"] {
        let owner_alone = fs::Permissions::from_mode(0o400);
        fs::set_permissions(place.path(cookie), owner_alone).expect("it is ours");
    }
    place
}

/// A port that nobody listens on.
fn port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there are ports");
    listener.local_addr().expect("it has one").port()
}

fn search(place: &Workplace, more: &[&str]) -> Run {
    let mut arguments = SEARCH.to_vec();
    arguments.extend(["--cookie-file", "cookie", "--timeout", "200"]);
    arguments.extend(more);
    let command = quick(place.command(&arguments));
    place.finish(command, &arguments)
}

/// What must not depend on where runs take place.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    paths: BTreeSet<String>,
    findings: BTreeSet<String>,
    tests: usize,
}

fn found(run: &Run) -> Found {
    assert_eq!(run.status, 1, "{run:?}");
    let report: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    assert_eq!(report["complete"], true, "{}", run.stderr);
    assert_eq!(report["stats"]["divergences"], 0);
    let list = |key: &str| report[key].as_array().expect("it is a list").clone();
    let texts = |all: &[Value], keys: &[&str]| {
        let texts = all.iter().map(|it| {
            let parts = keys.iter().map(|key| it[*key].to_string());
            parts.collect::<Vec<_>>().join(" ")
        });
        texts.collect()
    };
    Found {
        paths: texts(&list("tests"), &["trace", "outcome"]),
        findings: texts(&list("findings"), &["class", "reason", "line", "confirmed"]),
        tests: list("tests").len(),
    }
}

fn alone(place: &Workplace) -> Found {
    found(&search(place, &[]))
}

/// How many runs a node has made, as the search says.
fn made(run: &Run, node: &Node) -> usize {
    let name = node.name.rsplit_once(':').expect("it has a port").0;
    let mut lines = run.stderr.lines();
    let line = lines.find_map(|line| line.strip_prefix(&format!("note: {name} made ")));
    let count = line.and_then(|it| it.split(' ').next()?.parse().ok());
    count.unwrap_or(0)
}

/// Waits for the end of a search that was started apart, which may not take too long.
fn finish(mut child: Child) -> Run {
    let end = Instant::now() + PATIENCE;
    while child.try_wait().expect("it is ours").is_none() {
        if Instant::now() > end {
            let _ = child.kill();
            panic!("the search does not end");
        }
        thread::sleep(Duration::from_millis(50));
    }
    let output = child.wait_with_output().expect("it has ended");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it is text");
    Run::of(
        output.status.code().unwrap_or(-1),
        text(output.stdout),
        text(output.stderr),
    )
}

fn begin(place: &Workplace, more: &[&str]) -> Child {
    let mut arguments = SEARCH.to_vec();
    arguments.extend(["--cookie-file", "cookie", "--timeout", "200"]);
    arguments.extend(more);
    let mut command = quick(place.command(&arguments));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("it starts")
}

/// Nothing that this process has started runs on.
#[track_caller]
fn assert_nothing_is_left(place: &Workplace) {
    let folder = place.path("").display().to_string();
    let end = Instant::now() + Duration::from_secs(30);
    loop {
        let all = processes();
        let left: Vec<&Process> = all
            .iter()
            .filter(|it| {
                let here = fs::read_link(format!("/proc/{}/cwd", it.id));
                here.is_ok_and(|it| {
                    folder.starts_with(&*it.to_string_lossy()) && it.starts_with("/tmp")
                })
            })
            .filter(|it| !it.command.contains("epmd"))
            .collect();
        if left.is_empty() {
            return;
        }
        let commands: Vec<&str> = left.iter().map(|it| it.command.as_str()).collect();
        assert!(Instant::now() < end, "{commands:?}");
        thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn nodes_find_what_one_machine_finds() {
    let place = place();
    let expected = alone(&place);
    assert!(expected.tests > 50, "{expected:?}");
    let nodes = [
        Node::start(&place, "w1", port()),
        Node::start_with(&place, "w2", port(), &["--workers", "2"]),
    ];
    let on = format!("{},{}", nodes[0].name, nodes[1].name);
    let run = search(&place, &["--on", &on]);
    assert_eq!(found(&run), expected);
    // Also without a worker here, and with a program that the nodes have.
    let run = search(&place, &["--on", &on, "--workers", "0"]);
    assert_eq!(found(&run), expected);
    let counts: Vec<usize> = nodes.iter().map(|node| made(&run, node)).collect();
    assert_eq!(
        counts.iter().sum::<usize>(),
        expected.tests,
        "{}",
        run.stderr
    );
    assert!(counts.iter().all(|it| *it > 0), "{counts:?}");
    drop(nodes);
    assert_nothing_is_left(&place);
}

#[test]
fn a_node_may_join_late() {
    let place = place();
    let port = port();
    let on = format!("late@127.0.0.1:{port}");
    let child = begin(&place, &["--on", &on, "--workers", "0"]);
    thread::sleep(Duration::from_secs(2));
    let node = Node::start(&place, "late", port);
    let run = finish(child);
    assert_eq!(found(&run), alone(&place));
    assert!(made(&run, &node) > 0, "{}", run.stderr);
    assert!(run.stderr.contains("[no-node]"), "{}", run.stderr);
}

/// A search on a node to which something happens, and on another one that comes then.
fn survives(happens: impl FnOnce(&mut Node)) {
    let place = place();
    let mut first = Node::start(&place, "first", port());
    let second_port = port();
    let on = format!("{},second@127.0.0.1:{second_port}", first.name);
    let child = begin(&place, &["--on", &on, "--workers", "0"]);
    thread::sleep(Duration::from_secs(2));
    happens(&mut first);
    let _second = Node::start(&place, "second", second_port);
    assert_eq!(found(&finish(child)), alone(&place));
}

#[test]
fn the_work_of_a_killed_node_is_done_by_another() {
    survives(|node| {
        node.child.kill().expect("it runs");
        node.child.wait().expect("it ends");
    });
}

#[test]
fn the_work_of_a_cut_off_node_is_done_by_another() {
    survives(|node| node.signal("-KILL", node.beam()));
}

#[test]
fn the_work_of_a_stopped_node_is_done_by_another() {
    survives(|node| node.signal("-STOP", node.beam()));
}

#[test]
fn a_node_that_is_told_to_leave_finishes_its_runs() {
    survives(|node| {
        node.signal("-TERM", node.child.id());
        assert!(node.child.wait().expect("it ends").success());
    });
}

#[test]
fn a_killed_search_goes_on_with_its_journal() {
    let place = place();
    let node = Node::start(&place, "w", port());
    let more = ["--on", &node.name, "--workers", "0", "--state", "runs"];
    let mut child = begin(&place, &more);
    thread::sleep(Duration::from_secs(3));
    child.kill().expect("it is ours");
    child.wait().expect("it ends");
    let run = search(&place, &[&more[..], &["--resume"]].concat());
    assert_eq!(found(&run), alone(&place));
    drop(node);
    assert_nothing_is_left(&place);
}

#[test]
fn a_node_listens_on_its_port_alone() {
    let place = place();
    let port = port();
    let node = Node::start(&place, "w", port);
    assert!(TcpStream::connect(("127.0.0.1", port)).is_ok());
    let listening = Command::new("ss").args(["-Hltnp"]).output();
    let Ok(listening) = listening else {
        return;
    };
    let text = String::from_utf8_lossy(&listening.stdout).into_owned();
    let beam = format!("pid={},", node.beam());
    let own: Vec<&str> = text.lines().filter(|it| it.contains(&beam)).collect();
    assert_eq!(own.len(), 1, "{own:?}");
    assert!(own[0].contains(&format!("127.0.0.1:{port}")), "{own:?}");
}

#[test]
fn those_who_do_not_know_the_cookie_are_refused() {
    let place = place();
    let node = Node::start(&place, "w", port());
    let mut arguments = SEARCH.to_vec();
    arguments.extend(["--cookie-file", "other", "--on", &node.name]);
    let run = place.finish(quick(place.command(&arguments)), &arguments);
    assert_eq!(found(&run), alone(&place));
    assert!(run.stderr.contains("[node-refused]"), "{}", run.stderr);
    assert!(run.stderr.contains("--cookie-file"), "{}", run.stderr);
    assert_eq!(made(&run, &node), 0);
}

#[test]
fn other_versions_are_refused_by_name() {
    let place = place();
    place.write(
        "erlconcolic_cluster.erl",
        b"-module(erlconcolic_cluster).\n-export([hello/0]).\n\
          hello() -> #{tool => <<\"99.1\">>, otp => <<\"25\">>}.\n",
    );
    let compiled = Command::new("erlc")
        .arg("erlconcolic_cluster.erl")
        .current_dir(place.path(""))
        .status();
    assert!(compiled.is_ok_and(|it| it.success()));
    let port = port().to_string();
    let limits = format!("inet_dist_listen_min {port} inet_dist_listen_max {port}");
    let mut erl = Command::new("erl");
    erl.args(["-noinput", "-name", "old@127.0.0.1", "-setcookie", "secret"]);
    erl.args(["-start_epmd", "false", "-erl_epmd_port", &port, "-kernel"]);
    erl.args(limits.split(' '));
    erl.current_dir(place.path(""));
    let mut old = erl.stdin(Stdio::null()).spawn().expect("it starts");
    thread::sleep(Duration::from_secs(4));
    let run = search(&place, &["--on", &format!("old@127.0.0.1:{port}")]);
    old.kill().expect("it is ours");
    old.wait().expect("it ends");
    assert!(run.stderr.contains("[other-version]"), "{}", run.stderr);
    assert!(run.stderr.contains("99.1 there"), "{}", run.stderr);
    assert_eq!(found(&run), alone(&place));
}

#[test]
fn names_that_are_not_valid_are_errors() {
    let place = place();
    for (on, words) in [("w1", "has no @"), ("a@h.x,b@h", "cannot be in a cluster")] {
        let run = search(&place, &["--on", on]);
        assert_eq!(run.status, 2, "{run:?}");
        assert!(run.stderr.contains("[bad-node]"), "{}", run.stderr);
        assert!(run.stderr.contains(words), "{}", run.stderr);
    }
}
