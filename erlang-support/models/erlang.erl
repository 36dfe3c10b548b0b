%% A request for a process of this node is a spawn with an answer.
-module(erlang).
-compile({no_auto_import, [spawn_request/1, spawn_request/2, spawn_request/3,
                           spawn_request/4]}).
-export([spawn_request/1, spawn_request/2, spawn_request/3, spawn_request/4]).

spawn_request(Fun) ->
    spawn_request(Fun, []).

spawn_request(Fun, Options) when is_function(Fun, 0), is_list(Options) ->
    answered(spawn_opt(Fun, for_spawn(Options)), Options);
spawn_request(Node, Fun) ->
    erlang:spawn_request(Node, Fun).

spawn_request(Module, Function, Args)
  when is_atom(Module), is_atom(Function), is_list(Args) ->
    spawn_request(Module, Function, Args, []);
spawn_request(Node, Fun, Options) ->
    erlang:spawn_request(Node, Fun, Options).

spawn_request(Module, Function, Args, Options)
  when is_atom(Module), is_atom(Function), is_list(Args), is_list(Options) ->
    answered(spawn_opt(Module, Function, Args, for_spawn(Options)), Options);
spawn_request(Node, Module, Function, Args) ->
    erlang:spawn_request(Node, Module, Function, Args).

for_spawn(Options) ->
    [Option || Option <- Options, not is_about_answer(Option)].

is_about_answer({reply_tag, _}) -> true;
is_about_answer({reply, _}) -> true;
is_about_answer(_) -> false.

answered({Pid, Monitor}, Options) -> answered(Pid, Monitor, Options);
answered(Pid, Options) -> answered(Pid, make_ref(), Options).

answered(Pid, Reference, Options) ->
    _ = case option(reply, Options, yes) of
            no -> ok;
            error_only -> ok;
            _ -> self() ! {option(reply_tag, Options, spawn_reply), Reference,
                           ok, Pid}
        end,
    Reference.

option(Name, Options, Default) ->
    case lists:keyfind(Name, 1, Options) of
        {_, Value} -> Value;
        false -> Default
    end.
