//! Checks what the passes promise. Each function returns the broken promises in words.

mod flat;
mod names;
#[cfg(test)]
mod tests;

pub use flat::flat;
pub use names::unique_variables;

use crate::ast::deep;
use crate::flat::{BlockId, Function, Module};

/// After numbering: sites are dense and in source order.
pub fn numbered(module: &Module) -> Vec<String> {
    let mut next = 0;
    let mut broken = Vec::new();
    for function in &module.functions {
        check_numbers(function, function.fun.body, &mut next, &mut broken);
    }
    if next != module.site_count {
        broken.push(format!(
            "{next} sites, but the module says {}",
            module.site_count
        ));
    }
    broken
}

fn check_numbers(function: &Function, id: BlockId, next: &mut u32, broken: &mut Vec<String>) {
    for statement in &function.block(id).statements {
        if statement.site.0 != *next {
            broken.push(format!(
                "{}: site {:?} should be {next}",
                function.id, statement.site
            ));
        }
        *next += 1;
        for nested in statement.operation.nested_blocks() {
            deep(|| check_numbers(function, nested, next, broken));
        }
    }
}
