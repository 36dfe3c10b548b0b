//! One module per command.

pub(crate) mod events;
pub(crate) mod flatten;
pub(crate) mod instrument;
pub(crate) mod run;

use std::io::{self, Write};
use std::path::Path;

use crate::failure::Failure;

/// Writes a result to standard output.
pub(crate) fn print_result(out: &mut impl Write, text: &str) -> Result<(), Failure> {
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // The reader has seen enough, as in `erlconcolic … | head`.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => {
            let path = Path::new("standard output");
            Err(Failure::io("write to", path, &error))
        }
        Ok(()) => Ok(()),
    }
}
