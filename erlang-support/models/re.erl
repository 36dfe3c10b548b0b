%% Regular expressions, matched character by character, so that each decision is
%% whether one character is in a set. What depends on the pattern alone is done
%% by erlconcolic_regex, which is not followed. Patterns and options that it
%% does not understand are left to the real functions.
-module(re).
-export([compile/1, compile/2, run/2, run/3]).
-export([split/2, split/3, replace/3, replace/4]).

%% What is beyond this place is left to the real functions: every character
%% takes events. No input is a binary of more bytes than the second one.
-define(LONGEST, 1000).
-define(LONGEST_BINARY, 65536).

-define(BETWEEN(Low, High), C >= Low, C =< High).

-record(options, {compile = [],
                  global = false,
                  anchored = false,
                  offset = 0,
                  not_empty = never,
                  capture = none_given,
                  type = index,
                  return = iodata,
                  parts = -1,
                  trim = false,
                  group = false}).

%% What a match needs to know. Text is a binary of bytes or a tuple of code
%% points; places are indices in it.
-record(search, {program, groups, names, encoding, anchored, after_empty,
                 split_of_nothing, subject, text,
                 origin = 0, not_empty = never}).

compile(Pattern) -> erlconcolic_regex:compile(Pattern, []).

compile(Pattern, Options) -> erlconcolic_regex:compile(Pattern, Options).

