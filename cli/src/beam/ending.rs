//! Ends a BEAM whose input was closed.

use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

/// How long the process may take to halt by itself.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often we check.
const PAUSE: Duration = Duration::from_millis(1);

/// Waits until a process ends, and kills it if it does not: it may be in native code, or stopped.
pub(super) fn end(child: &mut Child) {
    let deadline = Instant::now() + PATIENCE;
    while Instant::now() < deadline {
        match child.try_wait() {
            Ok(None) => thread::sleep(PAUSE),
            Ok(Some(_)) | Err(_) => return,
        }
    }
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_process_that_does_not_end_is_killed() {
        let start = Instant::now();
        let mut child = Command::new("sleep")
            .arg("600")
            .spawn()
            .expect("it is there");
        end(&mut child);
        assert!(start.elapsed() < Duration::from_secs(60));
        assert!(child.try_wait().is_ok_and(|status| status.is_some()));
    }

    #[test]
    fn a_process_that_ends_by_itself_is_not_killed() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn();
        let child = child.as_mut().expect("it is there");
        drop(child.stdin.take());
        end(child);
        let status = child.try_wait().expect("it can be asked");
        assert!(status.is_some_and(|status| status.success()));
    }
}
