//! The choice of a clause. Sizes in bit patterns that depend on the input are decided first.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use flattener::flat::{Clause, Function, VarId};
use models::Walk;
use rustc_hash::FxHasher;
use smallvec::SmallVec;
use solver::graph::{Condition, Graph, NodeId};

use super::environment::Environment;
use super::facts::{Fact, unknown_condition};
use super::guards::{is_true, with_guard};
use super::patterns::patterns_match;
use crate::scopes;

/// At most this number of facts is needed to match one clause.
const MOST_FACTS: usize = 100;

/// The variables that the guards of a program use, by the addresses of their clauses.
#[derive(Debug, Default)]
pub(crate) struct GuardVariables(HashMap<*const Clause, Vec<VarId>, BuildHasherDefault<FxHasher>>);

impl GuardVariables {
    /// Those of the guard of a clause.
    pub(crate) fn of(&mut self, function: &Function, clause: &Clause) -> &[VarId] {
        let known = self.0.entry(std::ptr::from_ref(clause));
        known.or_insert_with(|| scopes::used_in_guard(function, clause))
    }

    /// Whether the guard of a clause is the same for all inputs.
    fn is_fixed(
        &mut self,
        graph: &mut Graph,
        environment: &Environment,
        function: &Function,
        clause: &Clause,
    ) -> bool {
        self.of(function, clause).iter().all(|variable| {
            let value = environment.get(graph, *variable);
            graph.is_ground(value)
        })
    }
}

/// A choice between clauses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClauseChoice<'run> {
    /// The function that they are in.
    pub(crate) function: &'run Function,
    pub(crate) clauses: &'run [Clause],
    /// The values that are matched.
    pub(crate) arguments: &'run [NodeId],
    /// The clause that the run took, counted from 0.
    pub(crate) taken: usize,
}

/// The conditions on which clauses are chosen.
pub(crate) type ClauseWays = SmallVec<[Condition; 4]>;

/// The conditions on which clauses are chosen, and the number of the first one among them: the
/// choices of the walk exclude those before it.
pub(crate) fn clause_ways(
    walk: &mut Walk<'_>,
    environment: &mut Environment,
    guards: &mut GuardVariables,
    choice: &ClauseChoice<'_>,
) -> (ClauseWays, usize) {
    let mut ways = ClauseWays::new();
    let mut first = 0;
    for (number, clause) in choice.clauses.iter().enumerate() {
        let mut facts: Vec<(Fact, u64)> = Vec::new();
        let way = loop {
            let graph = walk.graph();
            let need = match patterns_match(graph, environment, clause, choice.arguments, &facts) {
                Ok(patterns) => {
                    let place = number.cmp(&choice.taken);
                    break way(
                        graph,
                        environment,
                        guards,
                        choice,
                        (clause, patterns, place),
                    );
                }
                Err(need) => need,
            };
            if need.prefix == Condition::FALSE {
                break Condition::FALSE;
            }
            // If bytes are not known, the same fact looks different each time.
            if facts.len() >= MOST_FACTS {
                break unknown_condition(graph);
            }
            if number > choice.taken {
                // Runs that come to this point ask whether it matches.
                ways.extend([need.prefix, Condition::TRUE]);
                return (ways, first);
            }
            let Some(holds) = walk.known(need.prefix) else {
                break unknown_condition(walk.graph());
            };
            let own = ways.len() + usize::from(!holds);
            ways.extend([need.prefix, Condition::TRUE]);
            walk.choices.push((ways.to_vec(), own));
            ways.clear();
            first = number;
            if !holds {
                break Condition::FALSE;
            }
            match need.fact.ask(walk) {
                Ok(answer) => facts.push((need.fact, answer)),
                Err(_) => break unknown_condition(walk.graph()),
            }
        };
        ways.push(way);
        // Clauses after one that always matches are not reached.
        if way == Condition::TRUE && number >= choice.taken {
            break;
        }
    }
    (ways, first)
}

/// The condition on which a clause is chosen whose patterns match on a condition. If its guard is
/// the same for all inputs, the run tells whether it holds: it does in the clause that was taken,
/// and it does not in one before it whose patterns match.
fn way(
    graph: &mut Graph,
    environment: &mut Environment,
    guards: &mut GuardVariables,
    choice: &ClauseChoice<'_>,
    (clause, patterns, place): (&Clause, Condition, Ordering),
) -> Condition {
    let is_told = match place {
        Ordering::Less => patterns == Condition::TRUE,
        Ordering::Equal => true,
        Ordering::Greater => false,
    };
    if is_told
        && !is_true(&clause.guard)
        && guards.is_fixed(graph, environment, choice.function, clause)
    {
        return match place {
            Ordering::Equal => patterns,
            Ordering::Less | Ordering::Greater => Condition::FALSE,
        };
    }
    with_guard(graph, environment, clause, patterns)
}
