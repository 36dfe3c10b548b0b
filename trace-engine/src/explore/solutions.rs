//! Questions about a run, and their answers.

use serde::{Deserialize, Serialize};
use trace_format::Program;

use super::arguments::Arguments;
use super::candidate::{Candidate, Target, TargetState};
use super::clause_id::ClauseId;
use super::gap::Gap;
use super::report::Statistics;
use super::state_graph::StatePoint;
use crate::replay::Decision;
use crate::visited::Point;
use solver::Solver;
use solver::graph::{Condition, Formula, Graph};

/// A branch that a run did not take at a decision. The solver looks for an input that does.
#[derive(Clone, Debug)]
pub(super) struct Alternative {
    /// The number of the decision in the run.
    pub(super) decision: usize,
    /// The point of the decision.
    pub(super) point: Point,
    /// The branch to take.
    pub(super) way: usize,
    /// The same by its state, if states are compared.
    pub(super) state: Option<StatePoint>,
    /// Whether it was asked for before, in the same state, and the solver could not tell.
    pub(super) is_again: bool,
    /// If other processes decided something, independently of this decision.
    pub(super) among: Option<Box<Among>>,
}

/// The decisions around one that takes another way, in a run of several processes.
#[derive(Clone, Debug)]
pub(super) struct Among {
    /// The event of the decision.
    pub(super) event: usize,
    /// The decisions that happen before it, by their numbers.
    pub(super) past: Vec<usize>,
    /// The decisions that happen neither before nor after it: their events and numbers. As many as
    /// possible stay as they are.
    pub(super) independent: Vec<(usize, usize)>,
    /// Under which it was noted.
    pub(super) hash: u64,
}

/// What a solver says about the alternatives of a run, which are named by their places in the list.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Answers {
    pub(super) inputs: Vec<AnsweredInput>,
    /// Those that no input takes, whatever other processes do.
    pub(super) refuted: Vec<usize>,
    pub(super) gaps: Vec<Gap>,
    /// Those about which the solver could not tell.
    pub(super) unsolved: Vec<(usize, Gap)>,
    /// Those about which it can tell now.
    pub(super) settled: Vec<usize>,
    pub(super) statistics: Statistics,
    /// The first of those that were not tried yet, if some were not.
    pub(super) first_left: Option<usize>,
}

/// An input for an alternative.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct AnsweredInput {
    pub(super) arguments: Arguments,
    pub(super) alternative: usize,
    /// The clause that it should reach. None if it is a guess.
    pub(super) clause: Option<ClauseId>,
    pub(super) machine_state: Option<TargetState>,
    /// Whether it must take the alternative.
    pub(super) is_certain: bool,
    /// The events of the independent decisions that do not stay.
    pub(super) dropped: Vec<usize>,
}

/// An input for an alternative.
#[derive(Debug)]
pub(super) struct Solution {
    pub(super) arguments: Arguments,
    pub(super) target: Target,
    /// The place of the alternative in the list.
    pub(super) alternative: usize,
    /// The events of the independent decisions that do not stay.
    pub(super) dropped: Vec<usize>,
}

/// A way about which the solver could not tell.
#[derive(Debug)]
pub(super) struct UnsolvedWay {
    /// The point of its decision by its state, if states are compared.
    pub(super) state: Option<StatePoint>,
    pub(super) way: usize,
    pub(super) gap: Gap,
}

/// The results for the alternatives of a run, and what follows from them.
#[derive(Debug, Default)]
pub(super) struct Solutions {
    pub(super) inputs: Vec<Solution>,
    /// Branches that no input takes, whatever other processes do.
    pub(super) refuted: Vec<(Point, usize)>,
    pub(super) gaps: Vec<Gap>,
    /// Ways about which the solver could not tell.
    pub(super) unsolved: Vec<UnsolvedWay>,
    /// Ways about which it can tell now.
    pub(super) settled: Vec<(StatePoint, usize)>,
    pub(super) statistics: Statistics,
    /// What to run next.
    pub(super) candidates: Vec<Candidate>,
    /// How many ways were asked for in the same states elsewhere.
    pub(super) merged_ways: usize,
    /// Alternatives that were not tried yet.
    pub(super) left: Vec<Alternative>,
}

