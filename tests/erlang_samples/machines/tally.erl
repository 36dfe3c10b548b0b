%% A server whose state must not be negative.
-module(tally).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2, is_fine/1, has_few_replies/1,
         begins_without_timeout/2, sign/1]).
-export_type([event/0]).

-type event() :: {call, {add, 0..20}} | {cast, reset}.

-spec init([]) -> {ok, integer()}.
init([]) -> {ok, 0}.

handle_call({add, N}, _From, S) when N > 3 -> {reply, S, S + N};
handle_call({add, _}, _From, S) -> {reply, no, S}.

handle_cast(reset, S) when S > 10 -> {noreply, -1};
handle_cast(reset, _) -> {noreply, 0}.

is_fine(S) -> S >= 0.

has_few_replies({_, Replies}) -> length(Replies) < 3.

begins_without_timeout(_, Events) -> hd(Events) =/= timeout.

sign(S) when S < 0 -> negative;
sign(0) -> zero;
sign(_) -> positive.
