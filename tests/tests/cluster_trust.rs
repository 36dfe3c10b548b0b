//! Who may use a node, and what others are told.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use end_to_end::cluster::{COOKIE, Node, free_port, made, search_on, with_short_times};
use end_to_end::erlang::erlc;
use end_to_end::faults::Programs;
use end_to_end::faults::laws::{check_same_paths, undisturbed};
use end_to_end::faults::processes::Process;
use end_to_end::faults::round::{Round, Running, TOTAL};
use rustix::process::Signal;

fn programs() -> Programs {
    Programs {
        tool: env!("CARGO_BIN_EXE_erlconcolic-under-test").into(),
        cutting_erl: env!("CARGO_BIN_EXE_cutting-erl").into(),
    }
}

/// A search with other options about trust than usual.
fn search(round: &Round, more: &[&str]) -> Running {
    let mut command = round.command(&[&TOTAL[..], more].concat());
    with_short_times(&mut command);
    round.start(command)
}

/// A search that waits for a node says these words about it.
#[track_caller]
fn assert_told(round: &Round, more: &[&str], words: &[&str]) {
    let mut running = search(round, &[&["--workers", "0"][..], more].concat());
    for word in words {
        running.wait_for(word);
    }
    if let Some(tool) = running.process() {
        tool.signal(Signal::INT);
    }
    let ended = running.wait();
    for word in words {
        assert!(ended.stderr.contains(word), "no {word:?}: {ended:?}");
    }
}

#[test]
fn those_who_do_not_know_the_cookie_are_refused() {
    let round = Round::new(&programs());
    round.place.write("other", b"else");
    let node = Node::start(&round, "w1");
    let address = node.address();
    let other = ["--cookie-file", "other", "--on", &address];
    let words = ["[node-refused]", "--cookie-file names its file"];
    assert_told(&round, &other, &words);
    // With a worker here the search goes on without the node.
    let ended = search(&round, &other).wait();
    check_same_paths(&ended, &undisturbed(&programs(), &TOTAL));
    assert_eq!(made(&ended, &node), 0);
}

/// Somebody with a BEAM of OTP, without our tool, and with another cookie; and somebody who knows the
/// cookie, to see that the test would notice.
#[test]
fn nobody_without_the_cookie_runs_anything() {
    let round = Round::new(&programs());
    let node = Node::start(&round, "w1");
    let made = round.place.path("made");
    let attempt = |cookie: &str, hidden: &str| {
        let call = format!(
            "net_kernel:{hidden}('{}'), \
             catch erpc:call('{}', file, write_file, [{:?}, <<>>], 5000), halt().",
            node.name(),
            node.name(),
            made.display().to_string()
        );
        let port = node.port().to_string();
        let mut erl = Command::new("erl");
        erl.args(["-noinput", "-start_epmd", "false", "-erl_epmd_port", &port]);
        erl.args(["-dist_listen", "false", "-name", "thief@127.0.0.1"]);
        erl.args(["-setcookie", cookie, "-eval", &call]);
        erl.stdin(Stdio::null()).stdout(Stdio::null());
        assert!(erl.status().is_ok_and(|it| it.success()));
        made.exists()
    };
    assert!(!attempt("else", "connect_node"));
    assert!(!attempt("else", "hidden_connect_node"));
    assert!(attempt("secret", "hidden_connect_node"));
}

#[test]
fn what_makes_no_sense_ends_a_connection_and_not_the_node() {
    let round = Round::new(&programs());
    let node = Node::start(&round, "w1");
    let garbage: [&[u8]; 3] = [
        b"GET / HTTP/1.1\r\n\r\n",
        &[0, 5, b'N', 0, 0, 0, 0],
        &[0xff; 70_000],
    ];
    for bytes in garbage {
        let mut stream = TcpStream::connect(("127.0.0.1", node.port())).expect("it listens");
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .expect("it is a socket");
        // The node may have closed it meanwhile.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let _ = stream.read_to_end(&mut Vec::new());
    }
    let words = [&TOTAL[..], &["--workers", "0"]].concat();
    let ended = round
        .start(search_on(&round, &words, &[&node.address()]))
        .wait();
    check_same_paths(&ended, &undisturbed(&programs(), &TOTAL));
}

