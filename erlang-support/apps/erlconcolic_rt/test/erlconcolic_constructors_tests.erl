%%% Tests of the calls that make values of opaque types. Most are about the type
%%% t/0 or t/1 of a module a, and show the calls as text.
-module(erlconcolic_constructors_tests).

-include_lib("eunit/include/eunit.hrl").

-import(erlconcolic_fixture, [in_folder/2]).

finds_functions_that_return_the_type_test_() ->
    [{Spec, ?_assertEqual(Expected, calls(["-opaque t() :: x.\n", Spec]))}
     || {Spec, Expected} <-
            [{"-spec f() -> t().\nf() -> x.", ["f/0"]},
             {"-spec f() -> a:t().\nf() -> x.", ["f/0"]},
             {"-spec f() -> X when X :: t().\nf() -> x.", ["f/0"]},
             {"-spec f() -> {ok, t()} | {error, term()}.\nf() -> x.",
              ["ok f/0"]},
             {"-type r() :: {ok, t()}.\n-spec f() -> r().\nf() -> x.",
              ["ok f/0"]},
             {"-spec f() -> t() | no_return().\nf() -> x.", ["f/0"]},
             {"-spec f() -> any().\nf() -> x.", []},
             {"-spec f() -> t() | any().\nf() -> x.", []},
             {"-spec f() -> [t()].\nf() -> x.", []},
             {"-spec f() -> {t(), integer()}.\nf() -> x.", []},
             {"-spec f(a) -> t(); (b) -> c.\nf(_) -> x.", ["f/1"]},
             {"f() -> x.", []}]].

says_what_else_they_return_test() ->
    Text = "-opaque t() :: x.\n"
           "-spec f() -> t() | false | [] | {error, a, b}.\nf() -> x.\n",
    ?assertMatch(#{excluded := [{_, [{atom, false}, nil,
                                     {tagged, error, 3}]}]},
                 types(Text, "t()")).

private_functions_make_no_values_test() ->
    Files = [{"a.erl", "-module(a).\n-export([g/1]).\n-export_type([t/0]).\n"
                       "-opaque t() :: x.\n-spec f() -> t().\nf() -> x.\n"
                       "-spec g(t()) -> ok.\ng(_) -> f(), ok.\n"}],
    ?assertMatch(#{types := [[]], unmade := [<<"a:t/0">>]},
                 types_in(Files, {g, 1})).

parameters_have_the_wanted_types_test_() ->
    Text = "-opaque t(X) :: [X].\n"
           "-spec new() -> t(none()).\nnew() -> [].\n"
           "-spec put(X, t(X)) -> t(X) when X :: term().\n"
           "put(X, T) -> [X | T].\n",
    [?_assertMatch(#{types := [[{tuple, [1]}, {tuple, [2, 3, 0]}],
                               [{atom, _}], [{atom, _}], [{atom, b}]]},
                   types(Text, "t(b)")),
     ?_assertMatch(#{types := [[{tuple, [1]}, {tuple, [2, 3, 0]}],
                               [{atom, _}], [{atom, _}], [any]]},
                   types(Text, "t(_)"))].

restricted_parameters_stay_restricted_test() ->
    Text = "-opaque t(X) :: [X].\n"
           "-spec new(X) -> t(X) when X :: b.\nnew(X) -> [X].\n",
    ?assertMatch(#{types := [[{tuple, [1, 2]}], [{atom, _}], [{atom, b}]]},
                 types(Text, "t(c)")).

funs_are_left_out_if_others_do_test_() ->
    New = "-opaque t() :: x.\n-spec new(fun(() -> a)) -> t().\nnew(_) -> x.\n",
    Other = "-spec make(a) -> t().\nmake(_) -> x.\n",
    [?_assertEqual(["new/1"], calls(New)),
     ?_assertEqual(["make/1"], calls([New, Other]))].

values_that_need_themselves_cannot_be_made_test() ->
    Text = "-opaque t() :: x.\n-spec next(t()) -> t().\nnext(T) -> T.\n",
    ?assertMatch(#{types := [[]], unmade := [<<"a:t/0">>]}, types(Text, "t()")).

values_of_other_opaque_types_are_made_test() ->
    ?assertMatch(#{unmade := []},
                 types("-opaque t() :: x.\n"
                       "-spec new(queue:queue(a)) -> t().\nnew(_) -> x.\n",
                       "t()")).

types_of_otp_can_be_made_test_() ->
    [{Type, ?_assertMatch(#{unmade := [], types := [[{tuple, _} | _] | _]},
                          types("", Type))}
     || Type <- ["queue:queue(a)", "gb_sets:set(a)", "gb_trees:tree()",
                 "gb_trees:iter()", "array:array(a)", "dict:dict(a, b)",
                 "sets:set(a)", "digraph:graph()", "erl_anno:anno()",
                 "counters:counters_ref()", "ets:tid()"]].

%% Functions without another argument may end the life of the value.
values_with_a_state_are_changed_test_() ->
    Functions = "-spec new() -> t().\nnew() -> ets:new(a, []).\n"
                "-spec add(t(), a) -> ok.\nadd(T, X) -> store(T, X), ok.\n"
                "store(T, X) -> ets:insert(T, {X}).\n"
                "-spec look(t(), a) -> [a].\nlook(T, X) -> ets:lookup(T, X).\n"
                "-spec delete(t()) -> true.\ndelete(T) -> ets:delete(T).\n"
                "-spec reset(t()) -> ok.\nreset(T) -> add(T, a).\n",
    [?_assertEqual(["new/0", "effect1 add/2"],
                   calls(["-opaque t() :: ets:tid().\n", Functions])),
     ?_assertEqual(["new/0"], calls(["-opaque t() :: term().\n", Functions]))].

%% The functions that make values of t(), in the order of the types.
calls(Text) ->
    #{types := [Alternatives | _] = Types} = types(Text, "t()"),
    [call([lists:nth(Id + 1, Types) || Id <- Ids])
     || {tuple, Ids} <- Alternatives].

call([[{atom, Tag}] | Arguments]) ->
    ["$erlconcolic_" ++ Kind, "a", Function] =
        string:split(atom_to_list(Tag), "\x{1f}", all),
    lists:append([case Kind of "value" -> ""; _ -> Kind ++ " " end,
                  Function, "/", integer_to_list(length(Arguments))]).

types(Text, Type) ->
    Lines = ["-module(a).\n-compile([export_all, nowarn_export_all]).\n", Text,
             "\n-spec entry(", Type, ") -> ok.\nentry(_) -> ok.\n"],
    types_in([{"a.erl", Lines}], {entry, 1}).

types_in(Files, Function) ->
    ok = erlconcolic_fixture:start_transforms(),
    in_folder(Files, fun(Folder) ->
        File = unicode:characters_to_binary(filename:join(Folder, "a.erl")),
        Request = #{path => File, functions => [Function], sources => [File],
                    opaque => recipes},
        [Types] = erlconcolic_types:types(Request, erlconcolic_project:new()),
        Types
    end).
