//! Flattened modules do what the originals do.
//!
//! The Erlang half is in `erlang/`: `random_calls` makes and compares random calls of exported
//! functions, `corner_cases` is a collection of cases that are easy to get wrong.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use end_to_end::erlang::{
    Finished, compile_folders, erlang_files, erlc, evaluate, package_path, run_main,
    temporary_folder,
};
use end_to_end::flat_beams;
use end_to_end::otp::{self, Application};
use erlang_term::Term;
use erlconcolic::beam::{Effort, Helper};
use erlconcolic::front_end::{FrontEnd, Settings};
use flattener::{Detail, print_module};
use tempfile::TempDir;

const MODULES: [&str; 19] = otp::PURE_MODULES;
const OWN_MODULE: &str = "json_like";

const SEED: &str = "20240229";
const CALLS_PER_FUNCTION: &str = "200";
const SECONDS: &str = "1500";

const ITERATIONS: &str = "10000000";

/// The harness and our own samples, compiled by `erlc`.
fn originals() -> TempDir {
    compile_folders(&["erlang", "erlang_samples"])
}

/// Flattens sources of this package into a folder of beams.
fn write_flat(sources: &[PathBuf], folder: &Path) {
    let front_end = FrontEnd::with_settings(Settings::default());
    flat_beams::write(&front_end, sources, folder);
}

#[track_caller]
fn random_calls(folder: &Path, arguments: &[&OsStr]) -> String {
    let Finished { status, text } = run_main(folder, "random_calls", arguments);
    assert_eq!(status, 0, "random_calls {arguments:?}:\n{text}");
    text
}

/// Annotations that are omitted from a text for compiling change no code.
#[test]
fn code_needs_few_annotations() {
    let stdlib = otp::find(&["stdlib"]).applications.remove(0);
    let sources = ["lists", "string", "gb_trees", "calendar"].map(|name| stdlib.source(name));
    let loaded = stdlib.front_end().load(&sources).expect("they compile");
    let helper = Helper::start().expect("Erlang is here");
    for module in loaded {
        let code = |text: &str| {
            let compiled = helper.compile_core(text, Effort::Usual);
            compiled.expect("the helper runs").expect("it is a program")
        };
        let short = print_module(&module.module, Detail::Code);
        assert!(short.len() < module.text.len(), "{}", module.path.display());
        assert_eq!(
            code(&short),
            code(&module.text),
            "{}",
            module.path.display()
        );
    }
}

#[test]
fn random_calls_have_the_same_results() {
    let originals = originals();
    let variant = temporary_folder();
    let stdlib = otp::find(&["stdlib"]).applications.remove(0);
    let sources: Vec<PathBuf> = MODULES.iter().map(|name| stdlib.source(name)).collect();
    flat_beams::write(&stdlib.front_end(), &sources, variant.path());
    write_flat(
        &erlang_files(&package_path("erlang_samples")),
        variant.path(),
    );

    let results = temporary_folder();
    let path = |name: &str| results.path().join(name).into_os_string();
    let (calls, original, again, flat) = (
        path("calls"),
        path("original"),
        path("original-again"),
        path("flat"),
    );
    let run = |arguments: &[&OsStr]| random_calls(originals.path(), arguments);
    let mut generate: Vec<&OsStr> = vec!["generate".as_ref(), &calls];
    generate.extend([SEED, CALLS_PER_FUNCTION, OWN_MODULE].map(OsStr::new));
    generate.extend(MODULES.map(OsStr::new));
    run(&generate);
    let none = OsStr::new("none");
    for (beams, out) in [
        (none, &original),
        (variant.path().as_os_str(), &flat),
        (none, &again),
    ] {
        run(&["evaluate".as_ref(), &calls, beams, out, SECONDS.as_ref()]);
    }
    let text = run(&["compare".as_ref(), &calls, &original, &flat, &again]);
    println!("{text}");
}

/// Tests the random calls themselves: they notice modules that were changed in one place.
#[test]
fn random_calls_notice_wrong_modules() {
    let originals = originals();
    let folder = temporary_folder();
    let text = random_calls(
        originals.path(),
        &["self_test".as_ref(), folder.path().as_os_str()],
    );
    println!("{text}");
}

/// Checksums of the code that a compiler makes of the modules under test, one line each, without
/// its notes about itself. Its own modules are those in the folder, or else those of OTP; the last line
/// says which.
fn compiled_modules(compiler: &Path, stdlib: &Application) -> Vec<String> {
    let quoted = |path: &Path| Term::binary(path.as_os_str().as_encoded_bytes()).to_string();
    let files: Vec<String> = MODULES.map(|name| quoted(&stdlib.source(name))).into();
    let includes: Vec<String> = stdlib.includes.iter().map(|path| quoted(path)).collect();
    let run = format!(
        "Text = fun unicode:characters_to_list/1, \
         Options = [binary, deterministic | [{{i, Text(I)}} || I <- [{}]]], \
         [begin \
              {{ok, Module, Beam}} = compile:noenv_file(Text(File), Options), \
              {{ok, {{Module, Sum}}}} = beam_lib:md5(Beam), \
              io:format(\"~p ~0p~n\", [Module, Sum]) \
          end || File <- [{}]], \
         io:format(\"~ts~n\", [filename:dirname(code:which(v3_core))]), \
         halt().",
        includes.join(", "),
        files.join(", ")
    );
    let Finished { status, text } = evaluate(compiler, &run);
    assert_eq!(status, 0, "{text}");
    text.lines().map(str::to_owned).collect()
}

