-module(tickets_tests).

-include_lib("eunit/include/eunit.hrl").

enough_seats_test() ->
    ?assertEqual({ok, ok}, tickets:evening(2, 4)).

no_seat_left_test() ->
    Seats = tickets:open(3),
    ?assertEqual(ok, tickets:book(Seats, 3)),
    ?assertEqual(sold_out, tickets:book(Seats, 1)),
    tickets:close(Seats).
