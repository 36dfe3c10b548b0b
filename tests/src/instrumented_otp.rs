//! Modules of OTP with emitters. The copies are loaded beside the originals, which the runtime
//! needs.

use std::fs;
use std::path::Path;

use erlang_term::encode;
use erlconcolic::instrumented::Beam;
use erlconcolic::worker::followed;
use flattener::flat;
use instrumenter::linking::{copy_name, replace_stubs};
use rayon::prelude::*;
use trace_format::{Program, Wire};

use crate::flat_beams;
use crate::otp::{self, Application};

/// Where the Erlang side of instrumented programs is, seen from this package.
pub const RUNTIME: &str = "../erlang-support/apps/erlconcolic_rt/src";

/// A program of modules of OTP, given by application.
///
/// # Panics
/// When one of them does not load.
pub fn program(applications: &[(&str, &[&str])]) -> Program {
    let names: Vec<&str> = applications.iter().map(|(name, _)| *name).collect();
    let found = otp::find(&names).applications;
    let modules = found
        .iter()
        .zip(applications)
        .flat_map(|(application, (_, modules))| flat_modules(application, modules));
    Program::new(modules.map(|mut module| {
        replace_stubs(&mut module);
        let copy = copy_name(&module.name);
        (module, copy)
    }))
}

fn flat_modules(application: &Application, modules: &[&str]) -> Vec<flat::Module> {
    let sources: Vec<_> = modules
        .iter()
        .map(|module| application.source(module))
        .collect();
    let loaded = application.front_end().load(&sources);
    let loaded = loaded.unwrap_or_else(|error| panic!("{}: {error:?}", application.name));
    loaded
        .into_par_iter()
        .map(|module| module.flatten().expect("the module flattens"))
        .collect()
}

/// The instrumented code of all modules of a program.
///
/// # Panics
/// When it does not compile.
pub fn beams(program: &Program, wire: Wire) -> Vec<Beam> {
    let helper = erlconcolic::beam::Helper::start().expect("the helper runs");
    (0..program.modules().len())
        .into_par_iter()
        .filter_map(|number| instrumenter::instrument(program, number, wire))
        .map(|module| {
            let answer = flat_beams::submit(&helper, &flat_beams::text(&module)).wait();
            let code = flat_beams::beam(answer);
            Beam {
                code: code.unwrap_or_else(|error| panic!("{}: {error}", module.name)),
                name: module.name,
            }
        })
        .collect()
}

/// Writes code into a folder, with what `random_calls` must know about it.
///
/// # Panics
/// When the folder cannot be written.
pub fn write(program: &Program, beams: &[Beam], folder: &Path) {
    let write = |name: &str, content: &[u8]| {
        fs::write(folder.join(name), content).expect("the folder can be written");
    };
    for beam in beams {
        write(&format!("{}.beam", beam.name.as_str()), &beam.code);
    }
    write("followed", &encode(&followed(program)));
}
