//! Runs that bring their BEAM down: the input is reported and the next run is a run like any other.

use std::fs;
use std::path::Path;
use std::process::Command;

use end_to_end::erlang::{erlc, node, temporary_folder};
use erlang_term::{Atom, Term};
use erlconcolic::front_end::{FrontEnd, Settings};
use erlconcolic::instrumented::instrument;
use erlconcolic::worker::{Limits, Outcome, Worker};
use flattener::flat::FunctionId;
use trace_format::{Wire, body_name};

const DANGER: &str = "\
-module(danger).
-export([fine/0, halts/0, killed/0, crashes/0]).

fine() -> lists:sum([1, 2, 3]).

halts() -> erlang:halt(0, [{flush, false}]).

killed() -> os:cmd(\"kill -9 \" ++ os:getpid()).

crashes() -> native:crash().
";

const NATIVE: &str = "\
-module(native).
-export([crash/0]).
-on_load(init/0).

init() ->
    Library = filename:rootname(code:which(?MODULE)),
    erlang:load_nif(Library, 0).

crash() -> erlang:nif_error(not_loaded).
";

const NATIVE_C: &str = "\
#include <erl_nif.h>
#include <stdlib.h>

static ERL_NIF_TERM crash(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]) {
    volatile int *nowhere = NULL;
    return enif_make_int(env, *nowhere);
}

static ErlNifFunc functions[] = {{\"crash\", 0, crash}};

ERL_NIF_INIT(native, functions, NULL, NULL, NULL, NULL)
";

/// A module written in C, in a folder of compiled code.
fn build_native(folder: &Path) {
    fs::write(folder.join("native.erl"), NATIVE).expect("the folder can be written");
    fs::write(folder.join("native.c"), NATIVE_C).expect("the folder can be written");
    erlc(folder, [], &[folder.join("native.erl")]);
    let print_root = "io:put_chars(code:root_dir()), halt().";
    let root = node().args(["-eval", print_root]).output();
    let root = String::from_utf8(root.expect("Erlang is here").stdout).expect("a path");
    let status = Command::new("cc")
        .args(["-shared", "-fPIC", "-O0", "-I"])
        .arg(Path::new(&root).join("usr/include"))
        .arg("-o")
        .arg(folder.join("native.so"))
        .arg(folder.join("native.c"))
        .status();
    assert!(status.is_ok_and(|status| status.success()), "no C compiler");
}

fn worker(folder: &Path) -> Worker {
    let source = folder.join("danger.erl");
    fs::write(&source, DANGER).expect("the folder can be written");
    let front_end = FrontEnd::with_settings(Settings {
        code_paths: vec![folder.to_owned()],
        ..Settings::default()
    });
    let sources = [source];
    let loaded = front_end.load(&sources).expect("the module compiles");
    let flat = loaded.into_iter().map(|module| module.flatten());
    let flat = flat.collect::<Result<Vec<_>, _>>().expect("a program");
    let instrumented = instrument(&front_end, flat, Wire::Full).expect("Erlang is here");
    let configuration = front_end.configuration(&sources);
    Worker::new(&instrumented.program, instrumented.beams, configuration)
}

fn outcome(worker: &mut Worker, function: &str) -> Outcome {
    let name = body_name(&FunctionId {
        name: Atom::new(function),
        arity: 0,
    });
    let limits = Limits {
        milliseconds: 60_000,
        heap_words: 10_000_000,
        allowed: ["os", "erlang"].map(Term::atom).to_vec(),
    };
    let arguments = Term::list([]);
    let run = worker.run(&Atom::new("danger"), &name, arguments, &limits);
    run.expect("a worker can be started").outcome
}

#[test]
fn a_worker_that_dies_is_replaced() {
    let folder = temporary_folder();
    build_native(folder.path());
    let mut worker = worker(folder.path());
    assert_eq!(outcome(&mut worker, "fine"), Outcome::Ok("6".to_owned()));
    for way in ["halts", "killed", "crashes"] {
        assert_eq!(outcome(&mut worker, way), Outcome::WorkerDied, "{way}");
        assert_eq!(outcome(&mut worker, "fine"), Outcome::Ok("6".to_owned()));
    }
}
