%% Programs that print too much, in many ways.
-module(hostile_output).
-export([prints/0, prints_at_once/0, prints_to_user/0, prints_errors/0, displays/0,
         commands_ports/0, writes_to_ports/0, prints_without_end/0,
         prints_what_never_comes/0, prints_what_halts/0, prints_nonsense/0,
         asks/0]).

prints() ->
    Line = lists:duplicate(1000, $x),
    lists:foreach(fun(_) -> io:format("~s~n", [Line]) end, lists:seq(1, 4000)).

prints_at_once() -> io:put_chars(binary:copy(<<"0123456789">>, 4000000)).

prints_to_user() -> io:put_chars(user, binary:copy(<<"user\n">>, 20000)).

prints_errors() ->
    io:put_chars(standard_error, binary:copy(<<"error\n">>, 20000)).

displays() ->
    [true = erlang:display(N) || N <- lists:seq(1, 20000)],
    ok.

commands_ports() -> [port_command(Port, "x") || Port <- erlang:ports()].

writes_to_ports() ->
    [Port ! {Owner, {command, <<"forged">>}}
     || Port <- erlang:ports(),
        {connected, Owner} <- [erlang:port_info(Port, connected)]].

%% A small term whose text has 2^60 parts.
prints_without_end() ->
    io:format("~p~n", [lists:foldl(fun(_, Term) -> {Term, Term} end, a,
                                   lists:seq(1, 60))]).

%% A request may name a function that returns the text to print.
prints_what_never_comes() ->
    io:request(group_leader(),
               {put_chars, unicode, timer, sleep, [infinity]}).

prints_what_halts() ->
    io:request(group_leader(), {put_chars, unicode, erlang, halt, []}).

prints_nonsense() ->
    [io:request(group_leader(), Request)
     || Request <- [{put_chars, unicode, no_such_module, f, []},
                    {put_chars, unicode, [a | b]}, nonsense,
                    {requests, [nonsense | nonsense]}, {put_chars, 1, 2}]].

asks() -> {io:get_line("? "), io:read("? "), is_password(io:get_password())}.

%% Without a terminal OTP 29 asks for none.
is_password({error, enotsup}) -> false;
is_password(eof) -> false.
