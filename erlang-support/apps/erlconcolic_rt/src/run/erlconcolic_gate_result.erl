%%% What the answer of a run tells of its processes.
-module(erlconcolic_gate_result).

-include("erlconcolic_gate.hrl").

-export([result/2, waiting/1]).

%% What the answer of the run tells. Describe makes a report of an exception.
-spec result(fun((tuple()) -> term()), gate()) -> map().
result(Describe, Gate) ->
    #gate{leases = Leases, followed = Followed, schedule = Schedule,
          expected = Expected, members = Members,
          uncontrolled = Names} = Gate,
    #{leases => << <<(lease(Lease))/binary>>
                   || Lease <- lists:reverse(Leases) >>,
      followed => Followed andalso Schedule =:= [] andalso Expected =:= 0,
      members => [described(Member, Describe)
                  || Member <- erlconcolic_members:all(Members)],
      uncontrolled => lists:sort(maps:keys(Names))}.

-spec described(erlconcolic_members:member(), fun((tuple()) -> term())) ->
    map().
described(#{index := Index, path := Path, entry := Entry, status := Status},
          Describe) ->
    #{index => Index, path => Path, entry => Entry,
      'end' => ending(Status, Describe)}.

-spec ending(erlconcolic_members:status(), fun((tuple()) -> term())) -> term().
ending({ended, {down, killed}}, _Describe) -> killed;
ending({ended, {down, Reason}}, _Describe) when Reason =:= normal -> normal;
ending({ended, {down, Reason}}, Describe) -> Describe({exit, Reason, []});
ending({ended, How}, _Describe) -> How;
ending({waiting, _, _}, _Describe) -> waiting;
ending(woken, _Describe) -> waiting;
ending(Status, _Describe) when is_atom(Status) -> running.

%% A process does not take 0 steps: that stands for deliveries.
-spec lease({index() | channel(), pos_integer()}) -> binary().
lease({{From, To}, Count}) ->
    <<(number(From))/binary, 0, (number(To))/binary, (number(Count))/binary>>;
lease({Index, Steps}) ->
    <<(number(Index))/binary, (number(Steps))/binary>>.

%% As in a log.
-spec number(non_neg_integer()) -> binary().
number(Number) when Number < 128 -> <<Number>>;
number(Number) ->
    High = << <<(Byte bor 128)>> || <<Byte>> <= number_high(Number bsr 7) >>,
    <<High/binary, (Number band 127)>>.

-spec number_high(non_neg_integer()) -> binary().
number_high(0) -> <<>>;
number_high(Number) ->
    <<(number_high(Number bsr 7))/binary, (Number band 127)>>.

%% Who waits, with the stack.
-spec waiting(gate()) -> [{path(), [term()]}].
waiting(#gate{members = Members}) ->
    [{Path, stack(Pid, Place)}
     || #{path := Path, pid := Pid, place := Place,
          status := {waiting, _, _}} <- erlconcolic_members:all(Members)].

%% The innermost function is the one with the receive.
-spec stack(pid(), erlconcolic_lease:place()) -> [term()].
stack(Pid, Place) ->
    case process_info(Pid, current_stacktrace) of
        {current_stacktrace, Stack} -> placed(Place, without_ours(Stack));
        undefined -> []
    end.

-spec placed(erlconcolic_lease:place(), [tuple()]) -> [tuple()].
placed([_ | _] = Place, [{Module, Function, Arity, _} | Stack]) ->
    [{Module, Function, Arity, Place} | Stack];
placed(_Place, Stack) ->
    Stack.

-spec without_ours([tuple()]) -> [tuple()].
without_ours(Stack) ->
    lists:dropwhile(fun(Frame) -> element(1, Frame) =:= erlconcolic_lease end,
                    Stack).
