%%% The types of a function's arguments as a regular tree grammar, from its
%%% spec, or from the callback that it implements. If a spec cannot be read, its
%%% arguments are any(), with a warning.
-module(erlconcolic_types).

-export([types/2]).

-export_type([request/0, answer/0]).

-type context() :: erlconcolic_project:context().
-type declarations() :: erlconcolic_declarations:declarations().
-type form() :: erlconcolic_declarations:form().
-type id() :: erlconcolic_type_grammar:id().
-type reader() :: erlconcolic_type_reader:reader().

%% A function, or a type without parameters.
-type function_name() :: {atom(), arity()} | {type, Name :: atom()}.

%% The path is the file of the functions' module, the sources are all files of
%% the user.
-type request() ::
    #{path := binary(), functions := [function_name()], sources := [binary()],
      opaque := erlconcolic_type_reader:opaque()}.

%% A clause has the types of its arguments. The number of a type is its index in
%% the list of types, from 0. `excluded' says what the function of a recipe may
%% return besides the type, `unmade' names opaque types without recipes. `none'
%% if there is no spec.
-type answer() ::
    none
  | #{clauses := [[id()]],
      types := [[erlconcolic_type_grammar:alternative()]],
      excluded := [{Tag :: atom(), [erlconcolic_constructors:excluded()]}],
      unmade := [binary()],
      warnings := [binary()]}.

%% The answers are in the order of the functions.
-spec types(request(), context()) -> [answer()].
types(#{path := Path, functions := Functions, sources := Sources,
        opaque := Opaque}, Context) ->
    [File | _] = Files = lists:map(fun unicode:characters_to_list/1,
                                   [Path | Sources]),
    Reader = erlconcolic_type_reader:new(Files, Opaque, Context),
    case filename:extension(File) of
        ".core" -> [none || _ <- Functions];
        _ -> of_file(File, Functions, Context, Reader)
    end.

-spec of_file(file:filename(), [function_name()], context(), reader()) ->
    [answer()].
of_file(File, Functions, Context, Reader) ->
    Of = case erlconcolic_declarations:read(File, Context) of
             {ok, Declarations} ->
                 fun(Function, Before) ->
                     Knowing = erlconcolic_type_reader:know(Declarations,
                                                            Before),
                     of_module(Declarations, Function, Knowing)
                 end;
             {error, Why} ->
                 Name = filename:rootname(filename:basename(File)),
                 fun(Function, Before) ->
                     {Types, Warned} = unreadable(list_to_atom(Name), Function,
                                                  [": ", Why], Before),
                     answer([Types], Warned)
                 end
         end,
    {Answers, _} = lists:mapfoldl(Of, Reader, Functions),
    Answers.

-spec of_module(declarations(), function_name(), reader()) ->
    {answer(), reader()}.
