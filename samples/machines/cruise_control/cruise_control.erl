%%% An adaptive cruise control. It holds the speed that the driver sets, in
%%% millimetres per second. When the radar shows a slower car in front, it
%%% follows that car. After the driver has used the brake, it waits a little and
%%% goes back to the speed.
%%%
%%% States: off, cruising, {following, Speed}, braked. The data are the speed
%%% that the driver wants, and the distance of the car in front.
%%%
%%% Two bugs:
%%% - If the driver sets another speed behind a car, the time until the cars
%%%   meet is worked out. Cars with the same speed never meet: a division by
%%%   zero.
%%% - After the brake, a speed that the driver sets meanwhile may be far from
%%%   the old one. The controller refuses such a jump by an exit.
%%%
%%% breaks: {[], [{cast, {set, 9000}}, {cast, {radar, 500, 8500}},
%%%               {cast, {set, 8500}}]}
%%% finds: error badarith in handle_event/4
%%%
%%% breaks: {[], [{cast, {set, 8000}}, {cast, brake}, {cast, {set, 20001}},
%%%               timeout]}
%%% finds: exit {jump,8000,20001} in accelerate/2
-module(cruise_control).
-behaviour(gen_statem).

-export([start_link/0, set/2, brake/1, radar/3, off/1]).
-export([init/1, callback_mode/0, handle_event/4]).

-define(WAIT, 150).

-record(car, {wanted = 0, distance = none}).

start_link() ->
    gen_statem:start_link(?MODULE, [], []).

set(Control, Speed) -> gen_statem:cast(Control, {set, Speed}).

brake(Control) -> gen_statem:cast(Control, brake).

radar(Control, Distance, Speed) ->
    gen_statem:cast(Control, {radar, Distance, Speed}).

off(Control) -> gen_statem:call(Control, off).

init(_) ->
    {ok, off, #car{}}.

callback_mode() ->
    handle_event_function.

handle_event(cast, {set, Speed}, State, Car)
  when is_integer(Speed), Speed >= 8_000, Speed =< 50_000 ->
    New = Car#car{wanted = Speed},
    case State of
        {following, Ahead} ->
            case 4 * Car#car.distance div (Speed - Ahead) of
                Time when Time >= 0 -> {keep_state, New};
                _ -> {next_state, cruising, New}
            end;
        braked ->
            {keep_state, New};
        _ ->
            {next_state, cruising, New}
    end;
handle_event(cast, {radar, Distance, Ahead}, cruising,
             #car{wanted = Wanted} = Car)
  when is_integer(Distance), Distance >= 0, Distance < Wanted,
       is_integer(Ahead), Ahead >= 0, Ahead < Wanted ->
    {next_state, {following, Ahead}, Car#car{distance = Distance}};
handle_event(cast, {radar, Distance, _}, {following, _},
             #car{wanted = Wanted} = Car)
  when is_integer(Distance), Distance >= Wanted ->
    {next_state, cruising, Car#car{distance = none}};
handle_event(cast, brake, State, #car{wanted = Wanted} = Car)
  when State =/= off, State =/= braked ->
    {next_state, braked, Car#car{distance = none},
     {{timeout, resume}, ?WAIT, Wanted}};
handle_event({timeout, resume}, Before, braked, #car{wanted = Wanted} = Car) ->
    accelerate(Before, Wanted),
    {next_state, cruising, Car};
handle_event({call, From}, off, _, _) ->
    {next_state, off, #car{},
     [{reply, From, ok}, {{timeout, resume}, cancel}]};
handle_event({call, From}, _, State, _) ->
    {keep_state_and_data, {reply, From, State}};
handle_event(_, _, _, _) ->
    keep_state_and_data.

%% A car that accelerates too much is not safe.
accelerate(From, To) when To - From > 12_000 -> exit({jump, From, To});
accelerate(_, _) -> ok.
