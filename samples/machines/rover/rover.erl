%%% A rover with an engine on each side. Engines of equal speed drive it forward
%%% or backward, others turn it. A sonar tells the distance of an obstacle in
%%% millimetres, and a sensor how full the battery is, in percent. With an
%%% almost empty battery the rover goes home.
%%%
%%% States: idle, {driving, forward | backward}, turning, charging. While it
%%% turns, the rover looks around, and orders to drive wait until it has turned.
%%%
%%% Two bugs:
%%% - The time until the rover has to brake depends on the room in front of it.
%%%   An obstacle that was seen in a turn may leave no room at all, and the
%%%   rover divides by zero.
%%% - The rover takes it for granted that the battery is enough for the way
%%%   home, however far it drove.
%%%
%%% breaks: {100, [{call, {drive, 0, 50}}, {info, {sonar, 700}},
%%%                {call, {drive, 700, 700}}, timeout]}
%%% finds: error badarith in start_driving/3
%%%
%%% breaks: {100, [{call, {drive, 7700, 7700}}, timeout, {info, {battery, 19}}]}
%%% finds: error {badmatch,false} in handle_event/4
-module(rover).
-behaviour(gen_statem).

-export([start_link/1, drive/3]).
-export([init/1, callback_mode/0, handle_event/4]).

-define(STEP, 100).
-define(TURN, 100).
-define(LOW, 20).
-define(FASTEST, 20_000).

start_link(Battery) ->
    gen_statem:start_link(?MODULE, Battery, []).

drive(Rover, Left, Right) ->
    gen_statem:call(Rover, {drive, Left, Right}).

init(Battery) when is_integer(Battery), Battery >= ?LOW, Battery =< 100 ->
    {ok, idle, #{battery => Battery, speed => 0, way => 0, obstacle => none}};
init(_) ->
    ignore.

callback_mode() ->
    [handle_event_function, state_enter].

%% Enter calls.
handle_event(enter, _, {driving, _}, _) ->
    {keep_state_and_data, {state_timeout, ?STEP, step}};
handle_event(enter, _, turning, _) ->
    {keep_state_and_data, {state_timeout, ?TURN, turned}};
handle_event(enter, _, charging, #{battery := Battery, way := Way} = Data) ->
    true = Way =< 400 * Battery,
    {keep_state, Data#{speed := 0, way := 0}};
handle_event(enter, _, idle, Data) ->
    {keep_state, Data#{speed := 0}};
%% Orders.
handle_event({call, From}, {drive, _, _}, charging, _) ->
    {keep_state_and_data, {reply, From, charging}};
handle_event({call, _}, {drive, _, _}, turning, _) ->
    {keep_state_and_data, postpone};
handle_event({call, From}, {drive, Left, Right}, State, Data)
  when is_integer(Left), is_integer(Right), abs(Left) =< ?FASTEST,
       abs(Right) =< ?FASTEST ->
    Reply = {reply, From, ok},
    case Left of
        0 when Right =:= 0 -> {next_state, idle, Data, Reply};
        Right -> start_driving(Left, State, Data, Reply);
        _ -> {next_state, turning, Data, Reply}
    end;
handle_event({call, From}, _, _, _) ->
    {keep_state_and_data, {reply, From, unknown}};
%% Sensors.
handle_event(info, {battery, Level}, charging, Data)
  when is_integer(Level), Level >= ?LOW, Level =< 100 ->
    {next_state, idle, Data#{battery := Level}};
handle_event(info, {battery, Level}, _, Data)
  when is_integer(Level), Level >= 0, Level < ?LOW ->
    {next_state, charging, Data#{battery := Level}};
handle_event(info, {sonar, Distance}, turning, Data)
  when is_integer(Distance), Distance >= 0 ->
    {keep_state, Data#{obstacle := Distance}};
handle_event(info, {sonar, Distance}, {driving, _}, #{speed := Speed} = Data)
  when is_integer(Distance), Distance >= 0, Distance =< abs(Speed) ->
    {next_state, idle, Data};
%% Timers.
handle_event(state_timeout, step, _, #{speed := Speed, way := Way} = Data) ->
    {repeat_state, Data#{way := Way + abs(Speed)}};
handle_event(state_timeout, turned, turning, Data) ->
    {next_state, idle, Data};
handle_event(_, _, _, _) ->
    keep_state_and_data.

start_driving(Speed, State, Data, Reply) ->
    case start_driving(Speed, State, Data) of
        {{driving, _}, _} = {State, New} -> {repeat_state, New, Reply};
        {Next, New} -> {next_state, Next, New, Reply}
    end.

%% What was seen in the turn is behind the rover once it drives.
start_driving(Speed, _, #{obstacle := none} = Data) ->
    {direction(Speed), Data#{speed := Speed}};
start_driving(Speed, State, #{obstacle := Distance} = Data)
  when Speed > Distance ->
    {State, Data};
start_driving(Speed, _, #{obstacle := Distance} = Data) ->
    Brake = 10 * Speed div (Distance - Speed),
    {direction(Speed), Data#{speed := Speed, obstacle := none, brake => Brake}}.

direction(Speed) when Speed > 0 -> {driving, forward};
direction(_) -> {driving, backward}.
