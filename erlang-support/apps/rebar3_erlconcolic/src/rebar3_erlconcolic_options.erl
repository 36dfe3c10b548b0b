%%% The options of `rebar3 concolic', from the command line and from
%%% `{erlconcolic, [...]}' in `rebar.config': those of `erlconcolic explore' and
%%% some of its own.
-module(rebar3_erlconcolic_options).

-export([all/0, for_command_line/0, gather/2, word/1]).

-export_type([options/0, kind/0, name/0]).

-type name() :: atom().

%% The kind of value of an option. Options of kind `texts' and `functions' can
%% be repeated.
-type kind() ::
    flag | count | text | {choice, [atom()]} | function | texts | functions.

-type value() :: true | string() | [string()].

%% Values are texts, as on the command line of the program.
-type options() :: #{name() => value()}.

-type getopt() ::
    {name(), undefined, string(), undefined | atom(), string()}.

%% Groups of options: if one of a group is on the command line, the whole group
%% in rebar.config is ignored.
-define(TOGETHER,
        [[entry, module, machine, calls, all, app, args, pre, post, exclude],
         [quiet, verbose]]).

%% Keys that a user may expect here, and where they belong.
-define(ELSEWHERE,
        #{include => "erl_opts", includes => "erl_opts",
          define => "erl_opts", defines => "erl_opts", d => "erl_opts",
          i => "erl_opts"}).

-spec all() -> [{name(), kind(), Help :: string()}].
all() ->
    [{entry, functions, "Explore this function, mod:fun/arity; can be "
                        "repeated"},
     {module, texts, "Explore every exported function of this module that has "
                     "a spec; can be repeated"},
     {machine, texts, "Explore sequences of events for this module, which is "
                      "a gen_server or a gen_statem; can be repeated"},
     {calls, texts, "Explore sequences of calls of this module's functions; "
                    "can be repeated"},
     {app, texts, "Explore every exported function with a spec in this "
                  "application of the project; can be repeated"},
     {all, flag, "Explore every exported function with a spec in the project; "
                 "the default without --entry, --module, --machine and "
                 "--app"},
     {exclude, texts, "Do not explore the functions of this module; can be "
                      "repeated"},
     {shard, text, "Explore only the K-th of N shares of the functions: K/N"},
     {args, texts, "Start with these arguments, an Erlang list such as "
                   "'[[a], 3]'; can be repeated"},
     {term_depth, count, "How deep arguments can be nested [4, or as deep as "
                         "spec and patterns require]"},
     {timeout, count, "End the search after this many seconds [60]"},
     {run_timeout, count, "End each run after this many milliseconds [5000]"},
     {max_runs, count, "End the search after this many runs"},
     {length, count, "How many events a sequence has at most [4]"},
     {events, function, "A type of events, mod:type/0"},
     {invariant, function, "Report a finding if this function, called with "
                           "the state of a machine, returns false"},
     {state_of, function, "What reports call the state of a machine"},
     {dot, text, "Write states and transitions of machines to this file, for "
                 "Graphviz"},
     {no_machines, flag, "Explore no machines, only functions"},
     {schedules, {choice, [all, none]},
      "Which orders of the steps of processes are tried: all or none [all]"},
     {max_switches, count, "How often another process may go on in an order"},
     {max_steps, count, "End a run after this many steps of its processes "
                        "[1000]"},
     {delivery, {choice, [instant, any]},
      "When a message arrives: instant or any [instant]"},
     {time, {choice, [quiet, any]},
      "When the time of a receive is over: quiet or any [quiet]"},
     {strategy, {choice, [coverage, dfs, bfs, random, graph]},
      "How to choose the next input: coverage, dfs, bfs, random or graph "
      "[coverage]"},
     {paths, {choice, [states, all]}, "Which paths to run: each state once, or "
      "all of them"},
     {seed, count, "The seed of random choices [0]"},
     {workers, count, "How many BEAMs run inputs in parallel [1]"},
     {on, text, "Also run inputs on these nodes of `erlconcolic serve`, with "
                "commas between them: name@host or name@host:port "
                "[$ERLCONCOLIC_NODES]"},
     {cookie_file, text, "A file with the cookie of these nodes "
                         "[~/.erlang.cookie]"},
     {tls, text, "A file with options for connections by TLS to these nodes, "
                 "as for erl -ssl_dist_optfile"},
     {first, flag, "Stop at the first finding"},
     {no_spec, flag, "Ignore specs: inputs can be any terms"},
     {break_opaque, flag, "Make up values of opaque types instead of making "
                          "them by calls"},
     {pre, function, "Use only inputs for which this function, called with "
                     "the same arguments, returns true"},
     {post, function, "Report a finding if this function, called with "
                      "arguments and result or with the result, returns false"},
     {contracts, flag, "Report calls of funs of the input with arguments that "
                       "are not of the types in their spec"},
     {allow, functions, "Allow calls of this module or function, although "
                        "they could do harm"},
     {opaque, functions, "Do not follow calls into this module, or of this "
                         "function"},
     {deps, flag, "Also follow calls into dependencies, and count their "
                  "clauses"},
     {pa, texts, "Add a folder with compiled modules"},
     {format, {choice, [human, json, sarif, junit, github]},
      "The format of the report: human, json, sarif, junit or github [human]"},
     {accept, text, "A file with findings that are fine "
                    "[erlconcolic.accept, if it exists]"},
     {skip, {choice, [unlikely]}, "Leave findings with unlikely inputs out"},
     {also, {choice, [all]}, "List all other inputs of each finding, not only "
                             "the 20 smallest"},
     {output, text, "Write the report to this file instead of printing it"},
     {eunit_tests, flag, "Run the EUnit tests of the project, and start with "
                         "the inputs that they call functions with"},
     {eunit, text, "Write the tests to this file as an EUnit module"},
     {exunit, text, "Write the tests to this file as an ExUnit module"},
     {html, text, "Write the report to this file as an HTML page"},
     {state, text, "Save all runs in this folder"},
     {resume, flag, "Continue the search saved in the folder of --state"},
     {quiet, flag, "Hide progress"},
     {verbose, flag, "Show every test, the reason for it, and its result"},
     {binary, text, "The path of the program erlconcolic [$ERLCONCOLIC, or "
                    "the one on the PATH]"}].

