//! Shared by the tests and measurements of the whole tool.
//!
//! - [`benchmarks`]: reports of measurements, joined and compared;
//! - [`case_comments`]: what exploring the cases must find;
//! - [`elixir`]: runs `elixir` and `elixirc`, where they are installed;
//! - [`erlang`]: runs `erl` and `erlc`;
//! - [`exploring`]: searches without the command line;
//! - [`faults`]: fault injection into searches;
//! - [`large_modules`]: generated modules of thousands of clauses;
//! - [`otp`]: the sources of OTP's applications;
//! - [`beam_file`]: the chunks of a compiled module;
//! - [`flat_beams`]: modules by way of their flat form;
//! - [`fuzz`]: damaged input for the readers of the tool;
//! - [`instrumented_otp`]: modules of OTP with emitters, beside the originals;
//! - [`instrumented_semantics`]: the events of a flat program, by evaluating it;
//! - [`random_erlang`]: functions in Erlang with patterns, guards and recursion;
//! - [`random_programs`]: programs of the paper's language;
//! - [`random_readers`]: functions in Erlang that read binaries;
//! - [`random_recursion`]: functions in Erlang that go on after their calls;
//! - [`random_terms`]: values of all types;
//! - [`rebar3`]: projects that real rebar3 or Mix works on;
//! - [`tool`]: the command as a user types it.

pub mod beam_file;
pub mod benchmarks;
pub mod case_comments;
pub mod elixir;
pub mod erlang;
pub mod exploring;
pub mod faults;
pub mod flat_beams;
pub mod fuzz;
pub mod instrumented_otp;
pub mod instrumented_semantics;
pub mod large_modules;
pub mod otp;
pub mod random_bits;
pub mod random_erlang;
pub mod random_loops;
pub mod random_programs;
pub mod random_readers;
pub mod random_recursion;
pub mod random_sums;
pub mod random_terms;
pub mod rebar3;
pub mod scheduled_runs;
pub mod tool;
