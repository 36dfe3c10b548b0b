//! Modules compiled by way of their flat form.

use std::fs;
use std::path::{Path, PathBuf};

use erlang_term::Term;
use erlconcolic::beam::{Answer, BeamError, Helper, Pending};
use erlconcolic::front_end::FrontEnd;
use flattener::flat::{self, TailForm, to_ast};
use flattener::{Detail, print_module};
use rayon::prelude::*;

/// The Core Erlang text of a flat module, for compiling it.
pub fn text(module: &flat::Module) -> String {
    print_module(&to_ast(module, TailForm::Bare), Detail::Full)
}

/// Starts to compile Core Erlang text.
pub fn submit(helper: &Helper, text: &str) -> Pending {
    let text = Term::binary(text.as_bytes());
    helper.submit(Term::Tuple(vec![
        Term::atom("from_core"),
        text,
        Term::atom("usual"),
    ]))
}

/// The beam that [`submit`] asked for.
///
/// # Errors
/// When it does not compile.
pub fn beam(answer: Result<Answer, BeamError>) -> Result<Vec<u8>, String> {
    match answer {
        Ok(Ok(value)) => match value.get("beam").and_then(Term::as_binary) {
            Some(beam) => Ok(beam.to_vec()),
            None => Err(format!("no beam in {value}")),
        },
        Ok(Err(messages)) => Err(format!("{messages:?}")),
        Err(error) => Err(error.to_string()),
    }
}

/// Flattens modules, compiles them and writes `MODULE.beam` files into a folder.
///
/// # Panics
/// When one cannot be loaded, flattened or compiled.
pub fn write(front_end: &FrontEnd, sources: &[PathBuf], folder: &Path) {
    let loaded = front_end.load(sources).expect("the modules load");
    let helper = front_end.helper().expect("the helper runs");
    loaded.into_par_iter().for_each(|module| {
        let name = module.module.name.as_str().to_owned();
        let flat = module.flatten().expect("the module flattens");
        let answer = submit(&helper, &text(&flat)).wait();
        let beam = beam(answer).unwrap_or_else(|error| panic!("{name}: {error}"));
        fs::write(folder.join(format!("{name}.beam")), beam).expect("the folder can be written");
    });
}
