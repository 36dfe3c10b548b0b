//! Errors that end a command.

use std::io;
use std::path::Path;

use diagnostic::Diagnostic;

/// Why a command failed; at least one message is an error.
#[derive(Debug)]
pub struct Failure(pub Vec<Diagnostic>);

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Self {
        Self(vec![diagnostic])
    }
}

impl Failure {
    /// A file or folder cannot be read or written.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the system describes all other errors"
    )]
    pub(crate) fn io(action: &str, path: &Path, error: &io::Error) -> Self {
        let reason = match error.kind() {
            io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
            io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
            io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
                "a file is in the way".to_owned()
            }
            io::ErrorKind::IsADirectory => "a folder is in the way".to_owned(),
            io::ErrorKind::StorageFull => "no space left".to_owned(),
            _ => error.to_string(),
        };
        Diagnostic::error(
            "io",
            format!("cannot {action} {}: {reason}", path.display()),
        )
        .into()
    }
}
