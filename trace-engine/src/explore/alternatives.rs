//! `alt` of Section 5 of Palacios and Vidal's paper: inputs that go elsewhere than a run did.

use std::iter::{Copied, Peekable};
use std::slice;

use erlang_term::Term;
use trace_format::Program;

use super::arguments::Arguments;
use super::queue::Target;
use super::{Gap, Solvers, Statistics};
use crate::replay::Decision;
use crate::visited::Point;
use solver::graph::{Condition, Formula, Graph, Node, NodeId};
use solver::types::Signature;
use solver::{Answer, Limits, Patience as SolverPatience, Questions, Solver};

/// A question for the solver: an input that takes another way at a decision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    /// The number of the decision in the run.
    pub(super) decision: usize,
    /// Where it is.
    pub(super) point: Point,
    /// The way to be taken.
    pub(super) way: usize,
}

/// What came of the questions about a run.
#[derive(Debug, Default)]
pub(super) struct Answers {
    pub(super) inputs: Vec<(Arguments, Target)>,
    pub(super) gaps: Vec<Gap>,
    pub(super) statistics: Statistics,
    /// Questions that were not asked yet.
    pub(super) left: Vec<Question>,
}

impl Answers {
    /// Of a run whose log cannot be replayed.
    pub(super) fn bad_log(error: String) -> Self {
        Self {
            gaps: vec![Gap::BadLog(error)],
            ..Self::default()
        }
    }
}

/// When answering ends before all questions are asked.
pub(super) struct Patience<'run> {
    /// For good. A thread that watches Z3 asks it too.
    pub(super) should_stop: &'run (dyn Fn() -> bool + Sync),
    /// For now: others have their turn.
    pub(super) should_pause: &'run dyn Fn() -> bool,
}

/// A run whose decisions are looked at.
pub(super) struct Run<'run> {
    pub(super) program: &'run Program,
    pub(super) graph: Graph,
    pub(super) decisions: &'run [Decision],
    pub(super) arguments: &'run [Term],
    pub(super) signature: Option<&'run Signature>,
    /// What was given to something that is not understood, with the number of decisions before.
    pub(super) given: &'run [(usize, NodeId)],
}

/// Answers questions about a run, which are in the order of its decisions. What was decided before
/// a decision is assumed once for all questions behind it.
pub(super) fn answer(
    mut run: Run<'_>,
    questions: &[Question],
    solvers: &mut Solvers,
    limits: Limits,
    patience: &Patience<'_>,
) -> Answers {
    let arguments = run.arguments.iter();
    let parent: Vec<NodeId> = arguments.map(|it| run.graph.constant(it)).collect();
    let mut answers = Answers::default();
    let Solvers { integers, fallback } = solvers;
    let mut asking = Asking {
        solver: Solver::new(&mut run.graph, parent.clone(), &mut **integers, limits)
            .with_patience(SolverPatience::new(patience.should_stop)),
        fallback: fallback.as_deref_mut(),
        asks_native_first: limits.shortcuts.native,
        parent,
        given: run.given.iter().copied().peekable(),
        same_given: Vec::new(),
    };
    if let Some(signature) = run.signature {
        asking.solver.admit_only(signature);
    }
    let mut assumed = 0;
    for (number, question) in questions.iter().enumerate() {
        if (patience.should_stop)() {
            answers.gaps.push(Gap::Stopped);
            break;
        }
        // At least one, so that there is an end.
        if number > 0 && (patience.should_pause)() {
            answers.left = questions.get(number..).unwrap_or_default().to_vec();
            break;
        }
        let Some(decision) = run.decisions.get(question.decision) else {
            continue;
        };
        while assumed < question.decision {
            if let Some(earlier) = run.decisions.get(assumed) {
                assume(&mut asking.solver, earlier);
            }
            assumed += 1;
        }
        asking.note_given(question.decision);
        asking.ask(run.program, decision, question, &mut answers);
        if asking.solver.was_cut_short() {
            answers.gaps.push(Gap::Stopped);
            break;
        }
    }
    answers.statistics.savings = asking.solver.savings();
    answers
}

