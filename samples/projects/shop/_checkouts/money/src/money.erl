%%% Amounts of money, which are never negative.
-module(money).

-export([add/2, subtract/2]).

-export_type([cents/0]).

-include("money.hrl").

-type cents() :: non_neg_integer().

-spec add(cents(), cents()) -> cents().
add(Amount, Other) -> Amount + Other.

%% The difference, but never below zero.
-spec subtract(cents(), cents()) -> cents().
subtract(Amount, Less) when Less > Amount -> ?NOTHING;
subtract(Amount, Less) -> Amount - Less.
