//! The whole tool, as a user starts it, on a fixed list of functions: how fast it is, where the
//! time goes, what each optimisation is worth, how strategies and random testing compare. Joins
//! the reports of all measurements to `docs/benchmarks.md` and `target/bench/bench.json`.
//!
//! Arguments: the tool, the folder for Markdown and plots, and `--quick` for a little of
//! everything, the name of a part (`suite`, `pruning`, `costs`, `machines`, `cluster`) for that alone, `page`
//! to join what was measured, or `--scale` for the one measurement that takes long.

mod cluster;
mod explored;
mod functions;
mod large_module;
mod long_runs;
mod machine_speed;
mod machine_subjects;
mod machines;
mod many_clauses;
mod optimisations;
mod pruning;
mod pruning_costs;
mod random_testing;
mod speed;
mod strategies;

use std::env;
use std::error::Error;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use end_to_end::benchmarks::{Joined, Report};

use crate::explored::Tool;
use crate::functions::Function;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// Everything.
    Full,
    /// A little of everything, to see that it works.
    Quick,
    /// One part.
    Only(Part),
    /// One very long search.
    Scale,
}

/// What has a report of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// The tool as users start it.
    Suite,
    /// Searches by states.
    Pruning,
    /// What comparing states costs; not on the page by itself.
    Costs,
    /// Machines.
    Machines,
    /// Searches on nodes.
    Cluster,
    /// Only the page, of what other programs measured.
    Page,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args_os().skip(1);
    let (Some(tool), Some(docs)) = (arguments.next(), arguments.next()) else {
        return Err("name the tool, and the folder for Markdown and plots".into());
    };
    let extent = match arguments.next().as_deref().and_then(OsStr::to_str) {
        None => Extent::Full,
        Some("--quick") => Extent::Quick,
        Some("--scale") => Extent::Scale,
        Some("suite") => Extent::Only(Part::Suite),
        Some("pruning") => Extent::Only(Part::Pruning),
        Some("costs") => Extent::Only(Part::Costs),
        Some("machines") => Extent::Only(Part::Machines),
        Some("cluster") => Extent::Only(Part::Cluster),
        Some("page") => Extent::Only(Part::Page),
        Some(word) => return Err(format!("unknown option: {word}").into()),
    };
    let mut tool = Tool::new(&PathBuf::from(tool))?;
    measure(&mut tool, Path::new(&docs), extent)
}

fn measure(tool: &mut Tool, docs: &Path, extent: Extent) -> Result<(), Box<dyn Error>> {
    let is_quick = extent == Extent::Quick;
    let functions = functions::chosen(is_quick);
    match extent {
        Extent::Scale => {
            let mut report = Report::new("A large search");
            long_runs::million_paths(tool, &mut report);
            report.publish("scale")?;
            return Ok(());
        }
        Extent::Only(Part::Costs) => {
            let mut report = Report::new("Costs");
            pruning_costs::measure(tool, &functions, is_quick, &mut report);
            report.publish("costs")?;
            return Ok(());
        }
        Extent::Full | Extent::Quick | Extent::Only(_) => {}
    }
    let has = |part| !matches!(extent, Extent::Only(only) if only != part);
    let mut reports = Vec::new();
    if has(Part::Suite) {
        reports.push(("suite", whole_tool(tool, docs, &functions, is_quick)?));
    }
    if has(Part::Pruning) {
        let mut report = Report::new("States");
        pruning::measure(tool, docs, is_quick, &mut report)?;
        pruning_costs::measure(tool, &functions, is_quick, &mut report);
        reports.push(("pruning", report));
    }
    if has(Part::Machines) {
        let mut report = Report::new("Machines");
        machines::measure(tool, docs, is_quick, &mut report)?;
        reports.push(("machines", report));
    }
    if has(Part::Cluster) {
        let mut report = Report::new("Many machines");
        cluster::measure(tool, is_quick, &mut report);
        reports.push(("cluster", report));
    }
    if is_quick {
        let joined = Joined::new(reports.into_iter().map(|it| it.1).collect());
        joined.write(&docs.join("benchmarks.md"), &docs.join("bench.json"))?;
        return Ok(());
    }
    for (name, report) in reports {
        report.publish(name)?;
    }
    let json = end_to_end::benchmarks::bench_folder()?.join("bench.json");
    let joined = Joined::published(&docs.join("benchmarks.json"))?;
    joined.write(&docs.join("benchmarks.md"), &json)?;
    Ok(())
}

fn whole_tool(
    tool: &mut Tool,
    docs: &Path,
    functions: &[Function],
    is_quick: bool,
) -> Result<Report, Box<dyn Error>> {
    let mut report = Report::new("The whole tool");
    let explored = speed::measure(tool, functions, is_quick, &mut report);
    let everyday = functions::of_topic("functional", is_quick);
    let of_everyday = speed::searches(tool, &everyday);
    let sets = [
        random_testing::Set::new("", functions, &explored),
        random_testing::Set::new(", small programs by category", &everyday, &of_everyday),
    ];
    random_testing::measure(&sets, &mut report);
    strategies::measure(tool, docs, is_quick, &mut report)?;
    optimisations::measure(tool, is_quick, &mut report);
    large_module::measure(tool, is_quick, &mut report)?;
    many_clauses::measure(tool, is_quick, &mut report)?;
    long_runs::million_events(tool, is_quick, &mut report);
    Ok(report)
}
