//! The whole tool, as a user starts it, on a fixed list of functions: how fast it is, where the
//! time goes, what each optimisation is worth, how strategies and random testing compare. Joins
//! the reports of all measurements to `docs/benchmarks.md` and `target/bench/bench.json`.
//!
//! Arguments: the tool, the folder for Markdown and plots, and `--quick` for a little of
//! everything, `--machines` for those of machines alone, or `--scale` for the one measurement that
//! takes long.

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
use std::path::{Path, PathBuf};

use end_to_end::benchmarks::{Joined, Report};

use crate::explored::Tool;

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// Everything.
    Full,
    /// A little of everything, to see that it works.
    Quick,
    /// Only machines.
    Machines,
    /// One very long search.
    Scale,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args_os().skip(1);
    let (Some(tool), Some(docs)) = (arguments.next(), arguments.next()) else {
        return Err("name the tool, and the folder for Markdown and plots".into());
    };
    let extent = match arguments.next() {
        None => Extent::Full,
        Some(word) if word == "--quick" => Extent::Quick,
        Some(word) if word == "--machines" => Extent::Machines,
        Some(word) if word == "--scale" => Extent::Scale,
        Some(word) => return Err(format!("unknown option: {}", word.display()).into()),
    };
    let mut tool = Tool::new(&PathBuf::from(tool))?;
    measure(&mut tool, Path::new(&docs), extent)
}

fn measure(tool: &mut Tool, docs: &Path, extent: Extent) -> Result<(), Box<dyn Error>> {
    let mut report = Report::new("The whole tool");
    if extent == Extent::Scale {
        long_runs::million_paths(tool, &mut report);
        report.publish("scale")?;
        return Ok(());
    }
    if extent == Extent::Machines {
        machines::measure(tool, docs, false, &mut report)?;
        report.publish("machines")?;
        return Ok(());
    }
    let is_quick = extent == Extent::Quick;
    let functions = functions::chosen(is_quick);
    let explored = speed::measure(tool, &functions, is_quick, &mut report);
    random_testing::measure(&functions, &explored, &mut report);
    strategies::measure(tool, docs, is_quick, &mut report)?;
    pruning::measure(tool, docs, is_quick, &mut report)?;
    pruning_costs::measure(tool, &functions, is_quick, &mut report);
    optimisations::measure(tool, is_quick, &mut report);
    large_module::measure(tool, is_quick, &mut report)?;
    many_clauses::measure(tool, is_quick, &mut report)?;
    machines::measure(tool, docs, is_quick, &mut report)?;
    long_runs::million_events(tool, is_quick, &mut report);
    if is_quick {
        report.publish("quick")?;
        let joined = Joined::new(vec![report]);
        joined.write(&docs.join("benchmarks.md"), &docs.join("bench.json"))?;
    } else {
        report.publish("suite")?;
        let json = end_to_end::benchmarks::bench_folder()?.join("bench.json");
        Joined::published()?.write(&docs.join("benchmarks.md"), &json)?;
    }
    Ok(())
}
