//! Exceptions and what catches them.

use flattener::flat::{BlockId, Operation, Statement};
use trace_format::{CallKind, Payload};

use super::calls::{BuiltIn, call_of_erlang};
use super::input_funs::Called;
use super::{Misfit, Replay, Step};
use crate::models::Stop;
use solver::graph::{Condition, Graph, Node, NodeId};

/// A `try` or `catch` whose protected part is running.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handler<'run> {
    /// How many functions had called others there.
    callers: usize,
    statement: &'run Statement,
}

/// A `try` whose protected part is over, or a `receive`, and the block through which it goes on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Through<'run> {
    /// How many functions had called others there.
    pub(super) callers: usize,
    statement: &'run Statement,
    block: BlockId,
}

/// An exception on its way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exception {
    pub(super) class: NodeId,
    pub(super) reason: NodeId,
}

impl<'run> Replay<'run> {
    pub(super) fn try_begins(&mut self, statement: &'run Statement) {
        self.handlers.push(Handler {
            callers: self.callers.len(),
            statement,
        });
    }

    /// The protected part of a `try` is over.
    pub(super) fn leave_protected(&mut self, statement: &'run Statement) -> Step {
        let Operation::Try {
            argument,
            variables,
            body,
            ..
        } = &statement.operation
        else {
            return Err(self.misfit("there is no try"));
        };
        self.drop_handler(statement)?;
        let values = self.block_values(*argument);
        self.environment.bind_all(variables, &values);
        self.goes_on_in(statement, *body)
    }

    /// Notes the block through which a `try` or `receive` goes on, since its end does not tell.
    pub(super) fn goes_on_in(&mut self, statement: &'run Statement, block: BlockId) -> Step {
        self.note_block(block);
        let callers = self.callers.len();
        self.through.push(Through {
            callers,
            statement,
            block,
        });
        Ok(())
    }

    fn drop_handler(&mut self, statement: &'run Statement) -> Step {
        match self.handlers.pop() {
            Some(handler)
                if std::ptr::eq(handler.statement, statement)
                    && handler.callers == self.callers.len() =>
            {
                Ok(())
            }
            _ => Err(self.misfit("this try is not running")),
        }
    }

    /// A `try`, `catch` or `receive` has its value.
    pub(super) fn exit_try(&mut self, statement: &'run Statement) -> Step {
        let block = match &statement.operation {
            Operation::Catch(body) => {
                self.drop_handler(statement)?;
                *body
            }
            _ => self.came_through(statement)?,
        };
        let values = self.block_values(block);
        self.bind_statement(statement, &values)
    }

    /// The block that was noted last for a statement. What was noted after it was left by
    /// exceptions.
    fn came_through(&mut self, statement: &'run Statement) -> Result<BlockId, Misfit> {
        let callers = self.callers.len();
        while let Some(last) = self.through.pop() {
            if last.callers == callers && std::ptr::eq(last.statement, statement) {
                return Ok(last.block);
            }
        }
        Err(self.misfit("this try is not running"))
    }

    /// A call raised.
    pub(super) fn raised(&mut self, statement: &'run Statement, payload: Option<&Payload>) -> Step {
        let exception = match payload {
            Some(payload) => self.logged_exception(payload),
            None => self.computed_exception(statement)?,
        };
        match self.call_kind(statement) {
            Ok(CallKind::Builtin) => match self.apply_built_in(statement)? {
                // A float that is too large, which conditions do not tell.
                BuiltIn::Applied(applied) if applied.returns == Condition::TRUE => {
                    self.note_opaque(statement)?;
                }
                BuiltIn::Applied(applied) => {
                    self.decide(statement, &[applied.returns, Condition::TRUE], 1)?;
                }
                BuiltIn::Walked(Err(Stop::Raises)) => {}
                BuiltIn::Walked(Err(Stop::Error(reason)))
                    if self.is_as_logged(reason, exception.reason) =>
                {
                    self.exception = Some(Exception {
                        class: exception.class,
                        reason,
                    });
                    return Ok(());
                }
                BuiltIn::Walked(_) => self.note_opaque(statement)?,
            },
            Ok(CallKind::Raises) => {}
            Ok(CallKind::Computed) => {
                if let Some(Called::Raised(raised)) = self.apply_value(statement)? {
                    self.exception = Some(raised);
                    return Ok(());
                }
                if !self.choose_callee(statement)? {
                    self.note_opaque(statement)?;
                }
            }
            _ if self.raises_in_bits(statement)? => {}
            // Other calls, and maps.
            _ => {
                if let Some(raised) = self.raised_by_call(statement)? {
                    self.exception = Some(raised);
                    return Ok(());
                }
                if let Some(reason) = self.map_failure(statement, exception.reason)? {
                    self.exception = Some(Exception {
                        class: exception.class,
                        reason,
                    });
                    return Ok(());
                }
                self.note_opaque(statement)?;
            }
        }
        self.exception = Some(exception);
        Ok(())
    }

