//! Stands in for `erl`: passes messages on between the tool and a BEAM, and cuts, damages or
//! silences them after a number of bytes. The channel to the tool is on stdin and stdout.

use std::env;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio, exit};
use std::thread;
use std::time::Duration;

use command_fds::{CommandFdExt, FdMapping};

fn main() {
    let folder = PathBuf::from(env::var_os("CUTTING_ERL").expect("a folder"));
    let mut erl = Command::new("erl");
    erl.args(env::args_os().skip(1))
        .env("PATH", env::var_os("CUTTING_ERL_PATH").expect("a path"))
        .stdin(Stdio::null())
        .stdout(Stdio::from(io::stderr()));
    let plan = fs::read_to_string(folder.join("plan")).expect("a plan");
    match plan.lines().nth(number(&folder)).and_then(Fault::parse) {
        Some(fault) => stand_between(erl, fault),
        // Descriptors 3 and 4 are still there.
        None => panic!("{}", erl.exec()),
    }
}

/// How many were started before this one.
fn number(folder: &Path) -> usize {
    let is_taken = |number: &usize| File::create_new(folder.join(number.to_string())).is_err();
    (0..).take_while(is_taken).count()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Cut,
    Damage,
    Silence,
}

#[derive(Clone, Copy)]
struct Fault {
    kind: Kind,
    /// Whether it is in the messages of the tool, or else in those of the BEAM.
    is_input: bool,
    bytes: usize,
}

impl Fault {
    /// `cut in 100`; nothing for `pass`.
    fn parse(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.split(' ').collect();
        let [kind, direction, bytes] = words.as_slice() else {
            return None;
        };
        Some(Self {
            kind: match *kind {
                "cut" => Kind::Cut,
                "damage" => Kind::Damage,
                _ => Kind::Silence,
            },
            is_input: *direction == "in",
            bytes: bytes.parse().ok()?,
        })
    }
}

fn stand_between(mut erl: Command, fault: Fault) {
    let (beam_input, to_beam) = io::pipe().expect("a pipe");
    let (from_beam, beam_output) = io::pipe().expect("a pipe");
    erl.fd_mappings(vec![
        FdMapping {
            parent_fd: beam_input.into(),
            child_fd: 3,
        },
        FdMapping {
            parent_fd: beam_output.into(),
            child_fd: 4,
        },
    ])
    .expect("no descriptor twice");
    let mut child = erl.spawn().expect("erl is there");
    drop(erl);
    let input_fault = Some(fault).filter(|fault| fault.is_input);
    let input = thread::spawn(move || pass(io::stdin().lock(), to_beam, input_fault));
    let output_fault = Some(fault).filter(|fault| !fault.is_input);
    let is_cut = pass(from_beam, io::stdout().lock(), output_fault);
    if is_cut || input.is_finished() && input.join().is_ok_and(|is_cut| is_cut) {
        let _ = child.kill();
    }
    let _ = child.wait();
    // The other direction may still wait for something.
    exit(0);
}

/// Passes bytes on until there are no more. Returns whether the channel was cut.
fn pass(mut from: impl Read, mut to: impl Write, fault: Option<Fault>) -> bool {
    let mut passed = 0;
    let mut buffer = [0; 4096];
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        let mut part = buffer.get(..length).unwrap_or_default().to_vec();
        let at = fault.and_then(|fault| fault.bytes.checked_sub(passed));
        passed += length;
        if let (Some(fault), Some(at)) = (fault, at)
            && at < length
        {
            match fault.kind {
                Kind::Cut => part.truncate(at),
                // No term begins like this.
                Kind::Damage => part.iter_mut().skip(at).for_each(|byte| *byte = 0),
                Kind::Silence => loop {
                    thread::sleep(Duration::from_secs(1));
                },
            }
            let _ = to.write_all(&part).and_then(|()| to.flush());
            if fault.kind == Kind::Cut {
                return true;
            }
        } else if to.write_all(&part).and_then(|()| to.flush()).is_err() {
            return false;
        }
    }
    false
}
