%% Random values of a type, and random arguments for a spec.
%%
%% A type has a scope: the module its names belong to, the types of its
%% variables, and the flavour of the call. Type variables without a
%% bound, and `term()', have values by flavour, one kind of small term
%% for one variable of one call, so that elements of a list can be compared
%% and keys are found. The depth limits the size of a value: below
%% it, unions use their smallest member. They also do when the arguments of a
%% call have become large (counted in the process dictionary).
-module(random_values).

-export([arguments/3]).

-record(scope,
        {module :: module(),
         variables = #{} :: #{atom() => {random_types:type(), #scope{} | self}},
         flavour :: pos_integer()}).

-define(DEPTH, 5).
-define(HOPELESS, -15).
-define(NODES, 400).
-define(FLAVOURS, 1000).

%% Arguments for the spec of the function; any terms without a spec.
-spec arguments(module(), atom(), arity()) -> [term()].
arguments(Module, Name, Arity) ->
    Scope = #scope{module = Module, flavour = rand:uniform(?FLAVOURS)},
    _ = put(?MODULE, ?NODES),
    case random_types:specs(Module, Name, Arity) of
        [] ->
            [any(Scope, 3) || _ <- lists:seq(1, Arity)];
        Clauses ->
            spec_arguments(random_terms:pick(Clauses), Scope)
    end.

-spec spec_arguments(random_types:type(), #scope{}) -> [term()].
spec_arguments({type, _, bounded_fun, [Function, Constraints]}, Scope) ->
    Bounds = [{Name, {Type, self}}
              || {type, _, constraint, [_, [{var, _, Name}, Type]]}
                     <- Constraints],
    spec_arguments(Function, Scope#scope{variables = maps:from_list(Bounds)});
spec_arguments({type, _, 'fun', [{type, _, product, Types}, _]}, Scope) ->
    [value(Type, Scope, ?DEPTH) || Type <- Types].

-spec value(random_types:type(), #scope{}, integer()) -> term().
value(_, _, Depth) when Depth < ?HOPELESS ->
    random_terms:leaf();
value(Type, Scope, Depth) ->
    case put(?MODULE, get(?MODULE) - 1) of
        Left when Left > 0 -> made(Type, Scope, Depth);
        _ -> made(Type, Scope, min(Depth, 0))
    end.

-spec made(random_types:type(), #scope{}, integer()) -> term().
made({var, _, '_'}, Scope, Depth) ->
    any(Scope, Depth);
made({var, _, Name}, Scope, Depth) ->
    variable(Name, Scope, Depth);
made({ann_type, _, [_, Type]}, Scope, Depth) ->
    value(Type, Scope, Depth);
made({paren_type, _, [Type]}, Scope, Depth) ->
    value(Type, Scope, Depth);
made({type, _, union, Types}, Scope, Depth) ->
    value(member(Types, Scope, Depth), Scope, Depth);
made({user_type, _, Name, Arguments}, Scope, Depth) ->
    named(Scope#scope.module, Name, Arguments, Scope, Depth);
made({remote_type, _, [{atom, _, Module}, {atom, _, Name}, Arguments]},
     Scope, Depth) ->
    named(Module, Name, Arguments, Scope, Depth);
made({type, _, record, [{atom, _, Name} | Refined]}, Scope, Depth) ->
    record(Name, Refined, Scope, Depth);
made({type, _, Name, Arguments}, Scope, Depth) ->
    built_in(Name, Arguments, Scope, Depth);
made(Literal, _, _) ->
    {_, _, Value} = erl_eval:partial_eval(Literal),
    Value.

-spec member([random_types:type()], #scope{}, integer()) ->
          random_types:type().
member(Types, _, Depth) when Depth > 0 ->
    random_terms:pick(Types);
member(Types, #scope{module = Module}, _) ->
    Heights = [{random_types:height(Type, Module), Type} || Type <- Types],
    Lowest = lists:min([Height || {Height, _} <- Heights]),
    random_terms:pick([Type || {Height, Type} <- Heights, Height =:= Lowest]).

-spec variable(atom(), #scope{}, integer()) -> term().
variable(Name, #scope{variables = Variables} = Scope, Depth) ->
    case Variables of
        #{Name := {{type, _, Any, []}, self}} when Any =:= any; Any =:= term ->
            flavoured(Name, Scope, Depth);
        #{Name := {Type, self}} ->
            value(Type, Scope, Depth - 1);
        #{Name := {Type, #scope{} = Other}} ->
            value(Type, Other, Depth);
        #{} ->
            flavoured(Name, Scope, Depth)
    end.

%% In half of the calls, all variables have one flavour.
-spec flavoured(term(), #scope{}, integer()) -> term().
flavoured(_, #scope{flavour = Flavour}, Depth) when Flavour rem 2 =:= 0 ->
    flavour((Flavour div 2) rem 10, Depth);
flavoured(Name, #scope{flavour = Flavour}, Depth) ->
    flavour(erlang:phash2({Name, Flavour}, 10), Depth).

-spec flavour(0..9, integer()) -> term().
flavour(N, _) when N =< 2 ->
    random_terms:between(0, 6);
flavour(N, _) when N =< 4 ->
    random_terms:pick([a, b, c, d, e]);
flavour(5, _) ->
    random_terms:pick([1, 1.0, a, "a", <<"a">>, {a, 1}, 2, [], {}]);
flavour(6, _) ->
    random_terms:pick(["a", "b", "ab", ""]);
flavour(7, _) ->
    {random_terms:pick([a, b, c]), random_terms:between(0, 3)};
flavour(_, Depth) ->
    random_terms:any(min(Depth, 2)).

-spec any(#scope{}, integer()) -> term().
any(Scope, Depth) ->
    case random_terms:chance(50) of
        true -> flavoured(any, Scope, Depth);
        false -> random_terms:any(min(Depth, 3))
    end.

-spec named(module(), atom(), [random_types:type()], #scope{}, integer()) ->
          term().
named(Module, Name, Arguments, Scope, Depth) ->
    Makers = [fun() -> value(Argument, Scope, Depth - 1) end
              || Argument <- Arguments],
    case random_domains:value(Module, Name, Makers) of
        {ok, Value} -> Value;
        none -> defined(Module, Name, Arguments, Scope, Depth)
    end.

-spec defined(module(), atom(), [random_types:type()], #scope{}, integer()) ->
          term().
defined(Module, Name, Arguments, Scope, Depth) ->
    case random_types:type(Module, Name, length(Arguments)) of
        {Parameters, Type} ->
            Inner = inner_scope(Module, Parameters, Arguments, Scope),
            value(Type, Inner, defined_depth(Depth));
        none ->
            any(Scope, Depth)
    end.

-spec inner_scope(module(), [atom()], [random_types:type()], #scope{}) ->
          #scope{}.
inner_scope(Module, Parameters, Arguments, Scope) ->
    Variables = [{Parameter, {Argument, Scope}}
                 || {Parameter, Argument} <- lists:zip(Parameters, Arguments)],
    Scope#scope{module = Module, variables = maps:from_list(Variables)}.

%% Names cost nothing while there is depth left, and end cycles after that.
-spec defined_depth(integer()) -> integer().
defined_depth(Depth) when Depth > 0 -> Depth;
defined_depth(Depth) -> Depth - 1.

-spec record(atom(), [random_types:type()], #scope{}, integer()) -> term().
record(Name, Refined, #scope{module = Module} = Scope, Depth) ->
    case random_types:record(Module, Name) of
        none ->
            {Name};
        Fields ->
            Types = [refined(Field, Refined) || Field <- Fields],
            list_to_tuple([Name | values(Types, Scope, Depth - 1)])
    end.

-spec refined(random_types:field(), [random_types:type()]) ->
          random_types:type().
refined({Field, Type}, Refined) ->
    case [New || {type, _, field_type, [{atom, _, Name}, New]} <- Refined,
                 Name =:= Field] of
        [New | _] -> New;
        [] -> Type
    end.

-spec values([random_types:type()], #scope{}, integer()) -> [term()].
values(Types, Scope, Depth) ->
    [value(Type, Scope, Depth) || Type <- Types].

-spec built_in(atom(), term(), #scope{}, integer()) -> term().
built_in(tuple, any, Scope, Depth) ->
    Element = fun() -> any(Scope, Depth - 2) end,
    Size = random_terms:pick([0, 1, 2, 2, 2, 3, 3, 3, 4]),
    list_to_tuple(random_terms:list_of(Size, Size, Element));
built_in(tuple, Types, Scope, Depth) ->
    list_to_tuple(values(Types, Scope, Depth - 1));
built_in(map, any, Scope, Depth) ->
    Pair = fun() -> {any(Scope, Depth - 3), any(Scope, Depth - 2)} end,
    maps:from_list(random_terms:list_of(0, 4, Pair));
built_in(map, Pairs, Scope, Depth) ->
    maps:from_list([Pair || Field <- Pairs,
                            Pair <- map_field(Field, Scope, Depth - 1)]);
built_in(binary, [{integer, _, Size}, {integer, _, Unit}], _, _) ->
    Bits = Size + Unit * random_terms:between(0, 4),
    <<(random_terms:between(0, 1 bsl 40)):Bits>>;
built_in(range, [Low, High], Scope, _) ->
    range(value(Low, Scope, 0), value(High, Scope, 0));
built_in(function, [], _, _) ->
    function(random_terms:between(0, 3), any);
built_in('fun', [], _, _) ->
    function(random_terms:between(0, 3), any);
built_in('fun', [{type, _, any}, Result], Scope, _) ->
    function(random_terms:between(0, 3), kind(Result, Scope, 5));
built_in('fun', [{type, _, product, Types}, Result], Scope, _) ->
    function(length(Types), kind(Result, Scope, 5));
built_in(Name, Arguments, Scope, Depth) ->
    case is_list_type(Name) of
        true -> list(Name, Arguments, Scope, Depth);
        false -> plain(Name, Scope, Depth)
    end.

-spec map_field(random_types:type(), #scope{}, integer()) ->
          [{term(), term()}].
map_field({type, _, map_field_exact, Types}, Scope, Depth) ->
    [list_to_tuple(values(Types, Scope, Depth))];
map_field({type, _, map_field_assoc, [{atom, _, Key}, Type]}, Scope, Depth) ->
    case Depth > 0 andalso random_terms:chance(60) of
        true -> [{Key, value(Type, Scope, Depth)}];
        false -> []
    end;
map_field({type, _, map_field_assoc, Types}, Scope, Depth) ->
    Pair = fun() -> list_to_tuple(values(Types, Scope, Depth)) end,
    random_terms:list_of(0, max_length(Depth), Pair).

%% The ends of a range are more likely than the values between them.
-spec range(integer(), integer()) -> integer().
range(Low, High) ->
    random_terms:weighted(
      [{1, fun() -> Low end},
       {1, fun() -> High end},
       {4, fun() -> random_terms:between(Low, min(Low + 12, High)) end},
       {4, fun() -> random_terms:between(Low, High) end}]).

-spec is_list_type(atom()) -> boolean().
is_list_type(list) -> true;
is_list_type(nonempty_list) -> true;
is_list_type(maybe_improper_list) -> true;
is_list_type(nonempty_maybe_improper_list) -> true;
is_list_type(nonempty_improper_list) -> true;
is_list_type(_) -> false.

-spec list(atom(), [random_types:type()], #scope{}, integer()) -> term().
list(Name, [], Scope, Depth) ->
    Any = {type, 0, any, []},
    list(Name, [Any, {type, 0, nil, []}], Scope, Depth);
list(Name, [Type], Scope, Depth) ->
    list(Name, [Type, {type, 0, nil, []}], Scope, Depth);
list(Name, [Type, Tail], Scope, Depth) ->
    Element = fun() -> value(Type, Scope, Depth - 1) end,
    Min = min_length(Name),
    Max = max(Min, max_length(Depth)),
    Elements = random_terms:list_of(Min, Max, Element),
    lists:foldr(fun(Head, Rest) -> [Head | Rest] end,
                tail(Name, Elements, Tail, Scope, Depth),
                Elements).

-spec min_length(atom()) -> 0 | 1.
min_length(list) -> 0;
min_length(maybe_improper_list) -> 0;
min_length(_) -> 1.

-spec tail(atom(), [term()], random_types:type(), #scope{}, integer()) ->
          term().
tail(_, [], _, _, _) ->
    [];
tail(nonempty_improper_list, _, Type, Scope, Depth) ->
    value(Type, Scope, Depth - 1);
tail(_, _, Type, Scope, Depth) ->
    case random_terms:chance(25) of
        true -> value(Type, Scope, Depth - 1);
        false -> []
    end.

-spec max_length(integer()) -> non_neg_integer().
max_length(Depth) when Depth >= ?DEPTH - 1 ->
    random_terms:pick([3, 3, 3, 6, 6, 6, 6, 12, 12, 30]);
max_length(Depth) when Depth >= 2 -> 3;
max_length(1) -> 2;
max_length(_) -> 0.

-spec plain(atom(), #scope{}, integer()) -> term().
plain(any, Scope, Depth) -> any(Scope, Depth);
plain(term, Scope, Depth) -> any(Scope, Depth);
plain(atom, _, _) -> random_terms:atom();
plain(module, _, _) -> random_terms:pick([lists, random_funs, a]);
plain(boolean, _, _) -> random_terms:chance(50);
plain(integer, _, _) -> random_terms:integer();
plain(non_neg_integer, _, _) -> random_terms:non_negative();
plain(pos_integer, _, _) -> max(1, random_terms:non_negative());
plain(neg_integer, _, _) -> min(-1, -random_terms:non_negative());
plain(arity, _, _) -> random_terms:between(0, 4);
plain(byte, _, _) -> range(0, 255);
plain(char, _, _) -> random_terms:char();
plain(float, _, _) -> random_terms:float();
plain(nil, _, _) -> [];
plain(string, _, _) -> random_terms:string();
plain(nonempty_string, _, _) -> [$a | random_terms:string()];
plain(binary, _, _) -> random_terms:binary();
plain(nonempty_binary, _, _) -> <<"a", (random_terms:binary())/binary>>;
plain(bitstring, _, _) -> random_terms:bitstring();
plain(nonempty_bitstring, _, _) -> <<1:1, (random_terms:bitstring())/bits>>;
plain(iodata, _, Depth) -> iodata(Depth);
plain(iolist, _, Depth) -> [iodata(Depth)];
plain(pid, _, _) -> random_terms:identifier(pid);
plain(port, _, _) -> random_terms:identifier(port);
plain(reference, _, _) -> random_terms:identifier(reference);
plain(identifier, _, _) -> random_terms:identifier(reference);
plain(node, _, _) -> nonode@nohost;
plain(mfa, _, _) -> {lists, reverse, 1};
plain(number, Scope, Depth) -> one_of([integer, integer, float], Scope, Depth);
plain(timeout, _, _) -> random_terms:pick([0, 1, infinity]);
plain(_, _, _) -> random_terms:any().

-spec one_of([atom(), ...], #scope{}, integer()) -> term().
one_of(Names, Scope, Depth) ->
    plain(random_terms:pick(Names), Scope, Depth).

-spec iodata(integer()) -> iodata().
iodata(Depth) when Depth < 2 ->
    random_terms:binary();
iodata(Depth) ->
    random_terms:weighted(
      [{2, fun random_terms:binary/0},
       {2, fun() -> [C band 255 || C <- random_terms:string()] end},
       {2, fun() ->
                   Part = fun() -> iodata(Depth - 2) end,
                   random_terms:list_of(0, 3, Part)
           end},
       {1, fun() -> [$a | random_terms:binary()] end}]).

%% The kind of result for a function of this type, as in `random_funs'.
-spec kind(random_types:type(), #scope{}, integer()) -> atom().
kind(_, _, 0) ->
    any;
kind({ann_type, _, [_, Type]}, Scope, Fuel) ->
    kind(Type, Scope, Fuel - 1);
kind({type, _, union, Types}, Scope, Fuel) ->
    kind(random_terms:pick(Types), Scope, Fuel - 1);
kind({atom, _, Boolean}, _, _) when is_boolean(Boolean) ->
    bool;
kind({var, _, Name}, #scope{variables = Variables} = Scope, Fuel) ->
    case Variables of
        #{Name := {Type, self}} -> kind(Type, Scope, Fuel - 1);
        #{Name := {Type, Other}} -> kind(Type, Other, Fuel - 1);
        #{} -> any
    end;
kind({user_type, _, Name, Arguments}, #scope{module = Module} = Scope, Fuel) ->
    case random_types:type(Module, Name, length(Arguments)) of
        {_, Type} -> kind(Type, Scope#scope{variables = #{}}, Fuel - 1);
        none -> any
    end;
kind({type, _, Name, _}, _, _) ->
    plain_kind(Name);
kind(_, _, _) ->
    any.

-spec plain_kind(atom()) -> atom().
plain_kind(boolean) -> bool;
plain_kind(integer) -> int;
plain_kind(non_neg_integer) -> int;
plain_kind(pos_integer) -> int;
plain_kind(number) -> int;
plain_kind(range) -> int;
plain_kind(char) -> int;
plain_kind(tuple) -> pair;
plain_kind(list) -> list;
plain_kind(nonempty_list) -> list;
plain_kind(string) -> list;
plain_kind(_) -> any.

-spec function(arity(), atom()) -> fun().
function(Arity, any) ->
    function(Arity, random_terms:pick([bool, int, pick, pick, pair, list]));
function(Arity, Kind) ->
    {Module, Name} = random_terms:pick([{random_funs, Kind}
                                        | built_in_functions(Kind, Arity)]),
    fun Module:Name/Arity.

-spec built_in_functions(atom(), arity()) -> [{module(), atom()}].
built_in_functions(bool, 1) ->
    [{erlang, is_atom}, {erlang, is_integer}, {random_funs, bool}];
built_in_functions(bool, 2) ->
    [{erlang, Name} || Name <- ['=<', '<', '>=', '=:=', '==']];
built_in_functions(int, 1) ->
    [{erlang, abs}];
built_in_functions(int, 2) ->
    [{erlang, '+'}, {erlang, max}];
built_in_functions(pick, 2) ->
    [{erlang, min}, {erlang, max}];
built_in_functions(list, 2) ->
    [{erlang, '++'}];
built_in_functions(_, _) ->
    [].
