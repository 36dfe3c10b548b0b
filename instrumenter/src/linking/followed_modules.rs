//! The modules of OTP that are followed by default.

use erlang_term::Atom;

/// Each with the reason why. All of them are pure, or nearly so. Users' code often calls them, and
/// their branches decide what happens.
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

/// The names of the followed modules of OTP.
pub fn followed_modules() -> impl Iterator<Item = &'static str> {
    FOLLOWED.iter().map(|(name, _)| *name)
}

/// Whether calls into a module of OTP are followed.
pub fn is_followed(module: &Atom) -> bool {
    followed_modules().any(|name| name == module.as_str())
}
