//! Erlang values: what they are, how they travel (external term format) and how they read as
//! Erlang source.

mod external;
mod integer;
mod term;
mod text;

pub use external::{DecodeError, decode, encode};
pub use integer::Integer;
pub use term::{Atom, ExternalFun, Term};
pub use text::{write_core_string, write_float, write_quoted};
