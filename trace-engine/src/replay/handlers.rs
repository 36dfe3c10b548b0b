//! The handlers of exceptions in a process.

use flattener::flat::{BlockId, Statement};
use solver::graph::NodeId;

use super::replayed::{Fits, Misfit};

/// An exception on its way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raised {
    pub(super) class: NodeId,
    pub(super) reason: NodeId,
}

/// A `try` or `catch` whose protected part is running.
#[derive(Clone, Copy, Debug)]
struct Handler<'run> {
    /// The depth of the stack there.
    depth: usize,
    statement: &'run Statement,
}

/// A `try` whose protected part is over, or a `receive`, and the block in which it goes on.
#[derive(Clone, Copy, Debug)]
struct Through<'run> {
    /// The depth of the stack there.
    depth: usize,
    statement: &'run Statement,
    block: BlockId,
}

/// Each `try`, `catch` and `receive` that has not ended.
#[derive(Debug, Default)]
pub(super) struct Handlers<'run> {
    protecting: Vec<Handler<'run>>,
    through: Vec<Through<'run>>,
}

impl<'run> Handlers<'run> {
    /// Whether something may catch an exception.
    pub(super) fn may_catch(&self) -> bool {
        !self.protecting.is_empty()
    }

    /// The protected part of a `try` or `catch` begins.
    pub(super) fn protect(&mut self, depth: usize, statement: &'run Statement) {
        self.protecting.push(Handler { depth, statement });
    }

    /// The protected part of a statement ends without an exception.
    pub(super) fn release(&mut self, depth: usize, statement: &'run Statement) -> Fits {
        match self.protecting.pop() {
            Some(handler)
                if std::ptr::eq(handler.statement, statement) && handler.depth == depth =>
            {
                Ok(())
            }
            Some(_) | None => Err(Misfit("this try is not running")),
        }
    }

    /// A statement catches an exception that was raised at some depth of the stack. Returns its own
    /// depth.
    pub(super) fn catch(
        &mut self,
        depth: usize,
        statement: &'run Statement,
    ) -> Result<usize, Misfit> {
        let handler = self.protecting.pop().ok_or(Misfit("nothing catches"))?;
        if !std::ptr::eq(handler.statement, statement) || handler.depth > depth {
            return Err(Misfit("this try is not running"));
        }
        Ok(handler.depth)
    }

    /// Notes the block in which a `try` or `receive` goes on, since its last event does not tell.
    pub(super) fn goes_on(&mut self, depth: usize, statement: &'run Statement, block: BlockId) {
        self.through.push(Through {
            depth,
            statement,
            block,
        });
    }

    /// The last block that was noted for a statement. Blocks noted after it were left by
    /// exceptions.
    pub(super) fn came_through(
        &mut self,
        depth: usize,
        statement: &'run Statement,
    ) -> Result<BlockId, Misfit> {
        while let Some(last) = self.through.pop() {
            if last.depth == depth && std::ptr::eq(last.statement, statement) {
                return Ok(last.block);
            }
        }
        Err(Misfit("this try is not running"))
    }

    /// Forgets the blocks of the running function, whose caller has this depth.
    pub(super) fn forget(&mut self, depth: usize) {
        while self.through.pop_if(|it| it.depth >= depth).is_some() {}
    }
}
