//! Runs Elixir, where it is installed.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::erlang::temporary_folder;

/// Whether Elixir is on the PATH. Says that a test is skipped if not.
pub fn is_here(test: &str) -> bool {
    let is_here = Command::new("elixir").arg("--version").output().is_ok();
    if !is_here {
        // Writing to stderr fails only where nobody reads it.
        let _ = writeln!(
            io::stderr(),
            "{test}: skipped, because Elixir is not installed"
        );
    }
    is_here
}

/// The folder with the beams of Elixir's own library.
///
/// # Panics
/// When Elixir does not say it.
pub fn library() -> PathBuf {
    let printed = run(
        Path::new("."),
        "elixir",
        &["-e", "IO.write(:code.lib_dir(:elixir))"],
    );
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

/// Compiles a module of Elixir into a folder.
///
/// # Panics
/// When it does not compile.
pub fn compile(source: &str, folder: &Path) {
    let file = folder.join("source.ex");
    std::fs::write(&file, source).expect("it can be written");
    let out = folder.join("ebin");
    std::fs::create_dir_all(&out).expect("it can be made");
    let path = |it: &Path| it.to_str().expect("it is UTF-8").to_owned();
    run(folder, "elixirc", &["-o", &path(&out), "source.ex"]);
}
