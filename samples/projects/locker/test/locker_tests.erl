-module(locker_tests).

-include_lib("eunit/include/eunit.hrl").

right_code_test() ->
    {ok, Locker} = locker:start_link(),
    ?assertEqual(ok, locker:bring(Locker, 1234)),
    ?assertEqual({error, in_use}, locker:bring(Locker, 1111)),
    ?assertEqual(ok, locker:open(Locker, 1234)),
    ?assertEqual({error, empty}, locker:open(Locker, 1234)).

wrong_codes_test() ->
    {ok, Locker} = locker:start_link(),
    ?assertEqual(ok, locker:bring(Locker, 1234)),
    ?assertMatch({error, "look" ++ _}, locker:open(Locker, 4321)),
    ?assertMatch({error, "wait" ++ _}, locker:open(Locker, 2143)).
