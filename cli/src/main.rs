//! The command `erlconcolic`.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: erlconcolic::Allocator = erlconcolic::Allocator;

fn main() -> ExitCode {
    ALLOCATOR.keep_freed_memory();
    erlconcolic::run()
}
