//! The front end: Core Erlang text in, flat Core Erlang out.
//!
//! ```text
//! text ── lexer ── grammar ──▶ ast::CoreModule ── passes ──▶ flat::Module ──▶ ast::CoreModule ──▶ text
//! ```

pub mod ast;
mod complaint;
mod constants;
mod explain;
pub mod flat;
mod lexer;
mod parse_error;
mod parser;
pub mod passes;
mod printer;
mod scanned;
mod tokens;
mod tree_building;
mod words;

pub use parse_error::ParseError;
pub use parser::parse_module;
pub use passes::flatten;
pub use printer::{Detail, print_module};
pub use scanned::scanned;
