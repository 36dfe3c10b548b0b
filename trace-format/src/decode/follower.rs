//! Follows the program, and reads from the log what only the run knew.

use flattener::flat::{BlockId, Callable, Operation, Statement};

use super::position::{Frame, Position};
use super::run_log::{Broken, CallBack, Ending, Happened, Listener, LogError, Progress};
use crate::calls::{CallKind, Callee};
use crate::event::{EventKind, Payload};
use crate::log::ReadError;
use crate::numbering::{ENTER, EXIT, RAISED, Wire, offset};
use crate::program::ProgramModule;

/// Follows a log through the program.
pub(super) struct Follower<'run, 'listener, L: Listener<'run>> {
    at: Position<'run>,
    /// Whether functions are forgotten at their tail calls.
    forgets: bool,
    listener: &'listener mut L,
}

type Stepped<T, R> = Result<T, Broken<R>>;

/// Whether the program continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    On,
    /// An exception was not caught.
    Unwound,
}

impl<'run, 'listener, L: Listener<'run>> Follower<'run, 'listener, L> {
    /// Goes on from a position.
    pub(super) fn new(at: Position<'run>, listener: &'listener mut L) -> Self {
        Self {
            at,
            forgets: listener.forgets_at_tail_calls(),
            listener,
        }
    }

    /// Where it is.
    pub(super) fn into_position(self) -> Position<'run> {
        self.at
    }

    /// Goes on in a process that starts with this function: module and index.
    pub(super) fn run_entry(
        &mut self,
        module: usize,
        index: usize,
    ) -> Stepped<Progress, L::Refusal> {
        if self.at.stack.is_empty() && self.at.ended.is_none() {
            self.start(module, Callable::Function(index))?;
        }
        let progress = self.run()?;
        match progress {
            Progress::Paused | Progress::Ended(Ending::Open) => Ok(progress),
            Progress::Ended(_) if self.at.log.is_at_end() => Ok(progress),
            Progress::Ended(Ending::Returned | Ending::Raised) => {
                let at = self.at.log.position();
                Err(LogError::Surplus { at }.into())
            }
        }
    }

    /// Goes on in a process that starts in code which is not followed.
    pub(super) fn run_from_outside(&mut self) -> Stepped<Progress, L::Refusal> {
        loop {
            if self.at.stack.is_empty() {
                match self.at.ended {
                    Some(ending) if self.at.log.is_at_end() => return Ok(Progress::Ended(ending)),
                    Some(_) | None => {
                        self.at.ended = None;
                        self.announced()?;
                    }
                }
            }
            let progress = self.run()?;
            match progress {
                Progress::Paused | Progress::Ended(Ending::Open) => return Ok(progress),
                Progress::Ended(Ending::Returned | Ending::Raised) => {}
            }
        }
    }

    fn run(&mut self) -> Stepped<Progress, L::Refusal> {
        if let Some(ending) = self.at.ended {
            return Ok(Progress::Ended(ending));
        }
        loop {
            if self.at.left == 0 {
                return Ok(Progress::Ended(Ending::Open));
            }
            let Some(frame) = self.at.stack.last_mut() else {
                self.at.ended = Some(Ending::Returned);
                return Ok(Progress::Ended(Ending::Returned));
            };
            let flow = if let Frame::Block { id, rest } = frame {
                match rest.split_first() {
                    Some((statement, behind)) => {
                        *rest = behind;
                        let executed = self.execute(statement);
                        if executed.is_err() {
                            self.at.stopped_at = Some(statement);
                        }
                        executed?
                    }
                    None => {
                        let id = *id;
                        self.end_block(id)
                    }
                }
            } else {
                self.leave()?
            };
            if flow == Flow::Unwound {
                self.at.ended = Some(Ending::Raised);
            }
            if self.listener.pauses() {
                if self.at.stack.is_empty() {
                    self.at.ended.get_or_insert(Ending::Returned);
                }
                return Ok(Progress::Paused);
            }
            if flow == Flow::Unwound {
                return Ok(Progress::Ended(Ending::Raised));
            }
        }
    }

    fn end_block(&mut self, id: BlockId) -> Flow {
        self.at.stack.pop();
        if !self.code().plan.ends_bare(self.at.function, id) {
            self.at.end_is_logged = true;
        }
        Flow::On
    }

    fn code(&self) -> &'run ProgramModule {
        let module = self.at.program.module(self.at.module);
        module.expect("only modules of the program are entered")
    }

    fn bytes<T>(&self, result: Result<T, ReadError>) -> Stepped<T, L::Refusal> {
        result.map_err(|error| {
            let at = self.at.log.position();
            LogError::Bytes { error, at }.into()
        })
    }

    fn number(&mut self) -> Stepped<u32, L::Refusal> {
        let number = self.at.log.number();
        self.bytes(number)
    }

    fn payload(&mut self) -> Stepped<Payload, L::Refusal> {
        let payload = self.at.log.payload();
        self.bytes(payload).map(|bytes| Payload(bytes.into()))
    }

    fn unexpected<T>(&self, found: u32) -> Stepped<T, L::Refusal> {
        let at = self.at.log.position();
        Err(LogError::Unexpected { found, at }.into())
    }

    fn unknown<T>(&self, what: &'static str) -> Stepped<T, L::Refusal> {
        let at = self.at.log.position();
        Err(LogError::Unknown { what, at }.into())
    }

    /// Reads this number.
    fn expect(&mut self, number: u32) -> Stepped<(), L::Refusal> {
        let found = self.number()?;
        if found == number {
            Ok(())
        } else {
            self.unexpected(found)
        }
    }

    /// Reads the number of a statement's event if the log holds everything.
    fn expect_if_full(&mut self, statement: &Statement, offset: u32) -> Stepped<(), L::Refusal> {
        match self.at.wire {
            Wire::Full => self.expect(self.event_number(statement, offset)),
            Wire::Lean => Ok(()),
        }
    }

    /// Reads the event at the end of a statement, if it is in the log.
    fn expect_end_of(&mut self, statement: &Statement) -> Stepped<(), L::Refusal> {
        self.expect_at_end(|this| this.event_number(statement, offset::END))
    }

    /// Reads an event at the end of a block, if it is in the log.
    fn expect_at_end(&mut self, number: impl FnOnce(&Self) -> u32) -> Stepped<(), L::Refusal> {
        if self.at.wire == Wire::Full && self.at.end_is_logged {
            self.expect(number(self))
        } else {
            Ok(())
        }
    }

    /// The number of a statement's event.
    fn event_number(&self, statement: &Statement, offset: u32) -> u32 {
        self.code().numbering.number(statement.site, offset)
    }

    /// Whether a call, or the return of a built-in, is in the log.
    fn is_logged(&self, statement: &Statement) -> bool {
        self.at.wire == Wire::Full || self.code().plan.is_on_lean_wire(statement.site)
    }

    fn emit(
        &mut self,
        statement: Option<&'run Statement>,
        kind: EventKind,
    ) -> Stepped<(), L::Refusal> {
        self.at.left = self.at.left.saturating_sub(1);
        let event = Happened {
            module: self.at.module,
            callable: self.at.callable,
            statement,
            kind,
        };
        self.listener.hear(event).map_err(Broken::Refused)
    }

    /// Starts a callable; the caller's frame is on the stack.
    fn start(&mut self, module: usize, callable: Callable) -> Stepped<(), L::Refusal> {
        let found = self
            .at
            .program
            .module(module)
            .and_then(|code| code.callable(callable));
        let Some((function, fun)) = found else {
            return self.unknown("such function");
        };
        self.at.module = module;
        self.at.callable = callable;
        self.at.function = function;
        self.at.stack.push(Frame::Body);
        self.push_block(fun.body);
        Ok(())
    }

    fn push_caller(&mut self) {
        self.at.stack.push(Frame::Caller {
            module: self.at.module,
            callable: self.at.callable,
            function: self.at.function,
        });
    }

    /// Forgets the function or fun that runs.
    fn forget(&mut self) {
        while let Some(frame) = self.at.stack.pop()
            && !matches!(frame, Frame::Body)
        {}
    }

    fn push_block(&mut self, id: BlockId) {
        let function = self.code().function(self.at.function);
        let rest = function.map_or(&[][..], |it| it.block(id).statements.as_slice());
        self.at.stack.push(Frame::Block { id, rest });
    }

    /// Reads the announcement of a function, and starts it.
    fn announced(&mut self) -> Stepped<(), L::Refusal> {
        self.expect(ENTER)?;
        self.enter()
    }

    /// Reads the rest of an announcement.
    fn enter(&mut self) -> Stepped<(), L::Refusal> {
        let module = self.number()? as usize;
        let number = self.number()?;
        let code = self.at.program.module(module);
        let Some(callable) = code.and_then(|code| code.announced(number)) else {
            return self.unknown("such function");
        };
        let flag = self.at.log.byte();
        let arguments = match self.bytes(flag)? {
            0 => None,
            1 => Some(self.payload()?),
            _ => return self.unknown("such announcement"),
        };
        self.start(module, callable)?;
        self.emit(None, EventKind::Enter(arguments))
    }

    /// The part above the topmost frame is over.
    fn leave(&mut self) -> Stepped<Flow, L::Refusal> {
        let Some(frame) = self.at.stack.pop() else {
            return Ok(Flow::On);
        };
        match frame {
            Frame::Block { .. } => {}
            Frame::Case(statement, clause) => {
                self.expect_end_of(statement)?;
                self.emit(Some(statement), EventKind::ExitCase(clause as usize))?;
            }
            Frame::Letrec(statement) => {
                self.expect_end_of(statement)?;
                self.emit(Some(statement), EventKind::Bind)?;
            }
            Frame::TryArgument(statement) => self.leave_protected(statement)?,
            Frame::TryRest(statement) => {
                self.expect_end_of(statement)?;
                self.emit(Some(statement), EventKind::ExitTry)?;
            }
            Frame::Catch(statement) => {
                self.expect_end_of(statement)?;
                self.emit(Some(statement), EventKind::ExitTry)?;
                self.at.end_is_logged = true;
            }
            Frame::Body => {
                self.expect_at_end(Self::exit_number)?;
                self.emit(None, EventKind::Exit)?;
            }
            Frame::Caller { .. } => {
                self.return_to(frame);
                self.at.end_is_logged = false;
            }
            Frame::Outside(statement) => {
                self.at.stack.push(frame);
                return self.outside(statement);
            }
        }
        Ok(Flow::On)
    }

    fn return_to(&mut self, caller: Frame<'run>) {
        if let Frame::Caller {
            module,
            callable,
            function,
        } = caller
        {
            self.at.module = module;
            self.at.callable = callable;
            self.at.function = function;
        }
    }

    fn exit_number(&self) -> u32 {
        let numbering = &self.code().numbering;
        match self.at.callable {
            Callable::Function(_) => EXIT,
            Callable::Fun(site) => numbering.number(site, offset::FUN_EXIT),
            Callable::Local(site, id) => {
                let index = self.code().statement(site).and_then(|(_, statement)| {
                    let Operation::Letrec { definitions, .. } = &statement.operation else {
                        return None;
                    };
                    definitions.iter().position(|local| local.id == id)
                });
                numbering.number(site, offset::LOCAL_EXIT + index_number(index.unwrap_or(0)))
            }
        }
    }

    fn leave_protected(&mut self, statement: &'run Statement) -> Stepped<(), L::Refusal> {
        let Operation::Try { body, .. } = &statement.operation else {
            return self.unknown("such try");
        };
        self.expect_if_full(statement, offset::LEAVE)?;
        self.emit(Some(statement), EventKind::Leave)?;
        self.at.stack.push(Frame::TryRest(statement));
        self.push_block(*body);
        Ok(())
    }

    /// An exception: continues where it is caught.
    fn unwind(&mut self) -> Stepped<Flow, L::Refusal> {
        while let Some(frame) = self.at.stack.pop() {
            match frame {
                Frame::Block { .. }
                | Frame::Case(..)
                | Frame::Letrec(_)
                | Frame::TryRest(_)
                | Frame::Body => {}
                Frame::Caller { .. } => self.return_to(frame),
                Frame::TryArgument(statement) => {
                    let Operation::Try { handler, .. } = &statement.operation else {
                        return self.unknown("such try");
                    };
                    self.expect_if_full(statement, offset::CAUGHT)?;
                    self.emit(Some(statement), EventKind::Caught)?;
                    self.at.stack.push(Frame::TryRest(statement));
                    self.push_block(*handler);
                    return Ok(Flow::On);
                }
                Frame::Catch(statement) => {
                    self.emit(Some(statement), EventKind::Caught)?;
                    self.at.end_is_logged = true;
                    return Ok(Flow::On);
                }
                Frame::Outside(statement) => {
                    self.at.stack.push(frame);
                    return self.outside(statement);
                }
            }
        }
        Ok(Flow::Unwound)
    }

    fn execute(&mut self, statement: &'run Statement) -> Stepped<Flow, L::Refusal> {
        match &statement.operation {
            Operation::Values(_) | Operation::Fun(_) => {
                if !statement.is_discarded() {
                    self.expect_if_full(statement, offset::BIND)?;
                    self.emit(Some(statement), EventKind::Bind)?;
                }
            }
            Operation::Map { .. } | Operation::Binary(_) => {
                return self.built_in(statement, offset::BIND, EventKind::Bind);
            }
            Operation::Apply { .. } | Operation::Call { .. } | Operation::Primop { .. } => {
                return self.call(statement);
            }
            Operation::Case { clauses, .. } => {
                let clause = self.choose(statement, clauses.len())?;
                self.emit(Some(statement), EventKind::Case(clause as usize))?;
                self.at.stack.push(Frame::Case(statement, clause));
                match clauses.get(clause as usize - 1) {
                    Some(chosen) => self.push_block(chosen.body),
                    None => return self.unknown("such clause"),
                }
            }
            Operation::Letrec { body, .. } => {
                self.at.stack.push(Frame::Letrec(statement));
                self.push_block(*body);
            }
            Operation::Try { argument, .. } => {
                self.expect_if_full(statement, offset::TRY)?;
                self.emit(Some(statement), EventKind::Try)?;
                self.at.stack.push(Frame::TryArgument(statement));
                self.push_block(*argument);
            }
            Operation::Catch(body) => {
                self.expect_if_full(statement, offset::TRY)?;
                self.emit(Some(statement), EventKind::Try)?;
                self.at.stack.push(Frame::Catch(statement));
                self.push_block(*body);
            }
            Operation::Receive {
                clauses, action, ..
            } => {
                let clause = self.choose(statement, clauses.len() + 1)? as usize;
                self.emit(Some(statement), EventKind::Case(clause))?;
                self.at.stack.push(Frame::TryRest(statement));
                let chosen = clauses.get(clause - 1);
                self.push_block(chosen.map_or(*action, |chosen| chosen.body));
            }
        }
        Ok(Flow::On)
    }

    /// The number of the chosen clause, from 1.
    fn choose(&mut self, statement: &Statement, count: usize) -> Stepped<u32, L::Refusal> {
        if self.at.wire == Wire::Lean && count == 1 {
            return Ok(1);
        }
        let found = self.number()?;
        let first = self.event_number(statement, offset::CLAUSE);
        match found.checked_sub(first) {
            Some(index) if (index as usize) < count => Ok(index + 1),
            _ => self.unexpected(found),
        }
    }

    fn call(&mut self, statement: &'run Statement) -> Stepped<Flow, L::Refusal> {
        let Some(kind) = self.code().plan.kind(statement.site) else {
            return self.unknown("such call");
        };
        match kind {
            CallKind::Followed(callee) => self.followed(statement, callee)?,
            CallKind::Computed => return self.computed(statement),
            CallKind::Opaque => return self.call_outside(statement),
            CallKind::Builtin => {
                return self.built_in(statement, offset::RESULT, EventKind::Builtin);
            }
            CallKind::Total => {
                self.expect_if_full(statement, offset::RESULT)?;
                self.emit(Some(statement), EventKind::Builtin)?;
            }
            CallKind::StackTrace => {
                self.expect(self.event_number(statement, offset::RESULT))?;
                let value = self.payload()?;
                self.emit(Some(statement), EventKind::Result(value))?;
            }
            CallKind::Take => {
                self.expect(self.event_number(statement, offset::RESULT))?;
                let message = self.payload()?;
                self.emit(Some(statement), EventKind::Received(message))?;
            }
            CallKind::Raises => {
                self.expect_if_full(statement, offset::CALL)?;
                self.emit(Some(statement), EventKind::Raised(None))?;
                return self.unwind();
            }
            CallKind::Peek | CallKind::Wait => {}
        }
        Ok(Flow::On)
    }

    /// A call of a function that is followed.
    fn followed(&mut self, statement: &'run Statement, callee: Callee) -> Stepped<(), L::Refusal> {
        if self.is_logged(statement) {
            self.expect(self.event_number(statement, offset::CALL))?;
        }
        self.emit(Some(statement), EventKind::Call)?;
        let (module, callable) = match callee {
            Callee::Function(module, index) => (module, Callable::Function(index)),
            Callee::Local(id) => {
                let letrec = self.code().plan.letrec(self.at.function, id);
                (self.at.module, Callable::Local(letrec, id))
            }
        };
        if self.forgets && self.code().plan.is_tail_call(statement.site) {
            self.forget();
        } else {
            self.push_caller();
        }
        self.start(module, callable)
    }

    /// A built-in or a constructor: it returned, unless the log says that it raised.
    fn built_in(
        &mut self,
        statement: &'run Statement,
        returned: u32,
        event: EventKind,
    ) -> Stepped<Flow, L::Refusal> {
        if self.at.log.peek() == Ok(RAISED) {
            let mut ahead = self.at.log.clone();
            let place = [ahead.number(), ahead.number(), ahead.number()];
            let here = u32::try_from(self.at.module).unwrap_or(u32::MAX);
            if place == [Ok(RAISED), Ok(here), Ok(statement.site.0)] {
                self.at.log = ahead;
                let exception = self.payload()?;
                self.emit(Some(statement), EventKind::Raised(Some(exception)))?;
                return self.unwind();
            }
        }
        if self.is_logged(statement) {
            self.expect(self.event_number(statement, returned))?;
        }
        self.emit(Some(statement), event)?;
        Ok(Flow::On)
    }

    /// A call of a function that only the run knew.
    fn computed(&mut self, statement: &'run Statement) -> Stepped<Flow, L::Refusal> {
        let next = self.at.log.peek();
        if self.bytes(next)? == ENTER {
            // The log has no arguments of a followed callee; those of a function that an opaque
            // callee calls are in the log.
            let mut ahead = self.at.log.clone();
            let is_callee = (0..3).all(|_| ahead.number().is_ok()) && ahead.byte() == Ok(0);
            if is_callee {
                self.emit(Some(statement), EventKind::Call)?;
                self.push_caller();
                self.announced()?;
                return Ok(Flow::On);
            }
        }
        self.call_outside(statement)
    }

    /// A call of code that is not followed.
    fn call_outside(&mut self, statement: &'run Statement) -> Stepped<Flow, L::Refusal> {
        self.at.stack.push(Frame::Outside(statement));
        if self.at.log.peek() == Ok(ENTER) {
            let heard = self.listener.is_called_back(statement);
            if heard.map_err(Broken::Refused)? == CallBack::Anew {
                self.at.stack.clear();
                return Ok(Flow::On);
            }
        }
        self.outside(statement)
    }

    /// Code that is not followed runs: it calls us again, returns or raises.
    fn outside(&mut self, statement: &'run Statement) -> Stepped<Flow, L::Refusal> {
        let found = self.number()?;
        if found == ENTER {
            self.push_caller();
            self.enter()?;
        } else if found == self.event_number(statement, offset::RESULT) {
            self.at.stack.pop();
            let value = self.payload()?;
            self.emit(Some(statement), EventKind::Result(value))?;
        } else if found == self.event_number(statement, offset::RAISED) {
            self.at.stack.pop();
            let exception = self.payload()?;
            self.emit(Some(statement), EventKind::Raised(Some(exception)))?;
            return self.unwind();
        } else {
            return self.unexpected(found);
        }
        self.at.end_is_logged = false;
        Ok(Flow::On)
    }
}

fn index_number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX / 4)
}