    /// What `erlang:raise(Class, Reason, Trace)` raises, if there is such a class; `None` for
    /// other calls, and if the trace is not known.
    pub(super) fn raised_by_call(
        &mut self,
        statement: &'run Statement,
    ) -> Result<Option<Exception>, Misfit> {
        let Some(("raise", arguments)) = call_of_erlang(&statement.operation) else {
            return Ok(None);
        };
        let &[class, reason, trace] = self.values(arguments).as_slice() else {
            return Ok(None);
        };
        if self.graph().is_symbolic(trace) {
            return Ok(None);
        }
        let classes = ["error", "exit", "throw"].map(|it| self.graph().atom(it));
        let mut ways: Vec<Condition> = classes
            .iter()
            .map(|known| self.graph().equal(class, *known))
            .collect();
        ways.push(Condition::TRUE);
        let Some(taken) = self.choose(statement, &ways)? else {
            return Ok(None);
        };
        let class = classes.get(taken).copied();
        Ok(class.map(|class| Exception { class, reason }))
    }

    /// Class and reason in the log.
    fn logged_exception(&mut self, payload: &Payload) -> Exception {
        let term = payload.term().ok();
        let parts = term.as_ref().and_then(|term| term.as_tuple());
        let graph = self.graph();
        match parts {
            Some([class, reason]) => Exception {
                class: graph.constant(class),
                reason: graph.constant(reason),
            },
            _ => Exception {
                class: graph.unknown(),
                reason: graph.unknown(),
            },
        }
    }

    /// The exception of a call that always raises, from its arguments.
    fn computed_exception(&mut self, statement: &'run Statement) -> Result<Exception, Misfit> {
        let (name, arguments) = match &statement.operation {
            Operation::Call {
                name, arguments, ..
            } => {
                let name = name.as_literal().and_then(|name| name.as_atom());
                (name.unwrap_or_default().to_owned(), arguments)
            }
            Operation::Primop { name, arguments } => (name.as_str().to_owned(), arguments),
            _ => return Err(self.misfit("nothing raises there")),
        };
        let arguments = self.values(arguments);
        let graph = &mut self.replayed.graph;
        let (class, reason) = match (name.as_str(), arguments.as_slice()) {
            ("error", [reason, ..]) => (graph.atom("error"), *reason),
            ("exit", [reason]) => (graph.atom("exit"), *reason),
            ("throw", [reason]) => (graph.atom("throw"), *reason),
            ("match_fail", [reason]) => (graph.atom("error"), match_failure(graph, *reason)),
            ("raw_raise", [class, reason, ..]) => (*class, *reason),
            // The trace tells which exception goes on.
            ("raise", [trace, reason]) => {
                let class = self.classes.get(trace).copied();
                (class.unwrap_or_else(|| graph.unknown()), *reason)
            }
            _ => (graph.unknown(), graph.unknown()),
        };
        Ok(Exception { class, reason })
    }

    /// An exception is caught: everything that was called since is over.
    pub(super) fn caught(&mut self, statement: &'run Statement) -> Step {
        let handler = self.handlers.pop();
        let handler = handler.ok_or_else(|| self.misfit("nothing catches"))?;
        if !std::ptr::eq(handler.statement, statement) || handler.callers > self.callers.len() {
            return Err(self.misfit("this try is not running"));
        }
        if let Some(frame) = self.callers.get(handler.callers) {
            self.frame = *frame;
        }
        self.callers.truncate(handler.callers);
        self.environment.leave(handler.callers + 1);
        self.pending = None;
        let graph = &mut self.replayed.graph;
        let exception = self.exception.take().unwrap_or_else(|| Exception {
            class: graph.unknown(),
            reason: graph.unknown(),
        });
        let trace = graph.unknown();
        self.classes.insert(trace, exception.class);
        match &statement.operation {
            Operation::Try {
                exception_variables,
                handler,
                ..
            } => {
                let values = [exception.class, exception.reason, trace];
                self.environment.bind_all(exception_variables, &values);
                self.goes_on_in(statement, *handler)
            }
            Operation::Catch(_) => {
                let value = self.value_of_catch(exception, trace);
                self.bind_statement(statement, &[value])
            }
            _ => Err(self.misfit("there is no try")),
        }
    }

    fn value_of_catch(&mut self, exception: Exception, trace: NodeId) -> NodeId {
        let graph = &mut self.replayed.graph;
        let exit = graph.atom("EXIT");
        let classes = ["throw", "exit", "error"].map(|class| graph.atom(class));
        match classes.iter().position(|class| *class == exception.class) {
            Some(0) => exception.reason,
            Some(1) => graph.tuple([exit, exception.reason]),
            Some(_) => {
                let reason = graph.tuple([exception.reason, trace]);
                graph.tuple([exit, reason])
            }
            None => graph.unknown(),
        }
    }
}

/// The reason of a match that failed, as the compiler writes it and as the program sees it.
fn match_failure(graph: &mut Graph, reason: NodeId) -> NodeId {
    let function_clause = graph.atom("function_clause");
    if let Node::Tuple(elements) = graph.node(reason)
        && elements.first() == Some(&function_clause)
    {
        return function_clause;
    }
    reason
}
