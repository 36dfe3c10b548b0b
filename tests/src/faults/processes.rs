//! The running processes, by `/proc`.

use std::fs;
use std::net::Ipv4Addr;
use std::path::PathBuf;

use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process, prlimit};

/// A running process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    id: i32,
    parent: i32,
    /// The name of its program.
    pub name: String,
    started: u64,
}

/// The ticks of a second in `/proc`, on all systems of today.
const TICKS: f64 = 100.0;

/// A listening socket in `/proc/net/tcp`.
const LISTENS: &str = "0A";

/// The processes that have this text in their environment, the oldest first.
///
/// # Panics
/// When there is no `/proc`.
pub fn marked(marker: &str) -> Vec<Process> {
    let entries = fs::read_dir("/proc").expect("the system has /proc");
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let ids = names.filter_map(|name| name.parse().ok());
    let ours = ids.filter(|id| has_marker(*id, marker));
    let mut processes: Vec<Process> = ours.filter_map(Process::read).collect();
    processes.sort_by_key(|process| (process.started, process.id));
    processes
}

/// The BEAMs among them.
pub fn marked_beams(marker: &str) -> Vec<Process> {
    let mut processes = marked(marker);
    processes.retain(|process| process.name == "beam.smp");
    processes
}

fn has_marker(id: i32, marker: &str) -> bool {
    let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
    let marker = marker.as_bytes();
    environment.windows(marker.len()).any(|part| part == marker)
}

impl Process {
    /// A process that was started here.
    pub fn of(child: &std::process::Child) -> Option<Self> {
        Self::read(i32::try_from(child.id()).ok()?)
    }

    /// The memory that it has, in bytes; 0 if it is gone.
    pub fn resident(&self) -> u64 {
        let text = fs::read_to_string(format!("/proc/{}/status", self.id)).unwrap_or_default();
        let line = text.lines().find_map(|it| it.strip_prefix("VmRSS:"));
        let kilobytes = line.and_then(|it| it.split_whitespace().next()?.parse::<u64>().ok());
        kilobytes.unwrap_or_default() * 1024
    }

    /// `None` if it is gone or a zombie.
    fn read(id: i32) -> Option<Self> {
        let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // The name is in parentheses and may hold anything.
        let (before, after) = text.rsplit_once(')')?;
        let (_, name) = before.split_once('(')?;
        let mut fields = after.split_whitespace();
        if fields.next()? == "Z" {
            return None;
        }
        Some(Self {
            id,
            parent: fields.next()?.parse().ok()?,
            name: name.to_owned(),
            started: fields.nth(17)?.parse().ok()?,
        })
    }

    /// Its number.
    pub fn id(&self) -> i32 {
        self.id
    }

    /// The number of the process that had started it when it was looked at.
    pub fn parent(&self) -> i32 {
        self.parent
    }

    /// Its program and arguments, with spaces between them; empty if it is gone.
    pub fn command_line(&self) -> String {
        let words = fs::read(self.path("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&words).replace('\0', " ")
    }

    /// Sends a signal. It does not matter if the process has just ended.
    pub fn signal(&self, signal: Signal) {
        let _ = Pid::from_raw(self.id).map(|id| kill_process(id, signal));
    }

    /// Limits it from now on, and the processes that it starts.
    pub fn limit(&self, resource: Resource, most: u64) {
        let limit = Rlimit {
            current: Some(most),
            maximum: Some(most),
        };
        let _ = Pid::from_raw(self.id).map(|id| prlimit(Some(id), resource, limit));
    }

    /// How long it has used a processor, in seconds; 0 if it is gone.
    pub fn cpu_seconds(&self) -> f64 {
        let text = fs::read_to_string(self.path("stat")).unwrap_or_default();
        let after = text.rsplit_once(')').map_or("", |it| it.1);
        let times = after.split_whitespace().skip(11).take(2);
        times.filter_map(|it| it.parse::<f64>().ok()).sum::<f64>() / TICKS
    }

    /// The addresses on which it listens for connections, as `127.0.0.1:80`.
    pub fn listening(&self) -> Vec<String> {
        let own: Vec<String> = fs::read_dir(self.path("fd"))
            .into_iter()
            .flatten()
            .filter_map(|it| fs::read_link(it.ok()?.path()).ok())
            .map(|it| it.to_string_lossy().into_owned())
            .collect();
        let sockets = ["net/tcp", "net/tcp6"].map(|it| fs::read_to_string(self.path(it)));
        let sockets = sockets.into_iter().flatten().collect::<String>();
        let listening = sockets.lines().filter_map(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let (address, state, inode) = (fields.get(1)?, fields.get(3)?, fields.get(9)?);
            let is_own = own.contains(&format!("socket:[{inode}]"));
            (*state == LISTENS && is_own).then(|| shown(address))?
        });
        listening.collect()
    }

    /// How many files, pipes and sockets it has open; 0 if it is gone.
    pub fn descriptors(&self) -> usize {
        fs::read_dir(self.path("fd")).map_or(0, Iterator::count)
    }

    /// Its memory in kilobytes, by its name in `/proc`: `VmRSS`, `VmSize`; 0 if it is gone.
    pub fn memory(&self, name: &str) -> u64 {
        let status = fs::read_to_string(self.path("status")).unwrap_or_default();
        let mut lines = status.lines();
        let line = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        number.unwrap_or(0)
    }

    fn path(&self, name: &str) -> PathBuf {
        PathBuf::from(format!("/proc/{}/{name}", self.id))
    }
}

/// An address of `/proc/net/tcp`: bytes in the order of the machine, and a port.
fn shown(address: &str) -> Option<String> {
    let (host, port) = address.split_once(':')?;
    let port = u16::from_str_radix(port, 16).ok()?;
    let Ok(host) = u32::from_str_radix(host, 16) else {
        return Some(format!("[{host}]:{port}"));
    };
    Some(format!("{}:{port}", Ipv4Addr::from(host.to_ne_bytes())))
}
