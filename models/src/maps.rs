//! Built-ins on maps.

use flattener::ast::deep;
use solver::graph::{Condition, Graph, Kinds, Node, NodeId, Pair, Place};

use crate::model::{Applied, Model, Rule, Walker};
use crate::walk::{Stop, Walk, Walked};

pub(crate) const ENTRIES: &[Model] = &[
    Model::rule("erlang", "map_size", Rule::One(map_size)),
    Model::rule("erlang", "map_get", Rule::Two(value_of_key)),
    Model::rule("erlang", "is_map_key", Rule::Two(is_map_key)),
    Model::walk("maps", "find", Walker::Two(map_find)),
    Model::walk("maps", "from_keys", Walker::Two(map_from_keys)),
    Model::walk("maps", "from_list", Walker::One(map_from_list)),
    Model::walk("maps", "get", Walker::Two(map_get)),
    Model::walk("maps", "is_key", Walker::Two(map_is_key)),
    Model::walk("maps", "keys", Walker::One(map_keys)),
    Model::walk("maps", "merge", Walker::Two(map_merge)),
    Model::walk("maps", "put", Walker::Three(map_put)),
    Model::walk("maps", "remove", Walker::Two(map_remove)),
    Model::walk("maps", "take", Walker::Two(map_take)),
    Model::walk("maps", "update", Walker::Three(map_update)),
    Model::walk("maps", "values", Walker::One(map_values)),
    // Other functions of `maps` are made of it.
    Model::walk("erts_internal", "map_next", Walker::Three(map_next)),
];

/// The order of larger maps is not known.
const LARGEST: usize = 32;

/// `map_size(Map)`.
fn map_size(graph: &mut Graph, map: NodeId) -> Option<Applied> {
    Some(Applied {
        returns: graph.kind(Kinds::MAP, map),
        value: graph.map_size(map),
    })
}

/// `map_get(Key, Map)`.
fn value_of_key(graph: &mut Graph, key: NodeId, map: NodeId) -> Option<Applied> {
    let returns = [graph.kind(Kinds::MAP, map), graph.has_key(key, map)];
    Some(Applied {
        returns: graph.all(returns),
        value: graph.value_at(key, map),
    })
}

/// `is_map_key(Key, Map)`.
fn is_map_key(graph: &mut Graph, key: NodeId, map: NodeId) -> Option<Applied> {
    let has_key = graph.has_key(key, map);
    Some(Applied {
        returns: graph.kind(Kinds::MAP, map),
        value: graph.truth(has_key),
    })
}

fn map_error(walk: &mut Walk<'_>, tag: &str, value: NodeId) -> Stop {
    let tag = walk.graph.atom(tag);
    Stop::Error(walk.graph.tuple([tag, value]))
}

fn require_map(walk: &mut Walk<'_>, map: NodeId) -> Result<(), Stop> {
    let is_map = walk.graph.kind(Kinds::MAP, map);
    if walk.holds(is_map)? {
        Ok(())
    } else {
        Err(map_error(walk, "badmap", map))
    }
}

fn has_key(walk: &mut Walk<'_>, key: NodeId, map: NodeId) -> Result<bool, Stop> {
    require_map(walk, map)?;
    let has_key = walk.graph.has_key(key, map);
    walk.holds(has_key)
}

/// `maps:get(Key, Map)`.
pub(crate) fn map_get(walk: &mut Walk<'_>, key: NodeId, map: NodeId) -> Walked {
    if has_key(walk, key, map)? {
        Ok(walk.graph.value_at(key, map))
    } else {
        Err(map_error(walk, "badkey", key))
    }
}

/// `maps:find(Key, Map)`.
pub(crate) fn map_find(walk: &mut Walk<'_>, key: NodeId, map: NodeId) -> Walked {
    if has_key(walk, key, map)? {
        let value = walk.graph.value_at(key, map);
        let ok = walk.graph.atom("ok");
        Ok(walk.graph.tuple([ok, value]))
    } else {
        Ok(walk.graph.atom("error"))
    }
}

/// `maps:is_key(Key, Map)`.
pub(crate) fn map_is_key(walk: &mut Walk<'_>, key: NodeId, map: NodeId) -> Walked {
    require_map(walk, map)?;
    let has_key = walk.graph.has_key(key, map);
    Ok(walk.graph.truth(has_key))
}

/// `maps:put(Key, Value, Map)`.
pub(crate) fn map_put(walk: &mut Walk<'_>, key: NodeId, value: NodeId, map: NodeId) -> Walked {
    require_map(walk, map)?;
    Ok(walk.graph.put(map, key, value))
}

