//! The files for EUnit and ExUnit tests.

use std::path::{Path, PathBuf};

use diagnostic::Diagnostic;
use erlang_term::Atom;
use reports::MADE_BY;

use crate::failure::Failure;
use crate::files::output::{check_writable, write_whole_file};
use crate::files::plain_file;

/// The longest name that a module may have, in characters.
const LONGEST: usize = 255;

/// A library for tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TestLibrary {
    EUnit,
    ExUnit,
}

impl TestLibrary {
    fn option(self) -> &'static str {
        match self {
            Self::EUnit => "--eunit",
            Self::ExUnit => "--exunit",
        }
    }

    /// The module of a file with this name.
    fn module(self, name: &str) -> Option<Atom> {
        match self {
            Self::EUnit => {
                let module = name.strip_suffix(".erl")?;
                is_module_name(module).then(|| Atom::new(module))
            }
            Self::ExUnit => elixir_module(name.strip_suffix(".exs")?),
        }
    }

    fn bad_name(self) -> (&'static str, &'static str) {
        match self {
            Self::EUnit => (
                "this is not the name of an Erlang module",
                "write a name such as test/shop_tests.erl",
            ),
            Self::ExUnit => (
                "this is not the name of a file with ExUnit tests",
                "write a name such as test/shop_paths_test.exs",
            ),
        }
    }

    fn bad(self, path: &Path, why: &str, help: &str) -> Failure {
        let title = format!("{} {}: {why}", self.option(), path.display());
        let error = match self {
            Self::EUnit => Diagnostic::error("bad-eunit-file", title),
            Self::ExUnit => Diagnostic::error("bad-exunit-file", title),
        };
        error.help(help).into()
    }
}

/// A file for a test module. Its name is the name of the module.
#[derive(Debug)]
pub(crate) struct TestFile {
    library: TestLibrary,
    path: PathBuf,
    pub(crate) module: Atom,
}

impl TestFile {
    /// The file at a path; an error if no module can be written there.
    pub(crate) fn new(library: TestLibrary, path: &Path) -> Result<Self, Failure> {
        let name = path.file_name().and_then(|it| it.to_str());
        let Some(module) = name.and_then(|it| library.module(it)) else {
            let (why, help) = library.bad_name();
            return Err(library.bad(path, why, help));
        };
        if path.is_dir() {
            let why = "a folder is in the way";
            return Err(library.bad(path, why, "choose another name"));
        }
        check_writable(path)?;
        if path.exists() {
            let text = plain_file::read(path).map_err(|error| Failure::io("read", path, &error))?;
            let text = String::from_utf8_lossy(&text);
            let first = text.lines().next().unwrap_or_default();
            if !text.is_empty() && !first.contains(MADE_BY) {
                let why = "this file is not one that erlconcolic made";
                return Err(library.bad(path, why, "choose another name, or remove it first"));
            }
        }
        Ok(Self {
            library,
            path: path.to_owned(),
            module,
        })
    }

    /// An error if the module is one of those that are explored.
    pub(crate) fn check_name(
        &self,
        mut explored: impl Iterator<Item = String>,
    ) -> Result<(), Failure> {
        let own = self.module.to_string();
        if explored.any(|it| it == own) {
            let why = "this is the name of a module that is explored";
            let help = "choose another name, or a folder that is not explored, such as test/";
            return Err(self.library.bad(&self.path, why, help));
        }
        Ok(())
    }

    /// Writes the text of the module: all of it or nothing.
    pub(crate) fn write(&self, text: &str) -> Result<(), Failure> {
        write_whole_file(&self.path, text.as_bytes())
    }
}

/// Whether the compiler accepts a name for a module.
fn is_module_name(name: &str) -> bool {
    let is_allowed = |it: char| it <= '\u{ff}' && !it.is_control();
    let is_visible = |it: char| !it.is_whitespace();
    name.chars().count() <= LONGEST && name.chars().all(is_allowed) && name.chars().any(is_visible)
}

/// The module of a file in Elixir: `ShopPathsTest` for `shop_paths_test`.
fn elixir_module(stem: &str) -> Option<Atom> {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || it == '_';
    if stem.chars().count() > LONGEST / 2 || !stem.chars().all(is_plain) {
        return None;
    }
    let words = stem.split('_').filter_map(|word| {
        let (first, rest) = word.split_at_checked(1)?;
        Some(format!("{}{rest}", first.to_ascii_uppercase()))
    });
    let name: String = words.collect();
    let is_alias = name.starts_with(|first: char| first.is_ascii_uppercase());
    is_alias.then(|| Atom::new(format!("Elixir.{name}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(path: &Path) -> String {
        let failure = TestFile::new(TestLibrary::EUnit, path).expect_err("the file is refused");
        failure.0.first().expect("there is a message").title.clone()
    }

    #[test]
    fn the_name_must_be_a_module_name() {
        let no_names = [
            "shop", "shop.txt", ".erl", "test/", "", "a\nb.erl", "☃.erl", " .erl",
        ];
        for name in no_names {
            let message = message(Path::new(name));
            assert!(
                message.ends_with("not the name of an Erlang module"),
                "{message}"
            );
        }
        let long = format!("{}.erl", "x".repeat(256));
        assert!(message(Path::new(&long)).contains("not the name"));
    }

    #[test]
    fn a_file_of_elixir_has_a_module_of_its_name() {
        let module = |name: &str| TestLibrary::ExUnit.module(name);
        let cases = [
            ("shop_paths_test.exs", Some("Elixir.ShopPathsTest")),
            ("shop2_test.exs", Some("Elixir.Shop2Test")),
            ("shop_test.ex", None),
            ("2_test.exs", None),
            ("_.exs", None),
            ("my shop.exs", None),
        ];
        for (name, expected) in cases {
            assert_eq!(module(name), expected.map(Atom::new), "{name}");
        }
    }

    #[test]
    fn only_files_made_by_the_tool_are_replaced() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let path = folder.path().join("shop_tests.erl");
        std::fs::write(&path, "-module(shop_tests).\n").expect("it can be written");
        assert!(message(&path).ends_with("is not one that erlconcolic made"));
        std::fs::write(&path, format!("%%% Tests, {MADE_BY}.\n")).expect("it can be written");
        let file = TestFile::new(TestLibrary::EUnit, &path).expect("it may be replaced");
        file.write("new").expect("it can be written");
        let text = std::fs::read_to_string(&path).expect("it can be read");
        assert_eq!(text, "new");
        let inside = folder.path().join("it's é.erl");
        std::fs::create_dir(&inside).expect("it can be made");
        assert!(message(&inside).ends_with("a folder is in the way"));
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_an_error_at_once() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        std::fs::write(folder.path().join("file"), "").expect("it can be written");
        let message = message(&folder.path().join("file/below/shop_tests.erl"));
        assert!(message.starts_with("cannot write"), "{message}");
    }
}
