%%% Calls of foreign functions that hide the runtime from the program: built-ins
%%% that could show our keys in the process dictionary, or the bodies of
%%% instrumented functions, return what they would return without them.
-module(erlconcolic_disguise).

-include("erlconcolic_keys.hrl").

-export([call/3]).

%% A program may use the names of our keys; its values are kept under these.
-define(PROGRAM(Key), {'$erlconcolic_program', Key}).

-spec call(module(), atom(), [term()]) -> term().
call(erlang, get, []) ->
    visible(get());
call(erlang, get, [Key]) ->
    get(kept_as(Key));
call(erlang, put, [Key, Value]) ->
    put(kept_as(Key), Value);
call(erlang, erase, [Key]) ->
    erase(kept_as(Key));
call(erlang, get_keys, []) ->
    [shown_as(Key) || Key <- get_keys(), not is_ours(Key)];
call(erlang, get_keys, [Value]) ->
    [shown_as(Key) || Key <- get_keys(Value), not is_ours(Key)];
call(erlang, erase, []) ->
    [{Key, erase(kept_as(Key))} || {Key, _} <- visible(get())];
call(erlang, process_info, Args) ->
    visible_info(erlang:apply(erlang, process_info, Args));
call(erlang, get_module_info, [Module]) ->
    [{Item, without_bodies(Module, Item, Value)}
     || {Item, Value} <- erlconcolic_alias:call(erlang, get_module_info,
                                                [Module])];
call(erlang, get_module_info, [Module, Item]) ->
    Value = erlconcolic_alias:call(erlang, get_module_info, [Module, Item]),
    without_bodies(Module, Item, Value);
call(erlang, apply, [Fun, Args]) ->
    erlang:apply(Fun, Args);
call(erlang, apply, [Module, Function, Args]) ->
    erlang:apply(Module, Function, Args);
call(Module, Function, Args) ->
    case erlconcolic_alias:are_used()
        andalso (erlconcolic_alias:names_a_module(Module, Function)
                 orelse is_replaced(Module, Function, Args)) of
        true -> erlconcolic_alias:call(Module, Function, Args);
        false -> erlang:apply(Module, Function, Args)
    end.

%% Whether code of the user that is not instrumented takes the place of this
%% module. Instrumented code only calls a function that is followed here if it
%% means the one of OTP.
-spec is_replaced(term(), term(), [term()]) -> boolean().
is_replaced(Module, Function, Args) ->
    erlconcolic_alias:has_alias(Module)
        andalso erlconcolic_follow:function(Module, Function, length(Args))
        =:= none.

%% The functions of a module as they are without instrumentation. Some have only
%% a body.
-spec without_bodies(module(), atom(), term()) -> term().
without_bodies(Module, Item, Functions)
  when Item =:= exports; Item =:= functions ->
    case erlconcolic_follow:is_followed(erlconcolic_alias:loaded_as(Module)) of
        true ->
            Named = [Function || {Name, _} = Function <- Functions,
                                 hd(atom_to_list(Name)) =/= $@],
            Named ++ (originals(Item, Functions) -- Named);
        false ->
            Functions
    end;
without_bodies(_Module, _Item, Value) ->
    Value.

-spec originals(exports | functions, [{atom(), arity()}]) ->
    [{atom(), arity()}].
originals(exports, _Functions) ->
    [];
originals(functions, Functions) ->
    [{Original, Arity}
     || {Name, Arity} <- Functions,
        {ok, Original} <- [erlconcolic_names:body_of(Name)]].

-spec visible_info(term()) -> term().
visible_info({dictionary, Dictionary}) -> {dictionary, visible(Dictionary)};
visible_info(Infos) when is_list(Infos) -> lists:map(fun visible_info/1, Infos);
visible_info(Info) -> Info.

-spec visible([{term(), term()}]) -> [{term(), term()}].
visible(Dictionary) ->
    [{shown_as(Key), Value} || {Key, Value} <- Dictionary, not is_ours(Key)].

-spec kept_as(term()) -> term().
kept_as(Key) ->
    case is_ours(Key) of
        true -> ?PROGRAM(Key);
        false -> Key
    end.

-spec shown_as(term()) -> term().
shown_as(?PROGRAM(Key)) -> Key;
shown_as(Key) -> Key.

-spec is_ours(term()) -> boolean().
is_ours(?PACKED) -> true;
is_ours(?LOG) -> true;
is_ours(?OUTSIDE) -> true;
is_ours(?RUN) -> true;
is_ours(?LEASE) -> true;
is_ours(?MEMBER) -> true;
is_ours(?WATCH) -> true;
is_ours(?MARKS) -> true;
is_ours(?PATTERNS) -> true;
is_ours(_) -> false.
