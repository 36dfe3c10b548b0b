//! Messages that a process sends to itself, which stay symbolic until it receives them.
//!
//! A log tells of a `receive` how it ended: which message was taken by which clause, or that the
//! time was over. That it looked at older messages before and passed them over is found out here.

use flattener::flat::{Bound, Clause, Operation, Pattern, SiteId, Statement, Value, VarId};
use trace_format::{Callable, EventKind, Payload};

use super::{Misfit, OpaqueCall, Replay, Step};
use crate::graph::{Condition, NodeId};
use crate::matching::{patterns_match, unknown_condition, with_guard};

/// The messages in the mailbox that the process sent to itself.
#[derive(Debug, Default)]
pub(super) struct Mailbox {
    messages: Vec<NodeId>,
    /// The pid of the process, once it has asked for it.
    own_pid: Option<NodeId>,
    /// The message that a `receive` looks at.
    looked_at: Option<usize>,
}

/// A look at the next message.
struct Look<'code> {
    /// Whether there is one, and the message.
    variables: &'code [VarId],
    /// The clauses that take or pass over a message, if there is a choice.
    choice: Option<(SiteId, &'code [Clause])>,
}

impl<'run> Replay<'run> {
    /// What a function that sends messages returned; `None` if it is something else, or sends
    /// them to others.
    pub(super) fn mailbox_call(
        &mut self,
        name: &str,
        arguments: &[NodeId],
        payload: &Payload,
    ) -> Option<NodeId> {
        match (name, arguments) {
            ("self", []) => {
                let own_pid = self.constant(payload);
                self.mailbox.own_pid = Some(own_pid);
                Some(own_pid)
            }
            ("!" | "send", &[to, message]) if self.mailbox.own_pid == Some(to) => {
                self.mailbox.messages.push(message);
                Some(message)
            }
            _ => None,
        }
    }

    /// A case of a `receive` is about to choose a clause: binds what it looks at.
    pub(super) fn look_at_mailbox(&mut self, site: SiteId, clause: usize) -> Step {
        // A `receive` loops through a function of its own.
        if !matches!(self.frame()?.callable, Callable::Local(..)) {
            return Ok(());
        }
        let Some(before) = site.0.checked_sub(1) else {
            return Ok(());
        };
        let (Ok(before), Ok(case)) = (self.statement(SiteId(before)), self.statement(site)) else {
            return Ok(());
        };
        let (Operation::Primop { name, .. }, Operation::Case { clauses, .. }) =
            (&before.operation, &case.operation)
        else {
            return Ok(());
        };
        let (Bound::Variables(variables), Some(chosen)) =
            (&before.bound, clauses.get(clause.wrapping_sub(1)))
        else {
            return Ok(());
        };
        match name.as_str() {
            "recv_peek_message" => {
                let look = self.look(variables, clauses)?;
                self.pass_over(&look, is_true(chosen))
            }
            "recv_wait_timeout" => self.bind_truth(variables, is_true(chosen)),
            _ => Ok(()),
        }
    }

