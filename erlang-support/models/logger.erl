%% What is written to a log changes nothing that a program sees. What behaviours
%% of OTP write depends on their processes, so it is left out.
-module(logger).
-export([allow/2, macro_log/3, macro_log/4, macro_log/5,
         emergency/1, emergency/2, emergency/3, alert/1, alert/2, alert/3,
         critical/1, critical/2, critical/3, error/1, error/2, error/3,
         warning/1, warning/2, warning/3, notice/1, notice/2, notice/3,
         info/1, info/2, info/3, debug/1, debug/2, debug/3,
         log/2, log/3, log/4]).

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

emergency(Text) -> log(emergency, Text).
emergency(Text, Arguments) -> log(emergency, Text, Arguments).
emergency(Text, Arguments, Metadata) -> log(emergency, Text, Arguments, Metadata).

alert(Text) -> log(alert, Text).
alert(Text, Arguments) -> log(alert, Text, Arguments).
alert(Text, Arguments, Metadata) -> log(alert, Text, Arguments, Metadata).

critical(Text) -> log(critical, Text).
critical(Text, Arguments) -> log(critical, Text, Arguments).
critical(Text, Arguments, Metadata) -> log(critical, Text, Arguments, Metadata).

error(Text) -> log(error, Text).
error(Text, Arguments) -> log(error, Text, Arguments).
error(Text, Arguments, Metadata) -> log(error, Text, Arguments, Metadata).

warning(Text) -> log(warning, Text).
warning(Text, Arguments) -> log(warning, Text, Arguments).
warning(Text, Arguments, Metadata) -> log(warning, Text, Arguments, Metadata).

notice(Text) -> log(notice, Text).
notice(Text, Arguments) -> log(notice, Text, Arguments).
notice(Text, Arguments, Metadata) -> log(notice, Text, Arguments, Metadata).

info(Text) -> log(info, Text).
info(Text, Arguments) -> log(info, Text, Arguments).
info(Text, Arguments, Metadata) -> log(info, Text, Arguments, Metadata).

debug(Text) -> log(debug, Text).
debug(Text, Arguments) -> log(debug, Text, Arguments).
debug(Text, Arguments, Metadata) -> log(debug, Text, Arguments, Metadata).
