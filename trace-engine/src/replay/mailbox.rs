//! Messages that a process sends to itself, which stay symbolic until it receives them.
//!
//! A log tells of a `receive` how it ended: which message was taken by which clause, or that the
//! time was over. That it looked at older messages before and passed them over is found out here.

use flattener::flat::Callable;
use flattener::flat::{Bound, Clause, Operation, Pattern, SiteId, Statement, Value, VarId};
use trace_format::{EventKind, Happened, Payload, ProgramModule};

use super::{Misfit, OpaqueCall, Replay, Step};
use crate::matching::{patterns_match, unknown_condition, with_guard};
use solver::graph::{Condition, NodeId};

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
    choice: Option<(&'code Statement, &'code [Clause])>,
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

    /// Whether a case of a `receive` chooses its clause for a message. Which one it takes is told
    /// behind the next case.
    pub(super) fn looks_for_message(
        &mut self,
        statement: &'run Statement,
        clause: usize,
    ) -> Result<bool, Misfit> {
        // A `receive` loops through a function of its own.
        let frame = self.frame;
        if !matches!(frame.callable, Callable::Local(..)) {
            return Ok(false);
        }
        let Some((name, variables)) = before(frame.code, statement) else {
            return Ok(false);
        };
        let Operation::Case { clauses, .. } = &statement.operation else {
            return Ok(false);
        };
        let is_true = clauses.get(clause.wrapping_sub(1)).is_some_and(is_true);
        match name {
            "recv_peek_message" if is_true => return Ok(true),
            "recv_peek_message" => {
                let look = self.look(variables, clauses);
                self.pass_over(&look, None)?;
            }
            "recv_wait_timeout" => self.bind_truth(variables, is_true),
            _ => {}
        }
        Ok(false)
    }

    /// Keeps an event, until it is known what becomes of the message that was looked for.
    pub(super) fn hold(&mut self, event: Happened<'run>) -> Step {
        let is_told = matches!(event.kind, EventKind::Received(_)) || self.held.len() == 2;
        self.held.push(event);
        if is_told { self.replay_held() } else { Ok(()) }
    }

    /// Replays the events that were kept, the first of which looks for a message.
    pub(super) fn replay_held(&mut self) -> Step {
        let mut held = std::mem::take(&mut self.held).into_iter();
        let Some(first) = held.next() else {
            return Ok(());
        };
        let taken = held.as_slice().iter().find_map(|event| match &event.kind {
            EventKind::Received(payload) => Some(payload),
            _ => None,
        });
        let taken = taken.map(|payload| self.constant(payload));
        if let (EventKind::Case(clause), Some(statement)) = (first.kind, first.statement) {
            if let Some((_, variables)) = before(self.frame.code, statement)
                && let Operation::Case { clauses, .. } = &statement.operation
            {
                let look = self.look(variables, clauses);
                self.pass_over(&look, Some(taken))?;
            }
            self.case(statement, clause)?;
        }
        held.try_for_each(|event| self.take(event))
    }

    /// What is looked at, and the case behind it. The first clause is that for a message.
    fn look(&self, variables: &'run [VarId], clauses: &'run [Clause]) -> Look<'run> {
        let with_message = clauses.iter().find(|clause| is_true(clause));
        let first = with_message.and_then(|it| self.block(it.body).statements.first());
        let choice = first.and_then(|statement: &'run Statement| match &statement.operation {
            Operation::Case { arguments, clauses } => {
                let is_message = matches!(
                    (arguments.as_slice(), variables),
                    ([Value::Variable(case)], [_, message]) if case == message
                );
                is_message.then_some((statement, clauses.as_slice()))
            }
            _ => None,
        });
        Look { variables, choice }
    }

    fn bind_truth(&mut self, variables: &[VarId], holds: bool) {
        let value = if holds { NodeId::TRUE } else { NodeId::FALSE };
        self.environment.bind_all(variables, &[value]);
    }

    /// Passes over messages up to the one that is taken, if the log tells of it, or over all of
    /// them if none is.
    fn pass_over(&mut self, look: &Look<'run>, taken: Option<Option<NodeId>>) -> Step {
        let is_one_taken = taken.is_some();
        self.bind_truth(look.variables, is_one_taken);
        self.mailbox.looked_at = None;
        let taken = taken.flatten();
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

    fn note_strange_mailbox(&mut self) {
        self.replayed.opaque.push(OpaqueCall {
            name: "receive".to_owned(),
            place: None,
        });
    }

    /// Whether none of the clauses takes a message.
    fn is_passed_over(&mut self, look: &Look<'run>, message: NodeId) -> Result<bool, Misfit> {
        let Some((statement, clauses)) = look.choice else {
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
            Some(clause) => self.passes_over(clause),
            None => false,
        };
        if is_passed_over {
            self.decide_clause(statement, &ways, taken, taken)?;
        }
        Ok(is_passed_over)
    }

    /// Whether a clause goes on to the next message.
    fn passes_over(&self, clause: &Clause) -> bool {
        let first = self.block(clause.body).statements.first();
        first.is_some_and(|statement| {
            matches!(&statement.operation, Operation::Primop { name, .. } if name.as_str() == "recv_next")
        })
    }

    /// A message was taken from the mailbox.
    pub(super) fn received(&mut self, statement: &'run Statement, payload: &Payload) -> Step {
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
        self.bind_statement(statement, &[logged])
    }
}

/// The primitive operation before a statement of a `receive`: its name, and what it binds.
fn before<'run>(
    code: &'run ProgramModule,
    statement: &Statement,
) -> Option<(&'run str, &'run [VarId])> {
    let site = SiteId(statement.site.0.checked_sub(1)?);
    let before = code.statement(site)?.1;
    match (&before.operation, &before.bound) {
        (Operation::Primop { name, .. }, Bound::Variables(variables)) => {
            Some((name.as_str(), variables))
        }
        _ => None,
    }
}

/// Whether a clause of a case is for the value `true`.
fn is_true(clause: &Clause) -> bool {
    matches!(clause.patterns.first(), Some(Pattern::Literal(term)) if term.as_atom() == Some("true"))
}
