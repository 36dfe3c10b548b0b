//! Files that are damaged, in odd encodings or not plain files, and folders that several tools use
//! at the same time.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};
use std::thread;

use end_to_end::erlang::erlc;
use end_to_end::otp;
use end_to_end::tool::{Run, Workplace};

const MODULE: &str = "-module(m).\n-export([f/1]).\nf(7) -> error(bug);\nf(X) -> X.\n";

fn workplace(files: &[(&str, &str)]) -> Workplace {
    Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test")).with(files)
}

/// Runs the tool, which must end with this status.
#[track_caller]
fn run(place: &Workplace, status: i32, arguments: &[&str]) -> Run {
    let run = place.run(arguments);
    assert_eq!(run.status, status, "{run:?}");
    run
}

fn make_pipe(place: &Workplace, name: &str) {
    let made = Command::new("mkfifo").arg(place.path(name)).status();
    assert!(made.is_ok_and(|status| status.success()), "{name}");
}

/// A literal that nests deeply stays lists in the flat form, so every walk over values meets it.
#[test]
fn literals_may_be_deep() {
    // The time of newer compilers grows with the square of the depth.
    let depth = if otp::release() > 25 { 8_000 } else { 50_000 };
    let (opening, closing) = ("[".repeat(depth), "]".repeat(depth));
    let text = format!(
        "module 'deep' ['f'/1] attributes []
         'f'/1 = fun (X) -> do {opening}1{closing} {opening}X{closing}
         end"
    );
    let place = workplace(&[("deep.core", &text)]);
    run(&place, 0, &["instrument", "deep.core", "-o", "build"]);
}

#[test]
fn all_damaged_files_are_named() {
    let place = workplace(&[("m.erl", MODULE)]);
    erlc(&place.path(""), ["+debug_info"], &[place.path("m.erl")]);
    let beam = fs::read(place.path("m.beam")).expect("it was compiled");
    let (half, _) = beam.split_at(beam.len() / 2);
    let utf_16: Vec<u8> = MODULE.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let files: [(&str, &[u8]); 11] = [
        ("empty.erl", b""),
        ("empty.core", b""),
        ("empty.beam", b""),
        ("half.beam", half),
        ("length.beam", b"FOR1\xff\xff\xff\xffBEAM"),
        ("mark.erl", &["\u{feff}", MODULE].concat().into_bytes()),
        ("utf16.erl", &utf_16),
        ("utf16.core", &utf_16),
        (
            "latin1.erl",
            b"-module(latin1).\n-export([f/0]).\nf() -> '\xe9'.\n",
        ),
        (
            "comment.erl",
            b"-module(comment).\n-export([f/0]).\n%% \xff\nf() -> 1.\n",
        ),
        (
            "latin1.core",
            b"module 'l' [] attributes [] 'f'/0 = fun () -> '\xe9' end",
        ),
    ];
    let mut arguments = vec!["flatten", "-o", "flat"];
    for (name, content) in files {
        place.write(name, content);
        arguments.push(name);
    }
    let refused = run(&place, 2, &arguments);
    for (name, _) in files {
        assert!(refused.stderr.contains(name), "{name}: {refused:?}");
    }
    assert!(!refused.stderr.contains("error[internal]"), "{refused:?}");
    assert!(!place.path("flat").exists());
}

#[test]
fn sources_in_other_encodings_are_shown_as_they_are() {
    let place = workplace(&[]);
    let source = b"%% -*- coding: latin-1 -*-\n-module(old).\n-export([f/1]).\n\
        f('\xe9') -> error('\xfc');\nf(X) -> X.\n";
    place.write("old.erl", source);
    place.write(
        "nul.erl",
        b"-module(nul).\r\n-export([g/1]).\r\n%% \0\r\ng(7) -> \0error(bug).\r\n",
    );
    let explore = [
        "explore",
        "old.erl",
        "nul.erl",
        "--all",
        "--no-spec",
        "--html",
        "page.html",
    ];
    let report = run(&place, 1, &explore);
    let shown = [
        "--> old.erl:4:1",
        "4 | f('é') -> error('ü');",
        "--> nul.erl:4:1",
    ];
    for part in shown {
        assert!(report.stdout.contains(part), "{part}: {report:?}");
    }
    let page = place.read("page.html");
    assert!(page.contains('é') && !page.contains('\u{fffd}'), "{page}");
    place.write("old.erl", &[&source[..], b"g() -> '\xe9'().\n"].concat());
    let refused = run(&place, 2, &["flatten", "old.erl"]);
    assert!(refused.stderr.contains("6 | g() -> 'é'()."), "{refused:?}");
}

