//! The logs of instrumented programs: how they are written and read.
//!
//! ```text
//! instrumented program ── bytes ──▶ log ── decode, with the program's flat form ──▶ events
//! ```
//!
//! This crate is the one contract between the instrumenter, the Erlang runtime and the engine:
//! which event has which number ([`Numbering`]), which calls are followed ([`Program`],
//! [`CallKind`]), how numbers and values travel ([`LogReader`]), and how a log becomes the
//! sequence of events that the paper's semantics gives ([`decode`]). `docs/trace-format.md`
//! describes the bytes.

mod calls;
mod decode;
mod event;
mod file;
mod function_index;
mod log;
pub mod manifest;
mod matched_atoms;
mod notation;
mod numbering;
mod plan;
mod process_logs;
mod program;
mod schedule;
mod statement_places;

pub use calls::{CallKind, Callee};
pub use decode::{
    Broken, CallBack, Decoded, Ending, Happened, Listener, LogError, ProcessFollower, Progress,
    RunLog, decode, follow,
};
pub use event::{Event, EventKind, Payload};
pub use file::{LogFile, LogFileError};
pub use log::{LogReader, ReadError, encode_number};
pub use notation::Notation;
pub use numbering::{ENTER, EXIT, Numbering, RAISED, Wire, offset};
pub use plan::Plan;
pub use process_logs::{LeaseError, ProcessLogs, TakenLease, decode_leases, encode_leases};
pub use program::{Program, ProgramModule, body_name, is_long_name, native_copy, without_native};
pub use schedule::{Lease, ProcessPath, Schedule, ScheduleError, StepOwner};
