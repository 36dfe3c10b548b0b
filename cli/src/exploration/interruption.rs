//! What ends a search from outside: signals, and the end of whoever started the tool.

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
/// Signals after which the search ends with its report, and the exit status then: 128 and the
/// number of the signal, which is what a shell says of a program that a signal ended.
const SIGNALS: [(c_int, u8); 3] = [(SIGINT, INTERRUPTED), (SIGTERM, 143), (SIGHUP, 129)];

/// Whether a search is to end, and why.
#[derive(Debug)]
pub(crate) struct Interruption {
    is_set: Arc<AtomicBool>,
    /// The exit status of the signal that came last; 0 if there was none.
    status: Arc<AtomicUsize>,
}

impl Interruption {
    /// Watches for signals; a second one ends the tool at once. Also watches for the end of whoever
    /// started the tool, if a descriptor is named that is closed then.
    pub(crate) fn watch(descriptor: Option<u32>) -> Result<Self, Failure> {
        let it = Self {
            is_set: Arc::default(),
            status: Arc::default(),
        };
        for (signal, status) in SIGNALS {
            // Who started the tool with `nohup` wants it to go on.
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

    /// Whether the search is to end.
    pub(crate) fn is_set(&self) -> bool {
        self.is_set.load(Ordering::Relaxed)
    }

    /// The exit status, if the search was to end.
    pub(crate) fn status(&self) -> Option<u8> {
        let status = u8::try_from(self.status.load(Ordering::Relaxed));
        let signalled = status.ok().filter(|status| *status != 0);
        self.is_set().then(|| signalled.unwrap_or(INTERRUPTED))
    }

    fn watch_signal(&self, signal: c_int, status: u8) -> io::Result<()> {
        // Actions are taken in this order, so the first signal finds the flag not set.
        register_conditional_shutdown(signal, status.into(), Arc::clone(&self.is_set))?;
        register_usize(signal, Arc::clone(&self.status), status.into())?;
        register(signal, Arc::clone(&self.is_set))?;
        Ok(())
    }

    fn watch_descriptor(&self, descriptor: u32) -> Result<(), Failure> {
        // Not the descriptor itself: a number that does not exist must be an error.
        let path = PathBuf::from(format!("/dev/fd/{descriptor}"));
        let mut pipe = File::open(&path).map_err(|error| Failure::io("read", &path, &error))?;
        let flag = Arc::clone(&self.is_set);
        thread::spawn(move || {
            // A pipe that cannot be read is as good as closed.
            let _ = io::copy(&mut pipe, &mut io::sink());
            flag.store(true, Ordering::Relaxed);
        });
        Ok(())
    }
}

/// Whether a signal was ignored when the tool was started, where the system tells.
fn is_ignored(signal: c_int) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    ignores(&status, signal)
}

/// Whether a signal is among the ignored ones of a process, given what the system tells about it.
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