/// `maps:update(Key, Value, Map)`.
pub(crate) fn map_update(walk: &mut Walk<'_>, key: NodeId, value: NodeId, map: NodeId) -> Walked {
    if has_key(walk, key, map)? {
        Ok(walk.graph.put(map, key, value))
    } else {
        Err(map_error(walk, "badkey", key))
    }
}

/// `maps:remove(Key, Map)`.
pub(crate) fn map_remove(walk: &mut Walk<'_>, key: NodeId, map: NodeId) -> Walked {
    require_map(walk, map)?;
    Ok(walk.graph.without(map, key))
}

/// `maps:take(Key, Map)`.
pub(crate) fn map_take(walk: &mut Walk<'_>, key: NodeId, map: NodeId) -> Walked {
    if has_key(walk, key, map)? {
        let value = walk.graph.value_at(key, map);
        let rest = walk.graph.without(map, key);
        Ok(walk.graph.tuple([value, rest]))
    } else {
        Ok(walk.graph.atom("error"))
    }
}

/// `maps:keys(Map)`.
pub(crate) fn map_keys(walk: &mut Walk<'_>, map: NodeId) -> Walked {
    let pairs = pairs(walk, map)?;
    let keys: Vec<NodeId> = pairs.into_iter().map(|it| it.0).collect();
    Ok(walk.list(&keys))
}

/// `maps:values(Map)`.
pub(crate) fn map_values(walk: &mut Walk<'_>, map: NodeId) -> Walked {
    let pairs = pairs(walk, map)?;
    let values: Vec<NodeId> = pairs.into_iter().map(|it| it.1).collect();
    Ok(walk.list(&values))
}

/// `maps:merge(Map1, Map2)`.
pub(crate) fn map_merge(walk: &mut Walk<'_>, first: NodeId, second: NodeId) -> Walked {
    require_map(walk, first)?;
    let pairs = pairs(walk, second)?;
    let pairs = pairs.into_iter();
    Ok(pairs.fold(first, |map, (key, value)| walk.graph.put(map, key, value)))
}

/// `maps:from_list(List)`.
pub(crate) fn map_from_list(walk: &mut Walk<'_>, list: NodeId) -> Walked {
    let mut map = walk.graph.map([]);
    for element in walk.elements(list)? {
        let is_pair = walk.graph.arity(2, element);
        walk.require(is_pair)?;
        let (key, value) = (
            walk.graph.element(0, element),
            walk.graph.element(1, element),
        );
        map = walk.graph.put(map, key, value);
    }
    Ok(map)
}

/// `maps:from_keys(Keys, Value)`.
pub(crate) fn map_from_keys(walk: &mut Walk<'_>, keys: NodeId, value: NodeId) -> Walked {
    let empty = walk.graph.map([]);
    let keys = walk.elements(keys)?.into_iter();
    Ok(keys.fold(empty, |map, key| walk.graph.put(map, key, value)))
}

/// `erts_internal:map_next(0, Map, What)`: all pairs as an iterator, or before a list.
pub(crate) fn map_next(walk: &mut Walk<'_>, path: NodeId, map: NodeId, what: NodeId) -> Walked {
    let (start, iterator) = (walk.graph.integer(0), walk.graph.atom("iterator"));
    let is_start = walk.graph.equal(path, start);
    if !walk.holds(is_start)? {
        return Err(Stop::Unknown);
    }
    let is_iterator = walk.graph.equal(what, iterator);
    let is_iterator = walk.holds(is_iterator)?;
    if !is_iterator {
        let is_list = walk.graph.kind(Kinds::LIST, what);
        walk.require(is_list)?;
    }
    let pairs = pairs(walk, map)?.into_iter().rev();
    if is_iterator {
        let none = walk.graph.atom("none");
        return Ok(pairs.fold(none, |rest, (key, value)| {
            walk.graph.tuple([key, value, rest])
        }));
    }
    Ok(pairs.fold(what, |rest, (key, value)| {
        let pair = walk.graph.tuple([key, value]);
        walk.graph.cons(pair, rest)
    }))
}

/// All pairs of a map, in the order in which functions of `maps` go through them.
fn pairs(walk: &mut Walk<'_>, map: NodeId) -> Result<Vec<Pair>, Stop> {
    require_map(walk, map)?;
    let pairs = pairs_of_map(walk, map)?;
    if pairs.len() > LARGEST {
        return Err(Stop::Unknown);
    }
    Ok(pairs)
}

