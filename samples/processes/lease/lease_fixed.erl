%%% A file with a lease. The entry's process is the file server; a holder has
%%% the lease, writes, and gives the lease back. A clock sends the time; when
%%% the time of the lease is over, the server takes it back.
%%%
%%% The correct twin of lease. Mended: the server refuses a write of somebody
%%% who does not have the lease any more.
-module(lease_fixed).
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

write(held, Writes) -> Writes + 1;
write(free, Writes) -> Writes.
