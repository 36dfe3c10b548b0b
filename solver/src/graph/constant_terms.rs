//! Constant nodes as terms, and properties of constants.

use erlang_term::{TableFun, Term, decode};
use flattener::ast::deep;

use super::arena::Graph;
use super::ids::NodeId;
use super::node::{Node, Pair, Table};
use crate::kinds::Kinds;

/// The term of a node that is a constant, and not a fun that the program made.
pub fn to_term(graph: &Graph, id: NodeId) -> Option<Term> {
    if !graph.is_ground(id) {
        return None;
    }
    match graph.node(id) {
        Node::Integer(value) => Some(Term::Integer(value.clone())),
        Node::Float(bits) => Some(Term::Float(f64::from_bits(*bits))),
        Node::Atom(atom) => Some(Term::Atom(atom.clone())),
        Node::Nil => Some(Term::list([])),
        Node::Other(_, bytes) => decode(bytes).ok(),
        Node::Cons(..) => list_term(graph, id),
        Node::Tuple(elements) => Some(Term::Tuple(terms(graph, elements)?)),
        Node::Map(pairs) => map_term(graph, pairs),
        Node::Table(table) => fun_term(graph, table),
        Node::Input(_)
        | Node::Part(..)
        | Node::Put(..)
        | Node::Without(..)
        | Node::MapSize(_)
        | Node::Arithmetic(..)
        | Node::Rounded(..)
        | Node::Length(_)
        | Node::TupleSize(_)
        | Node::AtomOf(_)
        | Node::Bits(_)
        | Node::FloatOf(..)
        | Node::Truth(_)
        | Node::Choice(..)
        | Node::Closure(_)
        | Node::Unknown(_) => None,
    }
}

fn terms(graph: &Graph, nodes: &[NodeId]) -> Option<Vec<Term>> {
    let nodes = nodes.iter();
    nodes.map(|it| deep(|| to_term(graph, *it))).collect()
}

fn list_term(graph: &Graph, list: NodeId) -> Option<Term> {
    let mut elements = Vec::new();
    let mut rest = list;
    while let Node::Cons(head, tail) = graph.node(rest) {
        elements.push(deep(|| to_term(graph, *head))?);
        rest = *tail;
    }
    let tail = deep(|| to_term(graph, rest))?;
    Some(Term::list_before(elements, tail))
}

fn map_term(graph: &Graph, pairs: &[Pair]) -> Option<Term> {
    let term = |it: &NodeId| deep(|| to_term(graph, *it));
    let pairs = pairs.iter();
    let pairs = pairs.map(|(key, value)| Some((term(key)?, term(value)?)));
    Some(Term::Map(pairs.collect::<Option<_>>()?))
}

fn fun_term(graph: &Graph, table: &Table) -> Option<Term> {
    let entries = table.entries.iter().map(|(arguments, result)| {
        let arguments = terms(graph, &graph.node(*arguments).operands())?;
        Some((arguments, deep(|| to_term(graph, *result))?))
    });
    let entries = entries.collect::<Option<_>>()?;
    let default = deep(|| to_term(graph, table.default))?;
    let fun = TableFun::new(u8::try_from(table.arity).ok()?, entries, default);
    Some(Term::TableFun(Box::new(fun)))
}

/// How deep a constant is: 0 if it is not a list cell, tuple, map or table for a fun.
pub(crate) fn depth_of_constant(graph: &Graph, constant: NodeId) -> u32 {
    let inner = match graph.node(constant) {
        node @ (Node::Cons(..) | Node::Tuple(_) | Node::Map(_)) => node.operands(),
        Node::Table(table) => table.results().collect(),
        Node::Input(_)
        | Node::Part(..)
        | Node::Integer(_)
        | Node::Float(_)
        | Node::Atom(_)
        | Node::Nil
        | Node::Other(..)
        | Node::Put(..)
        | Node::Without(..)
        | Node::Arithmetic(..)
        | Node::Rounded(..)
        | Node::Length(_)
        | Node::TupleSize(_)
        | Node::MapSize(_)
        | Node::AtomOf(_)
        | Node::Bits(_)
        | Node::FloatOf(..)
        | Node::Truth(_)
        | Node::Choice(..)
        | Node::Closure(_)
        | Node::Unknown(_) => return 0,
    };
    let inner = inner
        .into_iter()
        .map(|it| deep(|| depth_of_constant(graph, it)));
    1 + inner.max().unwrap_or(0)
}

/// Whether a constant contains a fun.
pub fn has_funs(graph: &Graph, constant: NodeId) -> bool {
    let node = graph.node(constant);
    match node {
        Node::Table(_) | Node::Closure(_) => true,
        Node::Other(kinds, _) => *kinds == Kinds::FUN,
        Node::Cons(..) | Node::Tuple(_) | Node::Map(_) => {
            let mut parts = node.operands().into_iter();
            parts.any(|it| deep(|| has_funs(graph, it)))
        }
        Node::Input(_)
        | Node::Part(..)
        | Node::Integer(_)
        | Node::Float(_)
        | Node::Atom(_)
        | Node::Nil
        | Node::Put(..)
        | Node::Without(..)
        | Node::Arithmetic(..)
        | Node::Rounded(..)
        | Node::Length(_)
        | Node::TupleSize(_)
        | Node::MapSize(_)
        | Node::AtomOf(_)
        | Node::Bits(_)
        | Node::FloatOf(..)
        | Node::Truth(_)
        | Node::Choice(..)
        | Node::Unknown(_) => false,
    }
}

/// The text of a constant list of characters.
pub fn characters(graph: &Graph, text: NodeId) -> Option<String> {
    let mut name = String::new();
    let mut rest = text;
    while let Node::Cons(head, tail) = *graph.node(rest) {
        let Node::Integer(value) = graph.node(head) else {
            return None;
        };
        name.push(char::from_u32(u32::try_from(value.to_i64()?).ok()?)?);
        rest = tail;
    }
    (*graph.node(rest) == Node::Nil).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn funs_are_found_in_lists_tuples_and_maps() {
        let mut graph = Graph::default();
        let one = graph.integer(1);
        let fun = graph.table(1, Vec::new(), one);
        let with = [
            graph.cons(fun, NodeId::NIL),
            graph.tuple([one, fun]),
            graph.map([(one, fun)]),
        ];
        assert!(with.iter().all(|it| has_funs(&graph, *it)));
        let without = graph.map([(one, NodeId::NIL)]);
        assert!(!has_funs(&graph, without));
    }
}
