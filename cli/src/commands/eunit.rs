//! `erlconcolic eunit`: runs EUnit tests on instrumented code, and starts a search with their inputs.

use std::path::PathBuf;
use std::process::ExitCode;

use diagnostic::Diagnostic;

use crate::arguments::ExploreOptions;
use crate::commands::explore::{Seeding, run_seeded};
use crate::failure::Failure;

/// The macro that is defined where tests are compiled.
const TEST: &str = "TEST";

pub(crate) fn run(mut options: ExploreOptions) -> Result<ExitCode, Failure> {
    if options.sources.is_empty() {
        options.sources = usual_folders()?;
    }
    if !options.compilation.defines.iter().any(|it| it == TEST) {
        options.compilation.defines.push(TEST.to_owned());
    }
    let named = [&options.entries, &options.modules];
    let played = [&options.machines.machines, &options.machines.calls];
    let mut named = named.into_iter().chain(played);
    let is_chosen = options.all || named.any(|it| !it.is_empty());
    let seeding = if is_chosen {
        Seeding::Tests
    } else {
        options.all = true;
        Seeding::TestsAlone
    };
    run_seeded(&options, seeding)
}

/// The folders of a usual project.
fn usual_folders() -> Result<Vec<PathBuf>, Failure> {
    let folders = ["src", "test"].map(PathBuf::from).into_iter();
    let folders: Vec<PathBuf> = folders.filter(|it| it.is_dir()).collect();
    if folders.is_empty() {
        let title = "there is neither src/ nor test/ in this folder";
        return Err(Diagnostic::error("no-sources", title)
            .help("name files or folders")
            .into());
    }
    Ok(folders)
}
