//! Arguments that take little room while they wait.

use std::fmt;

use erlang_term::{Term, decode, encode};

/// The arguments of a run, in external term format: a tenth of the room that terms take, of which
/// a long search keeps many.
#[derive(Clone, PartialEq, Eq)]
pub struct Arguments(Box<[u8]>);

impl Arguments {
    /// Arguments to be kept.
    pub fn new(terms: &[Term]) -> Self {
        Self(encode(&Term::list(terms.to_vec())).into())
    }

    /// The arguments as terms.
    pub fn terms(&self) -> Vec<Term> {
        let list = decode(&self.0).unwrap_or_else(|_| Term::list([]));
        match list {
            Term::List(elements, None) => elements,
            // A list of small integers is a string on the wire.
            other => other.as_list().unwrap_or_default().to_vec(),
        }
    }
}

impl fmt::Debug for Arguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.terms()).finish()
    }
}
