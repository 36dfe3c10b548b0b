%%% Starts Erlang distribution on this node. The cookie, TLS and where other
%%% nodes are come from flags of `erl', as always.
-module(erlconcolic_cluster_start).

-export([start/1]).

-export_type([options/0]).

%% `port' is that of a node that others find without epmd; `ports' are those of
%% such nodes. `tick' is in seconds. A node that does not listen only searches.
-type options() ::
    #{tool := binary(),
      name := binary(),
      listens := boolean(),
      port := inet:port_number() | none,
      ports := [{Node :: binary(), inet:port_number()}],
      tick := pos_integer()}.

-spec start(options()) -> {ok, node()} | {error, atom(), binary()}.
start(#{name := Name, listens := Listens, ports := Ports, tick := Tick,
        port := Port}) ->
    ok = erlconcolic_cluster_ports:know(Port, Ports),
    ok = set_up(Listens, Port, host(Name)),
    %% Nobody but erlconcolic_cluster_link makes connections.
    ok = application:set_env(kernel, dist_auto_connect, never),
    ok = start_epmd(Listens andalso Port =:= none),
    Domain = domain(host(Name)),
    Options = #{name_domain => Domain, net_ticktime => Tick,
                dist_listen => Listens, hidden => true},
    try net_kernel:start(binary_to_atom(Name), Options) of
        {ok, _} -> {ok, node()};
        {error, Reason} -> why(Reason, Name, Port)
    catch
        _:Reason -> why(Reason, Name, Port)
    end.

-spec host(binary()) -> string().
host(Name) ->
    [_, Host] = binary:split(Name, <<"@">>),
    unicode:characters_to_list(Host).

%% Names with a dot in their host are long.
-spec domain(string()) -> longnames | shortnames.
domain(Host) ->
    case lists:any(fun(Char) -> Char =:= $. orelse Char =:= $: end, Host) of
        true -> longnames;
        false -> shortnames
    end.

%% A host that is this machine for itself alone is not for others. A search says
%% itself what is wrong; a node also tells who was refused.
-spec set_up(boolean(), inet:port_number() | none, string()) -> ok.
set_up(false, _, _) ->
    logger:set_primary_config(level, none);
set_up(true, Port, Host) ->
    ok = fixed(Port),
    case inet:getaddr(Host, inet) of
        {ok, {127, _, _, _} = Address} ->
            application:set_env(kernel, inet_dist_use_interface, Address);
        _ ->
            ok
    end.

-spec fixed(inet:port_number() | none) -> ok.
fixed(none) ->
    ok;
fixed(Port) ->
    ok = application:set_env(kernel, inet_dist_listen_min, Port),
    application:set_env(kernel, inet_dist_listen_max, Port).

%% `erl -name' starts it in the same way.
-spec start_epmd(boolean()) -> ok.
start_epmd(false) ->
    ok;
start_epmd(true) ->
    Bin = filename:join([code:root_dir(), "bin", "epmd"]),
    Epmd = case os:find_executable("epmd") of
               false -> Bin;
               Found -> Found
           end,
    try open_port({spawn_executable, Epmd},
                  [{args, ["-daemon"]}, exit_status]) of
        Port -> receive {Port, {exit_status, _}} -> ok end
    catch
        error:_ -> ok
    end.

-spec why(term(), binary(), inet:port_number() | none) ->
    {error, atom(), binary()}.
why(Reason, Name, Port) ->
    Text = unicode:characters_to_binary(io_lib:format("~0tp", [Reason])),
    case {is_in(duplicate_name, Reason), is_in(eaddrinuse, Reason), Port} of
        {true, _, _} -> {error, name_in_use, Name};
        {_, _, none} -> {error, not_started, Text};
        {_, _, _} -> {error, port_in_use, integer_to_binary(Port)}
    end.

-spec is_in(atom(), term()) -> boolean().
is_in(Atom, Atom) -> true;
is_in(Atom, Tuple) when is_tuple(Tuple) -> is_in(Atom, tuple_to_list(Tuple));
is_in(Atom, [Head | Tail]) -> is_in(Atom, Head) orelse is_in(Atom, Tail);
is_in(_, _) -> false.
