//! Built-ins on tuples.

use solver::graph::{Condition, Graph, Kinds, Node, NodeId};

use crate::model::{Applied, Model, Rule, Walker};
use crate::pieces::whole_bytes;
use crate::walk::{Stop, Walk, Walked};

pub(crate) const ENTRIES: &[Model] = &[
    Model::rule("erlang", "tuple_size", Rule::One(tuple_size)),
    Model::rule("erlang", "element", Rule::Two(element)).or_walk(Walker::Two(element_at)),
    Model::walk("erlang", "setelement", Walker::Three(set_element)),
    Model::walk("erlang", "append_element", Walker::Two(append_element)),
    Model::walk("erlang", "insert_element", Walker::Three(insert_element)),
    Model::walk("erlang", "delete_element", Walker::Two(delete_element)),
    Model::walk("erlang", "make_tuple", Walker::Two(make_tuple)),
    Model::walk("erlang", "tuple_to_list", Walker::One(tuple_to_list)),
    Model::walk("erlang", "list_to_tuple", Walker::One(list_to_tuple)),
    Model::walk("erlang", "size", Walker::One(size)),
];

/// Larger numbers are not tried one by one.
const LARGEST: u32 = 64;

/// `tuple_size(Tuple)`.
fn tuple_size(graph: &mut Graph, tuple: NodeId) -> Option<Applied> {
    Some(Applied {
        returns: graph.kind(Kinds::TUPLE, tuple),
        value: graph.tuple_size(tuple),
    })
}

/// `element(Place, Tuple)` where one of them is known.
fn element(graph: &mut Graph, index: NodeId, tuple: NodeId) -> Option<Applied> {
    let Node::Integer(index_value) = graph.node(index) else {
        return element_of_known(graph, index, tuple);
    };
    let number = index_value
        .to_i64()
        .and_then(|index| u32::try_from(index).ok());
    let Some(number) = number.and_then(|number| number.checked_sub(1)) else {
        return Some(Applied::never());
    };
    let is_tuple = graph.kind(Kinds::TUPLE, tuple);
    let size = graph.tuple_size(tuple);
    let is_short = graph.less(size, index);
    Some(Applied {
        returns: graph.all([is_tuple, !is_short]),
        value: graph.element(number, tuple),
    })
}

/// An element of a tuple whose size is known, by an index that is not: one of all elements.
fn element_of_known(graph: &mut Graph, index: NodeId, tuple: NodeId) -> Option<Applied> {
    let Node::Tuple(elements) = graph.node(tuple).clone() else {
        return None;
    };
    let mut value = NodeId::NIL;
    let mut is_one = Vec::with_capacity(elements.len());
    for (number, element) in (1..).zip(elements.iter()) {
        let number = graph.integer(number);
        let is_here = graph.equal(index, number);
        value = graph.choice(is_here, *element, value);
        is_one.push(is_here);
    }
    Some(Applied {
        returns: graph.any(is_one),
        value,
    })
}

/// `size(Value)` of a tuple or of a bit string.
pub(crate) fn size(walk: &mut Walk<'_>, value: NodeId) -> Walked {
    let is_tuple = walk.graph.kind(Kinds::TUPLE, value);
    let is_bits = walk.graph.kind(Kinds::BITS, value);
    match walk.choose(&[is_tuple, is_bits, Condition::TRUE])? {
        0 => Ok(walk.graph.tuple_size(value)),
        // A byte that is not whole does not count.
        1 => whole_bytes(walk, value),
        _ => Err(Stop::Raises),
    }
}

/// The elements of a tuple. All sizes are tried in turn: every input must have the same choice at
/// the same point.
fn tuple_elements(walk: &mut Walk<'_>, tuple: NodeId) -> Result<Vec<NodeId>, Stop> {
    if let Node::Tuple(elements) = walk.graph.node(tuple) {
        return Ok(elements.to_vec());
    }
    let is_tuple = walk.graph.kind(Kinds::TUPLE, tuple);
    walk.require(is_tuple)?;
    for size in 0..LARGEST {
        let has_size = walk.graph.arity(size, tuple);
        if walk.holds(has_size)? {
            let indices = 0..size;
            return Ok(indices.map(|it| walk.graph.element(it, tuple)).collect());
        }
    }
    Err(Stop::Unknown)
}

/// Which of the numbers from `first` to `last` an integer is, if it is one of them.
fn number(
    walk: &mut Walk<'_>,
    integer: NodeId,
    first: u32,
    last: u32,
) -> Result<Option<u32>, Stop> {
    let mut ways: Vec<Condition> = Vec::new();
    for number in first..=last {
        let number = walk.graph.integer(i64::from(number));
        ways.push(walk.graph.equal(integer, number));
    }
    ways.push(Condition::TRUE);
    let taken = walk.choose(&ways)?;
    let taken = u32::try_from(taken).map_err(|_| Stop::Unknown)?;
    Ok((taken <= last.wrapping_sub(first)).then_some(first.saturating_add(taken)))
}

