//! Values in the log as constants, with the pids, ports and references in them.

use erlang_term::{TermParts, decode, parts_of_term};
use flattener::ast::deep;
use solver::graph::{Graph, NodeId};
use trace_format::Payload;

/// A value of the run. The parts that cannot leave their BEAM, such as funs, are unknown.
pub(super) fn logged_value(graph: &mut Graph, payload: &Payload) -> NodeId {
    match payload.term() {
        Ok(term) => graph.constant(&term),
        Err(_) => match payload.0.split_first() {
            Some((_, bytes)) => value_with_pids(graph, bytes),
            None => graph.unknown(),
        },
    }
}

/// A value from its bytes without the version.
fn value_with_pids(graph: &mut Graph, bytes: &[u8]) -> NodeId {
    let Some(parts) = parts_of_term(bytes) else {
        return graph.unknown();
    };
    match parts {
        TermParts::Tuple(elements) => {
            let elements = values(graph, elements);
            graph.tuple(elements)
        }
        TermParts::List(elements, end) => {
            let end = deep(|| value_with_pids(graph, end));
            let elements = values(graph, elements);
            let elements = elements.into_iter().rev();
            elements.fold(end, |tail, head| graph.cons(head, tail))
        }
        TermParts::Map(pairs) => map_with_pids(graph, pairs),
        TermParts::Single => single(graph, bytes),
    }
}

fn values(graph: &mut Graph, parts: Vec<&[u8]>) -> Vec<NodeId> {
    let parts = parts.into_iter();
    parts
        .map(|part| deep(|| value_with_pids(graph, part)))
        .collect()
}

fn map_with_pids(graph: &mut Graph, pairs: Vec<(&[u8], &[u8])>) -> NodeId {
    let (keys, contents): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
    let keys = values(graph, keys);
    if keys.iter().any(|key| graph.is_unknown(*key)) {
        return graph.unknown();
    }
    let contents = values(graph, contents);
    graph.map(keys.into_iter().zip(contents))
}

fn single(graph: &mut Graph, bytes: &[u8]) -> NodeId {
    let with_version: Vec<u8> = [131].into_iter().chain(bytes.iter().copied()).collect();
    if let Ok(term) = decode(&with_version) {
        return graph.constant(&term);
    }
    match graph.foreign(&with_version) {
        Some(foreign) => foreign,
        None => graph.unknown(),
    }
}

#[cfg(test)]
mod tests {
    use erlang_term::{Term, encode};

    use super::*;

    fn pid() -> Vec<u8> {
        let mut bytes = vec![88, 119, 1, b'n'];
        bytes.extend([0; 12]);
        bytes
    }

    #[test]
    fn a_term_is_a_constant() {
        let mut graph = Graph::default();
        let term = Term::list([Term::atom("a"), Term::Integer(1.into())]);
        let payload = Payload(encode(&term).into());
        let expected = graph.constant(&term);
        assert_eq!(logged_value(&mut graph, &payload), expected);
    }

    #[test]
    fn pids_are_constants_inside_of_terms() {
        let mut graph = Graph::default();
        let bytes: Vec<u8> = [131, 104, 2, 97, 7].into_iter().chain(pid()).collect();
        let value = logged_value(&mut graph, &Payload(bytes.into()));
        let bytes: Vec<u8> = [131].into_iter().chain(pid()).collect();
        let pid = graph.foreign(&bytes).expect("it is a pid");
        let seven = graph.integer(7);
        assert_eq!(value, graph.tuple([seven, pid]));
        assert!(graph.is_ground(value));
    }

    #[test]
    fn funs_are_unknown_inside_of_terms() {
        let mut graph = Graph::default();
        let bytes = [131, 108, 0, 0, 0, 1, 112, 0, 0, 0, 4, 106];
        let value = logged_value(&mut graph, &Payload(bytes.into()));
        assert!(graph.is_unknown(value));
        assert_eq!(graph.tail(value), NodeId::NIL);
    }
}
