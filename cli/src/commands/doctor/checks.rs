//! The checks. Each uses a program or folder as the other commands do.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use erlang_term::{Atom, Term};
use rayon::prelude::*;
use solver::z3_version;

use super::check::Check;
use super::mix_check::mix;
use super::plugin_check::plugin;
use crate::beam::{BeamError, Effort, Helper};
use crate::failure::Failure;
use crate::installed::{find_program, otp_version, otp_version_below};
use crate::program::library_code::beam_path;
use crate::program::library_models::followed_without_model;
use crate::sources::cache::Cache;
use crate::sources::front_end::{FrontEnd, Settings};

/// The oldest supported release.
const SUPPORTED: u32 = 25;
/// A release that may work, but is not tested.
const UNTESTED: u32 = 24;

const INSTALL_ERLANG: &str =
    "install Erlang/OTP 25 or newer (on Debian and Ubuntu: apt install erlang-nox)";

/// A module to compile.
const SAMPLE: &str = "-module(sample).\n-export([f/1]).\nf([X | _]) when X > 0 -> {ok, X}.\n";

/// All checks, in the order in which things are needed.
pub(super) fn all() -> Vec<Check> {
    let front_end = FrontEnd::with_settings(Settings::default());
    let mut checks = vec![erl()];
    let mut of_project = None;
    if find_program("erl").is_some() {
        let (check, helper) = helper(&front_end);
        checks.push(check);
        if let Some(helper) = helper {
            checks.push(release(&helper));
            checks.push(compiler(&front_end));
            checks.push(library(&front_end, &helper));
            of_project = plugin(&helper);
        }
    }
    checks.push(Check::ok("Z3", z3_version()));
    checks.push(cache());
    checks.push(temporary_folder());
    checks.push(working_folder());
    checks.push(rebar3());
    checks.extend(of_project);
    checks.extend(env::current_dir().map(|it| mix(&it)).unwrap_or_default());
    checks
}

fn erl() -> Check {
    let name = "erl";
    match find_program("erl") {
        None => Check::missing(name, "not on the PATH", INSTALL_ERLANG),
        Some(erl) => {
            let version = otp_version(&erl).map(|version| format!(", Erlang/OTP {version}"));
            let version = version.unwrap_or_default();
            Check::ok(name, format!("{}{version}", erl.display()))
        }
    }
}

/// The cache of compiled modules.
fn cache() -> Check {
    let name = "cache";
    let cache = Cache::of_user();
    let Some(folder) = cache.folder() else {
        let advice =
            "commands take longer without it; unset ERLCONCOLIC_CACHE, or set it to a folder";
        return Check::warning(name, "it is turned off", advice);
    };
    let key = "doctor";
    cache.put(key, name.as_bytes());
    if cache.get(key).is_some() {
        Check::ok(name, folder.display().to_string())
    } else {
        let found = format!("{} is not writable", folder.display());
        let advice = "commands take longer without it; set ERLCONCOLIC_CACHE to another folder";
        Check::warning(name, found, advice)
    }
}

/// Starts the helper as every command does, and sends it a request.
fn helper(front_end: &FrontEnd) -> (Check, Option<Arc<Helper>>) {
    let name = "helper BEAM";
    let started = front_end.helper().and_then(|helper| {
        let answer = helper.call(Term::atom("ping"))?;
        let answer = answer.map_err(|messages| BeamError::refused("ping", messages))?;
        Ok((helper, answer))
    });
    match started {
        Ok((helper, answer)) => {
            let erts = text_of(&answer, "erts");
            let found = format!("it starts and answers (ERTS {erts})");
            (Check::ok(name, found), Some(helper))
        }
        Err(error) => {
            let advice = "run erl yourself to see why; are ERL_FLAGS or ERL_LIBS set?";
            (Check::missing(name, error.to_string(), advice), None)
        }
    }
}

/// The text under a key of the answer to a ping.
fn text_of(answer: &Term, key: &str) -> String {
    let bytes = answer.get(key).and_then(Term::as_binary);
    String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned()
}

fn release(helper: &Helper) -> Check {
    let answer = helper.call(Term::atom("ping"));
    let answer = answer.ok().and_then(Result::ok);
    let key = |key: &str| {
        answer
            .as_ref()
            .map_or_else(String::new, |it| text_of(it, key))
    };
    let release = key("otp_release");
    let full = otp_version_below(Path::new(&key("root")));
    release_check(&release, &full.unwrap_or_else(|| release.clone()))
}

