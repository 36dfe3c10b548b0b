//! Arguments in a form that needs little memory.

use std::cell::OnceCell;
use std::fmt;

use erlang_term::{Term, decode, encode};
use serde::{Deserialize, Serialize};

/// The arguments of a run in external term format. It needs a tenth of the memory of terms, and a
/// long search keeps many.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Arguments(#[serde(with = "serde_bytes")] Box<[u8]>);

impl Arguments {
    /// Keeps arguments.
    pub fn new(terms: &[Term]) -> Self {
        Self(encode(&Term::list(terms.to_vec())).into())
    }

    /// The arguments as terms.
    pub fn terms(&self) -> Vec<Term> {
        let list = decode(&self.0).unwrap_or_else(|_| Term::list([]));
        if let Term::List(elements, None) = list {
            return elements;
        }
        // A list of small integers is a string in that format.
        list.as_list().unwrap_or_default().to_vec()
    }
}

/// The arguments of a run in that form, and as terms if somebody asks for these.
#[derive(Debug)]
pub struct RunArguments {
    encoded: Arguments,
    terms: OnceCell<Vec<Term>>,
}

impl RunArguments {
    pub(super) fn new(encoded: Arguments) -> Self {
        Self {
            encoded,
            terms: OnceCell::new(),
        }
    }

    /// The arguments in external term format.
    pub fn encoded(&self) -> &Arguments {
        &self.encoded
    }

    /// The arguments as terms.
    pub fn terms(&self) -> &[Term] {
        self.terms.get_or_init(|| self.encoded.terms())
    }
}

impl fmt::Debug for Arguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.terms()).finish()
    }
}