    /// What is looked at, and the case behind it. The first clause is that for a message.
    fn look(
        &self,
        variables: &'run [VarId],
        clauses: &'run [Clause],
    ) -> Result<Look<'run>, Misfit> {
        let with_message = clauses.iter().find(|clause| is_true(clause));
        let first = match with_message {
            Some(clause) => self.block(clause.body)?.statements.first(),
            None => None,
        };
        let choice = first.and_then(|statement: &Statement| match &statement.operation {
            Operation::Case { arguments, clauses } => {
                let is_message = matches!(
                    (arguments.as_slice(), variables),
                    ([Value::Variable(case)], [_, message]) if case == message
                );
                is_message.then_some((statement.site, clauses.as_slice()))
            }
            _ => None,
        });
        Ok(Look { variables, choice })
    }

    fn bind_truth(&mut self, variables: &[VarId], holds: bool) -> Step {
        let value = self.graph().atom(if holds { "true" } else { "false" });
        self.environment.bind_all(variables, &[value]);
        Ok(())
    }

    /// Passes over messages up to the one that is taken, or over all of them.
    fn pass_over(&mut self, look: &Look<'run>, is_one_taken: bool) -> Step {
        self.bind_truth(look.variables, is_one_taken)?;
        self.mailbox.looked_at = None;
        let taken = self.message_taken();
        for index in 0..self.mailbox.messages.len() {
            let Some(message) = self.mailbox.messages.get(index).copied() else {
                break;
            };
            // Patterns and guards both speak of it.
            if let [_, variable] = look.variables {
                self.environment.bind(*variable, message);
            }
            if !self.is_passed_over(look, message)? {
                let is_ours = taken.is_none_or(|taken| self.is_as_logged(message, taken));
                if is_one_taken && is_ours {
                    self.mailbox.looked_at = Some(index);
                    return Ok(());
                }
                // It is gone although we believed it to be there, or another one came before it.
                if !is_one_taken {
                    self.mailbox.messages.clear();
                }
                self.note_strange_mailbox();
                break;
            }
        }
        if let [_, variable] = look.variables {
            let unknown = self.graph().unknown();
            self.environment.bind(*variable, unknown);
        }
        Ok(())
    }

    /// The message that is taken in the end: the log tells after the case that chooses a clause.
    fn message_taken(&mut self) -> Option<NodeId> {
        let mut coming = self.events.iter().skip(self.number + 1).take(2);
        let payload = coming.find_map(|event| match &event.kind {
            EventKind::Received(payload) => Some(payload),
            _ => None,
        })?;
        Some(self.constant(payload))
    }

    fn note_strange_mailbox(&mut self) {
        self.replayed.opaque.push(OpaqueCall {
            name: "receive".to_owned(),
            place: None,
        });
    }

    /// Whether none of the clauses takes a message.
    fn is_passed_over(&mut self, look: &Look<'run>, message: NodeId) -> Result<bool, Misfit> {
        let Some((site, clauses)) = look.choice else {
            return Ok(false);
        };
        let (graph, environment) = (&mut self.replayed.graph, &mut self.environment);
        let mut ways = Vec::with_capacity(clauses.len());
        for clause in clauses {
            let way = match patterns_match(graph, environment, clause, &[message], &[]) {
                Ok(patterns) => with_guard(graph, environment, clause, patterns),
                Err(_) => unknown_condition(graph),
            };
            ways.push(way);
            if way == Condition::TRUE {
                break;
            }
        }
        let Some(taken) = self.way_taken(&ways) else {
            return Ok(false);
        };
        let chosen = clauses.get(taken);
        let is_passed_over = match chosen {
            Some(clause) => self.passes_over(clause)?,
            None => false,
        };
        if is_passed_over {
            self.decide_clause(site, &ways, taken, taken)?;
        }
        Ok(is_passed_over)
    }

    /// Whether a clause goes on to the next message.
    fn passes_over(&self, clause: &Clause) -> Result<bool, Misfit> {
        let first = self.block(clause.body)?.statements.first();
        Ok(first.is_some_and(|statement| {
            matches!(&statement.operation, Operation::Primop { name, .. } if name.as_str() == "recv_next")
        }))
    }

    /// A message was taken from the mailbox.
    pub(super) fn received(&mut self, site: SiteId, payload: &Payload) -> Step {
        let logged = self.constant(payload);
        if let Some(index) = self.mailbox.looked_at.take() {
            let message = self.mailbox.messages.get(index).copied();
            if message.is_some_and(|message| self.is_as_logged(message, logged)) {
                self.mailbox.messages.remove(index);
                return Ok(());
            }
        }
        // It came from somebody else.
        self.note_strange_mailbox();
        let statement = self.statement(site)?;
        self.bind_statement(statement, &[logged])
    }
}

/// Whether a clause of a case is for the value `true`.
fn is_true(clause: &Clause) -> bool {
    matches!(clause.patterns.first(), Some(Pattern::Literal(term)) if term.as_atom() == Some("true"))
}
