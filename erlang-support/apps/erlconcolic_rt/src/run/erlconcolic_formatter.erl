%%% Formats Elixir source as `mix format' does, with the Elixir of the program.
-module(erlconcolic_formatter).

-export([format/2]).

%% The source in lines of at most this many columns, where that is possible.
-spec format(binary(), pos_integer()) -> binary().
format(Source, Columns) ->
    Text = formatted('Elixir.Code', [Source, [{line_length, Columns}]]),
    iolist_to_binary(Text).

%% Elixir may be missing, so xref and Dialyzer must not see what is called.
-spec formatted(module(), [term()]) -> iodata().
formatted(Module, Args) ->
    erlang:apply(Module, 'format_string!', Args).
