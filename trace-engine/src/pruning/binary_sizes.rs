//! What conditions say about the sizes of binaries of the input.
//!
//! A pattern of bits says that there is room for it, or that nothing is left. Such a condition
//! compares a sum over the number of bytes with a constant, so it is a range of this number.

use erlang_term::Integer;
use flattener::ast::deep;
use solver::graph::{Condition, Formula, Graph, Node, NodeId, Operator, Place};

/// The number of bytes of a binary of the input: the least and the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ByteRange {
    pub(super) least: i64,
    pub(super) most: i64,
}

impl ByteRange {
    /// More than any input has.
    pub(super) const NO_LIMIT: i64 = i64::MAX;
    /// Any number.
    pub(super) const ANY: Self = Self {
        least: 0,
        most: Self::NO_LIMIT,
    };
}

/// What a condition says about the number of bytes of a binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SaidOfSize {
    /// It is within this range.
    Within(ByteRange),
    /// It is not this number.
    Not(i64),
    /// It is anything.
    Anything,
    /// There is no such number.
    Impossible,
}

impl SaidOfSize {
    /// Whether it holds for every number of a range, or for none; `None` if for some.
    pub(super) fn status(self, known: ByteRange) -> Option<bool> {
        let holds_for_some = |range: ByteRange| {
            known.least <= range.most && range.least <= known.most && range.least <= range.most
        };
        match self {
            Self::Within(range) if known.least >= range.least && known.most <= range.most => {
                Some(true)
            }
            Self::Within(range) => (!holds_for_some(range)).then_some(false),
            Self::Not(number) if number < known.least || number > known.most => Some(true),
            Self::Not(_) => (known.least == known.most).then_some(false),
            Self::Anything => Some(true),
            Self::Impossible => Some(false),
        }
    }

    /// What is left of a range; the same if it does not say so in this form.
    pub(super) fn narrowed(self, known: ByteRange) -> ByteRange {
        let ByteRange { least, most } = known;
        match self {
            Self::Within(range) => ByteRange {
                least: least.max(range.least),
                most: most.min(range.most),
            },
            Self::Not(number) if number == least => ByteRange {
                least: least + 1,
                most,
            },
            Self::Not(number) if number == most => ByteRange {
                least,
                most: most - 1,
            },
            Self::Not(_) | Self::Anything | Self::Impossible => known,
        }
    }
}

/// The binary whose size a condition is about, and what it says. Only what `is_binary` names is one.
pub(super) fn said_of_size(
    graph: &Graph,
    condition: Condition,
    is_binary: &mut dyn FnMut(NodeId) -> bool,
) -> Option<(NodeId, SaidOfSize)> {
    let holds = !condition.is_negated();
    match graph.formula(condition) {
        Formula::Less(left, right) => {
            let (binary, factor, offset) = difference(graph, *left, *right, is_binary)?;
            Some((binary, below_zero(factor, offset, holds)))
        }
        Formula::Equal(left, right) | Formula::Same(left, right) => {
            let (binary, factor, offset) = difference(graph, *left, *right, is_binary)?;
            let said = match (offset % factor == 0, holds) {
                (true, true) => SaidOfSize::Within(ByteRange {
                    least: -offset / factor,
                    most: -offset / factor,
                }),
                (true, false) => SaidOfSize::Not(-offset / factor),
                (false, true) => SaidOfSize::Impossible,
                (false, false) => SaidOfSize::Anything,
            };
            Some((binary, said))
        }
        Formula::True
        | Formula::All(_)
        | Formula::Kind(..)
        | Formula::Arity(..)
        | Formula::FunArity(..)
        | Formula::ProperList(_)
        | Formula::Member(..)
        | Formula::Fields(..)
        | Formula::Utf8(..)
        | Formula::HasKey(..)
        | Formula::Before(..)
        | Formula::TooLarge(..) => None,
    }
}

/// Whether `factor * bytes + offset` is below zero, or not.
fn below_zero(factor: i64, offset: i64, holds: bool) -> SaidOfSize {
    let mut range = ByteRange::ANY;
    match (factor > 0, holds) {
        (true, true) => range.most = (-1 - offset).div_euclid(factor),
        (true, false) => range.least = -(offset.div_euclid(factor)),
        (false, true) => range.least = -((-1 - offset).div_euclid(-factor)),
        (false, false) => range.most = offset.div_euclid(-factor),
    }
    SaidOfSize::Within(range)
}

/// The binary, factor and offset of `left - right`, if it is `factor * bytes + offset`.
fn difference(
    graph: &Graph,
    left: NodeId,
    right: NodeId,
    is_binary: &mut dyn FnMut(NodeId) -> bool,
) -> Option<(NodeId, i64, i64)> {
    let left = SizeTerm::of(graph, left, is_binary)?;
    let right = SizeTerm::of(graph, right, is_binary)?;
    let SizeTerm {
        binary,
        factor,
        offset,
    } = left.plus(right.times(-1)?)?;
    (factor != 0).then_some((binary?, factor, offset))
}

/// `factor * bytes + offset`.
#[derive(Clone, Copy, Debug)]
struct SizeTerm {
    binary: Option<NodeId>,
    factor: i64,
    offset: i64,
}

