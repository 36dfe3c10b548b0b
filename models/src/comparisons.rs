//! Comparisons of any values, and connectives of booleans.

use solver::graph::{Condition, Graph, NodeId};

use crate::model::Rule::{One, Two};
use crate::model::{Applied, Model};
use crate::type_checks::is_true_or_false;

pub(crate) const ENTRIES: &[Model] = &[
    Model::rule("erlang", "min", Two(minimum)).never_raises(),
    Model::rule("erlang", "max", Two(maximum)).never_raises(),
    Model::rule("erlang", "not", One(not)),
    Model::rule("erlang", "and", Two(and)),
    Model::rule("erlang", "or", Two(or)),
    Model::rule("erlang", "xor", Two(exclusive_or)),
];

/// One entry for each comparison.
macro_rules! comparisons {
    ($($name:literal => |$graph:ident, $left:ident, $right:ident| $condition:expr),* $(,)?) => {
        &[$(Model::rule("erlang", $name, Two(|$graph, $left, $right| {
            let condition = $condition;
            Applied::truth($graph, condition)
        })).never_raises()),*]
    };
}

pub(crate) const COMPARISONS: &[Model] = comparisons! {
    "=:=" => |graph, left, right| graph.equal(left, right),
    "=/=" => |graph, left, right| !graph.equal(left, right),
    "==" => |graph, left, right| graph.same(left, right),
    "/=" => |graph, left, right| !graph.same(left, right),
    "<" => |graph, left, right| graph.less(left, right),
    ">" => |graph, left, right| graph.less(right, left),
    "=<" => |graph, left, right| !graph.less(right, left),
    ">=" => |graph, left, right| !graph.less(left, right),
};

fn minimum(graph: &mut Graph, left: NodeId, right: NodeId) -> Option<Applied> {
    let is_second = graph.less(right, left);
    Applied::total(graph.choice(is_second, right, left))
}

fn maximum(graph: &mut Graph, left: NodeId, right: NodeId) -> Option<Applied> {
    let is_second = graph.less(left, right);
    Applied::total(graph.choice(is_second, right, left))
}

fn not(graph: &mut Graph, value: NodeId) -> Option<Applied> {
    let is_false = graph.equal(value, NodeId::FALSE);
    Some(Applied {
        returns: is_true_or_false(graph, value),
        value: graph.truth(is_false),
    })
}

fn and(graph: &mut Graph, left: NodeId, right: NodeId) -> Option<Applied> {
    connected(graph, left, right, |graph, left, right| {
        graph.all([left, right])
    })
}

fn or(graph: &mut Graph, left: NodeId, right: NodeId) -> Option<Applied> {
    connected(graph, left, right, |graph, left, right| {
        graph.any([left, right])
    })
}

fn exclusive_or(graph: &mut Graph, left: NodeId, right: NodeId) -> Option<Applied> {
    connected(graph, left, right, |graph, left, right| {
        graph.either(left, !right, right)
    })
}

fn connected(
    graph: &mut Graph,
    left: NodeId,
    right: NodeId,
    connect: fn(&mut Graph, Condition, Condition) -> Condition,
) -> Option<Applied> {
    let booleans = [
        is_true_or_false(graph, left),
        is_true_or_false(graph, right),
    ];
    let returns = graph.all(booleans);
    let [left, right] = [left, right].map(|side| graph.equal(side, NodeId::TRUE));
    let condition = connect(graph, left, right);
    Some(Applied {
        returns,
        value: graph.truth(condition),
    })
}
