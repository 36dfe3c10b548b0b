//! Erlang values: what they are, how they travel (external term format) and how they read as
//! Erlang source.

mod external;
mod integer;
mod table_fun;
mod term;
mod text;
mod wire;

pub use external::{DecodeError, decode, encode};
pub use integer::Integer;
pub use table_fun::TableFun;
pub use term::{Atom, ExternalFun, Term};
pub use text::{write_core_string, write_float, write_quoted};
pub use wire::{from_wire, to_wire};
