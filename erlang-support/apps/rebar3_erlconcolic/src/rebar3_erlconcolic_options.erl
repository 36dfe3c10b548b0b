%%% The options of `rebar3 concolic': those of `erlconcolic explore' and some
%%% of its own, from the command line and from `{erlconcolic, [...]}' in
%%% `rebar.config'.
-module(rebar3_erlconcolic_options).

-export([all/0, for_command_line/0, gather/2, word/1]).

-export_type([options/0, kind/0, name/0]).

-type name() :: atom().

%% What an option is given: nothing, one value, or one for each time.
-type kind() ::
    flag | count | text | {choice, [atom()]} | function | texts | functions.

-type value() :: true | string() | [string()].

%% Values are texts, as on the command line of the binary.
-type options() :: #{name() => value()}.

-type getopt() ::
    {name(), undefined, string(), undefined | atom(), string()}.

%% Options of which one on the command line replaces all in rebar.config.
-define(TOGETHER,
        [[entry, module, all, app, args, pre, post], [quiet, verbose]]).

%% Keys that one may expect, and where they belong.
-define(ELSEWHERE,
        #{include => "erl_opts", includes => "erl_opts",
          define => "erl_opts", defines => "erl_opts", d => "erl_opts",
          i => "erl_opts"}).

-spec all() -> [{name(), kind(), Help :: string()}].
all() ->
    [{entry, functions, "A function to explore, mod:fun/arity; may be given "
                        "several times"},
     {module, texts, "Every exported function of this module that has a spec; "
                     "may be given several times"},
     {app, texts, "Every exported function with a spec of this application of "
                  "the project; may be given several times"},
     {all, flag, "Every exported function with a spec of the project, which "
                 "is what is done without --entry, --module and --app"},
     {args, texts, "Arguments to begin with, an Erlang list such as "
                   "'[[a], 3]'; may be given several times"},
     {term_depth, count, "How deep an argument may be nested [4, or as deep "
                         "as spec and patterns want]"},
     {timeout, count, "End the search after so many seconds [60]"},
     {run_timeout, count, "End each run after so many milliseconds [5000]"},
     {max_runs, count, "End the search after so many runs"},
     {strategy, {choice, [coverage, dfs, bfs, random]},
      "Which input is run next: coverage, dfs, bfs or random [coverage]"},
     {seed, count, "For random choices [0]"},
     {workers, count, "How many BEAMs run inputs at the same time [1]"},
     {first, flag, "Stop at the first finding"},
     {no_spec, flag, "Ignore specs: inputs may be any terms"},
     {pre, function, "Only inputs count for which this function, given the "
                     "same arguments, returns true"},
     {post, function, "It is a finding if this function, given arguments and "
                      "result or the result, returns false"},
     {allow, functions, "Allow calls into this module, or of this function, "
                        "although they could do harm"},
     {opaque, texts, "Do not follow calls into this module"},
     {deps, flag, "Follow calls into dependencies too; their clauses are then "
                  "counted as well"},
     {pa, texts, "One more folder with compiled modules"},
     {format, {choice, [human, json]}, "How to print the report: human or "
                                       "json [human]"},
     {output, text, "Write the report to this file instead of printing it"},
     {eunit, text, "Write the findings to this file as EUnit tests"},
     {html, text, "Write the report to this file as a page"},
     {state, text, "Keep all runs in this folder as they come"},
     {resume, flag, "Go on with the search whose runs are in the folder of "
                    "--state"},
     {quiet, flag, "Do not show how the search goes on"},
     {verbose, flag, "Show every test as it is run, why, and what came of it"},
     {binary, text, "The program erlconcolic [$ERLCONCOLIC, or else the one "
                    "on the PATH]"}].

