//! BEAMs that are started before they are needed.

use std::sync::{Mutex, MutexGuard, PoisonError};

use erlang_term::Term;

use super::{BeamError, OwnBeam};

/// A start takes as long as everything else that a short command does, so it should happen while
/// something else is done.
#[derive(Debug)]
pub struct Standby {
    /// Those that were started first come first; `None` when no more are wanted.
    beams: Mutex<Option<Vec<OwnBeam>>>,
}

impl Default for Standby {
    fn default() -> Self {
        Self {
            beams: Mutex::new(Some(Vec::new())),
        }
    }
}

impl Standby {
    /// Starts one more, which begins with some commands whose answers nobody needs. This does not
    /// wait until it is ready; if it fails, so will who needs it.
    pub(crate) fn start_one(&self, most_bytes: u64, rehearsal: impl IntoIterator<Item = Term>) {
        if let Some(beams) = self.lock().as_mut()
            && let Ok(mut beam) = OwnBeam::start(most_bytes)
        {
            for command in rehearsal {
                beam.send(command);
            }
            beams.push(beam);
        }
    }

    /// The one that was started first, or else a new one.
    pub(crate) fn take(&self, most_bytes: u64) -> Result<OwnBeam, BeamError> {
        if let Some(beams) = self.lock().as_mut()
            && !beams.is_empty()
        {
            return Ok(beams.remove(0));
        }
        OwnBeam::start(most_bytes)
    }

    /// Ends those that nobody took; no more are started before they are needed.
    pub(crate) fn close(&self) {
        *self.lock() = None;
    }

    fn lock(&self) -> MutexGuard<'_, Option<Vec<OwnBeam>>> {
        self.beams.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
