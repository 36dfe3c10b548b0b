%%% Core Erlang as text in UTF-8, as core_pp:format_all/1 prints it but for the
%%% layout: positions and file names are annotations.
%%%
%%% core_scan cannot read back all of it. core_pp writes the characters 128 to
%%% 159 of an atom as octal escapes, which core_scan takes for bytes of UTF-8;
%%% and it writes variables by their names, where core_scan skips the bytes of
%%% UTF-8 that are not letters in Latin-1, so that two names can become one.
-module(erlconcolic_core_text).

-export([print/1, print/2]).

-type aliases() :: #{file:filename() => Alias :: string()}.

-spec print(cerl:c_module()) -> binary().
print(Core) ->
    print(Core, core_pp).

%% Every node names its file, and core_pp is slow at that. If the name is not
%% Latin-1, it prints a list of numbers, and crashes if that takes more than
%% one line. So files have short names while core_pp prints. It puts nothing
%% else in double quotes.
-spec print(cerl:c_module(), Printer :: module()) -> binary().
print(Core, Printer) ->
    {Short, Aliases} = cerl_trees:mapfold(fun shorten_files/2, #{}, Core),
    maps:fold(fun put_back/3, format(Short, Printer), Aliases).

-spec shorten_files(cerl:cerl(), aliases()) -> {cerl:cerl(), aliases()}.
shorten_files(Node, Aliases) ->
    Annotations = cerl:get_ann(Node),
    {Short, NewAliases} = lists:mapfoldl(fun shorten/2, Aliases, Annotations),
    {cerl:set_ann(Node, Short), NewAliases}.

-spec shorten(term(), aliases()) -> {term(), aliases()}.
shorten({file, Name}, Aliases) when is_map_key(Name, Aliases) ->
    {{file, maps:get(Name, Aliases)}, Aliases};
shorten({file, Name}, Aliases) ->
    Alias = "<" ++ integer_to_list(map_size(Aliases)) ++ ">",
    {{file, Alias}, Aliases#{Name => Alias}};
shorten(Annotation, Aliases) ->
    {Annotation, Aliases}.

%% format_all/1 is not documented. Without it there is only format/1, which
%% has lines as comments.
-spec format(cerl:c_module(), module()) -> binary().
format(Core, Printer) ->
    {module, Printer} = code:ensure_loaded(Printer),
    Text = case erlang:function_exported(Printer, format_all, 1) of
               true -> Printer:format_all(Core);
               false -> Printer:format(Core)
           end,
    unicode:characters_to_binary(Text).

-spec put_back(file:filename(), string(), binary()) -> binary().
put_back(Name, Alias, Text) ->
    binary:replace(Text, quoted(Alias), written(Name), [global]).

%% core_scan would take the bytes of other letters for letters. A list of
%% numbers is what it is for everybody.
-spec written(file:filename()) -> binary().
written(Name) ->
    case lists:all(fun(Character) -> Character < 128 end, Name) of
        true -> quoted(Name);
        false -> iolist_to_binary(io_lib:write(Name))
    end.

-spec quoted(string()) -> binary().
quoted(String) ->
    unicode:characters_to_binary(io_lib:write_string(String)).
