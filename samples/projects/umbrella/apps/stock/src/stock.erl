%%% Shelves for things.
-module(stock).

-export([shelf/1]).

-include("stock.hrl").

%% Heavy things lie at the bottom.
-spec shelf(Grams :: non_neg_integer()) -> #place{}.
shelf(Grams) when Grams > 5000 -> #place{shelf = 1, free = 0};
shelf(Grams) when Grams > 900 -> #place{shelf = 2, free = 9};
shelf(_Grams) -> #place{shelf = ?SHELVES, free = 4}.
