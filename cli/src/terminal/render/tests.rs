//! Messages as the user sees them.

use std::fs;
use std::path::PathBuf;

use diagnostic::Diagnostic;
use reports::draw_diagnostics;

use super::hint;
use crate::failure::Failure;
use crate::sources::front_end::{FrontEnd, Loaded, Settings};

/// The messages about a file that cannot be flattened.
fn message(path: PathBuf) -> String {
    let flatten = |loaded: Vec<Loaded>| {
        loaded
            .into_iter()
            .try_for_each(|one| one.flatten().map(drop))
    };
    let front_end = FrontEnd::with_settings(Settings::default());
    match front_end.load(&[path]).and_then(flatten) {
        Ok(()) => "no message".to_owned(),
        Err(Failure(diagnostics)) => draw_diagnostics(&diagnostics, false),
    }
}

#[test]
fn every_broken_file_has_a_message() {
    let folder = fs::read_dir("../flattener/tests/broken").expect("the folder is there");
    for entry in folder {
        let path = entry.expect("the folder can be read").path();
        let name = path.file_stem().expect("a file has a name");
        let name = name.to_string_lossy().into_owned();
        insta::with_settings!({
            snapshot_path => "broken",
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!(name, message(path));
        });
    }
}

#[test]
fn a_hint_names_the_code_if_there_is_one() {
    let io = Diagnostic::error("io", "cannot read");
    let other = Diagnostic::error("compile", "syntax error");
    let one = hint(&[io.clone(), io.clone()]);
    assert_eq!(one, "for more information: erlconcolic explain io");
    let several = hint(&[io, other]);
    assert!(several.contains("explain CODE"), "{several}");
}
