//! Bit strings that are matched or put together. Where a segment begins depends on the sizes of
//! those before it, so sizes that depend on the input are decided first.

use std::cmp::Ordering;

use flattener::flat::{Clause, Operation, Segment, Statement};
use smallvec::SmallVec;

use super::{Misfit, Replay, Step};
use crate::matching::{Question, is_true, patterns_match, unknown_condition, with_guard};
use crate::models::{self, Stop, Walk};
use solver::graph::{Condition, NodeId};

/// So many answers at most are needed to match one clause.
const MOST_ANSWERS: usize = 100;

/// Primitive operations that mark places for coverage, debuggers and native code.
const MARKS: [&str; 3] = ["debug_line", "executable_line", "nif_start"];

impl<'run> Replay<'run> {
    /// The conditions on which clauses are chosen, and the number of the first that is left: that
    /// those before it are not was decided on the way.
    pub(super) fn clause_ways(
        &mut self,
        statement: &'run Statement,
        clauses: &'run [Clause],
        arguments: &[NodeId],
        taken: usize,
    ) -> Result<(SmallVec<[Condition; 4]>, usize), Misfit> {
        let mut ways = SmallVec::new();
        let mut first = 0;
        for (number, clause) in clauses.iter().enumerate() {
            let mut answers: Vec<(Question, u64)> = Vec::new();
            let way = loop {
                let graph = &mut self.replayed.graph;
                let environment = &mut self.environment;
                let matched = patterns_match(graph, environment, clause, arguments, &answers);
                let need = match matched {
                    Ok(patterns) => break self.way(clause, patterns, number.cmp(&taken))?,
                    Err(need) => need,
                };
                if need.prefix == Condition::FALSE {
                    break Condition::FALSE;
                }
                // Of bytes that are not known, the same question looks different each time.
                if answers.len() >= MOST_ANSWERS {
                    break unknown_condition(self.graph());
                }
                if number > taken {
                    // Whether it matches is asked in runs that come so far.
                    ways.extend([need.prefix, Condition::TRUE]);
                    return Ok((ways, first));
                }
                let graph = &mut self.replayed.graph;
                let Some(holds) = self.input.holds(graph, need.prefix) else {
                    break unknown_condition(graph);
                };
                let own = ways.len() + usize::from(!holds);
                ways.extend([need.prefix, Condition::TRUE]);
                self.decide(statement, &ways, own)?;
                ways.clear();
                first = number;
                if !holds {
                    break Condition::FALSE;
                }
                match self.answer(statement, &need.question)? {
                    Some(answer) => answers.push((need.question, answer)),
                    None => break unknown_condition(self.graph()),
                }
            };
            ways.push(way);
            // Nothing comes behind what always matches.
            if way == Condition::TRUE && number >= taken {
                break;
            }
        }
        Ok((ways, first))
    }

    /// The condition on which a clause is chosen whose patterns match on a condition. Of a guard
    /// that is the same for all inputs the run tells whether it holds: it does in the clause that
    /// was taken, and it does not in one before it whose patterns match.
    fn way(
        &mut self,
        clause: &'run Clause,
        patterns: Condition,
        place: Ordering,
    ) -> Result<Condition, Misfit> {
        let is_told = match place {
            Ordering::Less => patterns == Condition::TRUE,
            Ordering::Equal => true,
            Ordering::Greater => false,
        };
        if is_told && !is_true(&clause.guard) && self.is_fixed(clause)? {
            return Ok(match place {
                Ordering::Equal => patterns,
                Ordering::Less | Ordering::Greater => Condition::FALSE,
            });
        }
        let (graph, environment) = (&mut self.replayed.graph, &mut self.environment);
        Ok(with_guard(graph, environment, clause, patterns))
    }

    /// Whether the guard of a clause is the same for all inputs.
    fn is_fixed(&mut self, clause: &'run Clause) -> Result<bool, Misfit> {
        let key = std::ptr::from_ref(clause);
        if !self.guards.contains_key(&key) {
            let used = crate::scopes::used_in_guard(self.frame.function_code, clause);
            self.guards.insert(key, used);
        }
        let mut used = self.guards.get(&key).into_iter().flatten();
        let graph = &mut self.replayed.graph;
        Ok(used.all(|variable| {
            let value = self.environment.get(graph, *variable);
            graph.is_ground(value)
        }))
    }

    /// Decides the answer to a question; `None` if nobody knows.
    fn answer(
        &mut self,
        statement: &'run Statement,
        question: &Question,
    ) -> Result<Option<u64>, Misfit> {
        let mut walk = Walk::new(&mut self.replayed.graph, &mut self.input, &[]);
        let answer = walk.answer(question);
        let decisions = walk.decisions;
        self.decide_all(statement, decisions)?;
        Ok(answer.ok())
    }

    /// Notes what was decided by something that walked through its arguments.
    pub(super) fn decide_all(
        &mut self,
        statement: &'run Statement,
        decisions: Vec<(Vec<Condition>, usize)>,
    ) -> Step {
        for (ways, taken) in decisions {
            self.decide(statement, &ways, taken)?;
        }
        Ok(())
    }

    fn built(
        &mut self,
        statement: &'run Statement,
        segments: &[Segment],
    ) -> Result<Result<NodeId, Stop>, Misfit> {
        let mut values = Vec::with_capacity(segments.len());
        for segment in segments {
            values.push(models::Segment {
                value: self.value(&segment.value),
                size: self.value(&segment.size),
                kind: segment.kind,
            });
        }
        let mut walk = Walk::new(&mut self.replayed.graph, &mut self.input, &[]);
        let built = walk.build(&values);
        let decisions = walk.decisions;
        self.decide_all(statement, decisions)?;
        Ok(built)
    }

    /// A bit string was put together.
    pub(super) fn build_bits(
        &mut self,
        statement: &'run Statement,
        segments: &[Segment],
    ) -> Result<NodeId, Misfit> {
        if let Ok(value) = self.built(statement, segments)? {
            return Ok(value);
        }
        self.note_opaque(statement)?;
        Ok(self.graph().unknown())
    }

    /// Whether a bit string could not be put together, for a reason that is understood.
    pub(super) fn raises_in_bits(&mut self, statement: &'run Statement) -> Result<bool, Misfit> {
        let Operation::Binary(segments) = &statement.operation else {
            return Ok(false);
        };
        Ok(self.built(statement, segments)? == Err(Stop::Raises))
    }

    /// What a primitive operation returns.
    pub(super) fn primitive(
        &mut self,
        statement: &'run Statement,
    ) -> Result<Result<NodeId, Stop>, Misfit> {
        Ok(match &statement.operation {
            Operation::Primop { name, .. } if name.as_str() == "bs_init_writable" => {
                Ok(self.graph().constant(&erlang_term::Term::binary([])))
            }
            // What they give is never used.
            Operation::Primop { name, .. } if MARKS.contains(&name.as_str()) => {
                Ok(self.graph().constant(&erlang_term::Term::atom("ok")))
            }
            _ => Err(Stop::Unknown),
        })
    }
}
