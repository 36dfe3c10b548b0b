%%% Emitters that are three times as fast: the same functions as in
%%% erlconcolic_emit, but they change the one-tuple with the packed bytes in
%%% place. They use the instruction `set_tuple_element', which the compiler used
%%% for records and which Erlang code cannot express.
%%%
%%% That is safe because nobody else holds that tuple, it is never a literal
%%% (erlconcolic_log makes it at run time), and it only holds small integers,
%%% which the garbage collector need not know about.
%%%
%%% If the assembler or the loader does not know the instruction, or the result
%%% does not work, erlconcolic_emit stays as it is.
-module(erlconcolic_emit_fast).

-include("erlconcolic_keys.hrl").

-export([install/0, install/1]).

%% The label of place/2.
-define(PLACE, 2).

%% Replaces erlconcolic_emit, once.
-spec install() -> installed | not_possible.
install() ->
    case persistent_term:get(?MODULE, undefined) of
        undefined ->
            Result = install(beam_asm),
            persistent_term:put(?MODULE, Result),
            Result;
        Result ->
            Result
    end.

%% The same with another assembler, and not only once.
-spec install(Assembler :: module()) -> installed | not_possible.
install(Assembler) ->
    Trial = erlconcolic_emit_trial,
    try
        ok = load(Trial, Assembler),
        ok = in_process(fun() -> check(Trial) end),
        ok = load(erlconcolic_emit, Assembler),
        installed
    catch
        _:_ -> not_possible
    end.

-spec load(module(), Assembler :: module()) -> ok.
load(Module, Assembler) ->
    Functions = [function(Module, Name, Bytes)
                 || {Name, Bytes} <- [{out, 1}, {out2, 2}, {out3, 3},
                                      {out4, 4}]],
    All = [place(Module) | Functions],
    Exports = [{Name, Arity} || {function, Name, Arity, _, _} <- All],
    Code = {Module, Exports, [], All, 4 + 3 * length(Functions)},
    {ok, Beam} = Assembler:module(Code, [], [], []),
    {module, Module} = code:load_binary(Module, atom_to_list(Module), Beam),
    _ = code:purge(Module),
    ok.

%% Name(Bytes, Value) in the instructions that the compiler makes, but for
%% `set_tuple_element'.
-spec function(module(), atom(), 1..4) ->
    {function, atom(), 2, pos_integer(), [term()]}.
function(Module, Name, Bytes) ->
    Info = 1 + 3 * Bytes,
    Start = Info + 1,
    Slow = Info + 2,
    Room = 4 bsl (8 * (7 - Bytes)),
    {function, Name, 2, Start,
     [{label, Info},
      {line, []},
      {func_info, {atom, Module}, {atom, Name}, 2},
      {label, Start},
      {bif, get, {f, 0}, [{atom, ?PACKED}], {x, 2}},
      {test, is_tuple, {f, Slow}, [{x, 2}]},
      {test, test_arity, {f, Slow}, [{x, 2}, 1]},
      {get_tuple_element, {x, 2}, 0, {x, 3}},
      {test, is_lt, {f, Slow}, [{x, 3}, {integer, Room}]},
      {gc_bif, '*', {f, 0}, 4, [{x, 3}, {integer, 1 bsl (8 * Bytes)}], {x, 3}},
      {gc_bif, '+', {f, 0}, 4, [{x, 3}, {x, 0}], {x, 0}},
      {set_tuple_element, {x, 0}, {x, 2}, 0},
      {move, {x, 1}, {x, 0}},
      return,
      {label, Slow},
      {allocate, 1, 3},
      {move, {x, 1}, {y, 0}},
      {move, {x, 0}, {x, 1}},
      {move, {x, 2}, {x, 0}},
      {move, {integer, 8 * Bytes}, {x, 2}},
      {call_ext, 3, {extfunc, erlconcolic_log, spill, 3}},
      {move, {y, 0}, {x, 1}},
      {call_last, 2, {f, ?PLACE}, 1}]}.

-spec place(module()) -> {function, place, 2, pos_integer(), [term()]}.
place(Module) ->
    {function, place, 2, ?PLACE,
     [{label, 1},
      {line, []},
      {func_info, {atom, Module}, {atom, place}, 2},
      {label, ?PLACE},
      {test, is_integer, {f, 3}, [{x, 0}]},
      {bif, get, {f, 0}, [{atom, ?PACKED}], {x, 2}},
      {set_tuple_element, {x, 0}, {x, 2}, 0},
      {label, 3},
      {move, {x, 1}, {x, 0}},
      return]}.

%% Checks that the functions change the state in place, also after garbage
%% collections.
-spec check(module()) -> ok.
check(Module) ->
    put(?PACKED, erlang:make_tuple(1, 2)),
    true = erlang:garbage_collect(),
    true = erlang:garbage_collect(),
    value = Module:out(5, value),
    value = Module:out2(16#0607, value),
    value = Module:out3(16#08090a, value),
    {16#20506_0708090a} = get(?PACKED),
    true = erlang:garbage_collect(),
    {16#20506_0708090a} = get(?PACKED),
    value = Module:place(3, value),
    {3} = get(?PACKED),
    value = Module:place(done, value),
    {3} = get(?PACKED),
    put(?PACKED, off),
    value = Module:out4(1, value),
    ok.

-spec in_process(fun(() -> ok)) -> ok.
in_process(Check) ->
    Self = self(),
    {Pid, Monitor} = spawn_monitor(fun() -> Self ! {self(), Check()} end),
    receive
        {Pid, Result} ->
            true = demonitor(Monitor, [flush]),
            Result;
        {'DOWN', Monitor, process, Pid, Reason} ->
            error(Reason)
    end.
