//! `erlconcolic flatten`: modules as Core Erlang, for reading or for other tools.

use std::io::{self, Write};
use std::path::Path;

use flattener::flat::{TailForm, to_ast};
use flattener::{Detail, print_module};
use rayon::prelude::*;

use crate::arguments::{FlattenOptions, Stage};
use crate::failure::Failure;
use crate::front_end::{FrontEnd, Loaded};
use crate::output::write_files;
use crate::render;
use crate::sources::find_sources;

pub(crate) fn run(options: &FlattenOptions) -> Result<(), Failure> {
    let sources = find_sources(&options.sources)?;
    let front_end = FrontEnd::new(&options.compilation)?;
    let loaded = front_end.load(&sources);
    render::show(&front_end.take_warnings());
    let loaded = loaded?;
    let texts: Vec<(String, String)> = loaded
        .into_par_iter()
        .map(|module| Ok((file_name(&module), text(module, options)?)))
        .collect::<Result<_, Failure>>()?;
    match &options.output {
        Some(folder) => write_files(
            folder,
            texts
                .iter()
                .map(|(name, text)| (name.clone(), text.as_bytes())),
        ),
        None => print(&texts),
    }
}

fn file_name(loaded: &Loaded) -> String {
    // A module name is an atom and may hold anything; a file name may not.
    let name = loaded.module.name.as_str().replace(['/', '\0'], "_");
    format!("{name}.core")
}

fn text(loaded: Loaded, options: &FlattenOptions) -> Result<String, Failure> {
    let detail = if options.annotations {
        Detail::Full
    } else {
        Detail::Readable
    };
    match options.emit {
        Stage::Core => Ok(print_module(&loaded.module, detail)),
        Stage::Flat => {
            let flat = loaded.flatten()?;
            Ok(print_module(&to_ast(&flat, TailForm::Bound), detail))
        }
    }
}

fn print(texts: &[(String, String)]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let written = texts
        .iter()
        .try_for_each(|(_, text)| out.write_all(text.as_bytes()));
    match written.and_then(|()| out.flush()) {
        // The reader has seen enough, as in `erlconcolic flatten … | head`.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::io(
            "write to",
            Path::new("standard output"),
            &error,
        )),
        Ok(()) => Ok(()),
    }
}
