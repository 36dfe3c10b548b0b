//! Messages that a process sends to itself, which stay symbolic until it receives them.
//!
//! The log tells how a `receive` ended: which message was taken by which clause, or that the time
//! was over. Here we find out which older messages it skipped before.

use flattener::flat::{
    Bound, Callable, Clause, Operation, Pattern, SiteId, Statement, Value, VarId,
};
use models::{Primop, ProcessCall};
use solver::graph::{Condition, NodeId};
use trace_format::{Payload, ProgramModule};

use super::replayed::{Fits, Misfit};
use super::run_state::RunState;
use super::stack::Stack;
use crate::rules::{patterns_match, unknown_condition, with_guard};

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
pub(super) struct Look<'code> {
    /// Whether there is one, and the message.
    variables: &'code [VarId],
    /// The clauses that take or skip a message, if there is a choice.
    choice: Option<(&'code Statement, &'code [Clause])>,
}

/// The message that a look ends with.
#[derive(Clone, Copy)]
pub(super) enum LookResult {
    /// No message is taken.
    None,
    /// One is taken; which one is known if it is in the log.
    Taken(Option<NodeId>),
}

impl Mailbox {
    /// The result of a function that sends messages; `None` for other functions, and for messages
    /// to other processes.
    pub(super) fn call(
        &mut self,
        run: &mut RunState<'_>,
        call: ProcessCall,
        arguments: &[NodeId],
        payload: &Payload,
    ) -> Option<NodeId> {
        if call == ProcessCall::OwnPid {
            let own_pid = run.constant(payload);
            self.own_pid = Some(own_pid);
            return Some(own_pid);
        }
        match *arguments {
            [to, message] if call == ProcessCall::Send && self.own_pid == Some(to) => {
                self.messages.push(message);
                Some(message)
            }
            _ => None,
        }
    }

    /// Whether a case of a `receive` chooses its clause for a message. Which message that is comes
    /// after the next case.
    pub(super) fn looks_for_message<'run>(
        &mut self,
        run: &mut RunState<'run>,
        stack: &mut Stack<'run>,
        statement: &'run Statement,
        clause: usize,
    ) -> Result<bool, Misfit> {
        // A `receive` loops through a function of its own.
        if !matches!(stack.frame.callable, Callable::Local(..)) {
            return Ok(false);
        }
        let Some((primop, variables)) = primop_before(stack.frame.code, statement) else {
            return Ok(false);
        };
        let Operation::Case { clauses, .. } = &statement.operation else {
            return Ok(false);
        };
        let is_true = clauses.get(clause.wrapping_sub(1)).is_some_and(is_true);
        if primop == Primop::PeekMessage {
            if is_true {
                return Ok(true);
            }
            let look = Look::of(stack, variables, clauses);
            self.skip(run, stack, &look, LookResult::None)?;
        } else if primop == Primop::WaitForMessage {
            bind_truth(stack, variables, is_true);
        }
        Ok(false)
    }

    /// Skips messages up to the one that is taken, or all of them if none is.
    pub(super) fn skip<'run>(
        &mut self,
        run: &mut RunState<'run>,
        stack: &mut Stack<'run>,
        look: &Look<'run>,
        outcome: LookResult,
    ) -> Fits {
        let (is_one_taken, taken) = match outcome {
            LookResult::None => (false, None),
            LookResult::Taken(taken) => (true, taken),
        };
        bind_truth(stack, look.variables, is_one_taken);
        self.looked_at = None;
        for index in 0..self.messages.len() {
            let Some(message) = self.messages.get(index).copied() else {
                break;
            };
            // Patterns and guards both use it.
            if let [_, variable] = look.variables {
                stack.environment.bind(*variable, message);
            }
            if look.skips(run, stack, message)? {
                continue;
            }
            let is_ours = taken.is_none_or(|taken| run.is_as_logged(message, taken));
            if is_one_taken && is_ours {
                self.looked_at = Some(index);
                return Ok(());
            }
            // It is gone although we expected it to be there, or another one came before it.
            if !is_one_taken {
                self.messages.clear();
            }
            run.note_opaque_anywhere("receive");
            break;
        }
        if let [_, variable] = look.variables {
            let unknown = run.graph().unknown();
            stack.environment.bind(*variable, unknown);
        }
        Ok(())
    }

    /// A message was taken from the mailbox.
    pub(super) fn received<'run>(
        &mut self,
        run: &mut RunState<'run>,
        stack: &mut Stack<'run>,
        statement: &'run Statement,
        payload: &Payload,
    ) {
        let logged = run.constant(payload);
        if let Some(index) = self.looked_at.take() {
            let message = self.messages.get(index).copied();
            if message.is_some_and(|message| run.is_as_logged(message, logged)) {
                self.messages.remove(index);
                return;
            }
        }
        // It came from another process.
        run.note_opaque_anywhere("receive");
        stack.bind(run, statement, &[logged]);
    }
}