#[test]
fn nodes_listen_on_their_port_alone_and_searches_on_nothing() {
    let round = Round::new(&programs());
    let node = Node::start(&round, "w1");
    let words = [&TOTAL[..], &["--verbose"]].concat();
    let mut running = round.start(search_on(&round, &words, &[&node.address()]));
    running.wait_for_tests(20);
    let own = node.processes(&round);
    let tool = running.process();
    let others: Vec<Process> = round
        .beams()
        .into_iter()
        .filter(|it| !own.contains(it))
        .chain(tool)
        .collect();
    let port = node.port();
    let ports = |processes: &[Process]| -> Vec<String> {
        processes.iter().flat_map(Process::listening).collect()
    };
    assert_eq!(ports(&own), [format!("127.0.0.1:{port}")]);
    assert_eq!(ports(&others), [""; 0]);
    running.wait();
}

#[test]
fn a_node_that_does_not_answer_is_told_with_what_to_do() {
    let round = Round::new(&programs());
    round.place.write(COOKIE, b"secret");
    // One that listens and says nothing.
    let silent = TcpListener::bind("127.0.0.1:0").expect("there are ports");
    let silent = silent.local_addr().expect("it has one").port();
    for (on, words) in [
        (
            format!("w1@127.0.0.1:{}", free_port()),
            "does `erlconcolic serve` run there",
        ),
        (
            "w1@nosuchhost.invalid:4711".to_owned(),
            "there is no host nosuchhost.invalid",
        ),
        (format!("w1@127.0.0.1:{silent}"), "does not answer"),
    ] {
        let of_cluster = ["--cookie-file", COOKIE, "--on", &on];
        assert_told(&round, &of_cluster, &["[no-node]", words]);
    }
}

#[test]
fn other_versions_are_refused_by_name() {
    let version = env!("CARGO_PKG_VERSION");
    for (tool, otp, words) in [
        ("99.1", "25", "99.1 there"),
        (version, "17", "another release of Erlang/OTP"),
    ] {
        let round = Round::new(&programs());
        let old = Stranger::start(
            &round,
            &format!("#{{tool => <<\"{tool}\">>, otp => <<\"{otp}\">>}}"),
        );
        let of_cluster = ["--cookie-file", COOKIE, "--on", &old.address];
        let words = ["[other-version]", words, "on all machines"];
        assert_told(&round, &of_cluster, &words);
    }
}

#[test]
fn a_node_of_another_program_is_refused_by_name() {
    let round = Round::new(&programs());
    let other = Stranger::start(&round, "error(undef)");
    let of_cluster = ["--cookie-file", COOKIE, "--on", &other.address];
    let words = ["[other-version]", "is not a node of `erlconcolic serve`"];
    assert_told(&round, &of_cluster, &words);
}

/// A node that somebody else has written, and that says hello in its own way.
struct Stranger {
    address: String,
    child: std::process::Child,
}

