%% Makes the calls of a calls file and records the results.
%%
%% Every call runs in its own process, with limits on time and memory and a
%% group leader that discards output. A function that exceeded them a few times
%% gets less time for its other calls. As many calls run in parallel as there
%% are schedulers. After the variant is loaded, this code only uses built-in
%% functions and syntax, so that a wrong variant of `lists' shows in the results
%% and not in this module. A process that only needs the runtime system ends the
%% node when everything takes too long.
%%
%% A beam `MODULE@followed' is an instrumented copy. Calls of the module go to
%% the copy; the original stays, because the runtime of instrumented code needs
%% it. The file `followed' has the request for that runtime. If there is a file
%% `record', the copy logs to the group leader.
-module(random_evaluation).

-export([run/4, resolve/1]).

-export_type([results/0, outcome/0]).

%% The result of a call. `timeout' and `killed' (out of memory) have no value.
-type outcome() :: {value, term()} | {error | exit | throw, term()}
                 | {signal, term()} | timeout | killed.

%% The contents of a results file: outcomes and microseconds in the order of
%% the calls, and the exports of the modules in the node.
-type results() :: #{modules := [{module(), [{atom(), arity()}]}],
                     results := [{mfa(),
                                  [{outcome(), non_neg_integer()}]}]}.

-type job() :: {mfa(), [[term()]]}.

-type copies() :: #{module() => module()}.

-define(CALL_LIMIT, 2000).
-define(SHORT_LIMIT, 50).
-define(PATIENCE, 3).
-define(HEAP_WORDS, 8 * 1024 * 1024).
-define(LARGE_WORDS, 100000).

-spec run(file:filename(), file:filename() | none, file:filename(),
          pos_integer()) -> ok.
run(CallsFile, Variant, ResultsFile, Seconds) ->
    _ = spawn(fun() -> end_node_after(Seconds) end),
    {ok, Binary} = file:read_file(CallsFile),
    #{modules := Modules, calls := Calls} = binary_to_term(Binary),
    _ = [{module, _} = code:ensure_loaded(Name) || {Name, _} <- Modules],
    {module, _} = code:ensure_loaded(random_funs),
    {ok, Device} = file:open(ResultsFile, [raw, write, binary]),
    ok = logger:set_primary_config(level, none),
    Settings = settings(Variant),
    Copies = load(Variant),
    Results = evaluate_all(Calls, Copies, Settings),
    Exports = [{Name, exports(copy(Name, Copies))} || {Name, _} <- Modules],
    Contents = #{modules => Exports, results => Results},
    ok = file:write(Device, term_to_binary(Contents, [{compressed, 1}])),
    ok = file:close(Device).

-spec end_node_after(pos_integer()) -> no_return().
end_node_after(Seconds) ->
    receive
    after Seconds * 1000 ->
            erlang:display({random_calls, evaluation_took_longer_than_seconds,
                            Seconds}),
            erlang:halt(3, [{flush, false}])
    end.

%% Loads all beams of the folder at once: no module of the variant runs
%% while another is loaded. They have the file names of the originals.
-spec load(file:filename() | none) -> copies().
load(none) ->
    #{};
load(Folder) ->
    Files = [_ | _] = filelib:wildcard(filename:join(Folder, "*.beam")),
    Beams = [beam(File) || File <- Files],
    [unstick(Module) || {Module, _, _} <- Beams],
    Sums = [{Module, Sum} || {Module, _, Binary} <- Beams,
                             {ok, {_, Sum}} <- [beam_lib:md5(Binary)]],
    Copies = copies([Module || {Module, _, _} <- Beams]),
    ok = follow(filename:join(Folder, "followed")),
    ok = code:atomic_load(Beams),
    _ = [{Module, Sum} = {Module, erlang:get_module_info(Module, md5)}
         || {Module, Sum} <- Sums],
    Copies.

-spec follow(file:filename()) -> ok.
follow(File) ->
    case file:read_file(File) of
        {ok, Followed} -> erlconcolic_follow:follow(binary_to_term(Followed));
        {error, enoent} -> ok
    end.

-spec copies([module()]) -> copies().
copies(Modules) ->
    maps:from_list(
      [{list_to_atom(Name), Module}
       || Module <- Modules,
          [Name, "followed"] <- [string:split(atom_to_list(Module), "@")]]).

%% Requests of the runtime of instrumented code to the group leader.
-spec settings(file:filename() | none) -> map().
settings(none) ->
    #{};
