%% options: --opaque lists --opaque string
%% Calls of modules that are not followed: what they return is taken from runs.
-module(run_natively).
-export([
    beside/2, behind/2, called_back/2, checked/1, constant/1, element/2,
    looked_up/1, measured/1, raised/1, sorted/1, through_own_code/2,
    clean_member/1
]).

%% What the call returns does not matter.
%% finds: error beside
-spec beside([integer()], integer()) -> ok.
beside(List, N) ->
    _ = lists:sort(List),
    case N * 7 of
        4711 -> ok;
        4718 -> error(beside);
        _ -> ok
    end.

%% A decision on the input behind the call.
%% finds: error behind
-spec behind([integer()], integer()) -> ok.
behind(List, N) ->
    case lists:reverse(List) of
        [] when N =:= 815 -> error(behind);
        _ -> ok
    end.

%% A fun of the program that is called from outside.
%% finds: error {found,3}
-spec called_back([1..3], integer()) -> ok.
called_back(List, N) ->
    lists:foreach(fun(X) when X =:= 3 -> error({found, X});
                     (_) -> ok
                  end, [N rem 2 + 1 | [3 || N =:= 44, List =/= []]]).

%% finds: error length
-spec checked([integer()]) -> ok.
checked([A | _] = List) when A > 3 ->
    case lists:last(List) of
        A when tl(List) =/= [] -> error(length);
        _ -> ok
    end;
checked(_) ->
    ok.

%% finds: error constant
-spec constant(integer()) -> ok.
constant(N) ->
    case lists:seq(1, 3) of
        [_, Two, Three] when N =:= Two * 1000 + Three -> error(constant);
        _ -> ok
    end.

%% finds: error function_clause
-spec element(1..4, {integer(), integer()}) -> integer().
element(N, {A, B}) -> lists:nth(N, [A, B]).

%% finds: error {value,2}
-spec looked_up(a | b | c) -> ok.
looked_up(Name) ->
    case lists:keyfind(Name, 1, [{a, 1}, {b, 2}]) of
        {b, Value} -> error({value, Value});
        _ -> ok
    end.

%% finds: error two
-spec measured(string()) -> ok.
measured(Text) ->
    case string:length(Text) of
        2 -> error(two);
        _ -> ok
    end.

%% finds: error badarg
-spec raised(string()) -> integer().
raised(Text) -> list_to_integer(string:strip(Text)).

%% missed: error smallest
-spec sorted([integer()]) -> ok.
sorted([_, _] = List) ->
    case lists:sort(List) of
        List -> ok;
        _ -> error(smallest)
    end;
sorted(_) ->
    ok.

%% Own code stays symbolic.
%% finds: error own
-spec through_own_code([integer()], integer()) -> ok.
through_own_code(List, N) ->
    case sum(List) of
        Sum when Sum =:= N + 17, N > 100 -> _ = lists:max(List), error(own);
        _ -> ok
    end.

sum([N | Rest]) -> N + sum(Rest);
sum([]) -> 0.

%% clean
-spec clean_member([atom()]) -> ok.
clean_member(List) ->
    true = is_boolean(lists:member(a, List)),
    ok.
