//! Tests of what a value is.

use solver::graph::{Condition, Graph, Kinds, Node, NodeId};

use crate::model::Rule::{One, Three, Two};
use crate::model::{Applied, Model};

/// No function has more parameters.
const LARGEST_ARITY: u32 = 255;

pub(crate) const ENTRIES: &[Model] = &[
    Model::rule("erlang", "is_boolean", One(is_boolean)).never_raises(),
    Model::rule("erlang", "is_function", Two(is_function)).in_guards(),
    Model::rule("erlang", "is_integer", Three(is_integer_between)),
    Model::rule("erlang", "is_record", Two(is_any_record)),
    Model::rule("erlang", "is_record", Three(is_record_of_size)),
];

/// One entry for each test that asks for kinds.
macro_rules! tests_of_kinds {
    ($($name:literal => $kinds:ident),* $(,)?) => {
        &[$(Model::rule("erlang", $name, One(|graph, value| {
            let condition = graph.kind(Kinds::$kinds, value);
            Applied::truth(graph, condition)
        })).never_raises()),*]
    };
}

pub(crate) const TESTS_OF_KINDS: &[Model] = tests_of_kinds! {
    "is_atom" => ATOM,
    "is_binary" => BINARY,
    "is_bitstring" => BITS,
    "is_float" => FLOAT,
    "is_function" => FUN,
    "is_integer" => INTEGER,
    "is_list" => LIST,
    "is_map" => MAP,
    "is_number" => NUMBER,
    "is_pid" => PID,
    "is_port" => PORT,
    "is_reference" => REFERENCE,
    "is_tuple" => TUPLE,
};

fn is_boolean(graph: &mut Graph, value: NodeId) -> Option<Applied> {
    let condition = is_true_or_false(graph, value);
    Applied::truth(graph, condition)
}

/// The condition on which a value is a boolean.
pub(crate) fn is_true_or_false(graph: &mut Graph, value: NodeId) -> Condition {
    let yes = graph.equal(value, NodeId::TRUE);
    let no = graph.equal(value, NodeId::FALSE);
    graph.any([yes, no])
}

/// A number that is not an arity raises before the value is tested.
fn is_function(graph: &mut Graph, value: NodeId, arity: NodeId) -> Option<Applied> {
    let zero = graph.integer(0);
    let is_integer = graph.kind(Kinds::INTEGER, arity);
    let is_negative = graph.less(arity, zero);
    let returns = graph.all([is_integer, !is_negative]);
    let has_arity = has_arity(graph, value, arity);
    Some(Applied {
        returns,
        value: graph.truth(has_arity),
    })
}

fn has_arity(graph: &mut Graph, value: NodeId, arity: NodeId) -> Condition {
    if let Some(known) = graph.known_fun_arity(value) {
        let known = graph.integer(i64::from(known));
        return graph.equal(arity, known);
    }
    if let Node::Integer(asked) = graph.node(arity) {
        let asked = asked.to_i64().and_then(|it| u32::try_from(it).ok());
        return asked.map_or(Condition::FALSE, |asked| graph.fun_arity(asked, value));
    }
    if !graph.kinds(value).intersects(Kinds::FUN) {
        return Condition::FALSE;
    }
    // The last are tried first.
    let each = (0..=LARGEST_ARITY).rev().map(|number| {
        let is_number = graph.integer(i64::from(number));
        let is_number = graph.equal(arity, is_number);
        let has_arity = graph.fun_arity(number, value);
        graph.all([is_number, has_arity])
    });
    let each: Vec<Condition> = each.collect();
    graph.any(each)
}

/// Since OTP 29. Bounds that are not integers raise before the value is tested.
fn is_integer_between(
    graph: &mut Graph,
    value: NodeId,
    lowest: NodeId,
    highest: NodeId,
) -> Option<Applied> {
    let bounds = [lowest, highest].map(|bound| graph.kind(Kinds::INTEGER, bound));
    let is_integer = graph.kind(Kinds::INTEGER, value);
    let is_below = graph.less(value, lowest);
    let is_above = graph.less(highest, value);
    let is_between = graph.all([is_integer, !is_below, !is_above]);
    Some(Applied {
        returns: graph.all(bounds),
        value: graph.truth(is_between),
    })
}

fn is_any_record(graph: &mut Graph, value: NodeId, tag: NodeId) -> Option<Applied> {
    is_record(graph, value, tag, None)
}

fn is_record_of_size(
    graph: &mut Graph,
    value: NodeId,
    tag: NodeId,
    size: NodeId,
) -> Option<Applied> {
    is_record(graph, value, tag, Some(size))
}

/// The compiler writes tag and size as constants. Since OTP 29 there is a test for native records,
/// which has the name of a module and that of a record.
fn is_record(
    graph: &mut Graph,
    value: NodeId,
    tag: NodeId,
    size: Option<NodeId>,
) -> Option<Applied> {
    let may_be = |graph: &Graph, node, kinds| graph.kinds(node).intersects(kinds);
    let is_native = size.is_some_and(|size| may_be(graph, size, Kinds::ATOM));
    if is_native {
        return None;
    }
    let is_wrong = !may_be(graph, tag, Kinds::ATOM)
        || size.is_some_and(|size| !may_be(graph, size, Kinds::INTEGER));
    if is_wrong {
        return Some(Applied::never());
    }
    if !matches!(graph.node(tag), Node::Atom(_)) {
        return None;
    }
    let shape = match size.map(|size| graph.node(size)) {
        Some(Node::Integer(size)) => {
            let size = size.to_i64().and_then(|size| u32::try_from(size).ok());
            // No tuple has more elements.
            size.map_or(Condition::FALSE, |size| graph.arity(size, value))
        }
        Some(_) => return None,
        None => {
            let is_tuple = graph.kind(Kinds::TUPLE, value);
            let is_empty = graph.arity(0, value);
            graph.all([is_tuple, !is_empty])
        }
    };
    if shape == Condition::FALSE {
        return Applied::truth(graph, shape);
    }
    let first = graph.element(0, value);
    let tagged = graph.equal(first, tag);
    let condition = graph.all([shape, tagged]);
    Applied::truth(graph, condition)
}
