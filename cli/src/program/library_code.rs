//! Modules of OTP and of Elixir, and modules that this tool has in it.

use std::path::PathBuf;

use erlang_term::{Atom, Term};
use flattener::flat;
use flattener::parse_module;
use instrumenter::linking::replace_stubs;

use crate::beam::{BeamError, Helper};
use crate::failure::Failure;
use crate::program::library_models::model;
use crate::sources::front_end::{FrontEnd, LibraryBeam};

/// The flat forms of OTP modules, or of their models.
pub(crate) fn load_modules(
    front_end: &FrontEnd,
    names: &[Atom],
) -> Result<Vec<flat::Module>, Failure> {
    let helper = front_end.helper()?;
    let mut found = Vec::new();
    let mut paths = Vec::new();
    for name in names {
        match model(name.as_str()) {
            Some(text) => found.push(flat_module(name, text)?),
            None => paths.extend(library_beam(&helper, name)?),
        }
    }
    for module in front_end.load_library(&paths)? {
        let mut module = module.flatten()?;
        replace_stubs(&mut module);
        found.push(module);
    }
    Ok(found)
}

/// The flat form of a module that is embedded in this tool, or made by it.
pub(crate) fn flat_module(name: &Atom, text: &str) -> Result<flat::Module, Failure> {
    let bad = |what: String| Failure::from(BeamError::BadAnswer(format!("{name}: {what}")));
    let module = parse_module(text).map_err(|error| bad(error.to_string()))?;
    flattener::flatten(module).map_err(|errors| bad(format!("{errors:?}")))
}

/// The path of an OTP module.
pub(crate) fn beam_path(helper: &Helper, name: &Atom) -> Result<Option<PathBuf>, Failure> {
    Ok(library_beam(helper, name)?.map(|it| it.path))
}

/// The file of a module of OTP or of Elixir.
fn library_beam(helper: &Helper, name: &Atom) -> Result<Option<LibraryBeam>, Failure> {
    let command = Term::Tuple(vec![Term::atom("which"), Term::Atom(name.clone())]);
    let Ok(answer) = helper.call(command)? else {
        return Ok(None);
    };
    let path = answer.get("path").and_then(Term::as_binary);
    let implementations = answer.get("implementations").map(ToString::to_string);
    Ok(path.map(|path| LibraryBeam {
        path: PathBuf::from(String::from_utf8_lossy(path).into_owned()),
        implementations: implementations.unwrap_or_default(),
    }))
}
