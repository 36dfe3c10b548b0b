%%% Says why there is no connection with a node. OTP tells only that there is
%%% none, so this takes the same way step by step, as far as it goes.
-module(erlconcolic_cluster_why).

-export([refusal/2]).

-define(PATIENCE, 5_000).

%% In seconds.
-define(SILENCE, 6).

%% How long a server may take to say that it does not trust our certificate.
-define(SECOND_THOUGHT, 1_000).

-type refusal() :: {refused, atom(), binary()}.

%% `Taken' is how many seconds OTP has tried. It gives up after seven if the
%% node says nothing, as one that is stopped; who refuses does so at once.
-spec refusal(node(), non_neg_integer()) -> refusal().
refusal(Node, Taken) when Taken >= ?SILENCE ->
    refused(no_answer, io_lib:format("~ts is silent", [Node]));
refusal(Node, _) ->
    [Name, Host] = string:split(atom_to_list(Node), "@"),
    case address(Host) of
        {ok, Address} -> at_port(Name, Host, Address);
        {error, _} -> refused(unknown_host, Host)
    end.

-spec address(string()) -> {ok, inet:ip_address()} | {error, term()}.
address(Host) ->
    case inet:getaddr(Host, inet) of
        {ok, Address} -> {ok, Address};
        {error, _} -> inet:getaddr(Host, inet6)
    end.

-spec at_port(string(), string(), inet:ip_address()) -> refusal().
at_port(Name, Host, Address) ->
    Epmd = net_kernel:epmd_module(),
    case Epmd:port_please(Name, Address, ?PATIENCE) of
        {port, Port, _} -> at_socket(Host, Address, Port);
        _ -> at_epmd(Name, Host)
    end.

%% Without a port: is there an epmd?
-spec at_epmd(string(), string()) -> refusal().
at_epmd(Name, Host) ->
    case erl_epmd:names(Host) of
        {ok, _} -> refused(no_node, Name);
        {error, _} -> refused(no_epmd, Host)
    end.

-spec at_socket(string(), inet:ip_address(), inet:port_number()) -> refusal().
at_socket(Host, Address, Port) ->
    case gen_tcp:connect(Address, Port, [], ?PATIENCE) of
        {ok, Socket} ->
            ok = gen_tcp:close(Socket),
            secured(Host, Address, Port, init:get_argument(ssl_dist_optfile));
        {error, Reason} ->
            Text = io_lib:format("~ts:~b: ~ts",
                                 [Host, Port, inet:format_error(Reason)]),
            refused(no_answer, Text)
    end.

-spec secured(string(), inet:ip_address(), inet:port_number(),
              {ok, [[string()]]} | error) ->
    refusal().
secured(Host, _, _, error) ->
    refused(cookie, Host);
secured(Host, Address, Port, {ok, [[File] | _]}) ->
    case shake_hands(Host, Address, Port, client_options(File)) of
        ok -> refused(cookie, Host);
        {error, {tls_alert, {_, Text}}} -> refused(certificate, Text);
        {error, Reason} ->
            refused(no_tls, io_lib:format("~0tp", [Reason]))
    end.

-spec client_options(file:filename()) -> [term()].
client_options(File) ->
    case file:consult(File) of
        {ok, [Options | _]} -> proplists:get_value(client, Options, []);
        _ -> []
    end.

-spec shake_hands(string(), inet:ip_address(), inet:port_number(), [term()]) ->
    ok | {error, term()}.
shake_hands(Host, Address, Port, Options) ->
    Own = [{active, false}, binary, {server_name_indication, Host}],
    %% Distribution over TLS does without.
    _ = application:ensure_all_started(ssl),
    try ssl:connect(Address, Port, Own ++ Options, ?PATIENCE) of
        {ok, Socket} ->
            Heard = ssl:recv(Socket, 0, ?SECOND_THOUGHT),
            _ = ssl:close(Socket),
            case Heard of
                {error, {tls_alert, _}} -> Heard;
                _ -> ok
            end;
        {error, Reason} ->
            {error, Reason}
    catch
        _:Reason -> {error, Reason}
    end.

-spec refused(atom(), unicode:chardata()) -> refusal().
refused(Why, Text) ->
    {refused, Why, unicode:characters_to_binary(string:trim(Text))}.
