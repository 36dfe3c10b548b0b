//! What processes share, by hashes of its contents: the same thing has the same hash in all runs.

use erlang_term::encode;
use flattener::ast::deep;
use solver::graph::{Graph, Node, NodeId, to_term};

use super::run_event::Object;

/// What kind of thing is shared. Things of different kinds are different.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// A registered name.
    Name,
}

/// All of a thing that a constant names; `None` if it holds something that differs from run to run.
pub(super) fn object(graph: &Graph, scope: Scope, name: NodeId) -> Option<Object> {
    let mut bytes = vec![scope as u8];
    write_contents(graph, name, &mut bytes)?;
    Some(Object {
        root: hash(&bytes),
        part: None,
    })
}

/// Writes a constant. Different constants have different bytes.
fn write_contents(graph: &Graph, node: NodeId, bytes: &mut Vec<u8>) -> Option<()> {
    let inner = match graph.node(node) {
        Node::Other(_, contents) => {
            bytes.extend(contents.iter());
            return Some(());
        }
        Node::Cons(..) => return write_list(graph, node, bytes),
        Node::Tuple(_) => 1,
        Node::Map(_) => 2,
        Node::Integer(_) | Node::Float(_) | Node::Atom(_) | Node::Nil | Node::Table(_) => {
            let term = to_term(graph, node)?;
            bytes.extend(encode(&term));
            return Some(());
        }
        Node::Input(_)
        | Node::Part(..)
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
        | Node::Unknown(_) => return None,
    };
    let operands = graph.node(node).operands();
    bytes.push(inner);
    bytes.extend(operands.len().to_be_bytes());
    operands
        .into_iter()
        .try_for_each(|operand| deep(|| write_contents(graph, operand, bytes)))
}

fn write_list(graph: &Graph, list: NodeId, bytes: &mut Vec<u8>) -> Option<()> {
    let mut rest = list;
    while let Node::Cons(head, tail) = graph.node(rest) {
        bytes.push(0);
        deep(|| write_contents(graph, *head, bytes))?;
        rest = *tail;
    }
    deep(|| write_contents(graph, rest, bytes))
}

/// FNV-1a with a final mix, so that short contents spread over all bits.
fn hash(bytes: &[u8]) -> u64 {
    let fnv = bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mixed = (fnv ^ (fnv >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}
