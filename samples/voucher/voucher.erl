%% Vouchers, whose code is a hash of their serial number:
%%
%%     voucher:redeem({voucher, 1, erlang:phash2(1), 50})
%%
%% Nothing can be solved for that goes into a hash. What the tool does instead:
%%
%% - The hash of the serial number of a run is a constant, and as long as the serial
%%   number stays what it is, so does the hash: a code that fits can be computed.
%% - That the serial number stays what it is would hide the second series, which has
%%   larger numbers. So it may change; the code fits no more then, and is computed
%%   again in the next run.
%% - The voucher for everything has a hash that was chosen by hand. No input for it
%%   can be found, and the report names the call that is to blame.
%%
%% The bug is in the second series: the fee is a share of what is above 20.
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
