//! Numbers the sites of a module from 0, in the order in which they stand in the program.
//!
//! On entry: any flat module. On exit: site numbers are dense, and grow from one statement to the
//! next, into nested blocks before the statement that follows.

use crate::flat::visit::change_statements;
use crate::flat::{Module, SiteId};

/// Numbers the sites of a module.
pub fn run(mut module: Module) -> Module {
    let mut next = 0;
    for function in &mut module.functions {
        change_statements(function, &mut |statement| {
            statement.site = SiteId::next(next);
            next += 1;
        });
    }
    module.site_count = SiteId::next(next).0;
    module
}