/// Adds what a run decided. What is not understood is left out: the run may diverge.
fn assume(solver: &mut Solver<'_>, decision: &Decision) {
    if decision.given.is_some() {
        return;
    }
    for condition in decision.conditions(decision.taken) {
        if !solver.graph().is_unknown_condition(condition) {
            solver.assume(condition);
        }
    }
}

/// The solvers, with what is assumed.
struct Asking<'run, 'thread> {
    solver: Solver<'run>,
    fallback: Option<&'thread mut (dyn Questions + 'static)>,
    asks_native_first: bool,
    parent: Vec<NodeId>,
    given: Peekable<Copied<slice::Iter<'thread, (usize, NodeId)>>>,
    /// What was given to something that is not understood is the same as in the parent's run.
    same_given: Vec<Condition>,
}

impl Asking<'_, '_> {
    /// Takes in what was given before a decision.
    fn note_given(&mut self, decision: usize) {
        while let Some((_, node)) = self.given.next_if(|it| it.0 <= decision) {
            let graph = self.solver.graph();
            let mut open = vec![node];
            while let Some(node) = open.pop() {
                match graph.evaluate(node, &self.parent) {
                    Some(value) => {
                        let is_same = graph.equal(node, value);
                        if !is_same.is_constant() && !self.same_given.contains(&is_same) {
                            self.same_given.push(is_same);
                        }
                    }
                    None => open.extend(symbolic_inside(graph, node)),
                }
            }
        }
    }

    /// Whether an answer leads for certain to the decision it is meant for, and the answer that
    /// does if there is one: all that is not understood is given the same as in the parent's run.
    fn certain(&mut self, found: Vec<NodeId>, conditions: &[Condition]) -> (Vec<NodeId>, bool) {
        let graph = self.solver.graph();
        let mut given = self.same_given.iter();
        if given.all(|it| graph.holds(*it, &found) == Some(true)) {
            return (found, true);
        }
        let all = [&self.same_given, conditions].concat();
        match self.solver.ask(&all) {
            Answer::Sat(certain) => (certain, true),
            Answer::Unsat | Answer::Unknown => (found, false),
        }
    }

    fn ask(
        &mut self,
        program: &Program,
        decision: &Decision,
        question: &Question,
        answers: &mut Answers,
    ) {
        let all = decision.conditions(question.way);
        let graph = self.solver.graph();
        let is_understood = !all.iter().any(|it| graph.is_unknown_condition(*it));
        if !is_understood {
            let place = place(program, decision);
            answers.gaps.push(Gap::NotUnderstood(place));
        }
        let conditions = all.iter().map(|it| understood(graph, *it));
        let Some(conditions) = conditions.collect::<Option<Vec<Condition>>>() else {
            return;
        };
        match self.answer(&conditions, &mut answers.statistics) {
            Answer::Sat(arguments) => {
                answers.statistics.sat += 1;
                let (arguments, is_certain) = self.certain(arguments, &conditions);
                let graph = self.solver.graph();
                let arguments: Option<Vec<Term>> =
                    arguments.iter().map(|it| graph.to_term(*it)).collect();
                let is_known = decision.given.is_none();
                let target = Target {
                    point: question.point,
                    way: question.way,
                    clause: is_known.then_some((decision.module, decision.site, question.way)),
                    is_certain: is_certain && is_known && is_understood,
                };
                match arguments {
                    Some(terms) => answers.inputs.push((Arguments::new(&terms), target)),
                    // A fun of the program is in them, which cannot be given to it from outside.
                    None => answers.gaps.push(Gap::Unsolved(place(program, decision))),
                }
            }
            Answer::Unsat => answers.statistics.unsat += 1,
            Answer::Unknown => {
                answers.statistics.unknown += 1;
                if !self.solver.was_cut_short() {
                    answers.gaps.push(Gap::Unsolved(place(program, decision)));
                }
            }
        }
    }

