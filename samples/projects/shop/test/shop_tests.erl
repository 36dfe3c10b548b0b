-module(shop_tests).

-include_lib("eunit/include/eunit.hrl").
-include("shop.hrl").

order() ->
    [#line{kind = book, price = 1200}, #line{kind = game, price = 3000}].

without_voucher_test() ->
    ?assertEqual(4200, shop:total(order(), none)).

off_the_order_test() ->
    ?assertEqual(4000, shop:total(order(), {order, 200})).

off_the_games_test() ->
    ?assertEqual(3700, shop:total(order(), {games, 500})).
