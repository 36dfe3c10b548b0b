//! Explores every exported function with a spec of some modules of OTP, and clients of modules that are
//! made of processes, and writes tables of the results: `survey TOOL TABLE [MODULE...]`.
//!
//! Fails if the tool does, if a run diverges, or if a finding is not confirmed.

#![expect(clippy::print_stderr, reason = "it is a program for a terminal")]

mod clients;
mod module;
mod unreachable;

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs};

use end_to_end::erlang::temporary_folder;
use end_to_end::otp;

use crate::clients::{CLIENTS, ClientResult, Clients};
use crate::module::Surveyed;
use crate::unreachable::{Unreachable, of_module};

/// A module to be explored.
struct Survey {
    name: &'static str,
    /// How deep arguments may be: deep enough for lists that are worth sorting, for dates with a
    /// time of day, for addresses.
    depth: u32,
    /// For all its functions together.
    seconds: u32,
    /// Why clauses were not reached, if they are many.
    note: Option<&'static str>,
}

/// Most modules are like this.
const fn plain(name: &'static str) -> Survey {
    Survey {
        name,
        depth: 8,
        seconds: 40,
        note: None,
    }
}

const MODULES: [Survey; 16] = [
    Survey {
        seconds: 120,
        note: Some(
            "the missed clauses merge three sorted runs (`keymerge3_1/10` and similar), which \
             needs lists of eight tuples or more",
        ),
        ..plain("lists")
    },
    plain("string"),
    plain("proplists"),
    plain("orddict"),
    Survey {
        note: Some("all missed clauses are for arguments that the specs do not admit"),
        ..plain("queue")
    },
    plain("gb_trees"),
    Survey {
        depth: 26,
        seconds: 120,
        note: Some(
            "the operating system converts local time, so the result is opaque; the other missed \
             clauses need conditions on `div` and `rem` of days that stay unsolved",
        ),
        ..plain("calendar")
    },
    Survey {
        depth: 12,
        ..plain("uri_string")
    },
    plain("filename"),
    Survey {
        note: Some(
            "all missed clauses are for arguments that the specs do not admit, and for funs that \
             raise",
        ),
        ..plain("maps")
    },
    plain("binary"),
    plain("base64"),
    plain("unicode"),
    plain("erl_scan"),
    plain("io_lib"),
    Survey {
        note: Some("it works on files, and calls of `file` are refused"),
        ..plain("zip")
    },
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
    let otp = otp::find(&["stdlib", "kernel", "sasl"]);
    let mut applications = otp.applications.iter();
    let stdlib = applications.find(|it| it.name == "stdlib");
    let stdlib = stdlib.expect("it was asked for");
    let folder = temporary_folder();
    let mut all = Vec::new();
    for survey in MODULES.into_iter().filter(|it| is_wanted(it.name)) {
        let folder = folder.path().join(survey.name);
        let surveyed = Surveyed::new(&tool, &folder, stdlib, &survey);
        eprintln!("{}", row(survey.name, &surveyed));
        all.push((survey, surveyed));
    }
    let mut of_clients = Vec::new();
    let mut problems: Vec<String> = all.iter().flat_map(|it| it.1.problems.clone()).collect();
    for clients in CLIENTS.iter().filter(|it| is_wanted(it.name)) {
        let (results, wrong) = clients::explore(&tool, folder.path(), &otp, clients);
        results.iter().for_each(|it| eprintln!("{}", it.row()));
        problems.extend(wrong);
        of_clients.push((clients, results));
    }
    let table = PathBuf::from(table);
    let above = fs::read_to_string(&table).map_or_else(|_| TITLE.to_owned(), |it| written(&it));
    let text = format!("{above}{}{}", processes(&of_clients), report(&all));
    fs::write(&table, text).unwrap_or_else(|error| panic!("{}: {error}", table.display()));
    for problem in &problems {
        eprintln!("{problem}");
    }
    ExitCode::from(u8::from(!problems.is_empty()))
}

fn row(name: &str, of: &Surveyed) -> String {
    let percent = 100 * of.covered / of.callable.max(1);
    let clauses = format!("{} of {} ({percent} %)", of.covered, of.callable);
    format!(
        "| `{name}` | {} | {} | {clauses} | {} | {} |",
        of.explored, of.without_input, of.unreachable, of.findings
    )
}

/// Above this line people write; it and all below it is written anew.
const MARK: &str = "## Two processes that use a module\n";
const TITLE: &str = "# Survey of OTP modules\n\n";

/// What people wrote in the file.
fn written(text: &str) -> String {
    let (above, _) = text.split_once(MARK).unwrap_or((TITLE, ""));
    above.to_owned()
}

/// The text above the table of clients.
const ABOUT_CLIENTS: &str = "\
## Two processes that use a module

Written by `make survey`. In each function two processes use a module of OTP together
(`tests/survey/clients`); behaviours of OTP are followed as they are. No search failed, no run
diverged.

- **orders**: what was not searched over; `all` if every order of steps was run for every input.
- **findings**: what a client does not expect of the module.

| function | runs | orders | findings |
|----------|------|--------|----------|
";

fn processes(all: &[(&Clients, Vec<ClientResult>)]) -> String {
    let mut text = ABOUT_CLIENTS.to_owned();
    for result in all.iter().flat_map(|it| &it.1) {
        let _ = writeln!(text, "{}", result.row());
    }
    text.push('\n');
    for (clients, _) in all {
        if let Some(note) = clients.note {
            let _ = writeln!(text, "- `{}`: {note}.", clients.name);
        }
    }
    text.push('\n');
    text
}

/// The text above the table.
const HEADER: &str = "\
## What searches reach

Written by `make survey`, which explores every exported function with a spec, by one command for
each module, with two workers. The functions share 40 seconds (`lists` and `calendar` 120);
arguments have a depth of at most 8 (`calendar` 26, `uri_string` 12). No search failed, no run
diverged, all findings are confirmed.

- **functions**: how many were explored.
- **no input**: how many more have a spec that wants something that cannot be made, such as a pid.
- **clauses**: how many the searches reached, of those in functions that the explored ones may
  call, without those of the next column.
- **unreachable**: clauses that no argument of the specs can reach, [listed below](#clauses-that-cannot-be-reached).
  The list is written by hand, and complete only for `filename`.
- **findings**: crashes on arguments that the specs admit. Most are intended: `lists:nth/2` of a
  list that is too short.

| module | functions | no input | clauses | unreachable | findings |
|--------|-----------|----------|---------|-------------|----------|
";

fn report(all: &[(Survey, Surveyed)]) -> String {
    let mut text = HEADER.to_owned();
    for (survey, of) in all {
        let _ = writeln!(text, "{}", row(survey.name, of));
    }
    text.push('\n');
    for (survey, _) in all {
        if let Some(note) = survey.note {
            let _ = writeln!(text, "- `{}`: {note}.", survey.name);
        }
    }
    text.push_str("\n### Clauses that were not reached\n");
    for (survey, of) in all.iter().filter(|it| !it.1.missed.is_empty()) {
        let _ = write!(text, "\n`{}`:", survey.name);
        for (function, clauses) in &of.missed {
            let _ = write!(text, "\n- `{function}`: {}", clauses.join(", "));
        }
        text.push('\n');
    }
    text.push_str("\n### Clauses that cannot be reached\n");
    for (survey, _) in all {
        let rows: Vec<String> = of_module(survey.name).map(Unreachable::row).collect();
        if !rows.is_empty() {
            let _ = writeln!(text, "\n`{}`:\n{}", survey.name, rows.join("\n"));
        }
    }
    text
}