    fn answer(&mut self, conditions: &[Condition], statistics: &mut Statistics) -> Answer {
        statistics.queries += 1;
        if !self.asks_native_first
            && let Some(fallback) = &mut self.fallback
        {
            let answer = self.solver.ask_other(&mut **fallback, conditions);
            if answer != Answer::Unknown {
                statistics.smt += 1;
                return answer;
            }
        }
        let before = self.solver.asked_elsewhere();
        let mut answer = self.solver.ask(conditions);
        let mut is_smt = self.solver.asked_elsewhere() > before;
        if answer == Answer::Unknown
            && !self.solver.was_cut_short()
            && let Some(fallback) = &mut self.fallback
        {
            is_smt = true;
            statistics.handed_on += 1;
            answer = self.solver.ask_other(&mut **fallback, conditions);
            statistics.answered_then += u64::from(answer != Answer::Unknown);
        }
        statistics.smt += u64::from(is_smt);
        answer
    }
}

/// What is understood of a condition: that a value matches a pattern of bits, which is not, says
/// at least that it is a bit string, and no other value does. `None` if that is nothing.
fn understood(graph: &mut Graph, condition: Condition) -> Option<Condition> {
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

/// The values that depend on the input inside of one that nothing is known about as a whole.
fn symbolic_inside(graph: &Graph, node: NodeId) -> Vec<NodeId> {
    let inside = match graph.node(node) {
        Node::Cons(left, right) | Node::Arithmetic(_, left, right) => vec![*left, *right],
        Node::Tuple(elements) => elements.to_vec(),
        Node::Closure(closure) => closure.captured.iter().map(|it| it.1).collect(),
        Node::Choice(_, yes, no) => vec![*yes, *no],
        Node::AtomOf(inner) | Node::Rounded(_, inner) => vec![*inner],
        _ => Vec::new(),
    };
    let inside = inside.into_iter();
    inside.filter(|it| graph.is_symbolic(*it)).collect()
}

/// Where a decision is, for the user.
fn place(program: &Program, decision: &Decision) -> String {
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use flattener::flat::SiteId;
    use solver::graph::Kinds;
    use solver::{NativeIntegers, Shortcuts};

    use super::*;
    use crate::visited::Visited;

    /// Whether an element of a long tuple, at a place that is the input, is a list. A run found
    /// that it is not.
    fn decision(graph: &mut Graph) -> Decision {
        let place = graph.input(0);
        let mut element = NodeId::NIL;
        let mut is_place = Vec::new();
        for number in 1..=300 {
            let here = graph.integer(number);
            let is_here = graph.equal(place, here);
            let list = graph.cons(here, NodeId::NIL);
            let value = if number % 2 == 0 { here } else { list };
            element = graph.choice(is_here, value, element);
            is_place.push(is_here);
        }
        let is_place = graph.any(is_place);
        let is_list = graph.kind(Kinds::CONS, element);
        Decision {
            module: 0,
            site: SiteId(0),
            ways: vec![graph.all([is_place, is_list]), Condition::TRUE],
            taken: 1,
            clause: None,
            given: None,
        }
    }

    #[test]
    fn time_is_up_within_a_question() {
        let looks = AtomicU32::new(0);
        let patience = Patience {
            should_stop: &|| looks.fetch_add(1, Ordering::Relaxed) > 20,
            should_pause: &|| false,
        };
        let mut graph = Graph::default();
        let decisions = [decision(&mut graph)];
        let run = Run {
            program: &Program::default(),
            graph,
            decisions: &decisions,
            arguments: &[Term::Integer(0.into())],
            signature: None,
            given: &[],
        };
        let question = Question {
            decision: 0,
            point: Visited::START,
            way: 0,
        };
        let mut solvers = Solvers {
            integers: Box::<NativeIntegers>::default(),
            fallback: None,
        };
        let limits = Limits {
            term_depth: 4,
            cases: 2000,
            shortcuts: Shortcuts::default(),
        };
        let answers = answer(run, &[question], &mut solvers, limits, &patience);
        assert_eq!(answers.gaps, [Gap::Stopped]);
        assert_eq!(answers.statistics.unknown, 1);
        assert_eq!(looks.load(Ordering::Relaxed), 22);
    }
}
