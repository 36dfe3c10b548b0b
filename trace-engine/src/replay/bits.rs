//! Bit strings that are matched or put together. Where a segment begins depends on the sizes of
//! those before it, so sizes that depend on the input are decided first.

use flattener::flat::{Clause, Operation, Segment, SiteId};

use super::{Replay, ReplayError, Step};
use crate::graph::{Condition, NodeId};
use crate::matching::{Need, Question, clause_matches, unknown_condition};
use crate::models::{self, Stop, Walk};

/// So many answers at most are needed to match one clause.
const MOST_ANSWERS: usize = 100;

/// Primitive operations that mark places for coverage, debuggers and native code.
const MARKS: [&str; 3] = ["debug_line", "executable_line", "nif_start"];

impl<'run> Replay<'run> {
    /// The conditions on which clauses are chosen, and the number of the first that is left: that
    /// those before it are not was decided on the way.
    pub(super) fn clause_ways(
        &mut self,
        site: SiteId,
        clauses: &'run [Clause],
        arguments: &[NodeId],
        taken: usize,
    ) -> Result<(Vec<Condition>, usize), ReplayError> {
        let mut ways: Vec<Condition> = Vec::with_capacity(clauses.len());
        let mut first = 0;
        for (number, clause) in clauses.iter().enumerate() {
            let mut answers: Vec<(Question, u64)> = Vec::new();
            let way = loop {
                let need = match self.clause_matches(clause, arguments, &answers)? {
                    Ok(way) => break way,
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
                self.decide(site, std::mem::take(&mut ways), own)?;
                first = number;
                if !holds {
                    break Condition::FALSE;
                }
                match self.answer(site, &need.question)? {
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

    fn clause_matches(
        &mut self,
        clause: &Clause,
        arguments: &[NodeId],
        answers: &[(Question, u64)],
    ) -> Result<Result<Condition, Need>, ReplayError> {
        let misfit = self.misfit("nothing is running");
        let environment = &mut self.frames.last_mut().ok_or(misfit)?.environment;
        let graph = &mut self.replayed.graph;
        Ok(clause_matches(
            graph,
            environment,
            clause,
            arguments,
            answers,
        ))
    }

    /// Decides the answer to a question; `None` if nobody knows.
    fn answer(&mut self, site: SiteId, question: &Question) -> Result<Option<u64>, ReplayError> {
        let mut walk = Walk::new(&mut self.replayed.graph, &mut self.input, &[]);
        let answer = walk.answer(question);
        let decisions = walk.decisions;
        self.decide_all(site, decisions)?;
        Ok(answer.ok())
    }

    /// Notes what was decided by something that walked through its arguments.
    pub(super) fn decide_all(
        &mut self,
        site: SiteId,
        decisions: Vec<(Vec<Condition>, usize)>,
    ) -> Step {
        for (ways, taken) in decisions {
            self.decide(site, ways, taken)?;
        }
        Ok(())
    }

    fn built(
        &mut self,
        site: SiteId,
        segments: &[Segment],
    ) -> Result<Result<NodeId, Stop>, ReplayError> {
        let mut values = Vec::with_capacity(segments.len());
        for segment in segments {
            values.push(models::Segment {
                value: self.value(&segment.value)?,
                size: self.value(&segment.size)?,
                kind: segment.kind,
            });
        }
        let mut walk = Walk::new(&mut self.replayed.graph, &mut self.input, &[]);
        let built = walk.build(&values);
        let decisions = walk.decisions;
        self.decide_all(site, decisions)?;
        Ok(built)
    }

    /// A bit string was put together.
    pub(super) fn build_bits(
        &mut self,
        site: SiteId,
        segments: &[Segment],
    ) -> Result<NodeId, ReplayError> {
        if let Ok(value) = self.built(site, segments)? {
            return Ok(value);
        }
        self.note_opaque(site)?;
        Ok(self.graph().unknown())
    }

    /// Whether a bit string could not be put together, for a reason that is understood.
    pub(super) fn raises_in_bits(&mut self, site: SiteId) -> Result<bool, ReplayError> {
        let Operation::Binary(segments) = &self.statement(site)?.operation else {
            return Ok(false);
        };
        Ok(self.built(site, segments)? == Err(Stop::Raises))
    }

    /// What a primitive operation returns.
    pub(super) fn primitive(&mut self, site: SiteId) -> Result<Result<NodeId, Stop>, ReplayError> {
        Ok(match &self.statement(site)?.operation {
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
