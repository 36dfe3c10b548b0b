%%% The names of functions in instrumented code. The body of `f/1' is called
%%% `@f', that of a test `@f_test@', so that EUnit does not take it for another
%%% test. A part of a large body is called `@f/1@7', and the function that calls
%%% of a built-in share `@!erlang:+'. A fun in a body is called
%%% `-@f/1-@fun7/0-0-'; what raises `function_clause' in a part is called
%%% `-inlined-f/1-'. The loop around a receive is called `-@f/1-@again3/0-1-',
%%% or `-@f/1-@tail_again3/0-1-' if nothing of `f/1' comes after it.
-module(erlconcolic_names).

-export([original/2, body_of/1, is_shared/1, receive_in/1]).

%% Whether calls of a built-in share this function.
-spec is_shared(atom()) -> boolean().
is_shared(Name) ->
    lists:prefix("@!", atom_to_list(Name)).

%% The original name, and the arity or arguments, of a function on the stack.
-spec original(atom(), arity() | [term()]) -> {atom(), arity() | [term()]}.
original(Name, Args) ->
    case atom_to_list(Name) of
        "@" ++ Body -> of_body(Body, Args);
        "-@" ++ Fun -> {list_to_atom([$- | of_fun(Fun)]), Args};
        "-inlined-" ++ Raising -> {of_raising(Raising, Name), Args};
        _ -> {Name, Args}
    end.

%% The function of a receive if this is the name of its loop. That function is
%% on the stack below, unless the receive is the last thing it does.
-spec receive_in(atom()) -> {last | inner, atom(), arity()} | no.
receive_in(Name) ->
    case atom_to_list(Name) of
        "-@" ++ Text -> receive_in_text(Text);
        _ -> no
    end.

%% As the regular expression (.*)/([0-9]+)-@(tail_)?again[0-9]+/[0-9]+-[0-9]+-
%% would. It is asked in every run that ends in a deadlock, so it is quick.
-spec receive_in_text(string()) -> {last | inner, atom(), arity()} | no.
receive_in_text(Text) ->
    case before_numbers("--/", lists:reverse(Text)) of
        "niaga" ++ "_liat@-" ++ Rest -> receive_in_body(last, Rest);
        "niaga" ++ "@-" ++ Rest -> receive_in_body(inner, Rest);
        _ -> no
    end.

%% What comes before numbers with these characters behind them, all from
%% right to left.
-spec before_numbers([char()], string()) -> string() | no.
before_numbers([], Text) ->
    Text;
before_numbers([Char | Chars], [Char | Text]) ->
    case split_number(Text) of
        {[_ | _], Rest} -> before_numbers(Chars, Rest);
        _ -> no
    end;
before_numbers(_Chars, _Text) ->
    no.

-spec split_number(string()) -> {Digits :: string(), string()}.
split_number(Text) ->
    lists:splitwith(fun(Char) -> Char >= $0 andalso Char =< $9 end, Text).

%% The name of a body and its arity, from right to left.
-spec receive_in_body(last | inner, string()) ->
    {last | inner, atom(), arity()} | no.
receive_in_body(Place, Text) ->
    case split_number(Text) of
        {[_ | _] = Arity, [$/ | Body]} ->
            receive_in(Place, lists:reverse(Body), lists:reverse(Arity));
        _ ->
            no
    end.

-spec receive_in(last | inner, string(), string()) ->
    {last | inner, atom(), arity()}.
receive_in(Place, Body, Arity) ->
    {Function, OfFunction} = of_body(Body, list_to_integer(Arity)),
    {Place, Function, OfFunction}.

%% The original name of a function if this is the name of its body.
-spec body_of(atom()) -> {ok, atom()} | no_body.
body_of(Name) ->
    case atom_to_list(Name) of
        "@!" ++ _ ->
            no_body;
        "@" ++ Body ->
            case part_of(Body) of
                {ok, _, _} -> no_body;
                error -> {ok, list_to_atom(without_mark(Body))}
            end;
        _ ->
            no_body
    end.

-spec of_body(string(), arity() | [term()]) -> {atom(), arity() | [term()]}.
of_body(Body, Args) ->
    case part_of(Body) of
        {ok, Name, Arity} ->
            {list_to_atom(without_mark(Name)), of_part(Args, Arity)};
        error ->
            {list_to_atom(without_mark(Body)), Args}
    end.

%% A part has other arguments than its function, but a list is that of the
%% program: it comes from erlang:error/2.
-spec of_part(arity() | [term()], arity()) -> arity() | [term()].
of_part(Args, _Arity) when is_list(Args) -> Args;
of_part(_OfPart, Arity) -> Arity.

%% `f/1@7' is a part of `f/1'.
-spec part_of(string()) -> {ok, string(), arity()} | error.
part_of(Text) ->
    case split_number(lists:reverse(Text)) of
        {[_ | _], [$@ | Rest]} -> part_of_function(split_number(Rest));
        _ -> error
    end.

%% The name and the arity of a function, from right to left.
-spec part_of_function({string(), string()}) ->
    {ok, string(), arity()} | error.
part_of_function({[_ | _] = Arity, [$/ | Name]}) ->
    {ok, lists:reverse(Name), list_to_integer(lists:reverse(Arity))};
part_of_function(_) ->
    error.

-spec without_mark(string()) -> string().
without_mark(Name) ->
    case lists:suffix("_test@", Name) orelse lists:suffix("_test_@", Name) of
        true -> lists:droplast(Name);
        false -> Name
    end.

%% `f/1@7/3-fun-0-' is a fun of `f/1', as are `f/1-@fun7/0-0-' and
%% `f_test@/0-fun-0-'.
-spec of_fun(string()) -> string().
of_fun(Text) ->
    Steps = [{"^(.*?/[0-9]+)@[0-9]+/[0-9]+-", "\\1-"},
             {"^(.*?_test_?)@/", "\\1/"},
             {"@", ""}],
    lists:foldl(fun({Pattern, New}, Old) ->
                        re:replace(Old, Pattern, New,
                                   [unicode, dotall, {return, list}])
                end, Text, Steps).

-spec of_raising(string(), atom()) -> atom().
of_raising(Text, Name) ->
    case re:run(Text, "^(.*)/[0-9]+-$",
                [unicode, dotall, {capture, all_but_first, list}]) of
        {match, [Original]} -> list_to_atom(Original);
        nomatch -> Name
    end.
