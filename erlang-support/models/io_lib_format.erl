%% The behaviour of io_lib_format, without the maps in which the real module has
%% directives. The real module is called for directives that are not here, and
%% for wrong arguments.
-module(io_lib_format).
-export([fwrite/2, fwrite_g/1]).

-define(IS_BELOW(C, Limit), is_integer(C), 0 =< C, C < Limit).

%% A directive: ~Width.Precision.Pad, modifiers, and a character.
-record(directive, {width = none, adjust = right, precision = none,
                    pad = $\s, encoding = latin1, strings = true, letter}).

fwrite(Format, Arguments) ->
    try
        {Parts, Prints} = scanned(characters(Format), Arguments, [], 0),
        build(Parts, Prints, 0)
    catch
        throw:not_plain -> io_lib_format:fwrite(Format, Arguments)
    end.

fwrite_g(Float) -> float_to_list(Float, [short]).

characters(Format) when is_list(Format) ->
    Format;
characters(Format) when is_atom(Format) ->
    atom_to_list(Format);
characters(Format) when is_binary(Format) ->
    [plain(C, 128) || C <- binary_to_list(Format)];
characters(_) ->
    throw(not_plain).

plain(C, Limit) when ?IS_BELOW(C, Limit) -> C;
plain(_, _) -> throw(not_plain).

%% Characters, and directives with their arguments that depend on where they
%% stand. Counts those whose place matters.
scanned([], [], Parts, Prints) ->
    {lists:reverse(Parts), Prints};
scanned([$~ | Format], Arguments, Parts, Prints) ->
    {Directive, Rest, Left} = directive(Format, Arguments),
    case small(Directive, Left) of
        {Text, After} ->
            Flat = lists:reverse(lists:flatten(Text)),
            scanned(Rest, After, Flat ++ Parts, Prints);
        not_small ->
            {Part, After} = large(Directive, Left),
            Count = case Part of {print, _, _, _} -> 1; _ -> 0 end,
            scanned(Rest, After, [Part | Parts], Prints + Count)
    end;
scanned([C | Format], Arguments, Parts, Prints) when ?IS_BELOW(C, 16#110000) ->
    scanned(Format, Arguments, [C | Parts], Prints);
scanned(_, _, _, _) ->
    throw(not_plain).

directive(Format, Arguments) ->
    {Width, Adjust, Behind, Some} = width(Format, Arguments),
    {Precision, Back, Fewer} = precision(Behind, Some),
    {Pad, Rest, Left} = pad(Back, Fewer),
    modified(Rest, Left, #directive{width = Width, adjust = Adjust,
                                    precision = Precision, pad = Pad}).

width([$- | Format], Arguments) ->
    case number(Format, Arguments) of
        {none, _, _} -> throw(not_plain);
        {Width, Rest, Left} -> adjusted(-Width, Rest, Left)
    end;
width(Format, Arguments) ->
    {Width, Rest, Left} = number(Format, Arguments),
    adjusted(Width, Rest, Left).

adjusted(none, Format, Arguments) -> {none, right, Format, Arguments};
adjusted(Width, Format, Arguments) when Width < 0 ->
    {-Width, left, Format, Arguments};
adjusted(Width, Format, Arguments) -> {Width, right, Format, Arguments}.

precision([$. | Format], Arguments) -> number(Format, Arguments);
precision(Format, Arguments) -> {none, Format, Arguments}.

number([$* | Format], [Number | Arguments]) when is_integer(Number) ->
    {Number, Format, Arguments};
number([C | _] = Format, Arguments) when is_integer(C), C >= $0, C =< $9 ->
    {Number, Rest} = digits(Format, 0),
    {Number, Rest, Arguments};
number(Format, Arguments) ->
    {none, Format, Arguments}.

digits([C | Format], Number) when is_integer(C), C >= $0, C =< $9 ->
    digits(Format, 10 * Number + C - $0);
digits(Format, Number) ->
    {Number, Format}.

