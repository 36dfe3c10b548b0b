//! Checks the promises of the passes. Each function returns the broken promises in words.

mod scopes;
#[cfg(test)]
mod tests;
mod unique_names;
mod value_counts;

use std::collections::HashSet;

pub use unique_names::unique_variables;

use self::scopes::broken_scopes;
use self::value_counts::broken_counts;
use crate::flat::visit::{Visitor, walk_statement};
use crate::flat::{Function, FunctionId, Module, Statement};

/// After flattening: each variable is bound once, before it is used and where it can be seen;
/// each block and each local function belongs to one place; names are unique; functions that are
/// called or exported exist; everything gives as many values as its place takes.
///
/// That arguments are variables or literals and that calls stand on the right of a `let` needs
/// no check: the types of the flat form allow nothing else.
pub fn flat(module: &Module) -> Vec<String> {
    let functions = module.functions.iter().map(|function| &function.id);
    let functions: HashSet<&FunctionId> = functions.collect();
    let exports = module.exports.iter();
    let mut broken: Vec<String> = exports
        .filter(|export| !functions.contains(export))
        .map(|export| format!("{export} is exported but not defined"))
        .collect();
    for function in &module.functions {
        let complaints = broken_scopes(function, &functions).into_iter();
        let complaints = complaints.chain(broken_counts(function));
        broken.extend(complaints.map(|text| format!("{}: {text}", function.id)));
    }
    broken
}

/// After numbering: sites are dense and in source order.
pub fn numbered(module: &Module) -> Vec<String> {
    let mut next = 0;
    let mut broken = Vec::new();
    for function in &module.functions {
        let mut checker = SiteChecker {
            function,
            next,
            broken: &mut broken,
        };
        checker.visit_fun(&function.fun);
        next = checker.next;
    }
    if next != module.site_count {
        broken.push(format!(
            "{next} sites, but the module says {}",
            module.site_count
        ));
    }
    broken
}

struct SiteChecker<'flat> {
    function: &'flat Function,
    /// The next number.
    next: u32,
    broken: &'flat mut Vec<String>,
}

impl<'flat> Visitor<'flat> for SiteChecker<'flat> {
    fn function(&self) -> &'flat Function {
        self.function
    }

    fn visit_statement(&mut self, statement: &'flat Statement) {
        if statement.site.0 != self.next {
            self.broken.push(format!(
                "{}: site {:?} should be {}",
                self.function.id, statement.site, self.next
            ));
        }
        self.next += 1;
        walk_statement(self, statement);
    }
}
