%% Vouchers. The code of a voucher is a hash of its serial number:
%%
%%     voucher:redeem({voucher, 1, erlang:phash2(1), 50})
%%
%% No solver can invert a hash. The tool does this instead:
%%
%% - In a run, the hash of the serial number is a constant. As long as the serial
%%   number does not change, the hash does not, so the tool can compute the code.
%% - A fixed serial number would hide the second series, which has larger
%%   numbers. So the number may change. Then the code is wrong, and the next run
%%   gets the right one.
%% - The voucher for everything has an arbitrary hash. The tool finds no input
%%   for it, and the report names the call that is the reason.
%%
%% The bug is in the second series: the fee is a share of the amount above 20.
-module(voucher).
-export([redeem/1]).

-type voucher() :: {voucher, pos_integer(), non_neg_integer(), pos_integer()}.

-spec redeem(voucher()) -> {ok, integer()} | {error, atom()} | everything.
redeem({voucher, Serial, Code, Amount}) ->
    case erlang:phash2(Serial) of
        31415926 -> everything;
        Code -> {ok, value(Serial, Amount)};
        _ -> {error, bad_code}
    end.

value(Serial, Amount) when Serial > 5000 -> Amount - 100 div (Amount - 20);
value(_, Amount) -> Amount.
