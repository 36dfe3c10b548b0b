//! Floats that are encoded in bit strings. A condition on such a float is a condition on its bits:
//! the bits of positive floats are in the order of the floats, and negative floats have one bit
//! more.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::arena::Graph;
use super::ids::{Condition, NodeId};
use super::node::Node;
use super::term_order::compare;
use crate::release_rules::Zeros;

/// The number of bits of the fraction.
fn fraction_bits(width: u32) -> u32 {
    match width {
        16 => 10,
        32 => 23,
        _ => 52,
    }
}

/// The bits of the first positive number that is not a float.
fn first_infinite(width: u32) -> u64 {
    let fraction = fraction_bits(width);
    ((1 << (width - 1 - fraction)) - 1) << fraction
}

/// The float with these bits, if there is one.
fn decode(bits: u64, width: u32) -> Option<f64> {
    let value = match width {
        64 => f64::from_bits(bits),
        32 => f32::from_bits(u32::try_from(bits).ok()?).into(),
        _ => decode_half(bits),
    };
    value.is_finite().then_some(value)
}

fn decode_half(bits: u64) -> f64 {
    let fraction = (bits & 0x3FF).to_f64().unwrap_or_default();
    let exponent = i32::try_from(bits >> 10 & 0x1F).unwrap_or_default();
    let magnitude = match exponent {
        0x1F => f64::INFINITY,
        0 => fraction * 2_f64.powi(-24),
        _ => (1024.0 + fraction) * 2_f64.powi(exponent - 25),
    };
    if bits & 0x8000 == 0 {
        magnitude
    } else {
        -magnitude
    }
}

impl Graph {
    /// The float that is encoded by the bits of an integer, 16, 32 or 64.
    pub fn float_of(&mut self, of: NodeId, width: u32) -> NodeId {
        if let Node::Integer(bits) = self.node(of)
            && let Some(bits) = bits.to_big().to_u64()
            && let Some(value) = decode(bits, width)
        {
            return self.float(value);
        }
        self.intern(Node::FloatOf(of, width))
    }

    /// Whether `0.0` and `-0.0` are different values.
    pub(crate) fn tells_zeros_apart(&self) -> bool {
        self.rules.zeros == Zeros::Different
    }

    /// The bits of an integer are those of a float.
    pub fn is_float(&mut self, of: NodeId, width: u32) -> Condition {
        let sign = 1_u64 << (width - 1);
        let infinite = first_infinite(width);
        let [sign, infinite, negative] =
            [sign, infinite, sign + infinite].map(|it| self.big_integer(BigInt::from(it).into()));
        let is_negative = !self.less(of, sign);
        let is_small = self.less(of, infinite);
        let is_small_too = self.less(of, negative);
        let negative = self.all([is_negative, is_small_too]);
        self.any([is_small, negative])
    }
}

/// The condition that an encoded float equals a constant or another encoded float.
pub(super) fn equal_floats(
    graph: &mut Graph,
    left: NodeId,
    right: NodeId,
    tells_zeros_apart: bool,
) -> Option<Condition> {
    if let (&Node::FloatOf(one, width), &Node::FloatOf(other, other_width)) =
        (graph.node(left), graph.node(right))
    {
        if width != other_width {
            return None;
        }
        let same = graph.equal(one, other);
        if tells_zeros_apart {
            return Some(same);
        }
        let zeros = [one, other].map(|it| is_zero_float(graph, it, width));
        let zeros = graph.all(zeros);
        return Some(graph.any([same, zeros]));
    }
    let (of, width, constant) = float_and_constant(graph, left, right)?;
    let below = magnitudes(graph, width, constant, Ordering::is_lt)?;
    let at_most = magnitudes(graph, width, constant, Ordering::is_le)?;
    let (_, sign) = sign(graph, constant);
    if below == at_most {
        return Some(Condition::FALSE);
    }
    if below == 0 && !tells_zeros_apart {
        return Some(is_zero_float(graph, of, width));
    }
    let is_negative_zero = *graph.node(constant) == Node::Float((-0.0_f64).to_bits());
    let sign = sign || is_negative_zero;
    let bits = below + if sign { 1 << (width - 1) } else { 0 };
    let bits = graph.big_integer(BigInt::from(bits).into());
    Some(graph.equal(of, bits))
}

fn is_zero_float(graph: &mut Graph, of: NodeId, width: u32) -> Condition {
    let zeros = [0, 1_u64 << (width - 1)].map(|zero| {
        let zero = graph.big_integer(BigInt::from(zero).into());
        graph.equal(of, zero)
    });
    graph.any(zeros)
}

fn float_and_constant(graph: &Graph, left: NodeId, right: NodeId) -> Option<(NodeId, u32, NodeId)> {
    for (float, constant) in [(left, right), (right, left)] {
        if let Node::FloatOf(of, width) = *graph.node(float)
            && matches!(graph.node(constant), Node::Integer(_) | Node::Float(_))
        {
            return Some((of, width, constant));
        }
    }
    None
}

/// The order of an encoded float and a constant.
pub(super) fn less_floats(graph: &mut Graph, left: NodeId, right: NodeId) -> Option<Condition> {
    let (of, width, constant) = float_and_constant(graph, left, right)?;
    let (is_zero, is_negative) = sign(graph, constant);
    let is_positive = !is_negative && !is_zero;
    let sign = 1_u64 << (width - 1);
    let below = magnitudes(graph, width, constant, Ordering::is_lt)?;
    let at_most = magnitudes(graph, width, constant, Ordering::is_le)?;
    let mut is_below = |limit: u64| {
        let limit = graph.big_integer(BigInt::from(limit).into());
        graph.less(of, limit)
    };
    let positive = is_below(sign);
    let is_float_left = matches!(graph.node(left), Node::FloatOf(..));
    let mut is_below = |limit: u64| {
        let limit = graph.big_integer(BigInt::from(limit).into());
        graph.less(of, limit)
    };
    Some(match (is_float_left, is_positive, is_negative) {
        (true, true, _) => {
            let small = is_below(below);
            graph.any([!positive, small])
        }
        (true, false, _) => !is_below(sign + at_most),
        (false, _, false) => {
            let small = is_below(at_most);
            graph.all([positive, !small])
        }
        (false, _, true) => is_below(sign + below),
    })
}

/// Whether a constant is zero, and whether it is negative.
fn sign(graph: &mut Graph, constant: NodeId) -> (bool, bool) {
    let zero = graph.integer(0);
    let order = compare(graph, constant, zero);
    (
        order == Some(Ordering::Equal),
        order == Some(Ordering::Less),
    )
}

/// How many floats of this width, from zero on, compare to the magnitude of a constant as wanted.
fn magnitudes(
    graph: &mut Graph,
    width: u32,
    constant: NodeId,
    wanted: impl Fn(Ordering) -> bool,
) -> Option<u64> {
    let (_, is_negative) = sign(graph, constant);
    let (mut low, mut high) = (0, first_infinite(width));
    while low < high {
        let middle = low + (high - low) / 2;
        let value = decode(middle, width)?;
        let value = graph.float(if is_negative { -value } else { value });
        let order = compare(graph, value, constant)?;
        let order = if is_negative { order.reverse() } else { order };
        if wanted(order) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Some(low)
}
