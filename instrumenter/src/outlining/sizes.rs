//! How large code is, in nodes.

use flattener::ast::{CoreClause, CorePattern, Expr, deep};

/// The nodes of a pattern.
pub(super) fn pattern_nodes(pattern: &CorePattern) -> usize {
    deep(|| match pattern {
        CorePattern::Variable(_) | CorePattern::Literal(_) => 1,
        // The compiler matches it element by element.
        CorePattern::Constant(_) => 4,
        CorePattern::Cons(node) => 1 + pattern_nodes(&node.head) + pattern_nodes(&node.tail),
        CorePattern::Tuple(node) => 1 + node.elements.iter().map(pattern_nodes).sum::<usize>(),
        CorePattern::Map(node) => {
            let values = node.pairs.iter().map(|it| 1 + pattern_nodes(&it.value));
            1 + values.sum::<usize>()
        }
        CorePattern::Binary(node) => {
            let values = node.segments.iter().map(|it| 1 + pattern_nodes(&it.value));
            1 + values.sum::<usize>()
        }
        CorePattern::Alias(node) => 1 + pattern_nodes(&node.pattern),
    })
}

/// About the size of a guard; most are a test or two.
pub(super) fn guard_nodes(guard: &Expr) -> usize {
    match guard {
        Expr::Literal(_) => 0,
        Expr::Call(_) => 2,
        Expr::Variable(_)
        | Expr::Constant(_)
        | Expr::FunctionName(_)
        | Expr::ExternalFun(_)
        | Expr::Cons(_)
        | Expr::Tuple(_)
        | Expr::Map(_)
        | Expr::Binary(_)
        | Expr::Values(_)
        | Expr::Fun(_)
        | Expr::Let(_)
        | Expr::Letrec(_)
        | Expr::Sequence(_)
        | Expr::Case(_)
        | Expr::Apply(_)
        | Expr::Primop(_)
        | Expr::Try(_)
        | Expr::Catch(_)
        | Expr::Receive(_) => 6,
    }
}

/// Whether an expression has more nodes than this, values within values not counted.
pub(super) fn has_more_nodes(expr: &Expr, limit: usize) -> bool {
    let mut left = limit;
    !count(expr, &mut left)
}

/// Takes the nodes of an expression from those that are left; false if there are too few.
fn count(expr: &Expr, left: &mut usize) -> bool {
    let Some(fewer) = left.checked_sub(1) else {
        return false;
    };
    *left = fewer;
    deep(|| match expr {
        Expr::Variable(_)
        | Expr::Literal(_)
        | Expr::Constant(_)
        | Expr::FunctionName(_)
        | Expr::ExternalFun(_)
        | Expr::Cons(_)
        | Expr::Tuple(_)
        | Expr::Map(_)
        | Expr::Binary(_)
        | Expr::Values(_)
        | Expr::Apply(_)
        | Expr::Call(_)
        | Expr::Primop(_) => true,
        Expr::Fun(node) => count(&node.body, left),
        Expr::Let(node) => count(&node.argument, left) && count(&node.body, left),
        Expr::Sequence(node) => count(&node.first, left) && count(&node.second, left),
        Expr::Letrec(node) => {
            let mut bodies = node.definitions.iter().map(|it| &it.fun.body);
            bodies.all(|it| count(it, left)) && count(&node.body, left)
        }
        Expr::Case(node) => count_clauses(&node.clauses, left),
        Expr::Try(node) => {
            let mut parts = [&node.argument, &node.body, &node.handler].into_iter();
            parts.all(|it| count(it, left))
        }
        Expr::Catch(node) => count(&node.body, left),
        Expr::Receive(node) => count_clauses(&node.clauses, left) && count(&node.action, left),
    })
}

fn count_clauses(clauses: &[CoreClause], left: &mut usize) -> bool {
    clauses.iter().all(|clause| {
        let head = clause.patterns.iter().map(pattern_nodes).sum::<usize>();
        let head = head + guard_nodes(&clause.guard);
        match left.checked_sub(head) {
            Some(fewer) => {
                *left = fewer;
                count(&clause.body, left)
            }
            None => false,
        }
    })
}
