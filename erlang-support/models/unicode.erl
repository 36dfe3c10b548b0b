%% The behaviour of unicode for flat lists of characters.
-module(unicode).
-export([characters_to_list/1]).

characters_to_list(Text) ->
    case is_flat(Text) of
        true -> Text;
        false -> unicode:characters_to_list(Text)
    end.

is_flat([]) -> true;
is_flat([C | Rest]) when is_integer(C), 0 =< C, C < 16#D800 -> is_flat(Rest);
is_flat(_) -> false.
