//! Numbers and names of things in flat form.

use std::fmt;

use erlang_term::{Atom, write_quoted};
use serde::{Deserialize, Serialize};

macro_rules! id {
    ($name:ident, $what:literal) => {
        #[doc = $what]
        #[derive(
            Clone,
            Copy,
            Debug,
            Default,
            PartialEq,
            Eq,
            Hash,
            PartialOrd,
            Ord,
            Serialize,
            Deserialize,
        )]
        pub struct $name(pub u32);

        impl $name {
            /// The number as an index.
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of the next thing, given how many there are.
            pub(crate) fn next(count: usize) -> Self {
                Self(u32::try_from(count).expect("a function has fewer than 2^32 parts"))
            }
        }
    };
}

id!(VarId, "A variable of a top-level function.");
id!(BlockId, "A block of a top-level function.");
id!(LocalId, "A function of a `letrec` in a top-level function.");
id!(
    SiteId,
    "A numbered place of a module that can emit an event."
);

/// Name and arity of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FunctionId {
    /// The name.
    pub name: Atom,
    /// The number of parameters.
    pub arity: u32,
}

impl fmt::Display for FunctionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_quoted(f, self.name.as_str(), '\'')?;
        write!(f, "/{}", self.arity)
    }
}

/// What can be called: a function, a function of a `letrec`, or a fun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Callable {
    /// The top-level function with this index.
    Function(usize),
    /// The fun made at this site.
    Fun(SiteId),
    /// A function of the `letrec` at this site.
    Local(SiteId, LocalId),
}
