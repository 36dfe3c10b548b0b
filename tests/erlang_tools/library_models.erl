%% Compares models of library modules with the modules themselves: every
%% function of every model, on random texts, formats with arguments, tables, or
%% regular expressions.
%% Prints each call that differs. What models have effects for is tested by
%% cases, which also run on the real modules.
-module(library_models).

-export([main/1]).

-define(CALLS, 3000).
-define(WITH_EFFECTS, [error_logger, logger, timer]).

%% Takes sources of models, and folders for the code path.
-spec main([string()]) -> no_return().
main(Paths) ->
    {Folders, Files} = lists:partition(fun filelib:is_dir/1, Paths),
    ok = code:add_pathsa(Folders),
    _ = rand:seed(exsss, {20, 26, 11}),
    ok = load_runtime(hd(Files)),
    Wrong = lists:sum([compare(File) || File <- Files]),
    halt(min(Wrong, 1)).

-spec compare(string()) -> non_neg_integer().
compare(File) ->
    {Real, Model} = load(File),
    {module, Real} = code:ensure_loaded(Real),
    Exported = Model:module_info(exports),
    %% Not every release has all of them.
    Functions = [It || {Name, Arity} = It <- Exported, Name =/= module_info,
                       erlang:function_exported(Real, Name, Arity),
                       not lists:member(Real, ?WITH_EFFECTS),
                       %% These never return the same.
                       Name =/= spawn_request, Name =/= compile_pattern],
    Wrong = [
        io:format("~w:~w(~w)~n", [Real, Name, Arguments])
     || {Name, Arity} <- Functions,
        _ <- lists:seq(1, ?CALLS),
        Arguments <- [prepared(Model, arguments(Real, Name, Arity))],
        differ(result(Real, Name, Arguments), result(Model, Name, Arguments))
    ] ++ not_understood(Real) ++ calls_of_others(File),
    io:format("~w: ~w functions~n", [Real, length(Functions)]),
    length(Wrong).

%% Only a function of a model itself calls the real one by its name. Another
%% function that does so would call the model again.
-spec calls_of_others(string()) -> [ok].
calls_of_others(File) ->
    {ok, Forms} = epp:parse_file(File, []),
    [Real] = [Module || {attribute, _, module, Module} <- Forms],
    Exported = lists:append([It || {attribute, _, export, It} <- Forms]),
    [io:format("~w/~w calls ~w:~w/~w~n", [Caller, Arity, Real, Name, Count])
     || {function, _, Caller, Arity, Clauses} <- Forms,
        {Module, Name, Count} <- calls(Clauses),
        Module =:= Real, {Name, Count} =/= {Caller, Arity},
        lists:member({Name, Count}, Exported)].

-spec calls(term()) -> [{module(), atom(), arity()}].
calls({call, _, {remote, _, {atom, _, Module}, {atom, _, Name}}, Arguments}) ->
    [{Module, Name, length(Arguments)} | calls(Arguments)];
calls(Form) when is_tuple(Form) -> calls(tuple_to_list(Form));
calls([First | Rest]) -> calls(First) ++ calls(Rest);
calls(_) -> [].

%% Loads what models need of the runtime.
-spec load_runtime(string()) -> ok.
load_runtime(Model) ->
    Support = filename:dirname(filename:dirname(Model)),
    Runtime = filename:join([Support, "apps", "erlconcolic_rt", "src",
                             "runtime"]),
    lists:foreach(
      fun(Name) ->
              Source = filename:join(Runtime, atom_to_list(Name) ++ ".erl"),
              {ok, Name, Code} = compile:file(Source, [binary]),
              {module, Name} = code:load_binary(Name, Source, Code)
      end,
      [erlconcolic_decimals, erlconcolic_patterns]).

%% Loads a model under another name.
-spec load(string()) -> {module(), module()}.
load(File) ->
    {ok, Forms} = epp:parse_file(File, []),
    [Real] = [Module || {attribute, _, module, Module} <- Forms],
    Model = list_to_atom(atom_to_list(Real) ++ "_model"),
    Renamed = [rename(Form, Model) || Form <- Forms],
    {ok, Model, Code} = compile:forms(Renamed, []),
    {module, Model} = code:load_binary(Model, File, Code),
    {Real, Model}.

