%% Reads INI files:
%%
%%     [server]
%%     name = www            ; values end at a comment,
%%     motto = "a; b"        ; unless they are in quotes
%%
%% becomes #{<<"server">> => #{<<"name">> => <<"www">>,
%%                             <<"motto">> => <<"a; b">>}},
%% and lines before the first section belong to a section named <<>>.
%%
%% The bug is in value/1: it checks for empty values before it removes the
%% comment. The value without its comment may be empty, and has no last byte.
-module(ini).
-export([parse/1]).

-type section() :: #{binary() => binary()}.
-type config() :: #{binary() => section()}.
-type reason() :: no_name | no_equals_sign | no_closing_bracket |
                  no_closing_quote | behind_quotes | {bad_name, binary()}.

-record(state, {
    line = 1 :: pos_integer(),
    section = <<>> :: binary(),
    config = #{<<>> => #{}} :: config()
}).

-define(is_blank(C), (C =:= $\s orelse C =:= $\t orelse C =:= $\r)).
-define(is_name(C),
        (C >= $a andalso C =< $z orelse C >= $A andalso C =< $Z orelse
         C >= $0 andalso C =< $9 orelse C =:= $_ orelse C =:= $-)).

%% The contents of a file, or the first invalid line.
-spec parse(binary()) -> {ok, config()} | {error, {pos_integer(), reason()}}.
parse(File) ->
    lines(binary:split(File, <<"\n">>), #state{}).

lines([Line | Rest], #state{line = Number} = State) ->
    case {line(trim_left(Line), State), Rest} of
        {{error, Reason}, _} ->
            {error, {Number, Reason}};
        {{ok, #state{config = Config}}, []} ->
            {ok, Config};
        {{ok, Next}, [More]} ->
            lines(binary:split(More, <<"\n">>), Next#state{line = Number + 1})
    end.

line(<<>>, State) ->
    {ok, State};
line(<<$;, _/binary>>, State) ->
    {ok, State};
line(<<$[, Rest/binary>>, State) ->
    case binary:split(Rest, <<"]">>) of
        [Name, _] -> section(Name, State);
        [_] -> {error, no_closing_bracket}
    end;
line(<<$=, _/binary>>, _) ->
    {error, no_name};
line(Line, State) ->
    case binary:split(Line, <<"=">>) of
        [Key, Value] -> entry(trim_right(Key), trim_left(Value), State);
        [_] -> {error, no_equals_sign}
    end.

%% A section can be continued later.
section(Name, #state{config = Config} = State) ->
    case is_name(Name) of
        true ->
            Section = maps:get(Name, Config, #{}),
            Changed = Config#{Name => Section},
            {ok, State#state{section = Name, config = Changed}};
        false ->
            {error, {bad_name, Name}}
    end.

entry(Key, Text, #state{section = Name, config = Config} = State) ->
    case {is_name(Key), value(Text)} of
        {true, {ok, Value}} ->
            #{Name := Section} = Config,
            Changed = Section#{Key => Value},
            {ok, State#state{config = Config#{Name := Changed}}};
        {false, _} ->
            {error, {bad_name, Key}};
        {true, {error, Reason}} ->
            {error, Reason}
    end.

is_name(<<>>) -> false;
is_name(Text) -> lists:all(fun(C) -> ?is_name(C) end, binary_to_list(Text)).

%% The value in a text that does not start with blanks.
value(<<>>) ->
    {ok, <<>>};
value(<<$", Rest/binary>>) ->
    case binary:split(Rest, <<"\"">>) of
        [Value, Behind] -> quoted(Value, trim_left(Behind));
        [_] -> {error, no_closing_quote}
    end;
value(Text) ->
    [Value | _] = binary:split(Text, <<";">>),
    {ok, trim_right(Value)}.

quoted(Value, <<>>) -> {ok, Value};
quoted(Value, <<$;, _/binary>>) -> {ok, Value};
quoted(_, _) -> {error, behind_quotes}.

trim_left(<<C, Rest/binary>>) when ?is_blank(C) -> trim_left(Rest);
trim_left(Text) -> Text.

%% For a text that does not only have blanks.
trim_right(Text) ->
    case binary:last(Text) of
        C when ?is_blank(C) ->
            trim_right(binary:part(Text, 0, byte_size(Text) - 1));
        _ ->
            Text
    end.
