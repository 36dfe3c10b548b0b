%% Random texts that follow a grammar: Erlang expressions and forms, URIs,
%% times, format strings with their data, XML. Functions that read such text
%% would reject plain random strings at the first character.
-module(random_source).

-export([expression/0, form/0, text/0, tokens/0, tokens/1]).
-export([abstract_expression/0, abstract_form/0, uri/0, query/0, rfc3339/0]).
-export([format/0, fread/0, xml/0]).

-import(random_terms, [pick/1, weighted/1, between/2, list_of/3, chance/1]).

-define(DEPTH, 3).

%% One expression, without an end.
-spec expression() -> string().
expression() ->
    lists:flatten(expression(?DEPTH)).

-spec expression(integer()) -> iolist().
expression(Depth) when Depth =< 0 ->
    leaf();
expression(Depth) ->
    Inner = fun() -> expression(Depth - 1) end,
    weighted(
      [{4, fun leaf/0},
       {4, fun() -> operation(Inner) end},
       {3, fun() -> constructor(Inner) end},
       {3, fun() -> call(Inner) end},
       {2, fun() -> block(Depth, Inner) end},
       {1, fun() -> comprehension(Inner) end}]).

-spec leaf() -> iolist().
leaf() ->
    pick(["a", "b", "X", "Y", "_", "_Z", "0", "1", "42", "16#fF", "1_000",
          "3.14", "1.0e-3", "$a", "$\\n", "\"abc\"", "\"\"", "\"a\" \"b\"",
          "'A b'", "[]", "{}", "<<>>", "<<\"xy\">>", "#{}", "true", "f()",
          "fun f/1", "fun lists:map/2", "#r{}", "#r.a", "ok"]).

-spec operation(fun(() -> iolist())) -> iolist().
operation(Inner) ->
    weighted(
      [{4, fun() ->
                   Operator = pick(["+", "-", "*", "/", "div", "rem", "++",
                                    "--", "==", "=:=", "/=", "<", "=<",
                                    "andalso", "orelse", "and", "xor", ">=",
                                    "bsl", "band", "=", "!", ">", "=/="]),
                   ["(", Inner(), " ", Operator, " ", Inner(), ")"]
           end},
       {1, fun() -> [pick(["-", "+", "not ", "bnot "]), leaf()] end},
       {1, fun() -> ["(catch ", Inner(), ")"] end}]).

-spec constructor(fun(() -> iolist())) -> iolist().
constructor(Inner) ->
    weighted(
      [{2, fun() -> ["{", comma(Inner), "}"] end},
       {2, fun() -> ["[", comma(Inner), "]"] end},
       {1, fun() -> ["[", Inner(), " | ", Inner(), "]"] end},
       {1, fun() -> ["#{", Inner(), " => ", Inner(), "}"] end},
       {1, fun() -> ["M#{a := ", Inner(), "}"] end},
       {1, fun() -> ["#r{a = ", Inner(), "}"] end},
       {1, fun() -> ["X#r{b = ", Inner(), "}"] end},
       {1, fun() -> ["<<", segment(), ", ", segment(), ">>"] end}]).

-spec segment() -> iolist().
segment() ->
    [pick(["1", "X", "\"ab\"", "(f())"]),
     pick(["", ":8", ":N", ":(1 + 2)"]),
     pick(["", "", "/little", "/binary", "/float", "/utf8",
           "/integer-signed-unit:4"])].

-spec call(fun(() -> iolist())) -> iolist().
call(Inner) ->
    [pick(["f", "g", "lists:map", "M:F", "X", "fun(Z) -> Z end", "length"]),
     "(", comma(Inner), ")"].

