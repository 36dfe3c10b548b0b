//! Numbers the sites of a module from 0, in the order in which they stand in the program.
//!
//! On entry: any flat module. On exit: site numbers are dense, and grow from one statement to the
//! next, into nested blocks before the statement that follows.

use crate::ast::deep;
use crate::flat::{BlockId, Function, Module, Operation, SiteId};

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
        for nested in nested_blocks(&statement.operation) {
            deep(|| number_block(function, nested, next));
        }
    }
    if let Some(block) = function.blocks.get_mut(id.index()) {
        block.statements = statements;
    }
}

/// The blocks inside an operation, in the order of the text.
pub(crate) fn nested_blocks(operation: &Operation) -> Vec<BlockId> {
    match operation {
        Operation::Values(_)
        | Operation::Apply { .. }
        | Operation::Call { .. }
        | Operation::Primop { .. }
        | Operation::Map { .. }
        | Operation::Binary(_) => Vec::new(),
        Operation::Fun(fun) => vec![fun.body],
        Operation::Case { clauses, .. } => clauses.iter().map(|clause| clause.body).collect(),
        Operation::Letrec { definitions, body } => definitions
            .iter()
            .map(|definition| definition.fun.body)
            .chain([*body])
            .collect(),
        Operation::Try {
            argument,
            body,
            handler,
            ..
        } => vec![*argument, *body, *handler],
        Operation::Catch(body) => vec![*body],
        Operation::Receive {
            clauses, action, ..
        } => clauses
            .iter()
            .map(|clause| clause.body)
            .chain([*action])
            .collect(),
    }
}
