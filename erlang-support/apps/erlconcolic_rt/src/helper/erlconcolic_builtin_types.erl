%%% The meaning of the built-in types without arguments.
-module(erlconcolic_builtin_types).

-export([meaning/1]).

-type form() :: erlconcolic_declarations:form().

-define(IS_ANY(Name),
        (Name =:= any orelse Name =:= term orelse Name =:= dynamic)).
-define(IS_ATOM(Name),
        (Name =:= atom orelse Name =:= module orelse Name =:= node)).
-define(IS_NONE(Name), (Name =:= none orelse Name =:= no_return)).

%% The alternatives of a type, or an equal type.
-spec meaning(Name :: atom()) ->
    {alternatives, [erlconcolic_type_grammar:alternative()]}
  | {form, form()}
  | unknown.
meaning(Name) ->
    case alternatives(Name) of
        unknown -> with_parts(Name);
        Alternatives -> {alternatives, Alternatives}
    end.

-spec alternatives(atom()) ->
    [erlconcolic_type_grammar:alternative()] | unknown.
alternatives(Name) when ?IS_ANY(Name) -> [any];
alternatives(Name) when ?IS_NONE(Name) -> [];
alternatives(Name) when ?IS_ATOM(Name) -> [atom];
alternatives(boolean) -> [{atom, true}, {atom, false}];
alternatives(bool) -> alternatives(boolean);
alternatives(float) -> [float];
alternatives(number) -> [{integer, neg_inf, pos_inf}, float];
alternatives(timeout) -> [{atom, infinity}, {integer, 0, pos_inf}];
alternatives(nil) -> [nil];
alternatives(tuple) -> [tuple];
alternatives(map) -> [map];
alternatives(function) -> [function];
alternatives('fun') -> [function];
alternatives(identifier) -> [pid, port, reference];
alternatives(Name) when Name =:= pid; Name =:= port; Name =:= reference ->
    [Name];
alternatives(Name) ->
    case bitstring(Name) of
        unknown -> integer(Name);
        Bitstring -> Bitstring
    end.

-spec integer(atom()) -> [erlconcolic_type_grammar:alternative()] | unknown.
integer(integer) -> [{integer, neg_inf, pos_inf}];
integer(non_neg_integer) -> [{integer, 0, pos_inf}];
integer(pos_integer) -> [{integer, 1, pos_inf}];
integer(neg_integer) -> [{integer, neg_inf, -1}];
integer(byte) -> [{integer, 0, 16#ff}];
integer(arity) -> [{integer, 0, 16#ff}];
integer(char) -> [{integer, 0, 16#10ffff}];
integer(_Other) -> unknown.

-spec bitstring(atom()) -> [erlconcolic_type_grammar:alternative()] | unknown.
bitstring(binary) -> [{bitstring, 0, 8}];
bitstring(nonempty_binary) -> [{bitstring, 8, 8}];
bitstring(bitstring) -> [{bitstring, 0, 1}];
bitstring(nonempty_bitstring) -> [{bitstring, 1, 1}];
bitstring(_Other) -> unknown.

-spec with_parts(atom()) -> {form, form()} | unknown.
with_parts(Name) ->
    case parts(Name) of
        {Constructor, Parts} -> {form, type(Constructor, Parts)};
        unknown -> unknown
    end.

-spec parts(atom()) -> {Constructor :: atom(), Parts :: [form()]} | unknown.
parts(string) -> {list, [type(char)]};
parts(nonempty_string) -> {nonempty_list, [type(char)]};
parts(list) -> {list, [type(any)]};
parts(nonempty_list) -> {nonempty_list, [type(any)]};
parts(maybe_improper_list) ->
    {maybe_improper_list, [type(any), type(any)]};
parts(nonempty_improper_list) ->
    {nonempty_improper_list, [type(any), type(any)]};
parts(nonempty_maybe_improper_list) ->
    {nonempty_maybe_improper_list, [type(any), type(any)]};
parts(iolist) ->
    Elements = [type(byte), type(binary), type(iolist)],
    {maybe_improper_list,
     [type(union, Elements), type(union, [type(binary), type(nil)])]};
parts(iodata) -> {union, [type(iolist), type(binary)]};
parts(mfa) -> {tuple, [type(module), type(atom), type(arity)]};
parts(_Other) -> unknown.

-spec type(atom()) -> form().
type(Name) -> type(Name, []).

-spec type(atom(), [form()]) -> form().
type(Name, Arguments) -> {type, 0, Name, Arguments}.