impl<'run> Look<'run> {
    /// The look before a statement that chooses whether there is a message.
    pub(super) fn before(stack: &Stack<'run>, statement: &'run Statement) -> Option<Self> {
        let (_, variables) = primop_before(stack.frame.code, statement)?;
        let Operation::Case { clauses, .. } = &statement.operation else {
            return None;
        };
        Some(Self::of(stack, variables, clauses))
    }

    /// The case after a look. The first clause for `true` is the one for a message.
    fn of(stack: &Stack<'run>, variables: &'run [VarId], clauses: &'run [Clause]) -> Self {
        let with_message = clauses.iter().find(|clause| is_true(clause));
        let first = with_message.and_then(|it| stack.block(it.body).statements.first());
        let choice = first.and_then(|statement: &'run Statement| {
            let Operation::Case { arguments, clauses } = &statement.operation else {
                return None;
            };
            let is_message = matches!(
                (arguments.as_slice(), variables),
                ([Value::Variable(case)], [_, message]) if case == message
            );
            is_message.then_some((statement, clauses.as_slice()))
        });
        Self { variables, choice }
    }

    /// Whether no clause takes a message.
    fn skips(
        &self,
        run: &mut RunState<'run>,
        stack: &mut Stack<'run>,
        message: NodeId,
    ) -> Result<bool, Misfit> {
        let Some((statement, clauses)) = self.choice else {
            return Ok(false);
        };
        let graph = &mut run.replayed.graph;
        let environment = &mut stack.environment;
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
        let Some(taken) = run.way_taken(&ways) else {
            return Ok(false);
        };
        let skips = clauses.get(taken).is_some_and(|it| goes_on(stack, it));
        if skips {
            run.decide_clause(stack.at(statement), &ways, taken, taken)?;
        }
        Ok(skips)
    }
}

/// Whether a clause goes on to the next message.
fn goes_on(stack: &Stack<'_>, clause: &Clause) -> bool {
    let first = stack.block(clause.body).statements.first();
    let primop = first.and_then(|statement| primop_of(&statement.operation));
    primop == Some(Primop::NextMessage)
}

fn bind_truth(stack: &mut Stack<'_>, variables: &[VarId], holds: bool) {
    let value = if holds { NodeId::TRUE } else { NodeId::FALSE };
    stack.environment.bind_all(variables, &[value]);
}

/// The primitive operation before a statement of a `receive`, and the variables that it binds.
fn primop_before<'run>(
    code: &'run ProgramModule,
    statement: &Statement,
) -> Option<(Primop, &'run [VarId])> {
    let site = SiteId(statement.site.0.checked_sub(1)?);
    let before = code.statement(site)?.1;
    let Bound::Variables(variables) = &before.bound else {
        return None;
    };
    Some((primop_of(&before.operation)?, variables))
}

fn primop_of(operation: &Operation) -> Option<Primop> {
    if let Operation::Primop { name, .. } = operation {
        return models::primop(name.as_str());
    }
    None
}

/// Whether a clause of a case is for the value `true`.
fn is_true(clause: &Clause) -> bool {
    matches!(clause.patterns.first(), Some(Pattern::Literal(term)) if term.as_atom() == Some("true"))
}
