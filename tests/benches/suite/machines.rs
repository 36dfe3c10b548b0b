//! Machines: what our search reaches, and what random events and walks along transitions reach in
//! the same time.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Duration;

use end_to_end::benchmarks::{Column, Curve, Plot, Report, Row, Table, column, counted};
use end_to_end::erlang::temporary_folder;
use end_to_end::machine_baselines::{ReachedByPlays, SequenceSource, compile, reached};
use serde_json::Value;

use crate::explored::{Explored, Tool};
use crate::machine_speed;
use crate::machine_subjects::{Subject, random, samples};

/// The end of each search, in starts of `erl`: a busy computer makes both slower.
const STARTS: f64 = 100.0;
const QUICK_STARTS: f64 = 20.0;
/// More than playing the sequences of a search takes.
const PATIENCE: Duration = Duration::from_secs(60);
/// Of the random numbers of the baselines.
const SEED: u64 = 1;
/// The share of the branches that can be reached.
const SHARE_TARGET: f64 = 0.98;
/// Our branches against those of the better baseline.
const BASELINE_TARGET: f64 = 2.0;
/// Who reaches something.
const TECHNIQUES: [&str; 3] = ["search", "random events", "walks"];

/// Measures samples and random machines, and how many sequences are explored in a time.
pub(crate) fn measure(
    tool: &mut Tool,
    docs: &Path,
    is_quick: bool,
    report: &mut Report,
) -> Result<(), Box<dyn Error>> {
    let folder = temporary_folder();
    compile(folder.path());
    let starts = if is_quick { QUICK_STARTS } else { STARTS };
    let mut compare = |subjects: Vec<Subject>| -> Vec<Compared> {
        let subjects = subjects.into_iter();
        let compared = subjects.map(|it| Compared::new(tool, folder.path(), it, starts));
        compared.collect()
    };
    let samples = compare(samples(is_quick));
    let random = compare(random(folder.path(), is_quick));
    let all: Vec<&Compared> = samples.iter().chain(&random).collect();
    report.table(table_of_branches(&all, starts));
    report.table(table_of_others(&all));
    targets(&all, &random, report);
    let svg = Plot::svg(&[plot(&random)], "branches", "branches reached");
    fs::write(docs.join("machines.svg"), svg)?;
    machine_speed::measure(tool, is_quick, report);
    Ok(())
}

/// What was reached of a machine in the same time.
struct Compared {
    subject: Subject,
    search: Explored,
    /// By our search, by random events, and by walks.
    reached: [ReachedByPlays; 3],
    /// Planted bugs that each of them found.
    bugs: [usize; 3],
}

impl Compared {
    fn new(tool: &mut Tool, folder: &Path, subject: Subject, starts: f64) -> Self {
        let seconds = tool.unit.seconds_of(starts).ceil().to_string();
        let length = subject.length.to_string();
        let words = subject.words.iter().map(String::as_str);
        let limits = ["--length", &length, "--timeout", &seconds];
        let words: Vec<&str> = words.chain(limits).collect();
        let search = tool.explore(&words);
        let play = |source: SequenceSource, time: Duration| {
            reached(folder, &subject.model, &source, subject.length, time)
        };
        let given = |sequences: Vec<String>| play(SequenceSource::Given(sequences), PATIENCE);
        let planted: BTreeSet<String> = given(subject.breaking.clone()).bugs.into_iter().collect();
        assert_eq!(planted.len(), subject.breaking.len(), "{}", subject.name);
        let found = |bugs: &[String]| bugs.iter().filter(|it| planted.contains(*it)).count();
        let ours = given(sequences(search.list("tests")));
        let reported = given(sequences(search.list("findings")));
        let random = play(SequenceSource::RandomEvents { seed: SEED }, search.wall);
        let walks = play(SequenceSource::Walks { seed: SEED }, search.wall);
        let bugs = [&reported, &random, &walks].map(|it| found(&it.bugs));
        Self {
            subject,
            search,
            reached: [ours, random, walks],
            bugs,
        }
    }

    fn branches(&self) -> [f64; 3] {
        let branches = self.reached.each_ref();
        branches.map(|it| it.branches.len() as f64)
    }

    /// The branches of the machine: those that can be reached, if that is known.
    fn all_branches(&self) -> f64 {
        let [ours, ..] = &self.reached;
        let feasible = self.subject.feasible.map(|it| it as f64);
        feasible.unwrap_or(ours.all_branches as f64)
    }

    /// Our branches by those of the better baseline.
    fn against_baselines(&self) -> f64 {
        let [ours, random, walks] = self.branches();
        ours / random.max(walks)
    }

    fn share(&self) -> f64 {
        let [ours, ..] = self.branches();
        ours / self.all_branches()
    }
}

