%% Regular expressions: characters, `.`, classes like `[a-z_]` and `[^0-9]`, the
%% repetitions `*`, `+` and `?`, the anchors `^` and `$`, and a backslash before
%% a character, which stands for itself or for one of the classes \d, \s, \w.
%%
%% The bug is in is_in/2: it does not know \w, which the parser accepts.
-module(regex).
-export([match/2]).

-record(item, {
    what :: what(),
    min = 1 :: 0 | 1,
    max = 1 :: 1 | infinity
}).

-type what() :: any | part() | {class, [part()]} | {no_class, [part()]}.
-type part() :: char() | {char(), char()} | digit | space | word.
-type anchor() :: first | last.
-type reason() :: nothing_to_repeat | unfinished_escape | unfinished_class |
                  {empty_range, char(), char()}.

-define(is_letter(C), C >= $a, C =< $z; C >= $A, C =< $Z).

%% Whether the expression matches a part of the text.
-spec match(string(), string()) -> boolean() | {error, reason()}.
match(Expression, Text) ->
    case parse(Expression, []) of
        {ok, [first | Items]} -> here(Items, Text);
        {ok, Items} -> anywhere(Items, Text);
        {error, Reason} -> {error, Reason}
    end.

-spec parse(string(), [#item{} | anchor()]) ->
          {ok, [#item{} | anchor()]} | {error, reason()}.
parse([], Done) ->
    {ok, lists:reverse(Done)};
parse([$^ | Rest], []) ->
    parse(Rest, [first]);
parse([$$], Done) ->
    {ok, lists:reverse(Done, [last])};
parse([$* | Rest], [#item{} = Item | Done]) ->
    parse(Rest, [Item#item{min = 0, max = infinity} | Done]);
parse([$+ | Rest], [#item{} = Item | Done]) ->
    parse(Rest, [Item#item{max = infinity} | Done]);
parse([$? | Rest], [#item{} = Item | Done]) ->
    parse(Rest, [Item#item{min = 0} | Done]);
parse([C | _], _) when C =:= $*; C =:= $+; C =:= $? ->
    {error, nothing_to_repeat};
parse([$. | Rest], Done) ->
    parse(Rest, [#item{what = any} | Done]);
parse([$[, $^ | Rest], Done) ->
    class(no_class, Rest, [], Done);
parse([$[ | Rest], Done) ->
    class(class, Rest, [], Done);
parse([$\\], _) ->
    {error, unfinished_escape};
parse([$\\, C | Rest], Done) ->
    parse(Rest, [#item{what = escaped(C)} | Done]);
parse([C | Rest], Done) ->
    parse(Rest, [#item{what = C} | Done]).

%% A class, after its opening bracket. A closing bracket at its start and a
%% hyphen at its end stand for themselves.
class(Kind, [$] | Rest], [_ | _] = Parts, Done) ->
    parse(Rest, [#item{what = {Kind, lists:reverse(Parts)}} | Done]);
class(Kind, [$\\, C | Rest], Parts, Done) ->
    class(Kind, Rest, [escaped(C) | Parts], Done);
class(Kind, [From, $-, To | Rest], Parts, Done) when To =/= $] ->
    case From =< To of
        true -> class(Kind, Rest, [{From, To} | Parts], Done);
        false -> {error, {empty_range, From, To}}
    end;
class(Kind, [C | Rest], Parts, Done) ->
    class(Kind, Rest, [C | Parts], Done);
class(_, [], _, _) ->
    {error, unfinished_class}.

escaped($d) -> digit;
escaped($s) -> space;
escaped($w) -> word;
escaped(C) -> C.

anywhere(Items, Text) ->
    here(Items, Text) orelse
        case Text of
            [_ | Rest] -> anywhere(Items, Rest);
            [] -> false
        end.

%% Whether the expression matches a prefix of the text.
here([], _) ->
    true;
here([last], Text) ->
    Text =:= [];
here([#item{min = 0} = Item | Items], Text) ->
    here(Items, Text) orelse once(Item, Items, Text);
here([Item | Items], Text) ->
    once(Item, Items, Text).

once(#item{what = What, max = Max} = Item, Items, [C | Text]) ->
    fits(What, C) andalso
        case Max of
            1 -> here(Items, Text);
            infinity -> here([Item#item{min = 0} | Items], Text)
        end;
once(_, _, []) ->
    false.

fits(any, C) -> C =/= $\n;
fits(word, C) -> is_in(digit, C) orelse is_letter(C) orelse C =:= $_;
fits({class, Parts}, C) -> lists:any(fun(Part) -> is_in(Part, C) end, Parts);
fits({no_class, Parts}, C) -> not fits({class, Parts}, C);
fits(Part, C) -> is_in(Part, C).

is_in(digit, C) -> C >= $0 andalso C =< $9;
is_in(space, C) -> lists:member(C, "\s\t\r\n");
is_in({From, To}, C) -> From =< C andalso C =< To;
is_in(Char, C) when is_integer(Char) -> Char =:= C.

is_letter(C) when ?is_letter(C) -> true;
is_letter(_) -> false.
