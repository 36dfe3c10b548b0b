//! Types of inputs. A type is a regular tree grammar: alternatives, whose parts are types again.

mod alternative;
mod grammar;
mod signature;
mod simplest;
mod term_check;

pub use alternative::{Alternative, Field, TypeId};
pub use grammar::Types;
pub use signature::Signature;
pub use simplest::LAST_CHARACTER;
pub(crate) use simplest::{MOST_PARAMETERS, READABLE};

#[cfg(test)]
mod tests;
