//! Projects that real rebar3 or Mix works on, offline, with the plugin, the Mix task and the tool
//! under test.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::erlang::{package_path, temporary_folder};

/// Environment variables that would change what rebar3, Mix or the tool does or prints.
const VARIABLES: [&str; 14] = [
    "COLUMNS",
    "DEBUG",
    "ERLCONCOLIC",
    "ERL_COMPILER_OPTIONS",
    "ERL_FLAGS",
    "ERL_LIBS",
    "FORCE_COLOR",
    "MIX_ARCHIVES",
    "MIX_BUILD_PATH",
    "MIX_ENV",
    "MIX_EXS",
    "NO_COLOR",
    "REBAR_BASE_DIR",
    "REBAR_PROFILE",
];

/// A project in a folder of its own, beside a home and a PATH of its own.
#[derive(Debug)]
pub struct Project {
    root: TempDir,
    name: String,
}

/// The output of a command, stdout and stderr in the order in which it came, and its status.
#[derive(Debug)]
pub struct Printed {
    /// The exit status, -1 if a signal ended it.
    pub status: i32,
    /// The text; the temporary folder is `<root>`.
    pub text: String,
}

impl Project {
    /// A copy of a project in `samples/projects`, for the tool at this path.
    ///
    /// # Panics
    /// When there is no such project.
    pub fn of_samples(binary: &str, name: &str) -> Self {
        let project = Self::empty(binary, name);
        let samples = package_path("../samples/projects");
        copy_folder(&samples.join(name), &project.path(""));
        project
    }

    /// The parts of the repository for users of rebar3 and Mix: the projects among the samples, the
    /// plugin, and the Mix task. The tool is the one at this path.
    ///
    /// # Panics
    /// When something cannot be copied.
    pub fn of_repository(binary: &str) -> Self {
        let project = Self::empty(binary, "repository");
        let samples = "samples/projects";
        copy_folder(&package_path("..").join(samples), &project.path(samples));
        let plugin_place = "erlang-support/apps/rebar3_erlconcolic";
        copy_folder(&plugin(), &project.path(plugin_place));
        copy_folder(
            &mix_package(),
            &project.path("elixir-support/mix_erlconcolic"),
        );
        project
    }

    fn empty(binary: &str, name: &str) -> Self {
        let root = temporary_folder();
        let tools = root.path().join("bin");
        fs::create_dir(&tools).expect("the folder can be made");
        symlink(binary, tools.join("erlconcolic")).expect("the link can be made");
        Self {
            root,
            name: name.to_owned(),
        }
    }

    /// Goes into a folder of it, as `cd` does.
    ///
    /// # Panics
    /// When there is no such folder.
    pub fn enter(&mut self, folder: &str) {
        assert!(self.path(folder).is_dir(), "there is no {folder}");
        self.name = format!("{}/{folder}", self.name);
    }

    /// The same in a folder with another name.
    ///
    /// # Panics
    /// When it cannot have it.
    #[must_use]
    pub fn called(mut self, name: &str) -> Self {
        let old = self.path("");
        name.clone_into(&mut self.name);
        fs::rename(old, self.path("")).expect("it can be renamed");
        self
    }

    /// The same with the plugin in `_checkouts`.
    ///
    /// # Panics
    /// When it cannot be copied.
    #[must_use]
    pub fn with_plugin(self) -> Self {
        copy_folder(&plugin(), &self.path("_checkouts/rebar3_erlconcolic"));
        self
    }

    /// The same with the Mix task as a dependency. The project has none before.
    ///
    /// # Panics
    /// When it cannot be copied, or named in `mix.exs`.
    #[must_use]
    pub fn with_mix_task(self) -> Self {
        copy_folder(&mix_package(), &self.path("vendor/mix_erlconcolic"));
        let dependency = "[{:mix_erlconcolic, path: \"vendor/mix_erlconcolic\", runtime: false}]";
        self.edit("mix.exs", "    []\n", &format!("    {dependency}\n"));
        self
    }

