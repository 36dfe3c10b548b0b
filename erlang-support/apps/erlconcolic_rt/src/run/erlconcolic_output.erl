%%% The output of a program, as its group leader receives it by the IO protocol.
%%% Reading always returns end of file.
-module(erlconcolic_output).

-export([new/0, request/2, text/1]).
-export([calls/1, without_calls/1]).

-export_type([output/0]).

-define(MAX_SIZE, 1048576).

-record(output,
        {text = <<>> :: binary(),
         dropped = false :: boolean()}).

-opaque output() :: #output{}.

-spec new() -> output().
new() ->
    #output{}.

%% In UTF-8, with a note if there was more.
-spec text(output()) -> binary().
text(#output{text = Text, dropped = false}) ->
    Text;
text(#output{text = Text, dropped = true}) ->
    <<Text/binary, "\n(all output after the first megabyte is dropped)\n">>.

%% The calls that compute what a request prints.
-spec calls(term()) -> [{Module :: term(), Function :: term(), Args :: term()}].
calls({put_chars, _, Module, Function, Args}) -> [{Module, Function, Args}];
calls({put_chars, Module, Function, Args}) -> [{Module, Function, Args}];
calls({requests, Requests}) when length(Requests) >= 0 ->
    lists:flatmap(fun calls/1, Requests);
calls(_) -> [].

%% The same request with the results of those calls.
-spec without_calls(term()) -> term().
without_calls({put_chars, Encoding, Module, Function, Args}) ->
    try
        Chars = erlang:apply(Module, Function, Args),
        {put_chars, unicode, unicode:characters_to_binary(Chars, Encoding)}
    catch
        _:_ -> {failed, Function}
    end;
without_calls({put_chars, Module, Function, Args}) ->
    without_calls({put_chars, latin1, Module, Function, Args});
without_calls({requests, Requests}) ->
    {requests, lists:map(fun without_calls/1, Requests)};
without_calls(Request) ->
    Request.

-spec request(term(), output()) -> {Reply :: term(), output()}.
request({put_chars, Encoding, Chars}, Output) ->
    put_chars(Encoding, Chars, Output);
request({put_chars, Chars}, Output) ->
    put_chars(latin1, Chars, Output);
request({requests, Requests}, Output) ->
    requests(Requests, {ok, Output});
request({failed, Function}, Output) ->
    {{error, Function}, Output};
request({setopts, _Options}, Output) ->
    {ok, Output};
request(getopts, Output) ->
    {[{binary, false}, {encoding, unicode}], Output};
request({get_geometry, _}, Output) ->
    {{error, enotsup}, Output};
request(Request, Output) ->
    case is_reading(Request) of
        true -> {eof, Output};
        false -> {{error, request}, Output}
    end.

-spec is_reading(term()) -> boolean().
is_reading(Request) ->
    is_tuple(Request) andalso tuple_size(Request) > 0
        andalso lists:member(element(1, Request),
                             [get_chars, get_line, get_until, get_password]).

-spec requests(term(), {term(), output()}) -> {term(), output()}.
requests([Request | Rest], {ok, Output}) ->
    requests(Rest, request(Request, Output));
requests(_, Result) ->
    Result.

-spec put_chars(unicode:encoding(), unicode:chardata(), output()) ->
    {ok | {error, term()}, output()}.
put_chars(Encoding, Chars, Output) ->
    try unicode:characters_to_binary(Chars, Encoding) of
        Text when is_binary(Text) -> {ok, add(Text, Output)};
        _ -> {{error, {no_translation, Encoding, unicode}}, Output}
    catch
        error:badarg -> {{error, put_chars}, Output}
    end.

-spec add(binary(), output()) -> output().
add(_Text, #output{dropped = true} = Output) ->
    Output;
add(Text, #output{text = Before} = Output)
  when byte_size(Before) + byte_size(Text) =< ?MAX_SIZE ->
    Output#output{text = <<Before/binary, Text/binary>>};
add(Text, #output{text = Before}) ->
    Start = whole_characters(Text, ?MAX_SIZE - byte_size(Before)),
    #output{text = <<Before/binary, Start/binary>>, dropped = true}.

%% The first Size bytes of a text, or fewer so as not to cut a character.
-spec whole_characters(binary(), non_neg_integer()) -> binary().
whole_characters(Text, Size) ->
    case Text of
        <<_:Size/binary, 2#10:2, _/bitstring>> ->
            whole_characters(Text, Size - 1);
        <<Start:Size/binary, _/binary>> ->
            Start
    end.
