//! The default depth limit for arguments.

use erlang_term::{Atom, Term};
use flattener::flat::visit::{Visitor, walk_pattern};
use flattener::flat::{Function, Guard, Pattern, references};

/// The smallest default.
const USUAL_DEPTH: u32 = 4;

/// What makes an atom of a list of characters.
const ATOM_MAKERS: [&str; 2] = ["list_to_atom", "list_to_existing_atom"];

/// Deeper patterns count as this deep: a deeper search would not end.
const DEEPEST_PATTERN: u32 = 15;

/// A limit that is deep enough for the seed inputs, and for the patterns of these functions.
pub(crate) fn usual_depth(seeds: &[Vec<Term>], functions: &[&Function]) -> u32 {
    let seeds = seeds.iter().flatten().map(|seed| seed.depth() + 2);
    let makes_atoms = functions.iter().any(|it| makes_atoms(it));
    let patterns = functions.iter().map(|it| deepest_pattern(it, makes_atoms));
    let patterns = patterns.map(|it| it.min(DEEPEST_PATTERN) + 1);
    USUAL_DEPTH.max(seeds.chain(patterns).max().unwrap_or(0))
}

/// Whether a function makes atoms of lists.
fn makes_atoms(function: &Function) -> bool {
    let named = references(&Atom::new(""), function);
    let mut named = named.iter();
    named.any(|(module, id)| module.as_str() == "erlang" && ATOM_MAKERS.contains(&id.name.as_str()))
}

/// How deep the deepest pattern in the clauses of a function is. If atoms are made of lists, an atom
/// is as deep as the list of its characters.
fn deepest_pattern(function: &Function, makes_atoms: bool) -> u32 {
    let mut depths = PatternDepths {
        function,
        makes_atoms,
        level: 0,
        deepest: 0,
    };
    depths.visit_fun(&function.fun);
    depths.deepest
}

struct PatternDepths<'flat> {
    function: &'flat Function,
    makes_atoms: bool,
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
            Pattern::Literal(term) => {
                self.reach(self.level + term.depth());
                if let Some(atom) = term.as_atom().filter(|_| self.makes_atoms) {
                    self.reach(u32::try_from(atom.chars().count()).unwrap_or(u32::MAX));
                }
            }
            Pattern::Alias(_) => walk_pattern(self, pattern),
            Pattern::Variable(_) | Pattern::Binary(_) => {}
        }
    }
}
