%%% A weather station. Three sensors send a temperature each. The entry's
%%% process waits for one reading, then polls for what else is there, and
%%% reports the trend. The sensor in the cellar always shows 10 degrees. The
%%% outdoor sensor is in the sun and shows ten degrees too much.
%%%
%%% The bug: the trend is computed as if the outdoor sensor, which was started
%%% last, were never the first in the mailbox. A large fall is not expected.
%%%
%%% Input: Outdoor + 10 - Indoor >= 23, for example poll:main(0, 13).
%%% Order: the outdoor sensor sends first; the indoor sensor sends before the
%%% poll ends with `after 0`, and is the last to do so.
-module(poll).
-export([main/2]).

-spec main(0..15, 0..15) -> steady | rising | falling.
main(Indoor, Outdoor) ->
    Station = self(),
    spawn(fun() -> Station ! {reading, 10} end),
    spawn(fun() -> Station ! {reading, Indoor} end),
    spawn(fun() -> Station ! {reading, Outdoor + 10} end),
    receive
        {reading, Degrees} -> trend(Degrees, others())
    end.

%% The readings that are in the mailbox already.
others() ->
    receive
        {reading, Degrees} -> [Degrees | others()]
    after 0 ->
        []
    end.

trend(_, []) -> steady;
trend(First, Others) -> compare(First, lists:last(Others)).

compare(First, Last) when Last >= First -> rising;
compare(First, Last) when First - Last < 23 -> falling.
