%%% The exported functions of a module with specs, for sequences of calls. What
%%% one of them makes can be an argument of a later one: where a type of the
%%% module is wanted, an argument is a reference, `{Tag}'. The tag has a number,
%%% which stands for the type and its parameters.
-module(erlconcolic_call_types).

-export([types/2]).

-export_type([request/0, answer/0, call/0]).

-type declarations() :: erlconcolic_declarations:declarations().
-type form() :: erlconcolic_declarations:form().
-type id() :: erlconcolic_type_grammar:id().
-type reader() :: erlconcolic_type_reader:reader().
-type referred() :: erlconcolic_type_reader:referred().

%% The path is the file of the module, the sources are all files of the user.
-type request() ::
    #{path := binary(), sources := [binary()],
      opaque := erlconcolic_type_reader:opaque()}.

%% A clause of a spec. A function may have several, also because a clause is
%% read again for other parameters of a type. Each value of the result has the
%% numbers of the references that it is good for.
-type call() ::
    #{function := atom(),
      patterns := [erlconcolic_made_values:pattern()],
      excluded := [erlconcolic_type_forms:excluded()],
      values := [[Reference :: pos_integer()]]}.

%% Calls and clauses, which have the types of arguments, are in the same order.
%% `none' if the specs cannot be read. The rest is that of
%% erlconcolic_types:answer().
-type answer() ::
    none
  | #{calls := [call()],
      clauses := [[id()]],
      types := [[erlconcolic_type_grammar:alternative()]],
      excluded := [{Tag :: atom(), [erlconcolic_constructors:excluded()]}],
      unmade := [binary()],
      warnings := [binary()]}.

%% A clause of a spec, and what it makes.
-record(clause,
        {function :: erlconcolic_type_forms:name(),
         number :: pos_integer(),
         arguments :: [form()],
         constraints :: #{atom() => form()},
         made :: erlconcolic_made_values:made()}).