-spec block(integer(), fun(() -> iolist())) -> iolist().
block(Depth, Inner) ->
    weighted(
      [{2, fun() -> ["case ", Inner(), " of ", clauses(Depth), " end"] end},
       {1, fun() -> ["begin ", Inner(), ", ", Inner(), " end"] end},
       {1, fun() -> ["if ", guard(), " -> ", Inner(), " end"] end},
       {1, fun() -> ["fun(", leaf(), ") -> ", Inner(), " end"] end},
       {1, fun() -> ["fun F(", leaf(), ") when ", guard(), " -> ", Inner(),
                     "; F(_) -> ok end"] end},
       {1, fun() -> ["try ", Inner(), " catch ", pick(["", "error:", "_:"]),
                     "E", pick(["", ":S"]), " -> ", Inner(), " after ok end"]
           end},
       {1, fun() -> ["receive ", clauses(Depth), " after 0 -> ok end"] end}]).

-spec clauses(integer()) -> iolist().
clauses(Depth) ->
    Clause = fun() ->
                     [leaf(), pick(["", " when " ++ guard()]), " -> ",
                      expression(Depth - 1)]
             end,
    lists:join("; ", list_of(1, 3, Clause)).

-spec guard() -> string().
guard() ->
    pick(["true", "X > 0", "is_atom(X), Y", "X =:= a; not Y",
          "X andalso length(Y) == 1"]).

-spec comprehension(fun(() -> iolist())) -> iolist().
comprehension(Inner) ->
    pick([["[", Inner(), " || X <- ", Inner(), ", X > 1]"],
          ["<< <<X>> || <<X>> <= ", Inner(), ">>"],
          ["[X || {X, _} <- ", Inner(), ", Y <- X]"]]).

-spec comma(fun(() -> iolist())) -> iolist().
comma(Inner) ->
    lists:join(", ", list_of(0, 3, Inner)).

%% One form, with its full stop.
-spec form() -> string().
form() ->
    lists:flatten(weighted([{6, fun function/0}, {4, fun attribute/0}])).

-spec function() -> iolist().
function() ->
    Clause = fun() ->
                     ["f(", leaf(), ")", pick(["", " when " ++ guard()]),
                      " -> ", lists:join(", ", list_of(1, 3, fun() ->
                          expression(2) end))]
             end,
    [lists:join(";\n", list_of(1, 3, Clause)), ".\n"].

-spec attribute() -> iolist().
attribute() ->
    weighted(
      [{1, fun() -> pick(["-module(m).\n", "-export([f/1, g/0]).\n",
                          "-export_type([t/1]).\n", "-import(lists, [map/2])."
                          "\n", "-author(\"x\").\n", "-vsn({1, \"a\"}).\n",
                          "-compile([export_all]).\n",
                          "-file(\"m.erl\", 3).\n",
                          "-callback c(integer()) -> ok.\n",
                          "-record(r, {a, b = 1 :: integer(), c :: t(_)}).\n"])
           end},
       {1, fun() -> ["-type t(A) :: ", type(2), " | A.\n"] end},
       {1, fun() -> ["-spec f(", type(1), ") -> ", type(2),
                     pick(["", " when A :: atom()"]), ".\n"] end}]).

-spec type(integer()) -> iolist().
type(Depth) when Depth =< 0 ->
    pick(["integer()", "atom()", "a", "1..5", "m:t()", "t(A)", "[]", "A",
          "binary()", "<<_:8, _:_*4>>", "#r{}", "-1"]);
type(Depth) ->
    Inner = type(Depth - 1),
    pick([type(0), ["[", Inner, "]"], ["{a, ", Inner, "}"],
          ["fun((", Inner, ") -> ok)"], ["X :: ", Inner],
          ["#{a := ", Inner, "}"],
          [Inner, " | ", type(0)], ["[", Inner, ", ...]"],
          ["#r{a :: ", Inner, "}"], "fun()", "fun((...) -> a)"]).

%% Erlang text of any kind, complete or cut off, with spaces and comments.
-spec text() -> string().
text() ->
    weighted(
      [{4, fun form/0},
       {4, fun() -> expression() ++ pick(["", ".", ". ", ".\n", " %c"]) end},
       {2, fun() -> broken(form()) end},
       {2, fun() -> lists:append(list_of(0, 6, fun scrap/0)) end},
       {1, fun random_terms:string/0}]).

-spec broken(string()) -> string().
broken(Text) ->
    lists:sublist(Text, rand:uniform(max(1, length(Text)))).

