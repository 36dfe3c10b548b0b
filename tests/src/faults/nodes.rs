//! Searches on nodes that die, hang, come back, are cut off or have a full disk; and a search that is
//! killed while nodes work for it. What is found is what one machine finds.

use std::fs;
use std::process::Command;
use std::time::Duration;

use rustix::process::{Resource, Signal};

use super::Programs;
use super::killed_beams::milliseconds;
use super::laws::{check_same_paths, undisturbed};
use super::round::{KEPT, Round, Running, TOTAL};
use crate::cluster::{COOKIE, NODE_FILES, Node, Relay, RelayFault, free_port, search_on};
use crate::random_programs::Random;

/// A search that uses nodes alone, and shows each run.
const ON_NODES: [&str; 5] = ["--workers", "0", "--verbose", "--timeout", "600"];

/// For longer than this a node must be silent to count as lost.
const TICK: Duration = Duration::from_secs(6);

/// How long a longer search may take, whatever happens to it.
const LONGER: Duration = Duration::from_secs(600);

/// What rounds with nodes leave, besides what was asked for.
const LEFT: [&str; 2] = [COOKIE, NODE_FILES];

/// Processes of nodes are killed in the middle: that of the tool, the BEAM in the cluster, workers. A
/// node that is gone comes back.
///
/// # Panics
/// When a law is broken.
pub fn killed(programs: &Programs, random: &mut Random) {
    let expected = undisturbed(programs, &TOTAL);
    let round = Round::new(programs);
    let mut nodes = vec![Node::start(&round, "w1"), Node::start(&round, "w2")];
    let mut running = start(&round, &ON_NODES, &addresses(&nodes));
    for _ in 0..=random.below(2) {
        running.wait_for_tests(random.below(100) + 1);
        let number = random.below(nodes.len());
        let node = nodes.remove(number);
        let processes = node.processes(&round);
        random.pick(&processes).signal(Signal::KILL);
        running.pause(milliseconds(random.below(1_000)));
        let (name, port) = (node.name().to_owned(), node.port());
        // Without its BEAM in the cluster it ends by itself; with another worker it goes on.
        node.kill();
        let command = Node::command(&round, &name, port, &[]);
        nodes.push(Node::start_by(&round, command, &name, port));
    }
    check_same_paths(&running.wait(), &expected);
    end(&round, nodes, &[]);
}

/// A process of a node stops for longer than the net tick time and goes on then. Another node has
/// its work meanwhile.
///
/// # Panics
/// When a law is broken.
pub fn stopped(programs: &Programs, random: &mut Random) {
    let expected = undisturbed(programs, &TOTAL);
    let round = Round::new(programs);
    let first = Node::start(&round, "w1");
    let port = free_port();
    let on = [first.address(), format!("w2@127.0.0.1:{port}")];
    let mut running = start(&round, &ON_NODES, &on);
    running.wait_for_tests(random.below(100) + 1);
    let processes = first.processes(&round);
    let stopped = random.pick(&processes);
    stopped.signal(Signal::STOP);
    let second = Node::start_at(&round, "w2", port);
    running.pause(TICK);
    stopped.signal(Signal::CONT);
    check_same_paths(&running.wait(), &expected);
    end(&round, vec![first, second], &[]);
}

/// The connection with a node is cut in the middle of messages, or swallows them.
///
/// # Panics
/// When a law is broken.
pub fn cut_off(programs: &Programs, random: &mut Random) {
    let expected = undisturbed(programs, &TOTAL);
    let round = Round::new(programs);
    let node = Node::start(&round, "w1");
    let relay = Relay::to(node.port());
    let mut running = start(&round, &ON_NODES, &[node.at(relay.port())]);
    for _ in 0..=random.below(3) {
        let fault = *random.pick(&[RelayFault::Cut, RelayFault::Cut, RelayFault::Silence]);
        let after = u64::try_from(random.below(60_000)).expect("a small number");
        relay.plan(after, fault);
        while relay.has_plan() && !running.is_over() {
            running.pause(Duration::from_millis(5));
        }
    }
    check_same_paths(&running.wait(), &expected);
    end(&round, vec![node], &[]);
}