%% A type of what a clause makes. A parameter is `every' if what it makes is
%% good for all: it has nothing of that type in it.
-type value() :: {erlconcolic_type_forms:name(), Parameters :: [id() | every]}.

%% A clause with the types of its arguments, and those of what it makes.
-record(read,
        {clause :: #clause{},
         arguments :: [id()],
         values :: [value()]}).

%% A type with parameters may want others of its own without end.
-define(MOST_REFERRED, 20).

-spec types(request(), erlconcolic_project:context()) -> answer().
types(#{path := Path, sources := Sources, opaque := Opaque}, Context) ->
    [File | _] = Files = lists:map(fun unicode:characters_to_list/1,
                                   [Path | Sources]),
    case filename:extension(File) =/= ".core"
        andalso erlconcolic_declarations:read(File, Context) of
        {ok, Declarations} ->
            Reader = erlconcolic_type_reader:new(Files, Opaque, Context),
            Knowing = erlconcolic_type_reader:know(Declarations, Reader),
            of_module(Declarations, Knowing);
        _ ->
            none
    end.

-spec of_module(declarations(), reader()) -> answer().
of_module(#{module := Module} = Declarations, Before) ->
    Own = erlconcolic_own_types:find(Declarations),
    Reader = erlconcolic_type_reader:referring_to({Module, Own}, Before),
    Clauses = clauses(Own, Declarations),
    {Generic, Read} = lists:mapfoldl(
        fun(Clause, Reading) -> read(Clause, {[], []}, Declarations, Reading)
        end, Reader, Clauses),
    {All, After} = with_parameters(Generic, [], Declarations, Read),
    answer(All, After).

-spec clauses([erlconcolic_type_forms:name()], declarations()) -> [#clause{}].
clauses(Own, #{interface := Interface, specs := Specs} = Declarations) ->
    Scope = erlconcolic_type_forms:scope(Own, Declarations),
    [clause(Function, Number, Parts, Scope)
     || {_, Arity} = Function <- Interface,
        {Number, Form} <- numbered(maps:get(Function, Specs)),
        Unified <- [erlconcolic_own_types:unified(Form, Own, Declarations)],
        {ok, _, _, _} = Parts
            <- [erlconcolic_type_forms:clause(Unified, Arity)]].

-spec numbered([form()]) -> [{pos_integer(), form()}].
numbered(Clauses) ->
    lists:zip(lists:seq(1, length(Clauses)), Clauses).

-spec clause(erlconcolic_type_forms:name(), pos_integer(), tuple(),
             erlconcolic_type_forms:scope()) -> #clause{}.
clause(Function, Number, {ok, Arguments, Result, Constraints}, Scope) ->
    Within = erlconcolic_type_forms:within(Constraints, Scope),
    #clause{function = Function, number = Number, arguments = Arguments,
            constraints = Constraints,
            made = erlconcolic_made_values:find(Result, Within)}.

%% Reads the types of a clause, with values for the variables that are
%% parameters of what it makes.
-spec read(#clause{}, {Parameters :: [form()], [id()]}, declarations(),
           reader()) -> {#read{}, reader()}.
read(#clause{arguments = Arguments, made = #{values := Values}} = Clause,
     {Parameters, Ids}, #{module := Module} = Declarations, Reader) ->
    #clause{function = Function, number = Number, constraints = Constraints} =
        Clause,
    Variables = erlconcolic_type_reader:variables(
        #{function => Function, clause => Number, parameters => Parameters,
          constraints => Constraints}, Module, Ids),
    Scope = erlconcolic_type_reader:scope(Declarations, Variables),
    {ArgumentIds, Read} = erlconcolic_type_reader:types(Arguments, Scope,
                                                        Reader),
    {ValueIds, After} = lists:mapfoldl(
        fun({Type, Forms}, Before) ->
                {Of, Reading} = erlconcolic_type_reader:types(Forms, Scope,
                                                              Before),
                {{Type, lists:zipwith(fun(Form, Id) ->
                                              parameter(Form, Id, Arguments)
                                      end, Forms, Of)}, Reading}
        end, Read, Values),
    {#read{clause = Clause, arguments = ArgumentIds, values = ValueIds}, After}.

%% A function without arguments has nothing to put into what it makes.
-spec parameter(form(), id(), Arguments :: [form()]) -> id() | every.
parameter({type, _, none, []}, _Id, _Arguments) -> every;
parameter({var, _, _}, _Id, []) -> every;
parameter(_Form, Id, _Arguments) -> Id.

%% Adds clauses that make what others want: a function that makes a `t(X)' for
%% any X makes a `t(integer())' if it is given integers.
-spec with_parameters([#read{}], Done :: [referred()], declarations(),
                      reader()) -> {[#read{}], reader()}.
with_parameters(Read, Done, Declarations, Reader) ->
    Referred = erlconcolic_type_reader:referred(Reader),
    {Any, Known} = erlconcolic_type_reader:any(Reader),
    IsNew = fun({_, Ids} = It) ->
                    lists:any(fun(Id) -> Id =/= Any end, Ids)
                        andalso not lists:member(It, Done)
            end,
    case lists:filter(IsNew, in_order(Referred)) of
        [Wanted | _] when length(Done) < ?MOST_REFERRED ->
            Clauses = lists:usort([It#read.clause || It <- Read]),
            {More, After} = lists:mapfoldl(
                fun(Clause, Before) ->
                        made_for(Wanted, Clause, Declarations, Before)
                end, Known, Clauses),
            with_parameters(Read ++ lists:append(More), [Wanted | Done],
                            Declarations, After);
        _ ->
            {Read, Known}
    end.

-spec in_order(#{referred() => pos_integer()}) -> [referred()].
in_order(Referred) ->
    [It || {_, It} <- lists:sort([{Number, It}
                                  || {It, Number} <- maps:to_list(Referred)])].

-spec made_for(referred(), #clause{}, declarations(), reader()) ->
    {[#read{}], reader()}.
made_for({Type, Ids}, #clause{made = #{values := Values}} = Clause,
         Declarations, Reader) ->
    case [Parameters || {Made, Parameters} <- Values, Made =:= Type,
                        lists:any(fun is_variable/1, Parameters)] of
        [Parameters | _] ->
            {Read, After} = read(Clause, {Parameters, Ids}, Declarations,
                                 Reader),
            {[Read || lists:member({Type, Ids}, Read#read.values)], After};
        [] ->
            {[], Reader}
    end.

-spec is_variable(form()) -> boolean().
is_variable({var, _, _}) -> true;
is_variable(_Other) -> false.

-spec answer([#read{}], reader()) -> answer().
answer(Read, Reader) ->
    {Any, Known} = erlconcolic_type_reader:any(Reader),
    Referred = erlconcolic_type_reader:referred(Known),
    Calls = [{It, call(It, Any, Referred)} || It <- Read],
    Useful = [Pair || {_, Call} = Pair <- Calls, is_useful(Call, Calls)],
    Finished = erlconcolic_type_reader:finish(
        [It#read.arguments || {It, _} <- Useful], Known),
    Finished#{calls => [Call || {_, Call} <- Useful]}.

-spec call(#read{}, Any :: id(), #{referred() => pos_integer()}) -> call().
call(#read{clause = Clause, values = Values}, Any, Referred) ->
    #clause{function = {Name, _}, made = Made} = Clause,
    #{patterns := Patterns, excluded := Excluded} = Made,
    #{function => Name, patterns => Patterns, excluded => Excluded,
      values => [good_for(Value, Any, Referred) || Value <- Values]}.

%% A value is good for the same type, and for one with any parameters.
-spec good_for(value(), Any :: id(), #{referred() => pos_integer()}) ->
    [pos_integer()].
good_for({Type, Ids}, Any, Referred) ->
    lists:sort([Number
                || {{Wanted, Parameters}, Number} <- maps:to_list(Referred),
                   Wanted =:= Type,
                   lists:all(fun({Parameter, Id}) ->
                                     Parameter =:= Any orelse Parameter =:= Id
                                         orelse Id =:= every
                             end, lists:zip(Parameters, Ids))]).

%% A clause that makes values which nobody wants is left out if there is the
%% same for others.
-spec is_useful(call(), [{#read{}, call()}]) -> boolean().
is_useful(#{values := Values} = Call, Calls) ->
    IsGood = fun(#{values := Good}) -> lists:append(Good) =/= [] end,
    Values =:= [] orelse IsGood(Call)
        orelse not lists:any(fun({_, Other}) ->
                                     is_alike(Call, Other) andalso IsGood(Other)
                             end, Calls).

-spec is_alike(call(), call()) -> boolean().
is_alike(Call, Other) ->
    maps:without([values], Call) =:= maps:without([values], Other).