#[test]
fn only_plain_files_are_read() {
    let place = workplace(&[("good/m.erl", MODULE), ("folder.erl/x.txt", "")]);
    for ending in ["erl", "core", "beam"] {
        make_pipe(&place, &format!("pipe.{ending}"));
        let link = |target: &str, name: &str| {
            symlink(target, place.path(format!("{name}.{ending}"))).expect("a link can be made");
        };
        link("/dev/zero", "device");
        link("nowhere", "lost");
        link(&format!("circle.{ending}"), "circle");
        // Even root cannot read this.
        link("/proc/self/mem", "unreadable");
        for name in ["pipe", "device", "lost", "circle", "unreadable"] {
            let name = format!("{name}.{ending}");
            let refused = run(&place, 2, &["flatten", &name]);
            let begin = format!("error[io]: cannot read {name}: ");
            assert!(refused.stderr.starts_with(&begin), "{refused:?}");
        }
    }
    let empty = run(&place, 2, &["flatten", "folder.erl"]);
    assert!(empty.stderr.contains("found in folder.erl"), "{empty:?}");
    make_pipe(&place, "pipe_tests.erl");
    let tests = [
        "explore",
        "good",
        "--entry",
        "f/1",
        "--eunit",
        "pipe_tests.erl",
    ];
    let refused = run(&place, 2, &tests);
    assert!(
        refused
            .stderr
            .contains("pipe_tests.erl: it is not a plain file"),
        "{refused:?}"
    );
    // In a folder they are skipped.
    make_pipe(&place, "good/pipe.erl");
    fs::create_dir(place.path("good/folder.erl")).expect("it can be made");
    symlink("nowhere", place.path("good/lost.erl")).expect("a link can be made");
    run(&place, 0, &["flatten", "good"]);
    // A program may say that it comes from anywhere.
    let source = MODULE.replace("f(7)", "-file(\"/dev/zero\", 1).\nf(7)");
    place.write("good/m.erl", source.as_bytes());
    run(
        &place,
        1,
        &["explore", "good", "--entry", "f/1", "--html", "page.html"],
    );
}

#[test]
fn a_state_is_written_by_one_tool_at_a_time() {
    let endless = "-module(m).\n-export([f/1]).\nf([]) -> ok;\nf([X | Y]) when X > 7 -> f(Y);\nf([_ | Y]) -> f(Y);\nf(_) -> ok.\n";
    let place = workplace(&[("m.erl", endless)]);
    let explore = ["explore", "m.erl", "--entry", "f/1", "--term-depth", "200"];
    let explore = [
        &explore[..],
        &["--state", "runs", "--resume", "--timeout", "3600"],
        &["--paths", "all"],
    ]
    .concat();
    let mut command = place.command(&explore);
    let first = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut first = first.expect("the tool can be started");
    let journal = place.path("runs/runs.journal");
    while fs::metadata(&journal).map_or(0, |file| file.len()) < 1_000 {
        assert!(matches!(first.try_wait(), Ok(None)), "it ended too early");
        thread::yield_now();
    }
    let second = run(&place, 2, &explore);
    first.kill().expect("it can be killed");
    first.wait().expect("it ends");
    assert!(
        second.stderr.starts_with("error[state-in-use]"),
        "{second:?}"
    );
    assert_eq!(second.stdout, "");
    let replayed = run(&place, 0, &["replay", "runs", "m.erl"]);
    assert!(replayed.stdout.contains("as before"), "{replayed:?}");
}

#[test]
fn a_build_and_the_cache_are_shared_by_tools() {
    let module =
        |answer: &str| format!("-module(m).\n-export([f/0]).\nf() -> lists:last([{answer}]).\n");
    let place = workplace(&[("1/m.erl", &module("one")), ("2/m.erl", &module("two"))]);
    // Both in a new folder, and then again in an old one.
    for _ in 0..2 {
        let tools: Vec<_> = ["1", "2", "1"]
            .into_iter()
            .map(|sources| {
                let mut tool = place.command(&["instrument", sources, "-o", "build"]);
                tool.env("ERLCONCOLIC_CACHE", place.path("cache"));
                let tool = tool.stderr(Stdio::piped()).spawn();
                tool.expect("the tool can be started")
            })
            .collect();
        for tool in tools {
            let output = tool.wait_with_output().expect("it ends");
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{said}");
        }
        let ran = run(
            &place,
            0,
            &["run", "build", "--entry", "f/0", "--args", "[]"],
        );
        let answers = ["one", "two"].map(|answer| ran.stdout.ends_with(&format!("{answer}\n")));
        assert!(answers.contains(&true), "{ran:?}");
        run(&place, 0, &["explore", "build", "--entry", "f/0"]);
    }
    let leftovers = place.list("").into_iter().chain(place.list("build"));
    let leftovers: Vec<String> = leftovers.filter(|name| name.starts_with('.')).collect();
    assert!(leftovers.is_empty(), "{leftovers:?}");
}
