//! Atoms from lists of characters, and lists of characters from atoms.

use solver::graph::{Condition, Graph, Kinds, LONGEST_ATOM, NodeId};
use solver::types::LAST_CHARACTER;

use crate::model::{Applied, Model, Rule, Walker};
use crate::walk::{Stop, Walk, Walked};

pub(crate) const ENTRIES: &[Model] = &[
    Model::rule("erlang", "atom_to_list", Rule::One(atom_to_list)),
    Model::walk("erlang", "list_to_atom", Walker::One(list_to_atom)),
    Model::walk(
        "erlang",
        "list_to_existing_atom",
        Walker::One(list_to_existing_atom),
    ),
];

/// Characters between these are halves of others in UTF-16.
const SURROGATES: [i64; 2] = [0xD800, 0xDFFF];

/// `atom_to_list(Atom)`.
fn atom_to_list(graph: &mut Graph, atom: NodeId) -> Option<Applied> {
    Some(Applied {
        returns: graph.kind(Kinds::ATOM, atom),
        value: graph.text(atom),
    })
}

/// `list_to_atom(List)`.
pub(crate) fn list_to_atom(walk: &mut Walk<'_>, list: NodeId) -> Walked {
    let characters = walk.elements(list)?;
    for character in &characters {
        let is_character = is_character(walk, *character);
        walk.require(is_character)?;
    }
    if characters.len() > LONGEST_ATOM {
        return Err(Stop::Raises);
    }
    Ok(walk.graph.atom_of(list))
}

/// `list_to_existing_atom(List)`. Which atoms exist is not known, except those that the
/// program knows by name.
pub(crate) fn list_to_existing_atom(walk: &mut Walk<'_>, list: NodeId) -> Walked {
    let atom = list_to_atom(walk, list)?;
    let known = (walk.known_atoms)();
    let mut is_one = Vec::with_capacity(known.len());
    for name in known {
        let name = walk.graph.atom(name.as_str());
        is_one.push(walk.graph.equal(atom, name));
    }
    let is_known = walk.graph.any(is_one);
    walk.holds(is_known)?;
    Err(Stop::Perhaps(atom))
}

fn is_character(walk: &mut Walk<'_>, value: NodeId) -> Condition {
    let is_in_range = walk.is_between(value, 0, LAST_CHARACTER);
    let [first, last] = SURROGATES.map(|it| walk.graph.integer(it));
    let is_before = walk.graph.less(value, first);
    let is_after = walk.graph.less(last, value);
    let is_whole = walk.graph.any([is_before, is_after]);
    walk.graph.all([is_in_range, is_whole])
}
