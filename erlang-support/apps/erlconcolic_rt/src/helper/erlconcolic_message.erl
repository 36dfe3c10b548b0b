%%% Messages of the compiler, or of this application, about a file: a severity,
%%% a path, a line and a column (0 if unknown) and a text that does not repeat
%%% the position. Paths and texts are UTF-8.
-module(erlconcolic_message).

-export([new/3, from_compiler/2, from_result/2, internal_error/2]).

-export_type([message/0, severity/0, compiled/0]).

-type severity() :: error | warning.
-type message() ::
    {severity(), Path :: binary(), Line :: non_neg_integer(),
     Column :: non_neg_integer(), Text :: binary()}.

%% The result of the compiler, with its messages in our format.
-type compiled() ::
    {ok, module(), Code :: term(), Warnings :: [message()]}
  | {error, [message()]}.

%% About a file as a whole.
-spec new(severity(), unicode:chardata(), unicode:chardata()) -> message().
new(Severity, Path, Text) ->
    {Severity, to_utf8(Path), 0, 0, to_utf8(Text)}.

%% From the errors or warnings that the compiler returns.
-spec from_compiler(severity(), [{file:filename(), [term()]}]) -> [message()].
from_compiler(Severity, Files) ->
    [error_info(Severity, Path, Info) || {Path, Infos} <- Files,
                                         Info <- Infos].

%% From the result of the compiler with the options `binary' and `return'.
-spec from_result(file:filename(), term()) -> compiled().
from_result(_File, {ok, Module, Code, Warnings}) ->
    {ok, Module, Code, from_compiler(warning, Warnings)};
from_result(File, {error, [], Warnings}) ->
    {error, [new(error, File, "warnings being treated as errors")
             | from_compiler(warning, Warnings)]};
from_result(_File, {error, Errors, Warnings}) ->
    {error, from_compiler(error, Errors) ++ from_compiler(warning, Warnings)};
from_result(File, _Crash) ->
    {error, [new(error, File, "the compiler crashed")]}.

%% A bug in this application.
-spec internal_error(unicode:chardata(), unicode:chardata()) -> message().
internal_error(Path, Text) ->
    new(error, Path, ["internal error: ", Text]).

-spec error_info(severity(), unicode:chardata(), term()) -> message().
error_info(Severity, Path, {Location, Module, Description}) ->
    {Line, Column} = line_and_column(Location),
    Text = describe(Module, Description),
    {Severity, to_utf8(Path), Line, Column, Text};
error_info(Severity, Path, Other) ->
    new(Severity, Path, io_lib:format("~tp", [Other])).

-spec line_and_column(term()) -> {non_neg_integer(), non_neg_integer()}.
line_and_column({Line, Column}) when is_integer(Line), is_integer(Column) ->
    {Line, Column};
line_and_column(Line) when is_integer(Line) ->
    {Line, 0};
line_and_column(_) ->
    {0, 0}.

%% Parse transforms may report any term, so this may not be a text.
-spec describe(module(), term()) -> binary().
describe(Module, Description) ->
    try
        to_utf8(Module:format_error(Description))
    catch
        _:_ -> to_utf8(io_lib:format("~tp", [Description]))
    end.

-spec to_utf8(unicode:chardata()) -> binary().
to_utf8(Text) ->
    case unicode:characters_to_binary(Text) of
        Utf8 when is_binary(Utf8) -> Utf8;
        _NotText -> to_utf8(io_lib:format("~tp", [Text]))
    end.
