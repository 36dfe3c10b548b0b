//! Fields of bit strings at places that are known.

use flattener::flat::Endianness;
use models::is_big;
use solver::graph::{Condition, Graph, NodeId, Operator};

/// The condition on which a bit string has at least this number of bits.
pub(super) fn has_room(graph: &mut Graph, bits: NodeId, room: u64) -> Condition {
    let room = i64::try_from(room).unwrap_or(i64::MAX);
    let room = graph.integer(room);
    let size = graph.bit_size(bits);
    !graph.less(size, room)
}

/// The integer without a sign that some bits are.
pub(super) fn unsigned(
    graph: &mut Graph,
    bits: NodeId,
    from: u64,
    width: u64,
    endianness: Endianness,
) -> NodeId {
    if is_big(endianness) {
        return graph.field(bits, from, width);
    }
    let mut sum = graph.integer(0);
    let mut at = 0;
    while at < width {
        let byte = graph.field(bits, from + at, (width - at).min(8));
        let factor = graph.power_of_two(at);
        let byte = graph.arithmetic(Operator::Multiply, byte, factor);
        sum = graph.arithmetic(Operator::Add, byte, sum);
        at += 8;
    }
    sum
}
