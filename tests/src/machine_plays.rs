//! Plays sequences of events on machines, by their callbacks and on real processes.
//! `erlang_tools/machine_play.erl` does it.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use crate::erlang::{erlang_files, erlc, package_path, run_main};
use crate::instrumented_otp::RUNTIME;

/// A sequence of events for a machine.
#[derive(Clone, Debug)]
pub struct MachinePlay {
    /// The module.
    pub module: String,
    /// The argument of `init/1` and the events, as Erlang source: `{Argument, [Event]}`.
    pub events: String,
    /// A function of the module that is asked about each state.
    pub invariant: Option<String>,
}

/// How a play ends and how a process ends, as `machine_play.erl` prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedAndReal {
    /// With the callbacks alone.
    pub played: String,
    /// On a real process.
    pub real: String,
}

impl PlayedAndReal {
    /// Whether the machine waits for more events in both.
    pub fn is_running(&self) -> bool {
        [&self.played, &self.real].iter().all(|it| *it == "running")
    }
}

/// Compiles modules, and what is needed to play them.
///
/// # Panics
/// When one does not compile.
pub fn compile(folder: &Path, sources: &[PathBuf]) {
    let mut files = erlang_files(&package_path(RUNTIME).join("machine"));
    files.push(package_path("erlang_tools/machine_play.erl"));
    files.extend_from_slice(sources);
    erlc(folder, ["+debug_info", "-Werror"], &files);
}

/// Plays sequences on the compiled modules in a folder. The ends are those without the last event,
/// and those with it.
///
/// # Panics
/// When a sequence cannot be played.
pub fn play(folder: &Path, plays: &[MachinePlay]) -> Vec<[PlayedAndReal; 2]> {
    let mut text = String::new();
    for play in plays {
        let invariant = play.invariant.as_deref().unwrap_or("none");
        let events = play.events.trim().strip_prefix('{');
        let events = events.and_then(|it| it.strip_suffix('}'));
        let events = events.expect("a tuple of an argument and events");
        let _ = writeln!(text, "{{{}, {events}, {invariant}}}.", play.module);
    }
    let file = folder.join("sequences");
    fs::write(&file, text).expect("the folder can be written");
    let finished = run_main(folder, "machine_play", &[&file]);
    assert_eq!(finished.status, 0, "{}", finished.text);
    let lines: Vec<&str> = finished.text.lines().collect();
    assert_eq!(lines.len(), 4 * plays.len(), "{}", finished.text);
    let (endings, _) = lines.as_chunks::<2>();
    let endings: Vec<PlayedAndReal> = endings
        .iter()
        .map(|[played, real]| PlayedAndReal {
            played: (*played).to_owned(),
            real: (*real).to_owned(),
        })
        .collect();
    let (pairs, _) = endings.as_chunks::<2>();
    pairs.to_vec()
}
