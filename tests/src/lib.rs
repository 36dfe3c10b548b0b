//! What the tests and measurements of the whole tool share.
//!
//! - [`erlang`]: runs `erl` and `erlc`;
//! - [`otp`]: the sources of OTP's applications;
//! - [`beam_file`]: the chunks of a compiled module;
//! - [`flat_beams`]: modules by way of their flat form;
//! - [`tool`]: the command as a user types it.

pub mod beam_file;
pub mod erlang;
pub mod flat_beams;
pub mod otp;
pub mod tool;
