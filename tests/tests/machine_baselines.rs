//! Random events and walks find the simple things in the machines of the samples, and the sequences
//! in their comments find all bugs.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use end_to_end::erlang::{package_path, temporary_folder};
use end_to_end::machine_baselines::{
    MachineModel, ReachedByPlays, SequenceSource, compile, reached,
};
use end_to_end::machine_comments::breaking_sequences;

/// Long enough for thousands of sequences on a busy computer.
const TIME: Duration = Duration::from_millis(700);

/// The machines, with the states that are always reached and all states. The rover drives straight on
/// only if two random numbers are equal, and two lines talk only if the right one answers.
const MACHINES: [(&str, usize, usize); 5] = [
    ("collision_avoidance", 4, 4),
    ("cruise_control", 4, 4),
    ("dyeing_machine", 3, 3),
    ("rover", 3, 5),
    ("telephone_exchange", 3, 4),
];

fn machine(name: &str, ending: &str) -> MachineModel {
    MachineModel {
        source: package_path(&format!("../samples/machines/{name}/{name}{ending}.erl")),
        model: package_path(&format!("erlang_samples/machine_models/{name}.model")),
    }
}

fn play(folder: &Path, machine: &MachineModel, sequences: &SequenceSource) -> ReachedByPlays {
    reached(folder, machine, sequences, 5, TIME)
}

#[test]
fn sequences_of_comments_find_all_bugs_and_what_they_reach_is_counted() {
    let folder = temporary_folder();
    compile(folder.path());
    for (name, _, _) in MACHINES {
        let machine = machine(name, "");
        let source = fs::read_to_string(&machine.source).expect("the sample can be read");
        let sequences = breaking_sequences(&source);
        let count = sequences.len();
        let given = sequences.into_iter().map(|it| it.events).collect();
        let all = play(folder.path(), &machine, &SequenceSource::Given(given));
        assert_eq!(all.bugs.len(), count, "{name}: {all:?}");
        assert_eq!(all.sequences, count as u64);
        let none = play(folder.path(), &machine, &SequenceSource::Given(Vec::new()));
        assert_eq!(none.sequences, 0, "{name}");
        let nothing = vec!["{impossible, []}".to_owned()];
        let nothing = play(folder.path(), &machine, &SequenceSource::Given(nothing));
        assert!(all.branches.len() > nothing.branches.len(), "{name}");
        assert_eq!(nothing.transitions, [""; 0], "{name}");
        assert!(!all.transitions.is_empty(), "{name}");
    }
}

#[test]
fn baselines_reach_the_states_and_find_no_bug_in_correct_machines() {
    let folder = temporary_folder();
    compile(folder.path());
    for (name, least, most) in MACHINES {
        let machine = machine(name, "_fixed");
        let random = SequenceSource::RandomEvents { seed: 1 };
        let walks = SequenceSource::Walks { seed: 1 };
        let both = [random, walks].map(|it| play(folder.path(), &machine, &it));
        for reached in &both {
            assert_eq!(reached.bugs, [""; 0], "{name}: {reached:?}");
            assert!(reached.sequences > 100, "{name}: {reached:?}");
            assert!(reached.branches.len() as u64 <= reached.all_branches);
        }
        let reached: BTreeSet<&String> = both.iter().flat_map(|it| &it.states).collect();
        let range = least..=most;
        assert!(range.contains(&reached.len()), "{name}: {reached:?}");
    }
}
