-ifndef(SHELVES).
-define(SHELVES, 3).
-endif.

-record(place, {shelf :: 1..?SHELVES, free :: 0..9}).
