%% needs: OTP 29
%% Native records, which are made and read by calls that are not followed.
-module(native_records).
-export([made/1, read/1, updated/1, nested/1, without_field/1, kept/1]).

-record #point{x = 0 :: integer(), y = 0 :: integer()}.
-record #line{from = none, to = none}.

%% finds: error bug
-spec made(integer()) -> ok.
made(N) ->
    case #point{x = N} of
        #point{x = 5} -> ok;
        #point{y = 0} when N =:= 4711 -> error(bug);
        #point{} -> ok
    end.

%% finds: error {badrecord,_}
-spec read(integer()) -> integer().
read(N) when N > 1000 -> (at(N))#point.x;
read(N) -> N.

at(1234) -> nowhere;
at(N) -> #point{x = N}.

%% finds: error {badmatch,_}
-spec updated(integer()) -> ok.
updated(N) ->
    Point = #point{x = N},
    #point{y = 0} = move(Point, N),
    ok.

move(Point, 77) -> Point#point{y = 1};
move(Point, _) -> Point.

%% finds: error function_clause
-spec nested(a | b) -> integer().
nested(Name) -> start(lists:keyfind(Name, 1, lines())).

start({_, #line{from = #point{x = X}}}) -> X.

lines() -> [{a, #line{from = #point{x = 1}}}, {b, #line{}}].

%% finds: error {badfield,_}
-spec without_field(integer()) -> term().
without_field(99) -> (#line{})#_.x;
without_field(_) -> (#point{})#_.x.

%% clean
-spec kept(integer()) -> true.
kept(N) ->
    Point = #point{x = N},
    true = is_record(Point, point) andalso not is_record(Point, line),
    true = Point =:= (#point{})#point{x = N}.
