%% needs: OTP 27
%% Triple-quoted strings, sigils and documentation in attributes.
-module(strings).
-moduledoc """
Documentation with "quotes", and -spec f() -> that is none.
""".
-moduledoc #{since => "1.0"}.
-export([triple/1, raw/1, bytes/1, binary_text/1, after_text/1]).

-doc """
Has a `%% finds:` that is not a comment.
""".
-doc #{equiv => raw/1}.
%% finds: error bug
-spec triple(string()) -> ok.
triple(S) ->
    Text = """
        two "quoted"
        lines
        """,
    case S of
        "two" when length(Text) =:= 18 -> error(bug);
        _ -> ok
    end.

%% finds: error bug
-spec raw(string()) -> ok.
raw(~S"a\d") -> error(bug);
raw(_) -> ok.

%% finds: error bug
-spec bytes(binary()) -> ok.
bytes(~B(\n)) -> error(bug);
bytes(_) -> ok.

%% finds: error bug
-spec binary_text(binary()) -> ok.
binary_text(~"häh") -> error(bug);
binary_text(_) -> ok.

-doc false.
%% finds: error {badmatch,_}
-spec after_text(integer()) -> ok.
after_text(N) ->
    _ = ~s|a % "|,
    _ = ~"""
    % 'open
    """,
    {N, ok} = {N, pick(N)},
    ok.

pick(77777) -> not_ok;
pick(_) -> ok.
