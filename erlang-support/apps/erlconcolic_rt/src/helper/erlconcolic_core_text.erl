%%% Core Erlang as UTF-8 text: positions and file names are annotations, as in
%%% the text of core_pp:format_all/1.
%%%
%%% core_scan cannot read all of it back. core_pp writes the characters 128 to
%%% 159 of an atom as octal escapes, which core_scan reads as bytes of UTF-8.
%%% And it writes the names of variables, in which core_scan skips UTF-8 bytes
%%% that are not letters in Latin-1, so that two names can become one.
-module(erlconcolic_core_text).

-export([print/1, print/2]).

%% Numbers below this can mark the file names to restore.
-define(MARKS, 1 bsl 59).

-type aliases() :: #{file:filename() => {Mark :: pos_integer(),
                                         Number :: non_neg_integer()}}.

%% Our own printer may not know all nodes of a newer compiler.
-spec print(cerl:c_module()) -> binary().
print(Core) ->
    try
        Text = erlconcolic_core_printer:format(Core, fun file_annotation/1),
        iolist_to_binary(Text)
    catch
        error:_ -> print(Core, core_pp)
    end.

%% format_all/1 is not documented. Without it there is only format/1, which
%% writes lines as comments and no files.
-spec print(cerl:c_module(), Printer :: module()) -> binary().
print(Core, Printer) ->
    {module, Printer} = code:ensure_loaded(Printer),
    case erlang:function_exported(Printer, format_all, 1) of
        true -> print_all(Core, Printer);
        false -> unicode:characters_to_binary(Printer:format(Core))
    end.

%% Every node names its file, which core_pp prints slowly. If the name is not
%% Latin-1, core_pp prints a list of numbers, and crashes if that needs more
%% than one line. So for core_pp files are tuples with a number that does not
%% occur in the program.
-spec print_all(cerl:c_module(), module()) -> binary().
print_all(Core, Printer) ->
    Mark = rand:uniform(?MARKS),
    Shorten = fun(Node, Known) -> shorten_files(Node, Known, Mark) end,
    {Short, Aliases} = cerl_trees:mapfold(Shorten, #{}, Core),
    Text = unicode:characters_to_binary(Printer:format_all(Short)),
    maps:fold(fun put_back/3, Text, Aliases).

-spec shorten_files(cerl:cerl(), aliases(), Mark :: pos_integer()) ->
    {cerl:cerl(), aliases()}.
shorten_files(Node, Aliases, Mark) ->
    Shorten = fun(Annotation, Known) -> shorten(Annotation, Known, Mark) end,
    {Short, NewAliases} = lists:mapfoldl(Shorten, Aliases, cerl:get_ann(Node)),
    {cerl:set_ann(Node, Short), NewAliases}.

-spec shorten(term(), aliases(), Mark :: pos_integer()) -> {term(), aliases()}.
shorten({file, Name}, Aliases, _Mark) when is_map_key(Name, Aliases) ->
    {maps:get(Name, Aliases), Aliases};
shorten({file, Name}, Aliases, Mark) ->
    Alias = {Mark, map_size(Aliases)},
    {Alias, Aliases#{Name => Alias}};
shorten(Annotation, Aliases, _Mark) ->
    {Annotation, Aliases}.

-spec put_back(file:filename(), {integer(), integer()}, binary()) -> binary().
put_back(Name, {Mark, Number}, Text) ->
    Alias = io_lib:format("{~b,~b}", [Mark, Number]),
    binary:replace(Text, iolist_to_binary(Alias), file_annotation(Name),
                   [global]).

-spec file_annotation(file:filename()) -> binary().
file_annotation(Name) ->
    iolist_to_binary(["{'file',", written(Name), "}"]).

%% core_scan would read the bytes of other letters as letters, so these names
%% become lists of numbers.
-spec written(file:filename()) -> binary().
written(Name) ->
    case lists:all(fun(Character) -> Character < 128 end, Name) of
        true -> quoted(Name);
        false -> iolist_to_binary(io_lib:write(Name))
    end.

-spec quoted(string()) -> binary().
quoted(String) ->
    unicode:characters_to_binary(io_lib:write_string(String)).