fn pairs_of_map(walk: &mut Walk<'_>, map: NodeId) -> Result<Vec<Pair>, Stop> {
    match *walk.graph.node(map) {
        Node::Map(ref pairs) => Ok(walk.graph.in_order(pairs)),
        Node::Put(base, key, value) => {
            let mut pairs = deep(|| pairs_of_map(walk, base))?;
            let (place, is_there) = place_of_key(walk, key, &pairs)?;
            match pairs.get_mut(place).filter(|_| is_there) {
                Some(pair) => *pair = (key, value),
                None => pairs.insert(place, (key, value)),
            }
            Ok(pairs)
        }
        Node::Without(base, key) => {
            let mut pairs = deep(|| pairs_of_map(walk, base))?;
            let (place, is_there) = place_of_key(walk, key, &pairs)?;
            if is_there {
                pairs.remove(place);
            }
            Ok(pairs)
        }
        Node::Choice(condition, yes, no) => {
            let holds = walk.holds(condition)?;
            deep(|| pairs_of_map(walk, if holds { yes } else { no }))
        }
        Node::Input(_) | Node::Part(..) => pairs_of_part(walk, map),
        Node::Integer(_)
        | Node::Float(_)
        | Node::Atom(_)
        | Node::Nil
        | Node::Other(..)
        | Node::Cons(..)
        | Node::Tuple(_)
        | Node::Arithmetic(..)
        | Node::Rounded(..)
        | Node::Length(_)
        | Node::TupleSize(_)
        | Node::MapSize(_)
        | Node::AtomOf(_)
        | Node::Bits(_)
        | Node::FloatOf(..)
        | Node::Truth(_)
        | Node::Closure(_)
        | Node::Table(_)
        | Node::Unknown(_) => Err(Stop::Unknown),
    }
}

/// Where a key is among others, or belongs.
fn place_of_key(walk: &mut Walk<'_>, key: NodeId, pairs: &[Pair]) -> Result<(usize, bool), Stop> {
    for (place, (known, _)) in pairs.iter().enumerate() {
        let is_here = walk.graph.equal(key, *known);
        let is_before = walk.graph.before(key, *known);
        match walk.choose(&[is_here, is_before, Condition::TRUE])? {
            0 => return Ok((place, true)),
            1 => return Ok((place, false)),
            _ => {}
        }
    }
    Ok((pairs.len(), false))
}

/// All pairs of a map of the input. Each number of keys is a choice of its own; a key that was
/// asked for before is one of them or is not there.
fn pairs_of_part(walk: &mut Walk<'_>, map: NodeId) -> Result<Vec<Pair>, Stop> {
    if let Some(keys) = walk.graph.map_keys().all(map).map(<[NodeId]>::to_vec) {
        let pairs = keys.into_iter();
        return Ok(pairs
            .map(|key| (key, walk.graph.raw_value_at(key, map)))
            .collect());
    }
    let count = number_of_keys(walk, map)?;
    let mut keys: Vec<NodeId> = (0..count)
        .map(|index| walk.graph.at(Place::Key(index), map))
        .collect();
    for key in &keys {
        let has_key = walk.graph.raw_has_key(*key, map);
        walk.assume(has_key)?;
    }
    for index in 1..keys.len() {
        if let (Some(first), Some(second)) = (keys.get(index - 1), keys.get(index)) {
            let is_before = walk.graph.before(*first, *second);
            walk.assume(is_before)?;
        }
    }
    let mut is_asked = vec![false; keys.len()];
    for asked in walk.graph.map_keys().asked(map) {
        let has_key = walk.graph.has_key(asked, map);
        let mut ways = vec![!has_key];
        for key in &keys {
            ways.push(walk.graph.equal(asked, *key));
        }
        let place = walk.choose(&ways)?.checked_sub(1);
        let slot = place.and_then(|place| keys.get_mut(place).zip(is_asked.get_mut(place)));
        // Of equal keys the first one that was asked for counts.
        if let Some((key, is_asked)) = slot
            && !*is_asked
        {
            (*key, *is_asked) = (asked, true);
        }
    }
    walk.graph.map_keys_mut().set_all(map, keys.clone());
    let pairs = keys.into_iter();
    Ok(pairs
        .map(|key| (key, walk.graph.raw_value_at(key, map)))
        .collect())
}

fn number_of_keys(walk: &mut Walk<'_>, map: NodeId) -> Result<u32, Stop> {
    let size = walk.graph.map_size(map);
    for count in 0..=LARGEST {
        let count = u32::try_from(count).map_err(|_| Stop::Unknown)?;
        let number = walk.graph.integer(count.into());
        let is_all = walk.graph.equal(size, number);
        if walk.holds(is_all)? {
            return Ok(count);
        }
    }
    Err(Stop::Unknown)
}
