//! Modules of Elixir, compiled by the real `elixirc`.

use std::path::Path;
use std::process::{Command, Stdio};

/// Whether Elixir is installed. Tests that need it say so and pass without it.
pub fn is_installed() -> bool {
    let mut elixirc = Command::new("elixirc");
    let status = elixirc.arg("--version").stdout(Stdio::null()).status();
    let is_installed = status.is_ok_and(|it| it.success());
    if !is_installed {
        eprintln!("skipped: Elixir is not installed (scripts/setup.sh installs it)");
    }
    is_installed
}

/// Compiles sources into a folder.
///
/// # Panics
/// When they do not compile.
pub fn compile(sources: &[&Path], folder: &Path) {
    std::fs::create_dir_all(folder).expect("the folder can be made");
    let mut elixirc = Command::new("elixirc");
    let status = elixirc.arg("-o").arg(folder).args(sources).status();
    assert!(
        status.is_ok_and(|it| it.success()),
        "{sources:?} are compiled"
    );
}
