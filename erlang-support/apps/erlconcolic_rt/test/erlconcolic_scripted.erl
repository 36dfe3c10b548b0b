%%% A machine that does what erlconcolic_script says, with all callbacks of a
%%% gen_server and of a gen_statem. The states of the latter are a, b and c.
-module(erlconcolic_scripted).

-export([init/1, handle_call/3, handle_cast/2, handle_info/2,
         handle_continue/2, terminate/2, terminate/3, callback_mode/0,
         handle_event/4, a/3, b/3, c/3]).

init(Script) -> erlconcolic_script:run(?MODULE, init, [Script]).

handle_call(Request, From, State) ->
    erlconcolic_script:run(?MODULE, handle_call, [Request, From, State]).

handle_cast(Request, State) ->
    erlconcolic_script:run(?MODULE, handle_cast, [Request, State]).

handle_info(Info, State) ->
    erlconcolic_script:run(?MODULE, handle_info, [Info, State]).

handle_continue(Continue, State) ->
    erlconcolic_script:run(?MODULE, handle_continue, [Continue, State]).

terminate(Reason, State) ->
    erlconcolic_script:run(?MODULE, terminate, [Reason, State]).

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