fn release_check(release: &str, full: &str) -> Check {
    let name = "Erlang/OTP";
    // Releases before 17 have names such as R16B03.
    match release.parse::<u32>().unwrap_or(0) {
        number if number >= SUPPORTED => Check::ok(name, full),
        UNTESTED => Check::warning(
            name,
            format!("{full} may work, but is not tested"),
            "use 25 or newer",
        ),
        _ => Check::missing(name, format!("{full} is too old"), INSTALL_ERLANG),
    }
}

/// Compiles a source to Core Erlang, and this to code.
fn compiler(front_end: &FrontEnd) -> Check {
    let name = "compiler";
    match compile_sample(front_end) {
        Ok(()) => Check::ok(name, "it compiles a module"),
        Err(failure) => Check::missing(
            name,
            format!("it cannot compile a module: {}", titles(&failure)),
            "install Erlang's compiler application (on Debian and Ubuntu: apt install erlang-nox)",
        ),
    }
}

fn compile_sample(front_end: &FrontEnd) -> Result<(), Failure> {
    let place = env::temp_dir();
    let failed = |error: std::io::Error| Failure::io("write to", &place, &error);
    let folder = tempfile::tempdir().map_err(failed)?;
    let path = folder.path().join("sample.erl");
    std::fs::write(&path, SAMPLE).map_err(failed)?;
    for module in front_end.load(&[path])? {
        let compiled = front_end
            .helper()?
            .compile_core(&module.text, Effort::Usual)?;
        compiled.map_err(|messages| BeamError::refused("Core Erlang", messages))?;
    }
    Ok(())
}

/// Following OTP modules needs the debug information in their beams.
fn library(front_end: &FrontEnd, helper: &Helper) -> Check {
    let name = "library";
    let advice = "install an Erlang/OTP whose modules have debug information, or skip these \
                  modules with --opaque";
    let modules: Vec<&str> = followed_without_model().collect();
    let broken: Vec<&str> = modules
        .par_iter()
        .filter(|module| !can_be_followed(front_end, helper, module))
        .copied()
        .collect();
    if broken.is_empty() {
        let found = format!("{} OTP modules can be followed", modules.len());
        Check::ok(name, found)
    } else {
        let found = format!(
            "these OTP modules cannot be followed: {}",
            broken.join(", ")
        );
        Check::missing(name, found, advice)
    }
}

fn can_be_followed(front_end: &FrontEnd, helper: &Helper, module: &str) -> bool {
    let path = beam_path(helper, &Atom::new(module));
    path.is_ok_and(|path| path.is_some_and(|path| front_end.load(&[path]).is_ok()))
}

fn titles(failure: &Failure) -> String {
    let titles: Vec<&str> = failure.0.iter().map(|it| it.title.as_str()).collect();
    titles.join("; ")
}

fn temporary_folder() -> Check {
    let name = "temporary files";
    let folder = env::temp_dir();
    match tempfile::tempdir() {
        Ok(_) => Check::ok(name, format!("{} is writable", folder.display())),
        Err(error) => Check::warning(
            name,
            format!("{} is not writable: {}", folder.display(), reason(&error)),
            "set TMPDIR to another folder",
        ),
    }
}

/// The usual place for the folders of `instrument -o` and `--state`.
fn working_folder() -> Check {
    let name = "this folder";
    let folder = env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    match tempfile::tempdir_in(&folder) {
        Ok(_) => Check::ok(name, format!("{} is writable", folder.display())),
        Err(error) => Check::warning(
            name,
            format!("{} is not writable: {}", folder.display(), reason(&error)),
            "instrument -o and explore --state need another folder",
        ),
    }
}

/// Why a folder is not writable, without the path of the temporary file.
fn reason(error: &std::io::Error) -> String {
    error.kind().to_string()
}

fn rebar3() -> Check {
    let name = "rebar3";
    match find_program("rebar3") {
        Some(path) => Check::ok(name, path.display().to_string()),
        None => Check::warning(name, "not on the PATH", "only the rebar3 plugin needs it"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::Status;
    use super::*;

    #[test]
    fn releases_from_25_on_are_supported() {
        let status = |release: &str| release_check(release, release).status;
        assert_eq!(status("25"), Status::Ok);
        assert_eq!(status("28"), Status::Ok);
        assert_eq!(status("24"), Status::Warning);
        assert_eq!(status("23"), Status::Missing);
        assert_eq!(status("R16B03"), Status::Missing);
    }
}
