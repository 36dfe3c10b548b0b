//! A value through a view: what of it belongs to a state.
//!
//! A view leaves something out only where the rest of the run takes the same decisions whatever it
//! is, and notes them in the same way. Where that is not sure, all of the value belongs to the state.

use solver::graph::{Graph, Kinds, Node, NodeId, Operator};

use super::path_facts::PathFacts;
use super::state_words::StateMark;
use super::view::{Aspects, View};
use super::view_rule::ViewRule;

/// Numbers computed from more numbers than this are not looked at.
const MOST_OPERANDS: usize = 100;

/// A piece of what a view shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Viewed {
    /// All of a value.
    All(NodeId),
    /// Something that a word says.
    Word(u64),
}

/// Adds what a view shows of a value; nothing if nothing is looked at.
pub(super) fn add_viewed(
    graph: &Graph,
    facts: &mut PathFacts<'_>,
    node: NodeId,
    view: &View,
    items: &mut Vec<Viewed>,
) {
    let View::Some(aspects) = view else {
        items.push(Viewed::All(node));
        return;
    };
    if view.is_nothing() {
        return;
    }
    if let Some(values) = &aspects.in_map {
        if aspects.is_word || !is_made_map(graph, node) {
            items.push(Viewed::All(node));
        } else {
            add_map(graph, facts, node, values, items);
        }
    } else if aspects.is_kind {
        match viewed_kind(graph, node, view) {
            Some(kind) => items.extend(kind.map(Viewed::Word)),
            None => items.push(Viewed::All(node)),
        }
    } else if let Node::Tuple(elements) = graph.node(node) {
        add_tuple(graph, facts, elements, aspects, items);
    } else if let Some(words) = viewed_list(graph, node, aspects) {
        items.extend(words.iter().map(|mark| Viewed::Word(*mark as u64)));
    } else if let Some(mark) = viewed_integer(graph, facts, node, view) {
        items.push(Viewed::Word(mark as u64));
    } else {
        items.push(Viewed::All(node));
    }
}

fn add_tuple(
    graph: &Graph,
    facts: &mut PathFacts<'_>,
    elements: &[NodeId],
    aspects: &Aspects,
    items: &mut Vec<Viewed>,
) {
    let size = elements.len();
    items.extend([StateMark::Tuple as u64, size as u64].map(Viewed::Word));
    let views = aspects.tuples.get(&size);
    for (place, element) in elements.iter().enumerate() {
        if aspects.is_word && place == 0 {
            items.push(Viewed::All(*element));
        } else if let Some(view) = views.and_then(|views| views.get(place)) {
            items.push(Viewed::Word(place as u64));
            add_viewed(graph, facts, *element, view, items);
        }
    }
}

/// Whether a value is a map that the program made or changed.
fn is_made_map(graph: &Graph, node: NodeId) -> bool {
    matches!(
        graph.node(node),
        Node::Map(_) | Node::Put(..) | Node::Without(..)
    )
}

/// Adds the keys of a map that the program made or changed, and what a view shows of its values. The
/// map that was changed may be one of the input, of which all counts.
fn add_map(
    graph: &Graph,
    facts: &mut PathFacts<'_>,
    map: NodeId,
    values: &View,
    items: &mut Vec<Viewed>,
) {
    let mut at = map;
    loop {
        let node = graph.node(at);
        if let Node::Put(base, key, value) = node {
            items.push(Viewed::Word(StateMark::PutKey as u64));
            add_key(*key, items);
            add_viewed(graph, facts, *value, values, items);
            at = *base;
        } else if let Node::Without(base, key) = node {
            items.push(Viewed::Word(StateMark::WithoutKey as u64));
            add_key(*key, items);
            at = *base;
        } else if let Node::Map(pairs) = node {
            let mark = StateMark::KeysOfMap as u64;
            items.extend([mark, pairs.len() as u64].map(Viewed::Word));
            for (key, value) in pairs.iter() {
                add_key(*key, items);
                add_viewed(graph, facts, *value, values, items);
            }
            return;
        } else {
            items.push(Viewed::All(at));
            return;
        }
    }
}

fn add_key(key: NodeId, items: &mut Vec<Viewed>) {
    if ViewRule::MapKeys.is_kept() {
        items.push(Viewed::All(key));
    }
}

/// What a list that the program made shows; `None` if that does not say enough.
pub(super) fn viewed_list(
    graph: &Graph,
    node: NodeId,
    aspects: &Aspects,
) -> Option<&'static [StateMark]> {
    let sees_constructor =
        aspects.is_outer || aspects.is_integer || aspects.is_word || !aspects.tuples.is_empty();
    if let Node::Nil = graph.node(node) {
        return Some(if sees_constructor {
            &[StateMark::Nil]
        } else {
            &[StateMark::Spine]
        });
    }
    let Node::Cons(..) = graph.node(node) else {
        return None;
    };
    if aspects.is_word || (aspects.is_spine && !is_proper(graph, node)) {
        return None;
    }
    Some(match (aspects.is_spine, sees_constructor) {
        (true, true) => &[StateMark::Spine, StateMark::Cons],
        (true, false) => &[StateMark::Spine],
        (false, _) => &[StateMark::Cons],
    })
}

/// What a map or a binary that the program made shows, if only that it is one counts.
pub(super) fn viewed_kind(graph: &Graph, node: NodeId, view: &View) -> Option<[u64; 2]> {
    let kinds = graph.kinds(node);
    let is_made = if kinds == Kinds::MAP {
        !matches!(
            graph.node(node),
            Node::Part(..) | Node::Input(_) | Node::Choice(..)
        )
    } else {
        kinds == Kinds::BINARY && matches!(graph.node(node), Node::Bits(_) | Node::Other(..))
    };
    let is_enough = *view == View::kind() && is_made;
    is_enough.then_some([StateMark::SomeKind as u64, u64::from(kinds.bits())])
}

/// What a number shows if only that it is an integer counts; `None` if that is not sure.
pub(super) fn viewed_integer(
    graph: &Graph,
    facts: &mut PathFacts<'_>,
    node: NodeId,
    view: &View,
) -> Option<StateMark> {
    if *view != View::integer() {
        None
    } else if graph.kinds(node) == Kinds::INTEGER {
        Some(StateMark::SomeInteger)
    } else if !is_integer(graph, facts, node) {
        None
    } else if graph.is_part(node) {
        // It is noted each time that it is one.
        Some(StateMark::SomeIntegerOfInput)
    } else {
        Some(StateMark::SomeComputedInteger)
    }
}

/// Whether a value is an integer by what the path says: a part of the input, or a number computed
/// from such parts.
pub(super) fn is_integer(graph: &Graph, facts: &mut PathFacts<'_>, node: NodeId) -> bool {
    let mut open = vec![node];
    let mut left = MOST_OPERANDS;
    while let Some(next) = open.pop() {
        if left == 0 {
            return false;
        }
        left -= 1;
        if let Node::Arithmetic(operator, one, other) = graph.node(next)
            && matches!(
                operator,
                Operator::Add | Operator::Subtract | Operator::Multiply
            )
        {
            open.extend([*one, *other]);
        } else if facts.kinds(graph, next) != Kinds::INTEGER {
            return !ViewRule::KnownIntegers.is_kept();
        }
    }
    true
}

/// Whether a list was made by the program, with its end.
fn is_proper(graph: &Graph, list: NodeId) -> bool {
    let mut end = list;
    while let Node::Cons(_, tail) = graph.node(end) {
        end = *tail;
    }
    *graph.node(end) == Node::Nil || !ViewRule::ProperEnds.is_kept()
}
