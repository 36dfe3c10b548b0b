%%% Terms that a user writes as Elixir source, as forms of Erlang, which
%%% erlconcolic_term_reader reads. Elixir itself parses the source.
-module(erlconcolic_elixir_forms).

-export([read/1]).

-type form() :: erl_parse:abstract_expr().

%% A node of Elixir's syntax tree.
-type ast() :: term().

-define(ANNO, erl_anno:new(1)).
%% Shifts of integers are no larger, see erlconcolic_term_reader.
-define(MOST_BITS, 65536 * 8).

%% The form of an expression, or why there is none.
-spec read(binary()) -> {ok, form()} | {error, unicode:chardata()}.
read(Text) ->
    case code:ensure_loaded('Elixir.Code') of
        {module, Code} -> parsed(elixir(Code, string_to_quoted, [Text]));
        {error, _} -> {error, "needs Elixir, which is not on the code path"}
    end.

-spec parsed({ok, ast()} | {error, term()}) ->
    {ok, form()} | {error, unicode:chardata()}.
parsed({ok, Ast}) ->
    try
        {ok, form(Ast)}
    catch
        error:_ -> {error, "is not a term of Elixir"}
    end;
parsed({error, Reason}) ->
    {error, ["cannot be read: ", message(Reason)]}.

-spec message(term()) -> unicode:chardata().
message({_Place, {Before, After}, Token}) -> [Before, Token, After];
message({_Place, Message, Token}) -> [Message, Token].

-spec form(ast()) -> form().
form(Atom) when is_atom(Atom) -> {atom, ?ANNO, Atom};
form(Integer) when is_integer(Integer) -> {integer, ?ANNO, Integer};
form(Float) when is_float(Float) -> {float, ?ANNO, Float};
form(Bytes) when is_binary(Bytes) ->
    {bin, ?ANNO, [segment(Bytes)]};
form(List) when is_list(List) ->
    list(List);
form({First, Second}) ->
    {tuple, ?ANNO, [form(First), form(Second)]};
form({'{}', _, Elements}) ->
    {tuple, ?ANNO, lists:map(fun form/1, Elements)};
form({'%{}', _, Pairs}) ->
    map(Pairs);
form({'%', _, [Alias, {'%{}', _, Pairs}]}) ->
    {atom, _, Module} = form(Alias),
    map([{'__struct__', Module} | with_defaults(Module, Pairs)]);
form({'__aliases__', _, Parts}) ->
    {atom, ?ANNO, elixir('Elixir.Module', concat, [Parts])};
form({'<<>>', _, Segments}) ->
    {bin, ?ANNO, lists:map(fun segment/1, Segments)};
form({sigil_c, _, [{'<<>>', _, [Text]}, []]}) ->
    Plain = elixir('Elixir.Macro', unescape_string, [Text]),
    {string, ?ANNO, unicode:characters_to_list(Plain)};
form({'..', _, [First, Last]}) ->
    range(First, Last, 1);
form({'..//', _, [First, Last, Step]}) ->
    range(First, Last, Step);
form({'fn', _, Clauses}) ->
    {'fun', ?ANNO, {clauses, lists:map(fun clause/1, Clauses)}};
form({'&', _, [{'/', _, [{{'.', _, [Module, Name]}, _, []}, Arity]}]}) ->
    {'fun', ?ANNO, {function, form(Module), form(Name), form(Arity)}};
form({{'.', _, [Module, Name]}, _, Args}) ->
    Remote = {remote, ?ANNO, form(Module), form(Name)},
    {call, ?ANNO, Remote, lists:map(fun form/1, Args)};
form({elem, _, [Call, 1]}) ->
    Two = {integer, ?ANNO, 2},
    {call, ?ANNO, {atom, ?ANNO, element}, [Two, form(Call)]};
form({Sign, _, [Number]}) when Sign =:= '-'; Sign =:= '+' ->
    {op, ?ANNO, Sign, form(Number)};
