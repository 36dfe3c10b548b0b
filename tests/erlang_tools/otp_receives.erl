%% The receives of OTP as a module that can be run: for each a function with its
%% patterns, guards and whether it has a timeout. What it uses from around it are
%% its parameters; a clause returns its number and what it bound.
%%
%% Started as `erl -noshell -pa DIR -run otp_receives main FILE APPLICATION...'.
%% For the receive with number 7 the module has r7, and tests t7_1, t7_2 ... that
%% send messages to themselves, call it, and return its value and what is left
%% in the mailbox. Messages are made from the patterns; some do not match.
-module(otp_receives).

-export([main/1]).

-define(TESTS, 4).
-define(TIMES, ["0", "infinity", "3", "0"]).
-define(VALUES, ["a", "ok", "1", "0", "-7", "[]", "[a,b]", "{a,1}", "self()",
                 "<<1,2>>", "#{a => 1}", "\"text\"", "true", "infinity"]).

-spec main([string()]) -> no_return().
main([File | Applications]) ->
    try
        Receives = lists:append([receives(list_to_atom(Application))
                                 || Application <- Applications]),
        Module = filename:basename(File, ".erl"),
        ok = file:write_file(File, module(Module, Receives), [{encoding, utf8}]),
        io:format("~b~n", [length(Receives)]),
        halt(0)
    catch
        Class:Reason:Stack ->
            io:format(standard_error, "~tp~n", [{Class, Reason, Stack}]),
            halt(2)
    end.

receives(Application) ->
    Options = ['E', binary | otp_corpus:options(Application)],
    lists:flatmap(fun(Source) -> receives_of(Source, Options) end,
                  otp_corpus:sources(Application)).

%% Without the macros and records of the module.
receives_of(Source, Options) ->
    case compile:noenv_file(Source, Options) of
        {ok, _, Forms} -> lists:flatmap(fun in_form/1, Forms);
        {ok, _, Forms, _} -> lists:flatmap(fun in_form/1, Forms);
        _ -> []
    end.

%% Some releases cannot annotate a `maybe' without `else'.
in_form({function, _, _, _, _} = Form) ->
    try erl_syntax_lib:annotate_bindings(Form, []) of
        Tree -> erl_syntax_lib:fold(fun found/2, [], Tree)
    catch
        error:{badarg, none} -> []
    end;
in_form(_) ->
    [].

found(Node, Found) ->
    case erl_syntax:type(Node) of
        receive_expr ->
            {env, Bound} = lists:keyfind(env, 1, erl_syntax:get_ann(Node)),
            [{Bound, erl_syntax:revert(Node)} | Found];
        _ ->
            Found
    end.

module(Name, Receives) ->
    Numbered = lists:zip(lists:seq(1, length(Receives)), Receives),
    ["-module(", Name, ").\n-compile(export_all).\n-compile(nowarn_export_all).\n"
     "-compile([nowarn_unused_vars, nowarn_shadow_vars]).\n\n"
     "left() -> receive Message -> [Message | left()] after 0 -> [] end.\n"
     | [functions(Number, Receive) || {Number, Receive} <- Numbered]].

functions(Number, {Bound, Receive}) ->
    {Clauses, HasTime} = case Receive of
                             {'receive', _, Of} -> {Of, false};
                             {'receive', _, Of, _, _} -> {Of, true}
                         end,
    Used = ordsets:union([variables([Patterns, Guard])
                          || {clause, _, Patterns, Guard, _} <- Clauses]),
    Parameters = ordsets:intersection(Used, ordsets:from_list(Bound)),
    Header = [name($r, Number), "(",
              lists:join(", ", [atom_to_list(It) || It <- Parameters]
                         ++ ["Time" || HasTime]), ")"],
    Body = receive_text(Clauses, Parameters, HasTime),
    ["\n", Header, " ->\n    ", Body, ".\n"
     | [test(Number, Test, Header, Clauses, Parameters)
        || Test <- lists:seq(1, ?TESTS)]].