impl SizeTerm {
    fn constant(offset: i64) -> Self {
        Self {
            binary: None,
            factor: 0,
            offset,
        }
    }

    fn of(graph: &Graph, node: NodeId, is_binary: &mut dyn FnMut(NodeId) -> bool) -> Option<Self> {
        let value = graph.node(node);
        if let Node::Integer(Integer::Small(value)) = value {
            // Larger ones could overflow, and no binary is so large.
            let is_small = value.unsigned_abs() < 1 << 30;
            return is_small.then(|| Self::constant(*value));
        }
        if let Node::Part(Place::Bytes, of) = value {
            return is_binary(*of).then_some(Self {
                binary: Some(*of),
                factor: 1,
                offset: 0,
            });
        }
        if let Node::Part(Place::Unused, of) = value {
            return is_binary(*of).then(|| Self::constant(0));
        }
        let Node::Arithmetic(operator, left, right) = value else {
            return None;
        };
        let is_sum = matches!(
            operator,
            Operator::Add | Operator::Subtract | Operator::Multiply
        );
        is_sum.then_some(())?;
        let left = Self::of_operand(graph, *left, is_binary)?;
        let right = Self::of_operand(graph, *right, is_binary)?;
        if *operator == Operator::Add {
            left.plus(right)
        } else if *operator == Operator::Subtract {
            left.plus(right.times(-1)?)
        } else if right.binary.is_none() {
            left.times(right.offset)
        } else if left.binary.is_none() {
            right.times(left.offset)
        } else {
            None
        }
    }

    /// The same of an operand.
    fn of_operand(
        graph: &Graph,
        node: NodeId,
        is_binary: &mut dyn FnMut(NodeId) -> bool,
    ) -> Option<Self> {
        if matches!(graph.node(node), Node::Arithmetic(..)) {
            deep(|| Self::of(graph, node, is_binary))
        } else {
            Self::of(graph, node, is_binary)
        }
    }

    fn plus(self, other: Self) -> Option<Self> {
        let is_one = self.binary.is_none() || other.binary.is_none() || self.binary == other.binary;
        is_one.then_some(())?;
        Some(Self {
            binary: self.binary.or(other.binary),
            factor: self.factor.checked_add(other.factor)?,
            offset: self.offset.checked_add(other.offset)?,
        })
    }

    fn times(self, number: i64) -> Option<Self> {
        Some(Self {
            binary: self.binary,
            factor: self.factor.checked_mul(number)?,
            offset: self.offset.checked_mul(number)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Room for some bits, and nothing left, behind some bits of a binary.
    #[test]
    fn sizes_of_rests_are_ranges() {
        let mut graph = Graph::default();
        let binary = graph.input(0);
        let rest = graph.sliced(binary, 24, None);
        let said = |graph: &Graph, condition| {
            let found = said_of_size(graph, condition, &mut |it| it == binary);
            found.map(|(of, said)| {
                assert_eq!(of, binary);
                said
            })
        };
        let size = graph.bit_size(rest);
        for (bits, least) in [(1, 4), (8, 4), (9, 5), (16, 5)] {
            let room = graph.integer(bits);
            let is_short = graph.less(size, room);
            let most = ByteRange {
                most: least - 1,
                ..ByteRange::ANY
            };
            assert_eq!(said(&graph, is_short), Some(SaidOfSize::Within(most)));
            let least = ByteRange {
                least,
                ..ByteRange::ANY
            };
            assert_eq!(said(&graph, !is_short), Some(SaidOfSize::Within(least)));
            let is_longer = graph.less(room, size);
            let longer = said(&graph, is_longer).expect("it is about the size");
            let least = 3 + bits / 8 + 1;
            assert_eq!(longer.narrowed(ByteRange::ANY).least, least);
        }
        let is_empty = graph.has_bit_size(rest, 0);
        assert_eq!(said(&graph, !is_empty), Some(SaidOfSize::Not(3)));
        let is_odd = graph.has_bit_size(rest, 4);
        assert_eq!(said(&graph, is_odd), Some(SaidOfSize::Impossible));
    }

    #[test]
    fn what_is_said_follows_from_a_range_or_narrows_it() {
        let range = |least, most| ByteRange { least, most };
        let within = SaidOfSize::Within(range(2, 4));
        assert_eq!(within.status(range(2, 3)), Some(true));
        assert_eq!(within.status(range(5, 9)), Some(false));
        assert_eq!(within.status(range(4, 9)), None);
        assert_eq!(within.narrowed(range(3, 9)), range(3, 4));
        assert_eq!(SaidOfSize::Not(3).status(range(4, 5)), Some(true));
        assert_eq!(SaidOfSize::Not(3).status(range(3, 3)), Some(false));
        assert_eq!(SaidOfSize::Not(3).status(range(3, 4)), None);
        assert_eq!(SaidOfSize::Not(3).narrowed(range(3, 9)), range(4, 9));
        assert_eq!(SaidOfSize::Not(3).narrowed(range(0, 3)), range(0, 2));
        assert_eq!(SaidOfSize::Not(3).narrowed(range(0, 9)), range(0, 9));
    }
}
