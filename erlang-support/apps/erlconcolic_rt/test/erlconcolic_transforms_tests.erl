%%% Tests of files that need parse transforms of their own project. Modules
%%% are loaded into this node, so each test has names of its own.
-module(erlconcolic_transforms_tests).

-include_lib("eunit/include/eunit.hrl").

-import(erlconcolic_fixture,
        [in_folder/2, configure/1, to_core/2, unique_name/1]).

compiles_a_transform_beside_the_file_test() ->
    Transform = unique_name("erlconcolic_pt"),
    Files = [{"a.erl", user("a", Transform)},
             {Transform ++ ".erl", transform(Transform, "changed")}],
    in_folder(Files, fun(Folder) ->
        check_changed(filename:join(Folder, "a.erl"),
                      erlconcolic_project:new())
    end).

compiles_transforms_named_in_erl_opts_test() ->
    [One, Two] = [unique_name("erlconcolic_pt") || _ <- [1, 2]],
    Files = [{"rebar.config",
              ["{erl_opts, [{d, 'MARK', changed}, {parse_transform, ", One,
               "}, {parse_transform, ", Two, "}]}."]},
             {"src/a.erl", module("a")},
             {"src/" ++ One ++ ".erl", transform(One, "original")},
             {"src/" ++ Two ++ ".erl", transform(Two, "?MARK")}],
    in_folder(Files, fun(Folder) ->
        Sources = [filename:join([Folder, "src", Name ++ ".erl"])
                   || Name <- ["a", One, Two]],
        Context = configure(Sources),
        check_changed(hd(Sources), Context),
        [?assertMatch({ok, _}, to_core(Source, Context)) || Source <- Sources]
    end).

compiles_a_transform_of_another_application_test() ->
    Transform = unique_name("erlconcolic_pt"),
    Files = [{"rebar.config", "{erl_opts, [{d, 'MARK', changed}]}."},
             {"apps/one/src/a.erl", user("a", Transform)},
             {"apps/two/src/deep/" ++ Transform ++ ".erl",
              transform(Transform, "?MARK")}],
    in_folder(Files, fun(Folder) ->
        File = filename:join(Folder, "apps/one/src/a.erl"),
        check_changed(File, configure([File]))
    end).

compiles_modules_that_a_transform_calls_test() ->
    Transform = unique_name("erlconcolic_pt"),
    Helper = unique_name("erlconcolic_helper"),
    Files = [{"a.erl", user("a", Transform)},
             {Transform ++ ".erl", transform(Transform, Helper ++ ":mark()")},
             {Helper ++ ".erl", ["-module(", Helper, ").\n-export([mark/0]).\n"
                                 "mark() -> changed.\n"]}],
    in_folder(Files, fun(Folder) ->
        check_changed(filename:join(Folder, "a.erl"),
                      erlconcolic_project:new())
    end).

compiles_the_transform_of_a_transform_test() ->
    [Outer, Inner] = [unique_name("erlconcolic_pt") || _ <- [1, 2]],
    Files = [{"a.erl", user("a", Outer)},
             {Outer ++ ".erl", ["-compile({parse_transform, ", Inner, "}).\n",
                                transform(Outer, "original")]},
             {Inner ++ ".erl", transform(Inner, "changed")}],
    in_folder(Files, fun(Folder) ->
        check_changed(filename:join(Folder, "a.erl"),
                      erlconcolic_project:new())
    end).

transforms_that_need_each_other_are_an_error_test() ->
    [Egg, Hen] = [unique_name("erlconcolic_pt") || _ <- [1, 2]],
    Files = [{"a.erl", user("a", Egg)},
             {Egg ++ ".erl", ["-compile({parse_transform, ", Hen, "}).\n",
                              transform(Egg, "changed")]},
             {Hen ++ ".erl", ["-compile({parse_transform, ", Egg, "}).\n",
                              transform(Hen, "changed")]}],
    in_folder(Files, fun(Folder) ->
        {error, [{error, Path, 0, 0, Text}]} =
            to_core(filename:join(Folder, "a.erl"), erlconcolic_project:new()),
        ?assertEqual(list_to_binary(filename:join(Folder, Hen ++ ".erl")),
                     Path),
        ?assertEqual(list_to_binary(["undefined parse transform '", Egg, "'"]),
                     Text)
    end).

