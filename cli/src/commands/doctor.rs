//! `erlconcolic doctor`: checks that everything is installed.

mod check;
mod checks;
mod mix_check;
mod plugin_check;

use std::fmt::Write;
use std::io;
use std::process::ExitCode;

use serde_json::{Value, json};

use self::check::{Check, Status};
use crate::arguments::{DoctorOptions, Format};
use crate::exit_status::EXIT_FAILURE;
use crate::failure::Failure;
use crate::terminal::printing::print_result;

pub(crate) fn run(options: &DoctorOptions) -> Result<ExitCode, Failure> {
    let checks = checks::all();
    let text = match options.format {
        Format::Human => human(&checks),
        Format::Json => format!("{:#}\n", json(&checks)),
    };
    print_result(&mut io::stdout().lock(), [text])?;
    Ok(if works(&checks) {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(EXIT_FAILURE)
    })
}

/// Whether `explore` can work.
fn works(checks: &[Check]) -> bool {
    checks.iter().all(|check| check.status != Status::Missing)
}

fn human(checks: &[Check]) -> String {
    let width = checks.iter().map(|it| it.name.len()).max().unwrap_or(0);
    let mut out = String::new();
    // Writing to a string cannot fail.
    for check in checks {
        let Check { name, found, .. } = check;
        let _ = writeln!(out, "{:7}  {name:width$}  {found}", check.status.name());
        if let Some(advice) = &check.advice {
            let _ = writeln!(out, "{:7}  {:width$}  {advice}", "", "");
        }
    }
    let closing = if works(checks) {
        "everything that is needed is installed"
    } else {
        "something that is needed is missing"
    };
    let _ = writeln!(out, "{closing}");
    out
}

fn json(checks: &[Check]) -> Value {
    let lines = checks.iter().map(|check| {
        json!({
            "name": check.name,
            "status": check.status.name(),
            "found": check.found,
            "advice": check.advice,
        })
    });
    json!({
        "version": 1,
        "ok": works(checks),
        "checks": lines.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_programs_are_listed_with_advice() {
        let checks = [
            Check::ok("Z3", "4.8.12"),
            Check::warning("rebar3", "not on the PATH", "only the plugin needs it"),
            Check::missing("erl", "not on the PATH", "install Erlang/OTP"),
        ];
        insta::assert_snapshot!(human(&checks));
        assert!(works(&checks[..2]) && !works(&checks));
    }
}
