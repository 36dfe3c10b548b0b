%%% The arguments of a run that a user wrote as Erlang or Elixir text.
-module(erlconcolic_entry).

-export([arguments/1, elixir_arguments/1]).

-type result() :: erlconcolic_jobs:result().

%% The list of arguments that a text denotes, encoded as erlconcolic_table_fun
%% says.
-spec arguments(binary()) -> result().
arguments(Text) ->
    case unicode:characters_to_list(Text) of
        Characters when is_list(Characters) -> scan(Characters);
        _ -> failed(0, "is not UTF-8 text")
    end.

%% The same for a text in Elixir.
-spec elixir_arguments(binary()) -> result().
elixir_arguments(Text) ->
    case erlconcolic_elixir_forms:read(Text) of
        {ok, Expression} -> normalise(Expression);
        {error, Reason} -> failed(0, Reason)
    end.

-spec scan(string()) -> result().
scan(Characters) ->
    case erl_scan:string(Characters, {1, 1}) of
        {ok, Tokens, {_, Column}} -> parse(without_dot(Tokens), Column);
        {error, {{_, Column}, Module, Error}, _} ->
            failed(Column, Module:format_error(Error))
    end.

%% The final dot is optional.
-spec without_dot([erl_scan:token()]) -> [erl_scan:token()].
without_dot(Tokens) ->
    lists:filter(fun(Token) -> element(1, Token) =/= dot end, Tokens).

-spec parse([erl_scan:token()], pos_integer()) -> result().
parse([], _Column) ->
    failed(0, "is empty");
parse(Tokens, Column) ->
    case erl_parse:parse_exprs(Tokens ++ [{dot, {1, Column}}]) of
        {ok, [Expression]} -> normalise(Expression);
        {ok, _} -> failed(0, "is more than one term");
        {error, {{_, At}, Module, Error}} ->
            failed(At, Module:format_error(Error))
    end.

-spec normalise(erl_parse:abstract_expr()) -> result().
normalise(Expression) ->
    case erlconcolic_term_reader:read(Expression) of
        {ok, List} when length(List) >= 0 -> {ok, List};
        {ok, _} -> failed(0, "is not a list");
        {error, Text} -> failed(0, Text)
    end.

-spec failed(non_neg_integer(), iodata()) -> result().
failed(0, Text) ->
    {error, [erlconcolic_message:new(error, <<>>, Text)]};
failed(Column, Text) ->
    Format = "cannot be read at column ~b: ~ts",
    failed(0, io_lib:format(Format, [Column, Text])).