    /// The same without the tool on the PATH.
    ///
    /// # Panics
    /// When it cannot be removed.
    #[must_use]
    pub fn without_tool(self) -> Self {
        fs::remove_file(self.root.path().join("bin/erlconcolic")).expect("it is there");
        self
    }

    /// A path in the project.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.path().join(&self.name).join(relative)
    }

    /// The text of a file in it.
    ///
    /// # Panics
    /// When there is no such file.
    pub fn read(&self, relative: &str) -> String {
        let text = fs::read_to_string(self.path(relative));
        text.unwrap_or_else(|error| panic!("{relative}: {error}"))
    }

    /// Replaces some text in a file.
    ///
    /// # Panics
    /// When the file does not have the text.
    pub fn edit(&self, relative: &str, old: &str, new: &str) {
        let text = self.read(relative);
        assert!(text.contains(old), "{relative} has no {old:?}");
        fs::write(self.path(relative), text.replacen(old, new, 1)).expect("it can be written");
    }

    /// Adds text at the end of a file, and creates the file if it is missing.
    ///
    /// # Panics
    /// When it cannot be written.
    pub fn append(&self, relative: &str, text: &str) {
        let old = fs::read_to_string(self.path(relative)).unwrap_or_default();
        fs::write(self.path(relative), old + text).expect("it can be written");
    }

    /// Runs `rebar3` with these words, and as little of its own messages as it can.
    ///
    /// # Panics
    /// When it cannot be started.
    pub fn rebar3(&self, words: &str) -> Printed {
        self.shell(&format!("QUIET=1 rebar3 {words}"))
    }

    /// Runs a line of shell in the project.
    ///
    /// # Panics
    /// When it cannot be started.
    pub fn shell(&self, line: &str) -> Printed {
        let mut command = self.command();
        command.args(["-c", &format!("exec 2>&1; {line}")]);
        let output = command.output().expect("a shell can be started");
        let text = String::from_utf8(output.stdout).expect("it prints UTF-8");
        let root = self.root.path().display().to_string();
        Printed {
            status: output.status.code().unwrap_or(-1),
            text: text.replace(&root, "<root>"),
        }
    }

    /// A shell in the project, to be given arguments.
    ///
    /// # Panics
    /// When the PATH is not UTF-8.
    pub fn command(&self) -> Command {
        let root = self.root.path();
        let path = std::env::var("PATH").expect("there is a PATH");
        // A tool that somebody installed must not be found.
        let is_clean = |folder: &&str| !Path::new(folder).join("erlconcolic").exists();
        let own = root.join("bin").display().to_string();
        let folders: Vec<&str> = path.split(':').filter(is_clean).collect();
        let mut command = Command::new("sh");
        command
            .current_dir(self.path(""))
            .env("HOME", root)
            .env("XDG_CACHE_HOME", root.join("cache"))
            .env("XDG_CONFIG_HOME", root.join("config"))
            .env("PATH", format!("{own}:{}", folders.join(":")))
            .env("REBAR_OFFLINE", "1")
            .env("TERM", "dumb")
            .stdin(Stdio::null());
        for variable in VARIABLES {
            command.env_remove(variable);
        }
        command
    }
}

/// The plugin in the repository.
pub fn plugin() -> PathBuf {
    package_path("../erlang-support/apps/rebar3_erlconcolic")
}

/// The package with the Mix task in the repository.
pub fn mix_package() -> PathBuf {
    package_path("../elixir-support/mix_erlconcolic")
}

/// Copies a folder and everything in it except build results.
///
/// # Panics
/// When something cannot be read or written.
pub fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the folder can be made");
    for entry in fs::read_dir(from).expect("the folder can be read") {
        let entry = entry.expect("the folder can be read");
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_name() == "_build" {
            continue;
        }
        if source.is_dir() {
            copy_folder(&source, &target);
        } else {
            fs::copy(&source, &target).expect("the file can be copied");
        }
    }
}
