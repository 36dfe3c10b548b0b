%%% The plugins that the `rebar.config' of a folder names.
-module(erlconcolic_rebar_plugins).

-export([read/2]).

-export_type([answer/0]).

%% Where the list of plugins is; line 0 if a script made it.
-type entry() ::
    #{key := plugins | project_plugins, line := non_neg_integer(),
      plugins := [Source :: binary()]}.

%% Where rebar3 gets the plugin from: `here' is a folder of this project,
%% `elsewhere' a repository.
-type place() :: not_named | not_found | here | elsewhere.

-type answer() ::
    #{entries := [entry()], place := place(),
      warnings := [erlconcolic_message:message()]}.

%% In these folders rebar3 finds plugins without a network.
-define(FOLDERS, ["_checkouts", "_plugins", "_build/default/plugins",
                  "_build/default/checkouts"]).

%% What rebar3 knows about a plugin; none without a rebar.config.
-spec read(Folder :: binary(), Plugin :: module()) -> answer() | none.
read(Path, Plugin) ->
    Folder = unicode:characters_to_list(Path),
    case erlconcolic_rebar_config:exists(Folder) of
        true -> found(Folder, Plugin);
        false -> none
    end.

-spec found(file:filename(), module()) -> answer().
found(Folder, Plugin) ->
    {Terms, Warnings} = erlconcolic_rebar_config:terms(Folder),
    Lists = [{Key, List} || {Key, List} <- Terms, is_key(Key), is_list(List)],
    #{entries => entries(Lists, erlconcolic_rebar_config:lines(Folder)),
      place => place(lists:append([List || {_, List} <- Lists]), Plugin,
                     folders(Folder, Plugin, Terms)),
      warnings => Warnings}.

-spec is_key(term()) -> boolean().
is_key(plugins) -> true;
is_key(project_plugins) -> true;
is_key(_) -> false.

%% The n-th entry with a key is in the n-th line of that key.
-spec entries([{atom(), [term()]}], [{atom(), pos_integer()}]) -> [entry()].
entries([], _Lines) ->
    [];
entries([{Key, List} | Lists], Lines) ->
    {Line, Rest} = case lists:keytake(Key, 1, Lines) of
                       {value, {Key, Number}, Others} -> {Number, Others};
                       false -> {0, Lines}
                   end,
    Texts = [unicode:characters_to_binary(io_lib:format("~0tp", [Plugin]))
             || Plugin <- List],
    [#{key => Key, line => Line, plugins => Texts} | entries(Lists, Rest)].

%% A plugin is a name, or a tuple that starts with it.
-spec name(term()) -> term().
name(Plugin) when is_tuple(Plugin), tuple_size(Plugin) > 0 ->
    element(1, Plugin);
name(Plugin) ->
    Plugin.

-spec place([term()], module(), [file:filename()]) -> place().
place(Plugins, Plugin, Folders) ->
    Known = lists:any(fun filelib:is_dir/1, Folders),
    case [Named || Named <- Plugins, name(Named) =:= Plugin] of
        [] -> not_named;
        _ when Known -> here;
        Named ->
            case lists:any(fun has_source/1, Named) of
                true -> elsewhere;
                false -> not_found
            end
    end.

%% `{Name, {git, ...}}' and the like. A name with a version is from Hex.
-spec has_source(term()) -> boolean().
has_source(Plugin) when is_tuple(Plugin) ->
    lists:any(fun is_tuple/1, tuple_to_list(Plugin));
has_source(_Name) ->
    false.

%% `project_plugin_dirs' may have wildcards.
-spec folders(file:filename(), module(), [term()]) -> [file:filename()].
folders(Folder, Plugin, Terms) ->
    Name = atom_to_list(Plugin),
    Given = [filename:join(Folder, Found)
             || {project_plugin_dirs, Patterns} <- Terms,
                is_list(Patterns), Pattern <- Patterns,
                io_lib:printable_unicode_list(Pattern),
                Found <- filelib:wildcard(Pattern, Folder),
                filename:basename(Found) =:= Name],
    [filename:join([Folder, Place, Name]) || Place <- ?FOLDERS] ++ Given.
