%% PropEr types for the inputs of functions: the types of their specs, or of the
%% specs they would have.
-module(mutant_inputs).

-export([arguments/3]).

-import(proper_types,
        [atom/0, binary/0, integer/0, integer/2, list/1, non_neg_integer/0,
         oneof/1, pos_integer/0, string/0]).

%% A type of argument lists.
-spec arguments(module(), atom(), arity()) -> proper_types:type().
arguments(bank, run, 1) ->
    Command = {oneof([deposit, withdraw, save]), integer()},
    one(list(Command));
arguments(brackets, check, 1) ->
    one(string());
arguments(calculator, calculate, 1) ->
    one(list(oneof([integer(), oneof([add, negate, share])])));
arguments(dates, parse, 1) ->
    one(string());
arguments(dates, _, 1) ->
    one({date, integer(0, 9999), integer(1, 12), integer(1, 31)});
arguments(firewall, decide, 1) ->
    one({oneof([tcp, udp, icmp, atom()]), integer(0, 65535),
         oneof([admin, blocked, atom()])});
arguments(frames, decode, 1) ->
    one(binary());
arguments(ini, parse, 1) ->
    one(binary());
arguments(json_decoder, decode, 1) ->
    one(binary());
arguments(merge, nth, 3) ->
    [non_neg_integer(), list(integer()), list(integer())];
arguments(money, format, 1) ->
    one(integer());
arguments(money, parse, 1) ->
    one(string());
arguments(money, add, 2) ->
    [integer(), integer()];
arguments(money, split, 2) ->
    [non_neg_integer(), pos_integer()];
arguments(regex, match, 2) ->
    [string(), string()];
arguments(run_length, _, 1) ->
    one(binary());
arguments(search_tree, insert, 2) ->
    [integer(), tree(3)];
arguments(tokenizer, tokens, 1) ->
    one(string());
arguments(voucher, redeem, 1) ->
    one({voucher, pos_integer(), non_neg_integer(), pos_integer()}).

-spec one(proper_types:raw_type()) -> [proper_types:raw_type()].
one(Type) ->
    [Type].

-spec tree(non_neg_integer()) -> proper_types:raw_type().
tree(0) ->
    leaf;
tree(Depth) ->
    oneof([leaf, {tree(Depth - 1), integer(), tree(Depth - 1)}]).
