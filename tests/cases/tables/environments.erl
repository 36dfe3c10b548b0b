%% Variables in the environments of applications.
-module(environments).
-export([put_and_got/1, default/1, other_application/2, unset/1, in_server/1,
         set_by_other/1, name_of_input/2, options/1, clean_defaults/2,
         clean_race/1, clean_unset/1]).

%% finds: error limit
-spec put_and_got(integer()) -> ok.
put_and_got(N) ->
    application:set_env(shop, limit, N * 2),
    case application:get_env(shop, limit) of
        {ok, 84} -> error(limit);
        {ok, _} -> ok
    end.

%% finds: error default
-spec default(integer()) -> ok.
default(N) ->
    case application:get_env(shop, colour, N) of
        77 -> error(default);
        _ -> ok
    end.

%% Two applications have variables of the same name.
%% finds: error {mixed,3,5}
-spec other_application(integer(), integer()) -> ok.
other_application(N, M) ->
    application:set_env(shop, limit, N),
    application:set_env(bank, limit, M, [{persistent, true}]),
    {ok, A} = application:get_env(shop, limit),
    {ok, B} = application:get_env(bank, limit),
    A =:= 3 andalso B =:= 5 andalso error({mixed, A, B}),
    ok.

%% finds: error gone
-spec unset(integer()) -> ok.
unset(N) ->
    application:set_env(shop, limit, N),
    N =/= 9 orelse application:unset_env(shop, limit),
    case application:get_env(shop, limit) of
        undefined -> error(gone);
        {ok, N} -> ok
    end.

%% finds: error {too_many,31}
-spec in_server(integer()) -> ok.
in_server(N) ->
    application:set_env(shop, limit, 30),
    Self = self(),
    spawn(fun() ->
                  Self ! {more, N > application:get_env(shop, limit, 0)}
          end),
    receive
        {more, true} when N < 32 -> error({too_many, N});
        {more, _} -> ok
    end.

%% What another process has set is seen.
%% finds: error {set,13}
-spec set_by_other(integer()) -> ok.
set_by_other(N) ->
    Self = self(),
    application:set_env(shop, limit, 0),
    spawn(fun() ->
                  application:set_env(shop, limit, N),
                  Self ! done
          end),
    receive done -> ok end,
    case application:get_env(shop, limit) of
        {ok, 13} -> error({set, N});
        {ok, _} -> ok
    end.

%% finds: error same
-spec name_of_input(a | b | c, integer()) -> ok.
name_of_input(Name, N) ->
    application:set_env(shop, b, N),
    application:set_env(shop, Name, 1),
    case application:get_env(shop, b) of
        {ok, 1} when N =:= 5 -> error(same);
        _ -> ok
    end.

%% Some options are wrong.
%% finds: error function_clause
-spec options([] | none) -> ok.
options(Options) ->
    application:set_env(shop, limit, 1, Options).

%% clean: complete
-spec clean_defaults(integer(), integer()) -> ok.
clean_defaults(N, M) ->
    N = application:get_env(shop, nothing, N),
    M = application:get_env(shop, nothing, M),
    undefined = application:get_env(shop, nothing),
    ok.

%% clean: complete
-spec clean_race(0..9) -> ok.
clean_race(N) ->
    Self = self(),
    application:set_env(shop, limit, N),
    spawn(fun() ->
                  application:set_env(shop, other, N + 1),
                  Self ! done
          end),
    {ok, N} = application:get_env(shop, limit),
    receive done -> ok end.

%% clean: complete
-spec clean_unset(integer()) -> ok.
clean_unset(N) ->
    application:set_env(shop, limit, N),
    application:unset_env(shop, limit),
    undefined = application:get_env(shop, limit),
    ok.