-spec rename(term(), module()) -> term().
rename({attribute, Place, module, _}, Model) ->
    {attribute, Place, module, Model};
rename(Form, _) ->
    Form.

%% What takes too much memory is not compared.
-spec differ(term(), term()) -> boolean().
differ(killed, _) -> false;
differ(_, killed) -> false;
differ(Real, Model) -> Real =/= Model.

%% In a process of its own: a format may want more memory than there is.
-spec result(module(), atom(), [term()]) -> term().
result(io_lib_format = Module, fwrite = Name, Arguments) ->
    limited_result(Module, Name, Arguments);
result(io_lib_format_model = Module, fwrite = Name, Arguments) ->
    limited_result(Module, Name, Arguments);
result(Module, Name, Arguments) ->
    try
        {ok, comparable(apply(Module, Name, Arguments))}
    catch
        Class:Reason -> {Class, Reason}
    end.

%% A compiled pattern may have a reference, each its own, or bytes of which some
%% are never written.
-spec comparable(term()) -> term().
comparable({ok, {re_pattern, Groups, Unicode, Crlf, _}}) ->
    {ok, {re_pattern, Groups, Unicode, Crlf, code}};
comparable(Value) ->
    Value.

%% A model of re understands patterns that it compiled itself.
-spec prepared(module(), [term()]) -> [term()].
prepared(Model, Arguments) ->
    [case Argument of
         {compiled, Pattern, Options} -> compiled(Model, Pattern, Options);
         _ -> Argument
     end || Argument <- Arguments].

-spec compiled(module(), term(), [term()]) -> term().
compiled(Model, Pattern, Options) ->
    case result(re, compile, [Pattern, Options]) of
        {ok, {ok, _}} ->
            {ok, Compiled} = Model:compile(Pattern, Options),
            Compiled;
        _ ->
            invalid
    end.

%% Says so if the model of re leaves most patterns to the real functions: then
%% nothing was compared.
-spec not_understood(module()) -> [ok].
not_understood(re) ->
    Patterns = [hd(random_regex:arguments(compile, 1))
                || _ <- lists:seq(1, ?CALLS)],
    Plans = [erlconcolic_regex:plan(Pattern, []) || Pattern <- Patterns],
    Unknown = length([unknown || unknown <- Plans]),
    [io:format("~w patterns were not understood~n", [Unknown])
     || 2 * Unknown > ?CALLS];
not_understood(_) ->
    [].

-spec limited_result(module(), atom(), [term()]) -> term().
limited_result(Module, Name, Arguments) ->
    Call = fun() ->
               exit({result, try {ok, apply(Module, Name, Arguments)}
                             catch Class:Reason -> {Class, Reason}
                             end})
           end,
    Limit = #{size => 1 bsl 20, kill => true, error_logger => false},
    {_, Monitor} = spawn_opt(Call, [monitor, {max_heap_size, Limit}]),
    receive
        {'DOWN', Monitor, process, _, {result, Result}} -> Result;
        {'DOWN', Monitor, process, _, Reason} -> Reason
    end.

-spec arguments(module(), atom(), 1..4) -> [term()].
arguments(binary, Name, Arity) ->
    [any(It, rand:uniform(12) > 1) || It <- for_binary(Name, Arity)];
arguments(re, Name, Arity) ->
    random_regex:arguments(Name, Arity);
arguments(ets, _, 3) ->
    [case rand:uniform(12) of
         1 -> no_fun;
         _ -> fun(Object, Acc) -> [Object | Acc] end
     end, [], element(rand:uniform(length(tables())), list_to_tuple(tables()))];
arguments('Elixir.String.Unicode', titlecase_once, 2) ->
    [letters(), mode()];
arguments('Elixir.String.Unicode', _, 3) ->
    [letters(), [], mode()];
