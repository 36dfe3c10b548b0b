%%% Runs the EUnit tests of modules, and collects the inputs with which they
%%% call functions. It is a listener of EUnit.
%%%
%%% Tests run as they would without us: nothing is refused to them.
-module(erlconcolic_eunit).

-export([run/2]).
-export([start/1, init/1, handle_begin/3, handle_end/3, handle_cancel/3,
         terminate/2]).

-export_type([request/0, answer/0]).

%% `modules' are the modules whose tests are run, by their names on this node.
-type request() ::
    #{modules := [module()], functions := [erlconcolic_inputs:function_()]}.

-type answer() ::
    #{passed := non_neg_integer(), failed := [failure()],
      skipped := non_neg_integer(), inputs := [erlconcolic_inputs:inputs()]}.

-type failure() :: #{test := binary(), why := binary()}.

-record(state,
        {owner :: pid(),
         part :: fun((term()) -> term()),
         passed = 0 :: non_neg_integer(),
         failed = [] :: [failure()],
         skipped = 0 :: non_neg_integer()}).

%% Instrumented code is slower.
-define(SCALE, 20).

%% Tells in parts which test runs, as {test, Name}: it may end the node.
-spec run(request(), fun((term()) -> term())) ->
    {ok, answer()} | {error, no_eunit}.
run(Request, Part) ->
    case code:ensure_loaded(eunit) of
        {module, eunit} ->
            Run = fun() -> run_all(Request, Part) end,
            {ok, erlconcolic_sandbox:while_open(Run)};
        {error, _} -> {error, no_eunit}
    end.

-spec run_all(request(), fun((term()) -> term())) -> answer().
run_all(#{modules := Modules, functions := Functions}, Part) ->
    Watch = erlconcolic_inputs:watch(Functions),
    Tests = lists:flatmap(fun tests/1, Modules),
    Listener = {?MODULE, [{owner, self()}, {part, Part}]},
    _ = eunit:test(Tests, [no_tty, {scale_timeouts, ?SCALE},
                           {report, Listener}]),
    Answer = receive {?MODULE, Result} -> Result end,
    Answer#{inputs => erlconcolic_inputs:stop(Watch)}.

%% Bodies of instrumented functions are exported as well: `@f'.
-spec tests(module()) -> [{test | generator, module(), atom()}].
tests(Module) ->
    Names = [Name || {Name, 0} <- lists:sort(Module:module_info(exports)),
                     hd(atom_to_list(Name)) =/= $@],
    [{Kind, Module, Name}
     || Name <- Names,
        {Kind, Ending} <- [{test, "_test"}, {generator, "_test_"}],
        lists:suffix(Ending, atom_to_list(Name))].

-spec start([{atom(), term()}]) -> pid().
start(Options) ->
    eunit_listener:start(?MODULE, Options).

-spec init([{atom(), term()}]) -> #state{}.
init(Options) ->
    receive
        {start, _Reference} ->
            #state{owner = proplists:get_value(owner, Options),
                   part = proplists:get_value(part, Options)}
    end.

-spec handle_begin(group | test, [{atom(), term()}], #state{}) -> #state{}.
handle_begin(test, Data, #state{part = Part} = State) ->
    _ = Part({test, name(Data)}),
    State;
handle_begin(group, _Data, State) ->
    State.

-spec handle_end(group | test, [{atom(), term()}], #state{}) -> #state{}.
handle_end(test, Data, State) ->
    case proplists:get_value(status, Data) of
        ok ->
            State#state{passed = State#state.passed + 1};
        {error, {Class, Reason, Stack}} ->
            Text = exception(Class, Reason, Stack),
            failed(Data, Text, State);
        {skipped, _} ->
            State#state{skipped = State#state.skipped + 1}
    end;
handle_end(group, _Data, State) ->
    State.

%% A set-up that fails, a test that takes too long, or a process that is gone.
-spec handle_cancel(group | test, [{atom(), term()}], #state{}) -> #state{}.
handle_cancel(_Kind, Data, State) ->
    case proplists:get_value(reason, Data) of
        undefined -> State;
        Reason -> failed(Data, cancelled(Reason), State)
    end.

-spec terminate({ok | error, term()}, #state{}) -> term().
terminate(Result, State) ->
    #state{owner = Owner, passed = Passed, failed = Failed, skipped = Skipped} =
        case Result of
            {ok, _} -> State;
            {error, Reason} -> failed([], cancelled(Reason), State)
        end,
    Owner ! {?MODULE, #{passed => Passed, failed => lists:reverse(Failed),
                        skipped => Skipped}}.

-spec failed([{atom(), term()}], unicode:chardata(), #state{}) -> #state{}.
failed(Data, Why, #state{failed = Failed} = State) ->
    Failure = #{test => name(Data), why => utf8(Why)},
    State#state{failed = [Failure | Failed]}.

-spec cancelled(term()) -> unicode:chardata().
cancelled(timeout) ->
    "it takes too long";
cancelled({abort, {Kind, {Class, Reason, Stack}}}) ->
    [atom_to_list(Kind), ": ", exception(Class, Reason, Stack)];
cancelled({blame, _}) ->
    "the process of its tests has ended";
cancelled({exit, Reason}) ->
    io_lib:format("its process exited: ~tp", [Reason]);
cancelled({startup, Reason}) ->
    io_lib:format("it could not start: ~tp", [Reason]);
cancelled(Reason) ->
    io_lib:format("~tp", [Reason]).

-spec exception(atom(), term(), [term()]) -> unicode:chardata().
exception(Class, Reason, Stack) ->
    Frames = [Frame || Frame <- erlconcolic_stack:frames(Stack),
                       not is_of_eunit(Frame)],
    erl_error:format_exception(Class, Reason, Frames).

-spec is_of_eunit(term()) -> boolean().
is_of_eunit(Frame) ->
    lists:prefix("eunit_", atom_to_list(element(1, Frame))).

%% With the names of the program; what a test says of itself comes last.
-spec name([{atom(), term()}]) -> binary().
name(Data) ->
    Source = case proplists:get_value(source, Data) of
                 {Module, Function, Arity} -> source(Module, Function, Arity);
                 _ -> "a group of tests"
             end,
    case proplists:get_value(desc, Data) of
        Text when is_binary(Text), Text =/= <<>> ->
            utf8([Source, " (", Text, ")"]);
        _ -> utf8(Source)
    end.

-spec source(module(), atom(), arity()) -> unicode:chardata().
source(Module, Function, Arity) ->
    [{Own, Name, _, _} | _] =
        erlconcolic_stack:frames([{Module, Function, Arity, []}])
        ++ [{Module, Function, Arity, []}],
    io_lib:format("~tw:~tw/~b", [Own, Name, Arity]).

-spec utf8(unicode:chardata()) -> binary().
utf8(Text) ->
    case unicode:characters_to_binary(Text) of
        Binary when is_binary(Binary) -> Binary;
        _ -> iolist_to_binary(io_lib:format("~tp", [Text]))
    end.
