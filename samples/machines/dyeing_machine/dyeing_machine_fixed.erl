%%% A machine that dyes fabric. It is set up for a number of tasks and
%%% millilitres of water; then each task gets a unit of its own, if the machine
%%% can do it at that temperature, for that time and with the water that is
%%% left. When all units are there, the machine can start, and after a while all
%%% tasks are done.
%%%
%%% The correct twin of dyeing_machine. Mended: a task that is refused does not
%%% take a place, and the last drop of the water can be used like any other.
-module(dyeing_machine_fixed).
-behaviour(gen_server).

-export([start_link/0, setup/3, create/4, start/1, phase/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_continue/2,
         handle_info/2]).

-define(RUN_TIME, 100).

-type temperature() :: 0..200.
-type minutes() :: 0..600.
-type amount() :: 1..50_000.
-type request() :: {setup, Tasks :: 1..4, Water :: 60_000..200_000}
                 | {create, temperature(), minutes(), amount()}
                 | start
                 | status.

-record(unit, {temperature :: temperature(), minutes :: minutes()}).

-record(machine, {phase = new :: new | ready | running,
                  water = 0 :: non_neg_integer(),
                  wanted = 0 :: 0..4,
                  next = 1 :: pos_integer(),
                  units = {} :: tuple()}).

start_link() ->
    gen_server:start_link(?MODULE, [], []).

setup(Machine, Tasks, Water) ->
    gen_server:call(Machine, {setup, Tasks, Water}).

create(Machine, Temperature, Minutes, Amount) ->
    gen_server:call(Machine, {create, Temperature, Minutes, Amount}).

start(Machine) ->
    gen_server:call(Machine, start).

%% What the machine is doing, from its state.
-spec phase(#machine{}) -> new | ready | running.
phase(#machine{phase = Phase}) -> Phase.

-spec init([]) -> {ok, #machine{}}.
init([]) ->
    {ok, #machine{}}.

-spec handle_call(request(), gen_server:from(), #machine{}) ->
          {reply, term(), #machine{}}
        | {reply, term(), #machine{}, timeout() | {continue, run}}.
handle_call(_, _, #machine{phase = running} = Machine) ->
    {reply, running, Machine, ?RUN_TIME};
handle_call({setup, Tasks, Water}, _, #machine{phase = new} = Machine) ->
    {reply, ok, Machine#machine{phase = ready, water = Water, wanted = Tasks,
                                units = erlang:make_tuple(Tasks, none)}};
handle_call({create, Temperature, Minutes, Amount}, _,
            #machine{phase = ready, wanted = Wanted} = Machine)
  when Wanted > 0 ->
    Unit = #unit{temperature = Temperature, minutes = Minutes},
    create(Unit, Amount, Machine);
handle_call(start, _, #machine{phase = ready, wanted = 0} = Machine) ->
    {reply, ok, Machine#machine{phase = running}, {continue, run}};
handle_call(_, _, Machine) ->
    {reply, {error, Machine#machine.phase}, Machine}.

handle_cast(_, #machine{phase = running} = Machine) ->
    {noreply, Machine, ?RUN_TIME};
handle_cast(_, Machine) ->
    {noreply, Machine}.

handle_continue(run, Machine) ->
    {noreply, Machine, ?RUN_TIME}.

handle_info(timeout, #machine{phase = running}) ->
    {noreply, #machine{}};
handle_info(_, #machine{phase = running} = Machine) ->
    {noreply, Machine, ?RUN_TIME};
handle_info(_, Machine) ->
    {noreply, Machine}.

create(Unit, Amount, #machine{water = Water} = Machine) ->
    case is_possible(Unit) of
        true when Amount =< Water ->
            {reply, ok, add(Unit, Amount, Machine)};
        _ ->
            {reply, refused, Machine}
    end.

is_possible(#unit{temperature = Temperature, minutes = Minutes}) ->
    Temperature =< 130 andalso Minutes > 0.

add(Unit, Amount, Machine) ->
    #machine{water = Water, wanted = Wanted, next = Next, units = Units} =
        Machine,
    Machine#machine{water = Water - Amount,
                    wanted = Wanted - 1,
                    next = Next + 1,
                    units = setelement(Next, Units, Unit)}.
