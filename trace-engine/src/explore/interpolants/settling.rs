//! What conditions on leaves say if the kinds of the leaves are known.

use flattener::ast::deep;
use solver::graph::{Condition, Formula, Graph, Node};

use super::path_trees::TreeLeaf;

/// A condition on leaves of these kinds, without what follows from the kinds.
pub(super) fn settled(graph: &mut Graph, leaves: &[TreeLeaf], condition: Condition) -> Condition {
    let positive = if condition.is_negated() {
        !condition
    } else {
        condition
    };
    let formula = graph.formula(positive).clone();
    let settled = if let Formula::All(parts) = formula {
        let parts = parts.iter();
        let parts = parts.map(|it| deep(|| settled(graph, leaves, *it)));
        let parts: Vec<Condition> = parts.collect();
        graph.all(parts)
    } else if let Formula::Kind(kinds, node) = formula
        && let Node::Input(number) = graph.node(node)
    {
        match leaves.get(*number as usize) {
            Some(leaf) if leaf.kinds.is_within(kinds) => Condition::TRUE,
            Some(leaf) if !leaf.kinds.intersects(kinds) => Condition::FALSE,
            Some(_) | None => positive,
        }
    } else {
        positive
    };
    settled.signed_as(condition)
}

/// A condition from which this one follows, and which is not about leaves that always depend on the
/// input; `None` if there is none.
pub(super) fn without_input(
    graph: &mut Graph,
    leaves: &[TreeLeaf],
    condition: Condition,
) -> Option<Condition> {
    if !is_about_input(graph, leaves, condition) {
        return Some(condition);
    }
    if !condition.is_negated() {
        return None;
    }
    let Formula::All(parts) = graph.formula(condition) else {
        return None;
    };
    let parts = parts.iter().copied();
    let parts = parts.filter(|it| !is_about_input(graph, leaves, *it));
    let parts: Vec<Condition> = parts.collect();
    (!parts.is_empty()).then(|| !graph.all(parts))
}

/// Whether a condition is about a leaf that always depends on the input.
fn is_about_input(graph: &Graph, leaves: &[TreeLeaf], condition: Condition) -> bool {
    let mut conditions = vec![condition];
    let mut nodes = Vec::new();
    loop {
        if let Some(condition) = conditions.pop() {
            match graph.formula(condition) {
                Formula::True => {}
                Formula::All(parts) => conditions.extend(parts.iter()),
                Formula::Kind(_, node)
                | Formula::Arity(_, node)
                | Formula::FunArity(_, node)
                | Formula::ProperList(node)
                | Formula::Member(_, node)
                | Formula::Fields(_, node)
                | Formula::Utf8(_, node) => nodes.push(*node),
                Formula::HasKey(left, right)
                | Formula::Equal(left, right)
                | Formula::Same(left, right)
                | Formula::Less(left, right)
                | Formula::Before(left, right)
                | Formula::TooLarge(_, left, right) => nodes.extend([*left, *right]),
            }
        } else if let Some(node) = nodes.pop() {
            let value = graph.node(node);
            if let Node::Input(number) = value {
                let leaf = leaves.get(*number as usize);
                if leaf.is_none_or(|leaf| leaf.is_input) {
                    return true;
                }
            } else if let Node::Part(_, of) = value {
                nodes.push(*of);
            } else if let Node::Truth(condition) = value {
                conditions.push(*condition);
            } else if let Node::Choice(condition, yes, no) = value {
                conditions.push(*condition);
                nodes.extend([*yes, *no]);
            } else {
                nodes.extend(value.operands());
            }
        } else {
            return false;
        }
    }
}
