//! The numbers of events, and which events a log holds.
//!
//! Numbers start again in every top-level function, so that most of them fit in a byte: the reader
//! of a log always knows in which function the program is. Number 0 announces a function that the
//! reader cannot foresee, 1 an exception of a built-in, 2 is the exit of the function itself;
//! the sites follow in order, each with as many numbers as it has kinds of events.

use flattener::flat::{Module, Operation, SiteId};
use serde::{Deserialize, Serialize};

/// Which events a log holds.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Wire {
    /// Every event, except for those after a tail call.
    Full,
    /// Only what cannot be derived from the program and the rest of the log.
    Lean,
}

/// The numbers of events, counted from the number of their site.
pub mod offset {
    /// A followed function is called, or a call raises that always raises.
    pub const CALL: u32 = 0;
    /// A call returned; with its value where the call is opaque.
    pub const RESULT: u32 = 1;
    /// An opaque call raised; with class and reason.
    pub const RAISED: u32 = 2;
    /// A value was bound.
    pub const BIND: u32 = 0;
    /// The fun made here returns.
    pub const FUN_EXIT: u32 = 1;
    /// A `case`, `letrec`, `try`, `catch` or `receive` has a value.
    pub const END: u32 = 0;
    /// The first clause was chosen; the others follow.
    pub const CLAUSE: u32 = 1;
    /// The first function of a `letrec` returns; the others follow.
    pub const LOCAL_EXIT: u32 = 1;
    /// A `try` or `catch` begins.
    pub const TRY: u32 = 1;
    /// The protected part of a `try` is left without an exception.
    pub const LEAVE: u32 = 2;
    /// An exception was caught.
    pub const CAUGHT: u32 = 3;
}

/// The number that announces a function: module, callable and perhaps arguments follow.
pub const ENTER: u32 = 0;
/// The number of an exception raised by a built-in: module, site, class and reason follow.
pub const RAISED: u32 = 1;
/// The number of a top-level function's exit.
pub const EXIT: u32 = 2;

/// The numbers of a module's events.
#[derive(Clone, Debug)]
pub struct Numbering {
    /// The first number of each site.
    first: Vec<u32>,
}

impl Numbering {
    pub(crate) fn new(module: &Module) -> Self {
        let mut first = vec![0; module.site_count as usize];
        for function in &module.functions {
            let mut widths: Vec<(SiteId, u32)> = function
                .blocks
                .iter()
                .flat_map(|block| &block.statements)
                .map(|statement| (statement.site, width(&statement.operation)))
                .collect();
            widths.sort_unstable();
            let mut next = EXIT + 1;
            for (site, width) in widths {
                if let Some(number) = first.get_mut(site.index()) {
                    *number = next;
                }
                next += width;
            }
        }
        Self { first }
    }

    /// The number of an event of a site.
    pub fn number(&self, site: SiteId, offset: u32) -> u32 {
        self.first
            .get(site.index())
            .map_or(0, |first| first + offset)
    }
}

fn width(operation: &Operation) -> u32 {
    let count = |items: usize| u32::try_from(items).unwrap_or(u32::MAX / 4);
    match operation {
        Operation::Values(_) | Operation::Map { .. } | Operation::Binary(_) => 1,
        Operation::Fun(_) => 2,
        Operation::Apply { .. } | Operation::Call { .. } | Operation::Primop { .. } => 3,
        Operation::Case { clauses, .. } => 1 + count(clauses.len()),
        Operation::Letrec { definitions, .. } => 1 + count(definitions.len()),
        Operation::Try { .. } | Operation::Catch(_) => 4,
        // The timeout is the last clause.
        Operation::Receive { clauses, .. } => 2 + count(clauses.len()),
    }
}
