%%% Timers of controlled processes. A timer is a controlled process that waits
%%% for its time on the gate's clock, and whose only step is to send its
%%% message.
-module(erlconcolic_timers).

-export([request/2, message/3, left/2]).

-export_type([timer/0, time/0]).

%% How long it waits, or until when on the clock.
-type time() :: non_neg_integer() | {until, integer()}.

-type timer() ::
    #{time := time(), to := pid() | atom(),
      form := message | timeout, message := term()}.

%% The longest time of a timer.
-define(MAX_TIME, 16#ffffffff).

%% The timer that a built-in starts, if the gate can have it.
-spec request(atom(), [term()]) -> {ok, timer()} | error.
request(Function, [Time, To, Message | Options])
  when is_pid(To); is_atom(To) ->
    case time(Time, Options) of
        error -> error;
        Valid -> {ok, #{time => Valid, to => To, form => form(Function),
                        message => Message}}
    end;
request(_Function, _Args) ->
    error.

-spec time(term(), [term()]) -> time() | error.
time(Time, [[{abs, true}]]) when is_integer(Time) -> {until, Time};
time(Time, [[{abs, false}]]) -> time(Time, []);
time(Time, [[]]) -> time(Time, []);
time(Time, []) when is_integer(Time), Time >= 0, Time =< ?MAX_TIME -> Time;
time(_Time, _Options) -> error.

-spec form(atom()) -> message | timeout.
form(send_after) -> message;
form(start_timer) -> timeout.

%% What a timer sends.
-spec message(message | timeout, reference(), term()) -> term().
message(message, _Reference, Message) -> Message;
message(timeout, Reference, Message) -> {timeout, Reference, Message}.

%% What `cancel_timer' or `read_timer' returns that found so much time left.
-spec left([term()], Left) -> Left | ok when Left :: non_neg_integer() | false.
left([Reference, Options], Left) ->
    IsAsync = lists:member({async, true}, Options),
    IsInfo = not lists:member({info, false}, Options),
    _ = IsAsync andalso IsInfo
        andalso (self() ! {cancel_timer, Reference, Left}),
    case IsAsync orelse not IsInfo of
        true -> ok;
        false -> Left
    end;
left([_Reference], Left) ->
    Left.