/// A large program that is flattened as a whole: OTP's compiler.
#[test]
fn the_flattened_compiler_makes_the_same_code() {
    let mut otp = otp::find(&["stdlib", "compiler"]);
    let (compiler, stdlib) = (otp.applications.remove(1), otp.applications.remove(0));
    let (flat, none) = (temporary_folder(), temporary_folder());
    flat_beams::write(&compiler.front_end(), &compiler.sources, flat.path());
    let mut by_flat = compiled_modules(flat.path(), &stdlib);
    let mut by_original = compiled_modules(none.path(), &stdlib);
    let places = (by_flat.pop(), by_original.pop());
    assert_ne!(places.0, places.1, "the flattened compiler was not used");
    assert_eq!(by_original, by_flat);
    assert_eq!(by_flat.len(), MODULES.len());
}

/// Beams of `corner_cases`, from `erlc` and from the flat form.
struct CornerCases {
    original: TempDir,
    flat: TempDir,
}

impl CornerCases {
    fn compile() -> Self {
        let sources = [package_path("erlang/corner_cases.erl")];
        let (original, flat) = (temporary_folder(), temporary_folder());
        erlc(original.path(), [], &sources);
        write_flat(&sources, flat.path());
        Self { original, flat }
    }
}

/// One line for each case.
fn outcomes(beams: &TempDir) -> Vec<String> {
    let lines = "[io:format(\"~0tp~n\", [Case]) || Case <- corner_cases:run()], halt().";
    let Finished { status, text } = evaluate(beams.path(), lines);
    assert_eq!(status, 0, "{text}");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn corner_cases_have_the_same_results() {
    let cases = CornerCases::compile();
    let (original, flat) = thread::scope(|scope| {
        let original = scope.spawn(|| outcomes(&cases.original));
        let flat = outcomes(&cases.flat);
        (original.join().expect("the original runs"), flat)
    });
    let differences: Vec<String> = original
        .iter()
        .zip(&flat)
        .filter(|(original, flat)| original != flat)
        .map(|(original, flat)| format!("original {original}\n    flat {flat}"))
        .collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert_eq!(original.len(), flat.len());
    let hung: Vec<&String> = original
        .iter()
        .filter(|outcome| outcome.ends_with(",timeout}"))
        .collect();
    assert!(hung.is_empty(), "{hung:#?}");
    println!("{} cases", original.len());
    assert!(original.len() > 400, "only {} cases", original.len());
}

/// Each loop runs in a process that is killed when its heap and stack outgrow a limit
/// (`corner_cases:run_tail_calls/1`), so a loop that returns ran in constant memory.
#[test]
fn loops_run_in_constant_memory() {
    let cases = CornerCases::compile();
    let run = format!(
        "[io:format(\"~0tp~n\", [Loop]) || Loop <- corner_cases:run_tail_calls({ITERATIONS})], \
         halt()."
    );
    let Finished { status, text } = evaluate(cases.flat.path(), &run);
    assert_eq!(status, 0, "{text}");
    let failed: Vec<&str> = text
        .lines()
        .filter(|line| !line.ends_with(",{value,done}}"))
        .collect();
    assert!(failed.is_empty(), "{failed:#?}");
    println!("{} loops of {ITERATIONS} rounds", text.lines().count());
    assert!(text.lines().count() > 20, "{text}");
}

/// The limit does end a loop without a tail call; otherwise the test above would show nothing.
#[test]
fn a_loop_that_grows_is_ended() {
    let folder = temporary_folder();
    let source = fs::read_to_string(package_path("erlang/corner_cases.erl"));
    let source = source.expect("the corner cases are there");
    let growing = source.replace(
        "direct(N) -> direct(N - 1).",
        "direct(N) -> [N | direct(N - 1)].",
    );
    assert_ne!(source, growing);
    let path = folder.path().join("corner_cases.erl");
    fs::write(&path, growing).expect("a file can be written");
    write_flat(&[path], folder.path());
    let run = "{_, Outcome} = lists:keyfind(loop_direct, 1, \
                                            corner_cases:run_tail_calls(1000000)), \
               io:format(\"~0tp\", [Outcome]), halt().";
    let Finished { status, text } = evaluate(folder.path(), run);
    assert_eq!((status, text.as_str()), (0, "{signal,killed}"));
}
