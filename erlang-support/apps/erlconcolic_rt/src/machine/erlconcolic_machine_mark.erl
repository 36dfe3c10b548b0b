%%% What a play tells the tool. These functions do nothing; their calls are in
%%% the log of the run.
%%%
%%% An index is the number of an event of the sequence, from 1 on; 0 is init/1.
%%% One event of the sequence may lead to others: messages of the machine to
%%% itself, events that it inserts or had postponed, timeouts of 0 ms. Each has
%%% a mark, with the index of the event that led there. So the last mark of an
%%% index has the state in which the machine waits for the next event.
-module(erlconcolic_machine_mark).

-export([calls/0, state/4, replied/2, waited/2, fired/2, waits/2,
         ended/3]).

-export_type([handled/0]).

%% An event that a callback has handled. The type of a timeout is its event type
%% in a gen_statem; in a gen_server a timeout is an info.
-type handled() :: init
                 | {call | cast | info | internal | continue, term()}
                 | {timeout, Type :: term(), Content :: term()}.

%% A callback is about to be called.
-spec calls() -> ok.
calls() ->
    ok.

%% A callback has handled an event. The label names the state: the state of a
%% gen_statem, `none' for a gen_server, or what `state_of' makes of it. The
%% state is what sys:get_state/1 returns.
-spec state(Index :: non_neg_integer(), handled(), Label :: term(),
            State :: term()) -> ok.
state(_Index, _Handled, _Label, _State) ->
    ok.

%% The call with this index has a reply. Only the first one counts.
-spec replied(Index :: pos_integer(), Reply :: term()) -> ok.
replied(_Index, _Reply) ->
    ok.

%% A timeout of the sequence has waited for some milliseconds.
-spec waited(Index :: pos_integer(), Time :: non_neg_integer()) -> ok.
waited(_Index, _Time) ->
    ok.

%% A timeout of the sequence is this one: its event type in a gen_statem, its
%% message in a gen_server.
-spec fired(Index :: pos_integer(), Name :: term()) -> ok.
fired(_Index, _Name) ->
    ok.

%% The machine waits for the next event; its next timer will be over in some
%% milliseconds.
-spec waits(Index :: non_neg_integer(), Left :: non_neg_integer()) -> ok.
waits(_Index, _Left) ->
    ok.

%% The machine ends because of what a callback did with an event, `none' if none
%% has. The index is that of the event of the sequence that led there. It may
%% still end for another reason: if terminate fails.
-spec ended(Index :: non_neg_integer(), none | handled(), Reason :: term()) ->
          ok.
ended(_Index, _Handled, _Reason) ->
    ok.
