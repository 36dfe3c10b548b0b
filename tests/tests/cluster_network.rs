//! Nodes and searches on machines of their own, as far as the network is concerned: in namespaces with
//! a cable between them, which can be pulled. Only root can make them; others skip this.

use std::process::{Command, Stdio};
use std::time::Duration;

use end_to_end::cluster::{COOKIE, NODE_FILES, Node, made, search_on};
use end_to_end::faults::Programs;
use end_to_end::faults::laws::{check_same_paths, undisturbed};
use end_to_end::faults::processes::Process;
use end_to_end::faults::round::{Round, TOTAL};
use rustix::process::Signal;

/// The addresses of the search and of the node.
const ADDRESSES: [&str; 2] = ["10.99.0.1", "10.99.0.2"];
/// An address of the same network that nobody has.
const NOBODY: &str = "10.99.0.77";
/// The port of the node: nobody else is there.
const PORT: u16 = 4711;
/// Longer than the net tick time of tests.
const OUTAGE: Duration = Duration::from_secs(6);

fn programs() -> Programs {
    Programs {
        tool: env!("CARGO_BIN_EXE_erlconcolic-under-test").into(),
        cutting_erl: env!("CARGO_BIN_EXE_cutting-erl").into(),
    }
}

/// Two namespaces, removed in the end.
struct Network([String; 2]);

impl Network {
    /// `None` if this machine does not permit it.
    fn new(test: &str) -> Option<Self> {
        let name = |end: &str| format!("erlconcolic-{}-{test}-{end}", std::process::id());
        let network = Self(["search", "node"].map(name));
        let [search, node] = &network.0;
        let is_permitted = ip(&format!("netns add {search}"))
            && ip(&format!("netns add {node}"))
            && ip(&format!(
                "link add cable netns {search} type veth peer name cable netns {node}"
            ));
        if !is_permitted {
            return None;
        }
        for (namespace, address) in network.0.iter().zip(ADDRESSES) {
            for words in [
                format!("-n {namespace} address add {address}/24 dev cable"),
                format!("-n {namespace} link set cable up"),
                format!("-n {namespace} link set lo up"),
            ] {
                assert!(ip(&words), "ip {words}");
            }
        }
        Some(network)
    }

    /// Pulls the cable, or plugs it in.
    fn set_cable(&self, state: &str) {
        let words = format!("-n {} link set cable {state}", self.0[0]);
        assert!(ip(&words), "ip {words}");
    }

    /// A command in the namespace of the search or of the node.
    fn within(&self, end: usize, command: &Command) -> Command {
        let mut inside = Command::new("ip");
        let namespace = self.0.get(end).expect("there are two");
        inside.args(["netns", "exec", namespace]);
        inside.arg(command.get_program()).args(command.get_args());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => inside.env(name, value),
                None => inside.env_remove(name),
            };
        }
        inside.current_dir(command.get_current_dir().expect("it has a folder"));
        inside
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        inside
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        for namespace in &self.0 {
            ip(&format!("netns delete {namespace}"));
        }
    }
}

fn ip(words: &str) -> bool {
    let mut command = Command::new("ip");
    command.args(words.split(' ')).stderr(Stdio::null());
    command.status().is_ok_and(|it| it.success())
}

#[test]
fn a_search_survives_a_cable_that_is_pulled() {
    let Some(network) = Network::new("cable") else {
        eprintln!("skipped: network namespaces are not permitted here");
        return;
    };
    let expected = undisturbed(&programs(), &TOTAL);
    let round = Round::new(&programs());
    let name = format!("w1@{}", ADDRESSES[1]);
    let command = network.within(1, &Node::command(&round, &name, PORT, &[]));
    let node = Node::start_by(&round, command, &name, PORT);
    let listening = node.processes(&round);
    let listening: Vec<String> = listening.iter().flat_map(Process::listening).collect();
    assert_eq!(listening, [format!("0.0.0.0:{PORT}")]);
    let nobody = format!("w2@{NOBODY}:{PORT}");
    let words = [&TOTAL[..], &["--workers", "0", "--verbose"]].concat();
    let command = search_on(&round, &words, &[&node.address(), &nobody]);
    let mut running = round.start(network.within(0, &command));
    running.wait_for_tests(20);
    network.set_cable("down");
    running.pause(OUTAGE);
    network.set_cable("up");
    let ended = running.wait();
    check_same_paths(&ended, &expected);
    assert!(made(&ended, &node) > 0, "{ended:?}");
    node.leave();
    round.check_nothing_left(&[COOKIE, NODE_FILES]);
}

#[test]
fn a_machine_that_does_not_answer_is_told() {
    let Some(network) = Network::new("nobody") else {
        eprintln!("skipped: network namespaces are not permitted here");
        return;
    };
    let round = Round::new(&programs());
    let nobody = format!("w2@{NOBODY}:{PORT}");
    let words = [&TOTAL[..], &["--workers", "0"]].concat();
    let command = search_on(&round, &words, &[&nobody]);
    let mut running = round.start(network.within(0, &command));
    running.wait_for("[no-node]");
    if let Some(tool) = running.process() {
        tool.signal(Signal::INT);
    }
    let ended = running.wait();
    let words = format!("w2@{NOBODY} does not answer");
    assert!(ended.stderr.contains(&words), "{}", ended.stderr);
    round.check_nothing_left(&[COOKIE]);
}
