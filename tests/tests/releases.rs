//! Core Erlang as the compilers of OTP 24 to 28 write it, run as far as this OTP accepts it. The
//! package `flattener` has the files, and tests that all of it can be read.

use end_to_end::erlang::package_path;
use end_to_end::tool::Workplace;
use insta::assert_snapshot;

#[test]
fn programs_of_all_releases_run() {
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    for (release, result) in [
        (24, "{1,none,{badarg,true}}"),
        (25, "{[a,c],no,<<1,2,3>>}"),
        (26, "{#{a => 2,b => <<\"t\">>},{error,{badmap,no_map}}}"),
        (27, "{zero,thousand,\"hellwo\"}"),
        (
            28,
            "{[1,2],[{1,a},{2,b},{3,c}],{badmatch,no},{bad_generators,{[1],[]}}}",
        ),
    ] {
        let name = format!("../flattener/tests/releases/otp_{release}.core");
        let path = package_path(&name).display().to_string();
        let arguments = ["run", &path, "--entry", "test/0", "--args", "[]"];
        assert_eq!(
            place.run(&arguments).success(),
            format!("otp_{release}:test() returned {result}\n")
        );
    }
}

/// The engine explores them as well.
#[test]
fn programs_of_other_releases_are_explored() {
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    for (release, entry, expected) in [
        (25, "first/1", "else_clause"),
        (28, "strict/1", "badmatch"),
        (28, "zipped/2", "bad_generators"),
    ] {
        let name = format!("../flattener/tests/releases/otp_{release}.core");
        let path = package_path(&name).display().to_string();
        let arguments = ["explore", &path, "--entry", entry, "--max-runs", "40"];
        let run = place.run(&arguments);
        assert_eq!(run.status, 1, "{}", run.stderr);
        assert!(run.stdout.contains(expected), "{}", run.stdout);
    }
}

/// OTP 25 cannot compile them, but they are instrumented: marks of places leave no events.
#[test]
fn marks_of_places_are_kept() {
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    for name in ["otp_27_coverage", "otp_28_debugger"] {
        let path = package_path(&format!("../flattener/tests/releases/{name}.core"));
        let path = path.display().to_string();
        let run = place.run(&["instrument", &path, "--emit", "instrumented"]);
        assert_snapshot!(name, run.success());
    }
}

/// Our modules load as they were built, whichever release built them: a BEAM that had to compile
/// them again would start three times as slowly.
#[test]
fn no_beam_starts_its_compiler_to_run_a_program() {
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    place.write(
        "m.erl",
        b"-module(m).\n-export([f/1]).\nf(_) -> error({compiler, erlang:module_loaded(compile)}).\n",
    );
    let run = place.run(&["explore", "m.erl", "--entry", "f/1"]);
    assert!(run.stdout.contains("{compiler,false}"), "{run:?}");
}
