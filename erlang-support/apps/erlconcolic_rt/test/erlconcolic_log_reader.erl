%%% Makes and reads logs, for the tests.
-module(erlconcolic_log_reader).

-export([logged/1, items/2]).

-type item() ::
    non_neg_integer()
  | {Number :: non_neg_integer(), Payload :: term()}
  | {raised, Module :: non_neg_integer(), Site :: non_neg_integer(),
     Payload :: term()}
  | {enter, Module :: non_neg_integer(), Callable :: non_neg_integer()}
  | {enter, Module :: non_neg_integer(), Callable :: non_neg_integer(),
     Args :: [term()]}.

%% The result or exception of a fun, and its log. This process is the collector.
-spec logged(fun(() -> term())) ->
    {{ok, term()} | {atom(), term()} | {down, term()}, binary()}.
logged(Body) ->
    Collector = self(),
    {Pid, Monitor} =
        spawn_monitor(
            fun() ->
                    ok = erlconcolic_out:start(Collector),
                    Result = try {ok, Body()}
                             catch Class:Reason -> {Class, Reason}
                             end,
                    ok = erlconcolic_out:finish(),
                    Collector ! {result, self(), Result}
            end),
    collect(Pid, Monitor, <<>>).

collect(Pid, Monitor, Log) ->
    receive
        {erlconcolic_start, Pid} ->
            collect(Pid, Monitor, Log);
        {erlconcolic_log, Pid, Bytes} ->
            collect(Pid, Monitor, <<Log/binary, Bytes/binary>>);
        {erlconcolic_sync, Pid, Ref} ->
            Pid ! {erlconcolic_synced, Ref},
            collect(Pid, Monitor, Log);
        {result, Pid, Result} ->
            true = demonitor(Monitor, [flush]),
            {Result, Log};
        {'DOWN', Monitor, process, Pid, Reason} ->
            {{down, Reason}, Log}
    end.

%% Payloads are the numbers that have a payload.
-spec items(binary(), [non_neg_integer()]) -> [item()].
items(<<>>, _) ->
    [];
items(Log, Payloads) ->
    case number(Log) of
        {0, AfterZero} ->
            {Module, AfterModule} = number(AfterZero),
            {Callable, <<HasArgs, AfterFlag/binary>>} = number(AfterModule),
            case HasArgs of
                0 ->
                    [{enter, Module, Callable} | items(AfterFlag, Payloads)];
                1 ->
                    {Args, Rest} = payload(AfterFlag),
                    [{enter, Module, Callable, Args} | items(Rest, Payloads)]
            end;
        {1, AfterOne} ->
            {Module, AfterModule} = number(AfterOne),
            {Site, AfterSite} = number(AfterModule),
            {Term, Rest} = payload(AfterSite),
            [{raised, Module, Site, Term} | items(Rest, Payloads)];
        {Number, AfterNumber} ->
            case lists:member(Number, Payloads) of
                true ->
                    {Term, Rest} = payload(AfterNumber),
                    [{Number, Term} | items(Rest, Payloads)];
                false ->
                    [Number | items(AfterNumber, Payloads)]
            end
    end.

-spec payload(binary()) -> {term(), binary()}.
payload(Log) ->
    {Size, Rest} = number(Log),
    <<Bytes:Size/binary, AfterBytes/binary>> = Rest,
    {binary_to_term(Bytes), AfterBytes}.

-spec number(binary()) -> {non_neg_integer(), binary()}.
number(Log) ->
    number(Log, 0).

-spec number(binary(), non_neg_integer()) -> {non_neg_integer(), binary()}.
number(<<1:1, Bits:7, Rest/binary>>, High) ->
    number(Rest, High bsl 7 + Bits);
number(<<0:1, Bits:7, Rest/binary>>, High) ->
    {High bsl 7 + Bits, Rest}.
