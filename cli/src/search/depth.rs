//! The default depth limit for arguments.

use erlang_term::Term;
use flattener::ast::deep;
use flattener::flat::{Clause, Function, Operation, Pattern};

/// The smallest default.
const USUAL_DEPTH: u32 = 4;

/// Deeper patterns count as this deep: a deeper search would not end.
const DEEPEST_PATTERN: u32 = 15;

/// A limit that is deep enough for the seed inputs, and for the patterns of these functions.
pub(crate) fn usual_depth<'program>(
    seeds: &[Vec<Term>],
    functions: impl Iterator<Item = &'program Function>,
) -> u32 {
    let seeds = seeds.iter().flatten().map(|seed| seed.depth() + 2);
    let clauses = functions.flat_map(clauses);
    let patterns = clauses.flat_map(|clause| &clause.patterns);
    let patterns = patterns.map(|it| pattern_depth(it).min(DEEPEST_PATTERN) + 1);
    USUAL_DEPTH.max(seeds.chain(patterns).max().unwrap_or(0))
}

fn clauses(function: &Function) -> impl Iterator<Item = &Clause> {
    let clauses = function.statements().filter_map(|statement| {
        if let Operation::Case { clauses, .. } | Operation::Receive { clauses, .. } =
            &statement.operation
        {
            Some(clauses)
        } else {
            None
        }
    });
    clauses.flatten()
}

fn pattern_depth(pattern: &Pattern) -> u32 {
    let inner = |it: &Pattern| deep(|| pattern_depth(it));
    match pattern {
        Pattern::Literal(term) => term.depth(),
        Pattern::Cons(parts) => 1 + inner(&parts.0).max(inner(&parts.1)),
        Pattern::Tuple(elements) => 1 + elements.iter().map(inner).max().unwrap_or(0),
        Pattern::Map(pairs) => 1 + pairs.iter().map(|it| inner(&it.1)).max().unwrap_or(0),
        Pattern::Alias(parts) => inner(&parts.1),
        Pattern::Variable(_) | Pattern::Binary(_) => 0,
    }
}