/// The inputs of tests or findings of a report, as Erlang source.
fn sequences(list: &[Value]) -> Vec<String> {
    let inputs = list.iter().filter_map(|it| it.get("args")?.as_array());
    let inputs = inputs.filter_map(|input| {
        let texts = input.iter().filter_map(Value::as_str);
        let (argument, events) = texts
            .collect::<Vec<_>>()
            .split_first()
            .map(|(first, rest)| {
                let events = rest.iter().take_while(|it| **it != "none");
                let events: Vec<&str> = events.copied().collect();
                ((*first).to_owned(), events.join(", "))
            })?;
        Some(format!("{{{argument}, [{events}]}}"))
    });
    inputs.collect()
}

/// A column for each technique.
fn of_each(what: &str) -> Vec<Column> {
    let columns = TECHNIQUES.iter().enumerate();
    let columns = columns.map(|(number, name)| {
        let column = counted(&format!("{what}, {name}"));
        if number == 0 { column.more() } else { column }
    });
    columns.collect()
}

fn table_of_branches(compared: &[&Compared], starts: f64) -> Table {
    let rows = compared.iter().map(|it| {
        let figures = [it.search.starts, it.all_branches()];
        let figures = figures.into_iter().chain(it.branches());
        let figures = figures.chain([it.share(), it.against_baselines()]);
        let planted = it.subject.breaking.len();
        let figures = figures.chain([planted as f64]);
        let figures = figures.chain(it.bugs.map(|it| it as f64));
        Row::new(it.subject.name.clone(), figures)
    });
    let mut columns = vec![column("time"), counted("branches")];
    columns.extend(of_each("branches"));
    columns.extend([column("share").more(), column("against better").more()]);
    columns.push(counted("bugs"));
    columns.extend(of_each("bugs"));
    Table {
        title: "Machines".to_owned(),
        note: format!(
            "Sequences of events for the machines in `samples/machines` and for random machines. \
             The search ends after {starts} starts of erl, or when it is complete. *Random events* are \
             any events with random data; *walks* go along known transitions, with random data. \
             Both play sequences for as long as our whole command took, and know which events \
             there are and in which range data are, which the search does not. Branches are \
             clauses of functions and of `case` in the source. All sequences are counted in the \
             same way. All branches of random machines can be reached; those of samples are all \
             that there are. *Share* is that of the search, *against better* compares it with the \
             better of the two others. Bugs are those that were planted.\n\n\
             ![Branches reached of random machines of several sizes](machines.svg)"
        ),
        rows_are: "machine".to_owned(),
        columns,
        rows: rows.collect(),
    }
}

fn table_of_others(compared: &[&Compared]) -> Table {
    let rows = compared.iter().map(|it| {
        let reached = || it.reached.iter();
        let sequences = reached().map(|it| it.sequences as f64);
        let states = reached().map(|it| it.states.len() as f64);
        let transitions = reached().map(|it| it.transitions.len() as f64);
        let figures = sequences.chain(states).chain(transitions);
        Row::new(it.subject.name.clone(), figures)
    });
    let columns = ["sequences", "states", "transitions"].map(of_each);
    Table {
        title: "States and transitions of machines".to_owned(),
        note: "The same searches. A state is without numbers in it; a transition is a state, the kind \
               and first word of an event, and the next state."
            .to_owned(),
        rows_are: "machine".to_owned(),
        columns: columns.concat(),
        rows: rows.collect(),
    }
}

fn targets(all: &[&Compared], random: &[Compared], report: &mut Report) {
    let planted: usize = all.iter().map(|it| it.subject.breaking.len()).sum();
    let found: usize = all.iter().map(|it| it.bugs[0]).sum();
    let share = found as f64 / planted as f64;
    report.target(
        format!("planted bugs of machines that are found, of {planted} (wanted: all)"),
        found as f64,
        share >= 1.0,
    );
    let least = |figure: &dyn Fn(&Compared) -> f64| {
        let figures = random.iter().map(figure);
        figures.fold(f64::INFINITY, f64::min)
    };
    let share = least(&Compared::share);
    report.target(
        format!(
            "share of the branches of random machines, worst (wanted: at least {SHARE_TARGET})"
        ),
        share,
        share >= SHARE_TARGET,
    );
    let against = least(&Compared::against_baselines);
    report.target(
        format!(
            "branches of random machines against the better of random events and walks, worst \
             (wanted: at least {BASELINE_TARGET})"
        ),
        against,
        against >= BASELINE_TARGET,
    );
}

/// Branches that are reached over branches that there are.
fn plot(random: &[Compared]) -> Plot {
    let most = random.iter().map(Compared::all_branches);
    let most = most.fold(0.0, f64::max);
    let curves = TECHNIQUES.iter().enumerate().map(|(number, name)| {
        let steps = random.iter().filter_map(|it| {
            let reached = it.branches().get(number).copied()?;
            Some((it.all_branches(), reached))
        });
        let mut steps: Vec<(f64, f64)> = steps.collect();
        steps.sort_by(|one, other| one.0.total_cmp(&other.0));
        Curve {
            name: (*name).to_owned(),
            steps,
            end: most,
        }
    });
    Plot {
        title: "random machines".to_owned(),
        width: most,
        height: most,
        curves: curves.collect(),
    }
}
