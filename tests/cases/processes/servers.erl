%% Clients of a gen_server, which is followed as it is.
-module(servers).
-behaviour(gen_server).
-export([answer_late/1, asked_otp/1, clean_counter/2, clean_late_answer/1,
         clean_request/1, continued/1, crash_in_call/1, crash_in_cast/1,
         crash_in_terminate/1, lost_update/1, registered/1,
         stopped_by_reason/1, timeout_of_server/1, wrong_return/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2,
         handle_continue/2, terminate/2]).

%% The answer comes only for some inputs.
%% finds: exit {timeout,_}
-spec answer_late(integer()) -> ok.
answer_late(N) ->
    Pid = start(0),
    gen_server:call(Pid, {silent, N}, 100).

%% A server that nobody controls answers in its own time.
%% clean
-spec asked_otp(integer()) -> integer().
asked_otp(N) ->
    [_ | _] = supervisor:which_children(kernel_sup),
    N.

%% Two clients, and the sum does not depend on their order.
%% clean: complete
-spec clean_counter(integer(), integer()) -> integer().
clean_counter(A, B) ->
    Pid = start(0),
    Self = self(),
    _ = spawn(fun() -> Self ! {done, gen_server:call(Pid, {add, A})} end),
    ok = gen_server:call(Pid, {add, B}),
    receive {done, ok} -> ok end,
    Sum = gen_server:call(Pid, get),
    true = Sum =:= A + B,
    Sum.

%% An answer that comes too late is lost: the alias of the call is over.
%% clean: complete
-spec clean_late_answer(integer()) -> ok.
clean_late_answer(N) ->
    Pid = start(0),
    {'EXIT', {timeout, _}} = (catch gen_server:call(Pid, {later, N}, 10)),
    receive
        _ -> error(late)
    after 1000 ->
        ok
    end.

%% The answer of a request comes as a message.
%% clean: complete
-spec clean_request(integer()) -> integer().
clean_request(N) ->
    Request = gen_server:send_request(start(N), get),
    {reply, M} = gen_server:receive_response(Request, 1000),
    true = M =:= N,
    M.

%% finds: error five
-spec continued(integer()) -> term().
continued(N) ->
    Pid = start({continue, N}),
    catch gen_server:call(Pid, get).

%% The input crashes the callback of the server, not its client.
%% finds: error bug
-spec crash_in_call(integer()) -> term().
crash_in_call(N) ->
    Pid = start(0),
    catch gen_server:call(Pid, {check, N}).

%% finds: error cast
-spec crash_in_cast(integer()) -> ok.
crash_in_cast(N) ->
    gen_server:cast(start(0), {check, N}).

%% finds: error terminated
-spec crash_in_terminate(integer()) -> term().
crash_in_terminate(N) ->
    catch gen_server:stop(start(N)).

%% Two clients read, then write: one of the writes is lost.
%% finds: error lost
-spec lost_update(1..10) -> ok.
lost_update(N) ->
    Pid = start(0),
    Self = self(),
    Add = fun() ->
                  Before = gen_server:call(Pid, get),
                  gen_server:call(Pid, {set, Before + N})
          end,
    _ = spawn(fun() -> Add(), Self ! done end),
    ok = Add(),
    receive done -> ok end,
    case gen_server:call(Pid, get) of
        Sum when Sum =:= 2 * N -> ok;
        _ when N > 5 -> error(lost);
        _ -> ok
    end.

%% A message to the name of a server.
%% finds: error info
-spec registered(integer()) -> ok.
registered(N) ->
    {ok, _} = gen_server:start({local, a_server}, ?MODULE, 0, []),
    a_server ! {check, N},
    ok.

%% The reason of its end depends on the input.
%% finds: error reason
-spec stopped_by_reason(integer()) -> ok.
stopped_by_reason(N) ->
    Pid = start(0),
    try gen_server:call(Pid, {stop, N}) of
        _ -> ok
    catch
        exit:{{shutdown, 21}, _} -> error(reason);
        exit:{{shutdown, _}, _} -> ok
    end.

%% A server that waits for so long does something else.
%% finds: error idle
-spec timeout_of_server(integer()) -> term().
timeout_of_server(N) ->
    Pid = start(0),
    ok = gen_server:call(Pid, {idle, N}),
    receive after 500 -> ok end,
    catch gen_server:call(Pid, get).

%% finds: exit {bad_return_value,_}
-spec wrong_return(integer()) -> ok.
wrong_return(N) ->
    gen_server:cast(start(0), {wrong, N}).

start(State) ->
    {ok, Pid} = gen_server:start(?MODULE, State, []),
    Pid.

init({continue, N}) -> {ok, 0, {continue, N}};
init(State) -> {ok, State}.

handle_continue(5, _State) -> error(five);
handle_continue(N, State) -> {noreply, State + N}.

handle_call(get, _From, State) -> {reply, State, State};
handle_call({set, New}, _From, _State) -> {reply, ok, New};
handle_call({add, N}, _From, State) -> {reply, ok, State + N};
handle_call({check, 4711}, _From, _State) -> error(bug);
handle_call({check, _}, _From, State) -> {reply, ok, State};
handle_call({silent, 12}, _From, State) -> {noreply, State};
handle_call({silent, _}, _From, State) -> {reply, ok, State};
handle_call({later, N}, From, State) ->
    _ = erlang:send_after(20, self(), {answer, From, N}),
    {noreply, State};
handle_call({idle, 9}, _From, State) -> {reply, ok, State, 100};
handle_call({idle, _}, _From, State) -> {reply, ok, State};
handle_call({stop, N}, _From, State) -> {stop, {shutdown, N}, State}.

handle_cast({check, 99}, _State) -> error(cast);
handle_cast({check, _}, State) -> {noreply, State};
handle_cast({wrong, 3}, _State) -> wrong;
handle_cast({wrong, _}, State) -> {noreply, State}.

handle_info({check, -1}, _State) -> error(info);
handle_info({check, _}, State) -> {noreply, State};
handle_info({answer, From, N}, State) ->
    gen_server:reply(From, N),
    {noreply, State};
handle_info(timeout, _State) -> error(idle).

terminate(normal, 55) -> error(terminated);
terminate(_Reason, _State) -> ok.
