//! Explores every exported function with a spec of some modules of OTP, and writes down how much
//! of them was reached: `survey TOOL TABLE [MODULE...]`.
//!
//! Fails if the tool does, if a run diverges, or if a finding is not confirmed.

#![expect(clippy::print_stderr, reason = "it is a program for a terminal")]

mod module;

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs};

use end_to_end::erlang::temporary_folder;
use end_to_end::otp;

use crate::module::Surveyed;

/// Modules, and how deep the arguments of their functions may be: deep enough for lists that are
/// long enough to be sorted in earnest, for dates with a time of day, for addresses.
const MODULES: [(&str, u32); 16] = [
    ("lists", 8),
    ("string", 8),
    ("proplists", 8),
    ("orddict", 8),
    ("queue", 8),
    ("gb_trees", 8),
    ("calendar", 26),
    ("uri_string", 12),
    ("filename", 8),
    ("maps", 8),
    ("binary", 8),
    ("base64", 8),
    ("unicode", 8),
    ("erl_scan", 8),
    ("io_lib", 8),
    ("zip", 8),
];

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let (Some(tool), Some(table)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: survey TOOL TABLE [MODULE...]");
        return ExitCode::from(2);
    };
    let tool = fs::canonicalize(&tool).unwrap_or_else(|error| panic!("{tool}: {error}"));
    let named: Vec<String> = arguments.collect();
    let is_wanted = |name: &str| named.is_empty() || named.iter().any(|it| it == name);
    let otp = otp::find(&["stdlib"]);
    let stdlib = otp.applications.first().expect("it was asked for");
    let folder = temporary_folder();
    let mut all = Vec::new();
    for (name, depth) in MODULES.into_iter().filter(|it| is_wanted(it.0)) {
        let folder = folder.path().join(name);
        let surveyed = Surveyed::new(&tool, &folder, stdlib, (name, depth));
        eprintln!("{}", row(name, &surveyed));
        all.push((name, surveyed));
    }
    let table = PathBuf::from(table);
    fs::write(&table, report(&all)).unwrap_or_else(|error| panic!("{}: {error}", table.display()));
    let problems: Vec<&String> = all.iter().flat_map(|it| &it.1.problems).collect();
    for problem in &problems {
        eprintln!("{problem}");
    }
    ExitCode::from(u8::from(!problems.is_empty()))
}

fn row(name: &str, of: &Surveyed) -> String {
    let percent = 100 * of.covered / of.callable.max(1);
    let clauses = format!("{} of {} ({percent} %)", of.covered, of.callable);
    format!(
        "| `{name}` | {} | {} | {clauses} | {} |",
        of.explored, of.without_input, of.findings
    )
}

/// What stands above the table.
const HEADER: &str = "\
# Survey of OTP modules

Written by `make survey`: every exported function with a spec is explored, with arguments of
depth at most 8, 200 runs and 10 seconds for each. No search failed, no run diverged, all
findings are confirmed.

- **functions**: how many were explored.
- **no input**: how many more have a spec that wants what cannot be made, mostly funs.
- **clauses**: how many were reached by any of the searches, of those in functions that the
  explored ones call. Among these are clauses for arguments that the specs do not admit (all
  that is missing in `queue`), and for other operating systems (`filename`).
- **findings**: crashes on arguments that the specs admit. Most are meant: `lists:nth/2` of a
  list that is too short.

| module | functions | no input | clauses | findings |
|--------|-----------|----------|---------|----------|
";

fn report(all: &[(&str, Surveyed)]) -> String {
    let mut text = HEADER.to_owned();
    for (name, of) in all {
        let _ = writeln!(text, "{}", row(name, of));
    }
    text.push_str("\n## Clauses that were not reached\n");
    for (name, of) in all {
        let _ = write!(text, "\n`{name}`:");
        for (function, clauses) in &of.missed {
            let _ = write!(text, "\n- `{function}`: {}", clauses.join(", "));
        }
        text.push('\n');
    }
    text
}
