%%% Where values of some types are in what a function returns, by its spec:
%%% alone, or in tuples such as `{ok, Value}' and `{{value, Item}, Value}'.
-module(erlconcolic_made_values).

-export([find/2]).

-export_type([made/0, pattern/0, value/0]).

-type form() :: erlconcolic_declarations:form().
-type scope() :: erlconcolic_type_forms:scope().

%% What a result looks like. The values are numbered from 1 on.
-type pattern() :: any | {atom, atom()} | {tuple, [pattern()]}
                 | {made, Number :: pos_integer()}.

%% A type and its parameters.
-type value() :: {erlconcolic_type_forms:name(), Parameters :: [form()]}.

%% A result that has the form of none of the excluded ones and matches a pattern
%% has these values. All other results have none.
-type made() :: #{patterns := [pattern()],
                  excluded := [erlconcolic_type_forms:excluded()],
                  values := [value()]}.

%% A pattern in which values have no numbers yet.
-type draft() :: any | {atom, atom()} | {tuple, [draft()]} | {own, value()}.

%% Tuples in tuples are looked into so many times.
-define(MOST_LEVELS, 3).

-spec find(Result :: form(), scope()) -> made().
find(Result, Scope) ->
    Meanings = erlconcolic_type_forms:meanings(Result, Scope),
    IsOwn = fun(Form) -> erlconcolic_type_forms:own(Form, Scope) =/= [] end,
    {Own, Others} = lists:partition(IsOwn, Meanings),
    case Own of
        [] -> in_tuples(Others, Scope);
        [Only] -> alone(Only, Others, Scope);
        _ -> nothing()
    end.

-spec nothing() -> made().
nothing() ->
    #{patterns => [], excluded => [], values => []}.

%% All other results must be told from values of the type.
-spec alone(form(), [form()], scope()) -> made().
alone(Form, Others, Scope) ->
    Excluded = lists:map(fun erlconcolic_type_forms:excluded/1, Others),
    case lists:member([], Excluded) of
        true ->
            nothing();
        false ->
            #{patterns => [{made, 1}], excluded => lists:append(Excluded),
              values => erlconcolic_type_forms:own(Form, Scope)}
    end.

-spec in_tuples([form()], scope()) -> made().
in_tuples(Results, Scope) ->
    case lists:any(fun may_be_any_tuple/1, Results) of
        true ->
            nothing();
        false ->
            Drafts = [draft(Result, Scope, ?MOST_LEVELS)
                      || {type, _, tuple, _} = Result <- Results],
            Sizes = lists:usort([length(Parts) || {tuple, Parts} <- Drafts]),
            Chosen = [Draft
                      || Size <- Sizes,
                         Draft <- of_size([It || {tuple, Parts} = It <- Drafts,
                                                 length(Parts) =:= Size])],
            {Patterns, Values} = lists:mapfoldl(fun numbered/2, [], Chosen),
            #{patterns => Patterns, excluded => [],
              values => lists:reverse(Values)}
    end.

-spec may_be_any_tuple(form()) -> boolean().
may_be_any_tuple({var, _, _}) -> true;
may_be_any_tuple({type, _, tuple, any}) -> true;
may_be_any_tuple({type, _, Name, []}) -> Name =:= any orelse Name =:= term;
may_be_any_tuple(_Other) -> false.

-spec draft(form(), scope(), Levels :: non_neg_integer()) -> draft().
draft(_Form, _Scope, 0) ->
    any;
draft({type, _, tuple, Elements}, Scope, Levels) when is_list(Elements) ->
    {tuple, [draft_of(erlconcolic_type_forms:meanings(Element, Scope), Scope,
                      Levels - 1)
             || Element <- Elements]};
draft({atom, _, Atom}, _Scope, _Levels) ->
    {atom, Atom};
draft(Form, Scope, _Levels) ->
    case erlconcolic_type_forms:own(Form, Scope) of
        [{Type, Parameters}] -> {own, {Type, plain(Parameters)}};
        [] -> any
    end.

-spec draft_of([form()], scope(), non_neg_integer()) -> draft().
draft_of([Only], Scope, Levels) -> draft(Only, Scope, Levels);
draft_of(_Several, _Scope, _Levels) -> any.

%% The same form without positions, so that forms can be compared.
-spec plain(term()) -> term().
plain(Form) when is_tuple(Form), tuple_size(Form) > 1 ->
    [Kind, Position | Parts] = tuple_to_list(Form),
    At = case erl_anno:is_anno(Position) of
             true -> erl_anno:new(0);
             false -> plain(Position)
         end,
    list_to_tuple([Kind, At | plain(Parts)]);
plain([Head | Tail]) ->
    [plain(Head) | plain(Tail)];
plain(Other) ->
    Other.

%% Tuples of the same size: all have the same values at the same places, or
%% their first elements tell which one it is.
-spec of_size([draft()]) -> [draft()].
of_size([First | Others] = Drafts) ->
    case lists:usort(lists:map(fun values_of/1, Drafts)) of
        [any] ->
            [];
        [_Same] ->
            [lists:foldl(fun joined/2, First, Others)];
        _ ->
            Tags = [Tag || {tuple, [{atom, Tag} | _]} <- Drafts],
            [Draft || length(lists:usort(Tags)) =:= length(Drafts),
                      Draft <- Drafts, values_of(Draft) =/= any]
    end.

%% The draft without what is no value.
-spec values_of(draft()) -> draft().
values_of({own, Value}) ->
    {own, Value};
values_of({tuple, Parts}) ->
    Values = lists:map(fun values_of/1, Parts),
    case lists:all(fun(It) -> It =:= any end, Values) of
        true -> any;
        false -> {tuple, Values}
    end;
values_of(_Other) ->
    any.

%% What both match.
-spec joined(draft(), draft()) -> draft().
joined(Same, Same) ->
    Same;
joined({tuple, One}, {tuple, Other}) when length(One) =:= length(Other) ->
    {tuple, lists:zipwith(fun joined/2, One, Other)};
joined(_One, _Other) ->
    any.

%% Replaces values by their numbers.
-spec numbered(draft(), Values) -> {pattern(), Values}
    when Values :: [value()].
numbered({own, Value}, Values) ->
    {{made, length(Values) + 1}, [Value | Values]};
numbered({tuple, Parts}, Values) ->
    {Numbered, After} = lists:mapfoldl(fun numbered/2, Values, Parts),
    {{tuple, Numbered}, After};
numbered(Other, Values) ->
    {Other, Values}.
