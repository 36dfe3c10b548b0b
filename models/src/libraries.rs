//! The modules of OTP that are followed by default.

use crate::elixir_libraries::is_followed_elixir;

/// A module that is followed.
#[derive(Clone, Copy, Debug)]
pub struct FollowedModule {
    /// Its name.
    pub name: &'static str,
    /// Which code is followed.
    pub form: Form,
    /// Why it is followed.
    pub reason: &'static str,
}

/// The code of a module that is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The code that comes with OTP.
    Original,
    /// A model in Erlang, in `erlang-support/models`: a simpler form of the module.
    ErlangModel,
}

/// All of them. They are pure, or nearly so, and user code is full of calls to them whose branches
/// decide what happens.
pub const FOLLOWED_MODULES: &[FollowedModule] = &[
    original("array", "a data structure in plain Erlang"),
    original("base64", "encodes and decodes; takes input apart"),
    model("binary", "takes bytes apart"),
    original("calendar", "arithmetic with many branches on dates"),
    original("dict", "a data structure in plain Erlang"),
    original("digraph_utils", "algorithms in plain Erlang"),
    model("ets", "folds; what is built in has rules of its own"),
    original("gb_sets", "a data structure in plain Erlang"),
    original("gb_trees", "a data structure in plain Erlang"),
    original("io_lib", "makes text of values"),
    model("io_lib_format", "does the work of io_lib"),
    original("lists", "nearly every program's loops"),
    original("maps", "folds and updates; the rest is built in"),
    original("orddict", "a data structure in plain Erlang"),
    original("ordsets", "a data structure in plain Erlang"),
    original("proplists", "takes options apart"),
    original("queue", "a data structure in plain Erlang"),
    original("sets", "a data structure in plain Erlang"),
    original("string", "takes text apart"),
    model("unicode", "string needs it"),
    model("unicode_util", "string needs it"),
];

/// Whether calls into a module of OTP or of Elixir are followed.
pub fn is_followed(module: &str) -> bool {
    FOLLOWED_MODULES.iter().any(|known| known.name == module) || is_followed_elixir(module)
}

const fn original(name: &'static str, reason: &'static str) -> FollowedModule {
    let form = Form::Original;
    FollowedModule { name, form, reason }
}

const fn model(name: &'static str, reason: &'static str) -> FollowedModule {
    let form = Form::ErlangModel;
    FollowedModule { name, form, reason }
}
