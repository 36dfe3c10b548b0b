//! How the last run of `make bench` differs from a saved one.

use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use end_to_end::benchmarks::{BenchError, Comparison, Joined};

/// The arguments are the saved run and the new one.
fn main() -> io::Result<ExitCode> {
    let arguments: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [before, after] = arguments.as_slice() else {
        writeln!(io::stderr(), "error: name the saved run and the new one")?;
        return Ok(ExitCode::from(2));
    };
    match compare(before, after) {
        Ok(comparison) => {
            io::stdout().write_all(comparison.markdown().as_bytes())?;
            let is_fine = comparison.worse() == 0;
            Ok(ExitCode::from(u8::from(!is_fine)))
        }
        Err(error) => {
            writeln!(io::stderr(), "error: {error}")?;
            Ok(ExitCode::from(2))
        }
    }
}

fn compare(before: &Path, after: &Path) -> Result<Comparison, BenchError> {
    Ok(Comparison::new(
        &Joined::read(before)?,
        &Joined::read(after)?,
    ))
}
