//! Patterns and match specifications as values: what they match, and what they make of it.

use std::collections::BTreeMap;

use flattener::ast::deep;
use solver::graph::{Condition, Graph, Kinds, Node, NodeId, Operator};

use super::super::replayed::{Misfit, ProgramSite};
use super::super::run_state::RunState;
use super::contents::element;

/// What the variables of a pattern are.
pub(super) struct Bindings {
    object: NodeId,
    variables: BTreeMap<u32, NodeId>,
}

impl Bindings {
    /// The values in the order of the variables.
    pub(super) fn list(&self, graph: &mut Graph) -> NodeId {
        let values = self.variables.values().rev();
        values.fold(NodeId::NIL, |rest, it| graph.cons(*it, rest))
    }
}

/// A clause of a match specification.
pub(super) struct MatchClause {
    pattern: NodeId,
    guards: Vec<NodeId>,
    /// The last expression of its body; `None` for a pattern alone.
    pub(super) result: Option<NodeId>,
}

/// A pattern alone.
pub(super) fn clause_of(pattern: NodeId) -> MatchClause {
    MatchClause {
        pattern,
        guards: Vec::new(),
        result: None,
    }
}

/// The clauses of a match specification.
pub(super) fn clauses_in(graph: &Graph, specification: NodeId) -> Option<Vec<MatchClause>> {
    let clauses = list_elements(graph, specification)?.into_iter();
    clauses
        .map(|clause| {
            let body = list_elements(graph, element(graph, clause, 2)?)?;
            Some(MatchClause {
                pattern: element(graph, clause, 0)?,
                guards: list_elements(graph, element(graph, clause, 1)?)?,
                result: Some(*body.last()?),
            })
        })
        .collect()
}

fn list_elements(graph: &Graph, list: NodeId) -> Option<Vec<NodeId>> {
    let (mut elements, mut rest) = (Vec::new(), list);
    while let Node::Cons(head, tail) = graph.node(rest) {
        elements.push(*head);
        rest = *tail;
    }
    (rest == NodeId::NIL).then_some(elements)
}

