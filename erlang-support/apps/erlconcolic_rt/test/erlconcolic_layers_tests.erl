%%% Checks how modules of an application depend on each other: by calls, by funs
%%% and by types. Dependencies go one way, without circles.
-module(erlconcolic_layers_tests).

-include_lib("eunit/include/eunit.hrl").

%% The folders of the sources. Each may use itself and those after it.
-define(FOLDERS, ["helper", "cluster", "run", "runtime", "machine"]).

no_circles_test_() ->
    [{timeout, 60,
      {atom_to_list(Application),
       fun() -> ?assertEqual([], circles(dependencies(Application))) end}}
     || Application <- [erlconcolic_rt, rebar3_erlconcolic]].

no_calls_from_lower_folders_to_higher_ones_test_() ->
    {timeout, 60,
     fun() ->
             Levels = maps:map(fun(_, Beam) -> level(folder(Beam)) end,
                               beams(erlconcolic_rt)),
             Upward = [{From, To}
                       || {From, To} <- dependencies(erlconcolic_rt),
                          map_get(From, Levels) > map_get(To, Levels)],
             ?assertEqual([], Upward)
     end}.

finds_circles_test_() ->
    [?_assertEqual(Expected, circles(Dependencies))
     || {Dependencies, Expected} <-
            [{[{a, b}, {b, c}, {a, c}], []},
             {[{a, b}, {b, a}, {b, c}], [[a, b]]},
             {[{a, b}, {b, c}, {c, a}, {d, a}], [[a, b, c]]}]].

finds_all_kinds_of_dependencies_test_() ->
    [?_assertEqual([other], used(forms(Text)))
     || Text <- ["f() -> other:g().",
                 "f() -> fun other:g/0.",
                 "-import(other, [g/0]).",
                 "-type t() :: [other:t()].",
                 "-spec f() -> other:t().",
                 "-record(r, {f :: other:t()}).",
                 "f() -> {extfunc, other, g, 0}."]].

circles(Dependencies) ->
    Graph = digraph:new(),
    [begin
         digraph:add_vertex(Graph, From),
         digraph:add_vertex(Graph, To),
         digraph:add_edge(Graph, From, To)
     end || {From, To} <- Dependencies],
    Circles = digraph_utils:cyclic_strong_components(Graph),
    true = digraph:delete(Graph),
    lists:sort(lists:map(fun lists:sort/1, Circles)).

dependencies(Application) ->
    Beams = beams(Application),
    [{From, To} || {From, Beam} <- maps:to_list(Beams),
                   To <- used(abstract_code(Beam)),
                   To =/= From, is_map_key(To, Beams)].

%% The files, because erlconcolic_emit_fast may have replaced a module.
beams(Application) ->
    Ebin = filename:join(code:lib_dir(Application), "ebin"),
    [_, _ | _] = Files = filelib:wildcard(filename:join(Ebin, "*.beam")),
    maps:from_list([{list_to_atom(filename:basename(File, ".beam")), File}
                    || File <- Files]).

level(Folder) ->
    true = lists:member(Folder, ?FOLDERS),
    length(lists:takewhile(fun(Name) -> Name =/= Folder end, ?FOLDERS)).

folder(Beam) ->
    {ok, {_, [{compile_info, Info}]}} = beam_lib:chunks(Beam, [compile_info]),
    filename:basename(filename:dirname(proplists:get_value(source, Info))).

abstract_code(Beam) ->
    {ok, {_, [{abstract_code, {_, Forms}}]}} =
        beam_lib:chunks(Beam, [abstract_code]),
    Forms.

forms(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text),
    {ok, Form} = erl_parse:parse_form(Tokens),
    [Form].

%% The modules that are named in forms.
used({remote, _, {atom, _, Module}, _}) ->
    [Module];
used({'fun', _, {function, {atom, _, Module}, _, _}}) ->
    [Module];
used({remote_type, _, [{atom, _, Module}, _, Arguments]}) ->
    lists:usort([Module | used(Arguments)]);
used({attribute, _, import, {Module, _}}) ->
    [Module];
used({tuple, _, [{atom, _, extfunc}, {atom, _, Module} | _]}) ->
    [Module];
used(Tuple) when is_tuple(Tuple) ->
    used(tuple_to_list(Tuple));
used([First | Rest]) ->
    lists:usort(used(First) ++ used(Rest));
used(_) ->
    [].
