%% Compares models of library modules with the modules themselves: every
%% function of every model, on random texts, formats with arguments, tables, or
%% regular expressions.
%% Prints each call that differs. What models have effects for is tested by
%% cases, which also run on the real modules.
-module(library_models).

-export([main/1]).

-define(CALLS, 3000).
-define(WITH_EFFECTS, [erlang, error_logger, logger, timer]).

%% Takes sources of models, and folders for the code path.
-spec main([string()]) -> no_return().
main(Paths) ->
    {Folders, Files} = lists:partition(fun filelib:is_dir/1, Paths),
    ok = code:add_pathsa(Folders),
    _ = rand:seed(exsss, {20, 26, 11}),
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
                       not lists:member(Real, ?WITH_EFFECTS)],
    Wrong = [
        io:format("~w:~w(~w)~n", [Real, Name, Arguments])
     || {Name, Arity} <- Functions,
        _ <- lists:seq(1, ?CALLS),
        Arguments <- [prepared(Model, arguments(Real, Name, Arity))],
        result(Real, Name, Arguments) =/= result(Model, Name, Arguments)
    ] ++ not_understood(Real),
    io:format("~w: ~w functions~n", [Real, length(Functions)]),
    length(Wrong).

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

-spec result(module(), atom(), [term()]) -> term().
result(Module, Name, Arguments) ->
    try
        {ok, comparable(apply(Module, Name, Arguments))}
    catch
        Class:Reason -> {Class, Reason}
    end.

%% A compiled pattern may have a reference, each its own.
-spec comparable(term()) -> term().
comparable({ok, {re_pattern, Groups, Unicode, Crlf, Code}})
  when is_reference(Code) ->
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
     || 3 * Unknown > ?CALLS];
not_understood(_) ->
    [].

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
    [bytes(8), bytes(2)];
for_binary(Name, 3) when Name =:= part; Name =:= bin_to_list ->
    [bytes(5), place(), place()];
for_binary(replace, 3) ->
    [bytes(8), bytes(2), bytes(3)];
for_binary(_, 3) ->
    [bytes(8), bytes(2), options()];
for_binary(replace, 4) ->
    [bytes(8), bytes(2), bytes(3), options()].

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
    lists:nth(rand:uniform(5), [[], [], [global], [trim_all], [strange]]).

%% A piece of a format, and mostly a fitting argument.
-spec directive() -> {string(), [term()]}.
directive() ->
    Plain = rand:uniform(4) > 1,
    case rand:uniform(12) of
        1 -> {"~n", []};
        2 -> {"~~", []};
        3 -> {"~c", [plain()]};
        4 -> {"~b", [any(rand:uniform(500) - 250, Plain)]};
        5 -> {"~w", [any(rand:uniform(500) - 250, Plain)]};
        6 -> {"~tp", [any(rand:uniform(1 bsl 70), Plain)]};
        7 -> {"~s", [any(text(), Plain)]};
        8 -> {"~ts", [any(text(), Plain)]};
        9 -> {"~s", [lists:nth(rand:uniform(3), [a, 'A b', 'é'])]};
        10 -> {"~4..0b", [rand:uniform(200)]};
        11 -> {"x", [plain() || _ <- [1], rand:uniform(20) =:= 1]};
        12 -> {[part()], []}
    end.

-spec any(term(), boolean()) -> term().
any(Value, true) -> Value;
any(_, false) -> part().

%% Usually flat and plain, sometimes nested, sometimes invalid.
-spec text() -> term().
text() ->
    case rand:uniform(12) of
        1 -> unicode:characters_to_binary([plain() || _ <- lists:seq(1, 3)]);
        2 -> part();
        3 -> [part() | part()];
        _ -> [part() || _ <- lists:seq(1, rand:uniform(5) - 1)]
    end.

-spec part() -> term().
part() ->
    case rand:uniform(40) of
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
