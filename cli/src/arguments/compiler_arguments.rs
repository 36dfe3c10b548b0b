//! How to compile modules.

use std::path::PathBuf;

use clap::Args;

use super::values::COMPILER;

/// How to compile modules.
#[derive(Args, Debug)]
pub(crate) struct CompilationOptions {
    /// Folder of included files, as erlc's -I (repeatable)
    #[arg(short = 'I', long = "include", value_name = "DIR", help_heading = COMPILER)]
    pub(crate) includes: Vec<PathBuf>,

    /// Macro to define, as erlc's -D (repeatable)
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]", help_heading = COMPILER)]
    pub(crate) defines: Vec<String>,

    /// Folder of compiled modules (parse transforms, behaviours), as erl's -pa (repeatable)
    #[arg(long = "pa", value_name = "DIR", help_heading = COMPILER)]
    pub(crate) code_paths: Vec<PathBuf>,
}
