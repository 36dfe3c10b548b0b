//! What random events, and walks along known transitions, reach of a machine in a given time.
//! `erlang_tools/machine_baselines.erl` makes and plays the sequences, and counts; its comment
//! describes models. It counts sequences of another tool in the same way.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use crate::erlang::{erlang_files, erlc, package_path, run_main};
use crate::instrumented_otp::RUNTIME;

/// A machine and what is known about it.
#[derive(Clone, Debug)]
pub struct MachineModel {
    /// The source of the machine.
    pub source: PathBuf,
    /// The file with its model.
    pub model: PathBuf,
}

/// Where sequences come from.
#[derive(Clone, Debug)]
pub enum SequenceSource {
    /// Any events in any state, with random data.
    RandomEvents {
        /// For the random numbers.
        seed: u64,
    },
    /// Transitions in a row, with random data.
    Walks {
        /// For the random numbers.
        seed: u64,
    },
    /// Given ones, as Erlang source: `{Argument, [Event]}`.
    Given(Vec<String>),
}

/// What sequences reach.
#[derive(Clone, Debug, Deserialize)]
pub struct ReachedByPlays {
    /// How many sequences were played.
    pub sequences: u64,
    /// States, without numbers in them.
    pub states: Vec<String>,
    /// From which state to which one, and by what kind of event.
    pub transitions: Vec<String>,
    /// The numbers of the reached clauses of functions, `case`, `if` and so on in the source.
    pub branches: Vec<u64>,
    /// How many clauses there are, whether they can be reached or not.
    pub all_branches: u64,
    /// Bugs that differ by class, first word of the reason, or line.
    pub bugs: Vec<String>,
}

/// Compiles what plays sequences, into a folder.
///
/// # Panics
/// When it does not compile.
pub fn compile(folder: &Path) {
    let tools = ["machine_baselines", "clause_counts"];
    let tools = tools.map(|it| package_path(&format!("erlang_tools/{it}.erl")));
    let mut files = erlang_files(&package_path(RUNTIME).join("machine"));
    files.extend(tools);
    erlc(folder, ["+debug_info"], &files);
}

/// Plays sequences of at most so many events for a time. Given ones are played to the end, in less
/// than that time.
///
/// # Panics
/// When the machine cannot be played.
pub fn reached(
    folder: &Path,
    machine: &MachineModel,
    sequences: &SequenceSource,
    length: usize,
    time: Duration,
) -> ReachedByPlays {
    let text = |path: &Path| path.display().to_string();
    let (technique, last) = match sequences {
        SequenceSource::RandomEvents { seed } => ("random", seed.to_string()),
        SequenceSource::Walks { seed } => ("walks", seed.to_string()),
        SequenceSource::Given(sequences) => {
            let file = folder.join("given");
            let lines: String = sequences.iter().map(|it| format!("{it}.\n")).collect();
            fs::write(&file, lines).expect("the folder can be written");
            ("given", text(&file))
        }
    };
    let arguments = [
        text(&machine.source),
        text(&machine.model),
        technique.to_owned(),
        length.to_string(),
        time.as_millis().to_string(),
        last,
    ];
    let finished = run_main(folder, "machine_baselines", &arguments);
    assert_eq!(finished.status, 0, "{}", finished.text);
    let reached = serde_json::from_str(&finished.text);
    reached.unwrap_or_else(|error| panic!("{error}: {}", finished.text))
}
