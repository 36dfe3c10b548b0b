%% Two processes share what modules of stdlib keep: a graph in tables, and a pool.
-module(table_clients).
-export([graph/2, pool/1]).

-spec graph(1..3, 1..3) -> false | [term()].
graph(From, To) ->
    Graph = digraph:new(),
    [_, _, _] = [digraph:add_vertex(Graph, V) || V <- [1, 2, 3]],
    Self = self(),
    _ = spawn(fun() -> Self ! {path, digraph:get_path(Graph, 1, 3)} end),
    _ = digraph:add_edge(Graph, 1, 2),
    _ = digraph:add_edge(Graph, From, To),
    receive {path, Path} -> Path end.

%% A pool of this node alone.
-spec pool(1..2) -> [node()].
pool(Processes) ->
    Nodes = pool:start(some_name),
    Self = self(),
    _ = [pool:pspawn(erlang, send, [Self, done]) || _ <- lists:seq(1, Processes)],
    _ = [receive done -> ok end || _ <- lists:seq(1, Processes)],
    Nodes.
