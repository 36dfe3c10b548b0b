//! The languages of programs.

use std::fmt;

use erlang_term::Atom;
use flattener::flat::is_elixir_module;

/// The language that a module is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Erlang, and all other languages that compile to it.
    Erlang,
    /// Elixir.
    Elixir,
}

impl Language {
    /// The language of a module, which its name shows.
    pub fn of(module: &Atom) -> Self {
        if is_elixir_module(module.as_str()) {
            Self::Elixir
        } else {
            Self::Erlang
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Erlang => "Erlang",
            Self::Elixir => "Elixir",
        })
    }
}
