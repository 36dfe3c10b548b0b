//! What built-ins do to symbolic values: when they return, and what.

mod numbers;

use solver::graph::{Condition, Graph, Kinds, Node, NodeId};

/// No function has more parameters.
const MOST_PARAMETERS: u32 = 255;

/// A call of a built-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Applied {
    /// It returns if this holds, and raises otherwise.
    pub(crate) returns: Condition,
    /// What it returns.
    pub(crate) value: NodeId,
}

/// A call of a built-in of the module `erlang`; `None` if nothing is known about it.
pub(crate) fn apply(graph: &mut Graph, name: &str, arguments: &[NodeId]) -> Option<Applied> {
    match *arguments {
        [argument] => apply_one(graph, name, argument),
        [binary, place] if name == "binary_part" => match *graph.node(place) {
            Node::Tuple(ref parts) => match **parts {
                [start, length] => binary_part(graph, binary, start, length),
                _ => None,
            },
            _ => None,
        },
        [left, right] => apply_two(graph, name, left, right),
        [binary, start, length] if name == "binary_part" => {
            binary_part(graph, binary, start, length)
        }
        [value, tag, size] if name == "is_record" => is_record(graph, value, tag, Some(size)),
        _ => None,
    }
}

/// A part of a binary between places that are constants.
fn binary_part(
    graph: &mut Graph,
    binary: NodeId,
    start: NodeId,
    length: NodeId,
) -> Option<Applied> {
    let (Node::Integer(start), Node::Integer(length)) = (graph.node(start), graph.node(length))
    else {
        return None;
    };
    let (start, length) = (start.to_i64()?, length.to_i64()?);
    let end = start.checked_add(length)?;
    let Ok(first) = u64::try_from(start.min(end)) else {
        return Some(Applied {
            returns: Condition::FALSE,
            value: NodeId::NIL,
        });
    };
    let is_binary = graph.kind(Kinds::BINARY, binary);
    let (size, last) = (graph.bytes(binary), graph.integer(start.max(end)));
    let is_short = graph.less(size, last);
    let width = length.unsigned_abs().checked_mul(8)?;
    let from = first.checked_mul(8)?;
    Some(Applied {
        returns: graph.all([is_binary, !is_short]),
        value: graph.sliced(binary, from, Some(width)),
    })
}

fn total(value: NodeId) -> Option<Applied> {
    Some(Applied {
        returns: Condition::TRUE,
        value,
    })
}

fn truth(graph: &mut Graph, condition: Condition) -> Option<Applied> {
    let value = graph.truth(condition);
    total(value)
}

fn apply_one(graph: &mut Graph, name: &str, argument: NodeId) -> Option<Applied> {
    if let Some(kinds) = kinds_of_test(name) {
        let condition = graph.kind(kinds, argument);
        return truth(graph, condition);
    }
    let (returns, value) = match name {
        "is_boolean" => {
            let condition = is_boolean(graph, argument);
            return truth(graph, condition);
        }
        "not" => {
            let is_false = {
                let no = NodeId::FALSE;
                graph.equal(argument, no)
            };
            (is_boolean(graph, argument), graph.truth(is_false))
        }
        "hd" => (graph.kind(Kinds::CONS, argument), graph.head(argument)),
        "tl" => (graph.kind(Kinds::CONS, argument), graph.tail(argument)),
        "length" => (graph.proper_list(argument), graph.length(argument)),
        "tuple_size" => (
            graph.kind(Kinds::TUPLE, argument),
            graph.tuple_size(argument),
        ),
        "map_size" => (graph.kind(Kinds::MAP, argument), graph.map_size(argument)),
        "byte_size" => (graph.kind(Kinds::BITS, argument), graph.bytes(argument)),
        "bit_size" => (graph.kind(Kinds::BITS, argument), graph.bit_size(argument)),
        "atom_to_list" => (graph.kind(Kinds::ATOM, argument), graph.text(argument)),
        _ => return numbers::apply_one(graph, name, argument),
    };
    Some(Applied { returns, value })
}

fn kinds_of_test(name: &str) -> Option<Kinds> {
    Some(match name {
        "is_atom" => Kinds::ATOM,
        "is_binary" => Kinds::BINARY,
        "is_bitstring" => Kinds::BITS,
        "is_float" => Kinds::FLOAT,
        "is_function" => Kinds::FUN,
        "is_integer" => Kinds::INTEGER,
        "is_list" => Kinds::LIST,
        "is_map" => Kinds::MAP,
        "is_number" => Kinds::NUMBER,
        "is_pid" => Kinds::PID,
        "is_port" => Kinds::PORT,
        "is_reference" => Kinds::REFERENCE,
        "is_tuple" => Kinds::TUPLE,
        _ => return None,
    })
}

fn is_boolean(graph: &mut Graph, node: NodeId) -> Condition {
    let (yes, no) = (NodeId::TRUE, NodeId::FALSE);
    let yes = graph.equal(node, yes);
    let no = graph.equal(node, no);
    graph.any([yes, no])
}

