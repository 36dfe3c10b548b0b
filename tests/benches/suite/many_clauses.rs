//! Modules of thousands of clauses: how long instrumenting takes, and how much memory, compared
//! with `erlc`.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use end_to_end::benchmarks::{Report, Row, Table, column};
use end_to_end::erlang::{erlc, temporary_folder};
use end_to_end::faults::processes::marked;
use end_to_end::large_modules::{LARGE_MODULES, LargeModule};

use crate::explored::Tool;

const CLAUSES: usize = 2_000;
const QUICK_CLAUSES: usize = 20;
/// Of the module whose memory is measured.
const MANY_CLAUSES: usize = 6_800;
/// How often memory is measured.
const INTERVAL: Duration = Duration::from_millis(20);

/// What instrumenting a module takes.
struct Cost {
    /// Times the time of `erlc`.
    against_erlc: f64,
    gigabytes: f64,
}

pub(crate) fn measure(tool: &mut Tool, is_quick: bool, report: &mut Report) -> io::Result<()> {
    let clauses = if is_quick { QUICK_CLAUSES } else { CLAUSES };
    let mut rows = Vec::new();
    let mut worst: f64 = 0.0;
    for module in &LARGE_MODULES {
        let cost = cost(tool, module, clauses)?;
        worst = worst.max(cost.against_erlc);
        rows.push(Row::new(module.name, [cost.against_erlc, cost.gigabytes]));
    }
    report.table(Table {
        title: "Modules of many clauses".to_owned(),
        note: format!(
            "`instrument` of generated modules of {clauses} clauses: tables, decoders, parsers, \
             literals. The time is against `erlc`; the memory is the peak of the tool and of its \
             BEAM together."
        ),
        rows_are: "module".to_owned(),
        columns: vec![column("against erlc").less(), column("GB").less()],
        rows,
    });
    report.target(
        "instrumenting modules of 2,000 clauses, against compiling them with erlc, worst \
         (wanted: at most 1.5)",
        worst,
        worst <= 1.5,
    );
    memory(tool, is_quick, report)
}

/// The module that takes most memory.
fn memory(tool: &mut Tool, is_quick: bool, report: &mut Report) -> io::Result<()> {
    let machine = LARGE_MODULES.iter().find(|it| it.name == "large_machine");
    let Some(machine) = machine else {
        return Ok(());
    };
    let clauses = if is_quick {
        QUICK_CLAUSES
    } else {
        MANY_CLAUSES
    };
    let Cost {
        against_erlc,
        gigabytes,
    } = cost(tool, machine, clauses)?;
    report.target(
        "instrumenting a module of 6,800 clauses, against compiling it with erlc \
         (wanted: at most 1.5)",
        against_erlc,
        against_erlc <= 1.5,
    );
    report.target(
        "GB for instrumenting a module of 6,800 clauses (wanted: at most 1)",
        gigabytes,
        gigabytes <= 1.0,
    );
    Ok(())
}

fn cost(tool: &mut Tool, module: &LargeModule, clauses: usize) -> io::Result<Cost> {
    let folder = temporary_folder();
    let source = folder.path().join(format!("{}.erl", module.name));
    fs::write(&source, module.text(clauses))?;
    let mut most = 0;
    let path = tool.path().to_owned();
    let build = folder.path().join("build");
    let (ours, ()) = tool
        .unit
        .timed(|| most = instrument(&path, &source, &build));
    let (theirs, ()) = tool.unit.timed(|| erlc(folder.path(), [], &[&source]));
    Ok(Cost {
        against_erlc: ours / theirs,
        gigabytes: most as f64 / 1e9,
    })
}

/// Instruments a module without the cache, and returns the peak memory of all processes.
fn instrument(tool: &Path, source: &Path, build: &Path) -> u64 {
    let marker = format!("ERLCONCOLIC_BENCH={}", build.display());
    let (name, value) = marker.split_once('=').expect("it is an assignment");
    let mut command = Command::new(tool);
    command.arg("instrument").arg(source).arg("-o").arg(build);
    command.env("ERLCONCOLIC_CACHE", "").env(name, value);
    command.stderr(Stdio::null());
    let mut child = command.spawn().expect("the tool can be started");
    let mut most = 0;
    loop {
        if let Some(status) = child.try_wait().expect("it is our child") {
            assert!(status.success(), "{}: {status}", source.display());
            return most;
        }
        let resident = marked(&marker).iter().map(|it| it.resident()).sum();
        most = most.max(resident);
        thread::sleep(INTERVAL);
    }
}
