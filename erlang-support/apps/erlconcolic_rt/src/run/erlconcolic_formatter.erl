%%% Formats Elixir source as `mix format' does, with the Elixir of the program.
-module(erlconcolic_formatter).

-export([format/2]).

%% The source in lines of at most this many columns, where that is possible.
-spec format(binary(), pos_integer()) -> binary().
format(Source, Columns) ->
    Code = 'Elixir.Code',
    Text = Code:'format_string!'(Source, [{line_length, Columns}]),
    unicode:characters_to_binary(Text).
