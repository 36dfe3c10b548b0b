//! Messages stay symbolic until they are received, if followed code sent them.
//!
//! The log tells how a `receive` ended: which message was taken by which clause, or that the time
//! was over. Here we find out which older messages it skipped before.

use flattener::flat::{
    Bound, Callable, Clause, Operation, Pattern, SiteId, Statement, Value, VarId,
};
use models::{Primop, ProcessCall};
use solver::graph::{Condition, NodeId};
use trace_format::{Payload, ProgramModule};

use super::known_calls::known_call;
use super::messages::Message;
use super::operations::may_call;
use super::process::Process;
use super::receives::{Wanted, clause_way};
use super::replayed::{Fits, Misfit};
use super::run_event::RunEventKind;
use super::run_state::RunState;
use super::stack::Stack;
use super::waiting::{begin_receive, end_waiting, wanted_clauses};

/// A look at the next message.
pub(super) struct Look<'code> {
    /// The statement that chooses whether there is a message.
    statement: &'code Statement,
    /// Whether there is one, and the message.
    variables: &'code [VarId],
    /// The clauses that take or skip a message, if there is a choice.
    choice: Option<(&'code Statement, &'code [Clause])>,
    /// How long to wait if there is none.
    timeout: Option<&'code Value>,
}

/// The message that a look ends with.
#[derive(Clone, Copy)]
pub(super) enum LookResult {
    /// No message is taken.
    None,
    /// One is taken; which one is known if it is in the log.
    Taken(Option<NodeId>),
}

/// What the clauses of a `receive` do with a message.
struct Verdict {
    /// The condition of each clause, up to one that always matches.
    ways: Vec<Condition>,
    /// The clause that goes on to the next message, if the run takes it.
    skipping: Option<usize>,
    /// Whether the clauses tell what the run does.
    is_known: bool,
    /// Whether some input lets a clause take the message.
    is_possible: bool,
}

/// The result of a function that sends messages in the only process; `None` for other functions,
/// and for messages to other processes.
pub(super) fn send_to_itself(
    run: &mut RunState<'_>,
    call: ProcessCall,
    arguments: &[NodeId],
    payload: &Payload,
) -> Option<NodeId> {
    if call == ProcessCall::OwnPid {
        let own_pid = run.constant(payload);
        run.mailbox(0).own_pid = Some(own_pid);
        return Some(own_pid);
    }
    match *arguments {
        [to, value] if call == ProcessCall::Send && is_itself(run, to) => {
            run.mailbox(0).messages.push(Message { value, send: 0 });
            Some(value)
        }
        _ => None,
    }
}

/// Whether a value is the pid of the only process, or a name that it has.
fn is_itself(run: &mut RunState<'_>, named: NodeId) -> bool {
    run.shared.registered(named) == Some(0) || run.mailbox(0).own_pid == Some(named)
}

/// A call of a function that is not understood returned. The only process may have another name now.
pub(super) fn note_own_names<'run>(
    run: &mut RunState<'run>,
    stack: &mut Stack<'run>,
    statement: &'run Statement,
) -> Fits {
    if run.together.is_some() || !may_call(&statement.operation, &["erlang"]) {
        return Ok(());
    }
    let Some(call) = known_call(run, stack, statement)? else {
        return Ok(());
    };
    let is_known = |name: &NodeId| run.replayed.graph.is_ground(*name);
    match (call.text().as_str(), call.arguments.as_slice()) {
        ("erlang:register/2", [name, pid]) if is_known(name) && is_itself(run, *pid) => {
            run.shared.register(*name, 0);
        }
        ("erlang:unregister/1", [name]) => run.shared.unregister(*name),
        _ => {}
    }
    Ok(())
}

