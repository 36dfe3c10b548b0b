//! Values that got through as one argument, to be tried as others of the same type.
//!
//! A function that compares two versions reads both. The search finds a text that can be read as the
//! first argument, step by step, and would have to find the second one in the same way, beside each of
//! those that it knows for the first. So when runs reach no new clause, values of runs that got far are
//! tried in the other places: `compare("1.2", "")` becomes `compare("1.2", "1.2")`. A run got far if it
//! reached a new clause, or decided more than any run before.

use std::collections::{HashSet, VecDeque};

use erlang_term::Term;
use solver::types::Signature;

use super::arguments::{Arguments, RunArguments};
use super::task::Task;

/// After so many runs that reach no new clause, values are exchanged.
const QUIET: usize = 32;

/// At most so many inputs are made for a task.
const MOST: usize = 64;

/// At most so many wait to be run; older ones are dropped.
const MOST_WAITING: usize = 8;

/// The inputs that are made of others in this way.
#[derive(Debug, Default)]
pub(super) struct Exchange {
    signature: Option<Signature>,
    /// From which argument to which other one.
    moves: Vec<(usize, usize)>,
    most_depth: u32,
    known: HashSet<Arguments>,
    /// The test that got far, and the input made of it; the newest first.
    waiting: VecDeque<(usize, Vec<Term>)>,
    /// How many were run.
    made: usize,
    /// How many runs in a row reached no new clause.
    quiet: usize,
    /// The most decisions of a run.
    longest: usize,
}

impl Exchange {
    /// Nothing is known of the values of a task. In plays the arguments are events, which take each
    /// other's place anyway.
    pub(super) fn new(task: &Task) -> Self {
        let count = task.seeds.first().map_or(0, Vec::len);
        let signature = task.signature.as_ref();
        let is_move = |from: usize, to: usize| {
            task.marks.is_none() && from != to && are_alike(signature, from, to)
        };
        let moves = (0..count).flat_map(|from| (0..count).map(move |to| (from, to)));
        Self {
            moves: moves.filter(|it| is_move(it.0, it.1)).collect(),
            signature: signature.cloned(),
            most_depth: task.limits.term_depth,
            ..Self::default()
        }
    }

    /// Takes note of a test: how many decisions it has, and whether it reached a new clause.
    pub(super) fn note(
        &mut self,
        test: usize,
        arguments: &RunArguments,
        decisions: usize,
        reached_new: bool,
    ) {
        self.quiet = if reached_new { 0 } else { self.quiet + 1 };
        let is_longest = decisions > self.longest;
        self.longest = self.longest.max(decisions);
        if self.moves.is_empty() || (!reached_new && !is_longest) {
            return;
        }
        let arguments = arguments.terms();
        for (from, to) in &self.moves {
            let mut input = arguments.to_vec();
            let (Some(value), Some(place)) = (arguments.get(*from), input.get_mut(*to)) else {
                continue;
            };
            let is_moved = takes_steps(value) && value.depth() <= self.most_depth;
            if !is_moved || value == place {
                continue;
            }
            *place = value.clone();
            let mut signature = self.signature.iter();
            let is_admitted = signature.all(|it| it.admits(&input));
            if is_admitted && self.known.insert(Arguments::new(&input)) {
                self.waiting.push_front((test, input));
            }
        }
        self.waiting.truncate(MOST_WAITING);
    }

    /// The next input and the test that it was made of, when it is time.
    pub(super) fn take(&mut self) -> Option<(usize, Vec<Term>)> {
        if self.quiet < QUIET || self.made == MOST {
            return None;
        }
        let next = self.waiting.pop_front()?;
        self.made += 1;
        Some(next)
    }
}

/// Whether two arguments have the same type.
fn are_alike(signature: Option<&Signature>, one: usize, other: usize) -> bool {
    let Some(signature) = signature else {
        return true;
    };
    let mut clauses = signature.clauses.iter();
    clauses.any(|types| types.get(one) == types.get(other))
}

/// Whether it may take many steps to find a value.
fn takes_steps(value: &Term) -> bool {
    match value {
        Term::List(elements, _) | Term::Tuple(elements) => !elements.is_empty(),
        Term::Map(pairs) => !pairs.is_empty(),
        Term::Bits(bytes, _) => !bytes.is_empty(),
        Term::Integer(_)
        | Term::Float(_)
        | Term::Atom(_)
        | Term::ExternalFun(_)
        | Term::TableFun(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use solver::types::{Alternative, TypeId, Types};
    use solver::{Limits, Shortcuts};

    use super::*;

    fn task() -> Task {
        let types = vec![
            vec![Alternative::Nil, Alternative::Cons(TypeId(1), TypeId(0))],
            vec![Alternative::AnyAtom],
        ];
        Task {
            entry: (0, 0),
            seeds: vec![input(&[], &[], "a")],
            signature: Some(Signature {
                types: Arc::new(Types::new(types)),
                clauses: vec![vec![TypeId(0), TypeId(0), TypeId(1)]],
            }),
            limits: Limits {
                term_depth: 2,
                cases: 1,
                shortcuts: Shortcuts::default(),
            },
            marks: None,
            paths: None,
        }
    }

    fn input(one: &[&str], other: &[&str], last: &str) -> Vec<Term> {
        let list = |names: &[&str]| Term::list(names.iter().map(|it| Term::atom(it)));
        vec![list(one), list(other), Term::atom(last)]
    }

    fn note(
        exchange: &mut Exchange,
        test: usize,
        input: &[Term],
        decisions: usize,
        reached_new: bool,
    ) {
        let arguments = RunArguments::new(Arguments::new(input));
        exchange.note(test, &arguments, decisions, reached_new);
    }

    fn all(exchange: &mut Exchange) -> Vec<(usize, Vec<Term>)> {
        std::iter::from_fn(|| exchange.take()).collect()
    }

    #[test]
    fn values_that_got_through_are_tried_elsewhere() {
        let mut exchange = Exchange::new(&task());
        note(&mut exchange, 0, &input(&[], &[], "a"), 1, true);
        note(&mut exchange, 1, &input(&["b"], &[], "a"), 1, true);
        note(&mut exchange, 2, &input(&["b", "c"], &[], "d"), 2, false);
        (0..QUIET)
            .for_each(|number| note(&mut exchange, number, &input(&["e"], &[], "a"), 1, false));
        let made = [
            (2, input(&["b", "c"], &["b", "c"], "d")),
            (1, input(&["b"], &["b"], "a")),
        ];
        assert_eq!(all(&mut exchange), made);
    }

    #[test]
    fn nothing_is_tried_while_runs_reach_something_new() {
        let mut exchange = Exchange::new(&task());
        for number in 0..2 * QUIET {
            note(
                &mut exchange,
                number,
                &input(&["b"], &[], "a"),
                1,
                number % 2 == 0,
            );
        }
        assert_eq!(all(&mut exchange), []);
    }

    #[test]
    fn values_stay_within_the_bounds() {
        let mut exchange = Exchange::new(&task());
        note(
            &mut exchange,
            0,
            &input(&["a", "b", "c"], &[], "a"),
            1,
            true,
        );
        (0..QUIET).for_each(|number| note(&mut exchange, number, &[], 1, false));
        assert_eq!(all(&mut exchange), []);
    }
}
