//! Generators over maps, as in `[V || _ := V <- Map]`. Since OTP 26 the compiler makes them of calls
//! of `erts_internal`.

use solver::graph::{Kinds, NodeId};

use crate::maps::map_next;
use crate::model::{Model, Walker};
use crate::walk::{Stop, Walk, Walked};

pub(crate) const ENTRIES: &[Model] = &[Model::walk(
    "erts_internal",
    "mc_iterator",
    Walker::One(generator_iterator),
)];

/// `erts_internal:mc_iterator(MapOrIterator)`: all pairs as an iterator, or `[]` for a value that is
/// neither.
fn generator_iterator(walk: &mut Walk<'_>, value: NodeId) -> Walked {
    if is_of_kind(walk, Kinds::MAP, value)? {
        return from_start(walk, value);
    }
    if is_of_kind(walk, Kinds::CONS, value)? {
        return fresh_iterator(walk, value);
    }
    // An iterator that was used already.
    if is_of_kind(walk, Kinds::TUPLE, value)? {
        return Err(Stop::Unknown);
    }
    let none = walk.graph.atom("none");
    let is_none = walk.graph.equal(value, none);
    Ok(if walk.holds(is_none)? {
        none
    } else {
        NodeId::NIL
    })
}

/// For `[0 | Map]`, which `maps:iterator(Map)` returns.
fn fresh_iterator(walk: &mut Walk<'_>, iterator: NodeId) -> Walked {
    let (path, map) = (walk.graph.head(iterator), walk.graph.tail(iterator));
    let start = walk.graph.integer(0);
    let is_start = walk.graph.equal(path, start);
    if !walk.holds(is_start)? {
        return Err(Stop::Unknown);
    }
    if is_of_kind(walk, Kinds::MAP, map)? {
        from_start(walk, map)
    } else {
        Ok(NodeId::NIL)
    }
}

fn from_start(walk: &mut Walk<'_>, map: NodeId) -> Walked {
    let (path, what) = (walk.graph.integer(0), walk.graph.atom("iterator"));
    map_next(walk, path, map, what)
}

fn is_of_kind(walk: &mut Walk<'_>, kinds: Kinds, value: NodeId) -> Result<bool, Stop> {
    let is_it = walk.graph.kind(kinds, value);
    walk.holds(is_it)
}