fn apply_two(graph: &mut Graph, name: &str, left: NodeId, right: NodeId) -> Option<Applied> {
    // What most calls are.
    if let Some(operator) = numbers::operator(name) {
        return Some(numbers::arithmetic(graph, operator, left, right));
    }
    if let Some(condition) = comparison(graph, name, left, right) {
        return truth(graph, condition);
    }
    match name {
        "min" => {
            let second = graph.less(right, left);
            total(graph.choice(second, right, left))
        }
        "max" => {
            let second = graph.less(left, right);
            total(graph.choice(second, right, left))
        }
        "and" | "or" | "xor" => Some(connective(graph, name, left, right)),
        "element" => element(graph, left, right),
        "is_map_key" => {
            let has_key = graph.has_key(left, right);
            Some(Applied {
                returns: graph.kind(Kinds::MAP, right),
                value: graph.truth(has_key),
            })
        }
        "map_get" => {
            let returns = [graph.kind(Kinds::MAP, right), graph.has_key(left, right)];
            Some(Applied {
                returns: graph.all(returns),
                value: graph.value_at(left, right),
            })
        }
        "is_record" => is_record(graph, left, right, None),
        "is_function" => is_function(graph, left, right),
        _ => None,
    }
}

fn comparison(graph: &mut Graph, name: &str, left: NodeId, right: NodeId) -> Option<Condition> {
    Some(match name {
        "=:=" => graph.equal(left, right),
        "=/=" => !graph.equal(left, right),
        "==" => graph.same(left, right),
        "/=" => !graph.same(left, right),
        "<" => graph.less(left, right),
        ">" => graph.less(right, left),
        "=<" => !graph.less(right, left),
        ">=" => !graph.less(left, right),
        _ => return None,
    })
}

fn connective(graph: &mut Graph, name: &str, left: NodeId, right: NodeId) -> Applied {
    let booleans = [is_boolean(graph, left), is_boolean(graph, right)];
    let returns = graph.all(booleans);
    let yes = NodeId::TRUE;
    let [left, right] = [left, right].map(|side| graph.equal(side, yes));
    let condition = match name {
        "and" => graph.all([left, right]),
        "or" => graph.any([left, right]),
        _ => graph.either(left, !right, right),
    };
    Applied {
        returns,
        value: graph.truth(condition),
    }
}

fn element(graph: &mut Graph, index: NodeId, tuple: NodeId) -> Option<Applied> {
    let Node::Integer(index_value) = graph.node(index) else {
        return element_of_known(graph, index, tuple);
    };
    let number = index_value
        .to_i64()
        .and_then(|index| u32::try_from(index).ok());
    let Some(number) = number.and_then(|number| number.checked_sub(1)) else {
        return Some(Applied {
            returns: Condition::FALSE,
            value: NodeId::NIL,
        });
    };
    let is_tuple = graph.kind(Kinds::TUPLE, tuple);
    let size = graph.tuple_size(tuple);
    let is_short = graph.less(size, index);
    Some(Applied {
        returns: graph.all([is_tuple, !is_short]),
        value: graph.element(number, tuple),
    })
}

/// An element of a tuple whose size is known, by an index that is not: one of all elements.
fn element_of_known(graph: &mut Graph, index: NodeId, tuple: NodeId) -> Option<Applied> {
    let Node::Tuple(elements) = graph.node(tuple).clone() else {
        return None;
    };
    let mut value = NodeId::NIL;
    let mut is_one = Vec::with_capacity(elements.len());
    for (number, element) in (1..).zip(elements.iter()) {
        let number = graph.integer(number);
        let is_here = graph.equal(index, number);
        value = graph.choice(is_here, *element, value);
        is_one.push(is_here);
    }
    Some(Applied {
        returns: graph.any(is_one),
        value,
    })
}

/// That the arity is none is found out first.
fn is_function(graph: &mut Graph, value: NodeId, arity: NodeId) -> Option<Applied> {
    let zero = graph.integer(0);
    let is_integer = graph.kind(Kinds::INTEGER, arity);
    let is_negative = graph.less(arity, zero);
    let returns = graph.all([is_integer, !is_negative]);
    let has_arity = match (graph.node(arity), graph.known_fun_arity(value)) {
        (_, Some(known)) => {
            let known = graph.integer(i64::from(known));
            graph.equal(arity, known)
        }
        (Node::Integer(asked), None) => {
            let asked = asked.to_i64().and_then(|it| u32::try_from(it).ok());
            asked.map_or(Condition::FALSE, |asked| graph.fun_arity(asked, value))
        }
        _ if !graph.kinds(value).intersects(Kinds::FUN) => Condition::FALSE,
        _ => {
            // The last are tried first.
            let each = (0..=MOST_PARAMETERS).rev().map(|number| {
                let is_number = graph.integer(i64::from(number));
                let is_number = graph.equal(arity, is_number);
                let has_arity = graph.fun_arity(number, value);
                graph.all([is_number, has_arity])
            });
            let each: Vec<Condition> = each.collect();
            graph.any(each)
        }
    };
    Some(Applied {
        returns,
        value: graph.truth(has_arity),
    })
}

/// The compiler gives the size as a constant, and the tag too.
fn is_record(
    graph: &mut Graph,
    value: NodeId,
    tag: NodeId,
    size: Option<NodeId>,
) -> Option<Applied> {
    let may_be = |graph: &Graph, node, kinds| graph.kinds(node).intersects(kinds);
    let is_wrong = !may_be(graph, tag, Kinds::ATOM)
        || size.is_some_and(|size| !may_be(graph, size, Kinds::INTEGER));
    if is_wrong {
        return Some(Applied {
            returns: Condition::FALSE,
            value: tag,
        });
    }
    if !matches!(graph.node(tag), Node::Atom(_)) {
        return None;
    }
    let shape = match size.map(|size| graph.node(size)) {
        Some(Node::Integer(size)) => {
            let size = size.to_i64().and_then(|size| u32::try_from(size).ok());
            // Otherwise no tuple has as many elements.
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
        return truth(graph, shape);
    }
    let first = graph.element(0, value);
    let tagged = graph.equal(first, tag);
    let condition = graph.all([shape, tagged]);
    truth(graph, condition)
}
