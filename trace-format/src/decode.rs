//! From a log to events: follows the program, and asks the log what only the run could know.

use flattener::flat::{BlockId, Operation, SiteId, Statement};
use thiserror::Error;

use crate::calls::{CallKind, Callee};
use crate::event::{Event, EventKind, Payload};
use crate::log::{LogReader, ReadError};
use crate::numbering::{ENTER, EXIT, RAISED, Wire, offset};
use crate::program::{Callable, Program, ProgramModule};

/// Why a log cannot be the log of this program.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LogError {
    /// The bytes are damaged.
    #[error("{error} (at byte {at})")]
    Bytes {
        /// What is wrong.
        error: ReadError,
        /// Where.
        at: usize,
    },
    /// A number that cannot stand here.
    #[error("the log does not fit the program: event {found} cannot happen here (at byte {at})")]
    Unexpected {
        /// The number.
        found: u32,
        /// Where.
        at: usize,
    },
    /// The run is over, but the log is not.
    #[error(
        "the log does not fit the program: it goes on behind the end of the run (at byte {at})"
    )]
    Surplus {
        /// Where.
        at: usize,
    },
    /// Something that the program does not have.
    #[error("the log does not fit the program: there is no {what} (at byte {at})")]
    Unknown {
        /// What is named.
        what: &'static str,
        /// Where.
        at: usize,
    },
}

/// How a log ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The first function returned.
    Returned,
    /// It ended by an exception.
    Raised,
    /// The log ends before the run does: it was cut off.
    Open,
}

/// The events of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// In the order in which they happened.
    pub events: Vec<Event>,
    /// How the process ended, as far as its log tells.
    pub ending: Ending,
}

/// Restores the events of a process. `entry` is the function that it started with, module and
/// index; without it code that is not followed is at the bottom, and may enter the program any
/// number of times.
///
/// # Errors
/// When the log is damaged or belongs to another program.
pub fn decode(
    program: &Program,
    wire: Wire,
    log: &[u8],
    entry: Option<(usize, usize)>,
) -> Result<Decoded, LogError> {
    decode_up_to(program, wire, log, entry, usize::MAX)
}

/// Restores about so many of the first events of a process, and takes the log as cut off there: a
/// program that never ends can log more in a second than there is memory for.
///
/// # Errors
/// When the log is damaged or belongs to another program.
pub fn decode_up_to(
    program: &Program,
    wire: Wire,
    log: &[u8],
    entry: Option<(usize, usize)>,
    limit: usize,
) -> Result<Decoded, LogError> {
    let room = room_for_events(wire, log, limit);
    let mut decoder = Decoder {
        program,
        wire,
        log: LogReader::new(log),
        module: 0,
        callable: Callable::Function(0),
        function: 0,
        // Where they are nested, a call has three of them and at least two events.
        stack: Vec::with_capacity(room),
        end_is_logged: false,
        limit,
        events: Vec::with_capacity(room),
    };
    let result = match entry {
        Some((module, index)) => decoder.run_entry(module, index),
        None => decoder.run_from_outside(),
    };
    let ending = match result {
        Ok(ending) => ending,
        Err(LogError::Bytes {
            error: ReadError::End,
            ..
        }) => Ending::Open,
        Err(error) => return Err(error),
    };
    Ok(Decoded {
        events: decoder.events,
        ending,
    })
}

/// For so many events room is made at once. Of a long log they are so much memory that to copy
/// them whenever they outgrow their place takes longer than to restore them; memory that is never
/// used costs nothing. Short logs are many, and may all be kept.
fn room_for_events(wire: Wire, log: &[u8], limit: usize) -> usize {
    const LONG: usize = 64 * 1024;
    let for_each_byte = match wire {
        Wire::Full => 1,
        Wire::Lean => 8,
    };
    if log.len() < LONG {
        0
    } else {
        log.len().saturating_mul(for_each_byte).min(limit)
    }
}

