//! BEAMs that start before they are needed.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use erlang_term::Term;

use super::beam_error::BeamError;
use super::own_beam::OwnBeam;
use super::program_output::ProgramOutput;

/// Starting a BEAM takes as long as all other work of a short command, so it happens in the
/// background.
#[derive(Debug)]
pub struct Standby {
    /// In the order in which they were started; `None` when no more are needed.
    beams: Mutex<Option<Vec<OwnBeam>>>,
    /// Where the output of programs is kept; if nowhere, it goes to our stderr.
    output: OnceLock<Arc<ProgramOutput>>,
}

impl Default for Standby {
    fn default() -> Self {
        Self {
            beams: Mutex::new(Some(Vec::new())),
            output: OnceLock::new(),
        }
    }
}

impl Standby {
    /// From now on the output of programs is kept apart.
    pub(crate) fn keep_output(&self) -> Arc<ProgramOutput> {
        Arc::clone(self.output.get_or_init(Arc::default))
    }

    /// Starts one more BEAM, and sends it some commands whose answers are ignored. Does not wait
    /// until it is ready. Errors are ignored: they show up again when a BEAM is needed.
    pub(crate) fn start_one(&self, most_bytes: u64, rehearsal: impl IntoIterator<Item = Term>) {
        if let Some(beams) = self.lock().as_mut()
            && let Ok(mut beam) = OwnBeam::start(most_bytes, self.output.get())
        {
            for command in rehearsal {
                beam.send(command);
            }
            beams.push(beam);
        }
    }

    /// The BEAM that was started first, or else a new one.
    pub(crate) fn take(&self, most_bytes: u64) -> Result<OwnBeam, BeamError> {
        if let Some(beams) = self.lock().as_mut()
            && !beams.is_empty()
        {
            return Ok(beams.remove(0));
        }
        OwnBeam::start(most_bytes, self.output.get())
    }

    /// A new BEAM, from a boot file.
    pub(crate) fn start_from(&self, boot: &str, most_bytes: u64) -> Result<OwnBeam, BeamError> {
        OwnBeam::start_from(boot, most_bytes, self.output.get())
    }

    /// Ends the unused BEAMs, and starts no more in advance.
    pub(crate) fn close(&self) {
        *self.lock() = None;
    }

    fn lock(&self) -> MutexGuard<'_, Option<Vec<OwnBeam>>> {
        self.beams.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
