//! Findings that the user accepts, and the file that lists them.

mod accept_file;
mod finding_key;

pub use accept_file::{AcceptFile, BadLine};
pub use finding_key::{FindingKey, key_in_report};
