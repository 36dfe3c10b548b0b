%% Everyday code: records, maps, comprehensions, exceptions, funs.
-module(shop).

-export([total/1, cheapest/1, discount/2, checkout/2, index/1, describe/1]).
-export([ackermann/2, counter/1]).

-record(item, {name = none, price = 0, tags = [] :: [atom()]}).

-type item() :: #item{}.

-spec total([item()]) -> number().
total(Items) ->
    lists:sum([Price || #item{price = Price} <- Items, Price > 0]).

-spec cheapest([item(), ...]) -> item().
cheapest([First | Rest]) ->
    Cheaper =
        fun
            (#item{price = P} = Item, #item{price = Best}) when P < Best ->
                Item;
            (_, Best) ->
                Best
        end,
    lists:foldl(Cheaper, First, Rest).

-spec discount(item(), number()) -> item().
discount(#item{price = P, tags = Tags} = Item, Percent)
  when is_number(Percent), Percent >= 0, Percent =< 100;
       Percent =:= all ->
    case lists:member(sale, Tags) orelse P > 1000 of
        true when P >= 0 ->
            Item#item{price = P * (100 - Percent) / 100};
        _ ->
            Item
    end.

-spec checkout([item()], map()) -> {ok, map()} | {error, term()}.
checkout(Items, #{balance := Balance, history := History} = Account) ->
    try total(Items) of
        Sum when Sum =< Balance ->
            {ok, Account#{balance := Balance - Sum,
                          history := [Sum | History],
                          last => erlang:unique_integer()}};
        Sum ->
            throw({too_expensive, Sum - Balance})
    catch
        throw:{too_expensive, Missing} ->
            {error, {missing, Missing}};
        error:Reason:Stack ->
            {error, {Reason, length(Stack)}}
    after
        put(checked_out, length(Items))
    end;
checkout(_, Account) ->
    {error, catch maps:get(balance, Account)}.

-spec index([item()]) -> #{atom() => [item()]}.
index(Items) ->
    Add = fun(Tag, Item, Map) ->
              maps:update_with(Tag, fun(Old) -> [Item | Old] end, [Item], Map)
          end,
    lists:foldl(
      fun(#item{tags = Tags} = Item, Map0) ->
          lists:foldl(fun(Tag, Map) -> Add(Tag, Item, Map) end, Map0, Tags)
      end, #{}, Items).

-spec describe(item()) -> string().
describe(#item{name = Name, price = Price, tags = []}) ->
    io_lib:format("~ts: ~.2f €~n", [Name, float(Price)]);
describe(#item{tags = Tags} = Item) ->
    _Größe = length(Tags),
    [describe(Item#item{tags = []}),
     [[$\s, $#, atom_to_list(Tag)] || Tag <- Tags],
     $\n, "\t\"quoted\\\"", 'it\'s', 'kůň', _Größe, 1.0e-7, 16#ffffffffffffffffffff].

-spec ackermann(non_neg_integer(), non_neg_integer()) -> pos_integer().
ackermann(0, N) -> N + 1;
ackermann(M, 0) -> ackermann(M - 1, 1);
ackermann(M, N) -> ackermann(M - 1, ackermann(M, N - 1)).

-spec counter(integer()) -> fun().
counter(Start) ->
    fun Next(Step) when Step > 0 -> {Start + Step, Next};
        Next(_) -> {Start, fun counter/1, fun lists:map/2}
    end.
