-module(erlconcolic_native_records_tests).

-include_lib("eunit/include/eunit.hrl").

-import(erlconcolic_fixture, [in_folder/2]).

%% OTP 29 has native records. The calls must end as in the original.
-define(SOURCE,
        "-module(native).\n"
        "-export([calls/0, get/1, in_guard/1, nested/1, update/2]).\n"
        "-export([any_field/1, in_list/1, made/0]).\n"
        "-record #point{x = 0, y = 0}.\n"
        "-record #box{a, b = #{k => [1]}}.\n"
        "-export_record([point]).\n"
        "get(#point{x = 3, y = Y}) -> Y;\n"
        "get(P) -> P#point.x.\n"
        "in_guard(P) when is_record(P, point), P#point.x > 3 -> big;\n"
        "in_guard(#_{x = X}) -> X;\n"
        "in_guard(_) -> other.\n"
        "nested(#point{x = {a, [H | _]}, y = #box{a = B}}) when H > B ->\n"
        "    {H, B};\n"
        "nested([#point{x = X}, #point{x = X} | _]) -> {same, X};\n"
        "nested({#box{b = #{k := V}}, _}) -> V;\n"
        "nested(#point{}) -> point.\n"
        "update(P, V) -> P#point{y = V + 1}.\n"
        "any_field(R) -> R#_.x.\n"
        "in_list(L) -> [X || #point{x = X} <- L].\n"
        "made() -> {#point{x = 1}, #native:point{y = 2}, #box{a = 3}}.\n"
        "calls() ->\n"
        "    P = fun(X, Y) -> #point{x = X, y = Y} end,\n"
        "    B = #box{a = 4},\n"
        "    [{made, []}, {get, [P(3, 9)]}, {get, [P(4, 9)]}, {get, [7]},\n"
        "     {get, [B]}, {in_guard, [P(9, 1)]}, {in_guard, [P(2, 1)]},\n"
        "     {in_guard, [B]}, {in_guard, [5]},\n"
        "     {nested, [P({a, [5]}, B)]}, {nested, [P({a, [3]}, B)]},\n"
        "     {nested, [[P(1, 2), P(1, 3)]]}, {nested, [[P(1, 2), P(2, 3)]]},\n"
        "     {nested, [{B, 3}]}, {nested, [8]}, {update, [P(1, 2), 7]},\n"
        "     {update, [x, 7]}, {update, [P(1, 2), z]},\n"
        "     {any_field, [P(8, 1)]}, {any_field, [B]}, {any_field, [1]},\n"
        "     {in_list, [[P(1, 2), 3, B, P(4, 5)]]}].\n").

calls_end_as_in_the_original_test() ->
    {module, cerl} = code:ensure_loaded(cerl),
    case erlang:function_exported(cerl, record_es, 1) of
        true -> in_folder([{"native.erl", ?SOURCE}], fun check/1);
        false -> ?debugMsg("this release has no native records")
    end.

check(Folder) ->
    File = filename:join(Folder, "native.erl"),
    {ok, native, Original} = compile:file(File, [binary]),
    {ok, native, Core} = compile:file(File, [binary, to_core]),
    Text = erlconcolic_core_text:print(
             erlconcolic_native_records:as_calls(Core)),
    ?assertEqual(nomatch, binary:match(Text, <<"~#">>)),
    {ok, #{beam := Rewritten}} = erlconcolic_compile:from_core(Text, usual),
    {module, native} = code:load_binary(native, File, Original),
    Calls = native:calls(),
    Expected = [outcome(Call) || Call <- Calls],
    _ = code:purge(native),
    {module, native} = code:load_binary(native, File, Rewritten),
    [?assertEqual({Call, Outcome}, {Call, outcome(Call)})
     || {Call, Outcome} <- lists:zip(Calls, Expected)],
    _ = code:purge(native),
    code:delete(native).

outcome({Function, Args}) ->
    try {value, apply(native, Function, Args)}
    catch Class:Reason -> {Class, Reason}
    end.

modules_without_records_stay_test() ->
    Core = cerl:c_module(cerl:abstract(m), [], []),
    ?assertEqual(Core, erlconcolic_native_records:as_calls(Core)).