impl Answers {
    /// For a run whose log cannot be replayed.
    pub(super) fn bad_log(error: String) -> Self {
        Self {
            gaps: vec![Gap::BadLog(error)],
            ..Self::default()
        }
    }

    /// For a run about which nothing is asked, because the search is over.
    pub(super) fn stopped() -> Self {
        Self {
            gaps: vec![Gap::Stopped],
            ..Self::default()
        }
    }
}

impl Solutions {
    /// Answers about these alternatives.
    pub(super) fn new(answers: Answers, alternatives: &[Alternative]) -> Self {
        let inputs = answers.inputs.into_iter().filter_map(|input| {
            let alternative = alternatives.get(input.alternative)?;
            Some(Solution {
                arguments: input.arguments,
                target: Target {
                    point: alternative.point,
                    decision: alternative.decision,
                    way: alternative.way,
                    clause: input.clause,
                    machine_state: input.machine_state,
                    is_certain: input.is_certain,
                },
                alternative: input.alternative,
                dropped: input.dropped,
            })
        });
        let refuted = answers.refuted.into_iter().filter_map(|number| {
            let alternative = alternatives.get(number)?;
            Some((alternative.point, alternative.way))
        });
        let unsolved = answers.unsolved.into_iter().filter_map(|(number, gap)| {
            let alternative = alternatives.get(number)?;
            Some(UnsolvedWay {
                state: alternative.state,
                way: alternative.way,
                gap,
            })
        });
        let settled = answers.settled.into_iter().filter_map(|number| {
            let alternative = alternatives.get(number)?;
            Some((alternative.state?, alternative.way))
        });
        let left = answers
            .first_left
            .and_then(|first| alternatives.get(first..));
        Self {
            inputs: inputs.collect(),
            refuted: refuted.collect(),
            gaps: answers.gaps,
            unsolved: unsolved.collect(),
            settled: settled.collect(),
            statistics: answers.statistics,
            candidates: Vec::new(),
            merged_ways: 0,
            left: left.unwrap_or_default().to_vec(),
        }
    }

    /// Whether the run says nothing that one with the same path did not say: all its ways were asked
    /// for, and nothing in it is unknown.
    pub(super) fn add_nothing(&self) -> bool {
        let Self {
            gaps,
            unsolved,
            settled,
            candidates,
            left,
            ..
        } = self;
        let is_settled = gaps.is_empty() && unsolved.is_empty() && settled.is_empty();
        is_settled && candidates.is_empty() && left.is_empty()
    }
}

/// Assumes a decision of a run, except for what is not understood: there, runs may diverge.
pub(super) fn assume(solver: &mut Solver<'_>, decision: &Decision) {
    for condition in conditions_taken(solver, decision) {
        solver.assume(condition);
    }
}

/// The conditions of the way that a decision took, as far as they are understood.
pub(super) fn conditions_taken(solver: &mut Solver<'_>, decision: &Decision) -> Vec<Condition> {
    if decision.given.is_some() {
        return Vec::new();
    }
    let conditions = decision.conditions(decision.taken).into_iter();
    let is_known = |it: &Condition| !solver.graph().is_unknown_condition(*it);
    conditions.filter(is_known).collect()
}

/// The part of a condition that is understood, if any: a pattern of bits that is not understood
/// says at least that the value is a bit string.
pub(super) fn understood(graph: &mut Graph, condition: Condition) -> Option<Condition> {
    if !graph.is_unknown_condition(condition) {
        return Some(condition);
    }
    let Formula::All(parts) = graph.formula(condition).clone() else {
        return None;
    };
    let parts = parts.iter().copied();
    let known: Vec<Condition> = parts
        .filter(|it| !graph.is_unknown_condition(*it))
        .collect();
    if known.is_empty() {
        return None;
    }
    Some(graph.all(known).signed_as(condition))
}

/// The place of a decision, for reports.
pub(super) fn place(program: &Program, decision: &Decision) -> String {
    let module = program.module(decision.module);
    let found = module.and_then(|module| {
        let (function, statement) = module.statement(decision.site)?;
        let function = &module.function(function)?.id;
        let name = format!("{}:{}/{}", module.name, function.name, function.arity);
        let line = statement.annotations.position().map(|it| it.0);
        Some((name, line))
    });
    match found {
        Some((name, Some(line))) => format!("{name}, line {line}"),
        Some((name, None)) => name,
        None => "an unknown place".to_owned(),
    }
}
