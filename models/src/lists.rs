//! Built-ins on lists.

use solver::graph::{Condition, Graph, Kinds, Node, NodeId};

use crate::model::{Applied, Model, Rule, Walker};
use crate::tuples::index_of;
use crate::walk::{Stop, Walk, Walked};

pub(crate) const ENTRIES: &[Model] = &[
    Model::rule("erlang", "hd", Rule::One(head)),
    Model::rule("erlang", "tl", Rule::One(tail)),
    Model::rule("erlang", "length", Rule::One(length)),
    Model::walk("erlang", "++", Walker::Two(append)),
    Model::walk("erlang", "--", Walker::Two(subtract)),
    Model::walk("lists", "member", Walker::Two(member)),
    Model::walk("lists", "reverse", Walker::Two(reverse)),
    Model::walk("lists", "keyfind", Walker::Three(key_find)),
    Model::walk("lists", "keymember", Walker::Three(key_member)),
    Model::walk("lists", "keysearch", Walker::Three(key_search)),
];

/// `hd(List)`.
fn head(graph: &mut Graph, list: NodeId) -> Option<Applied> {
    Some(Applied {
        returns: graph.kind(Kinds::CONS, list),
        value: graph.head(list),
    })
}

/// `tl(List)`.
fn tail(graph: &mut Graph, list: NodeId) -> Option<Applied> {
    Some(Applied {
        returns: graph.kind(Kinds::CONS, list),
        value: graph.tail(list),
    })
}

/// `length(List)`.
fn length(graph: &mut Graph, list: NodeId) -> Option<Applied> {
    Some(Applied {
        returns: graph.proper_list(list),
        value: graph.length(list),
    })
}

/// `Left ++ Right`.
pub(crate) fn append(walk: &mut Walk<'_>, left: NodeId, right: NodeId) -> Walked {
    let elements = walk.elements(left)?;
    Ok(walk.list_before(&elements, right))
}

/// `Left -- Right`: each element of the right list removes the first equal one.
pub(crate) fn subtract(walk: &mut Walk<'_>, left: NodeId, right: NodeId) -> Walked {
    let mut kept = walk.elements(left)?;
    for gone in walk.elements(right)? {
        for index in 0..kept.len() {
            let Some(element) = kept.get(index).copied() else {
                break;
            };
            let is_equal = walk.graph.equal(element, gone);
            if walk.holds(is_equal)? {
                kept.remove(index);
                break;
            }
        }
    }
    Ok(walk.list(&kept))
}

/// A list of so many constants is one choice for `lists:member/2`.
const MOST_CONSTANTS: usize = 64;

/// `lists:member(Value, List)`. The list after the value is ignored. Which of some constants the
/// value is makes no difference.
pub(crate) fn member(walk: &mut Walk<'_>, value: NodeId, list: NodeId) -> Walked {
    if let Some(constants) = constants(walk.graph, list) {
        let equal = constants.iter().map(|it| walk.graph.equal(value, *it));
        let equal: Vec<Condition> = equal.collect();
        let is_one = walk.graph.any(equal);
        let is_one = walk.holds(is_one)?;
        return Ok(walk.truth(is_one));
    }
    let mut rest = list;
    while let Some((head, tail)) = walk.next(rest)? {
        let is_equal = walk.graph.equal(value, head);
        if walk.holds(is_equal)? {
            return Ok(walk.truth(true));
        }
        rest = tail;
    }
    Ok(walk.truth(false))
}

/// The elements of a short proper list of constants.
fn constants(graph: &mut Graph, list: NodeId) -> Option<Vec<NodeId>> {
    let mut elements = Vec::new();
    let mut rest = list;
    while let Node::Cons(head, tail) = *graph.node(rest) {
        if elements.len() == MOST_CONSTANTS || !graph.is_ground(head) {
            return None;
        }
        elements.push(head);
        rest = tail;
    }
    (rest == NodeId::NIL).then_some(elements)
}

/// `lists:reverse(List, Tail)`.
pub(crate) fn reverse(walk: &mut Walk<'_>, list: NodeId, tail: NodeId) -> Walked {
    let mut elements = walk.elements(list)?;
    elements.reverse();
    Ok(walk.list_before(&elements, tail))
}

/// `lists:keyfind(Key, Place, List)`.
pub(crate) fn key_find(walk: &mut Walk<'_>, key: NodeId, place: NodeId, list: NodeId) -> Walked {
    let found = find_by_key(walk, key, place, list)?;
    Ok(found.unwrap_or_else(|| walk.truth(false)))
}

/// `lists:keymember(Key, Place, List)`.
pub(crate) fn key_member(walk: &mut Walk<'_>, key: NodeId, place: NodeId, list: NodeId) -> Walked {
    let found = find_by_key(walk, key, place, list)?;
    Ok(walk.truth(found.is_some()))
}

/// `lists:keysearch(Key, Place, List)`.
pub(crate) fn key_search(walk: &mut Walk<'_>, key: NodeId, place: NodeId, list: NodeId) -> Walked {
    Ok(match find_by_key(walk, key, place, list)? {
        Some(found) => {
            let tag = walk.graph.atom("value");
            walk.graph.tuple([tag, found])
        }
        None => walk.truth(false),
    })
}

/// The first tuple of a list whose element in some place compares equal to a key. Other
/// elements of the list are ignored.
fn find_by_key(
    walk: &mut Walk<'_>,
    key: NodeId,
    place: NodeId,
    list: NodeId,
) -> Result<Option<NodeId>, Stop> {
    let index = index_of(walk, place)?;
    let mut rest = list;
    while let Some((head, tail)) = walk.next(rest)? {
        let is_tuple = walk.graph.kind(Kinds::TUPLE, head);
        let size = walk.graph.tuple_size(head);
        let place = walk.graph.integer(i64::from(index) + 1);
        let is_short = walk.graph.less(size, place);
        let has_key = walk.graph.all([is_tuple, !is_short]);
        let element = walk.graph.element(index, head);
        let is_same = walk.graph.same(key, element);
        let is_found = walk.graph.all([has_key, is_same]);
        if walk.holds(is_found)? {
            return Ok(Some(head));
        }
        rest = tail;
    }
    Ok(None)
}
