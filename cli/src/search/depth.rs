//! The default depth limit for arguments.

use erlang_term::Term;
use flattener::flat::visit::{Visitor, walk_pattern};
use flattener::flat::{Function, Guard, Pattern};

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
    let patterns = functions.map(|it| deepest_pattern(it).min(DEEPEST_PATTERN) + 1);
    USUAL_DEPTH.max(seeds.chain(patterns).max().unwrap_or(0))
}

/// How deep the deepest pattern in the clauses of a function is.
fn deepest_pattern(function: &Function) -> u32 {
    let mut depths = PatternDepths {
        function,
        level: 0,
        deepest: 0,
    };
    depths.visit_fun(&function.fun);
    depths.deepest
}

struct PatternDepths<'flat> {
    function: &'flat Function,
    /// How many patterns are around this one.
    level: u32,
    deepest: u32,
}

impl PatternDepths<'_> {
    fn reach(&mut self, depth: u32) {
        self.deepest = self.deepest.max(depth);
    }
}

impl<'flat> Visitor<'flat> for PatternDepths<'flat> {
    fn function(&self) -> &'flat Function {
        self.function
    }

    fn visit_guard(&mut self, _: &'flat Guard) {}

    fn visit_pattern(&mut self, pattern: &'flat Pattern) {
        match pattern {
            Pattern::Cons(_) | Pattern::Tuple(_) | Pattern::Map(_) => {
                self.level += 1;
                self.reach(self.level);
                walk_pattern(self, pattern);
                self.level -= 1;
            }
            Pattern::Literal(term) => self.reach(self.level + term.depth()),
            Pattern::Alias(_) => walk_pattern(self, pattern),
            Pattern::Variable(_) | Pattern::Binary(_) => {}
        }
    }
}
