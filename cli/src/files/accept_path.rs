//! Where the file of accepted findings is.

use std::path::{Path, PathBuf};

use diagnostic::Diagnostic;
use reports::AcceptFile;

use crate::failure::Failure;
use crate::files::plain_file;

/// The usual name of the file.
const NAME: &str = "erlconcolic.accept";
/// It lies beside this one.
const PROJECT: &str = "rebar.config";

/// The usual place of the file: beside the `rebar.config` of the current folder, or of the nearest
/// folder above the sources; otherwise in the current folder.
pub(crate) fn usual_path(sources: &[PathBuf]) -> PathBuf {
    let here = Path::new(NAME);
    if here.exists() || Path::new(PROJECT).exists() {
        return here.to_owned();
    }
    let above = sources.first().and_then(|it| it.canonicalize().ok());
    let mut above = above.iter().flat_map(|it| it.ancestors());
    let project = above.find(|it| it.join(PROJECT).is_file());
    project.map_or_else(|| here.to_owned(), |it| it.join(NAME))
}

/// The accepted findings in a file; none if it does not exist.
pub(crate) fn read_if_there(path: &Path) -> Result<AcceptFile, Failure> {
    let is_there = plain_file::is_there(path).map_err(|error| Failure::io("read", path, &error))?;
    if is_there {
        read(path)
    } else {
        Ok(AcceptFile::default())
    }
}

/// The accepted findings in a file.
pub(crate) fn read(path: &Path) -> Result<AcceptFile, Failure> {
    let bytes = plain_file::read(path).map_err(|error| Failure::io("read", path, &error))?;
    let text = String::from_utf8(bytes).map_err(|_| bad(path, "it is not UTF-8"))?;
    AcceptFile::parse(&text).map_err(|line| {
        let place = PathBuf::from(format!("{}:{}", path.display(), line.number));
        bad(&place, line.why)
    })
}

fn bad(path: &Path, why: &str) -> Failure {
    let title = format!("{}: {why}", path.display());
    Diagnostic::error("bad-accept", title)
        .help(
            "a line is a function, a class, a reason and a file: m:f/2  error  badarith  src/m.erl",
        )
        .help("comments begin with %")
        .into()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_file_is_beside_the_nearest_rebar_config() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let root = folder.path().canonicalize().expect("it is there");
        fs::create_dir_all(root.join("a/src")).expect("it can be made");
        fs::write(root.join("rebar.config"), "").expect("it can be written");
        fs::write(root.join("a/src/m.erl"), "").expect("it can be written");
        assert_eq!(usual_path(&[root.join("a/src")]), root.join(NAME));
        assert_eq!(usual_path(&[root.join("a/src/m.erl")]), root.join(NAME));
        assert_eq!(usual_path(&[]), Path::new(NAME));
    }

    #[test]
    fn a_bad_line_is_named() {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let path = folder.path().join("x.accept");
        fs::write(&path, "% fine\nm:f/1 nonsense\n").expect("it can be written");
        let failure = read(&path).expect_err("it is bad");
        let title = &failure.0.first().expect("there is a message").title;
        assert!(title.contains("x.accept:2: "), "{title}");
    }
}
