%% What is written to a log changes nothing that a program sees. What behaviours
%% of OTP write depends on their processes, so it is left out.
-module(logger).
-export([allow/2, macro_log/3, macro_log/4, macro_log/5,
         log/2, log/3, log/4, alert/2, critical/2, emergency/2,
         error/1, error/2, warning/1, warning/2, notice/1, notice/2,
         info/1, info/2, debug/1, debug/2]).

allow(Level, Module) ->
    Behaviours = [gen_event, gen_server, gen_statem, proc_lib, supervisor],
    case lists:member(Module, Behaviours) of
        true -> false;
        false -> logger:allow(Level, Module)
    end.

macro_log(_Location, _Level, _Text) -> ok.

macro_log(Location, Level, Fun, Argument) when is_function(Fun) ->
    logger:macro_log(Location, Level, Fun, Argument);
macro_log(_Location, _Level, _Text, _Arguments) -> ok.

macro_log(Location, Level, Fun, Argument, Metadata) when is_function(Fun) ->
    logger:macro_log(Location, Level, Fun, Argument, Metadata);
macro_log(_Location, _Level, _Text, _Arguments, _Metadata) -> ok.

log(_Level, _Text) -> ok.

%% A fun makes the text, if the level is written.
log(Level, Fun, Argument) when is_function(Fun) ->
    logger:log(Level, Fun, Argument);
log(_Level, _Text, _Arguments) -> ok.

log(Level, Fun, Argument, Metadata) when is_function(Fun) ->
    logger:log(Level, Fun, Argument, Metadata);
log(_Level, _Text, _Arguments, _Metadata) -> ok.

emergency(Text, Arguments) -> log(emergency, Text, Arguments).

alert(Text, Arguments) -> log(alert, Text, Arguments).

critical(Text, Arguments) -> log(critical, Text, Arguments).

error(Text) -> log(error, Text).

error(Text, Arguments) -> log(error, Text, Arguments).

warning(Text) -> log(warning, Text).

warning(Text, Arguments) -> log(warning, Text, Arguments).

notice(Text) -> log(notice, Text).

notice(Text, Arguments) -> log(notice, Text, Arguments).

info(Text) -> log(info, Text).

info(Text, Arguments) -> log(info, Text, Arguments).

debug(Text) -> log(debug, Text).

debug(Text, Arguments) -> log(debug, Text, Arguments).
