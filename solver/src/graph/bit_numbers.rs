//! Integers as they are written in bit strings.

use flattener::ast::deep;
use num_bigint::{BigInt, BigUint};
use num_traits::One;

use super::{Graph, MOST_INPUT_BYTES, Node, NodeId, Operator, Piece, Place};

impl Graph {
    /// Two to some power.
    pub fn power_of_two(&mut self, exponent: u64) -> NodeId {
        self.big_integer((BigInt::one() << exponent).into())
    }

    /// The largest value that an integer can have which is not negative; `None` if it may be, or
    /// if it has no bound.
    pub fn upper_bound(&self, node: NodeId) -> Option<BigUint> {
        match self.node(node) {
            Node::Integer(value) => value.to_big().to_biguint(),
            Node::Part(Place::Byte(_), _) => Some(255_u32.into()),
            Node::Part(Place::Unused, _) => Some(7_u32.into()),
            Node::Part(Place::Bytes, _) => Some(MOST_INPUT_BYTES.into()),
            Node::Part(Place::Head, of) if self.is_text(*of) => Some(0x10_FFFF_u32.into()),
            Node::Arithmetic(Operator::Modulo, _, right) => {
                let divisor = self.upper_bound(*right)?;
                (divisor > BigUint::ZERO).then(|| divisor - 1_u32)
            }
            Node::Arithmetic(operator, left, right) => {
                let left = deep(|| self.upper_bound(*left))?;
                let right = deep(|| self.upper_bound(*right))?;
                match operator {
                    Operator::Add => Some(left + right),
                    Operator::Multiply => Some(left * right),
                    Operator::Divide | Operator::Remainder => {
                        let Node::Integer(divisor) = self.node(self.operands(node).pop()?) else {
                            return None;
                        };
                        let divisor = divisor.to_big().to_biguint()?;
                        if divisor == BigUint::ZERO {
                            return None;
                        }
                        Some(match operator {
                            Operator::Divide => left / divisor,
                            _ => left.min(divisor - 1_u32),
                        })
                    }
                    _ => None,
                }
            }
            Node::Choice(..) => {
                let leaves = self.leaves(node).into_iter();
                let bounds = leaves.map(|leaf| deep(|| self.upper_bound(leaf)));
                bounds.collect::<Option<Vec<_>>>()?.into_iter().max()
            }
            _ => None,
        }
    }

    /// The pieces that an integer is written as which fits into so many bits.
    pub fn written(&mut self, value: NodeId, width: u64, is_big: bool) -> Vec<Piece> {
        let narrow = |width: u64| u32::try_from(width).unwrap_or(u32::MAX);
        if is_big || width <= 8 {
            let width = narrow(width);
            let piece = Piece { value, width };
            return if width == 0 { Vec::new() } else { vec![piece] };
        }
        let mut pieces = Vec::new();
        let mut at = 0;
        while at < width {
            let here = (width - at).min(8);
            let mut byte = value;
            if at > 0 {
                let factor = self.power_of_two(at);
                byte = self.arithmetic(Operator::Divide, byte, factor);
            }
            pieces.push(Piece {
                value: self.fitted(byte, here),
                width: narrow(here),
            });
            at += here;
        }
        pieces
    }

    /// An integer as it is written with so many bits: what does not fit is cut off.
    pub fn fitted(&mut self, value: NodeId, width: u64) -> NodeId {
        let size = self.power_of_two(width);
        if self.upper_bound(value).is_some_and(|it| it.bits() <= width) {
            return value;
        }
        self.arithmetic(Operator::Modulo, value, size)
    }
}
