//! The command as a user types it.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use erlang_term::Term;
use erlconcolic::front_end::{FrontEnd, Settings};
use tempfile::TempDir;

use crate::erlang::temporary_folder;

/// Environment variables that would change what the tool does or prints.
const VARIABLES: [&str; 6] = [
    "COLUMNS",
    "ERL_COMPILER_OPTIONS",
    "ERL_FLAGS",
    "ERL_LIBS",
    "FORCE_COLOR",
    "NO_COLOR",
];

/// A folder of a user with files in it, which is the working folder of all commands.
#[derive(Debug)]
pub struct Workplace {
    binary: PathBuf,
    folder: TempDir,
}

/// The result of a command.
#[derive(Debug)]
pub struct Run {
    command: String,
    /// Its exit status, -1 if a signal ended it.
    pub status: i32,
    /// What it printed to stdout.
    pub stdout: String,
    /// What it printed to stderr.
    pub stderr: String,
}

impl Workplace {
    /// An empty one, for the tool at this path.
    ///
    /// # Panics
    /// When there is no place for temporary files.
    pub fn new(binary: &str) -> Self {
        Self {
            binary: binary.into(),
            folder: temporary_folder(),
        }
    }

    /// The same with files, given by path and content.
    ///
    /// # Panics
    /// When a file cannot be written.
    #[must_use]
    pub fn with(self, files: &[(&str, &str)]) -> Self {
        for (path, content) in files {
            self.write(path, content.as_bytes());
        }
        self
    }

    /// Writes a file, and folders to put it in.
    ///
    /// # Panics
    /// When it cannot be written.
    pub fn write(&self, path: &str, content: &[u8]) {
        let path = self.path(path);
        let folder = path.parent().expect("a file is in a folder");
        fs::create_dir_all(folder).expect("the folder can be made");
        fs::write(path, content).expect("the file can be written");
    }

    /// A path in it.
    pub fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(relative)
    }

    /// The text of a file in it.
    ///
    /// # Panics
    /// When there is no such file, or it is not text.
    pub fn read(&self, relative: &str) -> String {
        let text = fs::read_to_string(self.path(relative));
        text.unwrap_or_else(|error| panic!("{relative}: {error}"))
    }

    /// The names in a folder in it, sorted.
    ///
    /// # Panics
    /// When there is no such folder.
    pub fn list(&self, relative: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(relative)).expect("the folder is there");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("the folder can be read").file_name())
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        names.sort_unstable();
        names
    }

    /// The tool, to be started here.
    pub fn command(&self, arguments: &[impl AsRef<OsStr>]) -> Command {
        let mut command = Command::new(&self.binary);
        command
            .arg0("erlconcolic")
            .args(arguments)
            .current_dir(self.folder.path())
            .stdin(Stdio::null());
        for variable in VARIABLES {
            command.env_remove(variable);
        }
        // Not the cache of the user who runs the tests.
        command.env(
            "ERLCONCOLIC_CACHE",
            self.binary.with_file_name("test-cache"),
        );
        command
    }

    /// Runs the tool.
    ///
    /// # Panics
    /// When it cannot be started.
    pub fn run(&self, arguments: &[&str]) -> Run {
        self.finish(self.command(arguments), arguments)
    }

    /// Runs a command made by [`Workplace::command`] from the same arguments.
    ///
    /// # Panics
    /// When it cannot be started.
    pub fn finish(&self, mut command: Command, arguments: &[&str]) -> Run {
        let output = command.output().expect("the tool can be started");
        let text = |bytes: &[u8]| {
            let text = String::from_utf8(bytes.to_vec()).expect("the tool prints UTF-8");
            // Snapshots must not hold the names of temporary folders.
            text.replace(&self.folder.path().display().to_string(), "<folder>")
        };
        let words: Vec<String> = ["erlconcolic"]
            .iter()
            .chain(arguments)
            .map(|word| shell_word(word))
            .collect();
        Run {
            command: words.join(" "),
            status: output.status.code().unwrap_or(-1),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }
}

impl Run {
    /// A run of a command that was started in another way.
    pub fn of(status: i32, stdout: String, stderr: String) -> Self {
        Self {
            command: "erlconcolic".to_owned(),
            status,
            stdout,
            stderr,
        }
    }

    /// What it printed, if it succeeded and wrote nothing to stderr.
    ///
    /// # Panics
    /// When it did not.
    #[track_caller]
    pub fn success(self) -> String {
        assert_eq!((self.status, self.stderr.as_str()), (0, ""), "{self:?}");
        self.stdout
    }

    /// Command and messages of one that failed, for a snapshot.
    ///
    /// # Panics
    /// When it did not fail, or printed a result as well.
    #[track_caller]
    pub fn failure(self) -> String {
        assert_eq!((self.status, self.stdout.as_str()), (2, ""), "{self:?}");
        // The last line is empty.
        format!("$ {}\n{}", self.command, self.stderr.trim_end())
    }
}

fn shell_word(word: &str) -> String {
    let plain = |character: char| character.is_alphanumeric() || "-_./=".contains(character);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The configuration of a worker for a program that needs no other code.
pub fn no_project() -> Term {
    FrontEnd::with_settings(Settings::default()).configuration(&[])
}