/// Whether a case of a `receive` chooses its clause for a message. Which message that is comes
/// after the next case.
pub(super) fn looks_for_message<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
    clause: usize,
) -> Result<bool, Misfit> {
    let stack = &mut process.stack;
    // A `receive` loops through a function of its own.
    if !matches!(stack.frame.callable, Callable::Local(..)) {
        return Ok(false);
    }
    let Some((primop, before)) = primop_before(stack.frame.code, statement) else {
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
        if let Some(look) = Look::before(stack, statement) {
            look_through(run, process, &look, LookResult::None)?;
        }
    } else if primop == Primop::WaitForMessage {
        bind_truth(stack, before.variables, is_true);
        if is_true {
            let timeout = before.arguments.first();
            end_waiting(run, process, statement, timeout)?;
        }
    }
    Ok(false)
}

/// Goes through the messages up to the one that is taken, or all of them if none is.
pub(super) fn look_through<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    look: &Look<'run>,
    outcome: LookResult,
) -> Fits {
    let (is_one_taken, taken) = match outcome {
        LookResult::None => (false, None),
        LookResult::Taken(taken) => (true, taken),
    };
    let receive = if run.together.is_some() {
        let wanted = look.wanted(run, &process.stack);
        begin_receive(run, process, look.statement, wanted, look.timeout)?
    } else {
        0
    };
    process.receive = Some(receive);
    let (number, stack) = (process.number, &mut process.stack);
    bind_truth(stack, look.variables, is_one_taken);
    run.mailbox(number).looked_at = None;
    for index in 0.. {
        let message = run.mailbox(number).messages.get(index).copied();
        let Some(Message { value, send }) = message else {
            break;
        };
        // Patterns and guards both use it.
        if let [_, variable] = look.variables {
            stack.environment.bind(*variable, value);
        }
        let verdict = look.judge(run, stack, value);
        let takes = is_one_taken
            && verdict.skipping.is_none()
            && taken.is_none_or(|taken| run.is_as_logged(value, taken));
        if run.together.is_some() && verdict.is_possible {
            let at = stack.at(look.statement);
            let look = RunEventKind::Look {
                receive,
                send,
                takes,
            };
            run.note_event(Some(at), look);
        }
        if takes {
            run.mailbox(number).looked_at = Some(index);
            return Ok(());
        }
        if look.passes_over(run, stack, &verdict)? {
            continue;
        }
        // It is gone although we expected it to be there, or another one came before it.
        if !is_one_taken {
            run.mailbox(number).messages.clear();
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

/// A process waits at a statement when the run is over. Returns whether it is one of a `receive`.
pub(super) fn waits_for_ever<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
) -> Result<bool, Misfit> {
    let stack = &process.stack;
    if let Some(look) = Look::before(stack, statement) {
        look_through(run, process, &look, LookResult::None)?;
        return Ok(true);
    }
    let before = primop_before(stack.frame.code, statement);
    if let Some((Primop::WaitForMessage, before)) = before {
        let timeout = before.arguments.first();
        begin_receive(run, process, statement, Wanted::Nothing, timeout)?;
        return Ok(true);
    }
    Ok(false)
}

/// A message was taken from the mailbox.
pub(super) fn received<'run>(
    run: &mut RunState<'run>,
    process: &mut Process<'run>,
    statement: &'run Statement,
    payload: &Payload,
) {
    let logged = run.constant(payload);
    process.receive = None;
    let mailbox = run.mailbox(process.number);
    if let Some(index) = mailbox.looked_at.take() {
        let message = mailbox.messages.get(index).copied();
        if message.is_some_and(|message| run.is_as_logged(message.value, logged)) {
            run.mailbox(process.number).messages.remove(index);
            return;
        }
    }
    // It came from code that is not followed.
    run.note_opaque_anywhere("receive");
    let stack = &mut process.stack;
    run.note_uncontrolled(stack.at(statement), OUTSIDE_MESSAGE.to_owned());
    stack.bind(run, statement, &[logged]);
}

/// The name of a message that nobody sent whom we follow.
pub(super) const OUTSIDE_MESSAGE: &str = "a message from code that is not followed";

impl<'run> Look<'run> {
    /// The look before a statement that chooses whether there is a message.
    pub(super) fn before(stack: &Stack<'run>, statement: &'run Statement) -> Option<Self> {
        let (primop, before) = primop_before(stack.frame.code, statement)?;
        let Operation::Case { clauses, .. } = &statement.operation else {
            return None;
        };
        let is_look = primop == Primop::PeekMessage;
        is_look.then(|| Self::of(stack, statement, before.variables, clauses))
    }

    /// The case after a look. The first clause for `true` is the one for a message.
    fn of(
        stack: &Stack<'run>,
        statement: &'run Statement,
        variables: &'run [VarId],
        clauses: &'run [Clause],
    ) -> Self {
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
        let without_message = clauses.iter().find(|clause| !is_true(clause));
        let waiting = without_message.and_then(|it| waiting_time(stack, it));
        Self {
            statement,
            variables,
            choice,
            timeout: waiting,
        }
    }

    /// The messages that the `receive` takes.
    fn wanted(&self, run: &mut RunState<'run>, stack: &Stack<'run>) -> Wanted {
        let Some((statement, clauses)) = self.choice else {
            return Wanted::Anything;
        };
        let taking = clauses.iter().enumerate();
        let taking = taking.filter(|it| !goes_on(stack, it.1)).map(|it| it.0);
        let message = self.variables.get(1).copied();
        wanted_clauses(run, stack, statement, taking.collect(), message)
    }

    /// What the clauses do with a message.
    fn judge(&self, run: &mut RunState<'run>, stack: &mut Stack<'run>, message: NodeId) -> Verdict {
        let mut verdict = Verdict {
            ways: Vec::new(),
            skipping: None,
            is_known: true,
            is_possible: true,
        };
        let Some((_, clauses)) = self.choice else {
            return verdict;
        };
        verdict.is_possible = false;
        for clause in clauses {
            let graph = &mut run.replayed.graph;
            let way = clause_way(graph, &mut stack.environment, clause, message);
            verdict.ways.push(way);
            verdict.is_possible |= way != Condition::FALSE && !goes_on(stack, clause);
            if way == Condition::TRUE {
                break;
            }
        }
        let taken = run.way_taken(&verdict.ways);
        verdict.is_known = taken.is_some();
        let skips = |taken: &usize| clauses.get(*taken).is_some_and(|it| goes_on(stack, it));
        verdict.skipping = taken.filter(skips);
        verdict
    }

    /// Whether the `receive` goes on to the next message. If the clauses do not tell, the log does:
    /// of several processes it has all messages.
    fn passes_over(
        &self,
        run: &mut RunState<'run>,
        stack: &Stack<'run>,
        verdict: &Verdict,
    ) -> Result<bool, Misfit> {
        if let (Some(taken), Some((statement, _))) = (verdict.skipping, self.choice) {
            run.decide_clause(stack.at(statement), &verdict.ways, taken, taken)?;
            return Ok(true);
        }
        if verdict.is_known || run.together.is_none() {
            return Ok(false);
        }
        run.note_opaque_anywhere("receive");
        Ok(true)
    }
}

/// How long a `receive` waits, in the clause for no message.
fn waiting_time<'run>(stack: &Stack<'run>, clause: &Clause) -> Option<&'run Value> {
    let statements = stack.block(clause.body).statements.iter();
    let mut waits = statements.filter_map(|statement: &'run Statement| {
        if let Operation::Primop { arguments, .. } = &statement.operation
            && primop_of(&statement.operation) == Some(Primop::WaitForMessage)
        {
            return arguments.first();
        }
        None
    });
    waits.next()
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

/// A primitive operation of a `receive`.
struct Before<'code> {
    arguments: &'code [Value],
    /// What it binds.
    variables: &'code [VarId],
}

/// The primitive operation before a statement of a `receive`.
fn primop_before<'run>(
    code: &'run ProgramModule,
    statement: &Statement,
) -> Option<(Primop, Before<'run>)> {
    let site = SiteId(statement.site.0.checked_sub(1)?);
    let before = code.statement(site)?.1;
    let (Bound::Variables(variables), Operation::Primop { name, arguments }) =
        (&before.bound, &before.operation)
    else {
        return None;
    };
    let primop = models::primop(name.as_str())?;
    Some((
        primop,
        Before {
            arguments,
            variables,
        },
    ))
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
