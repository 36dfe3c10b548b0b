//! A pipe with a timeout.

use std::io::{self, PipeReader, Read};
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// Reads from a pipe; fails after the deadline, if there is one.
#[derive(Debug)]
pub(super) struct Patient {
    pipe: PipeReader,
    deadline: Option<Instant>,
}

impl Patient {
    /// Without a deadline.
    pub(super) fn new(pipe: PipeReader) -> Self {
        Self {
            pipe,
            deadline: None,
        }
    }

    /// Waits until this moment.
    pub(super) fn wait_until(&mut self, deadline: Instant) {
        self.deadline = Some(deadline);
    }
}

impl Read for Patient {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(deadline) = self.deadline {
            let time = deadline.saturating_duration_since(Instant::now());
            let time = Timespec::try_from(time).map_err(io::Error::other)?;
            // Both data and the end of the pipe are events.
            let mut events = [PollFd::new(&self.pipe, PollFlags::IN)];
            if poll(&mut events, Some(&time))? == 0 {
                return Err(io::ErrorKind::TimedOut.into());
            }
        }
        self.pipe.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::time::Duration;

    use super::*;

    #[test]
    fn reading_ends_at_the_deadline() {
        let (reader, mut writer) = io::pipe().expect("there are pipes");
        let mut patient = Patient::new(reader);
        patient.wait_until(Instant::now() + Duration::from_millis(20));
        writer.write_all(b"ab").expect("it is open");
        let mut buffer = [0; 4];
        assert_eq!(patient.read(&mut buffer).expect("it is there"), 2);
        let error = patient.read(&mut buffer).expect_err("nothing comes");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        drop(writer);
        assert_eq!(patient.read(&mut buffer).expect("it is closed"), 0);
    }
}