/// Decides that what depends on the input in a pattern is matched as it is. An atom might be `_` or
/// a variable, and so might be a part of something larger.
pub(super) fn is_plain(
    run: &mut RunState<'_>,
    at: ProgramSite,
    pattern: NodeId,
) -> Result<bool, Misfit> {
    let graph = run.graph();
    if !graph.is_symbolic(pattern) {
        return Ok(!graph.is_unknown(pattern));
    }
    if let Node::Tuple(_) | Node::Cons(..) = graph.node(pattern) {
        for part in graph.node(pattern).operands() {
            if !deep(|| is_plain(run, at, part))? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    let others = Kinds::ATOM | Kinds::TUPLE | Kinds::CONS | Kinds::MAP;
    let is_other = graph.kind(others, pattern);
    let taken = run.choose(at, &[!is_other, Condition::TRUE])?;
    Ok(taken == Some(0))
}

/// The number of a variable such as `'$1'`.
fn variable(graph: &Graph, node: NodeId) -> Option<u32> {
    let Node::Atom(atom) = graph.node(node) else {
        return None;
    };
    atom.as_str().strip_prefix('$')?.parse().ok()
}

fn is_atom(graph: &Graph, node: NodeId, text: &str) -> bool {
    matches!(graph.node(node), Node::Atom(atom) if atom.as_str() == text)
}

impl MatchClause {
    /// The condition on which an object matches, and what the variables are then; `None` if that is
    /// not understood.
    pub(super) fn matches(
        &self,
        graph: &mut Graph,
        object: NodeId,
    ) -> Option<(Condition, Bindings)> {
        let mut bindings = Bindings {
            object,
            variables: BTreeMap::new(),
        };
        let mut conditions = Vec::new();
        add_match(
            graph,
            self.pattern,
            object,
            &mut bindings.variables,
            &mut conditions,
        )?;
        for guard in &self.guards {
            let value = match_value(graph, *guard, &bindings)?;
            conditions.push(value.is_defined);
            conditions.push(graph.equal(value.node, NodeId::TRUE));
        }
        Some((graph.all(conditions), bindings))
    }
}

fn add_match(
    graph: &mut Graph,
    pattern: NodeId,
    value: NodeId,
    variables: &mut BTreeMap<u32, NodeId>,
    conditions: &mut Vec<Condition>,
) -> Option<()> {
    if is_atom(graph, pattern, "_") {
        return Some(());
    }
    if let Some(number) = variable(graph, pattern) {
        match variables.get(&number) {
            Some(known) => conditions.push(graph.equal(*known, value)),
            None => {
                variables.insert(number, value);
            }
        }
        return Some(());
    }
    if let Node::Tuple(patterns) = graph.node(pattern).clone() {
        let size = u32::try_from(patterns.len()).ok()?;
        conditions.push(graph.arity(size, value));
        for (place, pattern) in (0..size).zip(patterns) {
            let part = graph.element(place, value);
            deep(|| add_match(graph, pattern, part, variables, conditions))?;
        }
    } else if let Node::Cons(head, tail) = *graph.node(pattern) {
        conditions.push(graph.kind(Kinds::CONS, value));
        let parts = (graph.head(value), graph.tail(value));
        deep(|| add_match(graph, head, parts.0, variables, conditions))?;
        deep(|| add_match(graph, tail, parts.1, variables, conditions))?;
    } else if let Node::Map(_) = graph.node(pattern) {
        return None;
    } else {
        conditions.push(graph.equal(pattern, value));
    }
    Some(())
}

/// The value of an expression, and the condition on which it has one.
pub(super) struct MatchValue {
    pub(super) node: NodeId,
    pub(super) is_defined: Condition,
}

impl MatchValue {
    fn of(node: NodeId) -> Self {
        Self {
            node,
            is_defined: Condition::TRUE,
        }
    }

    fn truth(graph: &mut Graph, condition: Condition, is_defined: Condition) -> Self {
        Self {
            node: graph.truth(condition),
            is_defined,
        }
    }
}

/// The value of an expression of a match specification; `None` if that is not understood.
pub(super) fn match_value(
    graph: &mut Graph,
    expression: NodeId,
    bindings: &Bindings,
) -> Option<MatchValue> {
    if let Some(number) = variable(graph, expression) {
        return bindings
            .variables
            .get(&number)
            .map(|it| MatchValue::of(*it));
    }
    if is_atom(graph, expression, "$_") {
        return Some(MatchValue::of(bindings.object));
    }
    if is_atom(graph, expression, "$$") {
        return Some(MatchValue::of(bindings.list(graph)));
    }
    if let Node::Tuple(parts) = graph.node(expression).clone() {
        return tuple_value(graph, parts.as_slice(), bindings);
    }
    if let Node::Cons(head, tail) = *graph.node(expression) {
        let head = deep(|| match_value(graph, head, bindings))?;
        let tail = deep(|| match_value(graph, tail, bindings))?;
        return Some(MatchValue {
            node: graph.cons(head.node, tail.node),
            is_defined: graph.all([head.is_defined, tail.is_defined]),
        });
    }
    let is_map = matches!(graph.node(expression), Node::Map(_));
    (!is_map).then(|| MatchValue::of(expression))
}

/// The value of a call, or of a tuple in a tuple, which is one.
fn tuple_value(graph: &mut Graph, parts: &[NodeId], bindings: &Bindings) -> Option<MatchValue> {
    if let [inner] = parts
        && let Node::Tuple(elements) = graph.node(*inner).clone()
    {
        let values = values_of(graph, elements.as_slice(), bindings)?;
        let (nodes, defined): (Vec<NodeId>, Vec<Condition>) = values
            .into_iter()
            .map(|it| (it.node, it.is_defined))
            .unzip();
        return Some(MatchValue {
            node: graph.tuple(nodes),
            is_defined: graph.all(defined),
        });
    }
    let (name, arguments) = parts.split_first()?;
    let Node::Atom(name) = graph.node(*name).clone() else {
        return None;
    };
    if name.as_str() == "const" {
        return arguments.first().map(|it| MatchValue::of(*it));
    }
    let values = values_of(graph, arguments, bindings)?;
    let defined: Vec<Condition> = values.iter().map(|it| it.is_defined).collect();
    let defined = graph.all(defined);
    let nodes: Vec<NodeId> = values.iter().map(|it| it.node).collect();
    match nodes.as_slice() {
        [one] => of_one(graph, name.as_str(), *one, defined),
        [left, right] => of_two(graph, name.as_str(), (*left, *right), defined),
        _ => None,
    }
}

fn values_of(
    graph: &mut Graph,
    expressions: &[NodeId],
    bindings: &Bindings,
) -> Option<Vec<MatchValue>> {
    let expressions = expressions.iter();
    expressions
        .map(|it| deep(|| match_value(graph, *it, bindings)))
        .collect()
}

fn of_one(graph: &mut Graph, name: &str, of: NodeId, defined: Condition) -> Option<MatchValue> {
    let kinds = match name {
        "is_atom" => Kinds::ATOM,
        "is_integer" => Kinds::INTEGER,
        "is_float" => Kinds::FLOAT,
        "is_number" => Kinds::NUMBER,
        "is_list" => Kinds::LIST,
        "is_tuple" => Kinds::TUPLE,
        "is_map" => Kinds::MAP,
        "is_binary" => Kinds::BINARY,
        "not" => return negated(graph, of, defined),
        _ => return None,
    };
    let condition = graph.kind(kinds, of);
    Some(MatchValue::truth(graph, condition, defined))
}

fn negated(graph: &mut Graph, of: NodeId, defined: Condition) -> Option<MatchValue> {
    // Something else than a truth value, or nothing at all, makes the guard fail.
    if defined != Condition::TRUE || !is_truth(graph, of) {
        return None;
    }
    let condition = graph.equal(of, NodeId::FALSE);
    Some(MatchValue::truth(graph, condition, defined))
}

/// Whether a value is `true` or `false` for all inputs.
fn is_truth(graph: &Graph, node: NodeId) -> bool {
    matches!(graph.node(node), Node::Truth(_)) || [NodeId::TRUE, NodeId::FALSE].contains(&node)
}

fn of_two(
    graph: &mut Graph,
    name: &str,
    (left, right): (NodeId, NodeId),
    defined: Condition,
) -> Option<MatchValue> {
    let operator = match name {
        "+" => Operator::Add,
        "-" => Operator::Subtract,
        "*" => Operator::Multiply,
        _ => {
            let condition = compared(graph, name, (left, right), defined)?;
            return Some(MatchValue::truth(graph, condition, defined));
        }
    };
    // Floats may be too large.
    let are_integers = [left, right].map(|it| graph.kind(Kinds::INTEGER, it));
    let are_integers = graph.all(are_integers);
    if are_integers != Condition::TRUE {
        return None;
    }
    Some(MatchValue {
        node: graph.arithmetic(operator, left, right),
        is_defined: defined,
    })
}

fn compared(
    graph: &mut Graph,
    name: &str,
    (left, right): (NodeId, NodeId),
    defined: Condition,
) -> Option<Condition> {
    let are_truths = is_truth(graph, left) && is_truth(graph, right) && defined == Condition::TRUE;
    Some(match name {
        "<" => graph.less(left, right),
        ">" => graph.less(right, left),
        "=<" => !graph.less(right, left),
        ">=" => !graph.less(left, right),
        "==" => graph.same(left, right),
        "/=" => !graph.same(left, right),
        "=:=" => graph.equal(left, right),
        "=/=" => !graph.equal(left, right),
        "and" | "andalso" if are_truths => {
            let both = [left, right].map(|it| graph.equal(it, NodeId::TRUE));
            graph.all(both)
        }
        "or" | "orelse" if are_truths => {
            let both = [left, right].map(|it| graph.equal(it, NodeId::TRUE));
            graph.any(both)
        }
        _ => return None,
    })
}