impl Stranger {
    fn start(round: &Round, hello: &str) -> Self {
        round.place.write(COOKIE, b"secret");
        let source = format!(
            "-module(erlconcolic_cluster_hello).\n-export([hello/0]).\nhello() -> {hello}.\n"
        );
        round
            .place
            .write("stranger/erlconcolic_cluster_hello.erl", source.as_bytes());
        let folder = round.place.path("stranger");
        erlc(&folder, [], &[folder.join("erlconcolic_cluster_hello.erl")]);
        let port = free_port().to_string();
        let limits = ["inet_dist_listen_min", &port, "inet_dist_listen_max", &port];
        let mut erl = Command::new("erl");
        erl.args(["-noinput", "-name", "old@127.0.0.1", "-setcookie", "secret"]);
        erl.args(["-start_epmd", "false", "-erl_epmd_port", &port, "-kernel"]);
        erl.args(limits).args(["-eval", "io:format(\"ready~n\")."]);
        erl.current_dir(&folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        let mut child = erl.spawn().expect("erl can be started");
        let mut ready = [0; 6];
        let stdout = child.stdout.as_mut().expect("it is piped");
        stdout.read_exact(&mut ready).expect("it says so");
        Self {
            address: format!("old@127.0.0.1:{port}"),
            child,
        }
    }
}

impl Drop for Stranger {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn names_and_files_that_are_not_valid_are_errors() {
    let round = Round::new(&programs());
    round.place.write(COOKIE, b"secret");
    round.place.write("empty", b"\n");
    let nobody = "w1@127.0.0.1:1";
    for (words, code, text) in [
        (
            ["--on", "w1", "--cookie-file", COOKIE],
            "[bad-node]",
            "has no @",
        ),
        (
            ["--on", "a@h.x,b@h", "--cookie-file", COOKIE],
            "[bad-node]",
            "cannot be in a cluster",
        ),
        (
            ["--on", nobody, "--cookie-file", "missing"],
            "[io]",
            "cannot read missing",
        ),
        (
            ["--on", nobody, "--cookie-file", "empty"],
            "[bad-node]",
            "empty has no cookie",
        ),
        (
            ["--on", nobody, "--tls", "missing"],
            "[io]",
            "cannot read missing",
        ),
    ] {
        let ended = search(&round, &words).wait();
        assert_eq!(ended.status, Some(2), "{ended:?}");
        assert!(ended.stderr.contains(code), "{}", ended.stderr);
        assert!(ended.stderr.contains(text), "{}", ended.stderr);
    }
}

#[test]
fn a_node_that_cannot_listen_says_why() {
    let round = Round::new(&programs());
    let taken = TcpListener::bind("127.0.0.1:0").expect("there are ports");
    let port = taken.local_addr().expect("it has one").port();
    let command = Node::command(&round, "w1@127.0.0.1", port, &[]);
    let ended = round.start(command).wait();
    assert_eq!(ended.status, Some(2), "{ended:?}");
    assert!(
        ended.stderr.contains("[node-not-started]"),
        "{}",
        ended.stderr
    );
    assert!(
        ended
            .stderr
            .contains(&format!("cannot listen on port {port}")),
        "{}",
        ended.stderr
    );
}

/// Certificates of an authority, and of one that nobody knows.
#[test]
fn certificates_that_are_not_trusted_are_told_and_others_work() {
    let round = Round::new(&programs());
    let folder = round.place.path("tls");
    fs::create_dir(&folder).expect("it is new");
    for authority in ["known", "unknown"] {
        certificates(&folder, authority);
    }
    let name = "w1@127.0.0.1";
    let port = free_port();
    let command = Node::command(&round, name, port, &["--tls", "tls/known.conf"]);
    let node = Node::start_by(&round, command, name, port);
    let address = node.address();
    let of_cluster = |tls: &'static [&'static str]| {
        [&["--cookie-file", COOKIE, "--on", &address][..], tls].concat()
    };
    let known = of_cluster(&["--tls", "tls/known.conf"][..]);
    let trusted = search(&round, &[&known[..], &["--workers", "0"]].concat()).wait();
    check_same_paths(&trusted, &undisturbed(&programs(), &TOTAL));
    assert!(made(&trusted, &node) > 0, "{trusted:?}");
    let unknown = of_cluster(&["--tls", "tls/unknown.conf"][..]);
    let words = [
        "[node-refused]",
        "a certificate is not trusted",
        "the authority",
    ];
    assert_told(&round, &unknown, &words);
    let words = ["[node-refused]", "this search needs --tls as well"];
    assert_told(&round, &of_cluster(&[]), &words);
}

/// An authority, a certificate that it has signed, and a file with options for both sides.
fn certificates(folder: &Path, authority: &str) {
    let openssl = |words: &str| {
        let mut command = Command::new("openssl");
        command.args(words.split(' ')).current_dir(folder);
        let output = command
            .stdin(Stdio::null())
            .output()
            .expect("there is openssl");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    };
    let names = "subjectAltName=DNS:localhost,IP:127.0.0.1,DNS:127.0.0.1";
    fs::write(folder.join("names"), names).expect("it can be written");
    openssl(&format!(
        "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={authority} \
         -keyout {authority}-ca.key -out {authority}-ca.pem"
    ));
    openssl(&format!(
        "req -newkey rsa:2048 -nodes -subj /CN=localhost \
         -keyout {authority}.key -out {authority}.csr"
    ));
    openssl(&format!(
        "x509 -req -days 2 -in {authority}.csr -CA {authority}-ca.pem -CAkey {authority}-ca.key \
         -CAcreateserial -extfile names -out {authority}.pem"
    ));
    let path = |name: &str| {
        folder
            .join(format!("{authority}{name}"))
            .display()
            .to_string()
    };
    let (own, key, known) = (path(".pem"), path(".key"), path("-ca.pem"));
    let files = format!("{{certfile, {own:?}}}, {{keyfile, {key:?}}}, {{cacertfile, {known:?}}}");
    let options = format!(
        "[{{server, [{files}, {{verify, verify_peer}}, {{fail_if_no_peer_cert, true}}]}},\n \
          {{client, [{files}, {{verify, verify_peer}}]}}].\n"
    );
    fs::write(folder.join(format!("{authority}.conf")), options).expect("it can be written");
}
