//! Where calls begin and end that can be explored by themselves.

use crate::pruning::{CallState, StateKey};

/// A call begins or ends.
#[derive(Clone, Debug)]
pub struct CallMark {
    /// How many decisions there were before.
    pub(crate) before: usize,
    pub(crate) kind: CallMarkKind,
}

/// What happens with a call.
#[derive(Clone, Debug)]
pub(crate) enum CallMarkKind {
    /// It begins.
    Begins(Box<CallState>),
    /// The one that began last and has not ended ends, in a way that may have a key.
    Ends(Option<StateKey>),
}
