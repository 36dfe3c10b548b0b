//! The programs that a fault needs.

use std::path::PathBuf;

/// The programs that rounds need.
#[derive(Clone, Debug)]
pub struct Programs {
    /// The tool.
    pub tool: PathBuf,
    /// The program that stands in for `erl` where a channel is cut.
    pub cutting_erl: PathBuf,
}
