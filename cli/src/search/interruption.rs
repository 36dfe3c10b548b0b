//! Ends a search from outside: by signals, or when the parent process ends.

use std::ffi::c_int;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_shutdown, register_usize};

use crate::failure::Failure;

/// The exit status after Ctrl-C.
const INTERRUPTED: u8 = 130;
/// Signals that end the search with a report, and the exit status: 128 plus the number of the signal,
/// as shells report it.
const SIGNALS: [(c_int, u8); 3] = [(SIGINT, INTERRUPTED), (SIGTERM, 143), (SIGHUP, 129)];

/// Whether a search should end, and why.
#[derive(Debug)]
pub(crate) struct Interruption {
    is_set: Arc<AtomicBool>,
    /// The exit status of the last signal; 0 if there was none.
    status: Arc<AtomicUsize>,
}

impl Interruption {
    /// Watches for signals; a second one ends the tool at once. Also watches a descriptor that is
    /// closed when the parent process ends, if there is one.
    pub(crate) fn watch(descriptor: Option<u32>) -> Result<Self, Failure> {
        let it = Self {
            is_set: Arc::default(),
            status: Arc::default(),
        };
        for (signal, status) in SIGNALS {
            // `nohup` ignores the signal, so that the tool goes on.
            if signal != SIGHUP || !is_ignored(signal) {
                it.watch_signal(signal, status)
                    .map_err(|error| Failure::io("wait for", Path::new("signals"), &error))?;
            }
        }
        if let Some(descriptor) = descriptor {
            it.watch_descriptor(descriptor)?;
        }
        Ok(it)
    }

    /// Whether the search should end.
    pub(crate) fn is_set(&self) -> bool {
        self.is_set.load(Ordering::Relaxed)
    }

    /// The exit status, if the search should end.
    pub(crate) fn status(&self) -> Option<u8> {
        let status = u8::try_from(self.status.load(Ordering::Relaxed));
        let signalled = status.ok().filter(|status| *status != 0);
        self.is_set().then(|| signalled.unwrap_or(INTERRUPTED))
    }

    fn watch_signal(&self, signal: c_int, status: u8) -> io::Result<()> {
        // Actions run in this order, so the flag is not set yet at the first signal.
        register_conditional_shutdown(signal, status.into(), Arc::clone(&self.is_set))?;
        register_usize(signal, Arc::clone(&self.status), status.into())?;
        register(signal, Arc::clone(&self.is_set))?;
        Ok(())
    }

    fn watch_descriptor(&self, descriptor: u32) -> Result<(), Failure> {
        // Opened by path, so that a descriptor that does not exist is an error.
        let path = PathBuf::from(format!("/dev/fd/{descriptor}"));
        let mut pipe = File::open(&path).map_err(|error| Failure::io("read", &path, &error))?;
        let flag = Arc::clone(&self.is_set);
        thread::spawn(move || {
            // A pipe that cannot be read counts as closed.
            let _ = io::copy(&mut pipe, &mut io::sink());
            flag.store(true, Ordering::Relaxed);
        });
        Ok(())
    }
}

/// Whether a signal was ignored when the tool was started, if the system tells.
fn is_ignored(signal: c_int) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    ignores(&status, signal)
}

/// Whether a process ignores a signal, given its status file.
fn ignores(status: &str, signal: c_int) -> bool {
    let mut lines = status.lines();
    let mask = lines.find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|text| u64::from_str_radix(text.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_signals_are_the_bits_of_a_mask() {
        let status = "Name:\tx\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000001001\n";
        assert!(ignores(status, SIGHUP));
        assert!(!ignores(status, SIGINT));
        assert!(!ignores(status, SIGTERM));
        assert!(!ignores("", SIGHUP));
    }
}
