-module(erlconcolic_initial_call_tests).

-include_lib("eunit/include/eunit.hrl").

-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

%% As the BEAM starts processes of behaviours.
processes_of_behaviours_have_the_names_of_their_callbacks_test_() ->
    Of = fun erlconcolic_initial_call:of_call/3,
    Behaviour = fun(Args) ->
                        Of(proc_lib, init_p, [self(), [], gen, init_it, Args])
                end,
    [?_assertEqual({m, init, 1},
                   Behaviour([gen_server, self(), self(), m, x, []])),
     ?_assertEqual({m, init, 1},
                   Behaviour([gen_statem, self(), self(), {local, n}, m, x,
                              []])),
     ?_assertEqual({m, init, 1},
                   Behaviour([gen_server, self(), self(), supervisor,
                              {self, m, x}, []])),
     ?_assertEqual({gen_event, init_it, 5},
                   Behaviour([gen_event, self(), self(), 'no callback module',
                              [], []])),
     ?_assertEqual({m, f, 2}, Of(proc_lib, init_p, [self(), [], m, f, [1, 2]])),
     ?_assertMatch({in, {?MODULE, _, 0}},
                   Of(proc_lib, init_p, [self(), [], fun() -> ok end])),
     ?_assertEqual({m, f, 0}, Of(m, f, []))].

%% The arguments above are those of real servers.
a_real_server_test() ->
    Self = self(),
    Tracer = spawn_link(fun() -> tell_spawns(Self) end),
    _ = erlang:trace(self(), true, [procs, {tracer, Tracer}]),
    {ok, Pid} = gen_server:start(?MODULE, [], []),
    _ = erlang:trace(self(), false, [procs]),
    receive
        {spawned, Pid, {Module, Function, Args}} ->
            Call = erlconcolic_initial_call:of_call(Module, Function, Args),
            ?assertEqual({?MODULE, init, 1}, Call)
    end,
    ok = gen_server:stop(Pid).

tell_spawns(To) ->
    receive
        {trace, _, spawn, Pid, Call} -> To ! {spawned, Pid, Call};
        _ -> ok
    end,
    tell_spawns(To).

init([]) -> {ok, state}.
handle_call(_, _From, State) -> {reply, ok, State}.
handle_cast(_, State) -> {noreply, State}.
