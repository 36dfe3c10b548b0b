%% Conditions on results of `io_lib:format` for inputs of any size. It keeps its
%% directives in maps.
-module(with_formatted_text).
-export([format_number/1, format_text/1]).

%% A number, as text.
%% finds: error {text,_}
-spec format_number(integer()) -> ok.
format_number(N) ->
    case lists:flatten(io_lib:format("~b%", [N])) of
        "110%" = Text -> error({text, Text});
        _ -> ok
    end.

%% Text inside a text.
%% finds: error {text,_}
-spec format_text([$a..$z]) -> ok.
format_text(Name) ->
    case lists:flatten(io_lib:format("<~s>", [Name])) of
        "<br>" = Text -> error({text, Text});
        _ -> ok
    end.
