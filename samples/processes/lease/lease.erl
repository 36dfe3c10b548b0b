%%% A file with a lease. The entry's process is the file server; a holder has
%%% the lease, writes, and gives the lease back. A clock sends the time; when
%%% the time of the lease is over, the server takes it back.
%%%
%%% The bug: the server takes it for granted that a writer still has the lease.
%%%
%%% Input: Time >= Length, for example lease:main(10, 10).
%%% Order: the clock sends the time before the holder writes.
-module(lease).
-export([main/2]).

-spec main(10..17, 0..11) -> {free, 0 | 1}.
main(Length, Time) ->
    Server = self(),
    spawn(fun() -> holder(Server) end),
    spawn(fun() -> Server ! {time, Time} end),
    server(held, Length, 0, 3).

holder(Server) ->
    Server ! write,
    Server ! give_back.

%% Handles so many messages and returns the number of writes.
server(Lease, _, Writes, 0) ->
    {Lease, Writes};
server(Lease, Length, Writes, Left) ->
    receive
        {time, Time} when Time >= Length ->
            server(free, Length, Writes, Left - 1);
        {time, _} ->
            server(Lease, Length, Writes, Left - 1);
        write ->
            server(Lease, Length, write(Lease, Writes), Left - 1);
        give_back ->
            server(free, Length, Writes, Left - 1)
    end.

write(held, Writes) -> Writes + 1.