settings(Folder) ->
    #{allow => [application, c, code, erl_eval, erlang, erts_internal, file,
                filelib, init, os],
      record => filelib:is_file(filename:join(Folder, "record")),
      max_heap => heap_limit()}.

-spec copy(module(), copies()) -> module().
copy(Module, Copies) ->
    case Copies of
        #{Module := Copy} -> Copy;
        #{} -> Module
    end.

%% Without the bodies of instrumented functions.
-spec exports(module()) -> [{atom(), arity()}].
exports(Module) ->
    Exports = erlang:get_module_info(Module, exports),
    [Function || {Name, _} = Function <- Exports,
                 hd(atom_to_list(Name)) =/= $@].

-spec beam(file:filename()) -> {module(), file:filename(), binary()}.
beam(File) ->
    {ok, Binary} = file:read_file(File),
    {ok, {Module, _}} = beam_lib:version(Binary),
    case code:which(Module) of
        Original when is_list(Original) -> {Module, Original, Binary};
        _ -> {Module, File, Binary}
    end.

-spec unstick(module()) -> ok.
unstick(Module) ->
    _ = code:ensure_loaded(Module),
    case code:is_sticky(Module) of
        true -> ok = code:unstick_dir(filename:dirname(code:which(Module)));
        false -> ok
    end.

-spec evaluate_all([job()], copies(), map()) ->
          [{mfa(), [{outcome(), non_neg_integer()}]}].
