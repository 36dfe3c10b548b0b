%% The rules of a firewall. The first that fits a packet decides.
%%
%% The bug is in the last clause of rule/3. No pattern and no guard leads there: a
%% packet gets to it because it fits none of the rules above. None of them has
%% rejected ports that are no numbers, and the last one computes with the port.
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
