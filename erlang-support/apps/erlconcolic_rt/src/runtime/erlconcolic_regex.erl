%%% Regular expressions for the model of `re', which is followed. What depends
%%% on a pattern alone is computed here, in code that is not followed: how it
%%% reads, and what is in its sets. The real `re' says whether it is valid.
%%%
%%% A compiled pattern does not have its text, so its plan is remembered. One
%%% that comes from elsewhere is not understood.
-module(erlconcolic_regex).

-export([compile/2, plan/2]).

-export_type([plan/0]).

-type plan() :: {plan,
                 erlconcolic_regex_parser:alternatives(),
                 Groups :: non_neg_integer(),
                 Names :: [{binary(), pos_integer()}],
                 bytes | unicode,
                 IsAnchored :: boolean(),
                 rules()}.

%% What depends on the release. Whether a search for all matches looks again
%% where it found an empty one, for a longer one, if this is not where it began
%% to look; and what an empty subject is split into.
-type rules() :: {skip | again, Split :: [binary()]}.

%% Options of patterns that are understood.
-define(OPTIONS, [unicode, caseless, dotall, multiline, extended, ungreedy,
                  dollar_endonly, anchored]).

%% As re:compile/2.
-spec compile(term(), term()) -> term().
compile(Pattern, Options) ->
    case re:compile(Pattern, Options) of
        {ok, Compiled} = Result ->
            ok = erlconcolic_patterns:remember(Compiled,
                                               parsed(Pattern, Options)),
            Result;
        Error ->
            Error
    end.

%% How a pattern is matched.
-spec plan(term(), [term()]) -> plan() | invalid | unknown.
plan(Pattern, Options) when element(1, Pattern) =:= re_pattern ->
    case erlconcolic_patterns:find(Pattern) of
        {ok, Plan} when Options =:= [] -> Plan;
        _ -> unknown
    end;
plan(Pattern, Options) ->
    Key = {Pattern, Options},
    case erlconcolic_patterns:find(Key) of
        {ok, Plan} ->
            Plan;
        unknown ->
            Plan = new_plan(Pattern, Options),
            ok = erlconcolic_patterns:remember(Key, Plan),
            Plan
    end.

-spec new_plan(term(), [term()]) -> plan() | invalid | unknown.
new_plan(Pattern, Options) ->
    try re:compile(Pattern, Options) of
        {ok, _} -> parsed(Pattern, Options);
        {error, _} -> invalid
    catch
        error:_ -> unknown
    end.

-spec parsed(term(), [term()]) -> plan() | unknown.
parsed(Pattern, Options) ->
    Encoding = case lists:member(unicode, Options) of
                   true -> unicode;
                   false -> bytes
               end,
    case Options -- ?OPTIONS =:= [] andalso
        erlconcolic_regex_parser:parse(text(Pattern, Encoding), Options) of
        {ok, #{program := Program, groups := Groups, names := Names}} ->
            IsAnchored = lists:member(anchored, Options)
                orelse is_anchored(Program),
            {plan, Program, Groups, lists:sort(maps:to_list(Names)), Encoding,
             IsAnchored, rules()};
        _ ->
            unknown
    end.

-spec text(term(), bytes | unicode) -> [char()].
text(Pattern, bytes) -> binary_to_list(iolist_to_binary(Pattern));
text(Pattern, unicode) -> unicode:characters_to_list(Pattern, unicode).

%% Whether a match can only begin where the search does.
-spec is_anchored(erlconcolic_regex_parser:alternatives()) -> boolean().
is_anchored(Alternatives) ->
    lists:all(fun begins_anchored/1, Alternatives).

-spec begins_anchored([erlconcolic_regex_parser:node_()]) -> boolean().
begins_anchored([start | _]) -> true;
begins_anchored([{group, _, Alternatives} | _]) -> is_anchored(Alternatives);
begins_anchored([{either, Alternatives} | _]) -> is_anchored(Alternatives);
begins_anchored([{atomic, Alternatives} | _]) -> is_anchored(Alternatives);
begins_anchored(_) -> false.

-spec rules() -> rules().
rules() ->
    AfterEmpty = case re:run("ba", "(?=a)|a", [global]) of
                     {match, [_]} -> skip;
                     {match, [_, _]} -> again
                 end,
    {AfterEmpty, re:split(<<>>, "a", [{return, binary}])}.
