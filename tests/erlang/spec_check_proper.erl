%% PropEr's checker of types, for `spec_check'.
-module(spec_check_proper).

-export([type/2, verdict/2]).

-type form() :: random_types:type().
-type type() :: {module(), form()} | unchecked.
-type name() :: {module(), atom(), arity()} | {module(), atom()}.

%% PropEr treats these as its own types in every module.
-define(TAKEN,
        [{array, 0}, {array, 1}, {dict, 0}, {dict, 2}, {gb_set, 0},
         {gb_set, 1}, {gb_tree, 0}, {gb_tree, 2}, {orddict, 2}, {ordset, 1},
         {queue, 0}, {queue, 1}, {set, 0}, {set, 1}]).

-spec type(form(), module()) -> type().
type(Form, Module) ->
    case knows(Module) orelse restarted() andalso knows(Module) of
        true -> without_mistakes(Form, Module);
        false -> unchecked
    end.

%% The checker asks a server about named types, which must know the module. The
%% server crashes at modules that use maps.
-spec knows(module()) -> boolean().
knows(Module) ->
    try proper_typeserver:translate_type({Module, "integer()"}) of
        {ok, _} -> true;
        {error, _} -> false
    catch
        _:_ -> false
    end.

-spec restarted() -> boolean().
restarted() ->
    ok = logger:set_primary_config(level, none),
    _ = process_flag(trap_exit, true),
    case code:ensure_loaded(proper_typeserver) of
        {module, _} -> ok =:= proper_typeserver:restart();
        {error, _} -> false
    end.

%% It throws, or fails in other ways, at unknown types.
-spec verdict(term(), type()) -> spec_check:verdict().
verdict(_Term, unchecked) ->
    unchecked;
verdict(Term, {Module, Form}) ->
    try proper_typeserver:is_instance(Term, Module, Form) of
        true -> inside;
        false -> outside
    catch
        _:_ -> unchecked
    end.

-spec without_mistakes(form(), module()) -> type().
without_mistakes(Form, Module) ->
    try walk(Form, Module, #{}) of
        _ -> {Module, Form}
    catch
        mistaken -> unchecked
    end.

%% Throws if a form refers to a type that PropEr would confuse.
-spec walk(term(), module(), Seen) -> Seen when Seen :: #{name() => []}.
walk({char, _, _}, _Module, _Seen) ->
    throw(mistaken);
walk({user_type, _, Name, Arguments}, Module, Seen) ->
    named(Module, Name, Arguments, walk(Arguments, Module, Seen));
walk({remote_type, _, [{atom, _, Other}, {atom, _, Name}, Arguments]}, Module,
     Seen) ->
    named(Other, Name, Arguments, walk(Arguments, Module, Seen));
walk({type, _, record, [{atom, _, Name} | Fields]}, Module, Seen) ->
    Declared = random_types:record(Module, Name),
    once({Module, Name}, Declared, Module, walk(Fields, Module, Seen));
walk(Form, Module, Seen) when is_tuple(Form) ->
    walk(tuple_to_list(Form), Module, Seen);
walk([Form | Forms], Module, Seen) ->
    walk(Forms, Module, walk(Form, Module, Seen));
walk(_Other, _Module, Seen) ->
    Seen.

-spec named(module(), atom(), [form()], Seen) -> Seen
    when Seen :: #{name() => []}.
named(Module, Name, Arguments, Seen) ->
    Arity = length(Arguments),
    case lists:member({Name, Arity}, ?TAKEN) of
        true ->
            throw(mistaken);
        false ->
            Declared = random_types:type(Module, Name, Arity),
            once({Module, Name, Arity}, Declared, Module, Seen)
    end.

-spec once(name(), term(), module(), Seen) -> Seen
    when Seen :: #{name() => []}.
once(Name, _Form, _Module, Seen) when is_map_key(Name, Seen) ->
    Seen;
once(Name, Form, Module, Seen) ->
    walk(Form, Module, Seen#{Name => []}).