-spec scrap() -> string().
scrap() ->
    pick(["a", "X1", " ", "\n", "% c\n", "...", ". ", "->", ":=", "=>", "<<",
          ">>", "#", "?", "??", "1", "2#101", "37#1", "1.5e10", "1.5e999",
          "1__0", "$\\x{41}", "$\\^A", "$", "\"a\\tb\"", "\"a\nb\"", "'q'",
          "'", "\"", "when", "end", "\x{e9}", "\x{3b1}", "\\", "`", "\t",
          "\"\\x{110000}\"", "\"\\400\"", "==", "=/=", "||", "..", ".a", ">=",
          "=:", "=/", "\n   ", "\n\t\t", "\n\r", "\n\f", "     ", "\t\t",
          "$\\12 ", "\"\\x41\\^b\\\n\"", "$\n", ".%", "1.5e+3", "1.5E-2", "?=",
          "^", "$\\x4", "$\\^", "1.", "1.5e", "16#", "'a\\", "\"\\7\""]).

-spec tokens() -> erl_scan:tokens().
tokens() ->
    tokens(pick([form, expression])).

-spec tokens(form | expression) -> erl_scan:tokens().
tokens(Kind) ->
    Text = case Kind of
               form -> form();
               expression -> expression() ++ "."
           end,
    Start = pick([1, {1, 1}]),
    Options = pick([[], [], [], [], [], [], [text], [return]]),
    {ok, Tokens, _} = erl_scan:string(Text, Start, Options),
    case chance(15) of
        true -> lists:droplast(Tokens);
        false -> Tokens
    end.

-spec abstract_expression() -> erl_parse:abstract_expr().
abstract_expression() ->
    {ok, Tokens, _} = erl_scan:string(expression() ++ "."),
    case erl_parse:parse_exprs(Tokens) of
        {ok, [Expression | _]} -> Expression;
        {error, _} -> {atom, 1, a}
    end.

-spec abstract_form() -> erl_parse:abstract_form().
abstract_form() ->
    {ok, Tokens, _} = erl_scan:string(form()),
    case erl_parse:parse_form(Tokens) of
        {ok, Form} -> Form;
        {error, _} -> {eof, 1}
    end.

-spec uri() -> string().
uri() ->
    lists:append(
      [pick(["http:", "HTTPS:", "ftp:", "sftp:", "ssh:", "tftp:", "urn:",
             "foo:", "a+b-c.1:", "", "", ""]),
       pick(["", "//" ++ authority(), "//" ++ authority()]),
       lists:append(list_of(0, 4, fun path_segment/0)),
       pick(["", "", "?" ++ query()]),
       pick(["", "", "#top", "#%41", "#a?b/"]),
       pick(["", "", "", "", "", "%zz", " ", "\x{e9}", "["])]).

-spec authority() -> string().
authority() ->
    pick(["", "", "", "user@", "u:p@", "%40@"])
        ++ pick(["", "example.com", "EXAMPLE.com", "127.0.0.1", "[::1]",
                 "[::127.0.0.1]", "a%2Fb", "h"])
        ++ pick(["", "", "", ":80", ":443", ":22", ":69", ":", ":x"]).

-spec path_segment() -> string().
path_segment() ->
    pick(["/", "/a", "/b", "/.", "/..", "/a%20b", "/%7e", "/c;d=1", "a", "..",
          "/:@", "/%e5%90%88"]).

-spec query() -> string().
query() ->
    Pair = fun() -> pick(["a", "b c", "k%20", "x+y", ""])
                        ++ pick(["=1", "=", "", "=%C3%B6", "=%26#1234;"])
           end,
    lists:append(lists:join(pick(["&", ";"]), list_of(0, 3, Pair))).

-spec rfc3339() -> string().
rfc3339() ->
    Numbers = [pick([1970, 2000, between(1900, 2100)]), between(1, 12),
               between(1, 29), between(0, 23), between(0, 59), between(0, 59)],
    lists:flatten(
      io_lib:format("~4..0b-~2..0b-~2..0bT~2..0b:~2..0b:~2..0b", Numbers)
      ++ pick(["", "", ".1", ".123456", ".000000001"])
      ++ pick(["Z", "Z", "+01:00", "-23:59", "", "z"])).

