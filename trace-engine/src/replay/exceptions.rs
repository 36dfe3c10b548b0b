//! Exceptions and what catches them.

use flattener::flat::{BlockId, Operation, SiteId};
use trace_format::{CallKind, Payload};

use super::calls::BuiltIn;
use super::input_funs::Called;
use super::{Misfit, Replay, Step, misfit};
use crate::graph::{Condition, Graph, Node, NodeId};
use crate::models::Stop;

/// A `try` or `catch` whose protected part is running.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handler {
    /// How many functions were running there.
    frames: usize,
    site: SiteId,
}

/// An exception on its way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exception {
    pub(super) class: NodeId,
    pub(super) reason: NodeId,
}

impl Replay<'_> {
    pub(super) fn try_begins(&mut self, site: SiteId) {
        self.handlers.push(Handler {
            frames: self.frames.len(),
            site,
        });
    }

    /// The protected part of a `try` is over.
    pub(super) fn leave_protected(&mut self, site: SiteId) -> Step {
        let Operation::Try {
            argument,
            variables,
            body,
            ..
        } = &self.statement(site)?.operation
        else {
            return Err(self.misfit("there is no try"));
        };
        self.drop_handler(site)?;
        let values = self.block_values(*argument)?;
        self.environment.bind_all(variables, &values);
        self.goes_on_in(site, *body)
    }

    /// Notes the block through which a `try` or `receive` goes on, since its end does not tell.
    pub(super) fn goes_on_in(&mut self, site: SiteId, block: BlockId) -> Step {
        self.note_block(block)?;
        let frame = self.frames.last_mut();
        let frame = frame.ok_or_else(|| misfit(self.number, "nothing is running"))?;
        frame.through.push((site, block));
        Ok(())
    }

    fn drop_handler(&mut self, site: SiteId) -> Step {
        match self.handlers.pop() {
            Some(handler) if handler.site == site && handler.frames == self.frames.len() => Ok(()),
            _ => Err(self.misfit("this try is not running")),
        }
    }

    /// A `try`, `catch` or `receive` has its value.
    pub(super) fn exit_try(&mut self, site: SiteId) -> Step {
        let statement = self.statement(site)?;
        let block = match &statement.operation {
            Operation::Catch(body) => {
                self.drop_handler(site)?;
                *body
            }
            _ => self.came_through(site)?,
        };
        let values = self.block_values(block)?;
        self.bind_statement(statement, &values)
    }

    /// The block that was noted last for a site. What was noted after it was left by exceptions.
    fn came_through(&mut self, site: SiteId) -> Result<BlockId, Misfit> {
        let through = self.frames.last_mut().map(|frame| &mut frame.through);
        let found = through.and_then(|through| {
            let index = through.iter().rposition(|it| it.0 == site)?;
            let found = through.get(index).map(|it| it.1);
            through.truncate(index);
            found
        });
        found.ok_or_else(|| self.misfit("this try is not running"))
    }

    /// A call raised.
    pub(super) fn raised(&mut self, site: SiteId, payload: Option<&Payload>) -> Step {
        let exception = match payload {
            Some(payload) => self.logged_exception(payload),
            None => self.computed_exception(site)?,
        };
        match self.call_kind(site) {
            Ok(CallKind::Builtin) => match self.apply_built_in(site)? {
                // A float that is too large, which conditions do not tell.
                BuiltIn::Applied(applied) if applied.returns == Condition::TRUE => {
                    self.note_opaque(site)?;
                }
                BuiltIn::Applied(applied) => {
                    self.decide(site, &[applied.returns, Condition::TRUE], 1)?;
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
                BuiltIn::Walked(_) => self.note_opaque(site)?,
            },
            Ok(CallKind::Raises) => {}
            Ok(CallKind::Computed) => {
                if let Some(Called::Raised(raised)) = self.apply_value(site)? {
                    self.exception = Some(raised);
                    return Ok(());
                }
                if !self.choose_callee(site)? {
                    self.note_opaque(site)?;
                }
            }
            _ if self.raises_in_bits(site)? => {}
            // Other calls, and maps.
            _ => {
                if let Some(raised) = self.raised_by_call(site)? {
                    self.exception = Some(raised);
                    return Ok(());
                }
                if let Some(reason) = self.map_failure(site, exception.reason)? {
                    self.exception = Some(Exception {
                        class: exception.class,
                        reason,
                    });
                    return Ok(());
                }
                self.note_opaque(site)?;
            }
        }
        self.exception = Some(exception);
        Ok(())
    }

    /// What `erlang:raise(Class, Reason, Trace)` raises, if there is such a class; `None` for
    /// other calls, and if the trace is not known.
    pub(super) fn raised_by_call(&mut self, site: SiteId) -> Result<Option<Exception>, Misfit> {
        let Some(("raise", arguments)) = self.call_of_erlang(site)? else {
            return Ok(None);
        };
        let &[class, reason, trace] = self.values(arguments)?.as_slice() else {
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
        let Some(taken) = self.choose(site, &ways)? else {
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
    fn computed_exception(&mut self, site: SiteId) -> Result<Exception, Misfit> {
        let (name, arguments) = match &self.statement(site)?.operation {
            Operation::Call {
                name, arguments, ..
            } => {
                let name = name.as_literal().and_then(|name| name.as_atom());
                (name.unwrap_or_default().to_owned(), arguments)
            }
            Operation::Primop { name, arguments } => (name.as_str().to_owned(), arguments),
            _ => return Err(self.misfit("nothing raises there")),
        };
        let arguments = self.values(arguments)?;
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
    pub(super) fn caught(&mut self, site: SiteId) -> Step {
        let handler = self.handlers.pop();
        let handler = handler.ok_or_else(|| self.misfit("nothing catches"))?;
        if handler.site != site || handler.frames > self.frames.len() {
            return Err(self.misfit("this try is not running"));
        }
        self.frames.truncate(handler.frames);
        self.environment.leave(handler.frames);
        self.pending = None;
        let graph = &mut self.replayed.graph;
        let exception = self.exception.take().unwrap_or_else(|| Exception {
            class: graph.unknown(),
            reason: graph.unknown(),
        });
        let trace = graph.unknown();
        self.classes.insert(trace, exception.class);
        let statement = self.statement(site)?;
        match &statement.operation {
            Operation::Try {
                exception_variables,
                handler,
                ..
            } => {
                let values = [exception.class, exception.reason, trace];
                self.environment.bind_all(exception_variables, &values);
                self.goes_on_in(site, *handler)
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
