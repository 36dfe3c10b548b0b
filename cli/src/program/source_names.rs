//! Where the sources of the user's modules are, for the stacks of runs.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use erlang_term::Atom;
use flattener::flat::{self, is_elixir_module};
use reports::OwnSources;

use crate::terminal::near_path::current_folder;

/// The user's modules and their sources, given the files that were read and the code.
pub(crate) fn own_sources<'code>(
    modules: impl IntoIterator<Item = (Atom, PathBuf)>,
    code: impl IntoIterator<Item = &'code flat::Module>,
) -> OwnSources {
    let code = code.into_iter();
    let elixir = code.filter(|it| is_elixir_module(it.name.as_str()));
    let elixir: HashMap<&Atom, &flat::Module> = elixir.map(|it| (&it.name, it)).collect();
    let modules = modules.into_iter().map(|(module, path)| {
        let source = match elixir.get(&module) {
            Some(code) => elixir_source(code),
            None => source(&path),
        };
        (module, source)
    });
    OwnSources::new(modules, &current_folder())
}

/// The source of a module of Elixir, which its functions name.
fn elixir_source(module: &flat::Module) -> Option<PathBuf> {
    let functions = module.functions.iter();
    let files = functions.flat_map(|it| [it.fun.annotations.file(), it.name_annotations.file()]);
    let mut paths = files.flatten().map(PathBuf::from);
    paths.find(|path| path.is_file())
}

/// The source of a module. Beside the folder of a beam there may be a folder of sources, as in every
/// Erlang application.
fn source(path: &Path) -> Option<PathBuf> {
    if path.extension().is_none_or(|it| it != "beam") {
        return Some(path.to_owned());
    }
    let application = path.parent()?.parent()?;
    let name = path.with_extension("erl");
    let source = application.join("src").join(name.file_name()?);
    source.is_file().then(|| source.canonicalize().ok())?
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_source_of_a_beam_is_in_the_folder_beside() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("src")).expect("it can be made");
        fs::write(at("src/a.b.erl"), "").expect("it can be written");
        assert!(source(&at("ebin/a.b.beam")).is_some_and(|it| it.ends_with("src/a.b.erl")));
        assert_eq!(source(&at("ebin/other.beam")), None);
        assert_eq!(source(&at("src/x.core")), Some(at("src/x.core")));
    }
}
