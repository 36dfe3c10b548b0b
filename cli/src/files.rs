//! Reads and writes files safely.

pub(crate) mod accept_path;
pub(crate) mod output;
pub(crate) mod plain_file;
