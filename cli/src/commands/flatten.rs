//! `erlconcolic flatten`: prints modules as Core Erlang.

use std::io;

use flattener::flat::{TailForm, to_ast};
use flattener::{Detail, print_module};
use rayon::prelude::*;

use crate::arguments::{FlattenOptions, Stage};
use crate::failure::Failure;
use crate::files::output::{file_name, write_files};
use crate::sources::finding::find_sources;
use crate::sources::front_end::{FrontEnd, Loaded};
use crate::terminal::printing::print_result;
use crate::terminal::render;

pub(crate) fn run(options: &FlattenOptions) -> Result<(), Failure> {
    let sources = find_sources(&options.sources)?;
    let front_end = FrontEnd::new(&options.compilation)?;
    let loaded = front_end.load(&sources);
    render::show(&front_end.take_warnings());
    let loaded = loaded?;
    let texts: Vec<(String, String)> = loaded
        .into_par_iter()
        .map(|module| {
            let name = format!("{}.core", file_name(&module.module.name));
            Ok((name, text(module, options)?))
        })
        .collect::<Result<_, Failure>>()?;
    match &options.output {
        Some(folder) => write_files(
            folder,
            texts
                .iter()
                .map(|(name, text)| (name.clone(), text.as_bytes())),
        ),
        None => print_result(&mut io::stdout().lock(), texts.iter().map(|(_, text)| text)),
    }
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