form({Operator, _, [Left, Right]})
  when Operator =:= '+'; Operator =:= '-'; Operator =:= '*';
       Operator =:= '**' ->
    {integer, ?ANNO, computed(Operator, integer(Left), integer(Right))};
form({Name, _, Context}) when is_atom(Name), is_atom(Context) ->
    {var, ?ANNO, Name}.

%% The value of an expression of integers.
-spec integer(ast()) -> integer().
integer(Ast) ->
    case form(Ast) of
        {integer, _, Value} -> Value;
        {op, _, '-', {integer, _, Value}} -> -Value
    end.

-spec computed(atom(), integer(), integer()) -> integer().
computed('+', Left, Right) -> Left + Right;
computed('-', Left, Right) -> Left - Right;
computed('*', Left, Right) -> Left * Right;
computed('**', 2, Right) when Right >= 0, Right =< ?MOST_BITS -> 1 bsl Right.

-spec list([ast()]) -> form().
list([]) ->
    {nil, ?ANNO};
list([{'|', _, [Last, Tail]}]) ->
    {cons, ?ANNO, form(Last), form(Tail)};
list([First | Rest]) ->
    {cons, ?ANNO, form(First), list(Rest)}.

-spec map([{ast(), ast()}]) -> form().
map(Pairs) ->
    {map, ?ANNO, [{map_field_assoc, ?ANNO, form(Key), form(Value)}
                  || {Key, Value} <- Pairs]}.

-spec range(ast(), ast(), ast()) -> form().
range(First, Last, Step) ->
    map([{'__struct__', 'Elixir.Range'}, {first, First}, {last, Last},
         {step, Step}]).

%% Fields that are not written have their defaults, if the module is there.
-spec with_defaults(module(), [{ast(), ast()}]) -> [{ast(), ast()}].
with_defaults(Module, Pairs) ->
    Defaults = case code:ensure_loaded(Module) of
                   {module, _} -> maps:to_list(Module:'__struct__'());
                   {error, _} -> []
               end,
    Given = [Key || {Key, _} <- Pairs],
    [{Key, quoted(Value)} || {Key, Value} <- Defaults, Key =/= '__struct__',
                             not lists:member(Key, Given)] ++ Pairs.

-spec quoted(term()) -> ast().
quoted(Value) ->
    elixir('Elixir.Macro', escape, [Value]).

%% Elixir may be missing, so xref and Dialyzer must not see what is called.
-spec elixir(module(), Function :: atom(), [term()]) -> term().
elixir(Module, Function, Args) ->
    erlang:apply(Module, Function, Args).

-spec segment(ast()) -> erl_parse:af_binelement(form()).
segment({'::', _, [Value, {size, _, [Size]}]}) ->
    segment({'::', [], [Value, Size]});
segment({'::', _, [Value, Size]}) ->
    {bin_element, ?ANNO, form(Value), form(Size), default};
segment(Text) when is_binary(Text) ->
    {bin_element, ?ANNO, {string, ?ANNO, binary_to_list(Text)}, default,
     default};
segment(Value) ->
    {bin_element, ?ANNO, form(Value), default, default}.

-spec clause(ast()) -> erl_parse:abstract_clause().
clause({'->', _, [[{'when', _, Parts}], Body]}) ->
    {Patterns, [Guard]} = lists:split(length(Parts) - 1, Parts),
    {clause, ?ANNO, lists:map(fun form/1, Patterns), [tests(Guard)],
     [form(Body)]};
clause({'->', _, [Patterns, Body]}) ->
    {clause, ?ANNO, lists:map(fun form/1, Patterns), [], [form(Body)]}.

%% `x1 === 1 and x2 === 2'.
-spec tests(ast()) -> [form()].
tests({'and', _, [Left, Right]}) ->
    tests(Left) ++ tests(Right);
tests({'===', _, [Variable, Value]}) ->
    [{op, ?ANNO, '=:=', form(Variable), form(Value)}].
