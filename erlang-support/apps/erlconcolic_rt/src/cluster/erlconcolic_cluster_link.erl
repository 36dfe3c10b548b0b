%%% Keeps a session with a node: opens one whenever there is none, as often as
%%% nodes come back. A node with another version gets none.
-module(erlconcolic_cluster_link).

-export([start/2]).

%% Between two attempts.
-define(PAUSE, 500).

%% How long a node may take to say hello.
-define(PATIENCE, 10_000).

-spec start(pid(), node()) -> pid().
start(Owner, Node) ->
    spawn_link(fun() -> keep(Owner, Node) end).

-spec keep(pid(), node()) -> no_return().
keep(Owner, Node) ->
    ok = case check(Node) of
             ok ->
                 Session = erlconcolic_cluster_session:offer(Owner, Node),
                 Monitor = monitor(process, Session),
                 receive {'DOWN', Monitor, process, _, _} -> ok end;
             {refused, Why, Text} ->
                 Owner ! {refused, atom_to_binary(Node), Why, Text},
                 ok
         end,
    receive after ?PAUSE -> ok end,
    keep(Owner, Node).

-spec check(node()) -> ok | {refused, atom(), binary()}.
check(Node) ->
    Start = erlang:monotonic_time(second),
    %% Hidden nodes are not told of one another.
    case net_kernel:hidden_connect_node(Node) of
        true ->
            agree(Node);
        _ ->
            Taken = erlang:monotonic_time(second) - Start,
            erlconcolic_cluster_why:refusal(Node, Taken)
    end.

-spec agree(node()) -> ok | {refused, atom(), binary()}.
agree(Node) ->
    Own = erlconcolic_cluster_hello:hello(),
    try erpc:call(Node, erlconcolic_cluster_hello, hello, [], ?PATIENCE) of
        Own -> ok;
        #{tool := Tool, otp := Otp} -> differs(Own, Tool, Otp);
        _ -> {refused, not_ours, <<>>}
    catch
        error:{exception, undef, _} -> {refused, not_ours, <<>>};
        error:{exception, badarg, _} -> {refused, no_answer, <<>>};
        _:_ -> {refused, no_answer, <<>>}
    end.

-spec differs(erlconcolic_cluster_hello:hello(), term(), term()) ->
    {refused, atom(), binary()}.
differs(#{tool := Tool, otp := Otp}, Tool, Other) ->
    {refused, other_otp, text("~ts here, ~ts there", [Otp, Other])};
differs(#{tool := Tool}, Other, _) ->
    {refused, other_tool, text("~ts here, ~ts there", [Tool, Other])}.

-spec text(string(), [term()]) -> binary().
text(Format, Values) ->
    unicode:characters_to_binary(io_lib:format(Format, Values)).
