//! Damaged input for the readers of the tool, made from a corpus: the same for the same seed.
//!
//! The corpus is in `tests/fuzz/corpus`, a folder for each reader: small files of real shapes, and
//! every input that once broke something.

pub mod mutations;
pub mod targets;

use std::fs;
use std::path::{Path, PathBuf};

pub use targets::{FuzzTarget, TARGETS};

use crate::random_programs::Random;

/// The folder with the corpus of a reader.
pub fn corpus_folder(target: &FuzzTarget) -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.join("fuzz/corpus").join(target.name)
}

/// The corpus of a reader, in a fixed order.
///
/// # Panics
/// When it cannot be read.
pub fn corpus(target: &FuzzTarget) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(corpus_folder(target)).expect("each reader has a corpus");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut paths: Vec<PathBuf> = paths.collect();
    paths.sort();
    let texts = paths.iter().map(fs::read);
    texts.collect::<Result<_, _>>().expect("files can be read")
}

/// A damaged input for a reader.
pub fn damaged(target: &FuzzTarget, random: &mut Random, corpus: &[Vec<u8>]) -> Vec<u8> {
    let bytes = mutations::damage(random, corpus);
    (target.mend)(random, bytes)
}
