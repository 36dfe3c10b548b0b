//! BEAM processes: the helper that compiles for us, and the workers that run inputs.
//!
//! We talk to a BEAM over pipes on its file descriptors 3 and 4, never over stdout, so its output
//! does no harm. Its modules are embedded in this program.

mod beam_error;
mod beam_process;
mod beam_rules;
mod compiler_message;
mod ending;
mod helper;
mod loadable;
mod member_beam;
mod own_beam;
mod packed;
mod patient;
mod process_model;
mod program_output;
mod replies;
mod run_answer;
mod standby;
pub mod worker;
mod worker_code;

pub use beam_error::BeamError;
pub(crate) use beam_process::RUNTIME_BEAMS;
pub use beam_rules::BeamRules;
pub use compiler_message::Message;
pub(crate) use compiler_message::parse_messages;
pub use helper::{Effort, Helper, Pending};
pub use loadable::Beam;
pub(crate) use member_beam::{MemberBeam, MemberEvents};
pub(crate) use process_model::MAX_STEPS;
pub use process_model::{DeliveryModel, ProcessModel, TimeModel};
pub(crate) use program_output::ProgramOutput;
pub use replies::Answer;
pub use run_answer::GateReport;
pub use standby::Standby;