/// A node has no room for the code around the program. It says so, and the search goes on without it.
///
/// # Panics
/// When a law is broken.
pub fn full_disk(programs: &Programs, random: &mut Random) {
    let expected = undisturbed(programs, &TOTAL);
    let round = Round::new(programs);
    round.place.write("library/large.beam", &[0; 64 * 1024]);
    let full = Node::start(&round, "w1");
    let files = round.place.path(NODE_FILES);
    let folder = files.display().to_string();
    let is_mounted = random.chance(50) && mount(&folder);
    if !is_mounted {
        full.tool().limit(Resource::Fsize, 4_096);
    }
    // Only the first node has its files there.
    let port = free_port();
    let mut command = Node::command(&round, "w2@127.0.0.1", port, &[]);
    command.env("TMPDIR", round.place.path("temporary"));
    let second = Node::start_by(&round, command, "w2@127.0.0.1", port);
    let on = [full.address(), second.address()];
    let more = [&ON_NODES[..], &["--pa", "library"]].concat();
    let ended = start(&round, &more, &on).wait();
    if is_mounted {
        let unmounted = Command::new("umount").args(["-l", &folder]).status();
        assert!(unmounted.is_ok_and(|it| it.success()));
    }
    check_same_paths(&ended, &expected);
    let named = ended.stderr.contains("the node w1@127.0.0.1 cannot run");
    assert!(named, "{ended:?}");
    end(&round, vec![full, second], &["library"]);
}

/// The search is killed, and nodes drop what they had. Then it goes on with its saved runs.
///
/// # Panics
/// When a law is broken.
pub fn killed_search(programs: &Programs, random: &mut Random) {
    let expected = undisturbed(programs, &TOTAL);
    let round = Round::new(programs);
    let nodes = vec![Node::start(&round, "w1"), Node::start(&round, "w2")];
    let words = [&KEPT[..], &["--workers", "0", "--timeout", "600"]].concat();
    let mut running = start(&round, &words, &addresses(&nodes));
    running.wait_for_tests(random.below(150) + 1);
    if let Some(tool) = running.process() {
        tool.signal(Signal::KILL);
    }
    let killed = running.wait();
    let resumed = start(&round, &words, &addresses(&nodes)).wait();
    check_same_paths(&resumed, &expected);
    let told = |text: &str| text.lines().filter(|it| it.starts_with("test ")).count();
    assert!(told(&resumed.stderr) >= told(&killed.stderr), "{killed:?}");
    end(&round, nodes, &["state"]);
}

/// Eight nodes on one machine, to which anything may happen at any moment of a longer search.
///
/// # Panics
/// When a law is broken.
pub fn many(programs: &Programs, random: &mut Random) {
    const NODES: usize = 8;
    let mut longer = TOTAL;
    longer[5] = "5";
    let expected = undisturbed(programs, &longer);
    let round = Round::new(programs);
    let mut nodes: Vec<Node> = (1..=NODES)
        .map(|number| Node::start(&round, &format!("w{number}")))
        .collect();
    let on = addresses(&nodes);
    let on: Vec<&str> = on.iter().map(String::as_str).collect();
    let words = [&longer[..], &["--verbose", "--timeout", "600"]].concat();
    let mut running = round.start(search_on(&round, &words, &on));
    running.wait_for_tests(1);
    while !running.is_over() {
        running.pause(milliseconds(random.below(2_000)));
        let node = nodes.remove(random.below(NODES));
        let (name, port) = (node.name().to_owned(), node.port());
        match random.below(3) {
            0 => {
                node.kill();
            }
            1 => {
                let ended = node.leave();
                assert_eq!(ended.status, Some(0), "{ended:?}");
            }
            _ => {
                let processes = node.processes(&round);
                let stopped = random.pick(&processes);
                stopped.signal(Signal::STOP);
                running.pause(TICK);
                stopped.signal(Signal::CONT);
                nodes.push(node);
                continue;
            }
        }
        let command = Node::command(&round, &name, port, &[]);
        nodes.push(Node::start_by(&round, command, &name, port));
    }
    check_same_paths(&running.wait_up_to(LONGER), &expected);
    end(&round, nodes, &[]);
}

fn addresses(nodes: &[Node]) -> Vec<String> {
    nodes.iter().map(Node::address).collect()
}

fn start(round: &Round, more: &[&str], on: &[String]) -> Running {
    let on: Vec<&str> = on.iter().map(String::as_str).collect();
    round.start(search_on(round, &[&TOTAL[..], more].concat(), &on))
}

/// A file system with almost no room in a folder. Only root can make one.
fn mount(folder: &str) -> bool {
    let options = ["-t", "tmpfs", "-o", "size=4096", "tmpfs", folder];
    let mounted = Command::new("mount").args(options).output();
    mounted.is_ok_and(|it| it.status.success())
}

/// Ends the nodes, and checks that nothing is left.
fn end(round: &Round, nodes: Vec<Node>, files: &[&str]) {
    for node in nodes {
        let ended = node.leave();
        assert_eq!(ended.status, Some(0), "{ended:?}");
        assert!(!ended.stderr.contains("panicked"), "{ended:?}");
    }
    let _ = fs::remove_dir_all(round.place.path(NODE_FILES));
    round.check_nothing_left(&[&LEFT[..], files].concat());
}
