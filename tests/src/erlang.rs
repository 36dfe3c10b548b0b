//! Runs `erl` and `erlc`. A failure ends the test with their output.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// Modules in the working folder come before those of OTP, which OTP 29 no longer does by itself.
const FIRST: [&str; 2] = ["-pa", "."];

/// The result of a command.
#[derive(Debug)]
pub struct Finished {
    /// Its exit status, -1 if a signal ended it.
    pub status: i32,
    /// Its output: stdout, then stderr.
    pub text: String,
}

impl From<Output> for Finished {
    fn from(output: Output) -> Self {
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.push_str(&String::from_utf8_lossy(&output.stderr));
        Self {
            status: output.status.code().unwrap_or(-1),
            text,
        }
    }
}

/// A file or folder of this package.
pub fn package_path(relative: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(relative)
}

/// Compiles the Erlang sources in folders of this package into a temporary folder.
///
/// # Panics
/// When one does not compile.
pub fn compile_folders(relatives: &[&str]) -> TempDir {
    let out = temporary_folder();
    let sources: Vec<PathBuf> = relatives
        .iter()
        .flat_map(|relative| erlang_files(&package_path(relative)))
        .collect();
    erlc(out.path(), ["+debug_info"], &sources);
    out
}

/// The `.erl` files of a folder, in the order of names.
///
/// # Panics
/// When the folder cannot be read.
pub fn erlang_files(folder: &Path) -> Vec<PathBuf> {
    erlconcolic::find_sources(&[folder.to_owned()])
        .expect("the folder has Erlang sources")
        .into_iter()
        .filter(|path| path.extension() == Some(OsStr::new("erl")))
        .collect()
}

/// Runs `erlc` with options on files, results to a folder.
///
/// # Panics
/// When it fails.
pub fn erlc<'text>(
    out: &Path,
    options: impl IntoIterator<Item = &'text str>,
    files: &[impl AsRef<OsStr>],
) {
    let mut command = Command::new("erlc");
    command.args(options).arg("-o").arg(out).args(files);
    let finished = finish(&mut command);
    assert_eq!(finished.status, 0, "{command:?}:\n{}", finished.text);
}

/// Evaluates an expression in an `erl` that finds the modules in a folder. The expression has to
/// end the node.
pub fn evaluate(folder: &Path, expression: &str) -> Finished {
    let mut command = node();
    command
        .current_dir(folder)
        .args(FIRST)
        .args(["-eval", expression]);
    finish(&mut command)
}

/// Runs `MODULE:main(Arguments)` in an `erl` that finds the module in a folder.
pub fn run_main(folder: &Path, module: &str, arguments: &[impl AsRef<OsStr>]) -> Finished {
    let mut command = node();
    command
        .current_dir(folder)
        .args(FIRST)
        .args(["-run", module, "main"])
        .args(arguments);
    finish(&mut command)
}

/// Flags become atoms before modules are loaded, several at a time, and add theirs in any order. So
/// these have the same order as keys of maps in all nodes.
const LETTERS: [&str; 8] = ["-a", "-b", "-c", "-d", "-e", "-f", "-g", "-k"];

/// An `erl` without a shell and without busy waiting, which would take time from others.
pub fn node() -> Command {
    let mut command = Command::new("erl");
    command.args(["-boot", "no_dot_erlang", "-noshell", "+fnu"]);
    command.args(LETTERS);
    command.args(["+sbwt", "none", "+sbwtdcpu", "none", "+sbwtdio", "none"]);
    command.env("ERL_CRASH_DUMP_SECONDS", "0");
    command
}

/// A new folder that vanishes with the value.
///
/// # Panics
/// When there is no place for temporary files.
pub fn temporary_folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder can be made")
}

fn finish(command: &mut Command) -> Finished {
    let output = command.output();
    output
        .unwrap_or_else(|error| panic!("{command:?}: {error}"))
        .into()
}
