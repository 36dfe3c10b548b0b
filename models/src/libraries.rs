//! The modules of OTP that are followed by default.

use crate::elixir_libraries::is_followed_elixir;

/// A module that is followed.
#[derive(Clone, Copy, Debug)]
pub struct FollowedModule {
    /// Its name.
    pub name: &'static str,
    /// Which code is followed.
    pub form: Form,
    /// Which of its functions are needed.
    pub use_of: UseOfModule,
    /// Why it is followed.
    pub reason: &'static str,
}

/// How a program comes to the functions of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UseOfModule {
    /// By calls and funs that name them.
    ByCalls,
    /// Also by names that only a run knows: a process starts with them, or a behaviour calls them.
    ByNames,
}

/// The code of a module that is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The code that comes with OTP.
    Original,
    /// A model in Erlang, in `erlang-support/models`: a simpler form of the module.
    ErlangModel,
}

/// All of them. Most are pure, or nearly so, and user code is full of calls to them whose branches
/// decide what happens. Behaviours call user code.
pub const FOLLOWED_MODULES: &[FollowedModule] = &[
    original("array", "a data structure in plain Erlang"),
    original("base64", "encodes and decodes; takes input apart"),
    model("binary", "takes bytes apart"),
    original("calendar", "arithmetic with many branches on dates"),
    original("dict", "a data structure in plain Erlang"),
    original("digraph_utils", "algorithms in plain Erlang"),
    model("erlang", "requests for processes; the rest is built in"),
    model("error_logger", "writes to a log"),
    model("ets", "folds; what is built in has rules of its own"),
    original("gb_sets", "a data structure in plain Erlang"),
    original("gb_trees", "a data structure in plain Erlang"),
    behaviour("gen", "starts and calls processes of behaviours"),
    behaviour("gen_event", "calls handlers"),
    behaviour("gen_server", "calls the callbacks of servers"),
    behaviour("gen_statem", "calls the callbacks of state machines"),
    model("inet", "reads addresses; the rest is about sockets"),
    original("inet_parse", "reads addresses"),
    original("io_lib", "makes text of values"),
    model("io_lib_format", "does the work of io_lib"),
    original("io_lib_pretty", "does the work of io_lib for ~p"),
    original("lists", "nearly every program's loops"),
    model("logger", "writes to a log; behaviours log what ends them"),
    original("maps", "folds and updates; the rest is built in"),
    model("math", "exact results; the rest is built in"),
    original("orddict", "a data structure in plain Erlang"),
    original("ordsets", "a data structure in plain Erlang"),
    behaviour("proc_lib", "starts the processes of behaviours"),
    original("proplists", "takes options apart"),
    original("queue", "a data structure in plain Erlang"),
    model("re", "takes text apart; built into the BEAM"),
    original("sets", "a data structure in plain Erlang"),
    original("string", "takes text apart"),
    behaviour("supervisor", "starts processes and starts them again"),
    behaviour(
        "sys",
        "behaviours ask it for options and hand system messages to it",
    ),
    model("timer", "timers, without the server of the real module"),
    model("unicode", "string needs it"),
    model("unicode_util", "string needs it"),
];

/// Whether calls into a module of OTP or of Elixir are followed.
pub fn is_followed(module: &str) -> bool {
    FOLLOWED_MODULES.iter().any(|known| known.name == module) || is_followed_elixir(module)
}

/// Whether functions of a module are reached by names that only a run knows.
pub fn is_reached_by_names(module: &str) -> bool {
    let mut known = FOLLOWED_MODULES.iter().filter(|it| it.name == module);
    known.any(|it| it.use_of == UseOfModule::ByNames)
}

const fn original(name: &'static str, reason: &'static str) -> FollowedModule {
    followed(name, Form::Original, UseOfModule::ByCalls, reason)
}

const fn behaviour(name: &'static str, reason: &'static str) -> FollowedModule {
    followed(name, Form::Original, UseOfModule::ByNames, reason)
}

const fn model(name: &'static str, reason: &'static str) -> FollowedModule {
    followed(name, Form::ErlangModel, UseOfModule::ByCalls, reason)
}

const fn followed(
    name: &'static str,
    form: Form,
    use_of: UseOfModule,
    reason: &'static str,
) -> FollowedModule {
    FollowedModule {
        name,
        form,
        use_of,
        reason,
    }
}
