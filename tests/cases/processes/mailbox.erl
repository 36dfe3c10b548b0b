%% Messages to the process itself, whose contents depend on the input.
-module(mailbox).
-export([
    content/1, flushed/1, larger_one/2, message/1, order/2, own_message/1,
    request/1
]).

%% The message that was sent is received.
%% finds: error {content,_}
-spec content(integer()) -> ok.
content(N) ->
    self() ! {value, N * 2},
    receive
        {value, 8642} -> error({content, N});
        {value, _} -> ok
    end.

%% Receives all messages until none is left.
%% finds: error {all,_}
-spec flushed([integer()]) -> ok.
flushed(List) ->
    lists:foreach(fun(N) -> self() ! N end, List),
    case flush() of
        [12, 144] = All -> error({all, All});
        _ -> ok
    end.

flush() ->
    receive
        Message -> [Message | flush()]
    after 0 -> []
    end.

%% A guard in `receive` decides which of two messages is taken.
%% finds: error {larger,_}
-spec larger_one(integer(), integer()) -> ok.
larger_one(A, B) ->
    self() ! A,
    self() ! B,
    receive
        N when N > 1000 ->
            case N of
                B when A < 0 -> error({larger, N});
                _ -> ok
            end
    after 0 -> ok
    end.

%% A sent message is there.
%% clean: complete
-spec message(0..9) -> ok.
message(N) when N < 5 ->
    self() ! low,
    receive
        low -> ok
    end;
message(_) ->
    receive
        low -> error(nobody_sent_it)
    after 0 -> ok
    end.

%% Selective receive goes by the key, not by the order.
%% finds: error {second,_}
-spec order(integer(), integer()) -> ok.
order(A, B) ->
    self() ! {first, A},
    self() ! {second, B},
    Second = receive {second, X} -> X end,
    First = receive {first, Y} -> Y end,
    case Second - First of
        505 -> error({second, Second});
        _ -> ok
    end.

%% A message to itself selects the branch.
%% finds: error received
-spec own_message(integer()) -> ok.
own_message(N) ->
    self() ! go,
    receive
        go when N =:= 1618 -> error(received);
        go -> ok
    end.

%% A reference marks the answer to a question.
%% finds: error {answer,_}
-spec request(integer()) -> ok.
request(N) ->
    Reference = make_ref(),
    self() ! {Reference, N + 1},
    receive
        {Reference, 3600} -> error({answer, N});
        {Reference, _} -> ok
    end.