%% A format string of `io' and data for it; sometimes they do not match.
-spec format() -> {string(), [term()]}.
format() ->
    Parts = list_of(0, 4, fun format_part/0),
    Data = lists:append([Values || {_, Values} <- Parts]),
    {lists:append([Text || {Text, _} <- Parts]),
     pick([Data, Data, Data, Data, Data, Data, Data, [a | Data]])}.

-spec format_part() -> {string(), [term()]}.
format_part() ->
    weighted(
      [{3, fun() -> {random_terms:string() -- "~~~~~~~~~~", []} end},
       {2, fun() -> {pick(["~n", "~~", "~2n"]), []} end},
       {4, fun() -> {directive(pick(["w", "p"])), [random_terms:any(2)]} end},
       {1, fun() -> {directive(pick(["W", "P"])),
                     [random_terms:any(), between(0, 6)]} end},
       {3, fun() -> {directive("s"), [pick([random_terms:string(), "abc", abc,
                                            <<"abc">>, ["a", $b]])]} end},
       {1, fun() -> {directive("c"), [pick([$a, $b, 10, 300])]} end},
       {2, fun() -> {directive(pick(["b", "B", "x", "X", "+", "#"])),
                     arguments_of_base()} end},
       {2, fun() -> {directive(pick(["e", "f", "g"])),
                     [random_terms:float()]} end},
       {1, fun() -> {"~i", [random_terms:leaf()]} end},
       {1, fun() -> {"~*c", [between(0, 5), $x]} end}]).

-spec directive(string()) -> string().
directive(Control) ->
    "~" ++ pick(["", "", "", "10", "-8", "3", "0"])
        ++ pick(["", "", "", ".3", ".20", "..0", ".2.*" -- "*", ".10._"])
        ++ pick(["", "", "t", "l"]) ++ Control.

-spec arguments_of_base() -> [term()].
arguments_of_base() ->
    [random_terms:integer() | pick([[], [], ["0x"]])].

%% A format of `io_lib:fread' and text for it.
-spec fread() -> {string(), string()}.
fread() ->
    Parts = list_of(0, 4, fun fread_part/0),
    {lists:append([Format || {Format, _} <- Parts]),
     lists:append([Text || {_, Text} <- Parts])}.

-spec fread_part() -> {string(), string()}.
fread_part() ->
    pick([{"~d", pick(["12", " -7", "+3", "x"])},
          {"~u", pick(["12", "0", "-1"])},
          {"~f", pick(["1.5", "-2.0e3", "1"])},
          {"~a", pick(["abc ", "b c"])},
          {"~s", pick(["abc ", " x", ""])},
          {"~3s", "abcd"},
          {"~c", pick(["a", "\n", ""])},
          {"~2c", "ab"},
          {"~16u", pick(["ff ", "1g"])},
          {"~#", pick(["16#ff ", "2#102", "5"])},
          {"~-", pick(["-", "+", ""])},
          {"~*d", "42 "},
          {"~l", ""},
          {"~~", pick(["~", "a"])},
          {" ", pick([" ", "\n\t", ""])},
          {"ab", pick(["ab", "ac"])},
          {"~", ""}]).

-spec xml() -> string().
xml() ->
    pick(["", "<?xml version=\"1.0\"?>", "<!-- c -->"])
        ++ element(?DEPTH)
        ++ pick(["", "", "", "\n", "\n", "\n", "<", "</a>"]).

-spec element(integer()) -> string().
element(Depth) when Depth =< 0 ->
    pick(["text", "&amp;", "&#65;", "<![CDATA[<x>]]>", "<b/>", " ", ""]);
element(Depth) ->
    Name = pick(["a", "b", "n:c"]),
    Attributes = pick(["", "", " x=\"1\"", " x='a&lt;'", " xmlns:n=\"u\""]),
    Content = lists:append(list_of(0, 3, fun() -> element(Depth - 1) end)),
    "<" ++ Name ++ Attributes ++ ">" ++ Content ++ "</" ++ Name ++ ">".
