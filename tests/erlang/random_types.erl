%% Specs, types and records of modules, from their abstract code.
%%
%% The abstract code comes from the debug information of the beam, or from the
%% source next to it. A table keeps it until
%% `close/0'. A module with neither has no types.
-module(random_types).

-export([open/0, close/0, specs/3, type/3, types/1, record/2, records/1]).
-export([height/2]).

-export_type([type/0, field/0]).

%% A type in abstract code.
-type type() :: erl_parse:abstract_type() | term().

-type field() :: {Name :: atom(), type()}.

-define(ENDLESS, 50).

-spec open() -> ok.
open() ->
    ?MODULE = ets:new(?MODULE, [named_table, public]),
    ok.

-spec close() -> ok.
close() ->
    true = ets:delete(?MODULE),
    ok.

%% The clauses of the spec of a function, none if it has no spec.
-spec specs(module(), atom(), arity()) -> [type()].
specs(Module, Name, Arity) ->
    lookup({spec, Module, Name, Arity}, Module, []).

-spec type(module(), atom(), arity()) -> {[atom()], type()} | none.
type(Module, Name, Arity) ->
    lookup({type, Module, Name, Arity}, Module, none).

%% All types that a module declares.
-spec types(module()) -> [{{Name :: atom(), arity()}, {[atom()], type()}}].
types(Module) ->
    ok = read(Module),
    [{{Name, Arity}, Type}
     || [Name, Arity, Type]
            <- ets:match(?MODULE, {{type, Module, '$1', '$2'}, '$3'})].

-spec records(module()) -> [{Name :: atom(), [field()]}].
records(Module) ->
    ok = read(Module),
    [{Name, Fields}
     || [Name, Fields] <- ets:match(?MODULE, {{record, Module, '$1'}, '$2'})].

-spec record(module(), atom()) -> [field()] | none.
record(Module, Name) ->
    lookup({record, Module, Name}, Module, none).

%% The approximate depth of the smallest term of a type: 0 for leaves and types
%% that can be empty. Type variables count as leaves.
-spec height(type(), module()) -> non_neg_integer().
height({type, _, union, Types}, Module) ->
    lists:min([height(Type, Module) || Type <- Types]);
height({type, _, tuple, Types}, Module) when is_list(Types), Types =/= [] ->
    1 + heights(Types, Module);
height({type, _, nonempty_list, Types}, Module) ->
    1 + heights(Types, Module);
height({type, _, nonempty_improper_list, Types}, Module) ->
    1 + heights(Types, Module);
height({type, _, map, Pairs}, Module) when is_list(Pairs) ->
    1 + heights([Type || {type, _, map_field_exact, Types} <- Pairs,
                         Type <- Types], Module);
height({type, _, record, [{atom, _, Name} | _]}, Module) ->
    named_height({record, Module, Name}, Module, record(Module, Name));
height({ann_type, _, [_, Type]}, Module) ->
    height(Type, Module);
height({paren_type, _, [Type]}, Module) ->
    height(Type, Module);
height({user_type, _, Name, Arguments}, Module) ->
    Arity = length(Arguments),
    named_height({type, Module, Name, Arity}, Module,
                 type(Module, Name, Arity));
height({remote_type, _, [{atom, _, Module}, {atom, _, Name}, Arguments]}, _) ->
    Arity = length(Arguments),
    named_height({type, Module, Name, Arity}, Module,
                 type(Module, Name, Arity));
height(_, _) ->
    0.

-spec heights([type()], module()) -> non_neg_integer().
heights(Types, Module) ->
    lists:max([0 | [height(Type, Module) || Type <- Types]]).

%% A type that is reached again while its own height is computed cannot lead to
%% its smallest term.
-spec named_height(term(), module(), term()) -> non_neg_integer().
named_height(_, _, none) ->
    0;
named_height(Key, Module, Definition) ->
    case ets:lookup(?MODULE, {height, Key}) of
        [{_, Height}] ->
            Height;
        [] ->
            true = ets:insert(?MODULE, {{height, Key}, ?ENDLESS}),
            Height = definition_height(Definition, Module),
            true = ets:insert(?MODULE, {{height, Key}, Height}),
            Height
    end.

-spec definition_height({[atom()], type()} | [field()], module()) ->
          non_neg_integer().
definition_height({_, Type}, Module) ->
    height(Type, Module);
definition_height(Fields, Module) ->
    1 + heights([Type || {_, Type} <- Fields], Module).

-spec lookup(term(), module(), Default) -> term() | Default.
lookup(Key, Module, Default) ->
    ok = read(Module),
    case ets:lookup(?MODULE, Key) of
        [{_, Value}] -> Value;
        [] -> Default
    end.

-spec read(module()) -> ok.
read(Module) ->
    case ets:insert_new(?MODULE, {{read, Module}, true}) of
        true -> lists:foreach(fun(Form) -> store(Module, Form) end,
                              forms(Module));
        false -> ok
    end.

-spec store(module(), term()) -> ok.
store(Module, {attribute, _, Kind, {Name, Type, Parameters}})
  when Kind =:= type; Kind =:= opaque ->
    Names = [Variable || {var, _, Variable} <- Parameters],
    insert({type, Module, Name, length(Names)}, {Names, Type});
store(Module, {attribute, _, spec, {{Name, Arity}, Clauses}}) ->
    insert({spec, Module, Name, Arity}, Clauses);
store(_, {attribute, _, spec, {{Module, Name, Arity}, Clauses}}) ->
    insert({spec, Module, Name, Arity}, Clauses);
store(Module, {attribute, _, record, {Name, Fields}}) ->
    insert({record, Module, Name}, [field(Field) || Field <- Fields]);
store(_, _) ->
    ok.

-spec insert(term(), term()) -> ok.
insert(Key, Value) ->
    true = ets:insert(?MODULE, {Key, Value}),
    ok.

-spec field(term()) -> field().
field({typed_record_field, Field, Type}) ->
    {Name, _} = field(Field),
    {Name, Type};
field({record_field, Anno, {atom, _, Name}}) ->
    {Name, {type, Anno, any, []}};
field({record_field, Anno, {atom, _, Name}, _Default}) ->
    {Name, {type, Anno, any, []}}.

-spec forms(module()) -> [term()].
forms(Module) ->
    case beam_file(Module) of
        none ->
            [];
        File ->
            case beam_lib:chunks(File, [abstract_code]) of
                {ok, {_, [{abstract_code, {raw_abstract_v1, Forms}}]}} ->
                    Forms;
                _ ->
                    source_forms(Module, filename:dirname(File))
            end
    end.

%% Preloaded modules have their beams next to those of the other applications.
-spec beam_file(module()) -> file:filename() | none.
beam_file(Module) ->
    Name = atom_to_list(Module) ++ ".beam",
    Files = [File || File <- [code:where_is_file(Name) | preloaded(Name)],
                     is_list(File), filelib:is_regular(File)],
    case Files of
        [File | _] -> File;
        [] -> none
    end.

-spec preloaded(string()) -> [file:filename()].
preloaded(Name) ->
    filelib:wildcard(filename:join([code:lib_dir(), "erts-*", "ebin", Name])).

-spec source_forms(module(), file:filename()) -> [term()].
source_forms(Module, Ebin) ->
    App = filename:dirname(Ebin),
    Source = filename:join([App, "src", atom_to_list(Module) ++ ".erl"]),
    Includes = [filename:join(App, "src"), filename:join(App, "include")],
    case epp:parse_file(Source, [{includes, Includes}]) of
        {ok, Forms} -> Forms;
        {error, _} -> []
    end.
