%%% Tests of the order of atoms.
-module(erlconcolic_atoms_tests).

-include_lib("eunit/include/eunit.hrl").

-import(erlconcolic_atoms, [rules/0, all/0, are_in_order/1, boot_file/1]).

%% A new atom whose text comes before that of those made before.
new_atom(Number) ->
    Unique = erlang:unique_integer([positive]),
    list_to_atom(lists:concat([[$z - Number], "_", Unique])).

atoms_that_are_made_one_after_another_are_in_order_of_the_table_test() ->
    Atoms = [new_atom(Number) || Number <- lists:seq(1, 5)],
    case rules() of
        #{atoms := of_table} ->
            ?assert(are_in_order(Atoms)),
            ?assertNot(are_in_order(lists:reverse(Atoms)));
        #{atoms := by_text} ->
            ?assertNot(are_in_order(Atoms)),
            ?assert(are_in_order(lists:sort(Atoms)))
    end.

all_atoms_are_in_the_table_once_test() ->
    New = new_atom(1),
    All = all(),
    ?assertEqual(length(All), length(lists:usort(All))),
    [?assert(lists:member(Atom, All)) || Atom <- [ok, ?MODULE, New]].

the_table_is_in_order_test() ->
    case rules() of
        #{atoms := of_table} -> ?assert(are_in_order(all()));
        #{atoms := by_text} -> ok
    end.

rules_are_those_of_the_release_test() ->
    Release = list_to_integer(erlang:system_info(otp_release)),
    Known = #{25 => #{zeros => equal, floats => digit_by_digit,
                      atoms => by_text},
              26 => #{zeros => equal, floats => digit_by_digit,
                      atoms => of_table},
              27 => #{zeros => different, floats => digit_by_digit,
                      atoms => of_table},
              29 => #{zeros => different, floats => nearest,
                      atoms => of_table}},
    ?assertEqual(maps:get(Release, Known, rules()), rules()).

a_boot_file_has_the_atoms_before_everything_else_test() ->
    {ok, Bytes} = boot_file([b, a]),
    {script, _, [{progress, [b, a]} | Steps]} = binary_to_term(Bytes),
    ?assert(lists:member({progress, preloaded}, Steps)).
