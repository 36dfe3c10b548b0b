//! Elixir: values, functions and exceptions as Elixir source and in the words of Elixir.

mod elixir_exception;
mod elixir_names;
mod elixir_numbers;
mod elixir_strings;
mod elixir_structs;
mod elixir_writer;
mod known_structs;

pub(crate) use elixir_exception::{ElixirException, exit_text};
pub(crate) use elixir_names::{module_name, shown_function};
pub(crate) use elixir_strings::quoted;
pub(crate) use elixir_writer::ElixirWriter;
pub(crate) use known_structs::KnownStructs;
