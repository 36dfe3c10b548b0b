//! Writes results to standard output.

use std::io::{self, Write};
use std::path::Path;

use crate::failure::Failure;

/// Writes a result to standard output, in one or more pieces.
pub(crate) fn print_result<Text: AsRef<str>>(
    out: &mut impl Write,
    texts: impl IntoIterator<Item = Text>,
) -> Result<(), Failure> {
    let mut texts = texts.into_iter();
    print_by(out, |out| {
        texts.try_for_each(|text| out.write_all(text.as_ref().as_bytes()))
    })
}

/// The same with a function that writes.
pub(crate) fn print_by<Out: Write>(
    out: &mut Out,
    write: impl FnOnce(&mut Out) -> io::Result<()>,
) -> Result<(), Failure> {
    match write(out).and_then(|()| out.flush()) {
        // The reader has seen enough, as in `erlconcolic … | head`.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => {
            let path = Path::new("standard output");
            Err(Failure::io("write to", path, &error))
        }
        Ok(()) => Ok(()),
    }
}