/// A place in tuples, counted from 0: an integer that is at least 1.
pub(crate) fn index_of(walk: &mut Walk<'_>, place: NodeId) -> Result<u32, Stop> {
    let is_integer = walk.graph.kind(Kinds::INTEGER, place);
    let one = walk.graph.integer(1);
    let is_small = walk.graph.less(place, one);
    let is_place = walk.graph.all([is_integer, !is_small]);
    walk.require(is_place)?;
    if let Node::Integer(number) = walk.graph.node(place) {
        let number = number.to_i64().and_then(|it| u32::try_from(it).ok());
        // No tuple has more elements.
        return Ok(number.unwrap_or(u32::MAX) - 1);
    }
    let number = number(walk, place, 1, LARGEST)?;
    number.map(|it| it - 1).ok_or(Stop::Unknown)
}

/// The elements of a tuple, and a place that is at most `more` after them.
fn at_place(
    walk: &mut Walk<'_>,
    place: NodeId,
    tuple: NodeId,
    more: usize,
) -> Result<(Vec<NodeId>, usize), Stop> {
    let elements = tuple_elements(walk, tuple)?;
    let places = u32::try_from(elements.len() + more).map_err(|_| Stop::Unknown)?;
    if places == 0 {
        return Err(Stop::Raises);
    }
    match number(walk, place, 1, places)? {
        Some(number) => Ok((elements, number as usize - 1)),
        None => Err(Stop::Raises),
    }
}

/// `element(Place, Tuple)` where the place depends on the input.
fn element_at(walk: &mut Walk<'_>, place: NodeId, tuple: NodeId) -> Walked {
    let (elements, index) = at_place(walk, place, tuple, 0)?;
    elements.get(index).copied().ok_or(Stop::Raises)
}

/// `setelement(Place, Tuple, Value)`.
pub(crate) fn set_element(
    walk: &mut Walk<'_>,
    place: NodeId,
    tuple: NodeId,
    value: NodeId,
) -> Walked {
    let (mut elements, index) = at_place(walk, place, tuple, 0)?;
    *elements.get_mut(index).ok_or(Stop::Raises)? = value;
    Ok(walk.graph.tuple(elements))
}

/// `erlang:append_element(Tuple, Value)`.
pub(crate) fn append_element(walk: &mut Walk<'_>, tuple: NodeId, value: NodeId) -> Walked {
    let mut elements = tuple_elements(walk, tuple)?;
    elements.push(value);
    Ok(walk.graph.tuple(elements))
}

/// `erlang:insert_element(Place, Tuple, Value)`.
pub(crate) fn insert_element(
    walk: &mut Walk<'_>,
    place: NodeId,
    tuple: NodeId,
    value: NodeId,
) -> Walked {
    let (mut elements, index) = at_place(walk, place, tuple, 1)?;
    elements.insert(index, value);
    Ok(walk.graph.tuple(elements))
}

/// `erlang:delete_element(Place, Tuple)`.
pub(crate) fn delete_element(walk: &mut Walk<'_>, place: NodeId, tuple: NodeId) -> Walked {
    let (mut elements, index) = at_place(walk, place, tuple, 0)?;
    elements.remove(index);
    Ok(walk.graph.tuple(elements))
}

/// `erlang:make_tuple(Size, Value)`.
pub(crate) fn make_tuple(walk: &mut Walk<'_>, size: NodeId, value: NodeId) -> Walked {
    let is_integer = walk.graph.kind(Kinds::INTEGER, size);
    let zero = walk.graph.integer(0);
    let is_negative = walk.graph.less(size, zero);
    let is_size = walk.graph.all([is_integer, !is_negative]);
    walk.require(is_size)?;
    match number(walk, size, 0, LARGEST)? {
        Some(size) => Ok(walk.graph.tuple(vec![value; size as usize])),
        None => Err(Stop::Unknown),
    }
}

/// `tuple_to_list(Tuple)`.
pub(crate) fn tuple_to_list(walk: &mut Walk<'_>, tuple: NodeId) -> Walked {
    let elements = tuple_elements(walk, tuple)?;
    Ok(walk.list(&elements))
}

/// `list_to_tuple(List)`.
pub(crate) fn list_to_tuple(walk: &mut Walk<'_>, list: NodeId) -> Walked {
    let elements = walk.elements(list)?;
    Ok(walk.graph.tuple(elements))
}
