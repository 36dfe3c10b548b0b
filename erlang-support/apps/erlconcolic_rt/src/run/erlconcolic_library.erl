%%% The code that a program may call besides its own and that of OTP: what is on
%%% the code path of this node, as it travels to other machines.
-module(erlconcolic_library).

-export([copy/0, use/1]).

-export_type([copy/0, place/0]).

-type file() :: {Name :: binary(), Content :: binary()}.

%% The files of each folder. Those in `first' come before OTP's on the path.
-type copy() ::
    #{first := [[file()]], last := [[file()]], elixir := boolean()}.

%% The same, when the files are in folders of this machine.
-type place() ::
    #{first := [binary()], last := [binary()], elixir := boolean()}.

-spec copy() -> copy().
copy() ->
    {First, Rest} = lists:splitwith(fun is_other/1, code:get_path()),
    Last = lists:filter(fun is_other/1, Rest),
    #{first => folders(First), last => folders(Last),
      elixir => erlconcolic_elixir_node:is_wanted()}.

-spec use(place()) -> ok.
use(#{first := First, last := Last, elixir := Elixir}) ->
    ok = code:add_pathsa(lists:reverse(paths(First))),
    ok = code:add_pathsz(paths(Last)),
    case Elixir of
        true -> erlconcolic_elixir_node:want();
        false -> ok
    end.

-spec paths([binary()]) -> [file:filename()].
paths(Folders) ->
    [unicode:characters_to_list(Folder) || Folder <- Folders].

-spec is_other(file:filename()) -> boolean().
is_other(Folder) ->
    not lists:prefix(code:root_dir(), filename:absname(Folder)).

-spec folders([file:filename()]) -> [[file()]].
folders(Folders) ->
    [Files || Folder <- Folders,
              Files <- [files(Folder)],
              Files =/= []].

-spec files(file:filename()) -> [file()].
files(Folder) ->
    case file:list_dir(Folder) of
        {ok, Names} ->
            [{unicode:characters_to_binary(Name), Content}
             || Name <- lists:sort(Names),
                lists:member(filename:extension(Name), [".beam", ".app"]),
                {ok, Content} <- [file:read_file(filename:join(Folder, Name))]];
        {error, _} ->
            []
    end.
