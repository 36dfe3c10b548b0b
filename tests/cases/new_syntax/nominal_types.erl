%% needs: OTP 28
%% Types that are compared by name: specs with them make inputs.
-module(nominal_types).
-export([far/1, list_of/1, of_record/1, clean_choice/1, nested/1]).

-nominal meter() :: integer().
-nominal mile() :: pos_integer().
-nominal choice(T) :: {left, T} | {right, T}.
-record(trip, {length :: meter(), stops = [] :: [mile()]}).
-type trip() :: #trip{}.

%% finds: error bug
-spec far(meter()) -> ok.
far(M) when M * 3 =:= 126 -> error(bug);
far(_) -> ok.

%% finds: error bug
-spec list_of([mile()]) -> ok.
list_of([A, B]) when A + B =:= 2 -> error(bug);
list_of(_) -> ok.

%% finds: error {badmatch,_}
-spec of_record(trip()) -> ok.
of_record(#trip{length = 4711, stops = Stops}) ->
    [_] = Stops,
    ok;
of_record(#trip{}) ->
    ok.

%% clean: complete
-spec clean_choice(choice(mile())) -> pos_integer().
clean_choice({left, N}) -> 100 div N;
clean_choice({right, N}) when N > 0 -> N.

%% finds: error bug
-spec nested(choice(choice(meter()))) -> ok.
nested({left, {right, 99}}) -> error(bug);
nested(_) -> ok.
