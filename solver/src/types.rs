//! Types of inputs. A type is a regular tree grammar: alternatives, whose parts are types again.

mod alternative;
mod equal_types;
mod grammar;
mod signature;
mod simplest;
mod term_check;

pub use alternative::{Alternative, Field, TypeId};
pub use equal_types::join_equal;
pub use grammar::Types;
pub use signature::Signature;
pub use simplest::LAST_CHARACTER;
pub(crate) use simplest::{MOST_PARAMETERS, READABLE};

#[cfg(test)]
mod tests;
