%% Addresses as text. All else that the real module does is about sockets.
-module(inet).
-export([ntoa/1, parse_address/1, parse_ipv4_address/1,
         parse_ipv4strict_address/1, parse_ipv6_address/1,
         parse_ipv6strict_address/1, parse_strict_address/1]).

ntoa(Address) -> inet_parse:ntoa(Address).

parse_address(Text) -> inet_parse:address(Text).

parse_ipv4_address(Text) -> inet_parse:ipv4_address(Text).

parse_ipv4strict_address(Text) -> inet_parse:ipv4strict_address(Text).

parse_ipv6_address(Text) -> inet_parse:ipv6_address(Text).

parse_ipv6strict_address(Text) -> inet_parse:ipv6strict_address(Text).

parse_strict_address(Text) -> inet_parse:strict_address(Text).
