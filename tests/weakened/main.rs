//! The command `erlconcolic` without one of the rules by which it tells states apart. Its name is in
//! the variable `WITHOUT_RULE`.

use std::env;
use std::process::ExitCode;

use trace_engine::{ViewRule, leave_out};

#[global_allocator]
static ALLOCATOR: erlconcolic::Allocator = erlconcolic::Allocator;

fn main() -> ExitCode {
    ALLOCATOR.keep_freed_memory();
    if let Ok(name) = env::var("WITHOUT_RULE") {
        let rule = ViewRule::ALL.iter().find(|rule| rule.name() == name);
        leave_out(*rule.unwrap_or_else(|| panic!("there is no rule `{name}`")));
    }
    erlconcolic::run()
}
