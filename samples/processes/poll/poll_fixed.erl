%%% A weather station. Three sensors send a temperature each. The entry's
%%% process waits for one reading, then polls for what else is there, and
%%% reports the trend. The sensor in the cellar always shows 10 degrees. The
%%% outdoor sensor is in the sun and shows ten degrees too much.
%%%
%%% The correct twin of poll. Mended: a reading says which sensor it is from.
%%% The trend goes from the cellar to the outdoor sensor, whatever arrived
%%% first, and every difference has a trend.
-module(poll_fixed).
-export([main/2]).

-spec main(0..15, 0..15) -> steady | rising | falling.
main(Indoor, Outdoor) ->
    Station = self(),
    spawn(fun() -> Station ! {reading, 1, 10} end),
    spawn(fun() -> Station ! {reading, 2, Indoor} end),
    spawn(fun() -> Station ! {reading, 3, Outdoor + 10} end),
    receive
        {reading, Sensor, Degrees} ->
            trend(lists:sort([{Sensor, Degrees} | others()]))
    end.

%% The readings that are in the mailbox already.
others() ->
    receive
        {reading, Sensor, Degrees} -> [{Sensor, Degrees} | others()]
    after 0 ->
        []
    end.

trend([_]) ->
    steady;
trend([{_, First} | Others]) ->
    {_, Last} = lists:last(Others),
    compare(First, Last).

compare(First, Last) when Last >= First -> rising;
compare(_, _) -> falling.
