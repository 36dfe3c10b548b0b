//! Random machines are what their generator says: their sequences reach all branches, and end by
//! all bugs.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use end_to_end::erlang::temporary_folder;
use end_to_end::machine_baselines::{self, MachineModel, ReachedByPlays, SequenceSource, reached};
use end_to_end::machine_plays::{self, MachinePlay};
use end_to_end::random_machines::{MachineSize, RandomMachine, machine};
use end_to_end::random_programs::Random;

/// Seeds, branches and events of machines.
const MACHINES: [(u64, usize, usize); 6] = [
    (1, 40, 3),
    (2, 60, 4),
    (3, 100, 5),
    (6, 250, 5),
    (7, 600, 4),
    (8, 600, 4),
];

/// More than any of these plays takes.
const TIME: Duration = Duration::from_secs(30);

fn name(seed: u64) -> String {
    format!("machine_{seed}")
}

fn random_machine(seed: u64, size: MachineSize) -> RandomMachine {
    machine(&name(seed), size, &mut Random::new(seed))
}

/// Writes a machine and its model to a folder.
fn write(folder: &Path, seed: u64, machine: &RandomMachine) -> MachineModel {
    let path = |ending: &str| -> PathBuf { folder.join(name(seed)).with_extension(ending) };
    let model = MachineModel {
        source: path("erl"),
        model: path("model"),
    };
    fs::write(&model.source, &machine.source).expect("the folder can be written");
    fs::write(&model.model, &machine.model).expect("the folder can be written");
    model
}

fn given(
    folder: &Path,
    model: &MachineModel,
    sequences: &[String],
    events: usize,
) -> ReachedByPlays {
    let sequences = SequenceSource::Given(sequences.to_vec());
    reached(folder, model, &sequences, events, TIME)
}

#[test]
fn sequences_reach_all_branches_and_bugs() {
    let folder = temporary_folder();
    machine_baselines::compile(folder.path());
    for (seed, branches, events) in MACHINES {
        let size = MachineSize { branches, events };
        let machine = random_machine(seed, size);
        let model = write(folder.path(), seed, &machine);
        let all = given(folder.path(), &model, &machine.branches, size.events);
        let expected: Vec<u64> = (1..=all.all_branches).collect();
        assert_eq!(all.branches, expected, "{seed}: {}", machine.source);
        assert_eq!(all.all_branches, machine.branches.len() as u64, "{seed}");
        assert_eq!(all.bugs.len(), machine.bugs.len(), "{seed}: {:?}", all.bugs);
    }
}

/// How many events a sequence has.
fn count(sequence: &str) -> usize {
    let words = ["{cast,", "{call,", "{info,", "timeout"];
    words.iter().map(|it| sequence.matches(it).count()).sum()
}

#[test]
fn machines_of_all_seeds_have_the_wanted_size() {
    for seed in 0..300 {
        let (branches, events) = match seed % 3 {
            0 => (30, 3),
            1 => (200, 6),
            _ => (600, 4),
        };
        let size = MachineSize { branches, events };
        let machine = random_machine(seed, size);
        let range = branches..branches + 40;
        let found = machine.branches.len();
        assert!(range.contains(&found), "{seed}: {found}");
        let longest = machine.branches.iter().map(|it| count(it)).max();
        assert!(
            longest.is_some_and(|it| it <= events),
            "{seed}: {longest:?}"
        );
        let shortest = machine.bugs.iter().map(|it| count(&it.events)).min();
        assert!(shortest.is_some_and(|it| it >= 3), "{seed}: {shortest:?}");
    }
}

#[test]
fn real_processes_end_by_the_bugs() {
    let folder = temporary_folder();
    let machines: Vec<_> = MACHINES.into_iter().take(3).collect();
    let mut sources = Vec::new();
    let mut plays = Vec::new();
    let mut bugs = Vec::new();
    for (seed, branches, events) in machines {
        let machine = random_machine(seed, MachineSize { branches, events });
        sources.push(write(folder.path(), seed, &machine).source);
        for bug in machine.bugs {
            plays.push(MachinePlay {
                module: name(seed),
                events: bug.events.clone(),
                invariant: None,
            });
            bugs.push(bug);
        }
    }
    machine_plays::compile(folder.path(), &sources);
    let ends = machine_plays::play(folder.path(), &plays);
    assert_eq!(ends.len(), bugs.len());
    for (bug, [shorter, whole]) in bugs.iter().zip(ends) {
        assert!(shorter.is_running(), "{bug:?}: {shorter:?}");
        let start = format!("{{{},{},", bug.class, bug.reason);
        assert!(whole.played.starts_with(&start), "{bug:?}: {whole:?}");
        assert!(whole.real.starts_with(&start), "{bug:?}: {whole:?}");
    }
}

#[test]
fn random_events_leave_much_of_a_machine_out() {
    let folder = temporary_folder();
    machine_baselines::compile(folder.path());
    let (seed, size) = (
        7,
        MachineSize {
            branches: 600,
            events: 4,
        },
    );
    let machine = random_machine(seed, size);
    let model = write(folder.path(), seed, &machine);
    let time = Duration::from_secs(2);
    for sequences in [
        SequenceSource::RandomEvents { seed: 1 },
        SequenceSource::Walks { seed: 1 },
    ] {
        let reached = reached(folder.path(), &model, &sequences, size.events, time);
        assert!(reached.sequences > 100, "{reached:?}");
        let count = reached.branches.len();
        assert!(count * 2 < machine.branches.len(), "{sequences:?}: {count}");
    }
}
