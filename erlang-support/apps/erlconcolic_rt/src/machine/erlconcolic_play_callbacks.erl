%%% The callback modules of a gen_statem that is played: a stack, of which the
%%% first one is called, and what its callback_mode/0 returned.
-module(erlconcolic_play_callbacks).

-export([new/1, change/2, push/2, has_one/1, pop/1, wants_enter/1, call/5,
         terminate/4]).

-export_type([callbacks/0, failure/0]).

-type mode() :: state_functions | handle_event_function.

-opaque callbacks() :: {Modules :: [module(), ...], mode(),
                        Enter :: boolean()}.

%% How a machine fails; without a stack it is the behaviour that does.
-type failure() :: {error | exit, Reason :: term(),
                    none | erlconcolic_play:stack()}.

-spec new(Modules :: [module(), ...]) -> {ok, callbacks()} | failure().
new([Module | _] = Modules) ->
    try Module:callback_mode() of
        Mode -> with_mode(Mode, Modules)
    catch
        throw:Mode -> with_mode(Mode, Modules);
        Class:Reason:Stack -> {Class, Reason, Stack}
    end.

-spec with_mode(Mode :: term(), [module(), ...]) ->
          {ok, callbacks()} | failure().
with_mode(Mode, Modules) when is_list(Mode) ->
    with_mode(Mode, none, false, Mode, Modules);
with_mode(Mode, Modules) ->
    with_mode([Mode], none, false, Mode, Modules).

-spec with_mode([term()], none | mode(), Enter :: boolean(), All :: term(),
                [module(), ...]) -> {ok, callbacks()} | failure().
with_mode([state_enter | Rest], Mode, _Enter, All, Modules) ->
    with_mode(Rest, Mode, true, All, Modules);
with_mode([state_functions | Rest], _Mode, Enter, All, Modules) ->
    with_mode(Rest, state_functions, Enter, All, Modules);
with_mode([handle_event_function | Rest], _Mode, Enter, All, Modules) ->
    with_mode(Rest, handle_event_function, Enter, All, Modules);
with_mode([], Mode, Enter, _All, Modules) when Mode =/= none ->
    {ok, {Modules, Mode, Enter}};
with_mode(_, _Mode, _Enter, All, _Modules) ->
    {error, {bad_return_from_callback_mode, All}, none}.

-spec change(module(), callbacks()) -> {ok, callbacks()} | failure().
change(Module, {[_ | Modules], _, _}) -> new([Module | Modules]).

-spec push(module(), callbacks()) -> {ok, callbacks()} | failure().
push(Module, {Modules, _, _}) -> new([Module | Modules]).

-spec has_one(callbacks()) -> boolean().
has_one({[_], _, _}) -> true;
has_one({[_, _ | _], _, _}) -> false.

-spec pop(callbacks()) -> {ok, callbacks()} | failure().
pop({[_, Module | Modules], _, _}) -> new([Module | Modules]).

-spec wants_enter(callbacks()) -> boolean().
wants_enter({_, _, Enter}) -> Enter.

%% Calls the callback that handles an event, or an enter call.
-spec call(Type :: term(), Content :: term(), State :: term(), Data :: term(),
           callbacks()) -> erlconcolic_callback:tried().
call(Type, Content, State, Data, {[Module | _], state_functions, _}) ->
    erlconcolic_callback:tried(Module, State, [Type, Content, Data]);
call(Type, Content, State, Data, {[Module | _], handle_event_function, _}) ->
    Args = [Type, Content, State, Data],
    erlconcolic_callback:tried(Module, handle_event, Args).

%% Calls terminate/3, if there is one.
-spec terminate(Reason :: term(), State :: term(), Data :: term(),
                [module(), ...] | callbacks()) -> ok | failure().
terminate(Reason, State, Data, {Modules, _, _}) ->
    terminate(Reason, State, Data, Modules);
terminate(Reason, State, Data, [Module | _]) ->
    erlconcolic_callback:terminate(Module, [Reason, State, Data]).
