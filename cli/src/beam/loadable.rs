//! Compiled modules.

use erlang_term::Atom;

/// Code that a BEAM can load.
#[derive(Clone, Debug)]
pub struct Beam {
    /// The module.
    pub name: Atom,
    /// The contents of its `.beam` file.
    pub code: Vec<u8>,
}
