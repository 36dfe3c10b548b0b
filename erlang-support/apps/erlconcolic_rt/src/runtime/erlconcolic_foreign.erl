%%% Checks built-ins of `erlang' that are harmless between processes of a run,
%%% but not if they reach others: processes of the runtime, which this run and
%%% later ones need, and ports, since a run has none of its own.
-module(erlconcolic_foreign).

-include("erlconcolic_keys.hrl").

-export([check/2]).

-spec check(Function :: term(), Args :: [term()]) ->
    ok | spoils | ends | blocked.
check('!', [To, Message]) -> check_send(To, Message);
check(send, [To, Message | _]) -> check_send(To, Message);
check(send_nosuspend, [To, Message | _]) -> check_send(To, Message);
check(send_after, [_, _, _ | _] = Args) -> check_timer(send_after, Args);
check(start_timer, [_, _, _ | _] = Args) -> check_timer(start_timer, Args);
check(exit, [To, _]) when To =:= self() -> ends;
check(exit, [To, _]) -> check_target(To);
check(link, [To]) -> check_target(To);
check(register, [_, To]) -> check_target(To);
check(suspend_process, [To | _]) -> check_target(To);
check(process_flag, [To, _, _]) -> check_target(To);
check(group_leader, [_, To]) -> check_target(To);
check(_, _) -> ok.

%% Only the runtime may send the messages of a collector, and only the BEAM and
%% OTP may send messages that end servers.
-spec check_send(term(), term()) -> ok | spoils | blocked.
check_send(To, _) when is_port(To) -> blocked;
check_send(To, Message) when is_tuple(Message), tuple_size(Message) > 0 ->
    case element(1, Message) of
        erlconcolic_start -> blocked;
        erlconcolic_log -> blocked;
        erlconcolic_sync -> blocked;
        erlconcolic_blocked -> blocked;
        erlconcolic_spoils -> blocked;
        erlconcolic_returned -> blocked;
        erlconcolic_outcome -> blocked;
        erlconcolic_contact -> blocked;
        'EXIT' -> check_target(process(To));
        'DOWN' -> check_target(process(To));
        system -> check_target(process(To));
        _ -> check_receiver(process(To))
    end;
check_send(To, _) -> check_receiver(process(To)).

%% OTP servers may react to unexpected messages in any way. Those that print
%% ignore them.
-spec check_receiver(term()) -> ok | spoils.
check_receiver(To) when is_pid(To), To =/= self() ->
    case erlconcolic_residents:is_resident(To)
        andalso not lists:member(To, [whereis(user), whereis(standard_error)])
    of
        true -> spoils;
        false -> ok
    end;
check_receiver(_) -> ok.

-spec process(term()) -> term().
process(Name) when is_atom(Name) -> whereis(Name);
process(To) -> To.

%% When the timer fires, the name may belong to a process of another run, unless
%% the timer ends with the run.
-spec check_timer(atom(), [term()]) -> ok | spoils | blocked.
check_timer(Function, [_, To, Message | _] = Args) ->
    IsOfGate = get(?LEASE) =/= undefined
        andalso erlconcolic_timers:request(Function, Args) =/= error,
    case is_atom(To) andalso not IsOfGate of
        true -> spoils;
        false -> check_send(To, Message)
    end.

-spec check_target(term()) -> ok | blocked.
check_target(To) when is_port(To) -> blocked;
check_target(To) when is_pid(To), To =/= self(), node(To) =:= node() ->
    {tracer, Own} = erlang:trace_info(self(), tracer),
    case erlang:trace_info(To, tracer) of
        {tracer, Own} -> ok;
        _ when Own =:= [] -> ok;
        undefined -> ok;
        {tracer, _} -> blocked
    end;
check_target(_) -> ok.