arguments(erlang, _, Arity) ->
    lists:sublist([number(), float_options()], Arity);
arguments(inet, ntoa, 1) ->
    [any(address(), rand:uniform(12) > 1)];
arguments(inet, _, 1) ->
    [address_text()];
arguments(io_lib_format, fwrite_g, 1) ->
    [float_of(rand:uniform(3))];
arguments(math, _, Arity) ->
    lists:sublist([whole_or_float(), whole_or_float()], Arity);
arguments(unicode, _, Arity) ->
    lists:sublist([text(), encoding(), encoding()], Arity);
arguments(_, _, 1) ->
    [text()];
arguments(_, _, 2) ->
    {Format, Arguments} = lists:unzip([directive() || _ <- lists:seq(1, 3)]),
    [lists:append(Format), lists:append(Arguments)].

%% Tables of all types, and a name that is no table.
-spec tables() -> [ets:table()].
tables() ->
    case get(tables) of
        undefined ->
            Types = [set, ordered_set, bag, duplicate_bag],
            Tables = [no_table | [table(Type, Size) || Type <- Types,
                                                       Size <- [0, 1, 5, 40]]],
            undefined = put(tables, Tables),
            Tables;
        Tables ->
            Tables
    end.

-spec table(ets:table_type(), non_neg_integer()) -> ets:table().
table(Type, Size) ->
    Table = ets:new(table, [Type]),
    true = ets:insert(Table, [{rand:uniform(10), rand:uniform(3)}
                              || _ <- lists:seq(1, Size)]),
    Table.

%% Arguments for functions of binary.
-spec for_binary(atom(), 1..4) -> [term()].
for_binary(list_to_bin, 1) ->
    [[plain(), bytes(3), [plain() | bytes(2)]]];
for_binary(Name, 1) when
    Name =:= longest_common_prefix; Name =:= longest_common_suffix
->
    [[bytes(4) || _ <- lists:seq(1, 1 + rand:uniform(2))]];
for_binary(encode_unsigned, 1) ->
    [rand:uniform(1 bsl (rand:uniform(40) - 1)) - 1];
for_binary(_, 1) ->
    [bytes(5)];
for_binary(Name, 2) when Name =:= part; Name =:= bin_to_list ->
    [bytes(5), {place(), place()}];
for_binary(encode_unsigned, 2) ->
    for_binary(encode_unsigned, 1) ++ [order()];
for_binary(decode_unsigned, 2) ->
    [bytes(5), order()];
for_binary(Name, 2) when Name =:= at; Name =:= copy ->
    [bytes(5), place()];
for_binary(_, 2) ->
    [bytes(8), pattern()];
for_binary(Name, 3) when Name =:= part; Name =:= bin_to_list ->
    [bytes(5), place(), place()];
for_binary(replace, 3) ->
    [bytes(8), pattern(), bytes(3)];
for_binary(_, 3) ->
    [bytes(8), pattern(), options()];
for_binary(replace, 4) ->
    [bytes(8), pattern(), bytes(3), options()].

%% What is looked for in a binary.
-spec pattern() -> term().
pattern() ->
    case rand:uniform(4) of
        4 ->
            Pattern = pattern(),
            try
                binary_model:compile_pattern(Pattern)
            catch
                error:badarg -> Pattern
            end;
        1 -> bytes(2);
        2 -> [<<(lists:nth(rand:uniform(3), "ab,"))>>
              || _ <- lists:seq(1, rand:uniform(3))];
        3 -> [bytes(3) || _ <- lists:seq(1, rand:uniform(4) - 1)]
    end.

-spec bytes(pos_integer()) -> binary().
bytes(Most) ->
    Size = rand:uniform(Most + 1) - 1,
    <<<<(lists:nth(rand:uniform(3), "ab,"))>> || _ <- lists:seq(1, Size)>>.

%% A text of Elixir, in which most letters are plain.
-spec letters() -> binary().
letters() ->
    Size = rand:uniform(5) - 1,
    <<<<(letter())/utf8>> || _ <- lists:seq(1, Size)>>.

