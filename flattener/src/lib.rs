//! The front end: Core Erlang text in, flat Core Erlang out.
//!
//! ```text
//! text ── lexer ── grammar ──▶ ast::Module ── passes ──▶ flat::Module ──▶ ast::Module ──▶ text
//! ```

pub mod ast;
mod constants;
mod explain;
pub mod flat;
mod lexer;
mod notes;
mod parser;
pub mod passes;
mod printer;
mod read_ahead;
mod simple_lists;
mod simple_phrases;
mod words;

pub use parser::{ParseError, parse_module};
pub use passes::flatten;
pub use printer::{Detail, print_module};
