%% Calls of functions of OTP that are followed, or have a model, with parts of the input.
-module(library_calls).
-export([
    address/1, cased/2, days/1, decimals/2, decoded/2, encoded/3, formatted/3,
    found/1, joined/1, lexemes/2, matches/2, matched/1, numbers/2, padded/3,
    powers/2, replaced/2, rests/2, rewritten/1, roots/1, rounded/1, shown/1,
    split/3, split_by/1, texts/1, trimmed/2
]).

-type letters() :: [$a..$c | $, | $\s | 16#E9].

-spec split(binary(), global | trim_all, 0..3) -> term().
split(Text, Option, From) ->
    Scope = {From, byte_size(Text) - From},
    binary:split(Text, [<<"ab">>, <<",">>], [Option, {scope, Scope}]).

-spec matches(binary(), boolean()) -> term().
matches(Text, IsCompiled) ->
    Patterns = [<<"a">>, <<"ab">>, <<";;">>],
    Pattern = case IsCompiled of
                  true -> binary:compile_pattern(Patterns);
                  false -> Patterns
              end,
    {binary:match(Text, Pattern), binary:matches(Text, Pattern)}.

-spec replaced(binary(), binary()) -> term().
replaced(Text, By) ->
    binary:replace(Text, [<<"x">>, <<"yz">>], By, [global]).

-spec joined([binary()]) -> term().
joined(Parts) ->
    Joined = iolist_to_binary(lists:join(<<"/">>, Parts)),
    {binary:longest_common_prefix([Joined, <<"ab/">>]), binary:last(Joined)}.

-spec encoded([char()], utf8 | utf16 | {utf16, little} | utf32, boolean()) -> term().
encoded(Text, Encoding, IsBinary) ->
    Given = case IsBinary of
                true -> unicode:characters_to_binary(Text);
                false -> Text
            end,
    unicode:characters_to_binary(Given, unicode, Encoding).

-spec decoded(binary(), utf8 | latin1 | utf16) -> term().
decoded(Bytes, Encoding) ->
    unicode:characters_to_list(Bytes, Encoding).

-spec texts(iodata()) -> term().
texts(Data) ->
    {unicode:characters_to_list(Data), iolist_size(Data)}.

-spec lexemes(letters(), letters()) -> term().
lexemes(Text, Separators) ->
    string:lexemes(Text, Separators).

-spec trimmed(letters(), leading | trailing | both) -> term().
trimmed(Text, Where) ->
    {string:trim(Text, Where), string:split(Text, ",", all),
     string:find(Text, "ab", trailing)}.

-spec padded(letters(), 0..6, leading | trailing | both) -> term().
padded(Text, Width, Where) ->
    {lists:flatten(string:pad(Text, Width, Where, $*)),
     string:slice(Text, 1, 2), string:reverse(Text)}.

-spec cased(letters(), boolean()) -> term().
cased(Text, IsBinary) ->
    Given = case IsBinary of
                true -> unicode:characters_to_binary(Text);
                false -> Text
            end,
    {string:uppercase(Given), string:titlecase(Given),
     string:equal(Given, "AB", true)}.

-spec found(binary()) -> term().
found(Text) ->
    re:run(Text, "(\\w+?)=(\\d*)(?:;|$)", [{capture, all, binary}]).

-spec matched([0..255]) -> term().
matched(Text) ->
    re:run(Text, "^(?=.*a)[^b]{2,4}$", [{capture, first, list}]).

-spec split_by(binary()) -> term().
split_by(Text) ->
    re:split(Text, "\\s*([,;])\\s*", [{return, list}, trim]).

-spec rewritten(binary()) -> term().
rewritten(Text) ->
    re:replace(Text, "([ab])(\\d)", "<\\2&>",
               [global, caseless, {return, binary}]).

-spec formatted(integer(), atom(), [byte()]) -> term().
formatted(Number, Atom, Text) ->
    Args = [Number, Number, Atom, Text, {Number, Text}],
    lists:flatten(io_lib:format("~5..0b|~.16B|~-4w|~6.3s|~p", Args)).

-spec shown(integer()) -> term().
shown(Quarters) when abs(Quarters) < 1000000 ->
    lists:flatten(io_lib:format("~8.2f ~p ~w", [Quarters / 4, Quarters / 4, Quarters]));
shown(Other) ->
    Other.

-spec decimals(-9999..9999, 0..4) -> term().
decimals(Eighths, Digits) ->
    Float = Eighths / 8 + 1000,
    {float_to_list(Float, [{decimals, Digits}, compact]),
     float_to_binary(Float, [{decimals, Digits}])}.

-spec numbers(integer(), 2..36) -> term().
numbers(Number, Base) ->
    Text = integer_to_list(Number, Base),
    {Text, integer_to_binary(Number, Base), list_to_integer(Text, Base)}.

-spec days({1900..2100, 1..12, 1..31}) -> term().
days(Date) ->
    case calendar:valid_date(Date) of
        true -> {calendar:date_to_gregorian_days(Date),
                 calendar:day_of_the_week(Date),
                 calendar:iso_week_number(Date)};
        false -> invalid
    end.

-spec address(string()) -> term().
address(Text) ->
    case inet:parse_address(Text) of
        {ok, Address} -> {Address, inet:ntoa(Address)};
        {error, _} = Error -> {Error, inet:parse_ipv4strict_address(Text)}
    end.

-spec powers(-50..50, 0..5) -> term().
powers(X, Y) ->
    {math:pow(X, Y), math:pow(2, Y)}.

-spec roots(1..2000) -> term().
roots(X) ->
    {math:sqrt(X), math:log2(X)}.

-spec rounded(-100000..100000) -> term().
rounded(X) ->
    {math:ceil(X / 4), math:floor(X / 4)}.

-spec rests(integer(), 1..9) -> term().
rests(X, Y) ->
    math:fmod(X, Y).
