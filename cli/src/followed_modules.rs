//! The modules of OTP that are followed by default.

/// Each with the reason why. All of them are pure, or nearly so, and users' code is full of calls
/// into them whose branches decide what happens.
const FOLLOWED: &[(&str, &str)] = &[
    ("array", "a data structure in plain Erlang"),
    ("base64", "encodes and decodes; takes input apart"),
    ("binary", "takes bytes apart; a model"),
    ("calendar", "arithmetic with many branches on dates"),
    ("dict", "a data structure in plain Erlang"),
    ("digraph_utils", "algorithms in plain Erlang"),
    ("gb_sets", "a data structure in plain Erlang"),
    ("gb_trees", "a data structure in plain Erlang"),
    ("io_lib", "makes text of values"),
    ("io_lib_format", "does the work of io_lib; a model"),
    ("lists", "nearly every program's loops"),
    ("maps", "folds and updates; the rest is built in"),
    ("orddict", "a data structure in plain Erlang"),
    ("ordsets", "a data structure in plain Erlang"),
    ("proplists", "options are taken apart with it"),
    ("queue", "a data structure in plain Erlang"),
    ("sets", "a data structure in plain Erlang"),
    ("string", "takes text apart"),
    ("unicode", "string needs it; a model"),
    ("unicode_util", "string needs it; a model"),
];

/// Modules that are followed in a simpler form (`erlang-support/models`), as Core Erlang.
const MODELS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/library_models.rs"));

/// The simpler form of a module of OTP, if there is one.
pub(crate) fn model(module: &str) -> Option<&'static str> {
    let mut models = MODELS.iter();
    models.find_map(|(name, text)| (*name == module).then_some(*text))
}

/// The modules that are followed by way of the code that Erlang comes with.
pub(crate) fn followed_as_they_are() -> impl Iterator<Item = &'static str> {
    let names = FOLLOWED.iter().map(|(name, _)| *name);
    names.filter(|name| model(name).is_none())
}

/// Whether calls into a module of OTP are followed.
pub(crate) fn is_followed(module: &str) -> bool {
    FOLLOWED.iter().any(|(name, _)| *name == module)
}
