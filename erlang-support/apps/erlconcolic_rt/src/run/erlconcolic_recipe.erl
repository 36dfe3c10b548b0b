%%% Recipes: terms that stand for values of opaque types. Such a value is not
%%% made up but made by calls, so that every program can have it.
%%%
%%% A recipe is a tuple {Tag, Argument...}. The tag is an atom that nobody else
%%% writes; it names a function, and which value is meant:
%%%
%%% value        what the function returns
%%% ok           Value, if it returns {ok, Value}
%%% {effect, N}  its argument number N, after the call changed it
%%%
%%% Arguments may contain recipes too.
-module(erlconcolic_recipe).

-export([tag/3, reference_tag/1, build/2]).

-export_type([kind/0, form/0, excluded/0]).

-type kind() :: value | ok | {effect, N :: pos_integer()}.

%% Some results of a function: atoms, an atom, `[]', or tuples of some size that
%% begin with an atom.
-type form() :: atom | {atom, atom()} | nil | {tagged, atom(), pos_integer()}.

%% What functions may return that is no value of the type, by the tag of their
%% recipes.
-type excluded() :: [{Tag :: atom(), [form()]}].

%% Between the parts of a tag.
-define(SEPARATOR, "\x{1f}").
-define(PREFIX, "$erlconcolic_").
-define(MOST_CHARACTERS, 255).

%% The tag of the recipes that call a function; none if its names are too odd.
-spec tag(kind(), module(), Function :: atom()) -> {ok, atom()} | none.
tag(Kind, Module, Function) ->
    Names = [atom_to_list(Module), atom_to_list(Function)],
    Parts = [?PREFIX ++ kind_text(Kind) | Names],
    Text = lists:append(lists:join(?SEPARATOR, Parts)),
    IsOdd = length(Text) > ?MOST_CHARACTERS
        orelse lists:any(fun(Name) -> lists:member(hd(?SEPARATOR), Name) end,
                         Names),
    case IsOdd of
        true -> none;
        false -> {ok, list_to_atom(Text)}
    end.

%% The tag of references to values that calls of a sequence make; they are no
%% recipes.
-spec reference_tag(Type :: pos_integer()) -> atom().
reference_tag(Type) ->
    list_to_atom(?PREFIX "made" ?SEPARATOR ++ integer_to_list(Type)).

-spec kind_text(kind()) -> string().
kind_text(value) -> "value";
kind_text(ok) -> "ok";
kind_text({effect, Number}) -> "effect" ++ integer_to_list(Number).

%% Decodes a term and makes the values of its recipes. Exits if that is not
%% possible.
-spec build(erlconcolic_table_fun:wire(), excluded()) -> term().
build(Wire, Excluded) ->
    try
        erlconcolic_table_fun:from_wire(Wire, fun(Tuple) ->
            made(Tuple, Excluded)
        end)
    catch
        _:_ -> exit(erlconcolic_rejected)
    end.

-spec made(tuple(), excluded()) -> term().
made(Tuple, Excluded)
  when tuple_size(Tuple) > 0, is_atom(element(1, Tuple)) ->
    case atom_to_list(element(1, Tuple)) of
        ?PREFIX ++ Rest ->
            made(string:split(Rest, ?SEPARATOR, all), Tuple, Excluded);
        _ ->
            Tuple
    end;
made(Tuple, _Excluded) ->
    Tuple.

-spec made([string()], tuple(), excluded()) -> term().
made([Kind, Module, Function], Tuple, Excluded) ->
    [Tag | Args] = tuple_to_list(Tuple),
    Result = call(list_to_atom(Module), list_to_atom(Function), Args),
    Not = proplists:get_value(Tag, Excluded, []),
    false = lists:any(fun(Form) -> has_form(Form, Result) end, Not),
    result(Kind, Result, Args);
made(_Other, Tuple, _Excluded) ->
    Tuple.

-spec has_form(form(), term()) -> boolean().
has_form(atom, Result) -> is_atom(Result);
has_form({atom, Atom}, Result) -> Result =:= Atom;
has_form(nil, Result) -> Result =:= [];
has_form({tagged, Tag, Size}, Result) ->
    is_tuple(Result) andalso tuple_size(Result) =:= Size
        andalso element(1, Result) =:= Tag.

-spec result(Kind :: string(), term(), [term()]) -> term().
result("value", Value, _Args) ->
    Value;
result("ok", {ok, Value}, _Args) ->
    Value;
result("effect" ++ Number, _Result, Args) ->
    lists:nth(list_to_integer(Number), Args).

-spec call(module(), atom(), [term()]) -> term().
call(Module, Function, Args) ->
    ok = erlconcolic_out:check(Module, Function, Args),
    erlconcolic_out:unlogged(fun() ->
        erlconcolic_alias:call(Module, Function, Args)
    end).
