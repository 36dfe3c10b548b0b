//! The installed programs that the tool needs, and their versions.

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use solver::z3_version;

/// The version of this tool.
pub(crate) const OWN_VERSION: &str = env!("CARGO_PKG_VERSION");

/// Prints the release, if the files do not have it.
const ASK: &str = "io:put_chars(erlang:system_info(otp_release)), halt().";

/// The output of `--version`: this tool, Z3 and Erlang/OTP, a line each.
pub(crate) fn version_lines() -> String {
    let otp = match find_program("erl") {
        None => "not found".to_owned(),
        Some(erl) => otp_version(&erl)
            .or_else(|| ask_for_release(&erl))
            .unwrap_or_else(|| format!("unknown: {} does not start", erl.display())),
    };
    lines_with(&otp)
}

/// The same without starting a process, for crash reports.
pub(crate) fn version_lines_from_files() -> String {
    let version = find_program("erl").and_then(|erl| otp_version(&erl));
    lines_with(version.as_deref().unwrap_or("unknown"))
}

fn lines_with(otp: &str) -> String {
    format!("{OWN_VERSION}\nZ3 {}\nErlang/OTP {otp}", z3_version())
}

/// The first program with this name on the PATH.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| is_program(file))
}

fn is_program(path: &Path) -> bool {
    let metadata = fs::metadata(path);
    metadata.is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
}

/// The version of an installation, read from its files, which is fast.
pub(crate) fn otp_version(erl: &Path) -> Option<String> {
    // It is bin/erl in the root folder; usually the PATH has a link to it.
    let erl = fs::canonicalize(erl).ok()?;
    otp_version_below(erl.parent()?.parent()?)
}

/// The version of the installation in a folder.
pub(crate) fn otp_version_below(root: &Path) -> Option<String> {
    let releases = root.join("releases");
    let start = fs::read_to_string(releases.join("start_erl.data")).ok()?;
    let release = start.split_whitespace().nth(1)?;
    let full = fs::read_to_string(releases.join(release).join("OTP_VERSION"));
    let full = full.map(|text| text.trim().to_owned()).unwrap_or_default();
    Some(if full.is_empty() {
        release.to_owned()
    } else {
        full
    })
}

/// The release, asked from the BEAM: `erl` may be a script that starts another one.
fn ask_for_release(erl: &Path) -> Option<String> {
    let output = Command::new(erl)
        .args(["-boot", "no_dot_erlang", "-noinput", "-eval", ASK])
        .env("ERL_CRASH_DUMP_SECONDS", "0")
        // It does not start in a folder whose name is not UTF-8.
        .current_dir("/")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let text = text.trim();
    (output.status.success() && !text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An installation with these files in `releases`.
    fn installation(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            let path = root.path().join("releases").join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
            fs::write(path, text).expect("it can be written");
        }
        root
    }

    #[test]
    fn the_files_of_an_installation_have_its_version() {
        let full = [
            ("start_erl.data", "13.1.5 25\n"),
            ("25/OTP_VERSION", "25.2.3\n"),
        ];
        let version = |files: &[(&str, &str)]| otp_version_below(installation(files).path());
        assert_eq!(version(&full).as_deref(), Some("25.2.3"));
        assert_eq!(version(&full[..1]).as_deref(), Some("25"));
        assert_eq!(version(&[]), None);
        assert_eq!(version(&[("start_erl.data", "nonsense")]), None);
    }

    #[test]
    fn files_that_are_not_programs_are_not_found() {
        assert_eq!(find_program("erlconcolic-no-such-program"), None);
        assert_eq!(otp_version(Path::new("/none/bin/erl")), None);
        assert!(!is_program(Path::new("/")));
    }
}
