//! Where calls begin and end that can be explored by themselves.

use flattener::flat::SiteId;
use serde::{Deserialize, Serialize};

use crate::pruning::{CallState, StateKey};

/// A call begins or ends.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CallMark {
    /// How many decisions there were before.
    pub(crate) before: usize,
    /// The module and site of the call; of the first call, those of nothing.
    pub(crate) site: (usize, SiteId),
    /// How much work it was to say so.
    pub(crate) work: usize,
    pub(crate) kind: CallMarkKind,
}

/// What happens with a call.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum CallMarkKind {
    /// It begins.
    Begins(Box<CallState>),
    /// It begins, and depends on the same parts of the input as those who wait for it, or on none.
    Depends,
    /// The one that began last and has not ended ends, in a way that may have a key.
    Ends(Option<StateKey>),
}
