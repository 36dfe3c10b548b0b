%% Messages of a process to itself.
-module(kept_messages).
-export([clean_content/2, content/2, counted/1, order/1, selective/1]).

%% What a message has in it.
%% finds all at depth 2: error first; error second
-spec content(boolean(), a | b) -> ok.
content(Choice, Kind) ->
    self() ! {name, name(Choice)},
    Letter = decided(Kind),
    receive
        {name, first} when Letter =:= x -> error(first);
        {name, second} when Letter =:= y -> error(second);
        {name, _} -> ok
    end.

name(true) -> first;
name(false) -> second.

decided(a) -> x;
decided(b) -> y.

%% The content is only returned.
%% clean at depth 2: complete
-spec clean_content(boolean(), a | b) -> {atom(), atom()}.
clean_content(Choice, Kind) ->
    self() ! {name, name(Choice)},
    Letter = decided(Kind),
    receive
        {name, Name} -> {Name, Letter}
    end.

%% How many messages there are.
%% finds all at depth 4: error two
-spec counted([a | b]) -> ok.
counted(List) ->
    send_all(List),
    case received(0) of
        2 -> error(two);
        _ -> ok
    end.

send_all([a | Rest]) ->
    self() ! a,
    send_all(Rest);
send_all([b | Rest]) ->
    send_all(Rest);
send_all([]) ->
    ok.

received(N) ->
    receive
        a -> received(N + 1)
    after 0 -> N
    end.

%% In which order they came.
%% finds all at depth 4: error a_first; error b_first
-spec order([a | b]) -> ok.
order([_, _ | _] = List) ->
    [self() ! {letter, known(X)} || X <- List],
    case {letter(), letter()} of
        {a, b} -> error(a_first);
        {b, a} -> error(b_first);
        _ -> ok
    end;
order(_) ->
    ok.

known(a) -> a;
known(b) -> b.

letter() ->
    receive
        {letter, X} -> X
    end.

%% A message that a selective receive passes over.
%% finds all at depth 4: error left_behind
-spec selective([a | b]) -> ok.
selective(List) ->
    [self() ! known(X) || X <- List],
    receive
        b -> left_behind()
    after 0 -> ok
    end.

left_behind() ->
    receive
        a -> no_more()
    after 0 -> ok
    end.

no_more() ->
    receive
        a -> error(left_behind)
    after 0 -> ok
    end.
