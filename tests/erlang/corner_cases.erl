%% Corner cases of the language, for tests that a translation keeps the
%% meaning: order of effects, exceptions, scopes, guards, receive, bit strings.
%%
%% `cases/0' lists them; every case is deterministic and returns a value or
%% raises. If the order of effects matters, they are noted in the process
%% dictionary and the notes are part of the result. `tail_calls/0' lists loops
%% that must run in constant memory. `run/0' and `run_tail_calls/1' run them,
%% each in its own process.
%%
%% The cases of one kind are the clauses of one function, so that names are
%% bound many times in it. This module uses `if' and the old `catch' on purpose.
-module(corner_cases).

-export([cases/0, tail_calls/0, run/0, run_tail_calls/1]).
-export([order/1, arguments/1, scopes/1, guards/1, tries/1, receives/1]).
-export([binaries/1, comprehensions/1, funs/1, maps/1, records/1]).
-export([failures/1, literals/1, patterns/1, loop/2, loop_remote/1]).

-compile(nowarn_shadow_vars).

-record(point, {x = 0, y = note(default_y), z}).
-record(shape, {name = "none", corner = #point{x = 1, y = 2}}).

-define(TWO(X), pair(X, {X})).
-define(EIGHT(X), ?TWO(?TWO(?TWO(X)))).
-define(MIXED(X), [begin note(1), {note(2), X} end | triple(note(3), #{note(4)
        => X}, case note(5) of 5 -> note(6); _ -> note(7) end)]).

-define(ITERATIONS, 10000000).
-define(LOOP_WORDS, 200000).
-define(CASE_LIMIT, 10000).

-spec cases() -> [{Name :: atom(), Function :: atom(), Args :: [term()]}].
cases() ->
    [{list_to_atom(atom_to_list(Kind) ++ "_" ++ atom_to_list(Case)), Kind,
      [Case]}
     || {Kind, Cases} <- kinds(), Case <- Cases].

-spec kinds() -> [{atom(), [atom()]}].
kinds() ->
    [{order, [nested_calls, tuple, cons, list, improper_list, map_new,
              map_update, map_exact_update, map_same_key, binary,
              binary_sizes, binary_mixed, record_new, record_update,
              computed_fun, computed_fun_call, computed_module,
              computed_function, computed_module_and_function, operators,
              comparison, send, match_in_argument, block_in_argument,
              case_in_argument, fun_in_argument, catch_in_argument,
              andalso_stops, orelse_stops, strict_and, strict_or,
              nested_constructors, list_operators,
              comprehension_in_argument, try_in_argument,
              receive_in_argument, apply_three, apply_two, string_append,
              case_of_case, match_chain, tuple_of_matches, if_in_argument,
              deep_left, deep_right, deep_tree, deep_mixed,
              effect_between_reads]},
     {arguments, [first_raises, second_raises, both_raise, tuple_raises,
                  cons_raises, map_key_raises, map_value_raises,
                  map_update_of_no_map, binary_value_raises,
                  binary_size_raises, bad_fun_before_arguments,
                  bad_arity_after_arguments, undef_after_arguments,
                  bad_module_after_arguments, operator_operands,
                  operator_raises_after_operands, hd_of_raise, nested_raise,
                  record_field_raises, record_update_of_other,
                  throw_in_tuple, exit_in_call, raise_in_case,
                  raise_in_comprehension, left_of_andalso, right_of_andalso,
                  bad_andalso, bad_orelse, bad_and, bad_not, bad_send,
                  element_out_of_range, length_of_improper, catch_in_operand]},
     {scopes, [fun_shadows, fun_shadows_twice, comprehension_shadows,
               generator_sees_outer, nested_comprehension_shadows,
               case_exports, case_exports_two, if_exports, receive_exports,
               match_binds_late, same_name_in_branches, closure_keeps_old,
               closure_in_loop, fun_argument_used_after, named_fun_shadows,
               binary_generator_shadows, size_from_outer, try_inner_names,
               catch_names, underscore_names, nested_funs, bound_in_pattern,
               bound_in_fun_pattern, block_binds, block_value_and_binding,
               rebound_in_clauses, deep_shadowing]},
     {guards, [division_by_zero, bad_arithmetic, hd_of_empty,
               element_of_short, length_of_improper, map_size_of_other,
               semicolon_after_raise, comma_after_raise, orelse_keeps_raise,
               orelse_short, andalso_short, and_raises, or_raises,
               xor_values, not_other, nested_booleans, many_alternatives,
               no_boolean, type_tests, is_record_tests, is_function_arity,
               comparison_mixed, map_in_guard, map_get_in_guard,
               is_map_key_in_guard, binary_size_in_guard, self_in_guard,
               tuple_in_guard, list_in_guard, record_field_in_guard,
               abs_and_friends, bound_outside, guard_in_fun,
               guard_in_receive, guard_in_catch, guard_in_comprehension,
               if_falls_through, if_raises_none, float_integer_equality,
               exact_equality, bit_operators, big_arithmetic,
               binary_part_in_guard, min_max_order, node_guard,
               literal_true, literal_in_alternative]},
     {tries, [value, of_value, of_no_clause, of_raises, catch_throw,
              catch_error, catch_exit, class_variable, default_class_throw,
              default_class_misses_error, no_catch_matches, guard_in_catch,
              guard_raises_in_catch, after_value, after_throw, after_raises,
              after_raises_over_error, after_order, after_of_order,
              nested_after, nested_catch, inner_catches, outer_catches,
              rethrow, reraise_with_stack, stack_functions, stack_in_inner,
              raise_bif, raise_bif_bad_class, error_with_args, error_three,
              old_catch_value, old_catch_error, old_catch_exit,
              old_catch_throw, old_catch_nested, old_catch_in_list,
              throw_through_fun, throw_through_comprehension,
              exception_in_of_not_caught, exception_in_handler,
              handler_in_handler, try_in_after, try_in_of, try_value_used,
              try_binds_used, after_result_ignored,
              return_from_after_branch, catch_all, badmatch_in_try,
              try_in_case_head, case_in_try_of, several_of_clauses,
              try_in_fun, fun_from_try, reraise_keeps_class, exit_reasons,
              throw_reasons, error_reasons, nested_three]},
     {receives, [timeout_zero_empty, timeout_zero_message, timeout_value,
                 timeout_by_call, timeout_computed_first, timeout_infinity,
                 infinity_by_variable, bad_timeout, negative_timeout,
                 large_timeout, selective, selective_keeps_order,
                 guard_fails, guard_raises, nested, nested_selective,
                 in_argument, tail_position, bound_variable,
                 exports_variables, only_after, only_after_body_effects,
                 after_body_raises, body_raises_after_taking, in_try,
                 in_catch, in_comprehension, in_fun, map_pattern,
                 binary_pattern, two_in_row, flush, receive_in_after_body,
                 reference_selective, message_from_other, timeout_is_last,
                 after_zero_keeps_mailbox, case_inside, send_in_body,
                 loop_with_state]},
     {binaries, [integers, sizes_from_variables, little_big, signed, floats,
                 float_sizes, float_overflow, utf8, utf16, utf32,
                 utf8_string, bad_utf8, bits_of_bits, unit, string_segments,
                 string_sized, native, negative_value, large_value,
                 bad_integer, bad_float, bad_binary, bad_size,
                 negative_size, size_too_large, binary_too_short,
                 match_sizes, match_size_from_argument,
                 match_size_expression, match_size_zero, match_fails_short,
                 match_rest, match_bits, match_signed_little, match_float,
                 match_nan, match_utf8, match_bad_utf8, match_utf16,
                 match_literal_string, match_same_variable,
                 match_nested_size, match_in_head, match_skips, match_unit,
                 match_wide, match_empty, build_append, build_prepend,
                 build_in_guard, alias, size_guard, size_all, parse_packet,
                 comprehension_out, comprehension_in, comprehension_both,
                 comprehension_filter, comprehension_nested,
                 comprehension_bits, comprehension_skips,
                 comprehension_rest_ignored, comprehension_bad_generator,
                 comprehension_bad_value, comprehension_size_from_outer,
                 round_trip]},
     {comprehensions, [simple, filter, two_generators, dependent_generator,
                       filter_between, pattern_skips, bad_filter,
                       bad_filter_atom, guard_filter_raises, bad_generator,
                       improper_generator, bad_inner_generator,
                       effects_in_order, effects_of_filters, nested,
                       nested_in_generator, fun_in_body, raises_inside,
                       match_in_filter, case_in_body, string_generator,
                       empty, no_generator, filter_first, over_call,
                       calls_fun, catch_in_body, boolean_call_filter,
                       boolean_variable_filter, mixed_generators]},
     {funs, [simple, captures, several_clauses, clause_guards, no_clause,
             named_factorial, named_shadowing, named_returns_itself,
             named_in_named, mutual_by_argument, local_fun, external_fun,
             computed_external, fun_of_fun, curried, arity_error,
             arity_error_named, bad_fun, fun_in_data, compare_funs,
             is_function_checks, closure_over_argument,
             closure_over_closure, fun_with_catch, fun_with_receive,
             fun_in_guarded_clause, immediately_applied,
             immediately_applied_named, returns_multiple, fun_info_arity,
             external_undef, recursion_by_apply, captures_in_comprehension,
             fold_with_fun, even_odd]},
     {maps, [new, nested, update, exact_update, exact_update_missing,
             update_of_no_map, update_of_no_map_keys, pattern,
             pattern_missing, pattern_variable_key,
             pattern_two_variable_keys, pattern_key_from_head,
             pattern_value_bound, pattern_nested, pattern_literal_keys,
             pattern_expression_key, integer_and_float_keys, minus_zero_key,
             duplicate_keys, order_of_updates, large, in_head, in_fun_head,
             guard_key_fails, as_key, update_chain, empty_update,
             empty_update_of_no_map, missing_key_in_pattern_chain,
             exact_effects_before_error, comprehension_over_pairs]},
     {records, [new, defaults, fields, update, update_nested,
                update_of_other, access_of_other, pattern, pattern_wild,
                index, is_record, nested_access, in_head, wildcard_fields,
                default_effects, update_in_order]},
     {failures, [badmatch, badmatch_list, case_clause, if_clause,
                 function_clause, function_clause_guard, undef_local_module,
                 undef_function, undef_by_variable, badarity, badfun,
                 badarith, badarith_atom, badarg_bif, badarg_element,
                 bad_apply_arguments, bad_module_type, badrecord, badmap,
                 badkey, try_clause, noproc, exit_normal, exit_term,
                 throw_uncaught, error_atom, error_term,
                 error_exception_tuple, nested_reason, arithmetic_overflow,
                 list_to_integer, atom_too_long, stack_of_failure,
                 stack_of_bif, stack_of_fun]},
     {literals, [integers, based_integers, big_integers, negative, chars,
                 floats, float_bits, minus_zero, denormal, largest_float,
                 tiny_float, strings, escapes, unicode_strings, long_string,
                 adjacent_strings, atoms, quoted_atoms, unicode_atoms,
                 operator_atoms, reserved_atoms, empty_ones, nested,
                 improper, literal_map, literal_binary, literal_funs,
                 deep_list, wide_tuple, equal_floats, big_equal,
                 mixed_order, constant_folding, shared]},
     {patterns, [aliases, alias_of_alias, alias_in_head, prefix,
                 prefix_fails, prefix_empty, list_tail, nested_lists,
                 same_variable_twice, same_variable_in_head, integer_float,
                 float_integer, char_is_integer, wildcards, bound_variable,
                 literal_tuples, arithmetic, negative, first_match,
                 overlapping, guard_then_next, nested_case, match_returns,
                 match_of_match, match_in_condition, case_of_tuple,
                 case_of_literal, many_clauses, string_clauses, big_clauses,
                 float_clauses, atom_clauses, improper_clauses, deep,
                 record_in_tuple, binary_in_list, map_in_list, equal_exact,
                 equality_of_structures, zero_clauses, nested_blocks,
                 unused_results, mutual_recursion, body_recursion]}].

%% Loops by how they call themselves; the argument is the number of rounds.
-spec tail_calls() -> [{Name :: atom(), Function :: atom(), Args :: [term()]}].
tail_calls() ->
    [{list_to_atom("loop_" ++ atom_to_list(Kind)), loop,
      [Kind, ?ITERATIONS]}
     || Kind <- [direct, mutual, case_branch, if_branch, try_of, receive_clause,
                 receive_after, fun_argument, apply_two, apply_three, remote,
                 computed_module, named_fun, andalso_right, orelse_right,
                 after_block, after_match, nested_cases, guard_clauses,
                 closure, binary_match, map_match, catch_clause,
                 accumulators]].

%% The result of every case, without parts that differ between builds. A case
%% that hangs is ended after a while.
-spec run() -> [{Name :: atom(), {atom(), term()} | timeout}].
run() ->
    [{Name, alone(Function, Args, [], ?CASE_LIMIT)}
     || {Name, Function, Args} <- cases()].

%% Runs the loops, each within a small heap. They return `done'.
-spec run_tail_calls(pos_integer()) -> [{Name :: atom(), term()}].
run_tail_calls(Iterations) ->
    Heap = #{size => ?LOOP_WORDS, kill => true, error_logger => false},
    [{Name, alone(Function, [Kind, Iterations], [{max_heap_size, Heap}],
                  infinity)}
     || {Name, Function, [Kind, _]} <- tail_calls()].

-spec alone(atom(), [term()], [term()], timeout()) -> term().
alone(Function, Args, Options, Limit) ->
    Run = fun() -> exit({?MODULE, outcome(Function, Args)}) end,
    {Pid, Monitor} = spawn_opt(Run, [monitor | Options]),
    receive
        {'DOWN', Monitor, process, Pid, {?MODULE, Outcome}} -> Outcome;
        {'DOWN', Monitor, process, Pid, Reason} -> {signal, Reason}
    after Limit ->
        exit(Pid, kill),
        timeout
    end.

-spec outcome(atom(), [term()]) -> {atom(), term()}.
outcome(Function, Args) ->
    try apply(?MODULE, Function, Args) of
        Value -> {value, plain(Value)}
    catch
        Class:Reason -> {Class, plain(Reason)}
    end.

%% The term without stack traces and identities.
-spec plain(term()) -> term().
plain([{M, F, A, L} | _])
  when is_atom(M), is_atom(F), is_list(L), (is_integer(A) orelse is_list(A)) ->
    stack;
plain([Head | Tail]) -> [plain(Head) | plain(Tail)];
plain(Tuple) when is_tuple(Tuple) ->
    list_to_tuple([plain(Element) || Element <- tuple_to_list(Tuple)]);
plain(Map) when is_map(Map) ->
    maps:from_list([{plain(Key), plain(Value)}
                    || {Key, Value} <- maps:to_list(Map)]);
plain(Fun) when is_function(Fun) -> {'fun', erlang:fun_info(Fun, arity)};
plain(Pid) when is_pid(Pid) -> pid;
plain(Reference) when is_reference(Reference) -> reference;
plain(Zero) when is_float(Zero), Zero == 0.0 -> {zero, <<Zero/float>>};
plain(Term) -> Term.

%% Order of effects.
-spec order(atom()) -> term().
order(nested_calls) ->
    noted(fun() -> pair(pair(note(1), note(2)), pair(note(3), note(4))) end);
order(tuple) ->
    noted(fun() -> {note(a), note(b), {note(c)}, note(d)} end);
order(cons) ->
    noted(fun() -> [note(head) | note([tail])] end);
order(list) ->
    noted(fun() -> [note(1), note(2), [note(3)], note(4)] end);
order(improper_list) ->
    noted(fun() -> [note(1), note(2) | note(3)] end);
order(map_new) ->
    noted(fun() -> #{note(k1) => note(v1), note(k2) => note(v2)} end);
order(map_update) ->
    noted(fun() ->
              (note(#{a => 1}))#{note(b) => note(2), note(c) => note(3)}
          end);
order(map_exact_update) ->
    noted(fun() ->
              (note(#{a => 1, b => 2}))#{note(b) := note(3), a := note(4)}
          end);
order(map_same_key) ->
    noted(fun() -> #{id(k) => note(1), id(k) => note(2)} end);
order(binary) ->
    noted(fun() -> <<(note(1)), (note(2)), (note(<<3>>))/binary>> end);
order(binary_sizes) ->
    noted(fun() -> <<(note(1)):(note(8)), (note(2)):(note(16))>> end);
order(binary_mixed) ->
    noted(fun() ->
              <<(note(1.5)):(note(32))/float,
                (note(<<7, 8, 9>>)):(note(2))/binary,
                (note($x))/utf8, "lit", (note(3)):(note(2))/unit:4>>
          end);
order(record_new) ->
    noted(fun() -> #point{z = note(z), x = note(x)} end);
order(record_update) ->
    noted(fun() -> (note(#point{y = 1}))#point{z = note(3), x = note(1)} end);
order(computed_fun) ->
    noted(fun() -> (note(fun pair/2))(note(1), note(2)) end);
order(computed_fun_call) ->
    noted(fun() -> (make_fun(note(f)))(note(1), note(2)) end);
order(computed_module) ->
    noted(fun() -> (note(lists)):append(note([1]), note([2])) end);
order(computed_function) ->
    noted(fun() -> lists:(note(append))(note([1]), note([2])) end);
order(computed_module_and_function) ->
    noted(fun() ->
              (note(lists)):(note(append))(note([1]), note([2]))
          end);
order(operators) ->
    noted(fun() -> note(1) + note(2) * note(3) - -note(4) end);
order(comparison) ->
    noted(fun() -> (note(1) < note(2)) =:= (note(3) >= note(4)) end);
order(send) ->
    noted(fun() -> (note(self())) ! note(message), flush() end);
order(match_in_argument) ->
    noted(fun() ->
              L = triple(X = note(1), Y = note(2), note(3)),
              L ++ [Y, X]
          end);
order(block_in_argument) ->
    noted(fun() ->
              pair(begin note(1), note(2) end, begin note(3), note(4) end)
          end);
order(case_in_argument) ->
    noted(fun() ->
              triple(note(0),
                     case note(1) of 1 -> note(one); _ -> note(other) end,
                     note(2))
          end);
order(fun_in_argument) ->
    noted(fun() -> pair(fun() -> note(inner) end, note(outer)) end);
order(catch_in_argument) ->
    noted(fun() -> triple(note(1), catch throw(note(2)), note(3)) end);
order(andalso_stops) ->
    noted(fun() -> note(false) andalso note(true) end);
order(orelse_stops) ->
    noted(fun() ->
              {note(true) orelse note(x), note(false) orelse note(y)}
          end);
order(strict_and) ->
    noted(fun() -> note(false) and note(true) end);
order(strict_or) ->
    noted(fun() -> note(true) or note(false) xor note(true) end);
order(nested_constructors) ->
    noted(fun() ->
              {note(1), [note(2), #{note(3) => {note(4), <<(note(5))>>}}],
               note(6)}
          end);
order(list_operators) ->
    noted(fun() -> (note([1, 2]) ++ note([3])) -- note([2]) end);
order(comprehension_in_argument) ->
    noted(fun() -> pair([note(X) || X <- note([1, 2])], note(3)) end);
order(try_in_argument) ->
    noted(fun() ->
              triple(note(1),
                     try note(2), throw(note(3)) catch T -> note({caught, T})
                     after note(4) end,
                     note(5))
          end);
order(receive_in_argument) ->
    self() ! hello,
    noted(fun() ->
              triple(note(1), receive M -> note(M) end,
                     receive _ -> no after 0 -> note(3) end)
          end);
order(apply_three) ->
    noted(fun() -> apply(note(lists), note(append), note([[1], [2]])) end);
order(apply_two) ->
    noted(fun() -> apply(note(fun pair/2), note([1, 2])) end);
order(string_append) ->
    noted(fun() -> "abc" ++ note("def") ++ [note($g)] end);
order(case_of_case) ->
    noted(fun() ->
              case case note(a) of a -> note(b); _ -> note(c) end of
                  b -> note(d);
                  _ -> note(e)
              end
          end);
order(match_chain) ->
    noted(fun() -> A = B = note({1, 2}), {note(A), note(B)} end);
order(tuple_of_matches) ->
    noted(fun() ->
              D = {A = note(1), B = note(2), C = note(3)},
              [C, B, A, D]
          end);
order(if_in_argument) ->
    X = id(3),
    noted(fun() ->
              pair(if X > 5 -> note(big); X > 2 -> note(middle) end, note(end_))
          end);
order(deep_left) ->
    noted(fun() ->
              pair(pair(pair(pair(note(1), note(2)), note(3)), note(4)),
                   note(5))
          end);
order(deep_right) ->
    noted(fun() ->
              pair(note(1), pair(note(2), pair(note(3), pair(note(4),
                                                             note(5)))))
          end);
order(deep_tree) ->
    noted(fun() -> ?EIGHT(?EIGHT(note(x))) end);
order(deep_mixed) ->
    noted(fun() -> ?MIXED(?MIXED(?MIXED(?MIXED(note(0))))) end);
order(effect_between_reads) ->
    put(counter, 0),
    Next = fun() -> put(counter, get(counter) + 1), get(counter) end,
    {get(counter), Next(), get(counter), [Next() | get(counter)],
     get(counter) * 10 + Next()}.

%% Exceptions inside arguments: which one is raised, and what happened before.
-spec arguments(atom()) -> term().
arguments(first_raises) ->
    noted(fun() -> pair(boom(1), note(2)) end);
arguments(second_raises) ->
    noted(fun() -> triple(note(1), boom(2), note(3)) end);
arguments(both_raise) ->
    noted(fun() -> pair(boom(1), throw(boom(2))) end);
arguments(tuple_raises) ->
    noted(fun() -> {note(1), boom(2), boom(3)} end);
arguments(cons_raises) ->
    noted(fun() -> [note(1), note(2) | boom(tail)] end);
arguments(map_key_raises) ->
    noted(fun() -> #{note(1) => note(2), boom(3) => note(4)} end);
arguments(map_value_raises) ->
    noted(fun() -> #{note(1) => boom(2), boom(3) => note(4)} end);
arguments(map_update_of_no_map) ->
    noted(fun() -> (note(none))#{note(1) => boom(2)} end);
arguments(binary_value_raises) ->
    noted(fun() -> <<(note(atom)), (boom(2))>> end);
arguments(binary_size_raises) ->
    noted(fun() -> <<(note(1)):(boom(size)), (note(2))>> end);
arguments(bad_fun_before_arguments) ->
    noted(fun() -> (note(no_fun))(note(1)) end);
arguments(bad_arity_after_arguments) ->
    noted(fun() -> (note(fun pair/2))(note(1)) end);
arguments(undef_after_arguments) ->
    noted(fun() -> no_such_module:f(note(1), note(2)) end);
arguments(bad_module_after_arguments) ->
    noted(fun() -> (note(17)):f(note(1)) end);
arguments(operator_operands) ->
    noted(fun() -> boom(1) + boom(2) end);
arguments(operator_raises_after_operands) ->
    noted(fun() -> (note(a) + note(1)) * note(2) end);
arguments(hd_of_raise) ->
    noted(fun() -> hd(tl([note(1), boom(2)])) end);
arguments(nested_raise) ->
    noted(fun() -> pair(note(1), pair(pair(note(2), boom(3)), note(4))) end);
arguments(record_field_raises) ->
    noted(fun() -> #point{x = note(1), z = boom(3)} end);
arguments(record_update_of_other) ->
    noted(fun() -> (note({shape, 1}))#point{x = note(1)} end);
arguments(throw_in_tuple) ->
    noted(fun() -> {note(1), throw(note(2)), note(3)} end);
arguments(exit_in_call) ->
    noted(fun() -> pair(note(1), exit(note(2))) end);
arguments(raise_in_case) ->
    noted(fun() ->
              pair(case note(1) of 2 -> note(two) end, note(after_case))
          end);
arguments(raise_in_comprehension) ->
    noted(fun() -> [10 div note(X) || X <- [2, 1, 0, 5]] end);
arguments(left_of_andalso) ->
    noted(fun() -> boom(1) andalso note(2) end);
arguments(right_of_andalso) ->
    noted(fun() -> note(true) andalso boom(2) end);
arguments(bad_andalso) ->
    noted(fun() -> note(neither) andalso note(2) end);
arguments(bad_orelse) ->
    noted(fun() -> note(0) orelse note(2) end);
arguments(bad_and) ->
    noted(fun() -> note(neither) and note(2) end);
arguments(bad_not) ->
    noted(fun() -> not note(neither) end);
arguments(bad_send) ->
    noted(fun() -> note(no_such_name) ! note(1) end);
arguments(element_out_of_range) ->
    noted(fun() -> element(note(3), note({1, 2})) end);
arguments(length_of_improper) ->
    noted(fun() -> length(note([1 | 2])) + boom(3) end);
arguments(catch_in_operand) ->
    noted(fun() -> {catch note(a) + note(1), catch throw(note(2))} end).

%% Names that are bound again.
-spec scopes(atom()) -> term().
scopes(fun_shadows) ->
    X = id(1),
    F = fun(X) -> X * 10 end,
    {X, F(2), X};
scopes(fun_shadows_twice) ->
    X = id(1),
    F = fun(X) -> G = fun(X) -> X + 1 end, {X, G(X * 2), X} end,
    {F(5), X};
scopes(comprehension_shadows) ->
    X = id(1),
    {[X || X <- [2, 3]], X};
scopes(generator_sees_outer) ->
    X = id([1, 2]),
    {[X || X <- X], X};
scopes(nested_comprehension_shadows) ->
    X = id([[1, 2], [3]]),
    {[[X || X <- X] || X <- X], [X || X <- X, X <- X], X};
scopes(case_exports) ->
    case id(2) of
        1 -> Y = one;
        2 -> Y = two
    end,
    {Y, Y};
scopes(case_exports_two) ->
    case id({1, 2}) of
        {A, B} when A > B -> C = A;
        {A, B} -> C = B
    end,
    [A, B, C];
scopes(if_exports) ->
    X = id(4),
    if
        X rem 2 =:= 0 -> Kind = even;
        true -> Kind = odd
    end,
    {X, Kind};
scopes(receive_exports) ->
    self() ! {value, 7},
    receive
        {value, V} -> Got = V;
        other -> V = 0, Got = none
    end,
    {V, Got};
scopes(match_binds_late) ->
    {X, Y} = {id(1), id(2)},
    Z = X + Y,
    {Z, X, Y} = {3, 1, 2},
    {X, Y, Z};
scopes(same_name_in_branches) ->
    F = fun(N) ->
            case N of
                1 -> A = id(first), {A, N};
                2 -> A = id(second), {N, A};
                _ -> case id(N) of A -> [A] end
            end
        end,
    [F(1), F(2), F(3)];
scopes(closure_keeps_old) ->
    X = id(1),
    F = fun() -> X end,
    G = fun(X) -> {X, F()} end,
    {F(), G(2), F()};
scopes(closure_in_loop) ->
    Fs = [fun() -> X * 10 end || X <- [1, 2, 3]],
    [F() || F <- Fs];
scopes(fun_argument_used_after) ->
    F = fun(A, {B, A2}) when A =:= A2 -> {same, A, B}; (A, B) -> {A, B} end,
    [F(1, {2, 1}), F(1, {2, 3})];
scopes(named_fun_shadows) ->
    F = id(outer),
    G = fun F(0) -> done; F(N) -> F(N - 1) end,
    {F, G(3)};
scopes(binary_generator_shadows) ->
    X = id(<<1, 2>>),
    {<< <<(X + 1)>> || <<X>> <= X >>, X};
scopes(size_from_outer) ->
    N = id(4),
    {[X || <<X:N>> <= <<16#12, 16#34>>],
     [X || <<N:4, X:N>> <= <<16#12, 16#34, 16#50>>], N};
scopes(try_inner_names) ->
    X = try B = id(1), B + 1 of
            A -> {of_, A}
        catch
            A -> {caught, A}
        end,
    try throw(X) of C -> C catch C -> {again, C} end;
scopes(catch_names) ->
    F = fun(Raise) ->
            try Raise() catch C:R -> {C, R} end
        end,
    [F(fun() -> error(a) end), F(fun() -> exit(b) end),
     F(fun() -> throw(c) end), F(fun() -> d end)];
scopes(underscore_names) ->
    _ = id(1),
    _ = id(2),
    {_, _A} = {1, 2},
    {_A, [_A || _ <- [x, y]]};
scopes(nested_funs) ->
    F = fun(A) -> fun(B) -> fun(C) -> {A, B, C} end end end,
    (((F)(1))(2))(3);
scopes(bound_in_pattern) ->
    X = id(1),
    case id({2, 1}) of
        {X, _} -> first;
        {_, X} -> second;
        _ -> neither
    end;
scopes(bound_in_fun_pattern) ->
    X = id(1),
    F = fun({X, Y}) -> {X, Y}; (X) -> {single, X} end,
    {F({5, 6}), F(7), X};
scopes(block_binds) ->
    A = begin B = id(1), C = B + 1, C * 2 end,
    {A, B, C};
scopes(block_value_and_binding) ->
    L = pair(begin X = id(3), X + 1 end, begin Y = id(4), Y + 1 end),
    L ++ [X, Y];
scopes(rebound_in_clauses) ->
    [rebound(V) || V <- [{1, 2}, [1, 2], 5, {3, 3}]];
scopes(deep_shadowing) ->
    X = id(1),
    [X, (fun(X) ->
             [X, (fun(X) -> [X, [X || X <- [X, X + 1]], X] end)(X + 1), X]
         end)(X + 1), X].

-spec rebound(term()) -> term().
rebound({X, X}) -> {twins, X};
rebound({X, Y}) -> {X, Y};
rebound([Y, X]) -> {X, Y};
rebound(Y) -> X = Y, {X}.

%% Guards: a guard that raises fails.
-spec guards(atom()) -> term().
guards(division_by_zero) ->
    [case {A, B} of
         _ when A / B > 1 -> large;
         _ when A div B =:= 1 -> one;
         _ -> neither
     end || {A, B} <- [{4, 2}, {3, 2}, {1, 0}, {1.0, 0.0}]];
guards(bad_arithmetic) ->
    [case X of _ when X + 1 > 0 -> number; _ -> other end
     || X <- [1, a, -5, 1.5]];
guards(hd_of_empty) ->
    [case L of _ when hd(L) =:= a -> a; _ when tl(L) =:= [] -> t; _ -> no end
     || L <- [[a], [b], [], {a}]];
guards(element_of_short) ->
    [case T of _ when element(2, T) > 1 -> yes; _ -> no end
     || T <- [{1, 2}, {1, 0}, {1}, [1, 2], {}]];
guards(length_of_improper) ->
    [case L of _ when length(L) > 1 -> long; _ -> short end
     || L <- [[1, 2], [1], [1 | 2], a]];
guards(map_size_of_other) ->
    [case M of _ when map_size(M) =:= 1 -> one; _ -> no end
     || M <- [#{a => 1}, #{}, [], {a, 1}]];
guards(semicolon_after_raise) ->
    [if hd(X) =:= 1; X =:= a -> yes; true -> no end || X <- [[1], a, b, []]];
guards(comma_after_raise) ->
    [if X =:= a, hd(X) =:= 1 -> yes; is_atom(X) -> atom; true -> no end
     || X <- [[1], a, b]];
guards(orelse_keeps_raise) ->
    [if hd(X) =:= 1 orelse X =:= a -> yes; true -> no end
     || X <- [[1], a, [2]]];
guards(orelse_short) ->
    [if X =:= a orelse hd(X) =:= 1 -> yes; true -> no end
     || X <- [[1], a, b]];
guards(andalso_short) ->
    [if is_list(X) andalso hd(X) =:= 1 -> yes; true -> no end
     || X <- [[1], a, []]];
guards(and_raises) ->
    [if (X =:= 1) and (1 / X > 0.5) -> yes; true -> no end
     || X <- [1, 0, 2, a]];
guards(or_raises) ->
    [if (X =:= 0) or (1 / X > 0.5) -> yes; true -> no end
     || X <- [1, 0, 2, a]];
guards(xor_values) ->
    [if (X > 1) xor (X < 3) -> one; true -> both_or_none end
     || X <- [0, 2, 4]];
guards(not_other) ->
    [if not X -> negated; X -> plain; true -> neither end
     || X <- [true, false, a, 1]];
guards(nested_booleans) ->
    [if not (A andalso (B orelse not C)) -> first;
        A and not B or C -> second;
        true -> third
     end || A <- [true, false], B <- [true, false], C <- [true, false]];
guards(many_alternatives) ->
    [if is_integer(X), X > 10; is_float(X), X < 0.0; is_atom(X) -> in;
        is_tuple(X); is_list(X) -> structure;
        true -> out
     end || X <- [11, 5, -1.0, 1.0, a, {}, [], <<>>]];
guards(no_boolean) ->
    [case X of _ when X -> yes; _ -> no end || X <- [true, false, 1, a]];
guards(type_tests) ->
    [{is_atom(X), is_binary(X), is_bitstring(X), is_boolean(X), is_float(X),
      is_function(X), is_integer(X), is_list(X), is_map(X), is_number(X),
      is_pid(X), is_port(X), is_reference(X), is_tuple(X)}
     || X <- [a, true, <<1>>, <<1:1>>, 1.0, 1, [], [a | b], #{}, {},
              fun id/1, self(), make_ref()]];
guards(is_record_tests) ->
    [if is_record(X, point) -> point;
        is_record(X, shape, 3) -> shape;
        is_record(X, other, 1) -> other;
        true -> no
     end || X <- [#point{y = 1}, #shape{}, {other}, {point, 1}, {shape, 1},
                  point, {}]];
guards(is_function_arity) ->
    [if is_function(F, N) -> yes; true -> no end
     || F <- [fun pair/2, fun lists:map/2, a], N <- [1, 2, -1, a]];
guards(comparison_mixed) ->
    Values = [1, 1.0, a, {}, {1}, [], [1], <<>>, #{}, fun id/1],
    [if A < B -> lt; A == B -> eq; A > B -> gt end || A <- Values,
                                                      B <- Values];
guards(map_in_guard) ->
    [case X of _ when X =:= #{a => 1} -> equal; _ -> no end
     || X <- [#{a => 1}, #{a => 1.0}, #{}, a]];
guards(map_get_in_guard) ->
    [case M of _ when map_get(k, M) > 1 -> big; _ -> no end
     || M <- [#{k => 2}, #{k => 0}, #{}, none]];
guards(is_map_key_in_guard) ->
    [case M of _ when is_map_key(k, M) -> has; _ -> no end
     || M <- [#{k => 2}, #{}, none]];
guards(binary_size_in_guard) ->
    [case B of _ when byte_size(B) > 1; bit_size(B) =:= 3 -> yes; _ -> no end
     || B <- [<<1, 2>>, <<1:3>>, <<>>, a]];
guards(self_in_guard) ->
    Me = self(),
    case Me of Pid when Pid =:= self() -> me; _ -> other end;
guards(tuple_in_guard) ->
    [case X of _ when {X, 1} =:= {a, 1} -> yes; _ -> no end || X <- [a, b]];
guards(list_in_guard) ->
    [case X of _ when [X | b] =:= [a | b], [X, 1] =:= [a | [1]] -> yes;
               _ when [X, c] =:= [b, c] -> b;
               _ -> no
     end || X <- [a, b]];
guards(record_field_in_guard) ->
    [case P of
         _ when P#point.x > 1 -> far;
         #point{x = X} when X =:= P#point.x -> near;
         _ -> no
     end || P <- [#point{x = 2, y = 0}, #point{x = 1, y = 0}, {point, 5}, a]];
guards(abs_and_friends) ->
    [if abs(X) =:= 1, trunc(X) =:= X -> unit;
        round(X) > ceil(X) -> never;
        floor(X) < X -> fraction;
        float(X) == X -> whole;
        true -> other
     end || X <- [1, -1, 1.5, 7, 2.0, a]];
guards(bound_outside) ->
    Limit = id(10),
    F = fun(X) when X > Limit -> above; (Limit) when Limit =:= 10 -> at;
           (_) -> below end,
    [F(11), F(10), F(9)];
guards(guard_in_fun) ->
    F = fun(X, Y) when X > Y; X =:= a -> first;
           (X, _) when is_integer(X) -> second;
           (_, _) -> third
        end,
    [F(2, 1), F(a, b), F(1, 2), F([], {})];
guards(guard_in_receive) ->
    [self() ! X || X <- [1, 2, 3]],
    receive X when X > 1 -> {X, flush()} end;
guards(guard_in_catch) ->
    [try error(X) catch
         error:R when R > 1, is_integer(R) -> {big, R};
         error:R when hd(R) =:= a -> {list, R};
         _:R -> {other, R}
     end || X <- [1, 2, [a], [], b]];
guards(guard_in_comprehension) ->
    [X || X <- [1, 2, 3, 4], X rem 2 =:= 0, X > 2];
guards(if_falls_through) ->
    [if X > 2 -> a; X > 1 -> b; true -> c end || X <- [3, 2, 1]];
guards(if_raises_none) ->
    X = id(1),
    if X > 1 -> a; hd(X) =:= 1 -> b end;
guards(float_integer_equality) ->
    [if X == 1, X =/= 1 -> float_one; X =:= 1 -> one; X /= 1 -> no end
     || X <- [1, 1.0, 2]];
guards(exact_equality) ->
    [if X =:= {1, [2.0]} -> exact; X == {1, [2]} -> equal; true -> no end
     || X <- [{1, [2.0]}, {1.0, [2]}, {1, [3]}]];
guards(bit_operators) ->
    [if X band 1 =:= 1, X bor 1 =:= X -> odd;
        X bxor 3 =:= 1 -> two;
        X bsl 2 > 10, X bsr 1 > 1, bnot X < 0 -> more;
        true -> other
     end || X <- [1, 2, 4, 0, a]];
guards(big_arithmetic) ->
    [if X * X > 1 bsl 100 -> huge; X + (1 bsl 64) > 0 -> fine; true -> no end
     || X <- [1 bsl 60, 1, -(1 bsl 65), a]];
guards(binary_part_in_guard) ->
    [case B of _ when binary_part(B, 0, 1) =:= <<"a">> -> a; _ -> no end
     || B <- [<<"abc">>, <<"b">>, <<>>, a]];
guards(min_max_order) ->
    [if X > 5 -> a; X > 5 -> unreachable; X > 1 -> b; true -> c end
     || X <- [6, 3, 0]];
guards(node_guard) ->
    case id(self()) of
        P when node(P) =:= node() -> local;
        _ -> remote
    end;
guards(literal_true) ->
    case id(1) of X when true -> X end;
guards(literal_in_alternative) ->
    case id(1) of X when X =:= 2, true; X =:= a -> X; Y -> {Y} end.

%% Exceptions.
-spec tries(atom()) -> term().
tries(value) ->
    try id(1) catch _:_ -> caught end;
tries(of_value) ->
    try id(1) of 1 -> one; _ -> other catch _:_ -> caught end;
tries(of_no_clause) ->
    try id(3) of 1 -> one; 2 -> two catch _:_ -> caught end;
tries(of_raises) ->
    try
        try id(1) of X -> error({of_, X}) catch _:_ -> inner end
    catch
        error:R -> {outer, R}
    end;
tries(catch_throw) ->
    try throw(id(a)) catch throw:X -> {thrown, X} end;
tries(catch_error) ->
    try error(id(a)) catch error:X -> {error, X} end;
tries(catch_exit) ->
    try exit(id(a)) catch exit:X -> {exited, X} end;
tries(class_variable) ->
    [try F() catch C:R -> {C, R} end
     || F <- [fun() -> throw(1) end, fun() -> error(2) end,
              fun() -> exit(3) end, fun() -> 4 end]];
tries(default_class_throw) ->
    try throw(x) catch X -> {caught, X} end;
tries(default_class_misses_error) ->
    try
        try error(x) catch X -> {caught, X} end
    catch
        error:Y -> {outer, Y}
    end;
tries(no_catch_matches) ->
    try throw(id(b)) catch throw:a -> a; error:b -> b end;
tries(guard_in_catch) ->
    [try throw(X) catch
         throw:Y when Y > 2 -> {big, Y};
         throw:Y when is_atom(Y) -> {atom, Y};
         throw:Y -> {other, Y}
     end || X <- [3, a, 1]];
tries(guard_raises_in_catch) ->
    try throw(id(a)) catch throw:X when hd(X) > 1 -> list; _:_ -> any end;
tries(after_value) ->
    noted(fun() -> try note(1) after note(2) end end);
tries(after_throw) ->
    noted(fun() -> try throw(note(1)) after note(2) end end);
tries(after_raises) ->
    noted(fun() -> try note(1) after boom(2) end end);
tries(after_raises_over_error) ->
    noted(fun() -> try boom(1) after throw(note(2)) end end);
tries(after_order) ->
    noted(fun() ->
              try note(1), boom(2)
              catch error:_ -> note(3)
              after note(4)
              end,
              note(5)
          end);
tries(after_of_order) ->
    noted(fun() ->
              try note(1) of 1 -> note(2), boom(3)
              catch error:_ -> note(never)
              after note(4)
              end
          end);
tries(nested_after) ->
    noted(fun() ->
              try
                  try note(1), throw(x) after note(2) end
              after
                  try note(3), throw(y) catch y -> note(4) after note(5) end
              end
          end);
tries(nested_catch) ->
    noted(fun() ->
              try
                  try boom(1) catch error:1 -> boom(2) end
              catch
                  error:2 -> note(3)
              end
          end);
tries(inner_catches) ->
    try (try throw(a) catch a -> b end) of b -> c catch _ -> d end;
tries(outer_catches) ->
    try (try throw(a) catch b -> c end) of _ -> d catch a -> e end;
tries(rethrow) ->
    try
        try throw(a) catch throw:X -> throw({again, X}) end
    catch
        throw:Y -> Y
    end;
tries(reraise_with_stack) ->
    try
        try boom_quiet(x) catch C:R:S -> erlang:raise(C, R, S) end
    catch
        error:x:Stack -> function_names(Stack)
    end;
tries(stack_functions) ->
    try deep_raise(3) catch error:deep:Stack -> function_names(Stack) end;
tries(stack_in_inner) ->
    try boom_quiet(1)
    catch
        error:_:S1 ->
            Inner = try deep_raise(1) catch _:_:S2 -> function_names(S2) end,
            {Inner, function_names(S1)}
    end;
tries(raise_bif) ->
    try erlang:raise(exit, {a, b}, []) catch exit:R:S -> {R, S} end;
tries(raise_bif_bad_class) ->
    erlang:raise(id(no_class), x, []);
tries(error_with_args) ->
    try erlang:error(x, [1, 2])
    catch error:R:S -> {M, F, A, _} = hd(S), {R, M, F, A}
    end;
tries(error_three) ->
    try erlang:error(x, [1], [{error_info, #{cause => none}}])
    catch error:R:S -> {_, F, A, _} = hd(S), {R, F, A}
    end;
tries(old_catch_value) ->
    catch id(1);
tries(old_catch_error) ->
    {'EXIT', {R, [{M, F, A, _} | _]}} = (catch error(id(x))),
    {R, M, F, A};
tries(old_catch_exit) ->
    catch exit(id(x));
tries(old_catch_throw) ->
    catch throw(id(x));
tries(old_catch_nested) ->
    catch {catch throw(a), catch exit(b), throw(id(c))};
tries(old_catch_in_list) ->
    [catch id(X) + 1 || X <- [1, 2]] ++ [catch throw(Y) || Y <- [a, b]];
tries(throw_through_fun) ->
    try lists:foreach(fun(X) when X > 2 -> throw({found, X}); (_) -> ok end,
                      [1, 2, 3, 4])
    catch {found, X} -> X
    end;
tries(throw_through_comprehension) ->
    catch [case X of 3 -> throw({at, X}); _ -> X end || X <- [1, 2, 3, 4]];
tries(exception_in_of_not_caught) ->
    catch try id(a) of a -> throw(from_of) catch from_of -> caught end;
tries(exception_in_handler) ->
    noted(fun() ->
              try throw(a) catch a -> note(1), throw(b); b -> note(2)
              after note(3) end
          end);
tries(handler_in_handler) ->
    try throw(a)
    catch a -> try throw(b) catch b -> try throw(c) catch X -> X end end
    end;
tries(try_in_after) ->
    noted(fun() ->
              try note(1)
              after
                  try boom(2) catch error:2 -> note(3) end
              end
          end);
tries(try_in_of) ->
    try id(a) of
        a -> try throw(b) catch b -> c end
    catch
        _ -> d
    end;
tries(try_value_used) ->
    X = try throw(3) catch Y -> Y * 2 end,
    Z = try id(4) of W -> W + X catch _ -> 0 after ok end,
    {X, Z};
tries(try_binds_used) ->
    A = id(1),
    try B = A + 1, {A, B} of {A, C} -> {A, C} catch _:_ -> A end;
tries(after_result_ignored) ->
    X = try id(1) after id(2), id(3) end,
    X;
tries(return_from_after_branch) ->
    noted(fun() ->
              case try note(true) after note(x) end of
                  true -> note(yes);
                  false -> note(no)
              end
          end);
tries(catch_all) ->
    [try F() catch _ -> thrown; error:_ -> error; _:_ -> exit end
     || F <- [fun() -> throw(1) end, fun() -> hd(id([])) end,
              fun() -> exit(3) end]];
tries(badmatch_in_try) ->
    try {ok, X} = id({error, e}), X of Y -> Y
    catch error:{badmatch, {error, R}} -> R
    end;
tries(try_in_case_head) ->
    case try id(1) catch _:_ -> 2 end of 1 -> one; 2 -> two end;
tries(case_in_try_of) ->
    try id({a, 1}) of
        {a, X} -> case X of 1 -> one; _ -> many end;
        _ -> none
    catch
        _:_ -> bad
    end;
tries(several_of_clauses) ->
    [try id(X) of
         Y when Y > 2 -> big;
         {Y} -> {tuple, Y};
         Y when hd(Y) =:= a -> list;
         _ -> other
     catch _:_ -> caught
     end || X <- [3, {1}, [a], 0]];
tries(try_in_fun) ->
    F = fun(X) -> try 1 / X catch error:badarith -> infinite end end,
    [F(2), F(0)];
tries(fun_from_try) ->
    F = try id(2) of N -> fun(X) -> X * N end catch _:_ -> none end,
    F(21);
tries(reraise_keeps_class) ->
    [try
         try F() catch C:R:S -> erlang:raise(C, {again, R}, S) end
     catch
         C2:R2 -> {C2, R2}
     end || F <- [fun() -> throw(1) end, fun() -> error(2) end,
                  fun() -> exit(3) end]];
tries(exit_reasons) ->
    [try exit(R) catch C:X -> {C, X} end
     || R <- [normal, kill, {a, 1}, "text", 1.5, #{}]];
tries(throw_reasons) ->
    [try throw(R) catch C:X -> {C, X} end
     || R <- [normal, {'EXIT', a}, [], <<1>>]];
tries(error_reasons) ->
    [try error(R) catch C:X -> {C, X} end
     || R <- [badarg, {badmatch, 1}, undef, {a, [b]}, []]];
tries(nested_three) ->
    noted(fun() ->
              try
                  try
                      try note(1), boom(a)
                      catch throw:_ -> note(2)
                      after note(3)
                      end
                  catch
                      error:a -> note(4), exit(b)
                  after
                      note(5)
                  end
              of
                  _ -> note(6)
              catch
                  exit:b -> note(7), {seven}
              after
                  note(8)
              end
          end).

%% The functions of this module that lead to the case. Consecutive calls of one
%% function count once, because optimisation changes their number.
-spec function_names([tuple()]) -> [{atom(), arity()}].
function_names(Stack) ->
    Names = [{source(F), arity(A)} || {?MODULE, F, A, _} <- Stack,
                                      hd(atom_to_list(source(F))) =/= $-,
                                      F =/= outcome],
    without_repeats(Names).

%% The name of a function in the source. Code compiled from Core Erlang calls
%% the function without a clause `-inlined-Name/Arity-'.
-spec source(atom()) -> atom().
source(Function) ->
    case atom_to_list(Function) of
        "-inlined-" ++ Name -> list_to_atom(hd(string:split(Name, "/")));
        _ -> Function
    end.

-spec without_repeats([term()]) -> [term()].
without_repeats([X, X | T]) -> without_repeats([X | T]);
without_repeats([X | T]) -> [X | without_repeats(T)];
without_repeats([]) -> [].

-spec arity(arity() | [term()]) -> arity().
arity(Args) when is_list(Args) -> length(Args);
arity(Arity) -> Arity.

-spec deep_raise(non_neg_integer()) -> term().
deep_raise(0) -> error(deep);
deep_raise(N) -> [deep_raise(N - 1)].

-spec boom_quiet(term()) -> no_return().
boom_quiet(Reason) -> error(Reason).

%% Messages of the process to itself.
-spec receives(atom()) -> term().
receives(timeout_zero_empty) ->
    receive X -> X after 0 -> none end;
receives(timeout_zero_message) ->
    self() ! a,
    receive X -> X after 0 -> none end;
receives(timeout_value) ->
    receive never -> a after 5 -> b end;
receives(timeout_by_call) ->
    noted(fun() -> receive never -> a after note(1) -> note(b) end end);
receives(timeout_computed_first) ->
    self() ! m,
    noted(fun() ->
              receive M -> note(M) after note(1000) + note(1) -> late end
          end);
receives(timeout_infinity) ->
    self() ! a,
    receive X -> X after infinity -> never end;
receives(infinity_by_variable) ->
    Timeout = id(infinity),
    self() ! a,
    receive X -> X after Timeout -> never end;
receives(bad_timeout) ->
    noted(fun() -> receive X -> X after note(soon) -> never end end);
receives(negative_timeout) ->
    receive X -> X after id(-1) -> never end;
receives(large_timeout) ->
    receive X -> X after id(1 bsl 40) -> never end;
receives(selective) ->
    [self() ! X || X <- [a, b, c]],
    receive b -> flush() end;
receives(selective_keeps_order) ->
    [self() ! X || X <- [{x, 1}, {y, 1}, {x, 2}, {y, 2}]],
    A = receive {y, V} -> V end,
    B = receive {y, W} -> W end,
    {A, B, flush()};
receives(guard_fails) ->
    [self() ! X || X <- [1, 2, 3]],
    receive X when X > 5 -> {big, X}; X when X > 2 -> {X, flush()}
    after 0 -> none end;
receives(guard_raises) ->
    [self() ! X || X <- [a, [], [1]]],
    receive X when hd(X) =:= 1 -> {X, flush()} end;
receives(nested) ->
    [self() ! X || X <- [a, b, c]],
    receive
        X -> receive Y -> receive Z -> {X, Y, Z} end end
    end;
receives(nested_selective) ->
    [self() ! X || X <- [{1, a}, {2, b}, {1, c}, {2, d}]],
    receive
        {2, X} -> receive {1, Y} -> receive {2, Z} -> {X, Y, Z, flush()} end end
    end;
receives(in_argument) ->
    [self() ! X || X <- [1, 2, 3]],
    triple(receive 3 -> three end, receive A -> A end, receive B -> B end);
receives(tail_position) ->
    [self() ! X || X <- [1, 2, 3, stop]],
    drain(0);
receives(bound_variable) ->
    Tag = make_ref(),
    [self() ! X || X <- [{other, 1}, {Tag, 2}, {Tag, 3}]],
    receive {Tag, V} -> {V, length(flush())} end;
receives(exports_variables) ->
    self() ! {pair, 1, 2},
    receive {pair, A, B} -> ok; {single, A} -> B = none end,
    {A, B};
receives(only_after) ->
    receive after 1 -> woken end;
receives(only_after_body_effects) ->
    self() ! kept,
    noted(fun() -> receive after note(0) -> note(1), flush() end end);
receives(after_body_raises) ->
    noted(fun() -> receive never -> a after 0 -> boom(late) end end);
receives(body_raises_after_taking) ->
    [self() ! X || X <- [1, 2]],
    {catch receive 1 -> throw(taken) end, flush()};
receives(in_try) ->
    self() ! a,
    noted(fun() ->
              try receive a -> boom(1) end
              catch error:1 -> receive b -> b after 0 -> note(2) end
              after note(3)
              end
          end);
receives(in_catch) ->
    self() ! a,
    catch receive X -> exit(X) end;
receives(in_comprehension) ->
    [self() ! X || X <- [a, b, c]],
    [receive M -> {X, M} end || X <- [1, 2, 3]];
receives(in_fun) ->
    F = fun(Wanted) -> receive Wanted -> got after 0 -> missed end end,
    self() ! b,
    [F(a), F(b), F(b)];
receives(map_pattern) ->
    [self() ! X || X <- [#{a => 1}, #{b => 2}]],
    Key = id(b),
    receive #{Key := V} -> {V, flush()} end;
receives(binary_pattern) ->
    [self() ! X || X <- [<<1>>, <<2, 3, "rest">>]],
    receive <<2, N, R/binary>> -> {N, R, flush()} end;
receives(two_in_row) ->
    [self() ! X || X <- [1, 2]],
    receive A -> ok end,
    receive B -> ok end,
    {A, B};
receives(flush) ->
    [self() ! X || X <- [1, 2, 3]],
    flush() ++ flush();
receives(receive_in_after_body) ->
    [self() ! X || X <- [1, 2]],
    receive never -> a
    after 0 -> receive 2 -> receive X -> X after 0 -> none end end
    end;
receives(reference_selective) ->
    Reference = make_ref(),
    self() ! noise,
    self() ! {Reference, reply},
    receive {Reference, R} -> {R, flush()} after 1000 -> timeout end;
receives(message_from_other) ->
    Self = self(),
    {_, Monitor} = spawn_monitor(fun() -> Self ! hello, exit(done) end),
    receive {'DOWN', Monitor, process, _, R} -> {R, flush()} end;
receives(timeout_is_last) ->
    self() ! b,
    receive a -> a after 3 -> receive b -> after_timeout end end;
receives(after_zero_keeps_mailbox) ->
    [self() ! X || X <- [1, 2]],
    A = receive 3 -> three after 0 -> none end,
    {A, flush()};
receives(case_inside) ->
    [self() ! X || X <- [{op, add, 1}, {op, sub, 2}, {op, mul, 3}]],
    [receive
         {op, O, N} -> case O of add -> N; sub -> -N; _ -> {O, N} end
     end || _ <- [1, 2, 3]];
receives(send_in_body) ->
    self() ! 1,
    receive X -> self() ! X + 1, self() ! X + 2 end,
    flush();
receives(loop_with_state) ->
    [self() ! X || X <- [{add, 1}, ignored, {add, 5}, {mul, 3}, stop]],
    {server(0), flush()}.

-spec drain(integer()) -> {integer(), [term()]}.
drain(Sum) ->
    receive
        stop -> {Sum, flush()};
        N when is_integer(N) -> drain(Sum + N)
    end.

-spec server(integer()) -> integer().
server(State) ->
    receive
        {add, N} -> server(State + N);
        {mul, N} -> server(State * N);
        stop -> State
    end.

%% Bit strings.
-spec binaries(atom()) -> term().
binaries(integers) ->
    {X, Y} = {id(1), id(258)},
    {<<X, Y>>, <<X:4, Y:12>>, <<Y:16>>, <<X:1, Y:3>>};
binaries(sizes_from_variables) ->
    [<<5:N>> || N <- [0, 1, 3, 8, 13]];
binaries(little_big) ->
    X = id(16#010203),
    {<<X:24/little>>, <<X:24/big>>, <<X:20/little>>, <<X:20/big>>};
binaries(signed) ->
    X = id(-2),
    {<<X>>, <<X:16/signed>>, <<X:16/little-signed>>, <<X:4/unsigned>>};
binaries(floats) ->
    X = id(1.5),
    {<<X/float>>, <<X:32/float>>, <<X:64/float-little>>, <<X:16/float>>};
binaries(float_sizes) ->
    [catch_class(fun() -> <<(id(1.0)):N/float>> end) || N <- [16, 32, 64, 8]];
binaries(float_overflow) ->
    X = id(1.0e300),
    {<<X:64/float>>, catch_class(fun() -> <<X:32/float>> end)};
binaries(utf8) ->
    [<<C/utf8>> || C <- [0, 127, 128, 16#7ff, 16#800, 16#10ffff]];
binaries(utf16) ->
    [{<<C/utf16>>, <<C/utf16-little>>} || C <- [$a, 16#ffff, 16#10000]];
binaries(utf32) ->
    [{<<C/utf32>>, <<C/utf32-little>>} || C <- [$a, 16#10ffff]];
binaries(utf8_string) ->
    {<<"a\x{e9}\x{3b1}"/utf8>>, <<"a\x{3b1}"/utf16>>, <<"a"/utf32-little>>};
binaries(bad_utf8) ->
    [catch_class(fun() -> <<C/utf8>> end) || C <- [16#d800, 16#110000, -1, a]];
binaries(bits_of_bits) ->
    B = id(<<5:3>>),
    {<<B/bits, 1:1>>, <<1:1, B/bitstring>>, <<B/bits, B/bits, B/bits>>};
binaries(unit) ->
    {N, B} = {id(2), id(<<1, 2, 3, 4>>)},
    {<<1:N/unit:4>>, <<1:N/integer-unit:8>>, <<B:N/binary-unit:8>>,
     <<B:N/binary-unit:16>>, <<B:3/binary-unit:4>>};
binaries(string_segments) ->
    {<<"abc">>, <<"ab", 0, "c">>, <<"a":16>>, <<"ab":4>>};
binaries(string_sized) ->
    {<<"ab":16/little>>, <<"ab":(id(8))>>};
binaries(native) ->
    X = id(1),
    <<Y:16/native>> = <<X:16/native>>,
    Y;
binaries(negative_value) ->
    [<<X:8>> || X <- [-1, -128, -129, 255, 256]];
binaries(large_value) ->
    X = id((1 bsl 100) + 5),
    {<<X:8>>, <<X:104>>, <<X:104/little>>, <<(-X):128>>};
binaries(bad_integer) ->
    [catch_class(fun() -> <<X>> end) || X <- [a, 1.0, <<1>>, "a"]];
binaries(bad_float) ->
    [catch_class(fun() -> <<X/float>> end) || X <- [1, a, <<>>]];
binaries(bad_binary) ->
    [catch_class(fun() -> <<X/binary>> end)
     || X <- [<<1>>, <<1:1>>, a, "abc", 1]];
binaries(bad_size) ->
    [catch_class(fun() -> <<1:N>> end) || N <- [a, 1.0, <<>>]];
binaries(negative_size) ->
    [catch_class(fun() -> <<1:N>> end) || N <- [-1, -8]];
binaries(size_too_large) ->
    B = id(<<1, 2>>),
    [catch_class(fun() -> <<B:N/binary>> end) || N <- [0, 2, 3]];
binaries(binary_too_short) ->
    B = id(<<1:4>>),
    [catch_class(fun() -> <<B:N/bits>> end) || N <- [3, 4, 5]];
binaries(match_sizes) ->
    <<N, M, A:N, B:M, R/bits>> = id(<<4, 12, 16#abcd:16, 1:3>>),
    {N, M, A, B, R};
binaries(match_size_from_argument) ->
    [sized(N, <<16#1234:16>>) || N <- [0, 4, 16, 17, -1, a]];
binaries(match_size_expression) ->
    <<N, A:(N * 2 + 1), _/bits>> = id(<<3, 255, 0>>),
    {N, A};
binaries(match_size_zero) ->
    <<A:0, B:0/binary, C/binary>> = id(<<7>>),
    {A, B, C};
binaries(match_fails_short) ->
    [case B of <<X:16>> -> X; <<X:8>> -> {X}; <<>> -> empty; _ -> no end
     || B <- [<<1, 2>>, <<3>>, <<>>, <<1:1>>, <<1, 2, 3>>, a]];
binaries(match_rest) ->
    [case B of <<H, T/binary>> -> {H, T}; <<T/bits>> -> {bits, T} end
     || B <- [<<1, 2>>, <<1>>, <<>>, <<1, 1:4>>]];
binaries(match_bits) ->
    <<A:1, B:2, C:3, D:4, E/bits>> = id(<<16#b7, 16#55>>),
    {A, B, C, D, E};
binaries(match_signed_little) ->
    <<A:16/signed-little, B:8/signed, C:16/unsigned-big, D:12/little>>
        = id(<<254, 255, 128, 255, 254, 16#123:12>>),
    {A, B, C, D};
binaries(match_float) ->
    <<A/float, B:32/float-little, C:16/float>>
        = id(<<1.5/float, -2.0:32/float-little, 0.5:16/float>>),
    {A, B, C};
binaries(match_nan) ->
    [case B of <<X/float>> -> X; <<_:64>> -> not_a_number end
     || B <- [<<0:64>>, <<-1:64>>, <<16#7ff0000000000000:64>>]];
binaries(match_utf8) ->
    <<A/utf8, B/utf8, C/utf8, R/binary>> = id(<<"a\x{e9}\x{1f600}z"/utf8>>),
    {A, B, C, R};
binaries(match_bad_utf8) ->
    [case B of <<C/utf8, _/binary>> -> C; <<C, _/binary>> -> {byte, C} end
     || B <- [<<255>>, <<16#c3>>, <<16#c3, 16#a9>>, <<16#ed, 16#a0, 16#80>>]];
binaries(match_utf16) ->
    <<A/utf16, B/utf16-little, C/utf32>>
        = id(<<16#1f600/utf16, $b/utf16-little, $c/utf32>>),
    {A, B, C};
binaries(match_literal_string) ->
    [case B of
         <<"GET ", Path/binary>> -> {get, Path};
         <<"POST", _, Path/binary>> -> {post, Path};
         <<"\x{e9}"/utf8, Path/binary>> -> {accent, Path};
         _ -> none
     end || B <- [<<"GET /a">>, <<"POST /b">>, <<"GETX">>, <<195, 169, 1>>]];
binaries(match_same_variable) ->
    [case B of <<X, X>> -> {same, X}; <<X, Y>> -> {X, Y} end
     || B <- [<<1, 1>>, <<1, 2>>]];
binaries(match_nested_size) ->
    [case B of
         <<X:N/binary, Y/binary>> -> {X, Y};
         _ -> B
     end || {N, B} <- [{1, <<"ab">>}, {2, <<"ab">>}, {3, <<"ab">>}]];
binaries(match_in_head) ->
    [packet(B) || B <- [<<0>>, <<1, 2, "abc">>, <<2, 9:32>>, <<9>>, <<>>, a]];
binaries(match_skips) ->
    <<_:3, A:5, _:2/binary, B/binary>> = id(<<255, 1, 2, 3>>),
    {A, B};
binaries(match_unit) ->
    N = id(2),
    <<A:N/integer-unit:8, B:N/binary-unit:4, C/bits>> = id(<<1, 2, 3, 4>>),
    {A, B, C};
binaries(match_wide) ->
    <<A:100, B/bits>> = id(<<1:1, 0:98, 1:1, 5:4>>),
    {A, B};
binaries(match_empty) ->
    [case B of <<>> -> empty; <<_/bits>> -> full; _ -> other end
     || B <- [<<>>, <<0:1>>, [], a]];
binaries(build_append) ->
    lists:foldl(fun(X, Acc) -> <<Acc/binary, X:16>> end, <<>>, [1, 2, 3]);
binaries(build_prepend) ->
    lists:foldl(fun(X, Acc) -> <<X, Acc/binary>> end, <<>>, "abc");
binaries(build_in_guard) ->
    [case X of _ when <<X>> =:= <<1>> -> one; _ -> other end
     || X <- [1, 257, a, 2]];
binaries(alias) ->
    [<<A:4, B/bits>> = C | _] = [D | _] = id([<<16#5a>>]),
    {A, B, C, D};
binaries(size_guard) ->
    [case B of
         <<X/binary>> when byte_size(X) > 1 -> {long, X};
         <<X:8>> when X > 1 -> {big, X};
         _ -> none
     end || B <- [<<1, 2>>, <<2>>, <<1>>, <<1:1>>]];
binaries(size_all) ->
    B = id(<<1, 2, 3:4>>),
    {byte_size(B), bit_size(B), size(B)};
binaries(parse_packet) ->
    packets(<<3, "abc", 0, 1, "z", 5, "short">>);
binaries(comprehension_out) ->
    << <<(X * 2):16>> || X <- [1, 2, 3] >>;
binaries(comprehension_in) ->
    [X || <<X:4>> <= <<16#1234:16>>];
binaries(comprehension_both) ->
    << <<Y:4, X:4>> || <<X:4, Y:4>> <= <<16#12, 16#34>> >>;
binaries(comprehension_filter) ->
    << <<X>> || <<X>> <= <<1, 2, 3, 4>>, X rem 2 =:= 0 >>;
binaries(comprehension_nested) ->
    << <<X, Y>> || <<X>> <= <<1, 2>>, Y <- [3, 4] >>;
binaries(comprehension_bits) ->
    << <<(1 - X):1>> || <<X:1>> <= <<16#5a>> >>;
binaries(comprehension_skips) ->
    [X || <<1, X>> <= <<1, 2, 3, 4, 1, 5>>];
binaries(comprehension_rest_ignored) ->
    {[X || <<X:16>> <= <<1, 2, 3>>], << <<X:3>> || <<X:5>> <= <<255, 1>> >>};
binaries(comprehension_bad_generator) ->
    [X || <<X>> <= id([1, 2])];
binaries(comprehension_bad_value) ->
    << <<X/binary>> || X <- [<<1>>, id(a), <<2>>] >>;
binaries(comprehension_size_from_outer) ->
    N = id(3),
    {<< <<X:N>> || X <- [1, 2] >>, [X || <<X:N>> <= <<16#88>>]};
binaries(round_trip) ->
    [begin <<Y:N/signed>> = <<X:N/signed>>, Y end
     || X <- [-3, 0, 3], N <- [4, 8, 33]].

-spec catch_class(fun(() -> term())) -> term().
catch_class(Fun) ->
    try Fun() catch Class:Reason -> {Class, Reason} end.

-spec sized(term(), binary()) -> term().
sized(N, Binary) ->
    case Binary of
        <<X:N, _/bits>> -> {N, X};
        _ -> {N, no}
    end.

-spec packet(term()) -> term().
packet(<<0>>) -> zero;
packet(<<1, N, Body:N/binary, Rest/binary>>) -> {one, Body, Rest};
packet(<<2, X:32/signed>>) when X > 5 -> {two, X};
packet(<<X, _/binary>>) -> {other, X};
packet(<<>>) -> empty;
packet(_) -> no_binary.

-spec packets(binary()) -> [term()].
packets(<<N, Body:N/binary, Rest/binary>>) -> [Body | packets(Rest)];
packets(<<>>) -> [];
packets(Rest) -> [{rest, Rest}].

%% List comprehensions.
-spec comprehensions(atom()) -> term().
comprehensions(simple) ->
    [X * X || X <- [1, 2, 3]];
comprehensions(filter) ->
    [X || X <- [1, 2, 3, 4], X > 1, X < 4];
comprehensions(two_generators) ->
    [{X, Y} || X <- [1, 2], Y <- [a, b]];
comprehensions(dependent_generator) ->
    [{X, Y} || X <- [1, 2, 3], Y <- lists:seq(1, X)];
comprehensions(filter_between) ->
    [{X, Y} || X <- [1, 2, 3], X =/= 2, Y <- [X, -X], Y < 3];
comprehensions(pattern_skips) ->
    [X || {ok, X} <- [{ok, 1}, error, {ok, 2}, {error, 3}, {ok, 4, 5}]];
comprehensions(bad_filter) ->
    [X || X <- [1, 2], id(X)];
comprehensions(bad_filter_atom) ->
    noted(fun() -> [X || X <- [1, 2], note(maybe_)] end);
comprehensions(guard_filter_raises) ->
    [X || X <- [1, 2, [1], 0], hd(X) =:= 1 orelse true];
comprehensions(bad_generator) ->
    [X || X <- id(a)];
comprehensions(improper_generator) ->
    noted(fun() -> [note(X) || X <- id([1, 2 | 3])] end);
comprehensions(bad_inner_generator) ->
    noted(fun() -> [{X, Y} || X <- [[1], note(b)], Y <- X] end);
comprehensions(effects_in_order) ->
    noted(fun() ->
              [note({X, Y}) || X <- note([1, 2]), Y <- note([X, X + 10])]
          end);
comprehensions(effects_of_filters) ->
    noted(fun() -> [note(X) || X <- [1, 2, 3], note(X rem 2 =:= 1)] end);
comprehensions(nested) ->
    [[X + Y || Y <- [1, 2]] || X <- [10, 20]];
comprehensions(nested_in_generator) ->
    [X || X <- [Y * 2 || Y <- [Z + 1 || Z <- [1, 2]]]];
comprehensions(fun_in_body) ->
    [F(2) || F <- [fun(Y) -> X * Y end || X <- [1, 2, 3]]];
comprehensions(raises_inside) ->
    noted(fun() ->
              [case X of 2 -> boom(X); _ -> note(X) end || X <- [1, 2, 3]]
          end);
comprehensions(match_in_filter) ->
    [{X, Y} || X <- [1, 2], (Y = X * 2) > 2];
comprehensions(case_in_body) ->
    [case X of {A, _} -> A; [A | _] -> A; A -> {A} end
     || X <- [{1, 2}, [3], 4]];
comprehensions(string_generator) ->
    [C - 32 || C <- "abc", C =/= $b];
comprehensions(empty) ->
    {[X || X <- []], [1 || _ <- [], boom(never)], [boom(x) || _ <- []]};
comprehensions(no_generator) ->
    {[a || id(true)], [a || id(false)]};
comprehensions(filter_first) ->
    noted(fun() -> [X || note(true), X <- note([1, 2])] end);
comprehensions(over_call) ->
    [X || X <- lists:reverse([1, 2, 3])];
comprehensions(calls_fun) ->
    F = fun(X) when X > 1 -> true; (_) -> false end,
    [X || X <- [1, 2, 3], F(X)];
comprehensions(catch_in_body) ->
    [catch 6 div X || X <- [1, 2]] ++ [try 6 div X catch _:R -> R end
                                       || X <- [0, 3]];
comprehensions(boolean_call_filter) ->
    [X || X <- [a, b, c], lists:member(X, [a, c])];
comprehensions(boolean_variable_filter) ->
    Keep = id(true),
    Drop = id(false),
    {[X || X <- [1, 2], Keep], [X || X <- [1, 2], Drop]};
comprehensions(mixed_generators) ->
    [{X, Y, Z} || X <- [1, 2], <<Y>> <= <<3, 4>>, {Z, _} <- [{X, 1}, z]].

%% Funs.
-spec funs(atom()) -> term().
funs(simple) ->
    F = fun(X) -> X + 1 end,
    F(1);
funs(captures) ->
    {A, B} = {id(1), id(2)},
    F = fun(X) -> {A, B, X} end,
    F(3);
funs(several_clauses) ->
    F = fun([]) -> empty; ([X]) -> {one, X}; ([X | T]) -> {X, T}; (_) -> no end,
    [F(X) || X <- [[], [1], [1, 2], a]];
funs(clause_guards) ->
    F = fun(X) when X > 0 -> plus; (X) when X < 0 -> minus; (0) -> zero;
           (X) when X == 0 -> float_zero end,
    [F(X) || X <- [1, -1, 0, 0.0]];
funs(no_clause) ->
    F = fun(1) -> one; (2) -> two end,
    F(id(3));
funs(named_factorial) ->
    F = fun Factorial(0) -> 1; Factorial(N) -> N * Factorial(N - 1) end,
    F(20);
funs(named_shadowing) ->
    X = id(5),
    F = fun X(0) -> []; X(N) -> [N | X(N - 1)] end,
    {X, F(X)};
funs(named_returns_itself) ->
    F = fun Me(0) -> done; Me(_) -> Me end,
    G = F(1),
    {G(0), F =:= G};
funs(named_in_named) ->
    F = fun Outer(0, Acc) -> Acc;
            Outer(N, Acc) ->
                G = fun Inner(0) -> N; Inner(M) -> 1 + Inner(M - 1) end,
                Outer(N - 1, [G(2) | Acc])
        end,
    F(3, []);
funs(mutual_by_argument) ->
    Even = fun(_, _, 0) -> true; (Me, Other, N) -> Other(Other, Me, N - 1) end,
    Odd = fun(_, _, 0) -> false; (Me, Other, N) -> Other(Other, Me, N - 1) end,
    [Even(Even, Odd, N) || N <- [0, 3, 4]];
funs(local_fun) ->
    lists:map(fun id/1, [1, 2]);
funs(external_fun) ->
    F = fun lists:append/2,
    F([1], [2]);
funs(computed_external) ->
    {M, N, A} = {id(lists), id(append), id(2)},
    F = fun M:N/A,
    F([1], [2]);
funs(fun_of_fun) ->
    Compose = fun(F, G) -> fun(X) -> F(G(X)) end end,
    (Compose(fun(X) -> X * 2 end, fun(X) -> X + 1 end))(3);
funs(curried) ->
    F = fun(A) -> fun(B) -> fun(C) -> A * 100 + B * 10 + C end end end,
    G = F(1),
    [(G(2))(3), (G(4))(5)];
funs(arity_error) ->
    F = fun(X) -> X end,
    try F(id(1), 2)
    catch error:{badarity, {G, Args}} -> {is_function(G, 1), Args}
    end;
funs(arity_error_named) ->
    F = fun Me(0) -> Me(1, 2); Me(X) -> X end,
    try F(0) catch error:{badarity, {_, Args}} -> Args end;
funs(bad_fun) ->
    F = id({lists, reverse}),
    F([1]);
funs(fun_in_data) ->
    M = #{add => fun(X, Y) -> X + Y end, neg => fun(X) -> -X end},
    {(maps:get(add, M))(1, 2), [(maps:get(neg, M))(X) || X <- [1, 2]]};
funs(compare_funs) ->
    F = fun(X) -> X end,
    G = F,
    {F =:= G, fun id/1 =:= fun id/1, fun lists:map/2 =:= fun lists:map/2,
     fun lists:map/2 =:= fun lists:append/2};
funs(is_function_checks) ->
    F = fun(_, _) -> ok end,
    {is_function(F), is_function(F, 2), is_function(F, 1), is_function(a)};
funs(closure_over_argument) ->
    [F(1) || F <- [adder(1), adder(10)]];
funs(closure_over_closure) ->
    F = adder(1),
    G = fun(X) -> F(F(X)) end,
    H = fun(X) -> G(G(X)) end,
    H(0);
funs(fun_with_catch) ->
    F = fun(X) -> catch 1 + X end,
    [F(1), element(1, F(a))];
funs(fun_with_receive) ->
    F = fun() -> receive X -> X after 0 -> none end end,
    self() ! m,
    {F(), F()};
funs(fun_in_guarded_clause) ->
    Apply = fun(F, X) when is_function(F, 1) -> F(X); (F, X) -> {F, X} end,
    [Apply(fun id/1, 1), Apply(fun pair/2, 2), Apply(a, 3)];
funs(immediately_applied) ->
    (fun(X, Y) -> {Y, X} end)(note(1), note(2));
funs(immediately_applied_named) ->
    (fun Sum([H | T]) -> H + Sum(T); Sum([]) -> 0 end)([1, 2, 3]);
funs(returns_multiple) ->
    {F, G} = {fun(X) -> {f, X} end, fun(X) -> {g, X} end},
    lists:foldl(fun(H, Acc) -> H(Acc) end, a, [F, G, F]);
funs(fun_info_arity) ->
    [erlang:fun_info(F, arity)
     || F <- [fun() -> a end, fun id/1, fun lists:foldl/3,
              fun N(_, _, _, _) -> N end]];
funs(external_undef) ->
    F = fun no_such_module:f/1,
    F(id(1));
funs(recursion_by_apply) ->
    F = fun(_, 0) -> []; (G, N) -> [N | apply(G, [G, N - 1])] end,
    F(F, 3);
funs(captures_in_comprehension) ->
    N = id(10),
    lists:sum([(fun(Y) -> X + Y + N end)(X) || X <- [1, 2, 3]]);
funs(fold_with_fun) ->
    lists:foldl(fun(X, {S, P}) -> {S + X, P * X} end, {0, 1}, [1, 2, 3, 4]);
funs(even_odd) ->
    [is_even(N) || N <- [0, 1, 10, 11]].

-spec adder(number()) -> fun((number()) -> number()).
adder(N) -> fun(X) -> X + N end.

%% Maps.
-spec maps(atom()) -> term().
maps(new) ->
    {#{}, #{a => 1}, #{id(k) => id(v)}, #{[1] => {2}, <<3>> => #{}}};
maps(nested) ->
    #{a => #{b => #{c => id(1)}}};
maps(update) ->
    M = id(#{a => 1}),
    {M#{a => 2}, M#{b => 3}, M};
maps(exact_update) ->
    M = id(#{a => 1, b => 2}),
    {M#{a := 3}, M#{a := 4, b := 5}};
maps(exact_update_missing) ->
    M = id(#{a => 1}),
    M#{a := 2, c := 3};
maps(update_of_no_map) ->
    (id([]))#{a => 1};
maps(update_of_no_map_keys) ->
    noted(fun() -> (note(none))#{note(a) := note(1)} end);
maps(pattern) ->
    #{a := A, b := {B, _}} = id(#{a => 1, b => {2, 3}, c => 4}),
    {A, B};
maps(pattern_missing) ->
    #{missing := A} = id(#{a => 1}),
    A;
maps(pattern_variable_key) ->
    K = id(b),
    #{K := V} = id(#{a => 1, b => 2}),
    V;
maps(pattern_two_variable_keys) ->
    {K, L} = {id(a), id({x, 1})},
    case id(#{a => 1, {x, 1} => 2}) of
        #{K := L} -> swapped;
        #{K := V, L := W} -> {V, W}
    end;
maps(pattern_key_from_head) ->
    [key_from_head(K, #{a => 1, 2 => b}) || K <- [a, 2, 2.0, c]];
maps(pattern_value_bound) ->
    V = id(1),
    [case M of #{a := V} -> same; #{a := W} -> {other, W}; _ -> none end
     || M <- [#{a => 1}, #{a => 1.0}, #{}, a]];
maps(pattern_nested) ->
    [case M of #{a := #{b := [X | _]}} -> X; #{a := #{}} -> empty; _ -> no end
     || M <- [#{a => #{b => [1, 2]}}, #{a => #{b => []}}, #{a => b}]];
maps(pattern_literal_keys) ->
    #{1 := A, 1.5 := B, "s" := C, <<"b">> := D, {t, 1} := E, [] := F}
        = id(#{1 => a, 1.5 => b, "s" => c, <<"b">> => d, {t, 1} => e, [] => f}),
    [A, B, C, D, E, F];
maps(pattern_expression_key) ->
    X = id(1),
    #{{k, X} := V, X + 1 := W} = id(#{{k, 1} => v, 2 => w}),
    {V, W};
maps(integer_and_float_keys) ->
    M = id(#{1 => int, 1.0 => float}),
    {map_size(M), maps:get(1, M), maps:get(1.0, M), M#{1 => x}};
maps(minus_zero_key) ->
    M = #{id(0.0) => plus, id(-0.0) => minus},
    {map_size(M), maps:values(M)};
maps(duplicate_keys) ->
    #{id(a) => 1, a => 2, id(b) => 3, id(a) => 4};
maps(order_of_updates) ->
    {M, K} = {id(#{}), id(a)},
    {M#{a => 1, b => 2, K => 3}, M#{K => 1, a => 2}};
maps(large) ->
    M = maps:from_list([{N, N * N} || N <- lists:seq(1, 100)]),
    #{50 := A, 99 := B} = M#{99 := x},
    {A, B, map_size(M#{101 => 1})};
maps(in_head) ->
    [shape_area(S) || S <- [#{kind => circle, r => 2},
                            #{kind => box, w => 2, h => 3}, #{}, a]];
maps(in_fun_head) ->
    F = fun(#{x := X} = M) when map_size(M) > 1 -> {X, more};
           (#{x := X}) -> X;
           (#{}) -> none
        end,
    [F(#{x => 1}), F(#{x => 1, y => 2}), F(#{})];
maps(guard_key_fails) ->
    [case M of #{a := A} when A > 1 -> big; #{a := _} -> has; #{} -> map;
               _ -> no end
     || M <- [#{a => 2}, #{a => 0}, #{b => 1}, 5]];
maps(as_key) ->
    M = #{#{a => 1} => map},
    #{#{a => 1} := V} = id(M),
    V;
maps(update_chain) ->
    M = id(#{a => 1}),
    ((M#{b => 2})#{a := 3})#{c => 4};
maps(empty_update) ->
    M = id(#{a => 1}),
    M#{};
maps(empty_update_of_no_map) ->
    M = id(a),
    M#{};
maps(missing_key_in_pattern_chain) ->
    [case M of #{a := K} when is_map_key(K, M) -> K; _ -> no end
     || M <- [#{a => b, b => 1}, #{a => c}, #{}]];
maps(exact_effects_before_error) ->
    noted(fun() -> (note(#{a => 1}))#{a := note(2), note(b) := note(3)} end);
maps(comprehension_over_pairs) ->
    M = id(#{a => 1, b => 2}),
    [{V, K} || {K, V} <- lists:sort(maps:to_list(M))].

-spec key_from_head(term(), map()) -> term().
key_from_head(Key, Map) ->
    case Map of
        #{Key := Value} -> {Key, Value};
        #{} -> {Key, none}
    end.

-spec shape_area(term()) -> term().
shape_area(#{kind := circle, r := R}) -> 3 * R * R;
shape_area(#{kind := box, w := W, h := H}) -> W * H;
shape_area(#{}) -> 0;
shape_area(_) -> no_shape.

%% Records.
-spec records(atom()) -> term().
records(new) ->
    #point{x = id(1), y = 2, z = 3};
records(defaults) ->
    #shape{};
records(fields) ->
    P = #point{x = id(1), y = 2},
    {P#point.x, P#point.y, P#point.z};
records(update) ->
    P = id(#point{x = 1, y = 2}),
    {P#point{x = 5}, P#point{y = 6, z = 7}, P};
records(update_nested) ->
    S = #shape{name = id("s")},
    C = S#shape.corner,
    S#shape{corner = C#point{z = 9}};
records(update_of_other) ->
    (id({shape, 1, 2}))#point{x = 1};
records(access_of_other) ->
    (id(a))#point.x;
records(pattern) ->
    [case R of
         #point{x = X, y = Y} when X > Y -> {X, Y};
         #point{x = X} -> X;
         #shape{name = N} -> N;
         _ -> none
     end || R <- [#point{x = 2, y = 1}, #point{x = 0, y = 1}, #shape{}, a]];
records(pattern_wild) ->
    [case R of #point{_ = same} -> all; #point{} -> some; _ -> none end
     || R <- [#point{_ = same}, #point{y = 1}, {point}]];
records(index) ->
    {#point.x, #point.z, #shape.corner, record_info(size, point),
     record_info(fields, shape)};
records(is_record) ->
    [is_record(R, point) || R <- [#point{y = 1}, {point, 1, 2, 3}, {point}]];
records(nested_access) ->
    S = id(#shape{}),
    (S#shape.corner)#point.x;
records(in_head) ->
    [in_head(R) || R <- [#point{y = 1}, #shape{}, 7]];
records(wildcard_fields) ->
    #point{x = 1, _ = id(filler)};
records(default_effects) ->
    noted(fun() -> {#point{}, #point{x = note(x)}} end);
records(update_in_order) ->
    noted(fun() ->
              (note(#point{y = 0}))#point{z = note(z), y = note(y)}
          end).

-spec in_head(term()) -> term().
in_head(#point{y = Y} = P) -> {Y, P#point.x};
in_head(#shape{corner = #point{x = X}}) -> X;
in_head(Other) -> Other.

%% Exceptions that the language itself raises.
-spec failures(atom()) -> term().
failures(badmatch) ->
    {a, X} = id({b, 1}),
    X;
failures(badmatch_list) ->
    [X, Y] = id([1]),
    {X, Y};
failures(case_clause) ->
    case id(3) of 1 -> a; 2 -> b end;
failures(if_clause) ->
    X = id(3),
    if X < 1 -> a; X < 2 -> b end;
failures(function_clause) ->
    try only_one(id(2))
    catch error:function_clause:S -> {_, F, A, _} = hd(S), {source(F), A}
    end;
failures(function_clause_guard) ->
    only_positive(id(-1));
failures(undef_local_module) ->
    no_such_module:f(id(1));
failures(undef_function) ->
    lists:no_such_function(id(1), 2);
failures(undef_by_variable) ->
    {M, F} = {id(lists), id(nope)},
    M:F();
failures(badarity) ->
    (id(fun(X) -> X end))(1, 2);
failures(badfun) ->
    (id(a))(1);
failures(badarith) ->
    1 / id(0);
failures(badarith_atom) ->
    id(a) + 1;
failures(badarg_bif) ->
    atom_to_list(id(1));
failures(badarg_element) ->
    element(id(0), {a});
failures(bad_apply_arguments) ->
    apply(lists, reverse, id([[1] | b]));
failures(bad_module_type) ->
    (id("lists")):reverse([1]);
failures(badrecord) ->
    (id(b))#shape.name;
failures(badmap) ->
    maps:get(a, id(b));
failures(badkey) ->
    map_get(id(b), #{a => 1});
failures(try_clause) ->
    try id(5) of 1 -> a after ok end;
failures(noproc) ->
    no_such_process ! id(1);
failures(exit_normal) ->
    exit(id(normal));
failures(exit_term) ->
    exit({shutdown, [id(1)]});
failures(throw_uncaught) ->
    throw({id(a), b});
failures(error_atom) ->
    error(id(oops));
failures(error_term) ->
    error({oops, #{why => id(1)}});
failures(error_exception_tuple) ->
    error({badmatch, id(1)});
failures(nested_reason) ->
    try error({a, {b, [c]}}) catch error:{a, {b, [X]}} -> X end;
failures(arithmetic_overflow) ->
    id(1.0e308) * 10;
failures(list_to_integer) ->
    list_to_integer(id("1x"));
failures(atom_too_long) ->
    list_to_atom(lists:duplicate(300, $a));
failures(stack_of_failure) ->
    try pair(1, only_one(id(9))) catch error:_:S -> function_names(S) end;
failures(stack_of_bif) ->
    try hd(id([])) 
    catch error:_:S -> {M, F, A, _} = hd(S), {M, F, length(A)}
    end;
failures(stack_of_fun) ->
    F = fun(X) -> {only_one(X)} end,
    try F(2)
    catch error:R:S -> {_, Name, Args, _} = hd(S), {R, source(Name), Args}
    end.

-spec only_one(term()) -> one.
only_one(1) -> one.

-spec only_positive(term()) -> positive.
only_positive(X) when X > 0 -> positive.

%% Literals of every kind.
-spec literals(atom()) -> term().
literals(integers) ->
    [0, 1, -1, 42, 1_000_000, 134217727, 134217728, -134217729];
literals(based_integers) ->
    [2#1010, 8#17, 16#ff, 16#FF, 36#zZ, 16#dead_beef];
literals(big_integers) ->
    [576460752303423487, 576460752303423488, -576460752303423489,
     18446744073709551616, 123456789012345678901234567890123456789012345,
     16#ffffffffffffffffffffffffffffffffffffffffffffffff];
literals(negative) ->
    X = id(5),
    [-X, - -X, -5, -1.5, -16#10, X - -1, 1 - 2 - 3];
literals(chars) ->
    [$a, $\s, $\n, $\\, $", $', $\x{3b1}, $\e, $\0, $\177, $ , $\x41, $\^A];
literals(floats) ->
    [0.0, 1.0, -1.5, 3.141592653589793, 1.0e10, 1.0e-10, 1.5E3, 1.0e+2,
     0.1, 0.2, 0.30000000000000004, 123456789.123456789, 1.0e22, 1.0e23];
literals(float_bits) ->
    [<<X/float>> || X <- [0.1, 1.0e23, 4.35, 9007199254740993.0,
                          2.2250738585072011e-308, 5.0e-324]];
literals(minus_zero) ->
    {<<-0.0/float>>, <<(-0.0)/float>>, <<(-(id(0.0)))/float>>,
     <<(0.0 * -1)/float>>, -0.0 == 0.0};
literals(denormal) ->
    [4.9e-324, 5.0e-324, 2.225073858507201e-308, 1.0e-320];
literals(largest_float) ->
    [1.7976931348623157e308, -1.7976931348623157e308];
literals(tiny_float) ->
    [1.0e-300, -1.0e-300, 2.2250738585072014e-308];
literals(strings) ->
    {"", "a", "abc", "a b", [$a, $b], "tab\there"};
literals(escapes) ->
    "\b\d\e\f\n\r\s\t\v\0\'\"\\\^@\^Z\12\x7f\x{ff}";
literals(unicode_strings) ->
    {"\x{e9}\x{3b1}\x{1f600}", "aé", <<"é"/utf8>>, <<"é">>};
literals(long_string) ->
    "a long string that goes on and on, with enough characters in it to be "
    "broken over several lines by any printer that minds the width of them, "
    "and with \"quotes\", \\backslashes\\ and \x{e9} accents in between";
literals(adjacent_strings) ->
    "one" " two" " three";
literals(atoms) ->
    [a, aB, a_b, a1, a@b, ok, undefined, true, false];
literals(quoted_atoms) ->
    ['', ' ', 'A', '1a', 'a b', 'it\'s', 'tab\t', 'nl\n', '\\', '"', '\0',
     'a.b', '_', '$x', '%'];
literals(unicode_atoms) ->
    ['é', 'ß', 'α', '\x{3b1}', 'a\x{1f600}', été];
literals(operator_atoms) ->
    ['+', '-', '=:=', '->', '||', '!', '/', '..', ',', ';', '=', '{}', '[]',
     '<<>>', '#{}'];
literals(reserved_atoms) ->
    ['case', 'end', 'fun', 'let', 'in', 'do', 'letrec', 'apply', 'call',
     'primop', 'module', 'attributes', 'receive', 'after', 'catch', 'maybe'];
literals(empty_ones) ->
    {[], {}, #{}, <<>>, "", ''};
literals(nested) ->
    {[{a, [1, {2.5, "x"}]}, #{k => [<<1>>]}], {{{}}}, [[[]]]};
literals(improper) ->
    [[a | b], [1, 2 | 3], [[] | c], ["ab" | <<"c">>]];
literals(literal_map) ->
    #{a => 1, "b" => #{c => [1.5]}, {} => [], 1 => one, 1.0 => float_one};
literals(literal_binary) ->
    {<<>>, <<0>>, <<"abc">>, <<1, 2, 255>>, <<5:3>>, <<1:1, 255>>, <<0:128>>};
literals(literal_funs) ->
    [F([2, 1]) || F <- [fun lists:reverse/1, fun lists:sort/1, fun length/1]];
literals(deep_list) ->
    [[[[[[[[[[[[[[[[[[[[deep]]]]]]]]]]]]]]]]]]]];
literals(wide_tuple) ->
    {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
     22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39};
literals(equal_floats) ->
    {0.1 + 0.2 == 0.3, id(0.1) + 0.2 =:= 0.30000000000000004, 1.0e16 + 1.0};
literals(big_equal) ->
    {id(18446744073709551616) =:= 1 bsl 64,
     id(1 bsl 64) == 18446744073709551616.0,
     id(9007199254740993) == 9007199254740992.0};
literals(mixed_order) ->
    lists:sort([#{}, [], {}, <<>>, a, 1.5, 2, [1], {1}, 1.0, 1, -1, "a",
                #{a => 1}, 'B', {0, 0}, <<0>>, 18446744073709551616]);
literals(constant_folding) ->
    {1 + 2 * 3, "a" ++ "b" ++ [1 + 1], 7 div 2, -7 rem 3, 1 bsl 70, 7 / 2,
     not true, 1 < 2, a =:= b, bnot 5, 5 band 6, hd("abc")};
literals(shared) ->
    X = id([1, 2, 3]),
    Y = {X, X},
    {Y, Y, [Y | X]}.

%% Patterns.
-spec patterns(atom()) -> term().
patterns(aliases) ->
    {A, [B | C] = D} = E = id({1, [2, 3]}),
    {A, B, C, D, E};
patterns(alias_of_alias) ->
    X = {Y, _} = {_, Z} = W = id({1, 2}),
    {X, Y, Z, W};
patterns(alias_in_head) ->
    [aliased(X) || X <- [{1, 2}, [1 | 2], 3]];
patterns(prefix) ->
    "abc" ++ Rest = id("abcdef"),
    Rest;
patterns(prefix_fails) ->
    [case S of "ab" ++ R -> {ab, R}; "a" ++ R -> {a, R}; _ -> no end
     || S <- ["abc", "axc", "a", "", [a | b], [$a | b], "ab"]];
patterns(prefix_empty) ->
    case id("x") of "" ++ R -> R end;
patterns(list_tail) ->
    [case L of [A, B | T] -> {A, B, T}; [A | T] -> {A, T}; [] -> none end
     || L <- [[1, 2, 3], [1], [], [1 | 2], [1, 2 | 3]]];
patterns(nested_lists) ->
    [[A, [B | _]], [[C] | _] | _] = id([[1, [2, 3]], [[4], 5], 6]),
    {A, B, C};
patterns(same_variable_twice) ->
    [case T of {X, X} -> {same, X}; {X, Y} -> {X, Y} end
     || T <- [{1, 1}, {1, 1.0}, {a, b}, {[1], [1]}]];
patterns(same_variable_in_head) ->
    [twice(A, B, C) || {A, B, C} <- [{1, 1, 1}, {1, 1, 2}, {1, 2, 1},
                                     {2, 1, 1}, {1, 1.0, 1}]];
patterns(integer_float) ->
    [case X of 1 -> int; 1.0 -> float; _ -> other end || X <- [1, 1.0, 2]];
patterns(float_integer) ->
    [case X of 0.0 -> zero; 1.5 -> more; 0 -> int_zero; _ -> other end
     || X <- [0, 0.0, -0.0, 1.5, 1]];
patterns(char_is_integer) ->
    [case X of $a -> char; "a" -> string; 98 -> b; _ -> other end
     || X <- [97, $a, "a", $b, [98]]];
patterns(wildcards) ->
    {_, [_, X | _], {_, _}} = id({1, [2, 3, 4], {5, 6}}),
    X;
patterns(bound_variable) ->
    X = id(2),
    [case V of X -> same; {X} -> inside; [_, X] -> second; _ -> no end
     || V <- [2, 2.0, {2}, [1, 2], {3}]];
patterns(literal_tuples) ->
    [case V of {ok, {1, "a", <<"b">>, []}} -> yes; {ok, _} -> no; ok -> ok end
     || V <- [{ok, {1, "a", <<"b">>, []}}, {ok, {1, "a", <<"c">>, []}}, ok]];
patterns(arithmetic) ->
    [case X of 1 + 2 -> three; 2 * 5 -> ten; 1 bsl 4 -> sixteen; _ -> no end
     || X <- [3, 10, 16, 4]];
patterns(negative) ->
    [case X of -1 -> minus; -1.5 -> float; +2 -> two; _ -> no end
     || X <- [-1, -1.5, 2, -1.0]];
patterns(first_match) ->
    [case X of N when N > 0 -> positive; 1 -> one; _ -> rest end
     || X <- [1, 0, a]];
patterns(overlapping) ->
    [overlap(A, B) || A <- [a, b, c], B <- [a, b, c]];
patterns(guard_then_next) ->
    [case T of
         {X, Y} when X > Y -> {gt, X};
         {X, Y} when X < Y -> {lt, Y};
         {X, _} -> {eq, X}
     end || T <- [{1, 2}, {2, 1}, {1, 1}]];
patterns(nested_case) ->
    [case X of
         {A, B} -> case B of A -> same; {A} -> boxed; _ -> case A of 1 -> one;
                                                             _ -> no end end;
         _ -> none
     end || X <- [{1, 1}, {1, {1}}, {1, 2}, {2, 3}, 4]];
patterns(match_returns) ->
    X = (Y = id(5)) + 1,
    L = [X, Y, Z = X * Y],
    {L, Z};
patterns(match_of_match) ->
    {A, B} = {C, D} = id({1, 2}),
    A + B + C + D;
patterns(match_in_condition) ->
    case X = id(3) of
        Y when Y > 2 -> {X, Y, big};
        _ -> X
    end;
patterns(case_of_tuple) ->
    [case {A, B} of {1, _} -> one; {_, 1} -> other; {X, X} -> same; _ -> no end
     || A <- [1, 2], B <- [1, 2, 3]];
patterns(case_of_literal) ->
    case {a, [1, 2]} of {a, [X | T]} -> {X, T}; _ -> no end;
patterns(many_clauses) ->
    [day(N) || N <- [1, 2, 3, 4, 5, 6, 7, 8, -1, 1.0, a]];
patterns(string_clauses) ->
    [case S of "abc" -> 1; "abd" -> 2; "ab" -> 3; "" -> 4; _ -> 5 end
     || S <- ["abc", "abd", "ab", "", "x", abc]];
patterns(big_clauses) ->
    [case X of
         18446744073709551616 -> big;
         -18446744073709551616 -> minus_big;
         576460752303423488 -> first_big;
         1 -> one;
         _ -> other
     end || X <- [1 bsl 64, -(1 bsl 64), 1 bsl 59, 1, 1.8446744073709552e19]];
patterns(float_clauses) ->
    [case X of 1.5 -> a; 2.5 -> b; -1.5 -> c; 1.0e300 -> d; _ -> e end
     || X <- [1.5, 2.5, -1.5, 1.0e300, 1]];
patterns(atom_clauses) ->
    [case X of true -> a; false -> b; '' -> c; 'A b' -> d; [] -> e; _ -> f end
     || X <- [true, false, '', 'A b', [], "", 'true ', 0]];
patterns(improper_clauses) ->
    [case X of [a | b] -> 1; [a | T] when is_list(T) -> {2, T}; [a | T] -> T;
               _ -> 3 end
     || X <- [[a | b], [a], [a | c], [b]]];
patterns(deep) ->
    {a, {b, [c, {d, #{e := [F | _]}}, <<G, _/binary>>]}}
        = id({a, {b, [c, {d, #{e => [f, g]}}, <<"hi">>]}}),
    {F, G};
patterns(record_in_tuple) ->
    {tag, #point{x = X, z = {Z, _}}} = id({tag, #point{x = 1, y = 2,
                                                       z = {3, 4}}}),
    {X, Z};
patterns(binary_in_list) ->
    [{K, V} || <<K:1/binary, "=", V/binary>> <- [<<"a=1">>, <<"b:2">>,
                                                 <<"c=">>]];
patterns(map_in_list) ->
    [V || #{k := V} <- [#{k => 1}, #{}, a, #{k => 2, l => 3}]];
patterns(equal_exact) ->
    [{A == B, A =:= B, A /= B, A =/= B, A =< B, A >= B}
     || A <- [1, 1.0, a], B <- [1, 1.0, a]];
patterns(equality_of_structures) ->
    {{1, [2.0]} == {1.0, [2]}, {1, [2.0]} =:= {1.0, [2]}, id([]) =:= id(""),
     #{a => 1} == id(#{a => 1.0}), #{1 => a} == id(#{1.0 => a}), id({}) == []};
patterns(zero_clauses) ->
    [zero(X) || X <- [0, 0.0, -0.0, [], '']];
patterns(nested_blocks) ->
    begin begin A = id(1) end, begin B = A + 1, begin C = A + B end end end,
    {A, B, C};
patterns(unused_results) ->
    noted(fun() ->
              note(1),
              _ = {note(2), note(3)},
              _ = [note(4) | []],
              _ = note(5),
              _ = fun() -> note(never) end,
              case note(6) of _ -> note(7) end,
              note(8)
          end);
patterns(mutual_recursion) ->
    {is_even(101), is_odd(101)};
patterns(body_recursion) ->
    {sum([1, 2, 3]), flatten([1, [2, [3, []], 4], [[5]]]), ackermann(2, 3)}.

-spec aliased(term()) -> term().
aliased({A, _} = B) -> {A, B};
aliased([_ | A] = [B | _] = C) -> {A, B, C};
aliased(A = B) -> {A, B}.

-spec twice(term(), term(), term()) -> term().
twice(A, A, A) -> all;
twice(A, A, _) -> front;
twice(A, _, A) -> ends;
twice(_, A, A) -> back.

-spec overlap(atom(), atom()) -> term().
overlap(a, _) -> 1;
overlap(_, a) -> 2;
overlap(b, b) -> 3;
overlap(X, X) -> 4;
overlap(_, X) -> X.

-spec day(term()) -> term().
day(1) -> mo;
day(2) -> tu;
day(3) -> we;
day(4) -> th;
day(5) -> fr;
day(6) -> sa;
day(7) -> su;
day(N) when N > 7 -> {late, N};
day(N) -> {no, N}.

-spec zero(term()) -> atom().
zero(0) -> integer;
zero(0.0) -> float;
zero([]) -> list;
zero(_) -> other.

-spec is_even(non_neg_integer()) -> boolean().
is_even(0) -> true;
is_even(N) -> is_odd(N - 1).

-spec is_odd(non_neg_integer()) -> boolean().
is_odd(0) -> false;
is_odd(N) -> is_even(N - 1).

-spec sum([number()]) -> number().
sum([H | T]) -> H + sum(T);
sum([]) -> 0.

-spec flatten(term()) -> [term()].
flatten([H | T]) -> flatten(H) ++ flatten(T);
flatten([]) -> [];
flatten(X) -> [X].

-spec ackermann(non_neg_integer(), non_neg_integer()) -> pos_integer().
ackermann(0, N) -> N + 1;
ackermann(M, 0) -> ackermann(M - 1, 1);
ackermann(M, N) -> ackermann(M - 1, ackermann(M, N - 1)).

%% Loops in constant memory.
-spec loop(atom(), non_neg_integer()) -> done.
loop(direct, N) ->
    direct(N);
loop(mutual, N) ->
    ping(N);
loop(case_branch, N) ->
    case_branch(N, a);
loop(if_branch, N) ->
    if_branch(N);
loop(try_of, N) ->
    try_of(N);
loop(receive_clause, N) ->
    self() ! N,
    receive_clause();
loop(receive_after, N) ->
    receive_after(N);
loop(fun_argument, N) ->
    F = fun(_, 0) -> done; (G, K) -> G(G, K - 1) end,
    F(F, N);
loop(apply_two, N) ->
    F = fun(_, 0) -> done; (G, K) -> apply(G, [G, K - 1]) end,
    F(F, N);
loop(apply_three, 0) ->
    done;
loop(apply_three, N) ->
    apply(id(?MODULE), loop, [apply_three, N - 1]);
loop(remote, N) ->
    loop_remote(N);
loop(computed_module, 0) ->
    done;
loop(computed_module, N) ->
    Module = id(?MODULE),
    Module:loop(computed_module, N - 1);
loop(named_fun, N) ->
    F = fun Loop(0) -> done; Loop(K) -> Loop(K - 1) end,
    F(N);
loop(andalso_right, N) ->
    true = andalso_right(N),
    done;
loop(orelse_right, N) ->
    true = orelse_right(N),
    done;
loop(after_block, N) ->
    after_block(N);
loop(after_match, N) ->
    after_match({N, a});
loop(nested_cases, N) ->
    nested_cases(N);
loop(guard_clauses, N) ->
    guard_clauses(N);
loop(closure, N) ->
    closure(N, fun(X) -> X - 1 end);
loop(binary_match, N) ->
    binary_match(<<0:256/unit:8>>, N, N);
loop(map_match, N) ->
    map_match(#{left => N});
loop(catch_clause, N) ->
    catch_clause(N);
loop(accumulators, N) ->
    Half = N div 2,
    {Half, _} = accumulators(N, 0, 0),
    done.

-spec loop_remote(non_neg_integer()) -> done.
loop_remote(0) -> done;
loop_remote(N) -> ?MODULE:loop_remote(N - 1).

-spec direct(non_neg_integer()) -> done.
direct(0) -> done;
direct(N) -> direct(N - 1).

-spec ping(non_neg_integer()) -> done.
ping(0) -> done;
ping(N) -> pong(N - 1).

-spec pong(non_neg_integer()) -> done.
pong(0) -> done;
pong(N) -> ping(N - 1).

-spec case_branch(non_neg_integer(), atom()) -> done.
case_branch(N, Tag) ->
    case {N, Tag} of
        {0, _} -> done;
        {_, a} -> case_branch(N - 1, b);
        {_, b} -> case_branch(N - 1, a)
    end.

-spec if_branch(non_neg_integer()) -> done.
if_branch(N) ->
    if
        N =:= 0 -> done;
        N rem 2 =:= 0 -> if_branch(N - 1);
        true -> if_branch(N - 1)
    end.

-spec try_of(non_neg_integer()) -> done.
try_of(N) ->
    try id(N) of
        0 -> done;
        _ -> try_of(N - 1)
    catch
        _:_ -> failed
    end.

-spec receive_clause() -> done.
receive_clause() ->
    receive
        0 -> done;
        N -> self() ! N - 1, receive_clause()
    end.

-spec receive_after(non_neg_integer()) -> done.
receive_after(N) ->
    receive
        never -> never
    after 0 ->
        case N of
            0 -> done;
            _ -> receive_after(N - 1)
        end
    end.

-spec andalso_right(non_neg_integer()) -> boolean().
andalso_right(0) -> true;
andalso_right(N) -> is_integer(N) andalso andalso_right(N - 1).

-spec orelse_right(non_neg_integer()) -> boolean().
orelse_right(0) -> true;
orelse_right(N) -> N < 0 orelse orelse_right(N - 1).

-spec after_block(non_neg_integer()) -> done.
after_block(0) -> done;
after_block(N) -> begin id(N), after_block(N - 1) end.

-spec after_match({non_neg_integer(), atom()}) -> done.
after_match({0, _}) -> done;
after_match({N, Tag} = Pair) ->
    {N, Tag} = id(Pair),
    M = N - 1,
    after_match({M, Tag}).

-spec nested_cases(non_neg_integer()) -> done.
nested_cases(N) ->
    case N of
        0 -> done;
        _ ->
            case N rem 3 of
                0 -> nested_cases(N - 1);
                1 -> case id(N) of N -> nested_cases(N - 1) end;
                2 -> X = N - 1, nested_cases(X)
            end
    end.

-spec guard_clauses(non_neg_integer()) -> done.
guard_clauses(N) when N > 100, N rem 2 =:= 0 -> guard_clauses(N - 1);
guard_clauses(N) when N > 0; N =:= none -> guard_clauses(N - 1);
guard_clauses(_) -> done.

-spec closure(non_neg_integer(), fun((integer()) -> integer())) -> done.
closure(0, _) -> done;
closure(N, Next) -> closure(Next(N), Next).

-spec binary_match(binary(), non_neg_integer(), non_neg_integer()) -> done.
binary_match(_, 0, _) -> done;
binary_match(<<_, Rest/binary>>, N, All) -> binary_match(Rest, N - 1, All);
binary_match(<<>>, N, All) -> binary_match(<<0:256/unit:8>>, N - 1, All).

-spec map_match(map()) -> done.
map_match(#{left := 0}) -> done;
map_match(#{left := N} = Map) -> map_match(Map#{left := N - 1}).

-spec catch_clause(non_neg_integer()) -> done.
catch_clause(0) -> done;
catch_clause(N) ->
    try throw(N)
    catch
        M -> catch_clause(M - 1)
    end.

-spec accumulators(non_neg_integer(), integer(), integer()) ->
          {integer(), integer()}.
accumulators(0, A, B) -> {A, B};
accumulators(N, A, B) when N rem 2 =:= 0 -> accumulators(N - 1, A + 1, B);
accumulators(N, A, B) -> accumulators(N - 1, A, B + 1).

%% Notes that this point was reached, and returns the value.
-spec note(T) -> T.
note(Value) ->
    case get(notes) of
        undefined -> Value;
        Notes -> put(notes, [Value | Notes]), Value
    end.

-spec boom(term()) -> no_return().
boom(Reason) ->
    note({boom, Reason}),
    error(Reason).

%% The outcome of a function, with its notes in order.
-spec noted(fun(() -> term())) -> {term(), [term()]}.
noted(Fun) ->
    put(notes, []),
    Outcome = try {value, Fun()} catch Class:Reason -> {Class, Reason} end,
    {Outcome, lists:reverse(erase(notes))}.

%% Hides the value from the compiler.
-spec id(T) -> T.
id(X) ->
    case get(unknown) of
        undefined -> X;
        Other -> Other
    end.

-spec pair(A, B) -> [A | B].
pair(A, B) -> [A, B].

-spec triple(A, B, C) -> [A | B | C].
triple(A, B, C) -> [A, B, C].

-spec make_fun(term()) -> fun((term(), term()) -> [term()]).
make_fun(Tag) -> fun(A, B) -> [Tag, note(A), note(B)] end.

-spec flush() -> [term()].
flush() ->
    receive X -> [X | flush()] after 0 -> [] end.
