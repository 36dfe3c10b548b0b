//! The exit status of the tool.

/// The tool failed.
pub(crate) const EXIT_FAILURE: u8 = 2;