of_module(#{types := Types} = Declarations, {type, Name}, Reader) ->
    case Types of
        #{{Name, 0} := _} ->
            Scope = erlconcolic_type_reader:scope(Declarations, #{}),
            Form = {user_type, erl_anno:new(0), Name, []},
            {Ids, Read} = erlconcolic_type_reader:types([Form], Scope, Reader),
            answer([Ids], Read);
        #{} ->
            {none, Reader}
    end;
of_module(#{specs := Specs, behaviours := Behaviours} = Declarations,
          Function, Reader) ->
    case Specs of
        #{Function := Clauses} ->
            of_clauses(Clauses, Function, Declarations, Reader);
        #{} ->
            #{implements_for := For} = Declarations,
            of_callback(Behaviours, Function, For, Reader)
    end.

%% An implementation of a protocol of Elixir only gets values of its type.
-spec of_callback([module()], function_name(), For :: module() | none,
                  reader()) -> {answer(), reader()}.
of_callback([Behaviour | Others], Function, For, Reader) ->
    case erlconcolic_type_reader:declarations(Behaviour, Reader) of
        {{ok, #{callbacks := #{Function := Clauses}} = Declarations}, Read}
          when For =:= none ->
            of_clauses(Clauses, Function, Declarations, Read);
        {{ok, #{callbacks := #{Function := Clauses}} = Declarations}, Read} ->
            Own = Declarations#{implemented := [For]},
            of_clauses(Clauses, Function, Own, Read);
        {_, Read} ->
            of_callback(Others, Function, For, Read)
    end;
of_callback([], _Function, _For, Reader) ->
    {none, Reader}.

-spec of_clauses([form()], function_name(), declarations(), reader()) ->
    {answer(), reader()}.
of_clauses(Clauses, Function, Declarations, Reader) ->
    Numbered = lists:zip(lists:seq(1, length(Clauses)), Clauses),
    {Types, Read} =
        lists:mapfoldl(fun(Clause, Before) ->
                               clause(Clause, Function, Declarations, Before)
                       end, Reader, Numbered),
    answer(Types, Read).

%% Returns the reader for the next function.
-spec answer([[id()]], reader()) -> {answer(), reader()}.
answer(Clauses, Reader) ->
    {erlconcolic_type_reader:finish(Clauses, Reader),
     erlconcolic_type_reader:again(Reader)}.

-spec clause({Number :: pos_integer(), form()}, function_name(),
             declarations(), reader()) -> {[id()], reader()}.
clause({Number, Form}, {_, Arity} = Function, Declarations, Reader) ->
    #{module := Module} = Declarations,
    {Fun, Constraints} = without_constraints(Form),
    case Fun of
        {type, _, 'fun', [{type, _, product, Arguments}, _Result]}
          when length(Arguments) =:= Arity ->
            {Variables, Warned} = variables(Number, Constraints, Reader),
            Scope = erlconcolic_type_reader:scope(Declarations, Variables),
            erlconcolic_type_reader:types(Arguments, Scope, Warned);
        _ ->
            unreadable(Module, Function, "", Reader)
    end.

-spec without_constraints(form()) -> {form(), Constraints :: [form()]}.
without_constraints({type, _, bounded_fun, [Fun, Constraints]})
  when is_list(Constraints) ->
    {Fun, Constraints};
without_constraints(Fun) ->
    {Fun, []}.

-spec variables(pos_integer(), [form()], reader()) ->
    {erlconcolic_type_reader:variables(), reader()}.
variables(Number, Constraints, Reader) ->
    lists:foldl(fun(Constraint, {Variables, Before}) ->
                        variable(Number, Constraint, Variables, Before)
                end, {#{}, Reader}, Constraints).

%% The form of both `X :: T' and `is_subtype(X, T)'.
-spec variable(pos_integer(), form(), Variables, reader()) ->
    {Variables, reader()}
    when Variables :: erlconcolic_type_reader:variables().
variable(_Number, {type, _, constraint,
                   [{atom, _, is_subtype}, [{var, _, Name}, _Type]]},
         Variables, Reader) when is_map_key(Name, Variables) ->
    Text = "the variable ~ts has several constraints; using the first",
    {Variables, erlconcolic_type_reader:warn(Text, [Name], Reader)};
variable(Number, {type, _, constraint,
                  [{atom, _, is_subtype}, [{var, _, Name}, Type]]},
         Variables, Reader) ->
    {Variables#{Name => {{variable, Number, Name}, Type}}, Reader};
variable(_Number, Constraint, Variables, Reader) ->
    Text = "the constraint ~0tP is not supported; it is ignored",
    {Variables, erlconcolic_type_reader:warn(Text, [Constraint, 12], Reader)}.

-spec unreadable(module(), function_name(), unicode:chardata(), reader()) ->
    {[id()], reader()}.
unreadable(Module, {Name, Arity}, Why, Reader) ->
    Text = "the spec of ~tw:~tw/~b cannot be read~ts; using any()",
    Arguments = [Module, Name, Arity, Why],
    {Any, Added} = erlconcolic_type_reader:any(Reader),
    {lists:duplicate(Arity, Any),
     erlconcolic_type_reader:warn(Text, Arguments, Added)}.