%% As rebar3 wants to have them. Numbers are texts: of `--timeout soon' rebar3
%% would say nothing.
-spec for_command_line() -> [getopt()].
for_command_line() ->
    [{Name, undefined, word(Name), argument_type(Kind), Help}
     || {Name, Kind, Help} <- all()].

-spec argument_type(kind()) -> undefined | atom().
argument_type(flag) -> undefined;
argument_type(_) -> string.

%% An option as it is spelt on the command line, without its dashes.
-spec word(name()) -> string().
word(Name) ->
    lists:flatten(string:replace(atom_to_list(Name), "_", "-", all)).

%% The options of a command line that rebar3 has parsed, and those of
%% rebar.config that it does not replace.
-spec gather({[term()], [string()]}, term()) ->
    {ok, options()} | {error, term()}.
gather({Parsed, Rest}, Configured) ->
    Strays = [Word || {task, Word} <- Parsed] ++ Rest,
    Given = [Option || Option <- Parsed, not is_task(Option)],
    case {Strays, read(Given, command_line), read(Configured, config)} of
        {[Stray | _], _, _} -> {error, {stray, Stray}};
        {[], {ok, First}, {ok, Second}} -> {ok, merge(First, Second)};
        {[], {error, Reason}, _} -> {error, Reason};
        {[], {ok, _}, {error, Reason}} -> {error, Reason}
    end.

-spec is_task(term()) -> boolean().
is_task({task, _}) -> true;
is_task(_) -> false.

-spec merge(options(), options()) -> options().
merge(Given, Configured) ->
    Replaced = [Name || Group <- ?TOGETHER,
                        lists:any(fun(Name) -> is_map_key(Name, Given) end,
                                  Group),
                        Name <- Group],
    maps:merge(maps:without(Replaced, Configured), Given).

-type origin() :: command_line | config.

-spec read(term(), origin()) -> {ok, options()} | {error, term()}.
read(Options, Origin) when is_list(Options) ->
    read(Options, Origin, #{});
read(Options, Origin) ->
    {error, {Origin, no_list, Options}}.

-spec read(term(), origin(), options()) -> {ok, options()} | {error, term()}.
read([], _Origin, Read) ->
    {ok, Read};
read([Option | Options], Origin, Read) ->
    case read_one(Option) of
        {ok, Name, Value} -> read(Options, Origin, add(Name, Value, Read));
        {error, Reason} -> {error, {Origin, Reason}}
    end;
read(Tail, Origin, _Read) ->
    {error, {Origin, no_list, Tail}}.

%% Later ones come behind earlier ones, or replace them.
-spec add(name(), value() | false, options()) -> options().
add(Name, false, Read) ->
    maps:remove(Name, Read);
add(Name, [[_ | _] | _] = Values, Read) ->
    maps:update_with(Name, fun(Known) -> Known ++ Values end, Values, Read);
add(Name, Value, Read) ->
    Read#{Name => Value}.

-spec read_one(term()) ->
    {ok, name(), value() | false} | {error, term()}.
read_one({Name, Value}) when is_atom(Name) ->
    case lists:keyfind(Name, 1, all()) of
        {Name, Kind, _Help} -> read_value(Name, Kind, Value);
        false -> {error, unknown(Name)}
    end;
read_one(Name) when is_atom(Name) ->
    read_one({Name, true});
read_one(Other) ->
    {error, {no_option, Other}}.

-spec read_value(name(), kind(), term()) ->
    {ok, name(), value() | false} | {error, term()}.
read_value(Name, Kind, Value) ->
    case value(Kind, Value) of
        {ok, Read} -> {ok, Name, Read};
        error -> {error, {bad_value, Name, Kind, Value}}
    end.

-spec value(kind(), term()) -> {ok, value() | false} | error.
value(flag, Value) when is_boolean(Value) ->
    {ok, Value};
value(flag, _Value) ->
    error;
value(count, Value) when is_integer(Value), Value >= 0 ->
    {ok, integer_to_list(Value)};
value(count, [_ | _] = Value) ->
    case lists:all(fun(Digit) -> lists:member(Digit, "0123456789") end,
                   Value) of
        true -> {ok, Value};
        false -> error
    end;
value(count, _Value) ->
    error;
value({choice, Words}, Value) ->
    case lists:search(fun(Word) -> is_word(Word, Value) end, Words) of
        {value, Word} -> {ok, atom_to_list(Word)};
        false -> error
    end;
value(text, Value) ->
    text(Value);
value(function, Value) ->
    function(Value);
value(texts, Value) ->
    several(fun text/1, Value);
value(functions, Value) ->
    several(fun function/1, Value).

-spec is_word(atom(), term()) -> boolean().
is_word(Word, Value) -> Value =:= Word orelse Value =:= atom_to_list(Word).

%% One value, or a list of them.
-spec several(fun((term()) -> {ok, string()} | error), term()) ->
    {ok, [string()]} | error.
several(Read, Value) ->
    case Read(Value) of
        {ok, Text} -> {ok, [Text]};
        error when is_list(Value), Value =/= [] -> all_of(Read, Value);
        error -> error
    end.

-spec all_of(fun((term()) -> {ok, string()} | error), [term()]) ->
    {ok, [string()]} | error.
all_of(Read, Values) ->
    Texts = lists:map(Read, Values),
    case lists:member(error, Texts) of
        false -> {ok, [Text || {ok, Text} <- Texts]};
        true -> error
    end.

-spec text(term()) -> {ok, string()} | error.
text(Value) when is_boolean(Value) ->
    error;
text(Value) when is_atom(Value) ->
    {ok, atom_to_list(Value)};
text(Value) when is_binary(Value) ->
    text(unicode:characters_to_list(Value));
text([_ | _] = Value) ->
    case io_lib:printable_unicode_list(Value) of
        true -> {ok, Value};
        false -> error
    end;
text(_Value) ->
    error.

%% Also `{shop, total, 1}' for "shop:total/1".
-spec function(term()) -> {ok, string()} | error.
function({Module, Function, Arity})
  when is_atom(Module), is_atom(Function), is_integer(Arity) ->
    Text = io_lib:format("~tw:~tw/~w", [Module, Function, Arity]),
    {ok, lists:flatten(Text)};
function(Value) ->
    text(Value).

%% The nearest name is what was meant, perhaps.
-spec unknown(atom()) -> term().
unknown(Name) ->
    case ?ELSEWHERE of
        #{Name := Place} ->
            {elsewhere, Name, Place};
        #{} ->
            Known = [Option || {Option, _, _} <- all()],
            {unknown, Name, rebar3_erlconcolic_nearest:nearest(Name, Known)}
    end.
