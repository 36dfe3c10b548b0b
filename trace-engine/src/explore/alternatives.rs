//! `alt` of Section 5 of Palacios and Vidal's paper: inputs that take other paths than a run did.

use std::iter::{Copied, Peekable};
use std::slice;

use erlang_term::Term;
use trace_format::Program;

use super::arguments::Arguments;
use super::candidate::TargetState;
use super::fewer_decisions::FewerDecisions;
use super::gap::Gap;
use super::report::Statistics;
use super::solutions::{
    Alternative, AnsweredInput, Answers, assume, conditions_taken, place, understood,
};
use super::task::Solvers;
use crate::concurrency::History;
use crate::replay::{Decision, MachineState};
use solver::graph::{Condition, Graph, Input, Node, NodeId, to_term};
use solver::types::Signature;
use solver::{Answer, Limits, Patience as SolverPatience, Questions, Solver};

/// When to end before all alternatives were tried.
pub(super) struct Patience<'run> {
    /// For good. A thread that watches Z3 asks it too.
    pub(super) should_stop: &'run (dyn Fn() -> bool + Sync),
    /// For now, because other tasks have their turn.
    pub(super) should_pause: &'run dyn Fn() -> bool,
}

/// A run with its decisions.
pub(super) struct Run<'run> {
    pub(super) program: &'run Program,
    pub(super) graph: Graph,
    pub(super) decisions: &'run [Decision],
    /// The order of its events, if it has several processes.
    pub(super) history: Option<&'run History<'run>>,
    pub(super) arguments: &'run [Term],
    pub(super) signature: Option<&'run Signature>,
    /// Values that were given to something that is not understood, with the number of decisions
    /// before.
    pub(super) given: &'run [(usize, NodeId)],
    /// The states of a machine, in order.
    pub(super) machine_states: &'run [MachineState],
}

/// The state of a machine at a decision.
fn machine_state(states: &[MachineState], decision: usize) -> Option<TargetState> {
    let state = MachineState::before(states, decision)?;
    let is_before_event = state.is_before_event(decision);
    Some(TargetState {
        label: state.label,
        fixed_data: is_before_event.then_some(state.fixed_data),
    })
}

/// Solves the alternatives of a run, which are in the order of its decisions. The earlier decisions
/// are assumed once for all later alternatives.
pub(super) fn solve(
    mut run: Run<'_>,
    alternatives: &[Alternative],
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
        parent: parent.clone(),
        given: run.given.iter().copied().peekable(),
        same_given: Vec::new(),
        machine_state: None,
    };
    if let Some(signature) = run.signature {
        asking.solver.admit_only(signature);
    }
    let mut assumed = 0;
    let mut refused = Vec::new();
    for (number, alternative) in alternatives.iter().enumerate() {
        if (patience.should_stop)() {
            answers.gaps.push(Gap::Stopped);
            break;
        }
        // At least one, so that the search makes progress.
        if number > 0 && (patience.should_pause)() {
            answers.first_left = Some(number);
            break;
        }
        let Some(decision) = run.decisions.get(alternative.decision) else {
            continue;
        };
        while assumed < alternative.decision {
            if let Some(earlier) = run.decisions.get(assumed) {
                assume(&mut asking.solver, earlier);
            }
            assumed += 1;
        }
        asking.note_given(alternative.decision);
        let staying = later_conditions(&mut asking.solver, run.decisions, alternative);
        let asked = (number, alternative);
        asking.machine_state = machine_state(run.machine_states, alternative.decision);
        let answered = asking.ask(run.program, decision, asked, &staying, &mut answers);
        if answered == Answered::Refused && alternative.among.is_some() {
            refused.push(number);
        }
        if asking.solver.was_cut_short() {
            answers.gaps.push(Gap::Stopped);
            break;
        }
    }
    answers.statistics.savings = asking.solver.savings();
    drop(asking);
    for number in refused {
        if (patience.should_stop)() {
            answers.gaps.push(Gap::Stopped);
            break;
        }
        if let (Some(alternative), Some(history)) = (alternatives.get(number), run.history) {
            let graph = &mut run.graph;
            let solver = Solver::new(graph, parent.clone(), &mut **integers, limits)
                .with_patience(SolverPatience::new(patience.should_stop));
            let fewer = FewerDecisions {
                program: run.program,
                decisions: run.decisions,
                history,
                signature: run.signature,
                is_certain: run.given.is_empty(),
            };
            fewer.solve(solver, (number, alternative), &mut answers);
        }
    }
    answers
}

/// The conditions of the independent decisions that come later in the run.
fn later_conditions(
    solver: &mut Solver<'_>,
    decisions: &[Decision],
    alternative: &Alternative,
) -> Vec<Condition> {
    let independent = alternative.among.iter().flat_map(|it| &it.independent);
    let later = independent.filter(|it| it.1 > alternative.decision);
    let later = later.filter_map(|it| decisions.get(it.1));
    later.flat_map(|it| conditions_taken(solver, it)).collect()
}

/// What came of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answered {
    /// There is no such input.
    Refused,
    /// There is one, or nobody can tell.
    Settled,
}

/// The solvers and their assumptions.
struct Asking<'run, 'thread> {
    solver: Solver<'run>,
    fallback: Option<&'thread mut (dyn Questions + 'static)>,
    asks_native_first: bool,
    parent: Vec<NodeId>,
    given: Peekable<Copied<slice::Iter<'thread, (usize, NodeId)>>>,
    /// Conditions that everything that is not understood is given the same values as in the
    /// parent's run.
    same_given: Vec<Condition>,
    /// The state of a machine at the decision that is asked about.
    machine_state: Option<TargetState>,
}

