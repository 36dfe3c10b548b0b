%% Clients of a gen_statem, which is followed as it is.
-module(state_machines).
-behaviour(gen_statem).
-export([clean_cancelled_timeout/1, clean_stopped/1, jammed/2, postponed/1,
         state_timeout/1, three_wrong_codes/3]).
-export([init/1, callback_mode/0, handle_event/4]).

%% The timeout of a state is over when the machine leaves the state.
%% clean: complete
-spec clean_cancelled_timeout(integer()) -> integer().
clean_cancelled_timeout(N) ->
    Pid = start(1),
    opened = gen_statem:call(Pid, {button, 1}),
    locked = gen_statem:call(Pid, lock),
    receive after 1000 -> ok end,
    0 = gen_statem:call(Pid, timeouts),
    N.

%% clean: complete
-spec clean_stopped(integer()) -> ok.
clean_stopped(Code) ->
    gen_statem:stop(start(Code)).

%% The first code opens, the second one jams.
%% finds: error jammed
-spec jammed(integer(), integer()) -> term().
jammed(A, B) ->
    Pid = start(42),
    _ = gen_statem:call(Pid, {button, A}),
    catch gen_statem:call(Pid, {button, B}).

%% What comes too early is handled later.
%% finds: error postponed
-spec postponed(integer()) -> term().
postponed(N) ->
    Pid = start(42),
    ok = gen_statem:cast(Pid, {when_open, N}),
    catch gen_statem:call(Pid, {button, 42}).

%% The door closes after some time.
%% finds: error closed
-spec state_timeout(integer()) -> ok.
state_timeout(N) ->
    Pid = start(42),
    case gen_statem:call(Pid, {button, N}) of
        wrong ->
            ok;
        opened ->
            receive after 500 -> ok end,
            1 = gen_statem:call(Pid, timeouts),
            error(closed)
    end.

%% finds: error alarm
-spec three_wrong_codes(integer(), integer(), integer()) -> term().
three_wrong_codes(A, B, C) ->
    Pid = start(24),
    _ = gen_statem:call(Pid, {button, A}),
    _ = gen_statem:call(Pid, {code_plus_one, B}),
    catch gen_statem:call(Pid, {button, C}).

start(Code) ->
    {ok, Pid} = gen_statem:start(?MODULE, Code, []),
    Pid.

callback_mode() -> [handle_event_function, state_enter].

init(Code) ->
    {ok, locked, #{code => Code, wrong => 0, timeouts => 0}}.

handle_event(enter, _Old, open, _Data) ->
    {keep_state_and_data, [{state_timeout, 100, close}]};
handle_event(enter, _Old, locked, _Data) ->
    keep_state_and_data;
handle_event({call, From}, {button, Code}, locked, #{code := Code} = Data) ->
    {next_state, open, Data, [{reply, From, opened}]};
handle_event({call, _From}, {button, 7}, locked, #{wrong := 2}) ->
    error(alarm);
handle_event({call, From}, {button, _}, locked, #{wrong := Wrong} = Data) ->
    {keep_state, Data#{wrong := Wrong + 1}, [{reply, From, wrong}]};
handle_event({call, From}, {code_plus_one, N}, locked,
             #{code := Code, wrong := Wrong} = Data) when N =:= Code + 1 ->
    {keep_state, Data#{wrong := Wrong + 1}, [{reply, From, wrong}]};
handle_event({call, _From}, {button, 13}, open, #{code := 42}) ->
    error(jammed);
handle_event({call, From}, lock, open, Data) ->
    {next_state, locked, Data, [{reply, From, locked}]};
handle_event(cast, {when_open, _}, locked, _Data) ->
    {keep_state_and_data, [postpone]};
handle_event(cast, {when_open, 77}, open, _Data) ->
    error(postponed);
handle_event(state_timeout, close, open, #{timeouts := Timeouts} = Data) ->
    {next_state, locked, Data#{timeouts := Timeouts + 1}};
handle_event({call, From}, timeouts, _State, #{timeouts := Timeouts}) ->
    {keep_state_and_data, [{reply, From, Timeouts}]};
handle_event({call, From}, _, _State, _Data) ->
    {keep_state_and_data, [{reply, From, ignored}]};
handle_event(cast, _, _State, _Data) ->
    keep_state_and_data.
