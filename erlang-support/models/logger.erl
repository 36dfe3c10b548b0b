%% What is written to a log changes nothing that a program sees. What behaviours
%% of OTP write depends on their processes, so it is left out.
-module(logger).
-export([allow/2, macro_log/3, macro_log/4, macro_log/5]).

allow(Level, Module) ->
    case lists:member(Module, [gen_event, gen_server, gen_statem, proc_lib, supervisor]) of
        true -> false;
        false -> logger:allow(Level, Module)
    end.

macro_log(_Location, _Level, _Text) -> ok.

macro_log(_Location, _Level, _Text, _Arguments) -> ok.

macro_log(_Location, _Level, _Fun, _Argument, _Metadata) -> ok.
