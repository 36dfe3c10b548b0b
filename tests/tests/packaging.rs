//! The archive of `make dist` is complete, and works where it is unpacked.

use std::fs;
use std::path::Path;
use std::process::Command;

use end_to_end::erlang::package_path;
use end_to_end::tool::Workplace;

const BINARY: &str = env!("CARGO_BIN_EXE_erlconcolic-under-test");

/// Packs the tool and unpacks it; returns the name of the folder in the archive.
fn unpacked(place: &Workplace) -> String {
    let script = package_path("../scripts/dist.sh");
    let packed = Command::new(script)
        .arg(BINARY)
        .arg(place.path("dist"))
        .output()
        .expect("the script can be started");
    assert!(packed.status.success(), "{packed:?}");
    let names = place.list("dist");
    let [archive] = names.as_slice() else {
        panic!("one archive, not {names:?}");
    };
    let status = Command::new("tar")
        .arg("-xzf")
        .arg(place.path("dist").join(archive))
        .arg("-C")
        .arg(place.path("."))
        .status();
    assert!(status.expect("tar can be started").success());
    let folder = archive
        .strip_suffix(".tar.gz")
        .expect("its name")
        .to_owned();
    let start = concat!("erlconcolic-", env!("CARGO_PKG_VERSION"), "-");
    assert!(folder.starts_with(start), "{folder}");
    folder
}

#[test]
fn an_archive_has_all_that_users_need() {
    let place = Workplace::new(BINARY);
    let folder = unpacked(&place);
    let parts = [
        "bin/erlconcolic",
        "share/bash-completion/completions/erlconcolic",
        "share/zsh/site-functions/_erlconcolic",
        "share/fish/vendor_completions.d/erlconcolic.fish",
        "share/man/man1/erlconcolic.1",
        "share/man/man1/erlconcolic-explore.1",
        "README.md",
        "LICENSE",
        "CHANGELOG.md",
        "docs/limitations.md",
        "flattener/README.md",
        "samples/calculator/calculator.erl",
        "mix_erlconcolic/mix.exs",
        "mix_erlconcolic/lib/mix/tasks/concolic.ex",
    ];
    for part in parts {
        let path = place.path(&folder).join(part);
        let metadata = fs::metadata(&path);
        assert!(metadata.is_ok_and(|it| it.len() > 0), "{part} is missing");
    }
    let plugin = "erlang-support/apps/rebar3_erlconcolic";
    let is_written = package_path("..").join(plugin).exists();
    let is_packed = place.path(&folder).join("rebar3_erlconcolic").exists();
    assert_eq!(is_packed, is_written, "the plugin");
    assert!(!Path::new(&place.path(&folder).join("rebar3_erlconcolic/_build")).exists());
    let tool = place.path(&folder).join("bin/erlconcolic");
    let elsewhere = Workplace::new(tool.to_str().expect("it is UTF-8"));
    let version = elsewhere.run(&["--version"]).success();
    let own = concat!("erlconcolic ", env!("CARGO_PKG_VERSION"), "\n");
    assert!(version.starts_with(own), "{version}");
    let sample = place
        .path(&folder)
        .join("samples/calculator/calculator.erl");
    let sample = sample.to_str().expect("it is UTF-8");
    let run = elsewhere.run(&["explore", sample, "--entry", "calculate/1", "--first"]);
    assert_eq!(run.status, 1, "{run:?}");
}

#[test]
fn bad_usage_of_the_script_packs_nothing() {
    let place = Workplace::new(BINARY);
    let script = package_path("../scripts/dist.sh");
    let none = place.path("none");
    let dist = place.path("dist");
    for arguments in [vec![], vec![&none, &dist]] {
        let output = Command::new(&script).args(arguments).output();
        let output = output.expect("the script can be started");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(!dist.exists());
    }
}
