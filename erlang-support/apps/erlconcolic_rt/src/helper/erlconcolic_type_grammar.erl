%%% A regular tree grammar under construction. A type is a number with
%%% alternatives, which name other types by number. While types are added, an
%%% alternative may also be a reference to another type; finish/2 replaces it by
%%% the alternatives of that type.
-module(erlconcolic_type_grammar).

-export([new/0, add/2, reserve/1, define/3, finish/2, empty/2]).

-export_type([grammar/0, id/0, alternative/0, part/0]).

-type id() :: non_neg_integer().

-type alternative() ::
    any
  | {integer, Min :: integer() | neg_inf, Max :: integer() | pos_inf}
  | float
  | atom | {atom, atom()}
  | nil
  | {cons, Head :: id(), Tail :: id()}
  | tuple | {tuple, [id()]}
  | map | {map, [{required | optional, Key :: id(), Value :: id()}]}
  | {bitstring, Base :: non_neg_integer(), Unit :: non_neg_integer()}
  | utf8
  | function | {function, any | [Argument :: id()], Result :: id()}
  | pid | port | reference.

-type part() :: alternative() | {type, id()}.

-record(grammar,
        {next = 0 :: id(),
         types = #{} :: #{id() => [part()]},
         %% Equal types have the same number.
         known = #{} :: #{[part()] => id()}}).

-opaque grammar() :: #grammar{}.

-type flat() :: #{id() => [alternative()]}.

-spec new() -> grammar().
new() ->
    #grammar{}.

-spec add([part()], grammar()) -> {id(), grammar()}.
add([{type, Id}], Grammar) ->
    {Id, Grammar};
add(Parts, #grammar{known = Known} = Grammar) ->
    case Known of
        #{Parts := Id} ->
            {Id, Grammar};
        #{} ->
            {Id, Reserved} = reserve(Grammar),
            Defined = define(Id, Parts, Reserved),
            {Id, Defined#grammar{known = Known#{Parts => Id}}}
    end.

%% A number for a type that names itself.
-spec reserve(grammar()) -> {id(), grammar()}.
reserve(#grammar{next = Id} = Grammar) ->
    {Id, Grammar#grammar{next = Id + 1}}.

-spec define(id(), [part()], grammar()) -> grammar().
define(Id, Parts, #grammar{types = Types} = Grammar) ->
    Grammar#grammar{types = Types#{Id => Parts}}.

%% The types that are reachable from some roots, renumbered, without
%% alternatives that have no values.
-spec finish([[id()]], grammar()) -> {[[id()]], [[alternative()]]}.
finish(Roots, Grammar) ->
    Ids = lists:append(Roots),
    Flat = without_empty(flatten(Ids, Grammar, #{})),
    {Merged, Types} = merge(Ids, Flat),
    Order = reachable(Merged, Types),
    Numbers = maps:from_list(lists:zip(Order, lists:seq(0, length(Order) - 1))),
    New = fun(Id) -> maps:get(Id, Numbers) end,
    Renamed = maps:from_list(lists:zip(Ids, lists:map(New, Merged))),
    {[[maps:get(Id, Renamed) || Id <- Root] || Root <- Roots],
     [rename_all(New, maps:get(Id, Types)) || Id <- Order]}.

%% The types that are reachable from some roots and of which no value can be
%% made. Values that only a run can make (pids and the like) do not count.
-spec empty([[id()]], grammar()) -> [id()].
empty(Roots, Grammar) ->
    Types = [{Id, Alternatives -- [pid, port, reference]}
             || {Id, Alternatives}
                    <- maps:to_list(flatten(lists:append(Roots), Grammar,
                                            #{}))],
    Inhabited = inhabited(Types, #{}),
    [Id || {Id, _} <- Types, not is_map_key(Id, Inhabited)].

-spec flatten([id()], grammar(), flat()) -> flat().
flatten([Id | Ids], Grammar, Flat) when is_map_key(Id, Flat) ->
    flatten(Ids, Grammar, Flat);
flatten([Id | Ids], Grammar, Flat) ->
    Alternatives = alternatives(Id, Grammar),
    flatten(lists:flatmap(fun children/1, Alternatives) ++ Ids, Grammar,
            Flat#{Id => Alternatives});
flatten([], _Grammar, Flat) ->
    Flat.

-spec alternatives(id(), grammar()) -> [alternative()].
alternatives(Id, Grammar) ->
    {_, Reversed} = collect({type, Id}, {#{}, []}, Grammar),
    case lists:member(any, Reversed) of
        true -> [any];
        false -> lists:reverse(Reversed)
    end.

-spec collect(part(), {#{part() => []}, [alternative()]}, grammar()) ->
    {#{part() => []}, [alternative()]}.
collect(Part, {Seen, _} = Collected, _Grammar) when is_map_key(Part, Seen) ->
    Collected;
collect({type, Id}, {Seen, Found}, #grammar{types = Types} = Grammar) ->
    lists:foldl(fun(Part, Collected) -> collect(Part, Collected, Grammar) end,
                {Seen#{{type, Id} => []}, Found}, maps:get(Id, Types));
collect(Alternative, {Seen, Found}, _Grammar) ->
    {Seen#{Alternative => []}, [Alternative | Found]}.

%% Removes alternatives with a type without values, such as `{none()}', and
%% infinite ones, such as `-type t() :: {t()}'.
-spec without_empty(flat()) -> flat().
without_empty(Flat) ->
    Inhabited = inhabited(maps:to_list(Flat), #{}),
    maps:map(fun(_Id, Alternatives) ->
                     [possible_pairs(Alternative, Inhabited)
                      || Alternative <- Alternatives,
                         is_inhabited(Alternative, Inhabited)]
             end, Flat).

-spec inhabited([{id(), [alternative()]}], #{id() => []}) -> #{id() => []}.
inhabited(Types, Known) ->
    IsInhabited = fun({_, Alternatives}) ->
                          lists:any(fun(Alternative) ->
                                            is_inhabited(Alternative, Known)
                                    end, Alternatives)
                  end,
    case lists:partition(IsInhabited, Types) of
        {[], _} -> Known;
        {New, Others} ->
            More = maps:from_list([{Id, []} || {Id, _} <- New]),
            inhabited(Others, maps:merge(Known, More))
    end.

-spec is_inhabited(alternative(), #{id() => []}) -> boolean().
is_inhabited(Alternative, Inhabited) ->
    lists:all(fun(Id) -> is_map_key(Id, Inhabited) end, needed(Alternative)).

-spec needed(alternative()) -> [id()].
needed({function, _, _}) ->
    [];
needed({map, Pairs}) ->
    [Id || {required, Key, Value} <- Pairs, Id <- [Key, Value]];
needed(Alternative) ->
    children(Alternative).

%% Keeps a pair if only its value is impossible: then the key must not be in the
%% map, whatever later pairs say.
-spec possible_pairs(alternative(), #{id() => []}) -> alternative().
possible_pairs({map, Pairs}, Inhabited) ->
    {map, [Pair || {_, Key, _} = Pair <- Pairs, is_map_key(Key, Inhabited)]};
possible_pairs(Alternative, _Inhabited) ->
    Alternative.

%% Gives types with equal alternatives the same number.
-spec merge([id()], flat()) -> {[id()], flat()}.
merge(Ids, Flat) ->
    First = maps:fold(fun(Id, Alternatives, Known) ->
                              maps:update_with(Alternatives,
                                               fun(Other) -> min(Id, Other) end,
                                               Id, Known)
                      end, #{}, Flat),
    case map_size(First) =:= map_size(Flat) of
        true ->
            {Ids, Flat};
        false ->
            New = fun(Id) -> maps:get(maps:get(Id, Flat), First) end,
            Merged = [{Id, rename_all(New, Alternatives)}
                      || {Alternatives, Id} <- maps:to_list(First)],
            merge(lists:map(New, Ids), maps:from_list(Merged))
    end.

%% In the order in which they are reached.
-spec reachable([id()], flat()) -> [id()].
reachable(Ids, Flat) ->
    {_, Reversed} = reach(Ids, Flat, {#{}, []}),
    lists:reverse(Reversed).

-spec reach([id()], flat(), {#{id() => []}, [id()]}) ->
    {#{id() => []}, [id()]}.
reach([Id | Ids], Flat, {Seen, _} = Reached) when is_map_key(Id, Seen) ->
    reach(Ids, Flat, Reached);
reach([Id | Ids], Flat, {Seen, Reversed}) ->
    Children = lists:flatmap(fun children/1, maps:get(Id, Flat)),
    reach(Children ++ Ids, Flat, {Seen#{Id => []}, [Id | Reversed]});
reach([], _Flat, Reached) ->
    Reached.

-spec children(alternative()) -> [id()].
children({cons, Head, Tail}) ->
    [Head, Tail];
children({tuple, Elements}) ->
    Elements;
children({map, Pairs}) ->
    [Id || {_, Key, Value} <- Pairs, Id <- [Key, Value]];
children({function, any, Result}) ->
    [Result];
children({function, Arguments, Result}) ->
    Arguments ++ [Result];
children(_Leaf) ->
    [].

-spec rename_all(fun((id()) -> id()), [alternative()]) -> [alternative()].
rename_all(New, Alternatives) ->
    unique([rename(New, Alternative) || Alternative <- Alternatives]).

-spec unique([alternative()]) -> [alternative()].
unique([First | Others]) ->
    [First | unique([Other || Other <- Others, Other =/= First])];
unique([]) ->
    [].

-spec rename(fun((id()) -> id()), alternative()) -> alternative().
rename(New, {cons, Head, Tail}) ->
    {cons, New(Head), New(Tail)};
rename(New, {tuple, Elements}) ->
    {tuple, lists:map(New, Elements)};
rename(New, {map, Pairs}) ->
    {map, [{Kind, New(Key), New(Value)} || {Kind, Key, Value} <- Pairs]};
rename(New, {function, any, Result}) ->
    {function, any, New(Result)};
rename(New, {function, Arguments, Result}) ->
    {function, lists:map(New, Arguments), New(Result)};
rename(_New, Leaf) ->
    Leaf.
