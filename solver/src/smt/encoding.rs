//! Whole questions for Z3: the shape of the input as an algebraic data type.
//!
//! This is slower than the native solver and its answers are less readable, but it shares no code
//! with it. So the two can be compared on random questions, and one may answer what the other
//! cannot.

use std::collections::HashMap;
use std::time::Duration;

use z3::ast::{Bool, Datatype, Dynamic};
use z3::{SatResult, Solver as Z3};

use super::budget::Budget;
use super::decoding::Decoding;
use super::mentioned::Mentioned;
use super::term_sort::{MOST_LEVELS, Terms};
use super::translation::Translation;
use crate::answer::Answer;
use crate::graph::{Graph, Input, Kinds, NodeId, depth_of_constant};
use crate::patience::Patience;
use crate::questions::{Question, Questions};

/// For one check.
const BUDGET: Budget = Budget {
    units: 1_000_000,
    time: Duration::from_millis(500),
};

/// Answers with Z3.
#[derive(Debug, Default)]
pub struct Encoding(Option<Z3Terms>);

/// Made when it is needed, which may be never.
#[derive(Debug)]
struct Z3Terms {
    solver: Z3,
    terms: Terms,
}

impl Z3Terms {
    fn new() -> Self {
        Self {
            solver: BUDGET.solver(),
            terms: Terms::new(),
        }
    }
}

impl Questions for Encoding {
    fn answer(
        &mut self,
        graph: &mut Graph,
        question: &Question<'_>,
        patience: &Patience<'_>,
    ) -> Answer {
        let Some(mentioned) = Mentioned::new(graph, question.conditions, patience) else {
            return Answer::Unknown;
        };
        let z3 = self.0.get_or_insert_with(Z3Terms::new);
        z3.terms.most = mentioned.elements.max(1);
        z3.terms.tells_zeros_apart = graph.tells_zeros_apart();
        z3.solver.push();
        let found = z3.solve(graph, question, &mentioned, patience);
        z3.solver.pop(1);
        match found {
            FoundInputs::Inputs(inputs) => decoded(graph, question, &mentioned, &inputs),
            FoundInputs::None => Answer::Unsat,
            FoundInputs::Nothing => Answer::Unknown,
        }
    }
}

enum FoundInputs {
    Inputs(Vec<Datatype>),
    None,
    Nothing,
}

impl Z3Terms {
    fn solve(
        &self,
        graph: &Graph,
        question: &Question<'_>,
        mentioned: &Mentioned,
        patience: &Patience<'_>,
    ) -> FoundInputs {
        let mut translation = Translation {
            graph,
            terms: &self.terms,
            mentioned,
            depth: question.limits.term_depth,
            nodes: HashMap::new(),
            depths: HashMap::new(),
            sizes: HashMap::new(),
            definitions: Vec::new(),
        };
        let others = mentioned.others.iter().copied();
        let foreign = others.filter(|it| graph.kinds(*it).is_within(Kinds::FOREIGN));
        let known: Vec<Datatype> = foreign.map(|it| translation.node(it)).collect();
        let is_free = Bool::new_const("is_free");
        let inputs: Vec<Datatype> = (0..)
            .zip(question.parent)
            .map(|(number, _)| translation.input(number))
            .collect();
        let depth = translation.depth;
        for input in &inputs {
            let levels = (depth, MOST_LEVELS);
            let exists = self.terms.exists(input, levels, &known, &is_free);
            self.solver.assert(exists);
        }
        for condition in question.conditions {
            if patience.ends_now() {
                return FoundInputs::Nothing;
            }
            self.solver.assert(translation.condition(*condition));
        }
        for definition in translation.definitions.drain(..) {
            self.solver.assert(definition);
        }
        for (part, depth) in translation.parts() {
            if patience.ends_now() {
                return FoundInputs::Nothing;
            }
            let exists = self.terms.exists(&part, (depth, 0), &known, &is_free);
            self.solver.assert(exists);
        }
        match BUDGET.check(patience, &self.solver, &[!is_free]) {
            SatResult::Sat => self
                .model(&inputs)
                .map_or(FoundInputs::Nothing, FoundInputs::Inputs),
            SatResult::Unsat if BUDGET.check(patience, &self.solver, &[]) == SatResult::Unsat => {
                FoundInputs::None
            }
            SatResult::Unsat | SatResult::Unknown => FoundInputs::Nothing,
        }
    }

    fn model(&self, inputs: &[Datatype]) -> Option<Vec<Datatype>> {
        let model = self.solver.get_model()?;
        inputs.iter().map(|it| model.eval(it, true)).collect()
    }
}

/// The inputs as constants, if they really are an answer. The translation leaves some things open,
/// so Z3 may be wrong.
fn decoded(
    graph: &mut Graph,
    question: &Question<'_>,
    mentioned: &Mentioned,
    inputs: &[Datatype],
) -> Answer {
    let mut decoding = Decoding::new(graph, mentioned, inputs);
    let arguments = inputs
        .iter()
        .map(|input| decoding.value(&Dynamic::from_ast(input)))
        .collect::<Option<Vec<NodeId>>>();
    let Some(arguments) = arguments else {
        return Answer::Unknown;
    };
    let limit = question.limits.term_depth;
    if arguments
        .iter()
        .any(|it| depth_of_constant(graph, *it) > limit)
    {
        return Answer::Unknown;
    }
    let conditions = question.conditions.iter();
    let mut holds = conditions.map(|it| Input::new(&arguments).holds(graph, *it) == Some(true));
    if holds.all(|it| it) {
        Answer::Sat(arguments)
    } else {
        Answer::Unknown
    }
}
