%% Reads and writes JSON: typical code of users. Strings are
%% binaries, objects are maps with binaries as keys.
-module(json_like).

-export([encode/1, pretty/2, decode/1, round_trip/1, decode_damaged/3]).
-export([get/2, put/3, merge_patch/2, depth/1, fold/3, is_json/1]).

-export_type([json/0]).

-type json() :: null | boolean() | integer() | float() | binary() | [json()]
              | #{binary() => json()}.
-type path() :: [binary() | non_neg_integer()].
-type reason() :: {unexpected, byte(), Offset :: non_neg_integer()}
                | {unfinished, Offset :: non_neg_integer()}
                | {bad_escape, Offset :: non_neg_integer()}
                | {bad_number, binary()}.

-spec encode(json()) -> binary().
encode(Value) ->
    iolist_to_binary(value(Value)).

-spec value(json()) -> iodata().
value(null) -> <<"null">>;
value(true) -> <<"true">>;
value(false) -> <<"false">>;
value(Integer) when is_integer(Integer) -> integer_to_binary(Integer);
value(Float) when is_float(Float) -> float_to_binary(Float, [short]);
value(String) when is_binary(String) -> string(String);
value(List) when is_list(List) ->
    [$[, lists:join($,, [value(Element) || Element <- List]), $]];
value(Object) when is_map(Object) ->
    Members = [[string(Key), $:, value(Value)]
               || {Key, Value} <- lists:sort(maps:to_list(Object))],
    [${, lists:join($,, Members), $}].

-spec string(binary()) -> iodata().
string(String) ->
    [$", << <<(escape(C))/binary>> || <<C/utf8>> <= checked(String) >>, $"].

-spec checked(binary()) -> binary().
checked(String) ->
    case unicode:characters_to_binary(String) of
        Same when Same =:= String -> Same;
        _ -> error({not_utf8, String})
    end.

