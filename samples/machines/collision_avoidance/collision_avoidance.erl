%%% The controller of a collision avoidance system. It knows how fast the car
%%% is, and sensors on four sides tell the distance of the nearest obstacle, in
%%% millimetres. One that is too near vibrates the steering wheel for a while.
%%% If it comes nearer, the car brakes; if another one is nearer still on one
%%% side, the car steers away from it. The two must not come together: a wheel
%%% that vibrates while it turns distracts the driver.
%%%
%%% States: parked, driving, alert, braking. The data are the speed, the
%%% obstacle of the alert, and what the wheel does.
%%%
%%% Two bugs:
%%% - The time to impact is the distance by how much nearer the obstacle came.
%%%   Two equal distances in a row divide by zero.
%%% - Steering away does not end the vibration, which safe/1 forbids.
%%%
%%% breaks: {[], [{cast, {speed, 20000}}, {cast, {lidar, front, 15000}},
%%%               {cast, {lidar, front, 15000}}]}
%%% finds: error badarith in alert/3
%%%
%%% breaks: {[], [{cast, {speed, 20000}}, {cast, {lidar, front, 15000}},
%%%               {cast, {lidar, left, 14000}}]}
%%% finds: invariant safe/1
-module(collision_avoidance).
-behaviour(gen_statem).

-export([start_link/0, speed/2, lidar/3, wheel/1, safe/1]).
-export([init/1, callback_mode/0, parked/3, driving/3, alert/3, braking/3]).

-define(VIBRATION, 150).
-define(BRAKING, 100).

-type side() :: front | back | left | right.
-type speed() :: 0..60_000.
-type distance() :: 0..200_000.
-type event() :: {speed, speed()} | {lidar, side(), distance()} | wheel | calm
               | released.
-type state() :: parked | driving | alert | braking.

-record(car, {speed = 0 :: speed(),
              obstacle = none :: none | {side(), distance()},
              vibrates = false :: boolean(),
              steers = straight :: straight | left | right}).

start_link() ->
    gen_statem:start_link(?MODULE, [], []).

speed(Controller, Speed) ->
    gen_statem:cast(Controller, {speed, Speed}).

lidar(Controller, Side, Distance) ->
    gen_statem:cast(Controller, {lidar, Side, Distance}).

wheel(Controller) ->
    gen_statem:call(Controller, wheel).

%% Whether what the controller does is allowed.
-spec safe({state(), #car{}}) -> boolean().
safe({_, #car{vibrates = true, steers = Steers}}) -> Steers =:= straight;
safe({_, #car{}}) -> true.

-spec init([]) -> {ok, state(), #car{}}.
init([]) ->
    {ok, parked, #car{}}.

callback_mode() ->
    state_functions.

-spec parked(gen_statem:event_type(), event(), #car{}) ->
          gen_statem:event_handler_result(state(), #car{}).
parked(cast, {speed, Speed}, Car) when Speed > 0 ->
    {next_state, driving, Car#car{speed = Speed}};
parked(Type, Event, Car) ->
    common(Type, Event, Car).

-spec driving(gen_statem:event_type(), event(), #car{}) ->
          gen_statem:event_handler_result(state(), #car{}).
driving(cast, {speed, 0}, _) ->
    {next_state, parked, #car{}};
driving(cast, {speed, Speed}, Car) ->
    {keep_state, Car#car{speed = Speed}};
driving(cast, {lidar, Side, Distance}, #car{speed = Speed} = Car)
  when Distance =< Speed ->
    {next_state, alert,
     Car#car{obstacle = {Side, Distance}, vibrates = true},
     {state_timeout, ?VIBRATION, calm}};
driving(Type, Event, Car) ->
    common(Type, Event, Car).

-spec alert(gen_statem:event_type(), event(), #car{}) ->
          gen_statem:event_handler_result(state(), #car{}).
alert(cast, {lidar, Side, Distance}, #car{obstacle = {Side, Before}} = Car)
  when Distance =< Before ->
    case Distance div (Before - Distance) of
        Time when Time =< 1 ->
            {next_state, braking, Car#car{vibrates = false, steers = straight},
             {state_timeout, ?BRAKING, released}};
        _ ->
            {keep_state, Car#car{obstacle = {Side, Distance}}}
    end;
alert(cast, {lidar, Side, Distance}, #car{obstacle = {_, Before}} = Car)
  when Distance < Before ->
    case Side of
        left -> {keep_state, Car#car{steers = right}};
        right -> {keep_state, Car#car{steers = left}};
        _ -> {keep_state, Car#car{obstacle = {Side, Distance}}}
    end;
alert(state_timeout, calm, Car) ->
    {next_state, driving, calm(Car)};
alert(Type, Event, Car) ->
    common(Type, Event, Car).

-spec braking(gen_statem:event_type(), event(), #car{}) ->
          gen_statem:event_handler_result(state(), #car{}).
braking(cast, {speed, 0}, _) ->
    {next_state, parked, #car{}};
braking(cast, {speed, Speed}, Car) ->
    {keep_state, Car#car{speed = Speed}};
braking(state_timeout, released, Car) ->
    {next_state, driving, calm(Car)};
braking(Type, Event, Car) ->
    common(Type, Event, Car).

common({call, From}, wheel, #car{vibrates = Vibrates, steers = Steers}) ->
    {keep_state_and_data, {reply, From, {Vibrates, Steers}}};
common(_, _, _) ->
    keep_state_and_data.

calm(Car) ->
    Car#car{obstacle = none, vibrates = false, steers = straight}.
