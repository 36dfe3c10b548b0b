%% Programs that do not end.
-module(hostile_loops).
-export([forever/0, allocates/0, receives/0, sleeps/0, in_after/0, catches/0,
         multiplies/0, backtracks/0, reverses/0, matches/0, logs/0, ends_late/0]).

forever() -> forever().

allocates() -> allocates([]).

allocates(List) -> allocates(tl([0 | List])).

receives() -> receive never -> ok end.

sleeps() -> timer:sleep(infinity).

in_after() -> try error(first) after forever() end.

catches() ->
    try
        process_flag(trap_exit, true),
        receives_all()
    catch
        _:_ -> catches()
    end,
    catches().

receives_all() -> receive Message -> exit(Message) after 1 -> throw(again) end.

%% The BEAM cannot do anything else meanwhile.
multiplies() ->
    Large = binary:decode_unsigned(<<255, 0:1000000>>),
    multiplies(Large, Large).

multiplies(Large, Product) ->
    multiplies(Large, (Large * Product) rem Large).

backtracks() ->
    re:run(lists:duplicate(40, $a) ++ "b", "^(a+)+$",
           [{match_limit, 1000000000}, {match_limit_recursion, 1000000000}]),
    backtracks().

%% Few enough elements that their garbage never reaches the memory limit, however
%% far the loop gets.
reverses() -> reverses(lists:seq(1, 100000)).

reverses(List) -> reverses(lists:reverse(List)).

matches() -> matches(<<0:16000000>>).

matches(Binary) ->
    _ = binary:matches(Binary, [<<1>>, <<2>>]),
    matches(Binary).

%% Every call has an event with a large value.
logs() ->
    _ = binary_to_term(term_to_binary(lists:seq(1, 10000))),
    logs().

%% The process that it leaves behind cannot be ended for a while.
ends_late() ->
    spawn(fun multiplies/0),
    receive after 20 -> ok end.
