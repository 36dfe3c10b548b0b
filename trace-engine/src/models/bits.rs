//! Bit strings: numbers that must be known to go on, and putting bit strings together.

mod atoms;
mod building;
mod converting;
mod parts;

use super::{Stop, Walk};
use crate::matching::Question;
use solver::graph::{Bits, Condition, Kinds, MOST_BYTES, Node, NodeId, Piece};

pub(super) use atoms::Characters;
pub(crate) use building::Segment;

/// Larger numbers are not told apart.
const LARGEST: i64 = 1 << 16;
/// These are told apart at once.
const SMALL: i64 = 4;

impl Walk<'_> {
    /// What the run says to a question.
    pub(crate) fn answer(&mut self, question: &Question) -> Result<u64, Stop> {
        match question {
            Question::Number(node) => self.exact(*node),
            Question::Ways(ways) => {
                let chosen = self.choose(ways)?;
                u64::try_from(chosen).map_err(|_| Stop::Unknown)
            }
        }
    }

    /// Which number an integer is that is not negative. All inputs that come here have the same
    /// ways, so its magnitude is found first, and then the half it lies in, again and again.
    pub(super) fn exact(&mut self, number: NodeId) -> Result<u64, Stop> {
        if let Node::Integer(known) = self.graph.node(number) {
            let known = known.to_i64().and_then(|it| u64::try_from(it).ok());
            return known.ok_or(Stop::Unknown);
        }
        let mut ways = Vec::new();
        for small in 0..SMALL {
            let small = self.graph.integer(small);
            ways.push(self.graph.equal(number, small));
        }
        ways.push(Condition::TRUE);
        let chosen = i64::try_from(self.choose(&ways)?).map_err(|_| Stop::Unknown)?;
        if chosen < SMALL {
            return u64::try_from(chosen).map_err(|_| Stop::Unknown);
        }
        // Small numbers come first in a search, as each of these has two ways only.
        let mut low = SMALL;
        while low < LARGEST {
            let limit = self.graph.integer(2 * low);
            let is_below = self.graph.less(number, limit);
            if self.holds(is_below)? {
                return self.bisect(number, low, 2 * low);
            }
            low *= 2;
        }
        Err(Stop::Unknown)
    }

    /// Which number an integer is that lies between two, the second one excluded.
    fn bisect(&mut self, number: NodeId, low: i64, high: i64) -> Result<u64, Stop> {
        let (mut low, mut high) = (low, high);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            let limit = self.graph.integer(middle);
            let is_below = self.graph.less(number, limit);
            if self.holds(is_below)? {
                high = middle;
            } else {
                low = middle;
            }
        }
        u64::try_from(low).map_err(|_| Stop::Unknown)
    }

    /// Goes on only if an integer is not negative.
    fn require_natural(&mut self, number: NodeId) -> Result<(), Stop> {
        let is_integer = self.graph.kind(Kinds::INTEGER, number);
        let zero = self.graph.integer(0);
        let is_negative = self.graph.less(number, zero);
        let is_natural = self.graph.all([is_integer, !is_negative]);
        self.require(is_natural)
    }

    /// The pieces of a bit string, however long it was in the run.
    fn all_pieces(&mut self, bits: NodeId) -> Result<Vec<Piece>, Stop> {
        if let Some(pieces) = self.graph.closed_pieces(bits) {
            return Ok(pieces);
        }
        let is_whole = self.graph.kind(Kinds::BINARY, bits);
        let is_whole = self.holds(is_whole)?;
        let bytes = self.graph.bytes(bits);
        let mut width = self.exact(bytes)? * 8;
        if !is_whole {
            let unused = self.graph.unused(bits);
            width = width.saturating_sub(self.exact(unused)?);
        }
        self.first_pieces(bits, width)
    }

    fn first_pieces(&mut self, bits: NodeId, width: u64) -> Result<Vec<Piece>, Stop> {
        if width > 8 * MOST_BYTES as u64 {
            return Err(Stop::Unknown);
        }
        let pieces = self.graph.pieces_of(bits, 0, width);
        pieces.ok_or(Stop::Unknown)
    }

    /// A bit string of pieces.
    fn bits_of(&mut self, pieces: Vec<Piece>) -> NodeId {
        self.graph.bits(Bits { pieces, rest: None })
    }

    /// The bytes of a value that must be a bit string of whole ones.
    fn bytes_of(&mut self, bits: NodeId) -> Result<Vec<NodeId>, Stop> {
        let is_binary = self.graph.kind(Kinds::BINARY, bits);
        self.require(is_binary)?;
        self.bytes_of_any(bits).map(|it| it.0)
    }

    /// The bytes of a bit string, and what is left at its end.
    fn bytes_of_any(&mut self, bits: NodeId) -> Result<(Vec<NodeId>, Option<NodeId>), Stop> {
        let pieces = self.all_pieces(bits)?;
        let width: u64 = pieces.iter().map(|it| u64::from(it.width)).sum();
        let closed = self.bits_of(pieces);
        let bytes = (0..width / 8).map(|it| self.graph.field(closed, it * 8, 8));
        let bytes: Vec<NodeId> = bytes.collect();
        let left = width % 8;
        let rest = (left > 0).then(|| self.graph.sliced(closed, width - left, Some(left)));
        Ok((bytes, rest))
    }
}
