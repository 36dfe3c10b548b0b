//! Floats that are integers divided by 1024, which have few decimals.

use solver::graph::{Condition, Graph, Kinds, Node, NodeId, Operator, Rounding};

use crate::model::{Model, Walker};
use crate::walk::{Walk, Walked};

pub(crate) const ENTRIES: &[Model] =
    &[Model::walk("erlconcolic_decimals", "units", Walker::One(units)).never_raises()];

/// One has so many units: 2 to this power.
const UNITS: u32 = 10;
/// Floats from here on are not taken apart.
const LIMIT: f64 = 1.0e10;
/// Products and sums are exact below 2 to this power.
const EXACT: u32 = 40;
/// Expressions that nest deeper are not understood.
const MOST_LEVELS: usize = 16;

/// `erlconcolic_decimals:units(Float)`: the number of units of a float, or `none` if there is no
/// whole number of them, if there are too many, and for zeros, because they have signs.
fn units(walk: &mut Walk<'_>, float: NodeId) -> Walked {
    let is_float = walk.graph.kind(Kinds::FLOAT, float);
    let (low, high) = (walk.graph.float(-LIMIT), walk.graph.float(LIMIT));
    let is_large = walk.graph.less(low, float);
    let is_small = walk.graph.less(float, high);
    let zero = walk.graph.integer(0);
    let is_zero = walk.graph.same(float, zero);
    let is_inside = walk.graph.all([is_float, is_large, is_small, !is_zero]);
    if !walk.holds(is_inside)? {
        return Ok(walk.graph.atom("none"));
    }
    let mut scaling = Scaling {
        graph: &mut *walk.graph,
        conditions: Vec::new(),
    };
    if let Some(scaled) = scaling.scaled(float, MOST_LEVELS) {
        let conditions = scaling.conditions;
        let is_exact = walk.graph.all(conditions);
        if walk.holds(is_exact)? {
            return Ok(multiplied(walk.graph, scaled.value, scaled.shift));
        }
    }
    let one = walk.graph.integer(1 << UNITS);
    let product = walk.graph.arithmetic(Operator::Multiply, float, one);
    let whole = walk.graph.rounded(Rounding::Truncate, product);
    let is_whole = walk.graph.same(product, whole);
    if walk.holds(is_whole)? {
        return Ok(whole);
    }
    Ok(walk.graph.atom("none"))
}

/// A number, as an integer times a power of two, in units.
#[derive(Clone, Copy)]
struct Scaled {
    value: NodeId,
    shift: u32,
}

/// Finds the units of expressions of integers and constants, and when they are exact.
struct Scaling<'graph> {
    graph: &'graph mut Graph,
    conditions: Vec<Condition>,
}

impl Scaling<'_> {
    fn scaled(&mut self, node: NodeId, levels: usize) -> Option<Scaled> {
        let levels = levels.checked_sub(1)?;
        if let Some(units) = constant_units(self.graph, node) {
            let value = self.graph.integer(units);
            return Some(Scaled { value, shift: 0 });
        }
        let Node::Arithmetic(operator, left, right) = *self.graph.node(node) else {
            return self.integer(node);
        };
        match operator {
            Operator::Quotient => {
                let by = constant(self.graph, right)?;
                let scaled = self.scaled(left, levels)?;
                let is_power = by > 0 && by.count_ones() == 1;
                let shift = scaled.shift.checked_sub(by.trailing_zeros())?;
                is_power.then_some(Scaled { shift, ..scaled })
            }
            Operator::Multiply => {
                let (number, by) = match constant(self.graph, left) {
                    Some(by) => (right, by),
                    None => (left, constant(self.graph, right)?),
                };
                let scaled = self.scaled(number, levels)?;
                let factor = (0 < by && by <= 1 << UNITS).then(|| self.graph.integer(by))?;
                let value = self
                    .graph
                    .arithmetic(Operator::Multiply, scaled.value, factor);
                Some(self.bounded(value, scaled.shift))
            }
            Operator::Add | Operator::Subtract => {
                let (left, right) = (self.scaled(left, levels)?, self.scaled(right, levels)?);
                let shift = left.shift.min(right.shift);
                let left = multiplied(self.graph, left.value, left.shift - shift);
                let right = multiplied(self.graph, right.value, right.shift - shift);
                let value = self.graph.arithmetic(operator, left, right);
                Some(self.bounded(value, shift))
            }
            Operator::Divide
            | Operator::Remainder
            | Operator::Modulo
            | Operator::And
            | Operator::Or
            | Operator::Xor
            | Operator::ShiftLeft
            | Operator::ShiftRight => self.integer(node),
        }
    }

    /// A number that must be an integer.
    fn integer(&mut self, node: NodeId) -> Option<Scaled> {
        let is_integer = self.graph.kind(Kinds::INTEGER, node);
        self.conditions.push(is_integer);
        (is_integer != Condition::FALSE).then(|| self.bounded(node, UNITS))
    }

    /// A number that must be small enough.
    fn bounded(&mut self, value: NodeId, shift: u32) -> Scaled {
        let limit = self.graph.integer(1 << EXACT);
        let opposite = self.graph.integer(-(1 << EXACT));
        let is_small = self.graph.less(value, limit);
        let is_large = self.graph.less(opposite, value);
        self.conditions.extend([is_small, is_large]);
        Scaled { value, shift }
    }
}

fn multiplied(graph: &mut Graph, value: NodeId, shift: u32) -> NodeId {
    let factor = graph.power_of_two(shift.into());
    graph.arithmetic(Operator::Multiply, value, factor)
}

/// The units of a constant that is not zero.
fn constant_units(graph: &Graph, node: NodeId) -> Option<i64> {
    let number = if let Node::Integer(known) = graph.node(node) {
        known.to_i64().filter(|it| it.abs() < 1 << EXACT)? as f64
    } else if let Node::Float(bits) = graph.node(node) {
        f64::from_bits(*bits)
    } else {
        return None;
    };
    let units = number * f64::from(1 << UNITS);
    let is_exact = units.fract() == 0.0 && units != 0.0 && number.abs() < LIMIT;
    is_exact.then_some(units as i64)
}

/// A constant that is a whole number.
fn constant(graph: &Graph, node: NodeId) -> Option<i64> {
    let units = constant_units(graph, node)?;
    (units % (1 << UNITS) == 0).then_some(units >> UNITS)
}
