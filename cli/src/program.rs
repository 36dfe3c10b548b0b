//! Programs to run: which function with which inputs, the instrumented code, and the original code.

pub(crate) mod build_folder;
pub(crate) mod call_code;
pub(crate) mod call_types;
pub(crate) mod callable;
pub(crate) mod calls;
pub(crate) mod contract;
pub(crate) mod core_names;
mod effects;
mod elixir_names;
pub(crate) mod entry;
pub mod instrumented;
pub(crate) mod library_models;
pub(crate) mod machine_types;
pub(crate) mod machines;
pub(crate) mod mailbox;
pub(crate) mod named_calls;
pub(crate) mod names;
pub(crate) mod needed_calls;
pub(crate) mod original_program;
pub(crate) mod plays;
pub(crate) mod recipe_builder;
pub(crate) mod recipe_grammar;
pub(crate) mod recipe_wrapper;
pub(crate) mod reference_builder;
pub(crate) mod renaming;
pub(crate) mod source_names;
pub(crate) mod target;
