%% What random calls skip, and what they keep small.
-module(random_limits).

-export([excluded/3, largest_integer/3]).

%% Functions that are not called, with the reason. They read clocks or the
%% machine, do input and output, end processes, do not return, or affect
%% later calls.
-spec excluded(module(), atom(), arity()) -> {true, string()} | false.
excluded(_, Name, _) when Name =:= module_info; Name =:= behaviour_info ->
    {true, "describes the compilation"};
excluded(Module, Name, Arity) ->
    Reasons = [reason(Module, Name, Arity), module_reason(Module)],
    case [Reason || Reason <- Reasons, Reason =/= none] of
        [Reason | _] -> {true, Reason};
        [] -> false
    end.

-spec reason(module(), atom(), arity()) -> string() | none.
reason(calendar, Name, 0)
  when Name =:= local_time; Name =:= universal_time;
       Name =:= iso_week_number ->
    "reads the clock";
reason(_, test, 0) ->
    "runs its own tests";
reason(eunit, Name, _)
  when Name =:= start; Name =:= stop; Name =:= submit; Name =:= test;
       Name =:= watch; Name =:= watch_app; Name =:= watch_path ->
    "talks to its server";
reason(Module, Name, _)
  when Name =:= init, (Module =:= eunit_surefire orelse Module =:= eunit_tty);
       Module =:= eunit_listener, Name =:= start;
       Module =:= eunit_serial ->
    "waits for messages";
reason(eunit_test, enter_context, _) ->
    "returns the rest of a stack trace";
reason(eunit_lib, command, _) ->
    "starts programs";
reason(eunit_lib, Name, _) when Name =:= consult_file; Name =:= list_dir ->
    "reads files";
reason(eunit_lib, uniq, _) ->
    "counts up";
reason(xmerl_scan, file, _) ->
    "reads files";
reason(erl_comment_scan, file, _) ->
    "reads files";
reason(Module, Name, _)
  when Module =:= erl_parse, Name =:= parse_and_scan;
       %% Since OTP 29.
       Module =:= array, Name =:= from ->
    "calls what it is given until that ends";
reason(filename, Name, _)
  when Name =:= absname; Name =:= find_src; Name =:= find_file ->
    "depends on the working folder";
reason(_, _, _) ->
    none.

-spec module_reason(module()) -> string() | none.
module_reason(Module) ->
    case {lists:member(Module, devices()), lists:member(Module, actors())} of
        {true, _} -> "does input and output";
        {_, true} -> "acts on processes or on the node";
        {false, false} -> none
    end.

-spec devices() -> [module()].
devices() ->
    [c, dets, disk_log, epp, epp_dodger, erl_tar, erl_tidy, escript, file,
     file_sorter, filelib, igor, io, leex, os, shell, yecc, zip].

-spec actors() -> [module()].
actors() ->
    [application, code, erl_eval, erlang, error_logger, eunit_proc,
     eunit_server, gen,
     gen_event, gen_server, gen_statem, init, logger, peer, pool, proc_lib,
     rand, random, slave, supervisor, sys, timer].

%% The bound on integers in the arguments of a function whose work or memory
%% grows with their size.
-spec largest_integer(module(), atom(), arity()) -> pos_integer() | infinity.
largest_integer(lists, Name, _)
  when Name =:= seq; Name =:= duplicate ->
    300;
largest_integer(binary, copy, _) ->
    300;
largest_integer(string, Name, _)
  when Name =:= chars; Name =:= copies; Name =:= left; Name =:= right;
       Name =:= centre; Name =:= pad ->
    300;
largest_integer(array, _, _) ->
    2000;
largest_integer(beam_bounds, _, _) ->
    2000;
largest_integer(erl_syntax_lib, new_variable_names, _) ->
    50;
largest_integer(io_lib, _, _) ->
    16#10ffff;
largest_integer(Module, _, _)
  when Module =:= io_lib_format; Module =:= io_lib_pretty;
       Module =:= prettypr; Module =:= erl_prettypr; Module =:= erl_pp ->
    300;
largest_integer(_, _, _) ->
    infinity.
