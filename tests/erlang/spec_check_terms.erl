%% Terms in a file, for `spec_check'. They may include funs, as expressions.
-module(spec_check_terms).

-export([read/1, results/1]).

%% Like file:consult/1, which does not support funs.
-spec read(file:filename()) -> [term()].
read(File) ->
    {ok, Bytes} = file:read_file(File),
    terms(unicode:characters_to_list(Bytes), {1, 1}).

-spec terms(string(), erl_anno:location()) -> [term()].
terms(Text, Location) ->
    case erl_scan:tokens([], Text, Location) of
        {done, {ok, Tokens, Next}, Rest} ->
            {ok, [Form]} = erl_parse:parse_exprs(Tokens),
            {value, Term, _} = erl_eval:expr(Form, []),
            [Term | terms(Rest, Next)];
        {done, {eof, _}, _} ->
            [];
        {more, _} ->
            []
    end.

%% All results of a fun in such a file; each clause ends with a term.
-spec results(fun()) -> [term()].
results(Fun) ->
    case erl_eval:fun_data(Fun) of
        {fun_data, _, Clauses} ->
            [element(2, erl_eval:expr(lists:last(Body), []))
             || {clause, _, _, _, Body} <- Clauses];
        false ->
            []
    end.
