//! Numbers the sites of a module from 0, in the order in which they stand in the program.
//!
//! On entry: any flat module. On exit: site numbers are dense, and grow from one statement to the
//! next, into nested blocks before the statement that follows.

use crate::ast::deep;
use crate::flat::{BlockId, Function, Module, SiteId};

/// Numbers the sites of a module.
pub fn run(mut module: Module) -> Module {
    let mut next = 0;
    for function in &mut module.functions {
        number_block(function, function.fun.body, &mut next);
    }
    module.site_count = SiteId::next(next).0;
    module
}

fn number_block(function: &mut Function, id: BlockId, next: &mut usize) {
    let Some(block) = function.blocks.get_mut(id.index()) else {
        return;
    };
    let mut statements = std::mem::take(&mut block.statements);
    for statement in &mut statements {
        statement.site = SiteId::next(*next);
        *next += 1;
        for nested in statement.operation.nested_blocks() {
            deep(|| number_block(function, nested, next));
        }
    }
    if let Some(block) = function.blocks.get_mut(id.index()) {
        block.statements = statements;
    }
}
