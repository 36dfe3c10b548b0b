//! The sources of the user's modules, for the stacks of runs.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use erlang_term::Atom;

use crate::current_folder::CurrentFolder;
use crate::outcome::{Outcome, StackEntry, module_of};
use crate::run_process::{ProcessEnd, RunProcess};

/// The user's modules, and where their sources are.
#[derive(Clone, Debug, Default)]
pub struct OwnSources(HashMap<String, Option<OwnSource>>);

/// The source of a module.
#[derive(Clone, Debug)]
struct OwnSource {
    path: PathBuf,
    /// As reports show it.
    shown: String,
}

impl OwnSources {
    /// The modules with their sources, if these are known.
    pub fn new(
        modules: impl IntoIterator<Item = (Atom, Option<PathBuf>)>,
        folder: &CurrentFolder,
    ) -> Self {
        let modules = modules.into_iter().map(|(module, path)| {
            let source = path.map(|path| OwnSource {
                shown: folder.near(path.display().to_string()),
                path,
            });
            (module.to_string(), source)
        });
        Self(modules.collect())
    }

    /// Marks the functions of the user on the stack of a run. Those with a file that may be the source
    /// of their module, or without a file, get the path of the source.
    pub fn locate(&self, outcome: &mut Outcome) {
        match outcome {
            Outcome::Exception { stack, .. } => self.locate_stack(stack),
            Outcome::Deadlock { waiting } => {
                let stacks = waiting.iter_mut().map(|it| &mut it.stack);
                stacks.for_each(|it| self.locate_stack(it));
            }
            Outcome::Ok(_)
            | Outcome::Timeout
            | Outcome::Killed
            | Outcome::WorkerDied
            | Outcome::Steps
            | Outcome::Blocked(_) => {}
        }
    }

    /// Marks a process of the user, and the functions on its stack.
    pub fn locate_process(&self, process: &mut RunProcess) {
        let entry = process.entry.strip_prefix("fun in ");
        let entry = entry.unwrap_or(&process.entry);
        process.is_own = self.0.contains_key(module_of(entry));
        if let ProcessEnd::Raised { stack, .. } = &mut process.end {
            self.locate_stack(stack);
        }
    }

    /// The same for the functions on a stack.
    pub fn locate_stack(&self, stack: &mut [StackEntry]) {
        for entry in stack {
            let source = self.0.get(entry.module());
            entry.is_own = source.is_some();
            if let Some(Some(source)) = source
                && is_same_file(&entry.file, &source.path)
            {
                entry.file.clone_from(&source.shown);
            }
        }
    }
}

/// Whether the name of a file on a stack means this source. The compiler may leave out the folder;
/// Elixir gives the path in the project.
fn is_same_file(name: &str, source: &Path) -> bool {
    name.is_empty() || source.ends_with(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_of_a_module_stands_for_a_missing_file() {
        let folder = CurrentFolder::new(Some("/shop".to_owned()));
        let modules = [("m", Some("/shop/src/m.erl")), ("it's:n", None)];
        let modules = modules.map(|(name, path)| (Atom::new(name), path.map(PathBuf::from)));
        let sources = OwnSources::new(modules, &folder);
        let cases = [
            ("m:f/1", "", ("src/m.erl", true)),
            ("m:f/1", "m.erl", ("src/m.erl", true)),
            ("m:f/1", "shop/src/m.erl", ("src/m.erl", true)),
            ("m:f/1", "include/m.hrl", ("include/m.hrl", true)),
            (r"'it\'s:n':f/1", "", ("", true)),
            ("lists:sum/1", "", ("", false)),
            ("lists:sum/1", "lists.erl", ("lists.erl", false)),
        ];
        for (function, file, (expected, is_own)) in cases {
            let mut outcome = Outcome::Exception {
                class: "error".to_owned(),
                reason: "badarg".to_owned(),
                stack: vec![StackEntry {
                    function: function.to_owned(),
                    file: file.to_owned(),
                    line: 3,
                    is_own: false,
                }],
            };
            sources.locate(&mut outcome);
            let entry = outcome.stack().first().expect("the stack has one entry");
            assert_eq!((entry.file.as_str(), entry.is_own), (expected, is_own));
        }
    }
}
