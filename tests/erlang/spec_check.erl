%% Checks whether argument lists match the spec of a function, with two checkers
%% that are independent of each other and of our own code.
%%
%%   PropEr     follows the value through the type, so recursive types are
%%              checked fully. It gives up at modules with maps, and accepts
%%              `1.5' for `1..2'. It is not used for types that it is
%%              known to confuse with others.
%%   Dialyzer   checks whether the type of the value is a subtype. It knows all
%%              types, but cuts recursive ones after two levels and treats many
%%              atoms as any atom.
%%
%% So both accept some bad values, but rarely the same ones. A value is
%% outside if one of them says so, and unchecked if neither knows. All results
%% are checked for funs that are arguments, only the arity for other funs.
%%
%% Started as `erl -noshell -pa DIR -run spec_check main ARGUMENT...' with
%%
%%   MODULE FUNCTION ARITY FILE    argument lists, `[Argument, ...].' each
%%   FILE                          many functions, each as
%%                                 `{{Module, Function, Arity}, [List, ...]}.'
%%   self_test                     checks itself with known lists
%%
%% It prints a line for each function and for each list that is outside. The
%% node ends with status 0, with 1 if a list is outside, with 2 if it failed.
%% Modules have to be on the code path with debug information. If PropEr is
%% not installed, it only uses Dialyzer.
-module(spec_check).

-export([main/1, check/2]).

-export_type([verdict/0]).

-type verdict() :: inside | outside | unchecked.
-type form() :: random_types:type().

-spec main([string()]) -> no_return().
main(Arguments) ->
    try command(Arguments) of
        true -> halt(0);
        false -> halt(1)
    catch
        Class:Reason:Stack ->
            erlang:display({spec_check, Arguments, Class, Reason, Stack}),
            halt(2)
    end.

-spec command([string()]) -> boolean().
command(["self_test"]) -> spec_check_self_test:run();
command(Arguments) -> all(cases(Arguments)).

-spec cases([string()]) -> [{mfa(), [[term()]]}].
cases([Module, Function, Arity, File]) ->
    Lists = spec_check_terms:read(File),
    [{{list_to_atom(Module), list_to_atom(Function), list_to_integer(Arity)},
      Lists}];
cases([File]) ->
    spec_check_terms:read(File).

-spec all([{mfa(), [[term()]]}]) -> boolean().
all(Cases) ->
    ok = random_types:open(),
    Fine = [report(Function, check(Function, Lists))
            || {Function, Lists} <- Cases],
    ok = random_types:close(),
    not lists:member(false, Fine).

-spec report(mfa(), [{[term()], verdict(), By :: [atom()]}]) -> boolean().
report({Module, Function, Arity}, Checked) ->
    Count = fun(Wanted) ->
                    length([[] || {_, Verdict, _} <- Checked,
                                  Verdict =:= Wanted])
            end,
    io:format("~tw:~tw/~b: ~b inside, ~b outside, ~b unchecked~n",
              [Module, Function, Arity, Count(inside), Count(outside),
               Count(unchecked)]),
    [io:format("  outside by ~tw: ~tw~n", [By, List])
     || {List, outside, By} <- Checked],
    Count(outside) =:= 0.

%% The verdict on each list, and its checker. Without a spec all are unchecked.
-spec check(mfa(), [[term()]]) -> [{[term()], verdict(), By :: [atom()]}].
check({Module, Name, Arity}, Lists) ->
    Clauses = [arguments(Spec)
               || Spec <- random_types:specs(Module, Name, Arity)],
    Checkers = [{Checker, [[type(Checker, Form, Module) || Form <- Forms]
                           || Forms <- Clauses]}
                || Checker <- [spec_check_proper, spec_check_dialyzer]],
    [judge(List, Checkers) || List <- Lists].

-spec judge([term()], [{Checker :: module(), Clauses :: [[term()]]}]) ->
    {[term()], verdict(), By :: [atom()]}.
judge(List, Checkers) ->
    Verdicts = [{Checker, some_clause(List, Clauses, Checker)}
                || {Checker, Clauses} <- Checkers],
    Saying = fun(Wanted) ->
                     [Name || {Name, Verdict} <- Verdicts, Verdict =:= Wanted]
             end,
    case {Saying(outside), Saying(inside)} of
        {[], []} -> {List, unchecked, []};
        {[], By} -> {List, inside, By};
        {By, _} -> {List, outside, By}
    end.

-spec some_clause([term()], [[term()]], module()) -> verdict().
some_clause(_List, [], _Checker) ->
    unchecked;
some_clause(List, Clauses, Checker) ->
    Verdicts = [clause(List, Types, Checker) || Types <- Clauses],
    first([inside, unchecked, outside], Verdicts).

-spec clause([term()], [term()], module()) -> verdict().
clause(List, Types, Checker) when length(List) =:= length(Types) ->
    Verdicts = [verdict(Checker, Term, Type)
                || {Term, Type} <- lists:zip(List, Types)],
    first([outside, unchecked, inside], [inside | Verdicts]);
clause(_List, _Types, _Checker) ->
    outside.

%% The type of a fun has a part for its result.
-spec type(module(), form(), module()) -> term().
type(Checker, {type, _, 'fun', [Parameters, Result]}, Module) ->
    Arity = case Parameters of
                {type, _, product, Types} -> length(Types);
                {type, _, any} -> any
            end,
    {function, Arity, type(Checker, Result, Module)};
type(Checker, {paren_type, _, [Form]}, Module) ->
    type(Checker, Form, Module);
type(Checker, Form, Module) ->
    {other, Checker:type(Form, Module)}.

-spec verdict(module(), term(), term()) -> verdict().
verdict(Checker, Term, {other, Type}) ->
    Checker:verdict(Term, Type);
verdict(Checker, Fun, {function, Arity, Result})
  when is_function(Fun), Arity =:= any;
       is_function(Fun, Arity) ->
    Verdicts = [verdict(Checker, Value, Result)
                || Value <- spec_check_terms:results(Fun)],
    first([outside, unchecked, inside], [inside | Verdicts]);
verdict(_Checker, _Term, {function, _, _}) ->
    outside.

-spec first([verdict()], [verdict()]) -> verdict().
first(Order, Verdicts) ->
    hd([Verdict || Verdict <- Order, lists:member(Verdict, Verdicts)]).

%% The types of the arguments, with constraints in place of variables.
-spec arguments(form()) -> [form()].
arguments({type, _, bounded_fun, [Fun, Constraints]}) ->
    Bound = [{Name, Type}
             || {type, _, constraint,
                 [{atom, _, is_subtype}, [{var, _, Name}, Type]]}
                    <- Constraints],
    arguments(Fun, maps:from_list(Bound));
arguments(Fun) ->
    arguments(Fun, #{}).

-spec arguments(form(), #{atom() => form()}) -> [form()].
arguments({type, _, 'fun', [{type, _, product, Arguments}, _Result]}, Bound) ->
    [bind(Argument, Bound) || Argument <- Arguments].

%% A variable that refers to itself is any(), like one without constraint.
-spec bind(term(), #{atom() => form()}) -> term().
bind({ann_type, _, [_Variable, Type]}, Bound) ->
    bind(Type, Bound);
bind({var, _, Name}, Bound) ->
    case maps:take(Name, Bound) of
        {Type, Others} -> bind(Type, Others);
        error -> {type, 0, any, []}
    end;
bind(Form, Bound) when is_tuple(Form) ->
    list_to_tuple(bind(tuple_to_list(Form), Bound));
bind(Forms, Bound) when is_list(Forms) ->
    [bind(Form, Bound) || Form <- Forms];
bind(Other, _Bound) ->
    Other.
