//! Access to the texts of sources.

use std::path::Path;

/// Reads the text of a source; `None` if the file is gone or is not a text.
pub type ReadSource<'files> = &'files dyn Fn(&Path) -> Option<String>;
