//! The sources of OTP's applications, as `erlang_tools/otp_corpus.erl` finds them.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use erlconcolic::front_end::{FrontEnd, Settings};

use crate::erlang::{compile_folders, evaluate, run_main, temporary_folder};

/// Modules of stdlib that work on their arguments alone, for random calls.
pub const PURE_MODULES: [&str; 19] = [
    "lists",
    "string",
    "maps",
    "dict",
    "gb_trees",
    "gb_sets",
    "queue",
    "orddict",
    "ordsets",
    "proplists",
    "array",
    "sets",
    "base64",
    "binary",
    "io_lib",
    "erl_scan",
    "erl_parse",
    "calendar",
    "uri_string",
];

/// An application.
#[derive(Clone, Debug, Default)]
pub struct Application {
    /// Its name.
    pub name: String,
    /// Folders with its headers.
    pub includes: Vec<PathBuf>,
    /// Its sources in the order of names.
    pub sources: Vec<PathBuf>,
}

impl Application {
    /// A front end that compiles its sources.
    pub fn front_end(&self) -> FrontEnd {
        FrontEnd::with_settings(Settings {
            includes: self.includes.clone(),
            // From the makefile of the compiler.
            defines: vec![("COMPILER_VSN".to_owned(), Some("\"0\"".to_owned()))],
            code_paths: Vec::new(),
        })
    }

    /// The source of a module.
    ///
    /// # Panics
    /// When the application has no such module.
    pub fn source(&self, module: &str) -> PathBuf {
        self.sources
            .iter()
            .find(|path| path.file_stem() == Some(OsStr::new(module)))
            .unwrap_or_else(|| panic!("{} has no module {module}", self.name))
            .clone()
    }
}

/// What is installed.
#[derive(Clone, Debug, Default)]
pub struct Otp {
    /// The release, as in `25`.
    pub release: u32,
    /// Applications in the order asked for.
    pub applications: Vec<Application>,
}

/// The release on the PATH, as in `27`.
///
/// # Panics
/// When `erl` cannot be run.
pub fn release() -> u32 {
    static RELEASE: OnceLock<u32> = OnceLock::new();
    *RELEASE.get_or_init(|| {
        let folder = temporary_folder();
        let print = "io:format(\"~s\", [erlang:system_info(otp_release)]), halt().";
        let printed = evaluate(folder.path(), print).text;
        printed.parse().expect("a release is a number")
    })
}

/// Finds applications and their sources.
///
/// # Panics
/// When an application is missing.
pub fn find(applications: &[&str]) -> Otp {
    let tools = compile_folders(&["erlang_tools"]);
    let mut arguments = vec!["list"];
    arguments.extend(applications);
    let listed = run_main(tools.path(), "otp_corpus", &arguments);
    assert_eq!(listed.status, 0, "{}", listed.text);
    let mut otp = Otp::default();
    for line in listed.text.lines() {
        let (kind, value) = line.split_once(' ').expect("a line has two words");
        match kind {
            "otp" => otp.release = value.parse().expect("a release is a number"),
            "application" => otp.applications.push(Application {
                name: value.to_owned(),
                ..Application::default()
            }),
            "include" => current(&mut otp).includes.push(value.into()),
            "source" => current(&mut otp).sources.push(value.into()),
            _ => panic!("not a line of otp_corpus:list: {line}"),
        }
    }
    otp
}

fn current(otp: &mut Otp) -> &mut Application {
    otp.applications
        .last_mut()
        .expect("an application comes before its files")
}

/// A module's Core Erlang as `erlc +to_core` writes it.
#[derive(Clone, Debug)]
pub struct PlainText {
    /// `application/module`.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// What is in it.
    pub text: String,
}

/// Writes the Core Erlang of all modules of applications into a folder, as `erlc +to_core` does.
///
/// # Panics
/// When one does not compile.
pub fn plain_texts(applications: &[Application], folder: &Path) -> Vec<PlainText> {
    let tools = compile_folders(&["erlang_tools"]);
    let mut arguments = vec![OsStr::new("write"), folder.as_os_str()];
    arguments.extend(applications.iter().map(|one| OsStr::new(&one.name)));
    let written = run_main(tools.path(), "otp_corpus", &arguments);
    assert_eq!(written.status, 0, "{}", written.text);
    let text_of = |application: &Application, source: &PathBuf| {
        let module = source.file_stem().expect("a source has a name");
        let name = Path::new(&application.name).join(module);
        let path = folder.join(name.with_extension("core"));
        PlainText {
            name: name.display().to_string(),
            text: fs::read_to_string(&path).expect("every module was written"),
            path,
        }
    };
    applications
        .iter()
        .flat_map(|one| one.sources.iter().map(move |source| (one, source)))
        .map(|(application, source)| text_of(application, source))
        .collect()
}