%% The options for rebar3. Numbers are texts, because rebar3 would not report an
%% error in `--timeout soon'.
-spec for_command_line() -> [getopt()].
for_command_line() ->
    [{Name, undefined, word(Name), argument_type(Kind), Help}
     || {Name, Kind, Help} <- all()].

-spec argument_type(kind()) -> undefined | atom().
argument_type(flag) -> undefined;
argument_type(_) -> string.

%% An option as on the command line, without its dashes.
-spec word(name()) -> string().
word(Name) ->
    lists:flatten(string:replace(atom_to_list(Name), "_", "-", all)).

%% The options of a command line that rebar3 has parsed, and the options of
%% rebar.config that these do not replace.
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

%% Later values are added to earlier ones, or replace them.
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

%% Accepts also `{shop, total, 1}' for "shop:total/1".
-spec function(term()) -> {ok, string()} | error.
function({Module, Function, Arity})
  when is_atom(Module), is_atom(Function), is_integer(Arity) ->
    Text = io_lib:format("~tw:~tw/~w", [Module, Function, Arity]),
    {ok, lists:flatten(Text)};
function(Value) ->
    text(Value).

%% Suggests the nearest name.
-spec unknown(atom()) -> term().
unknown(Name) ->
    case ?ELSEWHERE of
        #{Name := Place} ->
            {elsewhere, Name, Place};
        #{} ->
            Known = [Option || {Option, _, _} <- all()],
            {unknown, Name, rebar3_erlconcolic_nearest:nearest(Name, Known)}
    end.