/// What is to be done when the part above it on the stack is over.
#[derive(Clone, Copy, Debug)]
enum Frame {
    /// Go on with a statement of a block.
    Block { id: BlockId, next: usize },
    /// A clause of a `case`, counted from 1.
    Case { site: SiteId, clause: usize },
    /// The body of a `letrec`.
    Letrec { site: SiteId },
    /// The protected part of a `try`.
    TryArgument { site: SiteId },
    /// The rest of a `try`, or a clause of a `receive`.
    TryRest { site: SiteId },
    /// A `catch`.
    Catch { site: SiteId },
    /// The body of what is running.
    Body,
    /// A call: where the caller goes on.
    Caller {
        module: usize,
        callable: Callable,
        function: usize,
    },
    /// Code that is not followed, called at a site; it may call us again.
    Outside { site: SiteId },
}

struct Decoder<'run> {
    program: &'run Program,
    wire: Wire,
    log: LogReader<'run>,
    /// Where we are.
    module: usize,
    callable: Callable,
    function: usize,
    stack: Vec<Frame>,
    /// Whether the events at the end of the block that was left last are in a full log.
    end_is_logged: bool,
    limit: usize,
    events: Vec<Event>,
}

type Step = Result<(), LogError>;

/// Whether the program goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    On,
    /// Nobody caught an exception.
    Unwound,
}

impl<'run> Decoder<'run> {
    fn run_entry(&mut self, module: usize, index: usize) -> Result<Ending, LogError> {
        self.start(module, Callable::Function(index))?;
        let ending = self.run()?;
        if ending == Ending::Open || self.log.is_at_end() {
            Ok(ending)
        } else {
            let at = self.log.position();
            Err(LogError::Surplus { at })
        }
    }

    fn run_from_outside(&mut self) -> Result<Ending, LogError> {
        loop {
            self.announced()?;
            let ending = self.run()?;
            if ending == Ending::Open || self.log.is_at_end() {
                return Ok(ending);
            }
        }
    }

    fn run(&mut self) -> Result<Ending, LogError> {
        loop {
            if self.events.len() >= self.limit {
                return Ok(Ending::Open);
            }
            let Some(frame) = self.stack.last_mut() else {
                return Ok(Ending::Returned);
            };
            let flow = if let Frame::Block { id, next } = frame {
                let (id, index) = (*id, *next);
                *next += 1;
                match self.statement(id, index) {
                    Some(statement) => self.execute(statement)?,
                    None => self.end_block(id),
                }
            } else {
                self.leave()?
            };
            if flow == Flow::Unwound {
                return Ok(Ending::Raised);
            }
        }
    }

