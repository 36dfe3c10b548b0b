//! A node on this machine.

use std::fs;
use std::net::TcpListener;
use std::process::Command;

use rustix::process::Signal;

use super::{COOKIE, NODE_FILES, with_short_times, write_cookie};
use crate::faults::processes::Process;
use crate::faults::round::{Ended, Round, Running};

/// What a node says when others can use it.
const READY: &str = "takes part in searches";

/// A running `erlconcolic serve`. It is killed when this is dropped.
#[derive(Debug)]
pub struct Node {
    /// `NAME@HOST`.
    name: String,
    port: u16,
    running: Option<Running>,
}

/// A port of this machine that nobody listens on.
///
/// # Panics
/// When there is none.
pub fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there are ports");
    listener.local_addr().expect("it has one").port()
}

impl Node {
    /// A node with some free port.
    ///
    /// # Panics
    /// When it does not start.
    pub fn start(round: &Round, name: &str) -> Self {
        Self::start_at(round, name, free_port())
    }

    /// The same with a certain port.
    ///
    /// # Panics
    /// When it does not start.
    pub fn start_at(round: &Round, name: &str, port: u16) -> Self {
        let name = format!("{name}@127.0.0.1");
        let command = Self::command(round, &name, port, &[]);
        Self::start_by(round, command, &name, port)
    }

    /// The command that starts a node.
    ///
    /// # Panics
    /// When there is no place for its files.
    pub fn command(round: &Round, name: &str, port: u16, more: &[&str]) -> Command {
        write_cookie(round);
        let files = round.place.path(NODE_FILES);
        fs::create_dir_all(&files).expect("the folder can be made");
        let port = port.to_string();
        let usual = ["serve", "--name", name, "--port", &port];
        let mut command = round.command(&[&usual[..], &["--cookie-file", COOKIE], more].concat());
        with_short_times(&mut command);
        command.env("TMPDIR", files);
        command
    }

    /// A node that such a command starts.
    ///
    /// # Panics
    /// When it does not start.
    pub fn start_by(round: &Round, command: Command, name: &str, port: u16) -> Self {
        let mut running = round.start(command);
        running.wait_for(READY);
        if running.is_over() {
            panic!("a node does not start: {:?}", running.wait());
        }
        Self {
            name: name.to_owned(),
            port,
            running: Some(running),
        }
    }

    /// `NAME@HOST`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// `NAME@HOST:PORT`, as for `--on`.
    pub fn address(&self) -> String {
        self.at(self.port)
    }

    /// The same if it is found at another port.
    pub fn at(&self, port: u16) -> String {
        format!("{}:{port}", self.name)
    }

    /// Its process.
    ///
    /// # Panics
    /// When it is gone.
    pub fn tool(&self) -> Process {
        let process = self.running.as_ref().and_then(Running::process);
        process.expect("the node runs")
    }

    /// Its processes, the first of which is that of the tool; then the BEAM in the cluster and
    /// workers.
    pub fn processes(&self, round: &Round) -> Vec<Process> {
        let tool = self.tool();
        let beams = round.beams().into_iter();
        let beams = beams.filter(|it| it.parent() == tool.id());
        std::iter::once(tool.clone()).chain(beams).collect()
    }

    /// The BEAM in the cluster.
    ///
    /// # Panics
    /// When it is gone.
    pub fn beam(&self, round: &Round) -> Process {
        let all = self.processes(round).into_iter();
        let mut members = all.filter(|it| it.command_line().contains("-epmd_module"));
        members.next().expect("the node has a BEAM in the cluster")
    }

    /// Waits for its end.
    ///
    /// # Panics
    /// When it does not end.
    pub fn wait(mut self) -> Ended {
        self.running.take().expect("it has not ended before").wait()
    }

    /// Kills it, and all its processes end.
    pub fn kill(self) -> Ended {
        self.signal(Signal::KILL);
        self.wait()
    }

    /// Lets it finish its runs and leave, and waits for its end.
    pub fn leave(self) -> Ended {
        self.signal(Signal::TERM);
        self.wait()
    }

    fn signal(&self, signal: Signal) {
        if let Some(process) = self.running.as_ref().and_then(Running::process) {
            process.signal(signal);
        }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
    }
}
