//! From files to modules: finds sources, compiles them, and reads their specs.

pub(crate) mod broken_source;
pub(crate) mod cache;
pub(crate) mod call_specs;
mod compiler_errors;
mod core_text;
pub(crate) mod finding;
pub mod front_end;
mod loaded_module;
pub mod specs;
pub(crate) mod surroundings;
