%%% Tests of the fallbacks for undocumented interfaces of OTP, as if these were
%%% gone. The table is in erlang-support/README.md.
-module(erlconcolic_private_interfaces_tests).

-include_lib("eunit/include/eunit.hrl").

%% Called in another node.
-export([with_timer/1]).

-define(CORE, <<"module 'gone' ['f'/0] attributes [] "
                "'f'/0 = fun () -> {'a',1} end">>).

%% The compiler may have to be loaded first.
reads_core_erlang_test_() ->
    [{timeout, 60, fun core_erlang_is_read_without_its_scanner/0},
     {timeout, 60, fun errors_are_reported_without_the_scanner/0}].

core_erlang_is_read_without_its_scanner() ->
    {ok, #{module := gone, beam := Expected}} =
        erlconcolic_compile:from_core(?CORE, usual),
    {ok, #{module := gone, beam := Beam}} =
        erlconcolic_compile:from_core(?CORE, usual, no_such_scanner, compile),
    ?assertEqual(beam_lib:md5(Expected), beam_lib:md5(Beam)).

errors_are_reported_without_the_scanner() ->
    [begin
         {error, [{error, <<>>, Line, _, _} | _]} =
             erlconcolic_compile:from_core(Text, usual),
         ?assertMatch({error, [{error, <<>>, Line, _, _} | _]},
                      erlconcolic_compile:from_core(Text, usual,
                                                    no_such_scanner, compile))
     end || Text <- [<<"module">>,
                     <<"module 'm' [] attributes []\n'f'/0 = 1 end">>]].

emitters_stay_as_they_are_without_the_assembler_test() ->
    {module, _} = code:ensure_loaded(erlconcolic_emit),
    IsSlow = is_slow(),
    [?assertEqual(not_possible, erlconcolic_emit_fast:install(Assembler))
     || Assembler <- [no_such_assembler, ?MODULE]],
    ?assertEqual(IsSlow, is_slow()),
    ?assertEqual(value, erlconcolic_emit:out(5, value)).

%% The assembled module only has the emitters.
is_slow() ->
    erlang:function_exported(erlconcolic_emit, module_info, 0).

answers_go_to_the_descriptors_without_the_file_test() ->
    Port = hd(erlang:ports()),
    ?assertEqual(Port, erlconcolic_channel:output(Port, "/no/such/file")).

environment_is_known_without_its_table_test() ->
    ok = application:set_env(kernel, erlconcolic_test, 1),
    Known = erlconcolic_node:environment(no_such_table),
    ok = application:unset_env(kernel, erlconcolic_test),
    ?assert(lists:member({{kernel, erlconcolic_test}, 1}, Known)).

%% A node whose kernel has other supervisors.
services_spoil_a_node_without_their_supervisors_test_() ->
    {timeout, 60, fun services_spoil_a_node_without_their_supervisors/0}.

services_spoil_a_node_without_their_supervisors() ->
    Folders = [filename:dirname(code:which(Module))
               || Module <- [erlconcolic_node, ?MODULE]],
    {ok, Peer, _} = peer:start_link(#{connection => standard_io,
                                      args => ["-pa" | Folders]}),
    WithTimer = fun(Supervisors) ->
                        peer:call(Peer, ?MODULE, with_timer, [Supervisors])
                end,
    ?assertEqual(kept, WithTimer([kernel_safe_sup, kernel_sup])),
    ?assertEqual(spoiled, WithTimer([no_such_supervisor])),
    %% It is not used again, but has to live to send its answer.
    ?assert(is_pid(peer:call(Peer, erlang, whereis, [kernel_sup]))),
    ok = peer:stop(Peer).

%% The server of `timer' starts at its first use.
with_timer(Supervisors) ->
    Baseline = erlconcolic_node:baseline(),
    ok = timer:start(),
    erlconcolic_node:tidy(Baseline, Supervisors).
