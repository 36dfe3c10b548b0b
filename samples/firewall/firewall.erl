%% The rules of a firewall. The first rule that matches a packet decides.
%%
%% The bug is in the last clause of rule/3. It has no pattern or guard: a packet
%% reaches it because it matches none of the rules above. None of them rejects
%% ports that are not numbers, and the last one computes with the port.
-module(firewall).
-export([decide/1]).

decide({Protocol, Port, Source}) -> rule(Protocol, Port, Source);
decide(_) -> {error, not_a_packet}.

rule(icmp, _, _) ->
    allow;
rule(_, _, blocked) ->
    deny;
rule(Protocol, _, _) when Protocol =/= tcp, Protocol =/= udp ->
    {error, {unknown_protocol, Protocol}};
rule(tcp, 22, admin) ->
    allow;
rule(tcp, 22, _) ->
    deny;
rule(tcp, Port, _) when Port =:= 80; Port =:= 443 ->
    allow;
rule(udp, 53, _) ->
    allow;
rule(_, Port, _) when is_integer(Port), Port >= 1024, Port < 65536 ->
    allow;
rule(Protocol, Port, _) ->
    {deny, {Protocol, block, Port div 256}}.
