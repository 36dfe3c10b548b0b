//! Hash maps and sets with a fast hash.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use indexmap::IndexSet;
use rustc_hash::FxHasher;

/// A hash map.
pub(super) type Lookup<K, V> = HashMap<K, V, BuildHasherDefault<FxHasher>>;

/// A set in the order of insertion.
pub type Set<T> = IndexSet<T, BuildHasherDefault<FxHasher>>;
