%% options: --term-depth 8
%% Addresses that are read and written by `inet`.
-module(with_inet).
-export([local/1, network/1, strict/1, written/1, clean_round_trip/1]).

%% finds: error local
-spec local(string()) -> ok.
local(Text) ->
    case inet:parse_ipv4strict_address(Text) of
        {ok, {0, 0, 0, N}} when N > 0 -> error(local);
        _ -> ok
    end.

%% The old form, in which the last number fills the rest.
%% finds: error network
-spec network(string()) -> ok.
network(Text) ->
    case inet:parse_ipv4_address(Text) of
        {ok, {7, 0, 0, 1}} -> error(network);
        _ -> ok
    end.

%% finds: error einval
-spec strict(string()) -> inet:ip_address().
strict([_, _, _ | _] = Text) ->
    case inet:parse_strict_address(Text) of
        {ok, Address} -> Address;
        {error, Reason} -> error(Reason)
    end;
strict(_) ->
    {0, 0, 0, 0}.

%% finds: error loopback
-spec written(inet:ip4_address()) -> ok.
written(Address) ->
    case inet:ntoa(Address) of
        "127.0.0.1" -> error(loopback);
        _ -> ok
    end.

%% clean
-spec clean_round_trip(inet:ip4_address()) -> ok.
clean_round_trip(Address) ->
    {ok, Address} = inet:parse_ipv4strict_address(inet:ntoa(Address)),
    ok.
