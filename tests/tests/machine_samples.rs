//! The machines in `samples/machines` end as their comments say, by their callbacks alone and as
//! real processes, and their correct twins do not.

use std::fs;
use std::path::{Path, PathBuf};

use end_to_end::erlang::{erlang_files, package_path, temporary_folder};
use end_to_end::machine_comments::{BreakingSequence, BrokenMachine, breaking_sequences};
use end_to_end::machine_plays::{MachinePlay, PlayedAndReal, compile, play};

/// The source of each machine that has a bug, with its sequences.
fn machines() -> Vec<(PathBuf, Vec<BreakingSequence>)> {
    let machines = erlang_files(&package_path("../samples/machines")).into_iter();
    let machines = machines.filter(|path| !name(path).ends_with("_fixed"));
    let machines = machines.map(|path| {
        let source = fs::read_to_string(&path).expect("the sample can be read");
        (path, breaking_sequences(&source))
    });
    machines.collect()
}

fn name(source: &Path) -> String {
    let name = source.file_stem().expect("a file has a name");
    name.display().to_string()
}

/// What is played to see a bug, on the machine or on its twin.
fn to_play(module: &str, sequence: &BreakingSequence) -> MachinePlay {
    let invariant = match &sequence.end {
        BrokenMachine::Invariant { function } => Some(function.clone()),
        BrokenMachine::Raised { .. } => None,
    };
    MachinePlay {
        module: module.to_owned(),
        events: sequence.events.clone(),
        invariant,
    }
}

/// How `machine_play.erl` prints an end, by the callbacks and of a process. Where a process exits is
/// not known.
fn shown(module: &str, end: &BrokenMachine) -> PlayedAndReal {
    let (played, real) = match end {
        BrokenMachine::Invariant { function } => {
            let text = format!("{{invariant,{function}}}");
            (text.clone(), text)
        }
        BrokenMachine::Raised {
            class,
            reason,
            function,
        } => {
            let place = function.as_deref().map_or("unknown".to_owned(), |it| {
                let (name, arity) = it.split_once('/').expect("a name and an arity");
                format!("{{{module},{name},{arity}}}")
            });
            let text = |place: &str| format!("{{{class},{reason},{place}}}");
            let real = if class == "exit" { "unknown" } else { &place };
            (text(&place), text(real))
        }
    };
    PlayedAndReal { played, real }
}

fn check_broken(module: &str, sequence: &BreakingSequence, ends: &[PlayedAndReal; 2]) {
    let [shorter, whole] = ends;
    let events = &sequence.events;
    assert!(shorter.is_running(), "{module}, {events}: {shorter:?}");
    assert_eq!(*whole, shown(module, &sequence.end), "{module}, {events}");
}

#[test]
fn sequences_of_comments_break_the_machines_and_not_their_twins() {
    let machines = machines();
    assert_eq!(machines.len(), 5);
    let folder = temporary_folder();
    compile(
        folder.path(),
        &erlang_files(&package_path("../samples/machines")),
    );
    let sequences = machines.iter().flat_map(|(path, sequences)| {
        assert!(sequences.len() >= 2, "{}", path.display());
        sequences.iter().map(|sequence| (name(path), sequence))
    });
    let sequences: Vec<_> = sequences.collect();
    let twin = |module: &str| format!("{module}_fixed");
    let plays = sequences.iter().flat_map(|(module, sequence)| {
        [module.clone(), twin(module)].map(|it| to_play(&it, sequence))
    });
    let ends = play(folder.path(), &plays.collect::<Vec<_>>());
    let (pairs, _) = ends.as_chunks::<2>();
    assert_eq!(pairs.len(), sequences.len());
    for ((module, sequence), [broken, correct]) in sequences.iter().zip(pairs) {
        check_broken(module, sequence, broken);
        let is_correct = correct.iter().all(PlayedAndReal::is_running);
        assert!(is_correct, "{}: {correct:#?}", twin(module));
    }
}
