//! Integers as they are encoded in bit strings.

use super::arena::Graph;
use super::bit_pieces::Piece;
use super::ids::NodeId;
use super::number_bounds::upper_bound;
use super::operator::Operator;

impl Graph {
    /// The pieces that encode an integer, which fits into the number of bits.
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

    /// An integer truncated to a number of bits.
    pub fn fitted(&mut self, value: NodeId, width: u64) -> NodeId {
        let size = self.power_of_two(width);
        if upper_bound(self, value).is_some_and(|it| it.bits() <= width) {
            return value;
        }
        self.arithmetic(Operator::Modulo, value, size)
    }

    /// The integer that is encoded by pieces, the most significant first.
    pub(super) fn joined(&mut self, pieces: &[Piece]) -> NodeId {
        let mut sum = self.integer(0);
        let mut after = 0;
        for piece in pieces.iter().rev() {
            let factor = self.power_of_two(after);
            let value = self.arithmetic(Operator::Multiply, piece.value, factor);
            sum = self.arithmetic(Operator::Add, value, sum);
            after += u64::from(piece.width);
        }
        sum
    }

    /// The bits of a piece from one position to another.
    pub(super) fn cut_out(&mut self, piece: Piece, from: u64, to: u64) -> Option<NodeId> {
        self.cut(piece, 0, (from, to)).map(|it| it.value)
    }

    /// The bits of a piece, which begins at a position, that lie between two others.
    pub(super) fn cut(&mut self, piece: Piece, at: u64, (from, to): (u64, u64)) -> Option<Piece> {
        let end = at + u64::from(piece.width);
        let (first, last) = (from.max(at), to.min(end));
        if first >= last {
            return None;
        }
        let mut value = piece.value;
        if last < end {
            let after = self.power_of_two(end - last);
            value = self.arithmetic(Operator::Divide, value, after);
        }
        if first > at {
            let size = self.power_of_two(last - first);
            value = self.arithmetic(Operator::Remainder, value, size);
        }
        let width = u32::try_from(last - first).unwrap_or(piece.width);
        Some(Piece { value, width })
    }
}
