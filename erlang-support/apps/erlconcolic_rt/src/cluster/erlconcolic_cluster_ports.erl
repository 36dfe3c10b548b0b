%%% Tells OTP where nodes with fixed ports are, and asks epmd for all others:
%%% `erl -epmd_module erlconcolic_cluster_ports'.
-module(erlconcolic_cluster_ports).

-export([know/2, start_link/0, register_node/2, register_node/3,
         listen_port_please/2, port_please/2, port_please/3,
         address_please/3, names/1]).

%% The version of the protocol that every OTP of today understands.
-define(VERSION, 5).

-type name() :: atom() | string().
-type host() :: atom() | string() | inet:ip_address().
-type where() ::
    {port, inet:port_number(), Version :: non_neg_integer()}
  | noport | closed | {error, term()}.

%% The fixed port of this node, and those of others.
-spec know(inet:port_number() | none, [{binary(), inet:port_number()}]) -> ok.
know(Own, Others) ->
    persistent_term:put(?MODULE, {Own, maps:from_list(Others)}).

-spec start_link() -> {ok, pid()} | ignore | {error, term()}.
start_link() -> erl_epmd:start_link().

-spec register_node(name(), inet:port_number()) -> term().
register_node(Name, Port) -> register_node(Name, Port, inet).

-spec register_node(name(), inet:port_number(), atom()) -> term().
register_node(Name, Port, Family) ->
    case known() of
        {none, _} -> erl_epmd:register_node(Name, Port, Family);
        {_, _} -> {ok, -1}
    end.

-spec listen_port_please(name(), host()) -> {ok, inet:port_number()}.
listen_port_please(Name, Host) ->
    case known() of
        {none, _} -> erl_epmd:listen_port_please(Name, Host);
        {Port, _} -> {ok, Port}
    end.

-spec port_please(name(), host()) -> where().
port_please(Name, Host) -> port_please(Name, Host, infinity).

-spec port_please(name(), host(), timeout()) -> where().
port_please(Name, Host, Timeout) ->
    {_, Others} = known(),
    case Others of
        %% By address: OTP has asked for it before.
        #{} when map_size(Others) =:= 0 ->
            erl_epmd:port_please(Name, Host, Timeout);
        #{} ->
            of_node(unicode:characters_to_binary(text(Name)), Others, Host,
                    Timeout)
    end.

-spec of_node(binary(), #{binary() => inet:port_number()}, host(), timeout()) ->
    where().
of_node(Name, Others, Host, Timeout) ->
    Places = [{Node, Port} || {Node, Port} <- maps:to_list(Others),
                              hd(binary:split(Node, <<"@">>)) =:= Name],
    case [Port || {Node, Port} <- Places, is_at(Node, Host)] of
        [Port | _] -> {port, Port, ?VERSION};
        [] -> erl_epmd:port_please(binary_to_list(Name), Host, Timeout)
    end.

-spec is_at(binary(), host()) -> boolean().
is_at(Node, Host) ->
    [_, Name] = binary:split(Node, <<"@">>),
    Text = unicode:characters_to_list(Name),
    if_address(Host, Text) orelse text(Host) =:= Text.

-spec if_address(host(), string()) -> boolean().
if_address(Host, Text) when is_tuple(Host) ->
    Family = case tuple_size(Host) of 4 -> inet; 8 -> inet6 end,
    case inet:getaddrs(Text, Family) of
        {ok, Addresses} -> lists:member(Host, Addresses);
        {error, _} -> false
    end;
if_address(_, _) ->
    false.

-spec address_please(string(), host(), inet | inet6) ->
    {ok, inet:ip_address()} | {error, term()}.
address_please(Name, Host, Family) ->
    erl_epmd:address_please(Name, Host, Family).

-spec names(host()) -> term().
names(Host) -> erl_epmd:names(Host).

-spec known() ->
    {inet:port_number() | none, #{binary() => inet:port_number()}}.
known() -> persistent_term:get(?MODULE, {none, #{}}).

-spec text(name() | host()) -> string().
text(Name) when is_atom(Name) -> atom_to_list(Name);
text(Name) when is_list(Name) -> Name;
text(Address) when is_tuple(Address) -> inet:ntoa(Address).
