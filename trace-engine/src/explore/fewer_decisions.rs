//! Inputs for another way of a decision, if not all independent decisions of other processes can
//! stay as they were.

use erlang_term::Term;
use trace_format::Program;

use super::alternatives::{Alternative, Among, Solution, Solutions, assume};
use super::alternatives::{conditions_taken, place, understood};
use super::arguments::Arguments;
use super::candidate::Target;
use super::gap::Gap;
use crate::concurrency::{History, Independent, Staying, largest_sets};
use crate::replay::Decision;
use solver::graph::{Condition, to_term};
use solver::types::Signature;
use solver::{Answer, Solver};

/// How many sets of decisions that stay are tried for one way.
const MOST_SETS: usize = 8;

/// A run with its decisions.
pub(super) struct FewerDecisions<'run> {
    pub(super) program: &'run Program,
    pub(super) decisions: &'run [Decision],
    pub(super) history: &'run History<'run>,
    pub(super) signature: Option<&'run Signature>,
    /// Whether everything in the run is understood.
    pub(super) is_certain: bool,
}

impl FewerDecisions<'_> {
    /// Solves an alternative once for each largest set of independent decisions that can stay.
    pub(super) fn solve(
        &self,
        mut solver: Solver<'_>,
        (number, alternative): (usize, &Alternative),
        solutions: &mut Solutions,
    ) {
        let decision = self.decisions.get(alternative.decision);
        let (Some(decision), Some(among)) = (decision, alternative.among.as_deref()) else {
            return;
        };
        if !self.assume_past(&mut solver, among, decision, alternative.way) {
            return;
        }
        let events: Vec<usize> = among.independent.iter().map(|it| it.0).collect();
        let mut is_first = true;
        let mut is_possible = true;
        let mut ask = |staying: &[usize]| {
            solutions.statistics.queries += 1;
            let answer = self.ask(&mut solver, among, staying);
            is_possible &= !(is_first && matches!(answer, Staying::Cannot));
            is_first = false;
            answer
        };
        let independent = Independent {
            decisions: &events,
            happens_before: &|one, other| self.history.happens_before(one, other),
            ask: &mut ask,
        };
        let (sets, is_all) = largest_sets(independent, MOST_SETS);
        if !is_possible {
            let refuted = (alternative.point, alternative.way);
            solutions.refuted.push(refuted);
        }
        if !is_all {
            let place = place(self.program, decision);
            solutions.gaps.push(Gap::Unsolved(place));
        }
        let is_known = decision.given.is_none();
        let target = Target {
            point: alternative.point,
            way: alternative.way,
            clause: is_known.then_some((decision.module, decision.site, alternative.way)),
            is_certain: self.is_certain && is_known,
        };
        for set in sets {
            solutions.statistics.sat += 1;
            solutions.inputs.push(Solution {
                arguments: set.answer,
                target,
                alternative: number,
                dropped: set.dropped,
            });
        }
    }

    /// Assumes the decisions before one, and another way of that one. Whether something of the way
    /// is understood.
    fn assume_past(
        &self,
        solver: &mut Solver<'_>,
        among: &Among,
        decision: &Decision,
        way: usize,
    ) -> bool {
        if let Some(signature) = self.signature {
            solver.admit_only(signature);
        }
        for number in &among.past {
            if let Some(earlier) = self.decisions.get(*number) {
                assume(solver, earlier);
            }
        }
        let conditions = decision.conditions(way).into_iter();
        let graph = solver.graph();
        let conditions = conditions.map(|it| understood(graph, it));
        let Some(conditions) = conditions.collect::<Option<Vec<Condition>>>() else {
            return false;
        };
        for condition in conditions {
            solver.assume(condition);
        }
        true
    }

    /// Whether some independent decisions, by their events, can stay.
    fn ask(
        &self,
        solver: &mut Solver<'_>,
        among: &Among,
        staying: &[usize],
    ) -> Staying<Arguments> {
        let numbers = among.independent.iter();
        let numbers = numbers.filter(|it| staying.contains(&it.0)).map(|it| it.1);
        let stays = numbers.filter_map(|it| self.decisions.get(it));
        let conditions: Vec<Condition> = stays
            .flat_map(|decision| conditions_taken(solver, decision))
            .collect();
        match solver.ask(&conditions) {
            Answer::Sat(found) => {
                let graph = solver.graph();
                let terms: Option<Vec<Term>> =
                    found.iter().map(|it| to_term(graph, *it)).collect();
                match terms {
                    Some(terms) => Staying::Can(Arguments::new(&terms)),
                    None => Staying::Unknown,
                }
            }
            Answer::Unsat => Staying::Cannot,
            Answer::Unknown => Staying::Unknown,
        }
    }
}