receive_text(Clauses, Parameters, HasTime) ->
    Numbered = lists:zip(lists:seq(1, length(Clauses)), Clauses),
    Changed = [{clause, 1, Patterns, Guard,
                [result(Number, ordsets:subtract(variables(Patterns),
                                                 Parameters))]}
               || {Number, {clause, _, Patterns, Guard, _}} <- Numbered],
    Receive = case HasTime of
                  true -> {'receive', 1, Changed, {var, 1, 'Time'},
                           [{atom, 1, timeout}]};
                  false -> {'receive', 1, Changed}
              end,
    erl_pp:expr(Receive, 4, [{encoding, unicode}]).

result(Number, Variables) ->
    {tuple, 1, [{integer, 1, Number} | [{var, 1, It} || It <- Variables]]}.

variables(Forms) ->
    Trees = lists:flatten(Forms),
    Found = ordsets:union([variables_of(Tree) || Tree <- Trees]),
    ordsets:del_element('_', Found).

variables_of(Form) ->
    erl_syntax_lib:fold(fun(Node, Found) ->
                                case erl_syntax:type(Node) of
                                    variable ->
                                        Name = erl_syntax:variable_name(Node),
                                        ordsets:add_element(Name, Found);
                                    _ ->
                                        Found
                                end
                        end, ordsets:new(), Form).

%% Values and messages differ from test to test, but not from run to run.
test(Number, Test, Header, Clauses, Parameters) ->
    rand:seed(exsss, {Number, Test, 22}),
    Values = [["    ", atom_to_list(It), " = ", value(), ",\n"]
              || It <- Parameters],
    Time = ["    Time = ", lists:nth(Test, ?TIMES), ",\n"],
    Of = [message(Patterns, Parameters)
          || {clause, _, Patterns, _, _} <- Clauses],
    Messages = shuffled([value(), value() | Of]) ++ Of,
    ["\n", name($t, Number), "_", integer_to_list(Test), "() ->\n", Values, Time,
     "    [self() ! Message || Message <- [", lists:join(", ", Messages), "]],\n",
     "    Value = ", Header, ",\n    {Value, left()}.\n"].

shuffled(List) ->
    [It || {_, It} <- lists:sort([{rand:uniform(), It} || It <- List])].

value() ->
    lists:nth(rand:uniform(length(?VALUES)), ?VALUES).

name(Letter, Number) ->
    [Letter | integer_to_list(Number)].

%% A value that the pattern may match, as text.
message([Pattern], Parameters) ->
    erl_pp:expr(made(Pattern, Parameters), 0, [{encoding, unicode}]).

made({var, _, '_'}, _) -> any();
made({var, _, Name} = Variable, Parameters) ->
    case lists:member(Name, Parameters) of
        true -> Variable;
        false -> any()
    end;
made({match, _, Left, Right}, Parameters) ->
    case Left of
        {var, _, _} -> made(Right, Parameters);
        _ -> made(Left, Parameters)
    end;
made({tuple, Place, Parts}, Parameters) ->
    {tuple, Place, [made(Part, Parameters) || Part <- Parts]};
made({cons, Place, Head, Tail}, Parameters) ->
    {cons, Place, made(Head, Parameters), made(Tail, Parameters)};
made({map, Place, Pairs}, Parameters) ->
    {map, Place, [{map_field_assoc, At, Key, made(Value, Parameters)}
                  || {map_field_exact, At, Key, Value} <- Pairs]};
made({bin, Place, _}, _) ->
    {bin, Place, [{bin_element, Place, {integer, Place, 3}, default, default}]};
made(Literal, _) ->
    Literal.

any() ->
    {ok, Tokens, _} = erl_scan:string(value() ++ "."),
    {ok, [Expression]} = erl_parse:parse_exprs(Tokens),
    Expression.