impl Asking<'_, '_> {
    /// Adds the values that were given before a decision.
    fn note_given(&mut self, decision: usize) {
        while let Some((_, node)) = self.given.next_if(|it| it.0 <= decision) {
            let graph = self.solver.graph();
            let mut open = vec![node];
            while let Some(node) = open.pop() {
                match Input::new(&self.parent).value(graph, node) {
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

    /// An input, and whether it certainly reaches its decision: everything that is not understood
    /// is given the same values as in the parent's run. Such an input is preferred.
    fn certain(&mut self, found: Vec<NodeId>, conditions: &[Condition]) -> (Vec<NodeId>, bool) {
        let graph = self.solver.graph();
        let mut given = self.same_given.iter();
        if given.all(|it| Input::new(&found).holds(graph, *it) == Some(true)) {
            return (found, true);
        }
        let all = [&self.same_given, conditions].concat();
        match self.solver.ask(&all) {
            Answer::Sat(certain) => (certain, true),
            Answer::Unsat | Answer::Unknown => (found, false),
        }
    }

    /// Asks for an input that takes an alternative, with its place in the list, while these
    /// conditions hold too.
    fn ask(
        &mut self,
        program: &Program,
        decision: &Decision,
        (number, alternative): (usize, &Alternative),
        staying: &[Condition],
        answers: &mut Answers,
    ) -> Answered {
        let all = decision.conditions(alternative.way);
        let graph = self.solver.graph();
        let is_understood = !all.iter().any(|it| graph.is_unknown_condition(*it));
        if !is_understood {
            let place = place(program, decision);
            answers.gaps.push(Gap::NotUnderstood(place));
        }
        let conditions = all.iter().map(|it| understood(graph, *it));
        let Some(mut conditions) = conditions.collect::<Option<Vec<Condition>>>() else {
            return Answered::Settled;
        };
        conditions.extend(staying);
        let answer = self.answer(&conditions, &mut answers.statistics);
        if alternative.is_again && answer != Answer::Unknown {
            answers.settled.push(number);
        }
        match answer {
            Answer::Sat(arguments) => {
                answers.statistics.sat += 1;
                let (arguments, is_certain) = self.certain(arguments, &conditions);
                let graph = self.solver.graph();
                let arguments: Option<Vec<Term>> =
                    arguments.iter().map(|it| to_term(graph, *it)).collect();
                let is_known = decision.given.is_none();
                let clause = (decision.module, decision.site, alternative.way);
                match arguments {
                    Some(terms) => answers.inputs.push(AnsweredInput {
                        arguments: Arguments::new(&terms),
                        alternative: number,
                        clause: is_known.then_some(clause),
                        machine_state: self.machine_state,
                        is_certain: is_certain && is_known && is_understood,
                        dropped: Vec::new(),
                    }),
                    // They hold a fun of the program, which no input can.
                    None => answers.gaps.push(Gap::Unsolved(place(program, decision))),
                }
            }
            Answer::Unsat => {
                answers.statistics.unsat += 1;
                return Answered::Refused;
            }
            Answer::Unknown => {
                answers.statistics.unknown += 1;
                if !self.solver.was_cut_short() {
                    let gap = Gap::Unsolved(place(program, decision));
                    answers.unsolved.push((number, gap));
                }
            }
        }
        Answered::Settled
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
            && !self.solver.wants_overflow(conditions)
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

/// The values inside a node that depend on the input.
fn symbolic_inside(graph: &Graph, node: NodeId) -> Vec<NodeId> {
    let inside = match graph.node(node) {
        Node::Cons(left, right) | Node::Arithmetic(_, left, right) => vec![*left, *right],
        Node::Tuple(elements) => elements.to_vec(),
        Node::Closure(closure) => closure.captured.iter().map(|it| it.1).collect(),
        Node::Choice(_, yes, no) => vec![*yes, *no],
        Node::AtomOf(inner) | Node::Rounded(_, inner) => vec![*inner],
        Node::Input(_)
        | Node::Part(..)
        | Node::Integer(_)
        | Node::Float(_)
        | Node::Atom(_)
        | Node::Nil
        | Node::Other(..)
        | Node::Map(_)
        | Node::Put(..)
        | Node::Without(..)
        | Node::Length(_)
        | Node::TupleSize(_)
        | Node::MapSize(_)
        | Node::Bits(_)
        | Node::FloatOf(..)
        | Node::Truth(_)
        | Node::Table(_)
        | Node::Unknown(_) => Vec::new(),
    };
    let inside = inside.into_iter();
    inside.filter(|it| graph.is_symbolic(*it)).collect()
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
            history: None,
            arguments: &[Term::Integer(0.into())],
            signature: None,
            given: &[],
            machine_states: &[],
        };
        let alternative = Alternative {
            decision: 0,
            point: Visited::START,
            state: None,
            way: 0,
            is_again: false,
            among: None,
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
        let answers = solve(run, &[alternative], &mut solvers, limits, &patience);
        assert_eq!(answers.gaps, [Gap::Stopped]);
        assert_eq!(answers.statistics.unknown, 1);
        assert_eq!(looks.load(Ordering::Relaxed), 22);
    }
}
