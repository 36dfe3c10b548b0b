%%% Reads the patterns of `re', as far as our model of it understands them. That
%%% a pattern is valid is known before. What means different things in different
%%% releases is not understood.
-module(erlconcolic_regex_parser).

-export([parse/2]).

-export_type([alternatives/0, node_/0, parsed/0]).

-type alternatives() :: [[node_()]].
-type limit() :: non_neg_integer() | infinity.
-type node_() :: {char, char()}
               | {text, binary(), pos_integer()}
               | {set, erlconcolic_regex_set:set()}
               | {group, pos_integer(), alternatives()}
               | {either, alternatives()}
               | {atomic, alternatives()}
               | {repeat, node_(), non_neg_integer(), limit(), greedy | lazy}
               | {ahead, boolean(), alternatives()}
               | {behind, boolean(), [{non_neg_integer(), [node_()]}]}
               | {back, pos_integer()}
               | {edge, boolean(), erlconcolic_regex_set:set()}
               | line_start | line_end | start | last_line_end | stop.
-type parsed() :: #{program := alternatives(),
                    groups := non_neg_integer(),
                    names := #{binary() => pos_integer()}}.

-record(flags, {unicode :: boolean(),
                caseless :: boolean(),
                dotall :: boolean(),
                multiline :: boolean(),
                extended :: boolean(),
                ungreedy :: boolean(),
                dollar_endonly :: boolean()}).

%% The groups so far, and those that are open.
-record(seen, {groups = 0 :: non_neg_integer(),
               open = [] :: [pos_integer()],
               names = #{} :: #{binary() => pos_integer()}}).

-spec parse([char()], [atom()]) -> {ok, parsed()} | unknown.
parse(Text, Options) ->
    try
        {Program, [], _, Seen} = alternatives(Text, flags(Options), #seen{}),
        {ok, #{program => Program, groups => Seen#seen.groups,
               names => Seen#seen.names}}
    catch
        throw:unknown -> unknown
    end.

-spec flags([atom()]) -> #flags{}.
flags(Options) ->
    Has = fun(Option) -> lists:member(Option, Options) end,
    #flags{unicode = Has(unicode), caseless = Has(caseless),
           dotall = Has(dotall), multiline = Has(multiline),
           extended = Has(extended), ungreedy = Has(ungreedy),
           dollar_endonly = Has(dollar_endonly)}.

%% Up to the end of a group. Options that are set in one alternative hold for
%% the next ones too.
-spec alternatives([char()], #flags{}, #seen{}) ->
    {alternatives(), [char()], #flags{}, #seen{}}.
alternatives(Text, Flags, Seen) ->
    {Nodes, Rest, NewFlags, NewSeen} = sequence(Text, Flags, Seen, []),
    First = merged(Nodes, Flags),
    case Rest of
        [$| | Behind] ->
            {Others, Left, LastFlags, LastSeen} =
                alternatives(Behind, NewFlags, NewSeen),
            {[First | Others], Left, LastFlags, LastSeen};
        _ ->
            {[First], Rest, NewFlags, NewSeen}
    end.

-spec sequence([char()], #flags{}, #seen{}, [node_()]) ->
    {[node_()], [char()], #flags{}, #seen{}}.
sequence([C | _] = Text, Flags, Seen, Nodes) when C =:= $|; C =:= $) ->
    {lists:reverse(Nodes), Text, Flags, Seen};
sequence([], Flags, Seen, Nodes) ->
    {lists:reverse(Nodes), [], Flags, Seen};
sequence("\\Q" ++ Text, Flags, Seen, Nodes) ->
    {Quoted, Rest} = quoted(Text),
    literals(Quoted, Rest, Flags, Seen, Nodes);
sequence("\\E" ++ Text, Flags, Seen, Nodes) ->
    nothing(Text, Flags, Seen, Nodes);
sequence("(?#" ++ Text, Flags, Seen, Nodes) ->
    [_ | Rest] = lists:dropwhile(fun(C) -> C =/= $) end, Text),
    nothing(Rest, Flags, Seen, Nodes);
sequence([C | Text], #flags{extended = true} = Flags, Seen, Nodes)
  when C =:= $\s; C >= $\t, C =< $\r ->
    sequence(Text, Flags, Seen, Nodes);
sequence([$# | Text], #flags{extended = true} = Flags, Seen, Nodes) ->
    Rest = lists:dropwhile(fun(C) -> C =/= $\n end, Text),
    sequence(Rest, Flags, Seen, Nodes);
sequence([C | _], #flags{extended = true}, _, _) when C > 127 ->
    throw(unknown);
sequence("(?" ++ Text, Flags, Seen, Nodes) ->
    case settings(Text, Flags) of
        {Set, [$) | Rest]} ->
            sequence(Rest, Set, Seen, Nodes);
        {Set, [$: | Rest]} ->
            {Node, Behind, NewSeen} = group(either, Rest, Set, Seen),
            repeated(Node, Behind, Flags, NewSeen, Nodes);
        none ->
            {Node, Rest, NewSeen} = special(Text, Flags, Seen),
            repeated(Node, Rest, Flags, NewSeen, Nodes)
    end;
sequence([$( | Text], Flags, Seen, Nodes) ->
    {Node, Rest, NewSeen} = captured(Text, Flags, Seen),
    repeated(Node, Rest, Flags, NewSeen, Nodes);
sequence(Text, Flags, Seen, Nodes) ->
    {Node, Rest} = atom(Text, Flags, Seen),
    repeated(Node, Rest, Flags, Seen, Nodes).

%% Behind something that matches nothing. What a quantifier means there depends
%% on the release.
-spec nothing([char()], #flags{}, #seen{}, [node_()]) ->
    {[node_()], [char()], #flags{}, #seen{}}.
nothing(Text, Flags, Seen, Nodes) ->
    _ = is_quantifier(skipped(Text)) andalso throw(unknown),
    sequence(Text, Flags, Seen, Nodes).

-spec quoted([char()]) -> {[char()], [char()]}.
quoted("\\E" ++ Rest) -> {[], Rest};
quoted([]) -> {[], []};
quoted([C | Text]) ->
    {Quoted, Rest} = quoted(Text),
    {[C | Quoted], Rest}.

-spec literals([char()], [char()], #flags{}, #seen{}, [node_()]) ->
    {[node_()], [char()], #flags{}, #seen{}}.
literals([], Rest, Flags, Seen, Nodes) ->
    nothing(Rest, Flags, Seen, Nodes);
literals([C], Rest, Flags, Seen, Nodes) ->
    repeated(char(C, Flags), Rest, Flags, Seen, Nodes);
literals([C | Quoted], Rest, Flags, Seen, Nodes) ->
    literals(Quoted, Rest, Flags, Seen, [char(C, Flags) | Nodes]).

%% A node with its quantifier, if there is one.
-spec repeated(node_(), [char()], #flags{}, #seen{}, [node_()]) ->
    {[node_()], [char()], #flags{}, #seen{}}.
repeated(Node, Text, #flags{extended = true} = Flags, Seen, Nodes) ->
    case Text of
        [C | _] when C =:= $\s; C >= $\t, C =< $\r; C =:= $# ->
            %% Whether a quantifier may come here depends on the release.
            Rest = skipped(Text),
            _ = is_quantifier(Rest) andalso throw(unknown),
            sequence(Rest, Flags, Seen, [Node | Nodes]);
        _ ->
            repeated_at(Node, Text, Flags, Seen, Nodes)
    end;
repeated(Node, Text, Flags, Seen, Nodes) ->
    repeated_at(Node, Text, Flags, Seen, Nodes).

-spec repeated_at(node_(), [char()], #flags{}, #seen{}, [node_()]) ->
    {[node_()], [char()], #flags{}, #seen{}}.
repeated_at(Node, "\\E" ++ Text, Flags, Seen, Nodes) ->
    repeated_at(Node, Text, Flags, Seen, Nodes);
repeated_at(_, "(?#" ++ _, _, _, _) ->
    throw(unknown);
repeated_at(Node, Text, Flags, Seen, Nodes) ->
    case quantifier(Text) of
        none ->
            sequence(Text, Flags, Seen, [Node | Nodes]);
        {Min, Max, Rest} ->
            %% Something that is repeated 0 times confuses some releases.
            IsPlain = is_repeatable(Node) andalso Max =/= 0,
            _ = IsPlain orelse throw(unknown),
            {Repeat, Behind} = repeat(Node, Min, Max, Rest, Flags),
            _ = is_quantifier(skipped(Behind)) andalso throw(unknown),
            sequence(Behind, Flags, Seen, [Repeat | Nodes])
    end.

-spec skipped([char()]) -> [char()].
skipped([C | Text]) when C =:= $\s; C >= $\t, C =< $\r -> skipped(Text);
skipped([$# | Text]) ->
    skipped(lists:dropwhile(fun(C) -> C =/= $\n end, Text));
skipped(Text) -> Text.

-spec is_quantifier([char()]) -> boolean().
is_quantifier([C | _]) -> lists:member(C, "*+?{");
is_quantifier([]) -> false.

-spec repeat(node_(), non_neg_integer(), limit(), [char()], #flags{}) ->
    {node_(), [char()]}.
repeat(Node, Min, Max, [$+ | Rest], _) ->
    _ = may_confuse(Node, Min, Max) andalso throw(unknown),
    {{atomic, [[{repeat, Node, Min, Max, greedy}]]}, Rest};
repeat(Node, Min, Max, [$? | Rest], #flags{ungreedy = Ungreedy}) ->
    {{repeat, Node, Min, Max, way(not Ungreedy)}, Rest};
repeat(Node, Min, Max, Rest, #flags{ungreedy = Ungreedy}) ->
    {{repeat, Node, Min, Max, way(Ungreedy)}, Rest}.

-spec way(IsLazy :: boolean()) -> greedy | lazy.
way(true) -> lazy;
way(false) -> greedy.

-spec is_repeatable(node_()) -> boolean().
is_repeatable(Node) when is_atom(Node) -> false;
is_repeatable(Node) ->
    not lists:member(element(1, Node), [ahead, behind, edge]).

-spec quantifier([char()]) -> {non_neg_integer(), limit(), [char()]} | none.
quantifier([$* | Rest]) -> {0, infinity, Rest};
quantifier([$+ | Rest]) -> {1, infinity, Rest};
quantifier([$? | Rest]) -> {0, 1, Rest};
quantifier([${ | Text]) ->
    case number(Text) of
        {Min, [$} | Rest]} -> {Min, Min, Rest};
        {Min, ",}" ++ Rest} -> {Min, infinity, Rest};
        {Min, [$, | Behind]} ->
            case number(Behind) of
                {Max, [$} | Rest]} -> {Min, Max, Rest};
                _ -> throw(unknown)
            end;
        {_, _} -> throw(unknown);
        %% A quantifier in some releases.
        none when hd(Text) =:= $,; hd(Text) =:= $\s -> throw(unknown);
        none -> none
    end;
quantifier(_) -> none.

-spec number([char()]) -> {non_neg_integer(), [char()]} | none.
number(Text) ->
    case lists:splitwith(fun(C) -> C >= $0 andalso C =< $9 end, Text) of
        {[], _} -> none;
        {Digits, Rest} -> {list_to_integer(Digits), Rest}
    end.

%% Options in a pattern: (?i) or (?i-s:...).
-spec settings([char()], #flags{}) -> {#flags{}, [char()]} | none.
settings(Text, Flags) -> settings(Text, true, Flags).

-spec settings([char()], boolean(), #flags{}) -> {#flags{}, [char()]} | none.
settings([$) | _] = Rest, _, Flags) -> {Flags, Rest};
settings([$: | _] = Rest, _, Flags) -> {Flags, Rest};
settings([$- | Text], true, Flags) -> settings(Text, false, Flags);
settings("xx" ++ _, _, _) -> throw(unknown);
settings([C | Text], On, Flags) ->
    case C of
        $i -> settings(Text, On, Flags#flags{caseless = On});
        $s -> settings(Text, On, Flags#flags{dotall = On});
        $m -> settings(Text, On, Flags#flags{multiline = On});
        $x -> settings(Text, On, Flags#flags{extended = On});
        $U -> settings(Text, On, Flags#flags{ungreedy = On});
        _ -> none
    end;
settings([], _, _) -> none.

%% What comes behind "(?" and is not an option.
-spec special([char()], #flags{}, #seen{}) -> {node_(), [char()], #seen{}}.
special("=" ++ Text, Flags, Seen) -> look(ahead, true, Text, Flags, Seen);
special("!" ++ Text, Flags, Seen) -> look(ahead, false, Text, Flags, Seen);
special("<=" ++ Text, Flags, Seen) -> look(behind, true, Text, Flags, Seen);
special("<!" ++ Text, Flags, Seen) -> look(behind, false, Text, Flags, Seen);
special(">" ++ Text, Flags, Seen) ->
    {Node, _, _} = Group = group(atomic, Text, Flags, Seen),
    _ = may_confuse(Node, 1, 1) andalso throw(unknown),
    Group;
special("P<" ++ Text, Flags, Seen) -> named($>, Text, Flags, Seen);
special("<" ++ Text, Flags, Seen) -> named($>, Text, Flags, Seen);
special("'" ++ Text, Flags, Seen) -> named($', Text, Flags, Seen);
special("P=" ++ Text, Flags, Seen) ->
    {Name, Rest} = name($), Text),
    {back(Name, Flags, Seen), Rest, Seen};
special(_, _, _) -> throw(unknown).

-spec group(either | atomic, [char()], #flags{}, #seen{}) ->
    {node_(), [char()], #seen{}}.
group(Kind, Text, Flags, Seen) ->
    {Alternatives, Rest, NewSeen} = inside(Text, Flags, Seen),
    {{Kind, Alternatives}, Rest, NewSeen}.

-spec inside([char()], #flags{}, #seen{}) ->
    {alternatives(), [char()], #seen{}}.
inside(Text, Flags, Seen) ->
    {Alternatives, [$) | Rest], _, NewSeen} = alternatives(Text, Flags, Seen),
    {Alternatives, Rest, NewSeen}.

-spec look(ahead | behind, boolean(), [char()], #flags{}, #seen{}) ->
    {node_(), [char()], #seen{}}.
look(ahead, Wanted, Text, Flags, Seen) ->
    {Alternatives, Rest, NewSeen} = inside(Text, Flags, Seen),
    {{ahead, Wanted, Alternatives}, Rest, NewSeen};
look(behind, Wanted, Text, Flags, Seen) ->
    {Alternatives, Rest, NewSeen} = inside(Text, Flags, Seen),
    Measured = [{width(Nodes), Nodes} || Nodes <- Alternatives],
    {{behind, Wanted, Measured}, Rest, NewSeen}.

-spec named(char(), [char()], #flags{}, #seen{}) ->
    {node_(), [char()], #seen{}}.
named(End, Text, Flags, #seen{groups = Groups, names = Names} = Seen) ->
    {Name, Rest} = name(End, Text),
    Known = Seen#seen{names = Names#{Name => Groups + 1}},
    captured(Rest, Flags, Known).

-spec name(char(), [char()]) -> {binary(), [char()]}.
name(End, Text) ->
    {Name, [End | Rest]} = lists:splitwith(fun(C) -> C =/= End end, Text),
    {unicode:characters_to_binary(Name), Rest}.

-spec captured([char()], #flags{}, #seen{}) -> {node_(), [char()], #seen{}}.
captured([$* | _], _, _) ->
    throw(unknown);
captured(Text, Flags, #seen{groups = Groups, open = Open} = Seen) ->
    Number = Groups + 1,
    Inside = Seen#seen{groups = Number, open = [Number | Open]},
    {Alternatives, Rest, NewSeen} = inside(Text, Flags, Inside),
    {{group, Number, Alternatives}, Rest, NewSeen#seen{open = Open}}.

%% One character, a set of them, or a place.
-spec atom([char()], #flags{}, #seen{}) -> {node_(), [char()]}.
atom([$. | Rest], #flags{dotall = true}, _) ->
    {{set, any}, Rest};
atom([$. | Rest], _, _) ->
    {{set, erlconcolic_regex_set:except($\n)}, Rest};
atom([$^ | Rest], #flags{multiline = true}, _) ->
    {line_start, Rest};
atom([$^ | Rest], _, _) ->
    {start, Rest};
atom([$$ | Rest], #flags{multiline = true}, _) ->
    {line_end, Rest};
atom([$$ | Rest], #flags{dollar_endonly = true}, _) ->
    {stop, Rest};
atom([$$ | Rest], _, _) ->
    {last_line_end, Rest};
atom([$[ | Text], Flags, _) ->
    {Class, Rest} = class(Text),
    {set([$[ | Class], Flags), Rest};
atom([$\\ | Text], Flags, Seen) ->
    escape(Text, Flags, Seen);
atom([C | Rest], Flags, _) ->
    {char(C, Flags), Rest}.

-spec char(char(), #flags{}) -> node_().
char(C, #flags{caseless = false}) -> {char, C};
char(C, Flags) -> set(io_lib:format("\\x{~.16b}", [C]), Flags).

-spec set(iolist(), #flags{}) -> node_().
set(Text, #flags{unicode = Unicode, caseless = Caseless}) ->
    Encoding = case Unicode of
                   true -> unicode;
                   false -> bytes
               end,
    case erlconcolic_regex_set:new(lists:flatten(Text), {Encoding, Caseless}) of
        {ok, Set} -> {set, Set};
        unknown -> throw(unknown)
    end.

%% The text of a class up to its end.
-spec class([char()]) -> {[char()], [char()]}.
class([$^ | Text]) -> with($^, class(Text));
class([$] | Text]) -> with($], class_rest(Text));
class(Text) -> class_rest(Text).

-spec class_rest([char()]) -> {[char()], [char()]}.
class_rest([$] | Rest]) ->
    {"]", Rest};
class_rest([$\\, C | Text]) when C =/= $Q, C =/= $E ->
    with($\\, with(C, class_rest(Text)));
class_rest([$[, $: | Text]) ->
    case lists:splitwith(fun is_of_class_name/1, Text) of
        {Name, ":]" ++ Rest} ->
            {Class, Behind} = class_rest(Rest),
            {"[:" ++ Name ++ ":]" ++ Class, Behind};
        _ ->
            throw(unknown)
    end;
class_rest([C | Text]) when C =/= $\\, C =/= $[ ->
    with(C, class_rest(Text));
class_rest(_) ->
    throw(unknown).

-spec with(char(), {[char()], [char()]}) -> {[char()], [char()]}.
with(C, {Class, Rest}) -> {[C | Class], Rest}.

-spec is_of_class_name(char()) -> boolean().
is_of_class_name(C) -> C =:= $^ orelse C >= $a andalso C =< $z.

%% What comes behind a backslash.
-spec escape([char()], #flags{}, #seen{}) -> {node_(), [char()]}.
escape([C | Rest], Flags, Seen) ->
    case C of
        $A -> {start, Rest};
        $z -> {stop, Rest};
        $Z -> {last_line_end, Rest};
        $b -> {edge(true, Flags), Rest};
        $B -> {edge(false, Flags), Rest};
        $N -> {{set, erlconcolic_regex_set:except($\n)}, Rest};
        $n -> {char($\n, Flags), Rest};
        $t -> {char($\t, Flags), Rest};
        $r -> {char($\r, Flags), Rest};
        $f -> {char($\f, Flags), Rest};
        $e -> {char($\e, Flags), Rest};
        $a -> {char(7, Flags), Rest};
        $x -> hexadecimal(Rest, Flags);
        $g -> reference(Rest, Flags, Seen);
        $k -> named_reference(Rest, Flags, Seen);
        _ when C >= $1, C =< $9 -> digit_reference(C, Rest, Flags, Seen);
        _ when C =:= $p; C =:= $P -> property(C, Rest, Flags);
        _ when C >= $0, C =< $9; C >= $a, C =< $z; C >= $A, C =< $Z ->
            _ = lists:member(C, "dDwWsShHvV") orelse throw(unknown),
            {set([$\\, C], Flags), Rest};
        _ ->
            {char(C, Flags), Rest}
    end.

-spec edge(boolean(), #flags{}) -> node_().
edge(Wanted, Flags) ->
    {set, Set} = set("\\w", Flags#flags{caseless = false}),
    {edge, Wanted, Set}.

-spec hexadecimal([char()], #flags{}) -> {node_(), [char()]}.
hexadecimal([${ | Text], Flags) ->
    case lists:splitwith(fun is_hexadecimal/1, Text) of
        {[_ | _] = Digits, [$} | Rest]} ->
            {char(list_to_integer(Digits, 16), Flags), Rest};
        _ ->
            throw(unknown)
    end;
hexadecimal([C, D | Rest], Flags) ->
    _ = is_hexadecimal(C) andalso is_hexadecimal(D) orelse throw(unknown),
    {char(list_to_integer([C, D], 16), Flags), Rest};
hexadecimal(_, _) ->
    throw(unknown).

-spec is_hexadecimal(char()) -> boolean().
is_hexadecimal(C) ->
    C >= $0 andalso C =< $9 orelse C >= $a andalso C =< $f
        orelse C >= $A andalso C =< $F.

-spec property(char(), [char()], #flags{}) -> {node_(), [char()]}.
property(P, [${ | Text], Flags) ->
    {Name, [$} | Rest]} = lists:splitwith(fun(C) -> C =/= $} end, Text),
    {set([$\\, P, ${, Name, $}], Flags), Rest};
property(P, [C | Rest], Flags) ->
    {set([$\\, P, C], Flags), Rest}.

%% \1 to \9. More digits may be octal.
-spec digit_reference(char(), [char()], #flags{}, #seen{}) ->
    {node_(), [char()]}.
digit_reference(_, [D | _], _, _) when D >= $0, D =< $9 -> throw(unknown);
digit_reference(C, Rest, Flags, Seen) -> {back(C - $0, Flags, Seen), Rest}.

%% \g1, \g{1}, \g{-1}, \g{name}.
-spec reference([char()], #flags{}, #seen{}) -> {node_(), [char()]}.
reference("{-" ++ Text, Flags, #seen{groups = Groups} = Seen) ->
    case number(Text) of
        {Number, [$} | Rest]} when Number >= 1, Number =< Groups ->
            {back(Groups + 1 - Number, Flags, Seen), Rest};
        _ -> throw(unknown)
    end;
reference([${ | Text], Flags, Seen) ->
    case number(Text) of
        {Number, [$} | Rest]} -> {back(Number, Flags, Seen), Rest};
        none -> named_reference([${ | Text], Flags, Seen);
        _ -> throw(unknown)
    end;
reference([C | Text], Flags, Seen) when C >= $1, C =< $9 ->
    digit_reference(C, Text, Flags, Seen);
reference(_, _, _) ->
    throw(unknown).

-spec named_reference([char()], #flags{}, #seen{}) -> {node_(), [char()]}.
named_reference([Start | Text], Flags, Seen) ->
    End = case Start of
              $< -> $>;
              ${ -> $};
              $' -> $';
              _ -> throw(unknown)
          end,
    {Name, Rest} = name(End, Text),
    {back(Name, Flags, Seen), Rest}.

%% What a group has that refers to itself depends on the release.
-spec back(pos_integer() | binary(), #flags{}, #seen{}) -> node_().
back(_, #flags{caseless = true}, _) ->
    throw(unknown);
back(Name, Flags, #seen{names = Names} = Seen) when is_binary(Name) ->
    case Names of
        #{Name := Number} -> back(Number, Flags, Seen);
        #{} -> throw(unknown)
    end;
back(Number, _, #seen{groups = Groups, open = Open}) ->
    IsKnown = Number >= 1 andalso Number =< Groups
        andalso not lists:member(Number, Open),
    _ = IsKnown orelse throw(unknown),
    {back, Number}.

%% How many characters a sequence of nodes takes.
-spec width([node_()]) -> non_neg_integer().
width(Nodes) -> lists:sum([width_of(Node) || Node <- Nodes]).

-spec width_of(node_()) -> non_neg_integer().
width_of({char, _}) -> 1;
width_of({set, _}) -> 1;
width_of({text, _, Size}) -> Size;
width_of({group, _, Alternatives}) -> width_of({either, Alternatives});
width_of({atomic, Alternatives}) -> width_of({either, Alternatives});
width_of({either, Alternatives}) ->
    case lists:usort([width(Nodes) || Nodes <- Alternatives]) of
        [Width] -> Width;
        _ -> throw(unknown)
    end;
width_of({repeat, Node, Count, Count, _}) -> Count * width_of(Node);
width_of({repeat, _, _, _, _}) -> throw(unknown);
width_of({back, _}) -> throw(unknown);
width_of(_) -> 0.

%% Whether this confuses some releases where nothing is taken back.
%% They keep what an empty group had, even if it was tried in vain,
%% and believe that what comes before an optional group gives nothing back.
-spec may_confuse(node_(), non_neg_integer(), limit()) -> boolean().
may_confuse({char, _}, _, _) -> false;
may_confuse({set, _}, _, _) -> false;
may_confuse(Node, Min, Max) ->
    may_be_empty(Node) orelse Min =:= 0 andalso Max =/= infinity.

-spec may_be_empty(node_()) -> boolean().
may_be_empty({char, _}) -> false;
may_be_empty({text, _, _}) -> false;
may_be_empty({set, _}) -> false;
may_be_empty({group, _, Alternatives}) -> has_empty(Alternatives);
may_be_empty({either, Alternatives}) -> has_empty(Alternatives);
may_be_empty({atomic, Alternatives}) -> has_empty(Alternatives);
may_be_empty({repeat, Node, Min, _, _}) ->
    Min =:= 0 orelse may_be_empty(Node);
may_be_empty(_) -> true.

-spec has_empty(alternatives()) -> boolean().
has_empty(Alternatives) ->
    lists:any(fun(Nodes) -> lists:all(fun may_be_empty/1, Nodes) end,
              Alternatives).

%% Characters that follow each other are one text in a subject of bytes.
-spec merged([node_()], #flags{}) -> [node_()].
merged([{char, C}, {char, D} | Nodes], #flags{unicode = false} = Flags) ->
    {Others, Rest} = lists:splitwith(fun is_char/1, Nodes),
    Bytes = list_to_binary([C, D | [Byte || {char, Byte} <- Others]]),
    [{text, Bytes, byte_size(Bytes)} | merged(Rest, Flags)];
merged([Node | Nodes], Flags) ->
    [single(Node) | merged(Nodes, Flags)];
merged([], _) ->
    [].

-spec is_char(node_()) -> boolean().
is_char({char, _}) -> true;
is_char(_) -> false.

-spec single(node_()) -> node_().
single({char, C}) -> {set, erlconcolic_regex_set:single(C)};
single({repeat, Node, Min, Max, Way}) -> {repeat, single(Node), Min, Max, Way};
single({atomic, [[{repeat, _, _, _, _} = Node]]}) -> {atomic, [[single(Node)]]};
single(Node) -> Node.
