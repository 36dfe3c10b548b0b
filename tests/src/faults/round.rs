//! One search in an environment of its own, and what it left behind.

use std::fs;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::Programs;
use super::processes::{Process, marked, marked_beams};
use crate::tool::Workplace;

/// The program that most rounds search.
const ORDERS: &str = include_str!("orders.erl");

/// Names the round in the environment of all its processes.
const MARKER: &str = "ERLCONCOLIC_FAULT_ROUND";

/// The arguments of a search of all paths of `orders:total/1`.
pub const TOTAL: [&str; 10] = [
    "explore",
    "orders.erl",
    "--entry",
    "total/1",
    "--term-depth",
    "4",
    "--paths",
    "all",
    "--format",
    "json",
];

/// The same with every run kept and shown.
pub const KEPT: [&str; 4] = ["--state", "state", "--resume", "--verbose"];

/// How long a search may take, whatever happens to it.
const LONGEST: Duration = Duration::from_secs(120);
/// How long processes may take to notice that their tool is gone.
const GRACE: Duration = Duration::from_secs(10);

/// A folder with the programs under test, temporary files of its own and a name.
#[derive(Debug)]
pub struct Round {
    /// The working folder.
    pub place: Workplace,
    marker: String,
}

/// A tool that is running.
#[derive(Debug)]
pub struct Running {
    child: Child,
    stdout: Stream,
    stderr: Stream,
}

/// How a tool ended.
#[derive(Debug)]
pub struct Ended {
    /// Its exit status; `None` if a signal ended it.
    pub status: Option<i32>,
    /// The number of the signal that ended it.
    pub signal: Option<i32>,
    /// What it printed to stdout.
    pub stdout: String,
    /// What it and its BEAMs printed to stderr.
    pub stderr: String,
}

impl Round {
    /// A new environment.
    ///
    /// # Panics
    /// When there is no place for temporary files.
    pub fn new(programs: &Programs) -> Self {
        let tool = programs.tool.to_str().expect("paths of tests are UTF-8");
        let place = Workplace::new(tool).with(&[("orders.erl", ORDERS)]);
        fs::create_dir(place.path("temporary")).expect("it is new");
        let marker = format!("{MARKER}={}", place.path("").display());
        Self { place, marker }
    }

    /// The tool in this environment.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.place.command(arguments);
        command
            .env(MARKER, self.place.path(""))
            .env("TMPDIR", self.place.path("temporary"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Starts it.
    ///
    /// # Panics
    /// When it cannot be started.
    pub fn start(&self, mut command: Command) -> Running {
        let mut child = command.spawn().expect("the tool can be started");
        Running {
            stdout: Stream::new(child.stdout.take()),
            stderr: Stream::new(child.stderr.take()),
            child,
        }
    }

    /// Runs the tool to its end.
    ///
    /// # Panics
    /// When it does not end.
    pub fn run(&self, arguments: &[&str]) -> Ended {
        self.start(self.command(arguments)).wait()
    }

    /// The BEAMs of this round, the oldest first: the helper, then workers.
    pub fn beams(&self) -> Vec<Process> {
        marked_beams(&self.marker)
    }

    /// Checks that nothing is left of this round but the files that were asked for.
    ///
    /// # Panics
    /// When a process or a temporary file is left.
    pub fn check_nothing_left(&self, files: &[&str]) {
        let deadline = Instant::now() + GRACE;
        while !marked(&self.marker).is_empty() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(marked(&self.marker), [], "processes are left");
        assert_eq!(self.place.list("temporary"), [""; 0], "files are left");
        let mut left = self.place.list("");
        left.retain(|name| !["orders.erl", "temporary"].contains(&name.as_str()));
        left.retain(|name| !files.contains(&name.as_str()));
        assert_eq!(left, [""; 0], "files are left");
    }
}

impl Running {
    /// The process of the tool, if it is still there.
    pub fn process(&self) -> Option<Process> {
        Process::of(&self.child)
    }

    /// Whether it has ended.
    pub fn is_over(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Waits until it has shown a number of runs (with `--verbose`) or has ended.
    pub fn wait_for_tests(&mut self, number: usize) {
        self.wait_for(&format!("test {number}: "));
    }

    /// Waits until it has said something on stderr or has ended.
    pub fn wait_for(&mut self, wanted: &str) {
        let mut searched = 0;
        while !self.stderr.has(wanted, &mut searched) && !self.is_over() {
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for a while, or until it has ended.
    pub fn pause(&mut self, time: Duration) {
        let deadline = Instant::now() + time;
        while !self.is_over() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Waits for its end.
    ///
    /// # Panics
    /// When it does not end.
    pub fn wait(self) -> Ended {
        self.wait_up_to(LONGEST)
    }

    /// The same for a search that takes longer than others.
    ///
    /// # Panics
    /// When it does not end.
    pub fn wait_up_to(mut self, longest: Duration) -> Ended {
        self.pause(longest);
        if !self.is_over() {
            let _ = self.child.kill();
            panic!("the tool does not end; it said: {}", self.stderr.text());
        }
        let status = self.child.wait().expect("it has ended");
        Ended {
            status: status.code(),
            signal: status.signal(),
            stdout: self.stdout.finish(),
            stderr: self.stderr.finish(),
        }
    }
}

/// The output of a pipe, read as it comes so that no writer has to wait.
#[derive(Debug)]
struct Stream {
    read: Arc<Mutex<Vec<u8>>>,
    reader: Option<JoinHandle<()>>,
}

impl Stream {
    fn new(pipe: Option<impl Read + Send + 'static>) -> Self {
        let read = Arc::new(Mutex::new(Vec::new()));
        let target = Arc::clone(&read);
        let reader = pipe.map(|mut pipe| {
            thread::spawn(move || {
                let mut buffer = [0; 4096];
                while let Ok(length @ 1..) = pipe.read(&mut buffer) {
                    let part = buffer.get(..length).unwrap_or_default();
                    let mut target = target.lock().unwrap_or_else(PoisonError::into_inner);
                    target.extend_from_slice(part);
                }
            })
        });
        Self { read, reader }
    }

    fn text(&self) -> String {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&read).into_owned()
    }

    /// Whether a text came, after the part that was searched before.
    fn has(&self, wanted: &str, searched: &mut usize) -> bool {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let new = read.get(*searched..).unwrap_or_default();
        *searched = read.len().saturating_sub(wanted.len());
        new.windows(wanted.len())
            .any(|part| part == wanted.as_bytes())
    }

    /// All of it. BEAMs have stderr, too, so this also waits for their end.
    fn finish(mut self) -> String {
        if let Some(reader) = self.reader.take() {
            reader.join().expect("reading does not panic");
        }
        self.text()
    }
}
