//! Inputs for another way of a decision, if not all independent decisions of other processes can
//! stay as they were.

use erlang_term::Term;
use trace_format::Program;

use super::arguments::Arguments;
use super::gap::Gap;
use super::solutions::{Alternative, Among, AnsweredInput, Answers, assume};
use super::solutions::{conditions_taken, place, understood};
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
        answers: &mut Answers,
    ) {
        let decision = self.decisions.get(alternative.decision);
        let (Some(decision), Some(among)) = (decision, alternative.among.as_deref()) else {
            return;
        };
        self.assume_past(&mut solver, among);
        let graph = solver.graph();
        let other_way = decision.conditions(alternative.way).into_iter();
        let other_way = other_way.map(|it| understood(graph, it));
        let Some(other_way) = other_way.collect::<Option<Vec<Condition>>>() else {
            return;
        };
        let events: Vec<usize> = among.independent.iter().map(|it| it.0).collect();
        let mut is_first = true;
        let mut is_possible = true;
        let mut ask = |staying: &[usize]| {
            answers.statistics.queries += 1;
            let answer = self.ask(&mut solver, among, &other_way, staying);
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
            answers.refuted.push(number);
        }
        if !is_all {
            let place = place(self.program, decision);
            answers.gaps.push(Gap::Unsolved(place));
        }
        let is_known = decision.given.is_none();
        let clause = (decision.module, decision.site, alternative.way);
        for set in sets {
            answers.statistics.sat += 1;
            answers.inputs.push(AnsweredInput {
                arguments: set.answer,
                alternative: number,
                clause: is_known.then_some(clause),
                machine_state: None,
                is_certain: self.is_certain && is_known,
                dropped: set.dropped,
            });
        }
    }

    /// Assumes the decisions before one. They hold in the run, as all assumptions must.
    fn assume_past(&self, solver: &mut Solver<'_>, among: &Among) {
        if let Some(signature) = self.signature {
            solver.admit_only(signature);
        }
        for number in &among.past {
            if let Some(earlier) = self.decisions.get(*number) {
                assume(solver, earlier);
            }
        }
    }

    /// Whether some independent decisions, by their events, can stay under these conditions.
    fn ask(
        &self,
        solver: &mut Solver<'_>,
        among: &Among,
        other_way: &[Condition],
        staying: &[usize],
    ) -> Staying<Arguments> {
        let numbers = among.independent.iter();
        let numbers = numbers.filter(|it| staying.contains(&it.0)).map(|it| it.1);
        let stays = numbers.filter_map(|it| self.decisions.get(it));
        let mut conditions = other_way.to_vec();
        for decision in stays {
            conditions.extend(conditions_taken(solver, decision));
        }
        match solver.ask(&conditions) {
            Answer::Sat(found) => {
                let graph = solver.graph();
                let terms: Option<Vec<Term>> = found.iter().map(|it| to_term(graph, *it)).collect();
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

#[cfg(test)]
mod tests {
    use flattener::flat::SiteId;
    use solver::graph::{Graph, NodeId};
    use solver::{Limits, NativeIntegers, Shortcuts};

    use super::*;
    use crate::concurrency::Mailboxes;
    use crate::replay::{RunEvent, RunEventKind};
    use crate::visited::Visited;

    fn event(process: usize, kind: RunEventKind) -> RunEvent {
        RunEvent::new(process, kind, None)
    }

    /// Whether the input is 1. In the run it is not.
    fn is_one(graph: &mut Graph) -> Decision {
        let (input, one) = (graph.input(0), graph.integer(1));
        Decision {
            module: 0,
            site: SiteId(0),
            ways: vec![graph.equal(input, one), Condition::TRUE],
            taken: 1,
            clause: None,
            given: None,
        }
    }

    /// Two processes ask the same about the input. The second one is to take its other way.
    fn solve(graph: &mut Graph, parent: Vec<NodeId>) -> Answers {
        let decisions = [is_one(graph), is_one(graph)];
        let events = [
            event(0, RunEventKind::Spawn { child: 1 }),
            event(0, RunEventKind::Decision(0)),
            event(1, RunEventKind::Decision(1)),
        ];
        let fewer = FewerDecisions {
            program: &Program::default(),
            decisions: &decisions,
            history: &History::new(&events, &[], Mailboxes::ByReceive, &mut |_, _| true),
            signature: None,
            is_certain: true,
        };
        let alternative = Alternative {
            decision: 1,
            point: Visited::START,
            state: None,
            way: 0,
            is_again: false,
            among: Some(Box::new(Among {
                event: 2,
                past: Vec::new(),
                independent: vec![(1, 0)],
                hash: 0,
            })),
        };
        let limits = Limits {
            term_depth: 4,
            cases: 2000,
            shortcuts: Shortcuts::default(),
        };
        let mut integers = NativeIntegers::default();
        let solver = Solver::new(graph, parent, &mut integers, limits);
        let mut answers = Answers::default();
        fewer.solve(solver, (0, &alternative), &mut answers);
        answers
    }

    #[test]
    fn an_input_takes_the_other_way_if_the_independent_decision_cannot_stay() {
        let mut graph = Graph::default();
        let parent = vec![graph.integer(0)];
        let answers = solve(&mut graph, parent);
        let [input] = answers.inputs.as_slice() else {
            panic!("there is one: {answers:?}");
        };
        assert_eq!(input.arguments.terms(), [Term::Integer(1.into())]);
        assert_eq!(input.dropped, [1]);
    }
}
