%% Programs whose outcome is hard to report.
-module(hostile_results).
-export([raises_in_after/0, raises_in_catch/0, exits_normally/0, throws/0,
         returns_fun/0, returns_local_fun/0, returns_pid/0, returns_port/0,
         returns_reference/0, returns_many/0, returns_improper/0,
         returns_integer/0, returns_floats/0, raises_fun/0, raises_stack/0,
         returns_own_words/0, raises_own_words/0, returns_binary/0]).

raises_in_after() -> try error(first) after error(second) end.
raises_in_catch() -> try error(first) catch error:first -> exit(second) end.
exits_normally() -> exit(normal).
throws() -> throw({ball, self()}).
returns_fun() -> fun lists:sum/1.
returns_local_fun() -> X = self(), fun() -> X end.
returns_pid() -> self().
returns_port() -> hd(erlang:ports()).
returns_reference() -> make_ref().
returns_many() -> #{self() => [make_ref(), fun(X) -> X end], {port} => hd(erlang:ports())}.
returns_improper() -> [a, self() | b].
returns_integer() -> 1 bsl 1000.
returns_floats() -> [0.0, -0.0, 1.0e308, -1.0e-308, 1.7976931348623157e308].
raises_fun() -> error(fun() -> ok end).
raises_stack() -> erlang:raise(error, reason, [nonsense]).
returns_own_words() -> {erlconcolic_outcome, self(), {ok, <<"text">>}}.
raises_own_words() -> exit({blocked, {erlang, halt, 0}}).
returns_binary() -> <<255, 254, 0:3>>.
