//! How clauses are named.

use flattener::flat::SiteId;

/// A clause: module, site, number counted from 0.
pub type ClauseId = (usize, SiteId, usize);
