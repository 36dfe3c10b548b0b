//! The machines that are measured: the samples, and random ones.

use std::fs;
use std::path::Path;

use end_to_end::erlang::package_path;
use end_to_end::machine_baselines::MachineModel;
use end_to_end::machine_comments::{BrokenMachine, breaking_sequences};
use end_to_end::random_machines::{MachineSize, machine};
use end_to_end::random_programs::Random;

/// The events of a sequence of the samples.
const LENGTH_OF_SAMPLES: usize = 4;
const SAMPLES: [&str; 5] = [
    "collision_avoidance",
    "cruise_control",
    "dyeing_machine",
    "rover",
    "telephone_exchange",
];
/// Seeds, branches and events of random machines.
const RANDOM: [(u64, usize, usize); 8] = [
    (1, 40, 3),
    (2, 60, 4),
    (3, 100, 4),
    (4, 100, 5),
    (5, 250, 4),
    (6, 250, 5),
    (7, 600, 4),
    (8, 600, 4),
];
/// How many of each there are in a quick run.
const QUICK: usize = 1;

/// A machine with planted bugs.
pub(crate) struct Subject {
    pub(crate) name: String,
    pub(crate) model: MachineModel,
    /// Of sequences of events.
    pub(crate) length: usize,
    /// What `explore` has to know about it.
    pub(crate) words: Vec<String>,
    /// For each planted bug a sequence that ends by it, as Erlang source: `{Argument, [Event]}`.
    pub(crate) breaking: Vec<String>,
    /// How many branches sequences of this length can reach, if that is known.
    pub(crate) feasible: Option<usize>,
}

/// Five models of a paper.
pub(crate) fn samples(is_quick: bool) -> Vec<Subject> {
    let count = if is_quick { QUICK } else { SAMPLES.len() };
    SAMPLES.into_iter().take(count).map(sample).collect()
}

/// Generated machines of several sizes, written to a folder.
pub(crate) fn random(folder: &Path, is_quick: bool) -> Vec<Subject> {
    let count = if is_quick { QUICK } else { RANDOM.len() };
    let machines = RANDOM.into_iter().take(count);
    let machines = machines.map(|(seed, branches, events)| {
        let size = MachineSize { branches, events };
        random_subject(folder, seed, size)
    });
    machines.collect()
}

fn sample(name: &str) -> Subject {
    let model = MachineModel {
        source: package_path(&format!("../samples/machines/{name}/{name}.erl")),
        model: package_path(&format!("erlang_samples/machine_models/{name}.model")),
    };
    let source = fs::read_to_string(&model.source).expect("the sample can be read");
    let bugs = breaking_sequences(&source);
    let mut words = words_for(&model.source, name);
    for bug in &bugs {
        if let BrokenMachine::Invariant { function } = &bug.end {
            words.extend(["--invariant".to_owned(), format!("{name}:{function}/1")]);
        }
    }
    // It is a server, and the only one.
    if name == "dyeing_machine" {
        words.extend(["--state-of", "dyeing_machine:phase/1"].map(str::to_owned));
    }
    Subject {
        name: name.to_owned(),
        model,
        length: LENGTH_OF_SAMPLES,
        words,
        breaking: bugs.into_iter().map(|it| it.events).collect(),
        feasible: None,
    }
}

fn random_subject(folder: &Path, seed: u64, size: MachineSize) -> Subject {
    let module = format!("machine_{seed}");
    let machine = machine(&module, size, &mut Random::new(seed));
    let path = |ending: &str| folder.join(&module).with_extension(ending);
    let model = MachineModel {
        source: path("erl"),
        model: path("model"),
    };
    fs::write(&model.source, &machine.source).expect("the folder can be written");
    fs::write(&model.model, &machine.model).expect("the folder can be written");
    Subject {
        name: format!("random {seed}, {} events", size.events),
        words: words_for(&model.source, &module),
        model,
        length: size.events,
        breaking: machine.bugs.into_iter().map(|it| it.events).collect(),
        feasible: Some(machine.branches.len()),
    }
}

fn words_for(source: &Path, module: &str) -> Vec<String> {
    let source = source.display().to_string();
    vec![source, "--machine".to_owned(), module.to_owned()]
}