pad([$., $* | Format], [Pad | Arguments]) ->
    {plain(Pad, 16#110000), Format, Arguments};
pad([$., Pad | Format], Arguments) ->
    {plain(Pad, 16#110000), Format, Arguments};
pad(Format, Arguments) ->
    {$\s, Format, Arguments}.

modified([$t | Format], Arguments, Directive) ->
    modified(Format, Arguments, Directive#directive{encoding = unicode});
modified([$l | Format], Arguments, Directive) ->
    modified(Format, Arguments, Directive#directive{strings = false});
modified([C | Format], Arguments, Directive) ->
    {Directive#directive{letter = C}, Format, Arguments};
modified(_, _, _) ->
    throw(not_plain).

%% Directives whose characters are parts of the text, and the arguments behind.
small(#directive{letter = $~} = Directive, Left) ->
    {repeated($~, Directive), Left};
small(#directive{letter = $n, width = none}, Left) ->
    {"\n", Left};
small(#directive{letter = $n, width = Width, adjust = right}, Left) ->
    {chars($\n, Width), Left};
small(#directive{letter = $i}, [_ | Left]) ->
    {[], Left};
small(#directive{letter = $c, encoding = unicode} = Directive, [C | Left]) when
    ?IS_BELOW(C, 16#110000)
->
    {repeated(C, Directive), Left};
small(#directive{letter = $c} = Directive, [C | Left]) when ?IS_BELOW(C, 256) ->
    {repeated(C, Directive), Left};
small(#directive{letter = $s, encoding = Encoding} = Directive, [Atom | Left])
  when is_atom(Atom) ->
    Limit = case Encoding of latin1 -> 256; unicode -> 16#110000 end,
    Text = [plain(C, Limit) || C <- atom_to_list(Atom)],
    {in_field(Text, Directive), Left};
small(#directive{letter = Letter} = Directive, [Number | Left]) when
    Letter =:= $b; Letter =:= $B; Letter =:= $+; Letter =:= $#
->
    {integer(Directive, Number), Left};
small(#directive{letter = Letter} = Directive, [Number, Prefix | Left]) when
    Letter =:= $x; Letter =:= $X
->
    {integer(Directive, Number, prefix(Prefix)), Left};
small(#directive{letter = Letter} = Directive, [Float | Left]) when
    Letter =:= $e; Letter =:= $f; Letter =:= $g
->
    {float(Directive, Float), Left};
small(#directive{letter = Letter}, [_ | _]) when
    Letter =:= $s; Letter =:= $w; Letter =:= $p; Letter =:= $W; Letter =:= $P
->
    not_small;
small(_, _) ->
    throw(not_plain).

repeated(C, #directive{width = none, precision = none}) ->
    [C];
repeated(C, #directive{width = Width, precision = none}) ->
    chars(C, Width);
repeated(C, #directive{width = none, precision = Precision}) ->
    chars(C, Precision);
repeated(C, #directive{width = Width, precision = Precision} = Directive) when
    Width >= Precision
->
    padded(chars(C, Precision), Width - Precision, Directive);
repeated(_, _) ->
    throw(not_plain).

integer(#directive{letter = Letter} = Directive, Number) ->
    Prefix = case Letter =:= $+ orelse Letter =:= $# of
                 true -> integer_to_list(base(Directive#directive.precision))
                             ++ "#";
                 false -> []
             end,
    integer(Directive, Number, Prefix).

integer(#directive{letter = Letter} = Directive, Number, Prefix) when
    is_integer(Number)
->
    Base = base(Directive#directive.precision),
    Digits = lettered(integer_to_list(abs(Number), Base), Letter),
    Sign = case Number < 0 of true -> "-"; false -> [] end,
    in_width(Sign ++ Prefix ++ Digits, Directive#directive{precision = none});
integer(_, _, _) ->
    throw(not_plain).

prefix(Prefix) when is_atom(Prefix) ->
    atom_to_list(Prefix);
prefix(Prefix) ->
    case io_lib:deep_char_list(Prefix) of
        true -> lists:flatten(Prefix);
        false -> throw(not_plain)
    end.

base(none) -> 10;
base(Base) when Base >= 2, Base =< 36 -> Base;
base(_) -> throw(not_plain).

lettered(Digits, Letter) when
    Letter =:= $b; Letter =:= $+; Letter =:= $x
->
    [lowercase(C) || C <- Digits];
lettered(Digits, _) ->
    Digits.

lowercase(C) when C >= $A -> C + 32;
lowercase(C) -> C.

float(Directive, Float) when is_float(Float) ->
    _ = case erlconcolic_decimals:units(Float) of
            none -> throw(not_plain);
            Units -> Units
        end,
    #directive{letter = Letter, precision = Given, width = Width} = Directive,
    Precision = case Given of none -> 6; _ -> Given end,
    Text = float(Letter, Float, Precision),
    in_width(Text, Directive#directive{precision = Width});
float(_, _) ->
    throw(not_plain).

float($f, Float, Precision) when Precision >= 1, Precision =< 12 ->
    float_to_list(Float, [{decimals, Precision}]);
float($e, Float, Precision) when Precision >= 2, Precision =< 20 ->
    {Sign, First, Rest} = case float_to_list(Float) of
                              [$-, Digit, $. | Behind] -> {"-", Digit, Behind};
                              [Digit, $. | Behind] -> {"", Digit, Behind}
                          end,
    {Digits, [$e | Exponent]} = lists:split(20, Rest),
    Sign ++ with_exponent(rounded([First | Digits], Precision),
                          list_to_integer(Exponent));
float($g, Float, Precision) when Precision >= 1 ->
    case magnitude(abs(Float)) of
        Size when Precision =< 1, Size =:= -1;
                  Precision - 1 > Size, Size >= -1 ->
            float($f, Float, Precision - 1 - Size);
        _ ->
            float($e, Float, max(Precision, 2))
    end;
float(_, _, _) ->
    throw(not_plain).

magnitude(Size) when Size < 1.0e-1 -> -2;
magnitude(Size) when Size < 1.0 -> -1;
magnitude(Size) when Size < 1.0e1 -> 0;
magnitude(Size) when Size < 1.0e2 -> 1;
magnitude(Size) when Size < 1.0e3 -> 2;
magnitude(Size) when Size < 1.0e4 -> 3;
magnitude(_) -> large.

%% So many digits, rounded up from 5 on, and whether there is one more.
rounded([Next | _], 0) ->
    {[], Next >= $5};
rounded([Digit | Digits], Count) ->
    case rounded(Digits, Count - 1) of
        {Rest, false} -> {[Digit | Rest], false};
        {Rest, true} when Digit =:= $9 -> {[$0 | Rest], true};
        {Rest, true} -> {[Digit + 1 | Rest], false}
    end.

with_exponent({[_ | Rest], true}, Exponent) ->
    [$1, $. | Rest] ++ exponent(Exponent + 1);
with_exponent({[First | Rest], false}, Exponent) ->
    [First, $. | Rest] ++ exponent(Exponent).

exponent(Exponent) when Exponent >= 0 -> "e+" ++ integer_to_list(Exponent);
exponent(Exponent) -> [$e | integer_to_list(Exponent)].

%% Directives whose characters are a list in the text.
large(#directive{letter = $s} = Directive, [Text | Left]) ->
    {in_field(text(Text, Directive#directive.encoding), Directive), Left};
large(#directive{letter = $w} = Directive, [Term | Left]) ->
    {written(Directive, Term, -1), Left};
large(#directive{letter = $W} = Directive, [Term, Depth | Left]) when
    is_integer(Depth)
->
    {written(Directive, Term, Depth), Left};
large(#directive{letter = $p, adjust = right} = Directive, [Term | Left]) ->
    {{print, Directive, Term, -1}, Left};
large(#directive{letter = $P, adjust = right} = Directive,
      [Term, Depth | Left]) when
    is_integer(Depth)
->
    {{print, Directive, Term, Depth}, Left};
large(_, _) ->
    throw(not_plain).

written(#directive{encoding = Encoding} = Directive, Term, Depth) ->
    Options = [{depth, Depth}, {encoding, Encoding}, {chars_limit, -1}],
    in_width(io_lib:write(Term, Options), Directive).

text([C | Rest], Encoding) when is_integer(C), C >= 0 ->
    case Encoding of
        unicode -> ok;
        latin1 -> plain(C, 256)
    end,
    [C | text(Rest, Encoding)];
text([Part | Rest], Encoding) ->
    [text(Part, Encoding) | text(Rest, Encoding)];
text([], _) ->
    [];
text(Text, latin1) when is_binary(Text) ->
    binary_to_list(Text);
text(Text, unicode) when is_binary(Text) ->
    case unicode:characters_to_list(Text) of
        Characters when is_list(Characters) -> Characters;
        _ -> binary_to_list(Text)
    end;
text(_, _) ->
    throw(not_plain).

%% A text in a field, of which too much is cut off.
in_field(Text, #directive{width = none, precision = none}) ->
    Text;
in_field(Text, #directive{width = none, precision = Most} = Directive) ->
    fitted(Text, Most, Directive#directive{adjust = left});
in_field(Text, #directive{width = Width, precision = none} = Directive) ->
    fitted(Text, Width, Directive);
in_field(Text, #directive{width = Width, precision = Width} = Directive) ->
    fitted(Text, Width, Directive);
in_field(Text, #directive{width = Width, precision = Most} = Directive) when
    Width > Most
->
    Fitted = case io_lib:chars_length(Text) of
                 Size when Size > Most -> cut(Text, Most, Directive);
                 Size when Size < Most ->
                     [Text | chars(Directive#directive.pad, Most - Size)];
                 _ -> Text
             end,
    padded(Fitted, Width - Most, Directive);
in_field(_, _) ->
    throw(not_plain).

fitted(Text, Width, Directive) ->
    case io_lib:chars_length(Text) of
        Size when Size > Width -> cut(Text, Width, Directive);
        Size when Size < Width -> padded(Text, Width - Size, Directive);
        _ -> Text
    end.

cut(Text, Count, #directive{encoding = latin1}) when Count >= 0 ->
    lists:sublist(lists:flatten(Text), Count);
cut(Text, Count, #directive{encoding = unicode}) when Count >= 0 ->
    string:slice(Text, 0, Count);
cut(_, _, _) ->
    throw(not_plain).

%% What must not be cut off: there are stars if it does not fit.
in_width(Text, #directive{width = none, precision = none}) ->
    Text;
in_width(Text, #directive{width = none, precision = Most} = Directive) ->
    in_width(Text, Directive#directive{width = Most});
in_width(Text, #directive{width = Width, precision = Given} = Directive) ->
    Size = io_lib:chars_length(Text),
    Most = case Given of none -> Width; _ -> min(Given, Width) end,
    case min(Size, Most) of
        Shown when Shown < Size, Shown =< Width ->
            padded(chars($*, Shown), Width - Shown, Directive);
        Shown when Shown =< Width ->
            padded(Text, Width - Size, Directive);
        _ ->
            throw(not_plain)
    end.

padded(Text, Count, #directive{pad = Pad, adjust = Adjust}) ->
    case {chars(Pad, Count), Adjust} of
        {[], _} -> Text;
        {Padding, left} -> [Text | Padding];
        {Padding, right} -> [Padding | Text]
    end.

%% So many of a character, nested as the real module does it.
chars(_, 0) -> [];
chars(C, 1) -> [C];
chars(C, 2) -> [C, C];
chars(C, 3) -> [C, C, C];
chars(C, Count) when Count > 3, Count band 1 =:= 0 ->
    Half = chars(C, Count bsr 1),
    [Half | Half];
chars(C, Count) when Count > 3 ->
    Half = chars(C, Count bsr 1),
    [C, Half | Half];
chars(_, _) ->
    throw(not_plain).

%% Prints terms where they stand, as long as there are some.
build([], _, _) ->
    [];
build([{print, Directive, Term, Depth} | Parts], Prints, Column) ->
    Text = printed(Directive, Term, Depth, Column),
    case Prints of
        1 -> [Text | build(Parts, 0, Column)];
        _ -> [Text | build(Parts, Prints - 1, column(Text, Column))]
    end;
build([Part | Parts], 0, Column) ->
    [Part | build(Parts, 0, Column)];
build([Part | Parts], Prints, Column) ->
    [Part | build(Parts, Prints, column([Part], Column))].

printed(#directive{width = none, precision = none}, Number, -1, _) when
    is_integer(Number)
->
    integer_to_list(Number);
printed(Directive, Term, Depth, Column) ->
    #directive{width = Width, precision = First} = Directive,
    Options = [{chars_limit, -1},
               {column, case First of none -> Column + 1; _ -> First end},
               {line_length, case Width of none -> 80; _ -> Width end},
               {depth, Depth},
               {encoding, Directive#directive.encoding},
               {strings, Directive#directive.strings}],
    io_lib_pretty:print(Term, Options).

%% Where a text ends that begins in a column.
column([$\n | Text], _) -> column(Text, 0);
column([$\t | Text], Column) -> column(Text, (Column + 8) div 8 * 8);
column([C | Text], Column) when is_integer(C) -> column(Text, Column + 1);
column([Part | Text], Column) -> column(Text, column(Part, Column));
column([], Column) -> Column.
