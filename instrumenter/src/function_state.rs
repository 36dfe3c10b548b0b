//! A function while it is instrumented.

use std::collections::HashMap;

use flattener::flat::{Bound, Function, LocalId, Operation, SiteId, Statement, Value, VarId};
use trace_format::{Program, ProgramModule, Wire};

use crate::guarding::GuardedBuiltins;
use crate::runtime;

/// The events to emit at the end of a block.
pub(crate) type Ends = Vec<u32>;

/// Events to emit that wait for more, so that one call emits several. They wait until something
/// else may be logged, may raise or may not return.
///
/// After looking at a message nothing may be called until the message is taken from the mailbox or
/// skipped, or the timeout is over, so events always wait there. A skipped message leaves no event:
/// in the log the message that was taken looks like the first one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pending {
    /// The message that was looked at but not taken yet.
    pub(crate) message: Option<VarId>,
    numbers: Vec<u32>,
}

pub(crate) struct Instrumenter<'program> {
    pub(crate) program: &'program Program,
    pub(crate) code: &'program ProgramModule,
    pub(crate) module: usize,
    pub(crate) index: usize,
    pub(crate) wire: Wire,
    pub(crate) function: Function,
    /// The functions of `letrec`s that announce themselves, each with the one that holds its body.
    pub(crate) announced: HashMap<LocalId, LocalId>,
    /// The functions that calls of built-ins share.
    pub(crate) builtins: &'program mut GuardedBuiltins,
}

/// A block that is being built.
pub(crate) struct Building {
    pub(crate) statements: Vec<Statement>,
    pub(crate) pending: Pending,
}

impl Building {
    pub(crate) fn emit(&mut self, number: u32) {
        self.pending.numbers.push(number);
    }

    /// Emits what is pending, unless nothing may be called here.
    pub(crate) fn settle(&mut self) {
        if self.pending.message.is_none() {
            let numbers = std::mem::take(&mut self.pending.numbers);
            self.statements.extend(runtime::out(&numbers));
        }
    }

    /// The message is taken, or there is none: emits what is pending.
    pub(crate) fn end_region(&mut self) -> Option<VarId> {
        let message = self.pending.message.take();
        self.settle();
        message
    }

    /// Whether a value is that of a primop. Some have none, and the compiler only accepts it as the
    /// value of a block that nobody uses.
    pub(crate) fn binds_to_primop(&self, value: &Value) -> bool {
        let Value::Variable(variable) = value else {
            return false;
        };
        let is_bound = |statement: &&Statement| match &statement.bound {
            Bound::Variables(variables) => variables.contains(variable),
            Bound::Discarded => false,
        };
        let bound = self.statements.iter().rev().find(is_bound);
        bound.is_some_and(|it| matches!(it.operation, Operation::Primop { .. }))
    }

    /// Ends the block: emits what is pending, and returns the operation whose value is the only
    /// value of the block, if there is one. It may be a tail call, which needs no stack frame.
    pub(crate) fn end_with(&mut self, value: Value) -> Option<Operation> {
        self.pending.message = None;
        let numbers = std::mem::take(&mut self.pending.numbers);
        if numbers.is_empty() {
            return None;
        }
        let (statements, last) = runtime::out_and_return(&numbers, value);
        self.statements.extend(statements);
        Some(last)
    }

    /// Emits what is pending, then adds a statement.
    pub(crate) fn push_settled(&mut self, statement: Statement) {
        self.settle();
        self.statements.push(statement);
    }
}

impl Instrumenter<'_> {
    pub(crate) fn is_full(&self) -> bool {
        self.wire == Wire::Full
    }

    pub(crate) fn number(&self, site: SiteId, offset: u32) -> u32 {
        self.code.numbering.number(site, offset)
    }

    /// The events at the end of a part: its own, then those of what it ends.
    pub(crate) fn ends(&self, own: u32, outer: &[u32]) -> Ends {
        if self.is_full() {
            std::iter::once(own).chain(outer.iter().copied()).collect()
        } else {
            Ends::new()
        }
    }
}
