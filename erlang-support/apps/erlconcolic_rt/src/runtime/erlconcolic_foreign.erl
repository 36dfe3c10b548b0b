%%% Calls of `erlang' that are harmless among the processes of a run, and not
%%% where they are about others: those of the runtime, whose ends would be the
%%% end of the run and of those behind it, and ports, of which a run has none.
-module(erlconcolic_foreign).

-export([check/2]).

-spec check(Function :: term(), Args :: [term()]) -> ok | spoils | blocked.
check('!', [To, Message]) -> check_send(To, Message);
check(send, [To, Message | _]) -> check_send(To, Message);
check(send_nosuspend, [To, Message | _]) -> check_send(To, Message);
check(send_after, [_, To, Message | _]) -> check_timer(To, Message);
check(start_timer, [_, To, Message | _]) -> check_timer(To, Message);
check(exit, [To, _]) -> check_target(To);
check(link, [To]) -> check_target(To);
check(register, [_, To]) -> check_target(To);
check(suspend_process, [To | _]) -> check_target(To);
check(process_flag, [To, _, _]) -> check_target(To);
check(group_leader, [_, To]) -> check_target(To);
check(_, _) -> ok.

%% Nobody but the runtime speaks to a collector in its own words, and nobody but
%% the BEAM and OTP say what ends servers.
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
        'EXIT' -> check_target(process(To));
        'DOWN' -> check_target(process(To));
        system -> check_target(process(To));
        _ -> check_receiver(process(To))
    end;
check_send(To, _) -> check_receiver(process(To)).

%% What a server of OTP makes of a message that it does not expect nobody knows.
%% Those that print take any.
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

%% The name may belong to a process of another run when its time has come.
-spec check_timer(term(), term()) -> ok | spoils | blocked.
check_timer(To, _) when is_atom(To) -> spoils;
check_timer(To, Message) -> check_send(To, Message).

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
