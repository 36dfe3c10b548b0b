%%% A node of Erlang distribution that carries frames between two programs: one
%%% that searches and one that runs inputs. It knows nothing of what is in them,
%%% and runs none of the code under test.
%%%
%%% The program that started this node sends, as terms in packets:
%%%
%%% {connect, Node}            a node to keep a session with, as soon as and
%%%                            whenever that is possible
%%% {send, Session, Frame}     a frame for the other end of a session
%%% {close, Session}           the session is over
%%%
%%% and gets:
%%%
%%% {started, Node}            this node takes part
%%% {failed, Why, Text}        it does not
%%% {opened, Session, Node}    a session with this node begins
%%% {frame, Session, Frame}    a frame from the other end
%%% {closed, Session}          the session is over, or the other end is lost
%%% {refused, Node, Why, Text} there is no session with this node now
%%%
%%% A session is a pair of processes (erlconcolic_cluster_session), one on each
%%% node, which monitor one another. So what is late for a session that is over
%%% comes to nobody.
-module(erlconcolic_cluster).

-export([serve/3]).

-export_type([send/0]).

-type send() :: fun((term()) -> true).

-type session() :: non_neg_integer().

-record(state,
        {port :: port(),
         send :: send(),
         next = 0 :: session(),
         sessions = #{} :: #{session() => pid()},
         numbers = #{} :: #{pid() => session()}}).

%% Takes the channel over, for as long as this node runs.
-spec serve(port(), send(), erlconcolic_cluster_start:options()) ->
    no_return().
serve(Port, Send, #{tool := Tool} = Options) ->
    true = register(?MODULE, self()),
    ok = erlconcolic_cluster_hello:prepare(Tool),
    case erlconcolic_cluster_start:start(Options) of
        {ok, Node} ->
            true = Send({started, atom_to_binary(Node)});
        {error, Why, Text} ->
            true = Send({failed, Why, Text})
    end,
    loop(#state{port = Port, send = Send}).

-spec loop(#state{}) -> no_return().
loop(#state{port = Port} = State) ->
    receive
        {Port, {data, Packet}} ->
            loop(command(binary_to_term(Packet), State));
        {Port, eof} ->
            halt(0);
        {'EXIT', Port, _} ->
            halt(0);
        {open, Peer} when is_pid(Peer) ->
            _ = erlconcolic_cluster_session:answer(self(), Peer),
            loop(State);
        {session, Session, Event} when is_pid(Session) ->
            loop(event(Event, Session, State));
        {refused, Node, Why, Text} ->
            true = (State#state.send)({refused, Node, Why, Text}),
            loop(State);
        _ ->
            loop(State)
    end.

-spec command(term(), #state{}) -> #state{}.
command({connect, Node}, State) ->
    _ = erlconcolic_cluster_link:start(self(), binary_to_atom(Node)),
    State;
command({send, Number, Frame}, #state{sessions = Sessions} = State) ->
    _ = case Sessions of
            #{Number := Session} -> Session ! {out, Frame};
            %% It was lost meanwhile.
            #{} -> ok
        end,
    State;
command({close, Number}, #state{sessions = Sessions} = State) ->
    case Sessions of
        #{Number := Session} ->
            Session ! close,
            forget(Number, Session, State);
        #{} ->
            State
    end.

-spec event(erlconcolic_cluster_session:event(), pid(), #state{}) -> #state{}.
event({opened, Node}, Session, State) ->
    #state{send = Send, next = Number, sessions = Sessions,
           numbers = Numbers} = State,
    true = Send({opened, Number, atom_to_binary(Node)}),
    State#state{next = Number + 1,
                sessions = Sessions#{Number => Session},
                numbers = Numbers#{Session => Number}};
event(Event, Session, #state{send = Send, numbers = Numbers} = State) ->
    case {Numbers, Event} of
        {#{Session := Number}, {frame, Frame}} ->
            true = Send({frame, Number, Frame}),
            State;
        {#{Session := Number}, closed} ->
            true = Send({closed, Number}),
            forget(Number, Session, State);
        %% Our program has closed it.
        {#{}, _} ->
            State
    end.

-spec forget(session(), pid(), #state{}) -> #state{}.
forget(Number, Session, State) ->
    #state{sessions = Sessions, numbers = Numbers} = State,
    State#state{sessions = maps:remove(Number, Sessions),
                numbers = maps:remove(Session, Numbers)}.