-spec escape(char()) -> binary().
escape($") -> <<"\\\"">>;
escape($\\) -> <<"\\\\">>;
escape($\n) -> <<"\\n">>;
escape($\t) -> <<"\\t">>;
escape(C) when C < 16#20; C =:= 16#7f ->
    Digits = integer_to_binary(C, 16),
    Zeros = binary:copy(<<"0">>, 4 - byte_size(Digits)),
    <<"\\u", Zeros/binary, Digits/binary>>;
escape(C) -> <<C/utf8>>.

%% With each element on a line of its own, indented by this many spaces.
-spec pretty(json(), 0..8) -> binary().
pretty(Value, Step) when Step >= 0, Step =< 8 ->
    iolist_to_binary(pretty(Value, Step, $\n, <<>>)).

-spec pretty(json(), 0..8, char(), binary()) -> iodata().
pretty([_ | _] = List, Step, Break, Indent) ->
    Inner = deeper(Indent, Step),
    Lines = [[Break, Inner, pretty(Element, Step, Break, Inner)]
             || Element <- List],
    [$[, lists:join($,, Lines), Break, Indent, $]];
pretty(Object, Step, Break, Indent) when map_size(Object) > 0 ->
    Inner = deeper(Indent, Step),
    Line = fun(Key, Value, Lines) ->
                   [[Break, Inner, string(Key), ": ",
                     pretty(Value, Step, Break, Inner)] | Lines]
           end,
    [${, lists:join($,, lists:sort(maps:fold(Line, [], Object))),
     Break, Indent, $}];
pretty(Value, _, _, _) ->
    value(Value).

-spec deeper(binary(), 0..8) -> binary().
deeper(Indent, Step) ->
    <<Indent/binary, (binary:copy(<<" ">>, Step))/binary>>.

-spec decode(binary()) -> {ok, json()} | {error, reason()}.
decode(Text) when is_binary(Text) ->
    try
        {Value, Rest} = read(blank(Text), Text),
        case blank(Rest) of
            <<>> -> {ok, Value};
            <<C, _/binary>> = More -> throw({unexpected, C, at(More, Text)})
        end
    catch
        throw:Reason -> {error, Reason}
    end.

-spec read(binary(), binary()) -> {json(), binary()}.
read(<<"null", Rest/binary>>, _) -> {null, Rest};
read(<<"true", Rest/binary>>, _) -> {true, Rest};
read(<<"false", Rest/binary>>, _) -> {false, Rest};
read(<<$", Rest/binary>>, Text) -> read_string(Rest, Text, <<>>);
read(<<$[, Rest/binary>>, Text) -> read_list(blank(Rest), Text);
read(<<${, Rest/binary>>, Text) -> read_object(blank(Rest), Text);
read(<<C, _/binary>> = Rest, _) when C =:= $-; C >= $0, C =< $9 ->
    read_number(Rest);
read(<<C, _/binary>> = Rest, Text) -> throw({unexpected, C, at(Rest, Text)});
read(<<>>, Text) -> throw({unfinished, byte_size(Text)}).

-spec read_list(binary(), binary()) -> {[json()], binary()}.
read_list(<<$], Rest/binary>>, _) -> {[], Rest};
read_list(Rest, Text) -> read_elements(Rest, Text, []).

-spec read_elements(binary(), binary(), [json()]) -> {[json()], binary()}.
read_elements(Rest, Text, Elements) ->
    {Element, Behind} = read(Rest, Text),
    case blank(Behind) of
        <<$,, More/binary>> ->
            read_elements(blank(More), Text, [Element | Elements]);
        <<$], More/binary>> ->
            {lists:reverse(Elements, [Element]), More};
        Other ->
            unexpected(Other, Text)
    end.

-spec read_object(binary(), binary()) -> {map(), binary()}.
read_object(<<$}, Rest/binary>>, _) -> {#{}, Rest};
read_object(Rest, Text) -> read_members(Rest, Text, #{}).

-spec read_members(binary(), binary(), map()) -> {map(), binary()}.
read_members(<<$", Rest/binary>>, Text, Object) ->
    {Key, Behind} = read_string(Rest, Text, <<>>),
    case blank(Behind) of
        <<$:, More/binary>> ->
            {Value, Last} = read(blank(More), Text),
            next_member(blank(Last), Text, Object#{Key => Value});
        Other ->
            unexpected(Other, Text)
    end;
read_members(Other, Text, _) ->
    unexpected(Other, Text).

-spec next_member(binary(), binary(), map()) -> {map(), binary()}.
next_member(<<$,, Rest/binary>>, Text, Object) ->
    read_members(blank(Rest), Text, Object);
next_member(<<$}, Rest/binary>>, _, Object) ->
    {Object, Rest};
next_member(Other, Text, _) ->
    unexpected(Other, Text).

-spec unexpected(binary(), binary()) -> no_return().
unexpected(<<>>, Text) -> throw({unfinished, byte_size(Text)});
unexpected(<<C, _/binary>> = Rest, Text) -> throw({unexpected, C,
                                                   at(Rest, Text)}).

-spec read_string(binary(), binary(), binary()) -> {binary(), binary()}.
read_string(<<$", Rest/binary>>, _, String) ->
    {String, Rest};
read_string(<<"\\u", Hex:4/binary, Rest/binary>> = All, Text, String) ->
    try binary_to_integer(Hex, 16) of
        C -> read_string(Rest, Text, <<String/binary, C/utf8>>)
    catch
        error:badarg -> throw({bad_escape, at(All, Text)})
    end;
read_string(<<$\\, C, Rest/binary>> = All, Text, String) ->
    case lists:keyfind(C, 1, [{$n, $\n}, {$t, $\t}, {$r, $\r}, {$b, $\b},
                              {$f, $\f}]) of
        {C, Meant} -> read_string(Rest, Text, <<String/binary, Meant>>);
        false when C =:= $"; C =:= $\\; C =:= $/ ->
            read_string(Rest, Text, <<String/binary, C>>);
        false -> throw({bad_escape, at(All, Text)})
    end;
read_string(<<C/utf8, Rest/binary>>, Text, String) when C >= 16#20 ->
    read_string(Rest, Text, <<String/binary, C/utf8>>);
read_string(Other, Text, _) ->
    unexpected(Other, Text).

-spec read_number(binary()) -> {number(), binary()}.
read_number(Text) ->
    Length = number_length(Text, 0),
    <<Digits:Length/binary, Rest/binary>> = Text,
    {number(Digits), Rest}.

-spec number_length(binary(), non_neg_integer()) -> non_neg_integer().
number_length(Text, Length) ->
    case Text of
        <<_:Length/binary, C, _/binary>>
          when C >= $0, C =< $9; C =:= $-; C =:= $+; C =:= $.; C =:= $e;
               C =:= $E ->
            number_length(Text, Length + 1);
        _ ->
            Length
    end.

-spec number(binary()) -> number().
number(Digits) ->
    try binary_to_integer(Digits)
    catch
        error:badarg ->
            try binary_to_float(Digits)
            catch
                error:badarg -> throw({bad_number, Digits})
            end
    end.

-spec blank(binary()) -> binary().
blank(<<C, Rest/binary>>) when C =:= $\s; C =:= $\n; C =:= $\t; C =:= $\r ->
    blank(Rest);
blank(Text) ->
    Text.

-spec at(binary(), binary()) -> non_neg_integer().
at(Rest, Text) ->
    byte_size(Text) - byte_size(Rest).

-spec round_trip(json()) -> boolean().
round_trip(Value) ->
    {ok, Value} =:= decode(encode(Value)).

%% The result for a text with one byte changed.
-spec decode_damaged(json(), non_neg_integer(), byte()) ->
          {ok, json()} | {error, reason()}.
decode_damaged(Value, Place, Byte) ->
    Text = encode(Value),
    Before = Place rem byte_size(Text),
    <<Front:Before/binary, _, Rear/binary>> = Text,
    decode(<<Front/binary, Byte, Rear/binary>>).

-spec get(path(), json()) -> {ok, json()} | none.
get([], Value) ->
    {ok, Value};
get([Key | Path], Object) when is_map_key(Key, Object) ->
    get(Path, map_get(Key, Object));
get([Index | Path], List)
  when is_integer(Index), is_list(List), Index < length(List) ->
    get(Path, lists:nth(Index + 1, List));
get(_, _) ->
    none.

-spec put(path(), json(), json()) -> json().
put([], New, _) ->
    New;
put([Key | Path], New, #{} = Object) ->
    Object#{Key => put(Path, New, maps:get(Key, Object, #{}))};
put([Index | Path], New, List) when is_list(List) ->
    {Front, [Old | Rear]} = lists:split(Index, List),
    Front ++ [put(Path, New, Old) | Rear].

%% As in RFC 7396.
-spec merge_patch(json(), json()) -> json().
merge_patch(Target, #{} = Patch) ->
    Object = case Target of
                 #{} -> Target;
                 _ -> #{}
             end,
    maps:fold(fun(Key, null, Result) ->
                      maps:remove(Key, Result);
                 (Key, Value, Result) ->
                      Old = maps:get(Key, Result, null),
                      Result#{Key => merge_patch(Old, Value)}
              end, Object, Patch);
merge_patch(_, Patch) ->
    Patch.

-spec depth(json()) -> non_neg_integer().
depth(Value) ->
    Deepest = fun Deepest([Inner | Rest], Most) ->
                      Deepest(Rest, max(Most, 1 + depth(Inner)));
                  Deepest([], Most) ->
                      Most
              end,
    case Value of
        #{} -> Deepest(maps:values(Value), 0);
        [_ | _] -> Deepest(Value, 0);
        _ -> 0
    end.

%% Folds over all values that are not arrays or objects.
-spec fold(fun((json(), Acc) -> Acc), Acc, json()) -> Acc.
fold(Fun, Acc, List) when is_list(List) ->
    lists:foldl(fun(Element, In) -> fold(Fun, In, Element) end, Acc, List);
fold(Fun, Acc, Object) when is_map(Object) ->
    Each = fun(Key, In) -> fold(Fun, In, map_get(Key, Object)) end,
    lists:foldl(Each, Acc, lists:sort(maps:keys(Object)));
fold(Fun, Acc, Value) ->
    Fun(Value, Acc).

-spec is_json(term()) -> boolean().
is_json(Value) when is_boolean(Value); Value =:= null; is_number(Value) ->
    true;
is_json(Value) when is_binary(Value) ->
    is_list(unicode:characters_to_list(Value));
is_json([Head | Tail]) ->
    is_json(Head) andalso is_json(Tail);
is_json([]) ->
    true;
is_json(Object) when is_map(Object) ->
    lists:all(fun({Key, Value}) -> is_binary(Key) andalso is_json(Value) end,
              maps:to_list(Object));
is_json(_) ->
    false.
