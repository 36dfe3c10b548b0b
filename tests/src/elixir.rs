//! Runs Elixir, where it is installed.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::erlang::temporary_folder;

/// Whether Elixir is installed. Tests that need it say so and pass without it.
pub fn is_installed() -> bool {
    let mut elixirc = Command::new("elixirc");
    let status = elixirc.arg("--version").stdout(Stdio::null()).status();
    let is_installed = status.is_ok_and(|it| it.success());
    if !is_installed {
        let text = "skipped: Elixir is not installed (scripts/setup.sh installs it)";
        // Writing to stderr fails only where nobody reads it.
        let _ = writeln!(io::stderr(), "{text}");
    }
    is_installed
}

/// Compiles sources into a folder.
///
/// # Panics
/// When they do not compile.
pub fn compile(sources: &[&Path], folder: &Path) {
    fs::create_dir_all(folder).expect("the folder can be made");
    let mut elixirc = Command::new("elixirc");
    let status = elixirc.arg("-o").arg(folder).args(sources).status();
    assert!(
        status.is_ok_and(|it| it.success()),
        "{sources:?} are compiled"
    );
}

/// Compiles a source into the folder `ebin` of a folder.
///
/// # Panics
/// When it does not compile.
pub fn compile_text(source: &str, folder: &Path) {
    let file = folder.join("source.ex");
    fs::write(&file, source).expect("it can be written");
    let out = folder.join("ebin");
    fs::create_dir_all(&out).expect("the folder can be made");
    run(folder, "elixirc", &["-o", "ebin", "source.ex"]);
}

/// The folder with the beams of Elixir's own library.
///
/// # Panics
/// When Elixir does not say it.
pub fn library() -> PathBuf {
    let expression = "IO.write(:code.lib_dir(:elixir))";
    let printed = run(Path::new("."), "elixir", &["-e", expression]);
    Path::new(&printed).join("ebin")
}

/// Runs a program of Elixir in a folder, with a home of its own, and returns what it prints.
///
/// # Panics
/// When it fails.
pub fn run(folder: &Path, program: &str, arguments: &[&str]) -> String {
    let home = temporary_folder();
    let mut command = Command::new(program);
    command.current_dir(folder).env("HOME", home.path());
    command.env_remove("ERL_LIBS").env_remove("MIX_ENV");
    let output = command.args(arguments).output();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} fails: {text}{errors}");
    text
}