-spec letter() -> char().
letter() ->
    case rand:uniform(8) of
        1 -> lists:nth(rand:uniform(4), [16#DF, 16#E9, 16#130, 16#1F600]);
        _ -> plain()
    end.

-spec mode() -> atom().
mode() -> lists:nth(rand:uniform(5), [default, default, default, ascii, greek]).

-spec place() -> integer().
place() -> rand:uniform(8) - 3.

-spec order() -> atom().
order() -> lists:nth(rand:uniform(3), [big, little, strange]).

-spec options() -> [term()].
options() ->
    [option() || _ <- lists:seq(1, rand:uniform(4) - 1)].

-spec option() -> term().
option() ->
    case rand:uniform(20) of
        1 -> strange;
        2 -> {insert_replaced, place()};
        Scope when Scope < 6 -> {scope, {place(), place()}};
        _ -> lists:nth(rand:uniform(4), [global, global, trim, trim_all])
    end.

-spec address() -> tuple().
address() ->
    Size = lists:nth(rand:uniform(10), [4, 4, 4, 8, 8, 8, 8, 8, 3, 9]),
    list_to_tuple([group(Size) || _ <- lists:seq(1, Size)]).

%% A part of an address, often a zero, sometimes too large.
-spec group(pos_integer()) -> integer().
group(4) ->
    lists:nth(rand:uniform(6), [0, 1, 10, 255, 256, rand:uniform(256) - 1]);
group(_) ->
    lists:nth(rand:uniform(6), [0, 0, 0, 1, 16#FFFF, rand:uniform(1 bsl 16)]).

%% The text of an address, often with a change somewhere.
-spec address_text() -> term().
address_text() ->
    case rand:uniform(8) of
        1 -> text();
        2 -> [address_letter() || _ <- lists:seq(1, rand:uniform(12))];
        3 -> changed(mixed_address());
        4 -> changed(lists:join($., numbers(rand:uniform(5))));
        _ -> changed(inet:ntoa(address()))
    end.

%% The last two parts of a long address may be written as a short one.
-spec mixed_address() -> string().
mixed_address() ->
    Before = lists:nth(rand:uniform(4), ["::", "::ffff:", "1:2:3:4:5:6:", "1::"]),
    Before ++ case inet:ntoa(list_to_tuple([group(4) || _ <- "1234"])) of
                  {error, einval} -> "1.2.3.4";
                  Short -> Short
              end.

-spec numbers(pos_integer()) -> [string()].
numbers(Count) ->
    [number_text() || _ <- lists:seq(1, Count)].

-spec number_text() -> string().
number_text() ->
    Number = rand:uniform(1 bsl rand:uniform(33)) - 1,
    case rand:uniform(5) of
        1 -> "0x" ++ integer_to_list(Number, 16);
        2 -> "0" ++ integer_to_list(Number, 8);
        _ -> integer_to_list(Number)
    end.

-spec changed(term()) -> term().
changed({error, einval}) ->
    "::";
changed(Text) ->
    Flat = lists:flatten(Text),
    {Before, After} = lists:split(rand:uniform(length(Flat) + 1) - 1, Flat),
    case rand:uniform(8) of
        1 -> Before ++ [address_letter() | After];
        2 when After =/= [] -> Before ++ tl(After);
        3 when After =/= [] -> Before ++ [address_letter() | tl(After)];
        4 -> Flat ++ "%" ++ Before;
        _ -> Flat
    end.

-spec address_letter() -> char().
address_letter() ->
    lists:nth(rand:uniform(16), "0123459aFx::..%g").

%% Mostly a float with few decimals.
-spec number() -> term().
number() ->
    case rand:uniform(20) of
        1 -> part();
        2 -> lists:nth(rand:uniform(4), [0.0, -0.0, 5.0e-324, 1.0e300]);
        Choice -> float_of(Choice)
    end.

%% Mostly a whole number, often a small one or a power.
-spec whole_or_float() -> term().
whole_or_float() ->
    Whole = case rand:uniform(6) of
                1 -> 1 bsl rand:uniform(60);
                2 -> trunc(math:pow(10, rand:uniform(20)));
                3 -> rand:uniform(1 bsl rand:uniform(80));
                _ -> rand:uniform(40) - 10
            end,
    case rand:uniform(6) of
        1 -> number();
        2 -> float(Whole);
        3 -> float(Whole) + lists:nth(rand:uniform(4), [0.5, -0.25, 1, -1]);
        _ -> Whole
    end.

-spec float_of(pos_integer()) -> float().
float_of(Choice) ->
    Sign = case rand:uniform(4) of 1 -> -1; _ -> 1 end,
    Digits = rand:uniform(17),
    Whole = rand:uniform(trunc(math:pow(10, Digits))) - 1,
    Sign * case Choice of
               1 -> rand:normal() * math:pow(10, rand:uniform(30) - 15);
               2 -> float(Whole);
               3 -> Whole / 2;
               4 -> float(rand:uniform(20) * trunc(math:pow(10, Digits)));
               5 -> rand:uniform(200) / 1000;
               6 -> rand:uniform(5000) / 1024;
               _ -> Whole / (1 bsl (rand:uniform(12) - 1))
           end.

-spec float_options() -> term().
float_options() ->
    Decimals = {decimals, rand:uniform(16) - 2},
    case rand:uniform(10) of
        1 -> [part()];
        2 -> [compact];
        3 -> [{scientific, rand:uniform(24) - 2}];
        4 -> [{scientific, rand:uniform(5) - 1}];
        5 -> [Decimals, compact];
        6 -> [compact, Decimals];
        7 -> [short];
        8 -> [short];
        _ -> [Decimals]
    end.

%% A piece of a format, and mostly a fitting argument.
-spec directive() -> {string(), [term()]}.
directive() ->
    case rand:uniform(16) of
        1 -> {"x", [plain() || _ <- [1], rand:uniform(20) =:= 1]};
        2 -> {[part()], []};
        _ -> directive(lists:nth(rand:uniform(26), "n~~~ccbB+#xXWPwwwppppsssefg"))
    end.

-spec directive(char()) -> {string(), [term()]}.
directive(Letter) ->
    Argument = case rand:uniform(12) of
                   1 -> [part()];
                   _ -> argument_of(Letter)
               end,
    {Field, Before} = field(rand:uniform(8)),
    {"~" ++ Field ++ modifier() ++ [Letter], Before ++ Argument}.

-spec argument_of(char()) -> [term()].
argument_of(Letter) when Letter =:= $n; Letter =:= $~ -> [];
argument_of($c) -> [plain()];
argument_of($s) ->
    [case rand:uniform(4) of
         1 -> lists:nth(rand:uniform(3), [a, 'A b', 'é']);
         _ -> text()
     end];
argument_of(Letter) when Letter =:= $w; Letter =:= $p -> [printed(3)];
argument_of(Letter) when Letter =:= $e; Letter =:= $f; Letter =:= $g ->
    [number()];
argument_of(Letter) when Letter =:= $W; Letter =:= $P ->
    [printed(3), rand:uniform(8) - 2];
argument_of(Letter) when Letter =:= $x; Letter =:= $X ->
    argument_of($b)
        ++ [case rand:uniform(4) of 1 -> prefix; 2 -> part(); _ -> text() end];
argument_of(_) -> [rand:uniform(1 bsl rand:uniform(70)) - 250].

%% The field of a directive, and its arguments.
-spec field(pos_integer()) -> {string(), [integer()]}.
field(1) -> {integer_to_list(rand:uniform(30) - 5), []};
field(2) -> {"*", [rand:uniform(20) - 5]};
field(3) -> {"." ++ integer_to_list(rand:uniform(16)), []};
field(4) ->
    {lists:concat([rand:uniform(14), ".", rand:uniform(12) - 1]), []};
field(5) -> {lists:concat([rand:uniform(10), "..", [plain()]]), []};
field(6) -> {"*.*.0", [rand:uniform(20), rand:uniform(20)]};
field(_) -> {"", []}.

-spec modifier() -> string().
modifier() -> lists:nth(rand:uniform(6), ["", "", "", "t", "l", "tl"]).

%% A term to print.
-spec printed(non_neg_integer()) -> term().
printed(Depth) ->
    case rand:uniform(10) of
        1 when Depth > 0 ->
            list_to_tuple([printed(Depth - 1) || _ <- lists:seq(1, 3)]);
        2 when Depth > 0 ->
            [printed(Depth - 1) || _ <- lists:seq(1, rand:uniform(4))];
        3 when Depth > 0 -> #{printed(0) => printed(Depth - 1)};
        4 -> text();
        5 -> encoded();
        6 -> lists:nth(rand:uniform(4), [a, 'A b', 'é', '']);
        7 -> float_of(rand:uniform(9));
        8 -> lists:duplicate(rand:uniform(90), plain());
        _ -> rand:uniform(1 bsl rand:uniform(70)) - 250
    end.

-spec any(term(), boolean()) -> term().
any(Value, true) -> Value;
any(_, false) -> part().

-spec encoding() -> term().
encoding() ->
    lists:nth(rand:uniform(13), [unicode, unicode, unicode, utf8, utf8, latin1,
                                 latin1, utf16, utf32, {utf16, big},
                                 {utf16, little}, {utf32, little}, strange]).

%% Usually flat and plain, sometimes nested, sometimes invalid.
-spec text() -> term().
text() ->
    case rand:uniform(12) of
        1 -> unicode:characters_to_binary([plain() || _ <- lists:seq(1, 3)]);
        2 -> part();
        3 -> [part() | part()];
        4 -> encoded();
        5 -> [encoded(), part() | encoded()];
        6 -> [plain() | encoded()];
        7 -> [text(), text()];
        _ -> [part() || _ <- lists:seq(1, rand:uniform(5) - 1)]
    end.

%% A text in some encoding, or its beginning, or any bytes.
-spec encoded() -> binary().
encoded() ->
    Characters = [lists:nth(rand:uniform(3), [plain(), latin(), wide()])
                  || _ <- lists:seq(1, rand:uniform(4) - 1)],
    Text = case rand:uniform(6) of
               1 -> <<<<C/utf16>> || C <- Characters>>;
               2 -> <<<<C/utf32-little>> || C <- Characters>>;
               3 -> rand:bytes(rand:uniform(4) - 1);
               _ -> <<<<C/utf8>> || C <- Characters>>
           end,
    case rand:uniform(4) of
        1 -> binary:part(Text, 0, rand:uniform(byte_size(Text) + 1) - 1);
        _ -> Text
    end.

-spec latin() -> char().
latin() -> 127 + rand:uniform(16#300 - 128).

-spec wide() -> char().
wide() ->
    lists:nth(rand:uniform(5), [16#301, 16#200D, 16#1F600, 16#4E00, 16#10FFFF]).

-spec part() -> term().
part() ->
    case rand:uniform(50) of
        11 -> latin();
        12 -> latin();
        13 -> latin();
        14 -> encoded();
        15 -> wide();
        16 -> 1 bsl 70;
        1 -> rand:uniform(16#110100) - 16#80;
        2 -> 16#D7FE + rand:uniform(4);
        3 -> -1;
        4 -> atom;
        5 -> [plain(), plain()];
        6 -> [];
        7 -> <<"bin">>;
        8 -> 97.0;
        9 -> 16#300 + rand:uniform(8);
        10 -> 250 + rand:uniform(10);
        _ -> plain()
    end.

-spec plain() -> byte().
plain() ->
    case rand:uniform(4) of
        1 -> lists:nth(rand:uniform(6), "\r\n \t\v\e");
        2 -> rand:uniform(128) - 1;
        _ -> lists:nth(rand:uniform(8), "aAzZ@[`{")
    end.
