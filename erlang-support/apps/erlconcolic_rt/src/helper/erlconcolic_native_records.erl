%%% Native records, which OTP 29 has, as calls of functions: the tool knows no
%%% syntax for them in Core Erlang. The module `records' makes and reads them,
%%% so their values are what they were in the run.
%%%
%%%     case V of                  letrec fail = fun () -> case V of Rest end
%%%         <~#p{x=X}> -> B   =>   in case is_record(V, m, p) of
%%%         Rest                       true -> let X = records:get(x, V) in B
%%%     end                            false -> fail()
%%%                                end
-module(erlconcolic_native_records).

-export([as_calls/1]).

-record(native, {module :: module(),
                 records = #{} :: #{atom() => declaration()}}).

-type declaration() :: {IsExported :: boolean(), [{atom(), term()} | atom()]}.
-type id() :: {module(), atom()} | any.
-type node_() :: cerl:cerl().

%% Marks what guards may not have.
-define(MARK, erlconcolic_no_guard).

%% The same module; older releases have no such records.
-spec as_calls(cerl:c_module()) -> cerl:c_module().
as_calls(Core) ->
    {module, cerl} = code:ensure_loaded(cerl),
    case erlang:function_exported(cerl, record_es, 1) andalso is_used(Core) of
        true ->
            _ = put(?MODULE, 0),
            Native = declared(Core),
            cerl_trees:map(fun(Node) -> node(Node, Native) end, Core);
        false ->
            Core
    end.

-spec is_used(cerl:c_module()) -> boolean().
is_used(Core) ->
    lists:any(fun({_, Function}) -> has(fun is_native/1, Function) end,
              cerl:module_defs(Core)).

-spec has(fun((node_()) -> boolean()), node_()) -> boolean().
has(Is, Tree) ->
    cerl_trees:fold(fun(Node, Found) -> Found orelse Is(Node) end, false, Tree).

-spec is_native(node_()) -> boolean().
is_native({c_record, _, _, _, _}) -> true;
is_native({c_primop, _, {c_literal, _, record_field}, _}) -> true;
is_native({c_primop, _, {c_literal, _, is_native_record}, _}) -> true;
is_native(_) -> false.

%% The records of the module, with the values of fields that are not given.
-spec declared(cerl:c_module()) -> #native{}.
declared(Core) ->
    Attributes = [{cerl:concrete(Key), cerl:concrete(Value)}
                  || {Key, Value} <- cerl:module_attrs(Core)],
    Exported = lists:append([Names || {export_record, Names} <- Attributes]),
    Records = [{Name, {lists:member(Name, Exported),
                       lists:map(fun field/1, Fields)}}
               || {native_record, Values} <- Attributes,
                  {Name, Fields} <- Values],
    #native{module = cerl:concrete(cerl:module_name(Core)),
            records = maps:from_list(Records)}.

-spec field(tuple()) -> {atom(), term()} | atom().
field({typed_record_field, Field, _Type}) -> field(Field);
field({record_field, _, {atom, _, Name}}) -> Name;
field({record_field, _, {atom, _, Name}, Default}) ->
    {value, Value, _} = erl_eval:expr(Default, erl_eval:new_bindings()),
    {Name, Value}.

%% A node whose parts are changed already.
-spec node(node_(), #native{}) -> node_().
node({c_record, _, {c_literal, _, ok}, _, _} = Pattern, _Native) ->
    Pattern;
node({c_record, Anno, {c_literal, _, empty}, Id, Pairs}, Native) ->
    made(Anno, id(Id, Native), pairs(Pairs), Native);
node({c_record, Anno, Old, Id, Pairs}, Native) ->
    updated(Anno, Old, id(Id, Native), pairs(Pairs));
node({c_primop, Anno, {c_literal, _, record_field}, [Record, Id, Key]},
     Native) ->
    read(Anno, Record, id(Id, Native), Key);
node({c_primop, Anno, {c_literal, _, is_native_record}, Args}, _Native) ->
    call(Anno, erlang, is_record, Args);
node(Node, Native) ->
    case cerl:type(Node) of
        'case' -> matched(Node, Native);
        _ -> Node
    end.

-spec id(node_(), #native{}) -> id().
id(Id, #native{module = Own}) ->
    case cerl:concrete(Id) of
        {Module, Name} -> {Module, Name};
        Name when is_atom(Name), Name =/= '_' -> {Own, Name};
        _ -> any
    end.

-spec pairs([node_()]) -> [{atom(), node_()}].
pairs(Pairs) ->
    [{cerl:concrete(Key), Value} || {c_record_pair, _, Key, Value} <- Pairs].

-spec made([term()], id(), [{atom(), node_()}], #native{}) -> node_().
made(Anno, {Own, Name}, Pairs, #native{module = Own, records = Records})
  when is_map_key(Name, Records) ->
    {IsExported, Fields} = maps:get(Name, Records),
    Values = [value(Field, Pairs) || Field <- Fields],
    call(Anno, records, create,
         [cerl:abstract(Own), cerl:abstract(Name), cerl:make_list(Values),
          cerl:abstract(#{is_exported => IsExported})]);
made(Anno, {Module, Name}, Pairs, _Native) ->
    call(Anno, erlconcolic_native_record, create,
         [cerl:abstract(Module), cerl:abstract(Name),
          cerl:make_list([cerl:c_tuple([cerl:abstract(Key), Value])
                          || {Key, Value} <- Pairs])]).

-spec value({atom(), term()} | atom(), [{atom(), node_()}]) -> node_().
value({Key, Default}, Pairs) ->
    Value = proplists:get_value(Key, Pairs, cerl:abstract(Default)),
    cerl:c_tuple([cerl:abstract(Key), Value]);
value(Key, Pairs) ->
    {Key, Value} = lists:keyfind(Key, 1, Pairs),
    cerl:c_tuple([cerl:abstract(Key), Value]).

%% The compiler has tested the old record.
-spec updated([term()], node_(), id(), [{atom(), node_()}]) -> node_().
updated(Anno, Old, Id, Pairs) ->
    {Module, Name} = names(Old, Id),
    Map = cerl:c_map([cerl:c_map_pair(cerl:abstract(Key), Value)
                      || {Key, Value} <- Pairs]),
    call(Anno, records, update, [Old, Module, Name, Map]).

-spec names(node_(), id()) -> {node_(), node_()}.
names(Record, any) ->
    {call([], records, get_module, [Record]),
     call([], records, get_name, [Record])};
names(_Record, {Module, Name}) ->
    {cerl:abstract(Module), cerl:abstract(Name)}.

-spec read([term()], node_(), id(), node_()) -> node_().
read(Anno, Record, Id, Key) ->
    Reason = cerl:c_tuple([cerl:abstract(badrecord), Record]),
    choice(Anno, test_of(Record, Id),
           call(Anno, erlconcolic_native_record, read, [Key, Record]),
           call(Anno, erlang, error, [Reason])).

-spec test_of(node_(), id()) -> node_().
test_of(Record, any) ->
    call([], erlang, is_record, [Record]);
test_of(Record, {Module, Name}) ->
    call([], erlang, is_record,
         [Record, cerl:abstract(Module), cerl:abstract(Name)]).

%% Patterns with records become tests. If one fails, the clauses after it are
%% tried.
-spec matched(node_(), #native{}) -> node_().
matched(Case, Native) ->
    Clauses = cerl:case_clauses(Case),
    case lists:any(fun is_special/1, Clauses) of
        false ->
            Case;
        true ->
            Arg = cerl:case_arg(Case),
            Vars = [new_var() || _ <- lists:seq(1, cerl:case_arity(Case))],
            cerl:ann_c_let(cerl:get_ann(Case), Vars, Arg,
                           in_turn(Vars, Clauses, Native))
    end.

-spec is_special(node_()) -> boolean().
is_special(Clause) ->
    lists:any(fun(Pattern) -> has(fun is_native/1, Pattern) end,
              cerl:clause_pats(Clause))
        orelse has(fun is_marked/1, cerl:clause_guard(Clause)).

-spec is_marked(node_()) -> boolean().
is_marked(Node) ->
    lists:member(?MARK, cerl:get_ann(Node)).

-spec in_turn([node_()], [node_()], #native{}) -> node_().
in_turn(Vars, Clauses, Native) ->
    Arg = cerl:c_values(Vars),
    case lists:splitwith(fun(It) -> not is_special(It) end, Clauses) of
        {Plain, []} ->
            cerl:c_case(Arg, Plain);
        {Plain, [Special | Rest]} ->
            Fail = cerl:c_var({new_name(), 0}),
            Others = cerl:c_fun([], in_turn(Vars, with_end(Rest), Native)),
            First = tested(Special, Fail, Native),
            cerl:ann_c_letrec(
              [letrec_goto], [{Fail, Others}],
              cerl:c_case(Arg, Plain ++ [First, fallback(Vars, Fail)]))
    end.

%% The last clause of a case matches everything, but the compiler may know that
%% another one does.
-spec with_end([node_()]) -> [node_()].
with_end([]) ->
    Reason = cerl:abstract({case_clause, native_record}),
    [clause([new_var()],
            cerl:c_primop(cerl:abstract(match_fail), [Reason]))];
with_end(Clauses) ->
    Clauses.

-spec fallback([node_()], node_()) -> node_().
fallback(Vars, Fail) ->
    clause([new_var() || _ <- Vars], cerl:c_apply(Fail, [])).

-spec tested(node_(), node_(), #native{}) -> node_().
tested(Clause, Fail, Native) ->
    {Patterns, Tests} = lists:mapfoldl(fun(Pattern, Before) ->
                                               {New, Tests} = split(Pattern),
                                               {New, Before ++ Tests}
                                       end, [], cerl:clause_pats(Clause)),
    Guarded = guarded(cerl:clause_guard(Clause), cerl:clause_body(Clause),
                      Fail),
    Body = lists:foldr(fun(Test, Then) -> test(Test, Then, Fail, Native) end,
                       Guarded, Tests),
    cerl:ann_c_clause(cerl:get_ann(Clause), Patterns, Body).

%% Variables in place of the outermost records of a pattern.
-spec split(node_()) -> {node_(), [{node_(), node_()}]}.
split({c_record, _, _, _, _} = Record) ->
    Var = new_var(),
    {Var, [{Var, Record}]};
split(Pattern) ->
    case cerl:subtrees(Pattern) of
        [] ->
            {Pattern, []};
        Groups ->
            {New, Tests} = lists:mapfoldl(fun split_all/2, [], Groups),
            {cerl:update_tree(Pattern, New), Tests}
    end.

-spec split_all([node_()], [{node_(), node_()}]) ->
    {[node_()], [{node_(), node_()}]}.
split_all(Patterns, Before) ->
    lists:mapfoldl(fun(Pattern, Tests) ->
                           {New, More} = split(Pattern),
                           {New, Tests ++ More}
                   end, Before, Patterns).

%% A record without one of the fields does not match.
-spec test({node_(), node_()}, node_(), node_(), #native{}) -> node_().
test({Var, {c_record, Anno, _, Id, Pairs}}, Then, Fail, Native) ->
    Fields = pairs(Pairs),
    Values = cerl:c_tuple([call(Anno, records, get, [cerl:abstract(Key), Var])
                           || {Key, _} <- Fields]),
    Pattern = cerl:c_tuple([SubPattern || {_, SubPattern} <- Fields]),
    Inner = cerl:c_case(or_false(Values),
                        [clause([Pattern], Then),
                         clause([new_var()], cerl:c_apply(Fail, []))]),
    choice(Anno, test_of(Var, id(Id, Native)), matched(Inner, Native),
           cerl:c_apply(Fail, [])).

-spec guarded(node_(), node_(), node_()) -> node_().
guarded(Guard, Body, Fail) ->
    case cerl:is_literal(Guard) andalso cerl:concrete(Guard) of
        true ->
            Body;
        false ->
            Test = cerl_trees:map(fun outside_of_guard/1, Guard),
            choice([], or_false(Test), Body, cerl:c_apply(Fail, []))
    end.

%% Only in guards has `try' two variables for the exception.
-spec outside_of_guard(node_()) -> node_().
outside_of_guard(Node) ->
    case cerl:type(Node) =:= 'try' andalso cerl:try_evars(Node) of
        [_, _] = Vars ->
            cerl:update_c_try(Node, cerl:try_arg(Node), cerl:try_vars(Node),
                              cerl:try_body(Node), Vars ++ [new_var()],
                              cerl:try_handler(Node));
        _ ->
            Node
    end.

%% `false' if an expression raises, as in a guard.
-spec or_false(node_()) -> node_().
or_false(Expression) ->
    Value = new_var(),
    cerl:c_try(Expression, [Value], Value,
               [new_var(), new_var(), new_var()], cerl:abstract(false)).

-spec choice([term()], node_(), node_(), node_()) -> node_().
choice(Anno, Condition, Then, Else) ->
    cerl:ann_c_case([?MARK | Anno], Condition,
                    [clause([cerl:abstract(true)], Then),
                     clause([new_var()], Else)]).

%% Does not count as a clause of the program.
-spec clause([node_()], node_()) -> node_().
clause(Patterns, Body) ->
    cerl:ann_c_clause([compiler_generated], Patterns, Body).

-spec call([term()], module(), atom(), [node_()]) -> node_().
call(Anno, Module, Function, Args) ->
    cerl:ann_c_call(Anno, cerl:abstract(Module), cerl:abstract(Function), Args).

-spec new_var() -> node_().
new_var() ->
    cerl:c_var(new_name()).

%% The compiler makes no such names.
-spec new_name() -> atom().
new_name() ->
    Number = get(?MODULE),
    _ = put(?MODULE, Number + 1),
    list_to_atom("_native" ++ integer_to_list(Number)).