    fn statement(&self, block: BlockId, index: usize) -> Option<&'run Statement> {
        let function = self.code().function(self.function)?;
        function.block(block).statements.get(index)
    }

    fn end_block(&mut self, id: BlockId) -> Flow {
        self.stack.pop();
        if !self.code().plan.ends_bare(self.function, id) {
            self.end_is_logged = true;
        }
        Flow::On
    }

    fn code(&self) -> &'run ProgramModule {
        let module = self.program.module(self.module);
        module.expect("only modules of the program are entered")
    }

    // ---- The log

    fn bytes<T>(&self, result: Result<T, ReadError>) -> Result<T, LogError> {
        result.map_err(|error| LogError::Bytes {
            error,
            at: self.log.position(),
        })
    }

    fn number(&mut self) -> Result<u32, LogError> {
        let number = self.log.number();
        self.bytes(number)
    }

    fn payload(&mut self) -> Result<Payload, LogError> {
        let payload = self.log.payload();
        self.bytes(payload).map(|bytes| Payload(bytes.into()))
    }

    fn unexpected<T>(&self, found: u32) -> Result<T, LogError> {
        let at = self.log.position();
        Err(LogError::Unexpected { found, at })
    }

    fn unknown<T>(&self, what: &'static str) -> Result<T, LogError> {
        let at = self.log.position();
        Err(LogError::Unknown { what, at })
    }

    /// Reads this number.
    fn expect(&mut self, number: u32) -> Step {
        let found = self.number()?;
        if found == number {
            Ok(())
        } else {
            self.unexpected(found)
        }
    }

    /// Reads the number of a site's event if the log holds everything.
    fn expect_if_full(&mut self, site: SiteId, offset: u32) -> Step {
        match self.wire {
            Wire::Full => self.expect(self.code().numbering.number(site, offset)),
            Wire::Lean => Ok(()),
        }
    }

    /// Reads an event at the end of a block, if it is in the log.
    fn expect_at_end(&mut self, number: u32) -> Step {
        if self.wire == Wire::Full && self.end_is_logged {
            self.expect(number)
        } else {
            Ok(())
        }
    }

    fn emit(&mut self, site: Option<SiteId>, kind: EventKind) {
        self.events.push(Event {
            module: self.module,
            callable: self.callable,
            site,
            kind,
        });
    }

    // ---- Calls

    /// Begins to run something callable; the caller's frame is on the stack.
    fn start(&mut self, module: usize, callable: Callable) -> Step {
        let found = self
            .program
            .module(module)
            .and_then(|code| code.callable(callable));
        let Some((function, fun)) = found else {
            return self.unknown("such function");
        };
        self.module = module;
        self.callable = callable;
        self.function = function;
        self.stack.push(Frame::Body);
        self.push_block(fun.body);
        Ok(())
    }

    fn push_caller(&mut self) {
        self.stack.push(Frame::Caller {
            module: self.module,
            callable: self.callable,
            function: self.function,
        });
    }

    fn push_block(&mut self, id: BlockId) {
        self.stack.push(Frame::Block { id, next: 0 });
    }

    /// Reads the announcement of a function, and begins to run it.
    fn announced(&mut self) -> Step {
        self.expect(ENTER)?;
        self.enter()
    }

    /// Reads the rest of an announcement.
    fn enter(&mut self) -> Step {
        let module = self.number()? as usize;
        let number = self.number()?;
        let code = self.program.module(module);
        let Some(callable) = code.and_then(|code| code.announced(number)) else {
            return self.unknown("such function");
        };
        let flag = self.log.byte();
        let arguments = match self.bytes(flag)? {
            0 => None,
            1 => Some(self.payload()?),
            _ => return self.unknown("such announcement"),
        };
        self.start(module, callable)?;
        self.emit(None, EventKind::Enter(arguments));
        Ok(())
    }

    // ---- Leaving

    /// The part above the topmost frame is over.
    fn leave(&mut self) -> Result<Flow, LogError> {
        let Some(frame) = self.stack.pop() else {
            return Ok(Flow::On);
        };
        let numbering = &self.code().numbering;
        let number = |site, offset| numbering.number(site, offset);
        match frame {
            Frame::Block { .. } => {}
            Frame::Case { site, clause } => {
                self.expect_at_end(number(site, offset::END))?;
                self.emit(Some(site), EventKind::ExitCase(clause));
            }
            Frame::Letrec { site } => {
                self.expect_at_end(number(site, offset::END))?;
                self.emit(Some(site), EventKind::Bind);
            }
            Frame::TryArgument { site } => self.leave_protected(site)?,
            Frame::TryRest { site } => {
                self.expect_at_end(number(site, offset::END))?;
                self.emit(Some(site), EventKind::ExitTry);
            }
            Frame::Catch { site } => {
                self.expect_at_end(number(site, offset::END))?;
                self.emit(Some(site), EventKind::ExitTry);
                self.end_is_logged = true;
            }
            Frame::Body => {
                let exit = self.exit_number();
                self.expect_at_end(exit)?;
                self.emit(None, EventKind::Exit);
            }
            Frame::Caller { .. } => {
                self.return_to(frame);
                self.end_is_logged = false;
            }
            Frame::Outside { site } => {
                self.stack.push(frame);
                return self.outside(site);
            }
        }
        Ok(Flow::On)
    }

    fn return_to(&mut self, caller: Frame) {
        if let Frame::Caller {
            module,
            callable,
            function,
        } = caller
        {
            self.module = module;
            self.callable = callable;
            self.function = function;
        }
    }

    fn exit_number(&self) -> u32 {
        let numbering = &self.code().numbering;
        match self.callable {
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

    fn leave_protected(&mut self, site: SiteId) -> Step {
        let Some((_, statement)) = self.code().statement(site) else {
            return self.unknown("such site");
        };
        let Operation::Try { body, .. } = &statement.operation else {
            return self.unknown("such try");
        };
        self.expect_if_full(site, offset::LEAVE)?;
        self.emit(Some(site), EventKind::Leave);
        self.stack.push(Frame::TryRest { site });
        self.push_block(*body);
        Ok(())
    }

    /// An exception: goes on where it is caught.
    fn unwind(&mut self) -> Result<Flow, LogError> {
        while let Some(frame) = self.stack.pop() {
            match frame {
                Frame::Block { .. }
                | Frame::Case { .. }
                | Frame::Letrec { .. }
                | Frame::TryRest { .. }
                | Frame::Body => {}
                Frame::Caller { .. } => self.return_to(frame),
                Frame::TryArgument { site } => {
                    let Some((_, statement)) = self.code().statement(site) else {
                        return self.unknown("such site");
                    };
                    let Operation::Try { handler, .. } = &statement.operation else {
                        return self.unknown("such try");
                    };
                    self.expect_if_full(site, offset::CAUGHT)?;
                    self.emit(Some(site), EventKind::Caught);
                    self.stack.push(Frame::TryRest { site });
                    self.push_block(*handler);
                    return Ok(Flow::On);
                }
                Frame::Catch { site } => {
                    self.emit(Some(site), EventKind::Caught);
                    self.end_is_logged = true;
                    return Ok(Flow::On);
                }
                Frame::Outside { site } => {
                    self.stack.push(frame);
                    return self.outside(site);
                }
            }
        }
        Ok(Flow::Unwound)
    }

    // ---- Statements

    fn execute(&mut self, statement: &'run Statement) -> Result<Flow, LogError> {
        let site = statement.site;
        match &statement.operation {
            Operation::Values(_) | Operation::Fun(_) => {
                if !statement.is_discarded() {
                    self.expect_if_full(site, offset::BIND)?;
                    self.emit(Some(site), EventKind::Bind);
                }
            }
            Operation::Map { .. } | Operation::Binary(_) => {
                return self.built_in(site, offset::BIND, EventKind::Bind);
            }
            Operation::Apply { .. } | Operation::Call { .. } | Operation::Primop { .. } => {
                return self.call(site);
            }
            Operation::Case { clauses, .. } => {
                let clause = self.choose(site, clauses.len())?;
                self.emit(Some(site), EventKind::Case(clause));
                self.stack.push(Frame::Case { site, clause });
                match clauses.get(clause - 1) {
                    Some(chosen) => self.push_block(chosen.body),
                    None => return self.unknown("such clause"),
                }
            }
            Operation::Letrec { body, .. } => {
                self.stack.push(Frame::Letrec { site });
                self.push_block(*body);
            }
            Operation::Try { argument, .. } => {
                self.expect_if_full(site, offset::TRY)?;
                self.emit(Some(site), EventKind::Try);
                self.stack.push(Frame::TryArgument { site });
                self.push_block(*argument);
            }
            Operation::Catch(body) => {
                self.expect_if_full(site, offset::TRY)?;
                self.emit(Some(site), EventKind::Try);
                self.stack.push(Frame::Catch { site });
                self.push_block(*body);
            }
            Operation::Receive {
                clauses, action, ..
            } => {
                let clause = self.choose(site, clauses.len() + 1)?;
                self.emit(Some(site), EventKind::Case(clause));
                self.stack.push(Frame::TryRest { site });
                let chosen = clauses.get(clause - 1);
                self.push_block(chosen.map_or(*action, |chosen| chosen.body));
            }
        }
        Ok(Flow::On)
    }

    /// The number of the chosen clause, from 1.
    fn choose(&mut self, site: SiteId, count: usize) -> Result<usize, LogError> {
        if self.wire == Wire::Lean && count == 1 {
            return Ok(1);
        }
        let found = self.number()?;
        let first = self.code().numbering.number(site, offset::CLAUSE);
        match found.checked_sub(first) {
            Some(index) if (index as usize) < count => Ok(index as usize + 1),
            _ => self.unexpected(found),
        }
    }

    fn call(&mut self, site: SiteId) -> Result<Flow, LogError> {
        let Some(kind) = self.code().plan.kind(site) else {
            return self.unknown("such call");
        };
        match kind {
            CallKind::Followed(callee) => {
                if self.wire == Wire::Full || self.code().plan.is_on_lean_wire(site) {
                    self.expect(self.code().numbering.number(site, offset::CALL))?;
                }
                self.emit(Some(site), EventKind::Call);
                self.push_caller();
                match callee {
                    Callee::Function(module, index) => {
                        self.start(module, Callable::Function(index))?;
                    }
                    Callee::Local(id) => {
                        let letrec = self.code().plan.letrec(self.function, id);
                        self.start(self.module, Callable::Local(letrec, id))?;
                    }
                }
            }
            CallKind::Computed => return self.computed(site),
            CallKind::Opaque => {
                self.stack.push(Frame::Outside { site });
                return self.outside(site);
            }
            CallKind::Builtin => {
                return self.built_in(site, offset::RESULT, EventKind::Builtin);
            }
            CallKind::Total => {
                self.expect_if_full(site, offset::RESULT)?;
                self.emit(Some(site), EventKind::Builtin);
            }
            CallKind::StackTrace => {
                self.expect(self.code().numbering.number(site, offset::RESULT))?;
                let value = self.payload()?;
                self.emit(Some(site), EventKind::Result(value));
            }
            CallKind::Take => {
                self.expect(self.code().numbering.number(site, offset::RESULT))?;
                let message = self.payload()?;
                self.emit(Some(site), EventKind::Received(message));
            }
            CallKind::Raises => {
                self.expect_if_full(site, offset::CALL)?;
                self.emit(Some(site), EventKind::Raised(None));
                return self.unwind();
            }
            CallKind::Peek | CallKind::Wait => {}
        }
        Ok(Flow::On)
    }

    /// A built-in or a constructor: returned, unless the log says that it raised.
    fn built_in(
        &mut self,
        site: SiteId,
        returned: u32,
        event: EventKind,
    ) -> Result<Flow, LogError> {
        let is_logged = self.wire == Wire::Full || self.code().plan.is_on_lean_wire(site);
        if self.log.peek() == Ok(RAISED) {
            let mut ahead = self.log.clone();
            let place = [ahead.number(), ahead.number(), ahead.number()];
            let here = u32::try_from(self.module).unwrap_or(u32::MAX);
            if place == [Ok(RAISED), Ok(here), Ok(site.0)] {
                self.log = ahead;
                let exception = self.payload()?;
                self.emit(Some(site), EventKind::Raised(Some(exception)));
                return self.unwind();
            }
        }
        if is_logged {
            self.expect(self.code().numbering.number(site, returned))?;
        }
        self.emit(Some(site), event);
        Ok(Flow::On)
    }

    /// A call of something that only the run could tell.
    fn computed(&mut self, site: SiteId) -> Result<Flow, LogError> {
        let next = self.log.peek();
        if self.bytes(next)? == ENTER {
            // A followed callee has no arguments in the log; those of a function that an opaque
            // callee calls are there.
            let mut ahead = self.log.clone();
            let is_callee = (0..3).all(|_| ahead.number().is_ok()) && ahead.byte() == Ok(0);
            if is_callee {
                self.emit(Some(site), EventKind::Call);
                self.push_caller();
                self.announced()?;
                return Ok(Flow::On);
            }
        }
        self.stack.push(Frame::Outside { site });
        self.outside(site)
    }

    /// Code that is not followed runs: it calls us again, returns or raises.
    fn outside(&mut self, site: SiteId) -> Result<Flow, LogError> {
        let found = self.number()?;
        let numbering = &self.code().numbering;
        if found == ENTER {
            self.push_caller();
            self.enter()?;
        } else if found == numbering.number(site, offset::RESULT) {
            self.stack.pop();
            let value = self.payload()?;
            self.emit(Some(site), EventKind::Result(value));
        } else if found == numbering.number(site, offset::RAISED) {
            self.stack.pop();
            let exception = self.payload()?;
            self.emit(Some(site), EventKind::Raised(Some(exception)));
            return self.unwind();
        } else {
            return self.unexpected(found);
        }
        self.end_is_logged = false;
        Ok(Flow::On)
    }
}

fn index_number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX / 4)
}
