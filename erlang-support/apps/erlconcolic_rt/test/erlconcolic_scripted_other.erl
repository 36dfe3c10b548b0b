%%% A second callback module for a scripted gen_statem.
-module(erlconcolic_scripted_other).

-export([terminate/3, callback_mode/0, handle_event/4, a/3, b/3, c/3]).

terminate(Reason, State, Data) ->
    erlconcolic_script:run(?MODULE, terminate, [Reason, State, Data]).

callback_mode() -> erlconcolic_script:mode(?MODULE).

handle_event(Type, Content, State, Data) ->
    erlconcolic_script:run(?MODULE, handle_event, [Type, Content, State, Data]).

a(Type, Content, Data) ->
    erlconcolic_script:run(?MODULE, a, [Type, Content, Data]).

b(Type, Content, Data) ->
    erlconcolic_script:run(?MODULE, b, [Type, Content, Data]).

c(Type, Content, Data) ->
    erlconcolic_script:run(?MODULE, c, [Type, Content, Data]).
