//! Erlang values: their types, their external term format, and their text as Erlang source.

mod as_bytes;
mod atom;
mod decode;
mod encode;
mod external_tags;
mod integer;
mod number_text;
mod quoting;
mod readable_text;
mod recipe;
mod source_text;
mod splitting;
mod table_fun;
mod table_text;
mod term;
mod wire;

pub use atom::Atom;
pub use decode::{DecodeError, decode};
pub use encode::{ListEncoder, encode};
pub use integer::Integer;
pub use number_text::read_integer;
pub use quoting::{write_core_string, write_float, write_quoted};
pub use recipe::{Recipe, RecipeKind, RecipeTag};
pub use splitting::{TermParts, parts_of_term};
pub use term::{ExternalFun, TableFun, Term};
pub use wire::{from_wire, to_wire};