run(Subject, Pattern) ->
    try
        found(Subject, Pattern, #options{})
    catch
        throw:not_understood -> re:run(Subject, Pattern)
    end.

run(Subject, Pattern, Options) ->
    try
        found(Subject, Pattern, options(run, Options, #options{}))
    catch
        throw:not_understood -> re:run(Subject, Pattern, Options)
    end.

split(Subject, Pattern) ->
    try
        pieces(Subject, Pattern, #options{})
    catch
        throw:not_understood -> re:split(Subject, Pattern)
    end.

split(Subject, Pattern, Options) ->
    try
        pieces(Subject, Pattern, options(split, Options, #options{}))
    catch
        throw:not_understood -> re:split(Subject, Pattern, Options)
    end.

replace(Subject, Pattern, New) ->
    try
        replaced(Subject, Pattern, New, #options{})
    catch
        throw:not_understood -> re:replace(Subject, Pattern, New)
    end.

replace(Subject, Pattern, New, Options) ->
    try
        replaced(Subject, Pattern, New, options(replace, Options, #options{}))
    catch
        throw:not_understood -> re:replace(Subject, Pattern, New, Options)
    end.

options(_, [], Taken) ->
    Taken#options{compile = lists:reverse(Taken#options.compile)};
options(For, [Option | Options], Taken) ->
    options(For, Options, option(For, Option, Taken));
options(_, _, _) ->
    throw(not_understood).

option(For, Option, #options{compile = Compile, capture = Capture} = Taken) ->
    case Option of
        anchored -> Taken#options{anchored = true};
        notempty -> Taken#options{not_empty = always};
        {offset, Offset} when is_integer(Offset), Offset >= 0 ->
            Taken#options{offset = Offset};
        global when For =/= split -> Taken#options{global = true};
        {capture, Which} when For =:= run, Capture =:= none_given ->
            Taken#options{capture = Which};
        {capture, Which, Type} when For =:= run, Capture =:= none_given ->
            Taken#options{capture = Which, type = checked_type(Type)};
        {return, Type} when For =/= run ->
            Taken#options{return = checked_return(Type)};
        trim when For =:= split -> Taken#options{parts = -1, trim = true};
        group when For =:= split -> Taken#options{group = true};
        {parts, Parts} when For =:= split -> parts(Parts, Taken);
        _ when is_atom(Option), Option =/= global, Option =/= trim,
               Option =/= group ->
            Taken#options{compile = [Option | Compile]};
        _ -> throw(not_understood)
    end.

checked_type(Type) ->
    case Type of
        index -> Type;
        list -> Type;
        binary -> Type;
        _ -> throw(not_understood)
    end.

checked_return(Type) ->
    case Type of
        iodata -> Type;
        list -> Type;
        binary -> Type;
        _ -> throw(not_understood)
    end.

parts(Parts, Taken) ->
    case Parts of
        infinity -> Taken#options{parts = -1, trim = false};
        0 -> Taken#options{parts = -1, trim = true};
        _ when is_integer(Parts), Parts >= 1 ->
            Taken#options{parts = Parts - 1, trim = false};
        _ -> throw(not_understood)
    end.

%% A pattern and a subject, ready for a search.
search(Subject, Pattern, #options{compile = Compile} = Options) ->
    case erlconcolic_regex:plan(Pattern, Compile) of
        {plan, Program, Groups, Names, Encoding, IsAnchored, Rules} ->
            {AfterEmpty, SplitOfNothing} = Rules,
            #search{program = Program, groups = Groups, names = Names,
                    encoding = Encoding,
                    anchored = IsAnchored orelse Options#options.anchored,
                    after_empty = AfterEmpty,
                    split_of_nothing = SplitOfNothing,
                    not_empty = Options#options.not_empty,
                    subject = known(Subject, Encoding)};
        invalid ->
            error(badarg);
        unknown ->
            throw(not_understood)
    end.

%% A binary, or in Unicode a flat list of code points too.
known(Subject, _) when byte_size(Subject) > ?LONGEST_BINARY ->
    throw(not_understood);
known(Subject, _) when length(Subject) > ?LONGEST -> throw(not_understood);
known(Subject, _) when is_binary(Subject) -> Subject;
known(Subject, bytes) -> iolist_to_binary(Subject);
known(Subject, unicode) ->
    true = are_characters(Subject),
    Subject.

are_characters([]) -> true;
are_characters([C | Rest]) when is_integer(C), C >= 0, C < 16#110000,
                                (C < 16#D800 orelse C > 16#DFFF) ->
    are_characters(Rest);
are_characters([C | _]) when not is_list(C), not is_binary(C) -> error(badarg);
are_characters(_) -> throw(not_understood).

flat(Text) when is_binary(Text) -> Text;
flat(Characters) -> << <<C/utf8>> || C <- Characters >>.

with_text(_, #search{encoding = bytes, subject = Subject} = Search) ->
    Search#search{text = Subject};
with_text(_, #search{subject = Subject} = Search) when is_list(Subject) ->
    Search#search{text = list_to_tuple(Subject)};
with_text(Offset, #search{subject = Subject} = Search) ->
    Characters = checked(decoded(Subject), Offset),
    Search#search{text = list_to_tuple(Characters)}.

decoded(<<>>) ->
    [];
decoded(<<C/utf8, Rest/binary>>) ->
    case decoded(Rest) of
        invalid -> invalid;
        Characters -> [C | Characters]
    end;
decoded(_) ->
    invalid.

%% Whether bytes before an offset must be valid depends on the release.
checked(invalid, 0) -> error(badarg);
checked(invalid, _) -> throw(not_understood);
checked(Decoded, _) -> Decoded.

width(C) when C < 16#80 -> 1;
width(C) when C < 16#800 -> 2;
width(C) when C < 16#10000 -> 3;
width(_) -> 4.

%% The character at a place, or none at the end.
at(_, Place) when Place > ?LONGEST ->
    throw(not_understood);
at(Text, Place) when is_binary(Text) ->
    case Text of
        <<_:Place/binary, Byte, _/binary>> -> Byte;
        _ -> none
    end;
at(Text, Place) when Place < tuple_size(Text) ->
    element(Place + 1, Text);
at(_, _) ->
    none.

%% The first match from a place on: the places of its groups, or nomatch.
first(From, #search{program = Program, groups = Groups} = Search) ->
    Unset = erlang:make_tuple(Groups + 1, unset),
    first(From, Program, Unset, Search#search{origin = From}).

first(From, Program, Unset, #search{anchored = IsAnchored} = Search) ->
    case either(Program, [{accept, From}], From, Unset, Search) of
        fail when IsAnchored ->
            nomatch;
        fail ->
            case at(Search#search.text, From) of
                none -> nomatch;
                _ -> first(From + 1, Program, Unset, Search)
            end;
        {End, Groups} ->
            setelement(1, Groups, {From, End})
    end.

%% Each function of the matcher gets what is left to match, a place, and the
%% groups so far. It returns the end of the match and its groups, or fail.
either([], _, _, _, _) ->
    fail;
either([Nodes | Others], Todo, At, Groups, Search) ->
    case match(Nodes ++ Todo, At, Groups, Search) of
        fail -> either(Others, Todo, At, Groups, Search);
        Matched -> Matched
    end.

match([Node | Todo], At, Groups, Search) ->
    case Node of
        {set, Set} ->
            case is_in(at(Search#search.text, At), Set) of
                true -> match(Todo, At + 1, Groups, Search);
                false -> fail
            end;
        {text, Bytes, Size} ->
            case Search#search.text of
                <<_:At/binary, Bytes:Size/binary, _/binary>> ->
                    match(Todo, At + Size, Groups, Search);
                _ ->
                    fail
            end;
        {repeat, Inner, Min, Max, Way} ->
            repeat(Inner, Min, Max, Way, Todo, At, Groups, Search);
        {again, At, _, _} ->
            match(Todo, At, Groups, Search);
        {again, _, Inner, Way} ->
            repeat(Inner, 0, infinity, Way, Todo, At, Groups, Search);
        {group, Number, Alternatives} ->
            either(Alternatives, [{close, Number, At} | Todo], At, Groups,
                   Search);
        {close, Number, From} ->
            Closed = setelement(Number + 1, Groups, {From, At}),
            match(Todo, At, Closed, Search);
        {either, Alternatives} ->
            either(Alternatives, Todo, At, Groups, Search);
        {back, Number} ->
            back(element(Number + 1, Groups), Todo, At, Groups, Search);
        {accept, From} ->
            accepted(From, At, Groups, Search);
        done ->
            {At, Groups};
        _ ->
            case holds(Node, At, Groups, Search) of
                false -> fail;
                {Place, Matched} -> match(Todo, Place, Matched, Search)
            end
    end.

%% What is decided without what comes behind it.
holds({atomic, Alternatives}, At, Groups, Search) ->
    case either(Alternatives, [done], At, Groups, Search) of
        fail -> false;
        Matched -> Matched
    end;
holds({ahead, Wanted, Alternatives}, At, Groups, Search) ->
    looked(either(Alternatives, [done], At, Groups, Search), Wanted, At,
           Groups);
holds({behind, Wanted, Alternatives}, At, Groups, Search) ->
    looked(behind(Alternatives, At, Groups, Search), Wanted, At, Groups);
holds(Place, At, Groups, Search) ->
    case is_place(Place, At, Search#search.text) of
        true -> {At, Groups};
        false -> false
    end.

looked(fail, false, At, Groups) -> {At, Groups};
looked({_, Matched}, true, At, _) -> {At, Matched};
looked(_, _, _, _) -> false.

behind([], _, _, _) ->
    fail;
behind([{Width, Nodes} | Others], At, Groups, Search) when Width =< At ->
    case match(Nodes ++ [done], At - Width, Groups, Search) of
        fail -> behind(Others, At, Groups, Search);
        Matched -> Matched
    end;
behind([_ | Others], At, Groups, Search) ->
    behind(Others, At, Groups, Search).

is_place(start, At, _) -> At =:= 0;
is_place(stop, At, Text) -> at(Text, At) =:= none;
is_place(line_start, 0, _) -> true;
is_place(line_start, At, Text) ->
    at(Text, At - 1) =:= $\n andalso at(Text, At) =/= none;
is_place(line_end, At, Text) ->
    case at(Text, At) of
        none -> true;
        C -> C =:= $\n
    end;
is_place(last_line_end, At, Text) ->
    case at(Text, At) of
        none -> true;
        $\n -> at(Text, At + 1) =:= none;
        _ -> false
    end;
is_place({edge, Wanted, Word}, At, Text) ->
    Before = At > 0 andalso is_in(at(Text, At - 1), Word),
    (Before =/= is_in(at(Text, At), Word)) =:= Wanted.

%% An empty match may be unwanted.
accepted(From, From, Groups, #search{not_empty = NotEmpty, origin = Origin}) ->
    case NotEmpty of
        never -> {From, Groups};
        at_start when From =/= Origin -> {From, Groups};
        _ -> fail
    end;
accepted(_, At, Groups, _) ->
    {At, Groups}.

%% A round of an endless repetition that matches nothing is the last one.
repeat(_, 0, 0, _, Todo, At, Groups, Search) ->
    match(Todo, At, Groups, Search);
repeat(Inner, 0, Max, greedy, Todo, At, Groups, Search) ->
    Round = [Inner, next(Inner, 0, Max, greedy, At) | Todo],
    case match(Round, At, Groups, Search) of
        fail -> match(Todo, At, Groups, Search);
        Matched -> Matched
    end;
repeat(Inner, 0, Max, lazy, Todo, At, Groups, Search) ->
    case match(Todo, At, Groups, Search) of
        fail ->
            Round = [Inner, next(Inner, 0, Max, lazy, At) | Todo],
            match(Round, At, Groups, Search);
        Matched ->
            Matched
    end;
repeat(Inner, Min, Max, Way, Todo, At, Groups, Search) ->
    Round = [Inner, next(Inner, Min - 1, Max, Way, At) | Todo],
    match(Round, At, Groups, Search).

next(Inner, 0, infinity, Way, At) -> {again, At, Inner, Way};
next(Inner, Min, infinity, Way, _) -> {repeat, Inner, Min, infinity, Way};
next(Inner, Min, Max, Way, _) -> {repeat, Inner, Min, Max - 1, Way}.

back(unset, _, _, _, _) ->
    fail;
back({From, To}, Todo, At, Groups, #search{text = Text} = Search)
  when is_binary(Text) ->
    Size = To - From,
    <<_:From/binary, Bytes:Size/binary, _/binary>> = Text,
    case Text of
        <<_:At/binary, Bytes:Size/binary, _/binary>> ->
            match(Todo, At + Size, Groups, Search);
        _ ->
            fail
    end;
back({From, From}, Todo, At, Groups, Search) ->
    match(Todo, At, Groups, Search);
back({From, To}, Todo, At, Groups, #search{text = Text} = Search) ->
    case at(Text, At) =:= element(From + 1, Text) of
        true -> back({From + 1, To}, Todo, At + 1, Groups, Search);
        false -> fail
    end.

is_in(none, _) ->
    false;
is_in(C, Set) ->
    case Set of
        any -> true;
        {is, Wanted} -> C =:= Wanted;
        {except, Unwanted} -> C =/= Unwanted;
        {in, Ranges} -> is_in_ranges(C, Ranges);
        {not_in, Ranges} -> not is_in_ranges(C, Ranges);
        {unless, First, Last, _} when C >= First, C =< Last ->
            throw(not_understood);
        {unless, _, _, Known} -> is_in(C, Known)
    end.

is_in_ranges(_, []) ->
    false;
is_in_ranges(C, [Ranges | Others]) ->
    case Ranges of
        {L1, H1} when ?BETWEEN(L1, H1) -> true;
        {L1, H1, L2, H2} when ?BETWEEN(L1, H1); ?BETWEEN(L2, H2) -> true;
        {L1, H1, L2, H2, L3, H3, L4, H4}
          when ?BETWEEN(L1, H1); ?BETWEEN(L2, H2); ?BETWEEN(L3, H3);
               ?BETWEEN(L4, H4) -> true;
        {L1, H1, L2, H2, L3, H3, L4, H4, L5, H5, L6, H6, L7, H7, L8, H8, L9, H9,
         LA, HA, LB, HB, LC, HC}
          when ?BETWEEN(L1, H1); ?BETWEEN(L2, H2); ?BETWEEN(L3, H3);
               ?BETWEEN(L4, H4); ?BETWEEN(L5, H5); ?BETWEEN(L6, H6);
               ?BETWEEN(L7, H7); ?BETWEEN(L8, H8); ?BETWEEN(L9, H9);
               ?BETWEEN(LA, HA); ?BETWEEN(LB, HB); ?BETWEEN(LC, HC) -> true;
        _ -> is_in_ranges(C, Others)
    end.

%% The result of run.
found(Subject, Pattern, #options{capture = Capture, type = Type} = Options) ->
    Search = search(Subject, Pattern, Options),
    Which = captured(Capture, Search#search.names),
    Ready = with_text(Options#options.offset, Search),
    From = origin(Options#options.offset, Ready),
    case Options#options.global of
        true -> all_results(all(From, Ready), Which, Type, Ready);
        false -> result(first(From, Ready), Which, Type, Ready)
    end.

all_results([], _, _, _) ->
    nomatch;
all_results(_, none, _, _) ->
    match;
all_results(Matches, Which, Type, Search) ->
    {match, [groups(Match, Which, Type, Search) || Match <- Matches]}.

result(nomatch, _, _, _) ->
    nomatch;
result(_, none, _, _) ->
    match;
result(Match, Which, Type, Search) ->
    {match, groups(Match, Which, Type, Search)}.

%% The index of the character at an offset in bytes.
origin(Offset, #search{encoding = bytes, text = Text}) ->
    case Text of
        <<_:Offset/binary, _/binary>> -> Offset;
        _ -> throw(not_understood)
    end;
origin(0, _) ->
    0;
origin(Offset, #search{text = Text}) ->
    index(Offset, tuple_to_list(Text), 0).

index(0, _, Index) -> Index;
index(Offset, [C | Characters], Index) when Offset > 0 ->
    index(Offset - width(C), Characters, Index + 1);
index(_, _, _) -> throw(not_understood).

%% Which groups are wanted.
captured(none_given, _) -> all;
captured([], _) -> none;
captured(all_names, []) -> none;
captured(all_names, Names) -> [Number || {_, Number} <- Names];
captured(Ids, Names) when is_list(Ids) -> [number(Id, Names) || Id <- Ids];
captured(Which, _) ->
    case Which of
        all -> all;
        first -> [0];
        all_but_first -> all_but_first;
        none -> none;
        _ -> throw(not_understood)
    end.

number(Id, _) when is_integer(Id), Id >= 0 -> Id;
number(Id, Names) when is_atom(Id) -> number(atom_to_binary(Id), Names);
number(Id, Names) when is_binary(Id) ->
    case lists:keyfind(Id, 1, Names) of
        {_, Number} -> Number;
        false -> missing
    end;
number(Id, Names) when is_list(Id) -> number(iolist_to_binary(Id), Names);
number(_, _) -> throw(not_understood).

groups(Match, Which, Type, Search) ->
    Places = case Which of
                 all -> up_to_last(tuple_to_list(Match));
                 all_but_first -> tl(up_to_last(tuple_to_list(Match)));
                 Numbers -> [group(Number, Match) || Number <- Numbers]
             end,
    [part(Place, Type, Search) || Place <- Places].

group(Number, Match) when is_integer(Number), Number < tuple_size(Match) ->
    element(Number + 1, Match);
group(_, _) ->
    unset.

%% Without the unset groups at the end.
up_to_last([]) -> [];
up_to_last([Place | Places]) ->
    case up_to_last(Places) of
        [] when Place =:= unset -> [];
        Others -> [Place | Others]
    end.

part(unset, index, _) -> {-1, 0};
part(unset, list, _) -> [];
part(unset, binary, _) -> <<>>;
part({From, To}, list, #search{encoding = unicode, text = Text}) ->
    characters(From, To, Text);
part({From, To}, binary, #search{encoding = unicode, text = Text}) ->
    flat(characters(From, To, Text));
part(Place, Type, #search{subject = Subject, text = Text}) ->
    {Start, Size} = in_bytes(Place, Text),
    case Type of
        index -> {Start, Size};
        binary -> binary_part(Subject, Start, Size);
        list -> binary_to_list(binary_part(Subject, Start, Size))
    end.

characters(From, To, Text) ->
    [element(Index, Text) || Index <- lists:seq(From + 1, To)].

in_bytes({From, To}, Text) when is_binary(Text) ->
    {From, To - From};
in_bytes({From, To}, Text) ->
    {widths(0, From, Text), widths(From, To, Text)}.

widths(From, To, Text) ->
    lists:sum([width(C) || C <- characters(From, To, Text)]).

%% All matches from a place on.
all(From, Search) ->
    case first(From, Search) of
        nomatch ->
            [];
        Match ->
            case element(1, Match) of
                {At, At} -> [Match | after_empty(At, From, Search)];
                {_, End} -> [Match | all(End, Search)]
            end
    end.

%% A longer match at the place of an empty one is a match of its own.
after_empty(At, From, #search{after_empty = skip} = Search) when At > From ->
    all_behind(At, Search);
after_empty(At, _, #search{not_empty = NotEmpty} = Search) ->
    Unwanted = case NotEmpty of
                   always -> always;
                   _ -> at_start
               end,
    Here = Search#search{anchored = true, not_empty = Unwanted},
    case first(At, Here) of
        nomatch ->
            all_behind(At, Search);
        Match ->
            {_, End} = element(1, Match),
            [Match | all(End, Search)]
    end.

all_behind(At, #search{text = Text} = Search) ->
    case at(Text, At) of
        none -> [];
        _ -> all(At + 1, Search)
    end.

%% All matches as places in bytes, or the first one.
matches(#options{global = IsGlobal, offset = Offset}, Search) ->
    Ready = with_text(Offset, Search),
    From = origin(Offset, Ready),
    Matches = case IsGlobal of
                  true -> all(From, Ready);
                  false -> [Match || Match <- [first(From, Ready)],
                                     Match =/= nomatch]
              end,
    [groups(Match, all, index, Ready) || Match <- Matches].

%% The result of split.
pieces(Subject, Pattern, Options) ->
    #options{parts = Parts, trim = Trim, group = Group, return = Return} =
        Options,
    Search = search(Subject, Pattern, Options),
    #search{groups = Groups, encoding = Encoding} = Search,
    Flat = flat(Search#search.subject),
    Global = Options#options{global = true},
    case is_nothing(Search) orelse matches(Global, Search) of
        true ->
            [];
        [] ->
            shown_pieces([[Flat]], Group, Return, Encoding);
        Matches ->
            Cut = cut(Flat, 0, Matches, Groups, Parts),
            Kept = case Trim of
                       true -> trimmed(Cut, Group);
                       false -> Cut
                   end,
            shown_pieces(Kept, Group, Return, Encoding)
    end.

%% Some releases split an empty subject into nothing.
is_nothing(#search{split_of_nothing = [], subject = Subject}) ->
    Subject =:= <<>> orelse Subject =:= [];
is_nothing(_) -> false.

%% Pieces, each with the groups of the match behind it.
cut(Flat, From, [Match | Matches], Groups, Parts)
  when Parts =/= 0, From < byte_size(Flat) ->
    [{Start, Size} | Places] = Match,
    case Start =:= From andalso Size =:= 0 andalso are_empty(Places) of
        true ->
            cut(Flat, From, Matches, Groups, Parts);
        false ->
            Piece = binary_part(Flat, From, Start - From),
            Parted = [Piece | group_parts(Flat, Places, Groups)],
            [Parted | cut(Flat, Start + Size, Matches, Groups, Parts - 1)]
    end;
cut(Flat, From, _, _, _) ->
    [[binary_part(Flat, From, byte_size(Flat) - From)]].

are_empty(Places) -> lists:all(fun({_, Size}) -> Size =:= 0 end, Places).

group_parts(_, _, 0) -> [];
group_parts(Flat, [], Groups) -> [<<>> | group_parts(Flat, [], Groups - 1)];
group_parts(Flat, [{-1, 0} | Places], Groups) ->
    [<<>> | group_parts(Flat, Places, Groups - 1)];
group_parts(Flat, [{Start, Size} | Places], Groups) ->
    Part = binary_part(Flat, Start, Size),
    [Part | group_parts(Flat, Places, Groups - 1)].

trimmed(Cut, true) ->
    without_last(Cut, fun(Parted) -> without_last_empty(Parted) =:= [] end);
trimmed(Cut, false) ->
    [without_last_empty(lists:append(Cut))].

without_last_empty(Pieces) ->
    without_last(Pieces, fun(Piece) -> Piece =:= <<>> end).

without_last([], _) -> [];
without_last([Element | Elements], IsUnwanted) ->
    case without_last(Elements, IsUnwanted) of
        [] ->
            case IsUnwanted(Element) of
                true -> [];
                false -> [Element]
            end;
        Others ->
            [Element | Others]
    end.

shown_pieces(Cut, true, Return, Encoding) ->
    [[shown(Piece, Return, Encoding) || Piece <- Parted] || Parted <- Cut];
shown_pieces(Cut, false, Return, Encoding) ->
    [shown(Piece, Return, Encoding) || Piece <- lists:append(Cut)].

shown(Piece, list, bytes) -> binary_to_list(Piece);
shown(Piece, list, unicode) -> checked(decoded(Piece), 1);
shown(Piece, _, _) -> Piece.

%% The result of replace.
replaced(_, _, New, _) when is_function(New) ->
    throw(not_understood);
replaced(Subject, Pattern, New, #options{return = Return} = Options) ->
    Search = search(Subject, Pattern, Options),
    #search{encoding = Encoding} = Search,
    Flat = flat(Search#search.subject),
    Template = template(flat(known(New, Encoding))),
    case matches(Options, Search) of
        [] when Return =:= iodata ->
            Subject;
        [] ->
            shown(Flat, Return, Encoding);
        Matches ->
            Parts = filled(Flat, 0, Matches, Template),
            case Return of
                iodata -> Parts;
                _ -> shown(iolist_to_binary(Parts), Return, Encoding)
            end
    end.

%% Texts and numbers of groups.
template(<<>>) ->
    [];
template(<<"\\g{", Rest/binary>>) when Rest =/= <<>> ->
    case digits(Rest) of
        {[_ | _] = Digits, <<"}", Behind/binary>>} ->
            [list_to_integer(Digits) | template(Behind)];
        _ ->
            throw(not_understood)
    end;
template(<<"\\g", Rest/binary>>) when Rest =/= <<>> ->
    numbered(Rest);
template(<<"\\", Rest/binary>>) when Rest =/= <<>> ->
    case Rest of
        <<Digit, _/binary>> when Digit >= $1, Digit =< $9 -> numbered(Rest);
        <<Byte, Behind/binary>> -> with_byte(Byte, template(Behind))
    end;
template(<<"&", Rest/binary>>) ->
    [0 | template(Rest)];
template(<<Byte, Rest/binary>>) ->
    with_byte(Byte, template(Rest)).

numbered(Text) ->
    case digits(Text) of
        {[], _} -> throw(not_understood);
        {Digits, Rest} -> [list_to_integer(Digits) | template(Rest)]
    end.

digits(<<Digit, Rest/binary>>) when Digit >= $0, Digit =< $9 ->
    {Digits, Behind} = digits(Rest),
    {[Digit | Digits], Behind};
digits(Text) ->
    {[], Text}.

with_byte(Byte, [Text | Template]) when is_binary(Text) ->
    [<<Byte, Text/binary>> | Template];
with_byte(Byte, Template) ->
    [<<Byte>> | Template].

filled(Flat, From, [], _) when From =:= byte_size(Flat) ->
    [];
filled(Flat, From, [], _) ->
    binary_part(Flat, From, byte_size(Flat) - From);
filled(Flat, From, [[{Start, Size} | _] = Match | Matches], Template) ->
    New = filled_template(Flat, Template, list_to_tuple(Match)),
    Filled = [New | filled(Flat, Start + Size, Matches, Template)],
    case Start > From of
        true -> [binary_part(Flat, From, Start - From) | Filled];
        false -> Filled
    end.

filled_template(_, [Text], _) when is_binary(Text) ->
    Text;
filled_template(Flat, Template, Match) ->
    [filled_part(Flat, Part, Match) || Part <- Template].

filled_part(Flat, Number, Match) when is_integer(Number) ->
    case Number < tuple_size(Match) andalso element(Number + 1, Match) of
        {Start, Size} when Start >= 0 -> binary_part(Flat, Start, Size);
        _ -> <<>>
    end;
filled_part(_, Text, _) ->
    Text.
