%%% A parcel locker. Whoever brings a parcel chooses a code, and the same code
%%% opens the locker. Two wrong codes block it for a minute.
-module(locker).

-behaviour(gen_statem).

-export([start_link/0, bring/2, open/2]).
-export([callback_mode/0, init/1, free/3, used/3, blocked/3]).

-define(TRIES, 2).
-define(PAUSE, 60_000).

-record(locker,
        {code :: code() | undefined,
         tries = ?TRIES :: integer()}).

-type code() :: 0..9999.
-type request() :: {bring, code()} | {open, code()}.
-type from() :: gen_statem:from().
-type handled() :: gen_statem:event_handler_result(free | used | blocked).

-spec start_link() -> gen_statem:start_ret().
start_link() ->
    gen_statem:start_link(?MODULE, [], []).

-spec bring(pid(), code()) -> ok | {error, in_use}.
bring(Locker, Code) ->
    gen_statem:call(Locker, {bring, Code}).

-spec open(pid(), code()) -> ok | {error, empty | string()}.
open(Locker, Code) ->
    gen_statem:call(Locker, {open, Code}).

callback_mode() ->
    state_functions.

-spec init([]) -> {ok, free, #locker{}}.
init([]) ->
    {ok, free, #locker{}}.

-spec free({call, from()}, request(), #locker{}) -> handled().
free({call, From}, {bring, Code}, Locker) ->
    {next_state, used, Locker#locker{code = Code}, {reply, From, ok}};
free({call, From}, {open, _}, _Locker) ->
    {keep_state_and_data, {reply, From, {error, empty}}}.

-spec used({call, from()}, request(), #locker{}) -> handled().
used({call, From}, {bring, _}, _Locker) ->
    {keep_state_and_data, {reply, From, {error, in_use}}};
used({call, From}, {open, Code}, #locker{code = Code} = Locker) ->
    {next_state, free, Locker, {reply, From, ok}};
used({call, From}, {open, _}, #locker{tries = Tries} = Locker) ->
    Reply = {reply, From, {error, advice(Tries - 1)}},
    case Locker#locker{tries = Tries - 1} of
        #locker{tries = 0} = Blocked ->
            {next_state, blocked, Blocked,
             [Reply, {state_timeout, ?PAUSE, over}]};
        Other ->
            {keep_state, Other, Reply}
    end.

-spec blocked(state_timeout, over, #locker{}) -> handled();
             ({call, from()}, request(), #locker{}) -> handled().
blocked(state_timeout, over, Locker) ->
    {next_state, used, Locker}.

advice(TriesLeft) ->
    lists:nth(TriesLeft + 1, ["wait for a minute", "look at the code again"]).
