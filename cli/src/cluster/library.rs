//! The code around a program, on a node.

use std::fs;
use std::path::Path;

use erlang_term::Term;

use crate::search::run_terms::text;

/// Writes the files of a library below a folder. Returns the command that tells a BEAM of them, or
/// why that cannot be done.
pub(super) fn write(library: &Term, folder: &Path) -> Result<Term, String> {
    let bad = || "the code around the program makes no sense".to_owned();
    let get = |key: &str| library.get(key).ok_or_else(bad);
    let place = ["first", "last"].map(|key| {
        let folders = get(key)?.as_list().ok_or_else(bad)?.iter().enumerate();
        let paths = folders.map(|(number, files)| {
            let path = folder.join(format!("{key}-{number}"));
            write_folder(files, &path)?;
            Ok(Term::binary(path.to_string_lossy().as_bytes()))
        });
        let paths = paths.collect::<Result<Vec<_>, String>>()?;
        Ok((Term::atom(key), Term::list(paths)))
    });
    let mut place = place.into_iter().collect::<Result<Vec<_>, String>>()?;
    place.push((Term::atom("elixir"), get("elixir")?.clone()));
    Ok(Term::Tuple(vec![Term::atom("library"), Term::Map(place)]))
}

fn write_folder(files: &Term, path: &Path) -> Result<(), String> {
    fs::create_dir_all(path).map_err(|error| error.to_string())?;
    for file in files.as_list().unwrap_or_default() {
        let Some([name, content]) = file.as_tuple() else {
            continue;
        };
        let name = text(name).filter(|it| !it.contains('/'));
        if let (Some(name), Some(content)) = (name, content.as_binary()) {
            fs::write(path.join(name), content).map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_written_into_their_folders_alone() {
        let file = |name: &str| Term::Tuple(vec![Term::binary(name), Term::binary("code")]);
        let files = Term::list([file("m.beam"), file("../m.beam"), file("n.app")]);
        let library = Term::Map(vec![
            (Term::atom("first"), Term::list([])),
            (Term::atom("last"), Term::list([files])),
            (Term::atom("elixir"), Term::atom("false")),
        ]);
        let folder = tempfile::tempdir().expect("a folder");
        write(&library, folder.path()).expect("it can be written");
        let below = |path: &str| folder.path().join(path).exists();
        assert!(below("last-0/m.beam") && below("last-0/n.app"));
        assert!(!below("m.beam"));
        assert!(write(&Term::atom("x"), folder.path()).is_err());
    }
}
