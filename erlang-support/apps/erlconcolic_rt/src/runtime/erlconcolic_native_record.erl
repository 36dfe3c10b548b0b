%%% Makes and reads native records in instrumented code, where functions of the
%%% module `records', which OTP 29 has, do something else.
-module(erlconcolic_native_record).

-export([create/3, read/2]).

-spec read(atom(), term()) -> term().
read(Key, Record) ->
    try apply(records, get, [Key, Record])
    catch
        error:badarg ->
            Id = {apply(records, get_module, [Record]),
                  apply(records, get_name, [Record])},
            error({badfield, {Id, Key}})
    end.

%% With the defaults of the module that declares it.
-spec create(module(), atom(), [{atom(), term()}]) -> term().
create(Module, Name, Pairs) ->
    {Options, Fields} = apply(records, get_definition, [Module, Name]),
    Values = [value(Field, Pairs) || Field <- Fields],
    apply(records, create, [Module, Name, Values, Options]).

-spec value({atom(), term()} | atom(), [{atom(), term()}]) ->
    {atom(), term()}.
value({Key, Default}, Pairs) ->
    {Key, proplists:get_value(Key, Pairs, Default)};
value(Key, Pairs) ->
    case lists:keyfind(Key, 1, Pairs) of
        {Key, Value} -> {Key, Value};
        false -> error({novalue, Key})
    end.
