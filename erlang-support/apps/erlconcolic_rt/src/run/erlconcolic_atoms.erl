%%% What values mean on this release, and the order of atoms. From OTP 26 on,
%%% the keys of a small map that are atoms are in the order of the table of
%%% atoms, so in the order in which this node made them. All nodes of a search
%%% must have the same order, as far as it matters.
-module(erlconcolic_atoms).

-export([rules/0, all/0, are_in_order/1, boot_file/1]).

-export_type([rules/0]).

-type rules() ::
    #{%% Whether 0.0 and -0.0 are the same value.
      zeros := equal | different,
      %% How large integers become floats, see solver/src/release_rules.rs.
      floats := digit_by_digit | nearest,
      %% The order of keys of small maps that are atoms.
      atoms := by_text | of_table}.

%% Each way of rounding gives another float.
-define(ROUNDED, 30744573456182585626).

%% Atoms of the emulator, in another order than that of their texts.
-define(STATIC, [true, false, infinity, undefined, error, badarg, timeout,
                 exit, normal, ok]).

-spec rules() -> rules().
rules() ->
    #{zeros => zeros(binary_to_list(<<(0.0)/float>>)),
      floats => floats(binary:encode_unsigned(?ROUNDED)),
      atoms => atoms(static())}.

%% This module may be compiled by another release, so the compiler must not
%% compare the zeros, nor make the float.
-spec zeros([byte()]) -> equal | different.
zeros([_ | Bytes]) ->
    <<Positive/float>> = list_to_binary([0 | Bytes]),
    <<Negative/float>> = list_to_binary([128 | Bytes]),
    case Positive =:= Negative of
        true -> equal;
        false -> different
    end.

-spec floats(binary()) -> digit_by_digit | nearest.
floats(Bytes) ->
    case trunc(float(binary:decode_unsigned(Bytes))) of
        30744573456182587392 -> nearest;
        _ -> digit_by_digit
    end.

-spec atoms([atom()]) -> by_text | of_table.
atoms(Keys) ->
    case lists:sort(Keys) of
        Keys -> by_text;
        _ -> of_table
    end.

%% All atoms of this node in the order of its table; if it does not tell, a few
%% that every node has. That an atom can be read by its number is not
%% documented.
-spec all() -> [atom()].
all() ->
    Count = erlang:system_info(atom_count),
    try
        [binary_to_term(<<131, 75, Index:24>>)
         || Index <- lists:seq(0, Count - 1)]
    catch
        error:_ -> static()
    end.

-spec static() -> [atom()].
static() ->
    maps:keys(maps:from_keys(?STATIC, [])).

%% Whether the atoms are in the order of this node's table. Those that are new
%% were made when the list was read, from its beginning to its end.
-spec are_in_order([atom()]) -> boolean().
are_in_order([First, Second | Rest]) ->
    maps:keys(#{First => [], Second => []}) =:= [First, Second]
        andalso are_in_order([Second | Rest]);
are_in_order(_) ->
    true.

%% A boot file like the one of this node with which a node makes these atoms
%% first, in their order.
-spec boot_file([atom()]) -> {ok, binary()} | {error, term()}.
boot_file(Atoms) ->
    Name = filename:join([code:root_dir(), "bin", "no_dot_erlang.boot"]),
    case file:read_file(Name) of
        {ok, Bytes} ->
            {script, Id, Steps} = binary_to_term(Bytes),
            Script = {script, Id, [{progress, Atoms} | Steps]},
            {ok, term_to_binary(Script)};
        {error, Reason} ->
            {error, Reason}
    end.