missing_transform_is_a_compiler_error_test() ->
    in_folder([{"a.erl", user("a", "erlconcolic_no_such_pt")}], fun(Folder) ->
        File = filename:join(Folder, "a.erl"),
        ?assertEqual({error, [{error, list_to_binary(File), 0, 0,
                               <<"undefined parse transform "
                                 "'erlconcolic_no_such_pt'">>}]},
                     to_core(File, erlconcolic_project:new()))
    end).

errors_in_a_transform_are_reported_in_its_file_test() ->
    Transform = unique_name("erlconcolic_pt"),
    Files = [{"a.erl", user("a", Transform)},
             {"b.erl", user("b", Transform)},
             {Transform ++ ".erl", ["-module(", Transform, ").\nx(\n"]}],
    in_folder(Files, fun(Folder) ->
        Path = list_to_binary(filename:join(Folder, Transform ++ ".erl")),
        Results = [to_core(filename:join(Folder, Name),
                           erlconcolic_project:new())
                   || Name <- ["a.erl", "b.erl"]],
        ?assertMatch([{error, [{error, Path, 2, _, _} | _] = Messages},
                      {error, Messages}], Results)
    end).

crash_of_a_transform_is_an_error_test() ->
    Transform = unique_name("erlconcolic_pt"),
    Files = [{"a.erl", user("a", Transform)},
             {Transform ++ ".erl", transform(Transform, "exit(my_reason)")}],
    in_folder(Files, fun(Folder) ->
        {error, [{error, _, 0, 0, Text}]} =
            to_core(filename:join(Folder, "a.erl"), erlconcolic_project:new()),
        ?assertNotEqual(nomatch, string:find(Text, "error in parse transform")),
        ?assertNotEqual(nomatch, string:find(Text, "my_reason"))
    end).

%% The transform counts how often it is loaded.
is_compiled_once_for_many_files_at_once_test() ->
    Transform = unique_name("erlconcolic_pt"),
    Loads = list_to_atom(Transform),
    Loads = ets:new(Loads, [named_table, public]),
    true = ets:insert(Loads, {loads, 0}),
    Names = ["a" ++ integer_to_list(N) || N <- lists:seq(1, 20)],
    Files = [{Transform ++ ".erl",
              [transform(Transform, "changed", "-on_load(count/0).\n"),
               "count() -> ets:update_counter(?MODULE, loads, 1), ok.\n"]}
             | [{Name ++ ".erl", user(Name, Transform)} || Name <- Names]],
    in_folder(Files, fun(Folder) ->
        ok = erlconcolic_fixture:start_transforms(),
        Context = erlconcolic_project:new(),
        Processes = [spawn_monitor(
                         fun() ->
                             File = filename:join(Folder, Name ++ ".erl"),
                             check_changed(File, Context)
                         end) || Name <- Names],
        [receive {'DOWN', Monitor, process, Pid, Reason} ->
             ?assertEqual(normal, Reason)
         end || {Pid, Monitor} <- Processes],
        ?assertEqual([{loads, 1}], ets:lookup(Loads, loads))
    end).

-spec check_changed(string(), erlconcolic_project:context()) -> ok.
check_changed(File, Context) ->
    {ok, #{core := Core, warnings := []}} = to_core(File, Context),
    ?assertNotEqual(nomatch, binary:match(Core, <<"'changed'">>)),
    ok.

-spec module(string()) -> iolist().
module(Name) ->
    ["-module(", Name, ").\n-export([f/0]).\nf() -> original.\n"].

-spec user(string(), string()) -> iolist().
user(Name, Transform) ->
    ["-compile({parse_transform, ", Transform, "}).\n", module(Name)].

%% Replaces the atom `original' by the value of an expression.
-spec transform(string(), string()) -> iolist().
transform(Name, Expression) ->
    transform(Name, Expression, "").

-spec transform(string(), string(), string()) -> iolist().
transform(Name, Expression, Attributes) ->
    ["-module(", Name, ").\n-export([parse_transform/2]).\n", Attributes,
     "parse_transform(Forms, _) -> [change(Form) || Form <- Forms].\n"
     "change({atom, Anno, Atom}) ->\n"
     "    case atom_to_list(Atom) of\n"
     "        \"original\" -> {atom, Anno, ", Expression, "};\n"
     "        _ -> {atom, Anno, Atom}\n"
     "    end;\n"
     "change(Term) when is_tuple(Term) ->\n"
     "    list_to_tuple(change(tuple_to_list(Term)));\n"
     "change([Head | Tail]) -> [change(Head) | change(Tail)];\n"
     "change(Term) -> Term.\n"].
