//! Whether Mix finds our task in the project of the current folder.

use std::fs;
use std::path::Path;

use super::check::Check;
use crate::installed::find_program;

const ELIXIR: &str = "Elixir";
const NAME: &str = "Mix task";
const PACKAGE: &str = "mix_erlconcolic";

/// The checks; none outside of Mix projects.
pub(super) fn mix(folder: &Path) -> Vec<Check> {
    match fs::read_to_string(folder.join("mix.exs")) {
        Ok(text) => vec![elixir(), package(folder, &text)],
        Err(_) => Vec::new(),
    }
}

fn elixir() -> Check {
    match find_program("mix") {
        Some(path) => Check::ok(ELIXIR, path.display().to_string()),
        None => {
            let advice = "install Elixir 1.14 or newer (on Debian and Ubuntu: apt install elixir)";
            Check::warning(ELIXIR, "mix is not on the PATH", advice)
        }
    }
}

fn package(folder: &Path, text: &str) -> Check {
    let is_code = |line: &&str| !line.trim_start().starts_with('#');
    let mut lines = text.lines().filter(is_code);
    let Some(line) = lines.find(|it| it.contains(PACKAGE)) else {
        let advice = format!(
            "for mix concolic, add {{:{PACKAGE}, path: \"path/to/{PACKAGE}\", \
             only: [:dev, :test], runtime: false}} to deps, or install the package as an archive"
        );
        return Check::warning(NAME, "mix.exs does not name it", advice);
    };
    match path_in(line).filter(|it| !folder.join(it).join("mix.exs").is_file()) {
        Some(path) => {
            let found = format!("mix.exs names {PACKAGE}, but it is not in {path}");
            let advice =
                format!("write the path of elixir-support/{PACKAGE} of erlconcolic's repository");
            Check::warning(NAME, found, advice)
        }
        None => Check::ok(NAME, "mix.exs names it"),
    }
}

/// The folder in `path: "folder"`, if it is written out.
fn path_in(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("path:")?;
    let (path, _) = rest.trim_start().strip_prefix('"')?.split_once('"')?;
    (!path.contains("#{")).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::doctor::check::Status;

    #[test]
    fn the_package_is_looked_for_in_the_project() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let check = |text: &str| package(folder.path(), text);
        assert_eq!(check("defp deps, do: []").status, Status::Warning);
        assert_eq!(
            check("# {:mix_erlconcolic, path: \"x\"}").status,
            Status::Warning
        );
        let line = "{:mix_erlconcolic, path: \"vendor/it\", only: :dev}";
        assert!(check(line).found.ends_with("but it is not in vendor/it"));
        let place = folder.path().join("vendor/it");
        fs::create_dir_all(&place).expect("it can be made");
        fs::write(place.join("mix.exs"), "").expect("it can be written");
        assert_eq!(check(line).status, Status::Ok);
        assert_eq!(check("{:mix_erlconcolic, \"~> 0.1\"}").status, Status::Ok);
    }

    #[test]
    fn other_folders_are_not_checked() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        assert_eq!(mix(folder.path()), []);
    }
}
