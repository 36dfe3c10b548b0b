%% Random calls for logged runs, one by one.
-module(random_logs).

-export([write/3, call/3]).

%% Writes the first calls of each function of a calls file, as
%% `[{Module, Name, Arity, [Arguments]}]' with arguments in external format,
%% which only the node that makes the call has to decode.
-spec write(file:filename(), file:filename(), pos_integer()) -> ok.
write(CallsFile, File, Count) ->
    {ok, Binary} = file:read_file(CallsFile),
    #{calls := Calls} = binary_to_term(Binary),
    List = [{Module, Name, Arity,
             [term_to_binary(Arguments)
              || Arguments <- lists:sublist(Lists, Count)]}
            || {{Module, Name, Arity}, Lists} <- Calls],
    file:write_file(File, term_to_binary(List)).

%% Makes such a call.
-spec call(module(), atom(), binary()) -> term().
call(Module, Name, Arguments) ->
    apply(Module, Name, random_evaluation:resolve(binary_to_term(Arguments))).
