//! Types of inputs. A type is a regular tree grammar: alternatives, whose parts are types again.

mod alternative;
mod grammar;
mod signature;
mod simplest;
mod term_check;

pub use alternative::{Alternative, Field, TypeId};
pub use grammar::Types;
pub use signature::Signature;
pub(crate) use simplest::READABLE;
pub use simplest::{LAST_CHARACTER, MOST_PARAMETERS};

#[cfg(test)]
mod tests;
