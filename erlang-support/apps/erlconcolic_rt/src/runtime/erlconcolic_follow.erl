%%% The followed functions: functions of instrumented modules that can be called
%%% by a name computed at run time. Instrumented code is loaded under a name of
%%% its own, so that the original stays in place.
-module(erlconcolic_follow).

-export([follow/1, function/3, is_followed/1, original/1]).

-export_type([request/0, target/0]).

-type request() ::
    #{name := module(),
      loaded_as := module(),
      number := non_neg_integer(),
      functions := [{Name :: atom(), arity(), Mangled :: atom(),
                     Callable :: non_neg_integer()}]}.

%% The function to call instead, and its numbers in the log.
-type target() ::
    {LoadedAs :: module(), Mangled :: atom(), ModuleNumber :: non_neg_integer(),
     Callable :: non_neg_integer()}.

-type registry() ::
    {Functions :: #{mfa() => target()},
     Originals :: #{LoadedAs :: module() => module()}}.

-define(KEY, ?MODULE).

%% Replaces the functions followed before.
-spec follow([request()]) -> ok.
follow(Requests) ->
    Functions = [{{Name, Function, Arity}, {Loaded, Mangled, Number, Callable}}
                 || #{name := Name, loaded_as := Loaded, number := Number,
                      functions := Functions} <- Requests,
                    {Function, Arity, Mangled, Callable} <- Functions],
    Originals = [{Loaded, Name}
                 || #{name := Name, loaded_as := Loaded} <- Requests],
    persistent_term:put(?KEY, {maps:from_list(Functions),
                               maps:from_list(Originals)}).

-spec function(term(), term(), arity()) -> target() | none.
function(Module, Function, Arity) ->
    {Functions, _} = registry(),
    case Functions of
        #{{Module, Function, Arity} := Target} -> Target;
        #{} -> none
    end.

%% Whether instrumented code is loaded under this name.
-spec is_followed(module()) -> boolean().
is_followed(LoadedAs) ->
    {_, Originals} = registry(),
    is_map_key(LoadedAs, Originals).

%% The module whose instrumented code is loaded under this name.
-spec original(term()) -> module() | none.
original(LoadedAs) ->
    case registry() of
        {_, #{LoadedAs := Original}} -> Original;
        _ -> none
    end.

-spec registry() -> registry().
registry() ->
    persistent_term:get(?KEY, {#{}, #{}}).
