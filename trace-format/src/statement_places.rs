//! Where the statements of a function are.

use flattener::flat::visit::{Visitor, walk_block, walk_operation, walk_statement};
use flattener::flat::{BlockId, Callable, Function, LocalFunction, Operation, SiteId, Statement};

/// Where a statement is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StatementPlace {
    /// The index of its function.
    pub(crate) function: usize,
    pub(crate) block: BlockId,
    /// Its index in the block.
    pub(crate) index: usize,
    /// The function or fun that runs there.
    pub(crate) callable: Callable,
}

/// The places of all statements of the function with this index.
pub(crate) fn statement_places(function: &Function, index: usize) -> Vec<(SiteId, StatementPlace)> {
    let mut finder = PlaceFinder {
        function,
        next: StatementPlace {
            function: index,
            block: function.fun.body,
            index: 0,
            callable: Callable::Function(index),
        },
        site: SiteId::default(),
        found: Vec::new(),
    };
    finder.visit_fun(&function.fun);
    finder.found
}

struct PlaceFinder<'flat> {
    function: &'flat Function,
    /// The place of the next statement.
    next: StatementPlace,
    /// The statement that the walk is in.
    site: SiteId,
    found: Vec<(SiteId, StatementPlace)>,
}

impl PlaceFinder<'_> {
    /// Walks through another callable.
    fn within(&mut self, callable: Callable, walk: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.next.callable, callable);
        walk(self);
        self.next.callable = outer;
    }
}

impl<'flat> Visitor<'flat> for PlaceFinder<'flat> {
    fn function(&self) -> &'flat Function {
        self.function
    }

    fn visit_block(&mut self, block: BlockId) {
        let outer = self.next;
        self.next = StatementPlace {
            block,
            index: 0,
            ..outer
        };
        walk_block(self, block);
        self.next = outer;
    }

    fn visit_statement(&mut self, statement: &'flat Statement) {
        self.found.push((statement.site, self.next));
        let outer = std::mem::replace(&mut self.site, statement.site);
        walk_statement(self, statement);
        self.site = outer;
        self.next.index += 1;
    }

    fn visit_operation(&mut self, operation: &'flat Operation) {
        if matches!(operation, Operation::Fun(_)) {
            let fun = Callable::Fun(self.site);
            self.within(fun, |finder| walk_operation(finder, operation));
        } else {
            walk_operation(self, operation);
        }
    }

    fn visit_local_function(&mut self, local: &'flat LocalFunction) {
        let callable = Callable::Local(self.site, local.id);
        self.within(callable, |finder| finder.visit_fun(&local.fun));
    }
}
