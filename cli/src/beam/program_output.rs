//! The output of workers: programs that write to `user` or to standard error, reports of crashed
//! processes, and the BEAM's own words.

use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How many bytes are kept.
const MAX_KEPT: usize = 64 * 1024;

/// How long we wait for the last output of workers that have ended.
const PATIENCE: Duration = Duration::from_secs(1);

/// The output of all workers, kept apart from that of the tool.
#[derive(Debug, Default)]
pub(crate) struct ProgramOutput {
    kept: Mutex<Kept>,
    has_read: Condvar,
}

#[derive(Debug, Default)]
struct Kept {
    start: Vec<u8>,
    lines: usize,
    /// How many workers may still write.
    writers: usize,
}

impl ProgramOutput {
    /// Where a worker may write. A thread reads it until all writers are closed.
    pub(super) fn pipe(self: &Arc<Self>) -> io::Result<PipeWriter> {
        let (reader, writer) = io::pipe()?;
        let output = Arc::clone(self);
        self.lock().writers += 1;
        thread::spawn(move || output.keep_all(reader));
        Ok(writer)
    }

    /// How many lines were written by workers that have ended.
    pub(crate) fn lines(&self) -> usize {
        let has_more = |kept: &mut Kept| kept.writers > 0;
        let waited = self
            .has_read
            .wait_timeout_while(self.lock(), PATIENCE, has_more);
        waited.unwrap_or_else(PoisonError::into_inner).0.lines
    }

    /// Writes the first lines to stderr. They may say why a BEAM could not be used.
    pub(crate) fn show(&self) {
        // If the terminal is gone, there is nowhere to report it.
        let _ = io::stderr().lock().write_all(&self.lock().start);
    }

    fn keep_all(&self, mut reader: PipeReader) {
        let mut bytes = vec![0; 4096];
        // An error means that nobody can write any more.
        while let Ok(count @ 1..) = reader.read(&mut bytes) {
            self.lock().add(bytes.get(..count).unwrap_or_default());
        }
        self.lock().writers -= 1;
        self.has_read.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn add(&mut self, bytes: &[u8]) {
        self.lines += bytes.iter().filter(|byte| **byte == b'\n').count();
        let room = MAX_KEPT.saturating_sub(self.start.len());
        let kept = bytes.iter().take(room);
        self.start.extend(kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_and_the_first_are_kept() {
        let mut kept = Kept::default();
        kept.add(b"one\ntwo");
        kept.add(b" more\n");
        assert_eq!(
            (kept.lines, kept.start.as_slice()),
            (2, &b"one\ntwo more\n"[..])
        );
        for _ in 0..MAX_KEPT {
            kept.add(b"\n\n");
        }
        assert_eq!((kept.lines, kept.start.len()), (2 + 2 * MAX_KEPT, MAX_KEPT));
    }
}
