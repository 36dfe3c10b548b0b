//! OTP's own tools, measured inside one `erl` by `erlang_tools/otp_clock.erl`.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::Duration;

use end_to_end::erlang::{compile_folders, node};
use tempfile::TempDir;

use crate::clock::Time;

/// A running `erl`.
#[derive(Debug)]
pub(crate) struct OtpClock {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    _beams: TempDir,
}

impl OtpClock {
    pub(crate) fn start() -> Self {
        let beams = compile_folders(&["erlang_tools"]);
        let mut child = node()
            .current_dir(beams.path())
            .args(["-run", "otp_clock", "main"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("erl can be started");
        let input = child.stdin.take();
        let output = child.stdout.take().expect("stdout is a pipe");
        Self {
            child,
            input,
            output: BufReader::new(output),
            _beams: beams,
        }
    }

    /// `core_scan` and `core_parse` on all `.core` files of a folder.
    pub(crate) fn parse(&mut self, folder: &Path) -> Time {
        self.command(&format!("parse {}", folder.display()))
    }

    /// A full compilation.
    pub(crate) fn compile(&mut self, application: &str, source: &Path) -> Time {
        self.command(&format!("compile {application} {}", source.display()))
    }

    fn command(&mut self, line: &str) -> Time {
        let input = self.input.as_mut().expect("it is there until the end");
        writeln!(input, "{line}").expect("erl listens");
        let mut answer = String::new();
        self.output.read_line(&mut answer).expect("erl answers");
        let times: Vec<u64> = answer
            .split_whitespace()
            .filter_map(|word| word.parse().ok())
            .collect();
        let [wall, processor] = times.as_slice() else {
            panic!("{line}: {answer}");
        };
        Time {
            wall: Duration::from_micros(*wall),
            processor: Duration::from_micros(*processor),
        }
    }
}

impl Drop for OtpClock {
    fn drop(&mut self) {
        // It halts when its input ends.
        drop(self.input.take());
        let _ = self.child.wait();
    }
}