evaluate_all(Calls, Copies, Settings) ->
    Sink = spawn(fun() ->
                         _ = put('$erlconcolic_settings', Settings),
                         swallow()
                 end),
    Parent = self(),
    Worker = fun() -> work(Parent, Sink, Copies) end,
    Workers = start(erlang:system_info(schedulers_online), Worker),
    Results = hand_out(Calls, Workers, #{}),
    [{Function, map_get(Function, Results)} || {Function, _} <- Calls].

-spec start(non_neg_integer(), fun(() -> term())) -> non_neg_integer().
start(Count, Worker) ->
    [erlang:spawn_link(Worker) || _ <- count(Count)],
    Count.

-spec count(non_neg_integer()) -> [pos_integer()].
count(0) -> [];
count(N) -> [N | count(N - 1)].

-spec hand_out([job()], non_neg_integer(), map()) -> map().
hand_out(_, 0, Results) ->
    Results;
hand_out([Job | Rest], Workers, Results) ->
    receive
        {idle, Worker} ->
            Worker ! Job,
            hand_out(Rest, Workers, Results);
        {done, Function, Outcomes} ->
            hand_out([Job | Rest], Workers, Results#{Function => Outcomes})
    end;
hand_out([], Workers, Results) ->
    receive
        {idle, Worker} ->
            Worker ! stop,
            hand_out([], Workers - 1, Results);
        {done, Function, Outcomes} ->
            hand_out([], Workers, Results#{Function => Outcomes})
    end.

-spec work(pid(), pid(), copies()) -> ok.
work(Parent, Sink, Copies) ->
    Parent ! {idle, self()},
    receive
        stop ->
            ok;
        {{Module, Name, Arity} = Function, Calls} ->
            Called = {copy(Module, Copies), Name, Arity},
            Outcomes = outcomes(Called, Calls, Sink, 0),
            Parent ! {done, Function, Outcomes},
            work(Parent, Sink, Copies)
    end.

-spec outcomes(mfa(), [[term()]], pid(), non_neg_integer()) ->
          [{outcome(), non_neg_integer()}].
outcomes(_, [], _, _) ->
    [];
outcomes(Function, [Arguments | Calls], Sink, Stopped) ->
    Limit = case Stopped < ?PATIENCE of
                true -> ?CALL_LIMIT;
                false -> ?SHORT_LIMIT
            end,
    Start = erlang:monotonic_time(microsecond),
    Outcome = limited(Function, Arguments, Sink, Limit),
    Time = erlang:monotonic_time(microsecond) - Start,
    Others = case Outcome of
                 timeout -> outcomes(Function, Calls, Sink, Stopped + 1);
                 killed -> outcomes(Function, Calls, Sink, Stopped + 1);
                 _ -> outcomes(Function, Calls, Sink, Stopped)
             end,
    [{Outcome, Time} | Others].

-spec limited(mfa(), [term()], pid(), pos_integer()) -> outcome().
limited(Function, Arguments, Sink, Limit) ->
    Call = fun() ->
                   true = erlang:group_leader(Sink, self()),
                   exit({?MODULE, limited_size(outcome(Function, Arguments))})
           end,
    {Pid, Monitor} = spawn_opt(Call, [monitor, {max_heap_size, heap_limit()}]),
    receive
        {'DOWN', Monitor, process, Pid, {?MODULE, Outcome}} ->
            Outcome;
        {'DOWN', Monitor, process, Pid, killed} ->
            killed;
        {'DOWN', Monitor, process, Pid, Reason} ->
            {signal, normalise(Reason)}
    after Limit ->
            exit(Pid, kill),
            true = erlang:demonitor(Monitor, [flush]),
            timeout
    end.

-spec heap_limit() -> map().
heap_limit() ->
    #{size => ?HEAP_WORDS, kill => true, error_logger => false}.

-spec outcome(mfa(), [term()]) -> outcome().
outcome({Module, Name, _}, Arguments) ->
    try apply(Module, Name, resolve(Arguments)) of
        Value -> {value, Value}
    catch
        Class:Reason -> {Class, Reason}
    end.

%% Makes the calls in arguments.
-spec resolve(term()) -> term().
resolve({'$call', Module, Name, Arguments}) ->
    apply(Module, Name, resolve(Arguments));
resolve([Head | Tail]) ->
    [resolve(Head) | resolve(Tail)];
resolve(Term) ->
    Term.

-spec limited_size(outcome()) -> outcome().
limited_size({Tag, Term}) ->
    Words = erts_debug:flat_size(Term),
    case Words > ?LARGE_WORDS of
        true -> {Tag, {large, Words, erlang:phash2(normalise(Term))}};
        false -> {Tag, normalise(Term)}
    end.

%% The term without parts that differ between nodes or builds: identities of
%% funs, processes, ports and references, and stack traces. Replaces negative
%% zero, which equals zero.
-spec normalise(term()) -> term().
normalise([Head | Tail] = List) ->
    case is_stack(List) of
        true -> '$stack';
        false -> [normalise(Head) | normalise(Tail)]
    end;
normalise(Tuple) when is_tuple(Tuple) ->
    list_to_tuple([normalise(Element) || Element <- tuple_to_list(Tuple)]);
normalise(Map) when is_map(Map) ->
    normalise_map(maps:keys(Map), Map, #{});
normalise(Float) when is_float(Float) ->
    case <<Float/float>> of
        <<1:1, 0:63>> -> '$negative_zero';
        _ -> Float
    end;
normalise(Fun) when is_function(Fun) ->
    {arity, Arity} = erlang:fun_info(Fun, arity),
    case erlang:fun_info(Fun, type) of
        {type, external} ->
            {module, Module} = erlang:fun_info(Fun, module),
            {name, Name} = erlang:fun_info(Fun, name),
            {'$fun', Module, Name, Arity};
        {type, local} ->
            {'$fun', Arity}
    end;
normalise(Pid) when is_pid(Pid) -> '$pid';
normalise(Port) when is_port(Port) -> '$port';
normalise(Reference) when is_reference(Reference) -> '$reference';
normalise(Term) -> Term.

-spec normalise_map([term()], map(), map()) -> map().
normalise_map([], _, Normal) ->
    Normal;
normalise_map([Key | Keys], Map, Normal) ->
    Value = normalise(map_get(Key, Map)),
    normalise_map(Keys, Map, Normal#{normalise(Key) => Value}).

-spec is_stack(term()) -> boolean().
is_stack([{Module, Name, Arity, Location} | Rest])
  when is_atom(Module), is_atom(Name), is_list(Location),
       (is_integer(Arity) orelse is_list(Arity)) ->
    is_location(Location) andalso (Rest =:= [] orelse is_stack(Rest));
is_stack(_) ->
    false.

-spec is_location(term()) -> boolean().
is_location([]) -> true;
is_location([{file, _} | Rest]) -> is_location(Rest);
is_location([{line, _} | Rest]) -> is_location(Rest);
is_location([{error_info, _} | Rest]) -> is_location(Rest);
is_location(_) -> false.

%% An IO server without a device: accepts all output, has no input. Also accepts
%% logs.
-spec swallow() -> no_return().
swallow() ->
    receive
        {io_request, From, Reference, Request} ->
            From ! {io_reply, Reference, reply(Request)},
            swallow();
        {erlconcolic_sync, From, Reference} ->
            From ! {erlconcolic_synced, Reference},
            swallow();
        _ ->
            swallow()
    end.

-spec reply(term()) -> term().
reply(Request) when element(1, Request) =:= put_chars -> ok;
reply({requests, _}) -> ok;
reply({setopts, _}) -> ok;
reply(getopts) -> [];
reply({get_geometry, _}) -> {error, enotsup};
reply(_) -> eof.
