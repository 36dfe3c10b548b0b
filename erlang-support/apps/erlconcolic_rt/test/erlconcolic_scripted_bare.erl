%%% Like erlconcolic_scripted, without the callbacks that may be missing.
-module(erlconcolic_scripted_bare).

-export([init/1, handle_call/3, handle_cast/2, callback_mode/0,
         handle_event/4, a/3, b/3, c/3]).

init(Script) -> erlconcolic_script:run(?MODULE, init, [Script]).

handle_call(Request, From, State) ->
    erlconcolic_script:run(?MODULE, handle_call, [Request, From, State]).

handle_cast(Request, State) ->
    erlconcolic_script:run(?MODULE, handle_cast, [Request, State]).

callback_mode() -> erlconcolic_script:mode(?MODULE).

handle_event(Type, Content, State, Data) ->
    erlconcolic_script:run(?MODULE, handle_event, [Type, Content, State, Data]).

a(Type, Content, Data) ->
    erlconcolic_script:run(?MODULE, a, [Type, Content, Data]).

b(Type, Content, Data) ->
    erlconcolic_script:run(?MODULE, b, [Type, Content, Data]).

c(Type, Content, Data) ->
    erlconcolic_script:run(?MODULE, c, [Type, Content, Data]).
