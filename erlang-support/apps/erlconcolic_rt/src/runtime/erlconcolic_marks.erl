%%% Values as bytes that are the same in every run: pids, references and ports
%%% are replaced by canonical ones of a node that does not exist. A process that
%%% is controlled has its index as its number, all others are numbered as they
%%% appear in the run.
%%%
%%% The numbers are in the process dictionary while the process of the entry
%%% function is alone, and in a table of the run from the first spawn on.
-module(erlconcolic_marks).

-include("erlconcolic_keys.hrl").

-export([prepare/0, bytes/1, share/1, join/1]).
-export([add/2, add_timer/2, timer/2, processes/1]).

-type table() :: ets:tid().
-type kind() :: pid | reference | port.
-type key() :: {kind(), Identity :: binary()}.

%% Under the name of a kind is its next number.
-type numbers() :: #{key() | kind() => non_neg_integer()}.

%% Tags of the external term format.
-define(PID, 88).
-define(PORT, 89).
-define(LONG_PORT, 120).
-define(REFERENCE, 90).
-define(ATOM, 119).

%% No term with a pid, reference or port is shorter.
-define(SHORTEST, 24).

%% Processes that are not controlled have numbers from this one on.
-define(FIRST_FOREIGN, 1000000).

%% References of timers have numbers from this one on.
-define(FIRST_TIMER, 1000000).

-define(NODE, "erlconcolic@run").

%% Keeps the name of this node, and compiles the pattern that bytes are searched
%% for.
-spec prepare() -> ok.
prepare() ->
    case persistent_term:get(?MODULE, none) of
        none ->
            Own = atom_to_binary(node()),
            persistent_term:put(?MODULE, {Own, binary:compile_pattern(Own)});
        _ ->
            ok
    end.

%% The external format of a term.
-spec bytes(term()) -> binary().
bytes(Pid) when is_pid(Pid) ->
    case number_of(Pid, get(?MARKS)) of
        {ok, Number} -> <<131, ?PID, ?ATOM, (length(?NODE)), ?NODE,
                          (marked(?PID, 12, Number))/binary>>;
        error -> any_bytes(Pid)
    end;
bytes([]) ->
    <<131, 106>>;
bytes(Term) ->
    any_bytes(Term).

%% The number of a process that is controlled.
-spec number_of(pid(), table() | numbers() | undefined) ->
    {ok, non_neg_integer()} | error.
number_of(_Pid, undefined) ->
    error;
number_of(_Pid, Numbers) when is_map(Numbers) ->
    error;
number_of(Pid, Table) ->
    case ets:lookup(Table, Pid) of
        [{_, Number}] -> {ok, Number};
        [] -> error
    end.

-spec any_bytes(term()) -> binary().
any_bytes(Term) ->
    Bytes = term_to_binary(Term, [{minor_version, 2}]),
    case byte_size(Bytes) >= ?SHORTEST andalso names_own_node(Bytes) of
        true -> canonical(Bytes);
        false -> Bytes
    end.

%% Every pid, reference and port of this node has its name.
-spec names_own_node(binary()) -> boolean().
names_own_node(Bytes) ->
    Pattern = case persistent_term:get(?MODULE, none) of
                  none -> own_node();
                  {_, Compiled} -> Compiled
              end,
    binary:match(Bytes, Pattern) =/= nomatch.

-spec own_node() -> binary().
own_node() ->
    case persistent_term:get(?MODULE, none) of
        none -> atom_to_binary(node());
        {Own, _} -> Own
    end.

%% Moves the numbers of this process to the table of the run.
-spec share(table()) -> ok.
share(Table) ->
    Numbers = #{} = numbers(),
    true = ets:insert(Table, maps:to_list(Numbers)),
    join(Table).

%% Uses the table of the run.
-spec join(table()) -> ok.
join(Table) ->
    put(?MARKS, Table),
    ok.

%% Gives a process its number.
-spec add(pid(), non_neg_integer()) -> ok.
add(Pid, Number) ->
    true = ets:insert(get(?MARKS), {Pid, Number}),
    ok.

%% Gives the reference of a timer a number that tells the one of its process.
-spec add_timer(reference(), pid()) -> ok.
add_timer(Reference, Pid) ->
    Table = get(?MARKS),
    {ok, Number} = number_of(Pid, Table),
    true = ets:insert(Table, [{reference_key(Reference), ?FIRST_TIMER + Number},
                              {Reference, Pid}]),
    ok.

%% The process of a timer.
-spec timer(reference(), table()) -> {ok, pid()} | error.
timer(Reference, Table) ->
    case ets:lookup(Table, Reference) of
        [{_, Pid}] -> {ok, Pid};
        [] -> error
    end.

%% The processes that have a number because they were spawned.
-spec processes(table()) -> [pid()].
processes(Table) ->
    [Pid || {Pid, _} <- ets:tab2list(Table), is_pid(Pid)].

-spec key(pid()) -> key().
key(Pid) ->
    <<131, ?PID, ?ATOM, Size, _:Size/binary, Identity/binary>> =
        term_to_binary(Pid, [{minor_version, 2}]),
    {pid, Identity}.

-spec reference_key(reference()) -> key().
reference_key(Reference) ->
    <<131, ?REFERENCE, _Words:16, ?ATOM, Size, _:Size/binary,
      Identity/binary>> = term_to_binary(Reference, [{minor_version, 2}]),
    {reference, Identity}.

%% The process of the entry function has number 0.
-spec numbers() -> numbers() | table().
numbers() ->
    case get(?MARKS) of
        undefined -> new_numbers();
        Numbers -> Numbers
    end.

-spec new_numbers() -> numbers().
new_numbers() ->
    Counters = #{pid => ?FIRST_FOREIGN, reference => 0, port => 0},
    case get(?LEASE) of
        undefined -> Counters;
        _ -> Counters#{key(self()) => 0}
    end.

-spec number(kind(), binary()) -> non_neg_integer().
number(Kind, Identity) ->
    Key = {Kind, Identity},
    case numbers() of
        #{Key := Number} ->
            Number;
        #{Kind := Number} = Numbers ->
            put(?MARKS, Numbers#{Key => Number, Kind := Number + 1}),
            Number;
        Table ->
            number_in(Table, Kind, Key)
    end.

-spec number_in(table(), kind(), key()) -> non_neg_integer().
number_in(Table, Kind, Key) ->
    case ets:lookup(Table, Key) of
        [{_, Number}] ->
            Number;
        [] ->
            Number = case spawned(Table, Key) of
                         [{_, Given}] -> Given;
                         [] -> ets:update_counter(Table, Kind, 1) - 1
                     end,
            true = ets:insert(Table, {Key, Number}),
            Number
    end.

%% A process that was spawned has its number under its pid.
-spec spawned(table(), key()) -> [{pid(), non_neg_integer()}].
spawned(Table, {pid, Identity}) ->
    Own = own_node(),
    Pid = binary_to_term(<<131, ?PID, ?ATOM, (byte_size(Own)), Own/binary,
                           Identity/binary>>),
    ets:lookup(Table, Pid);
spawned(_Table, _Key) ->
    [].

%% Bytes that are not understood stay as they are.
-spec canonical(binary()) -> binary().
canonical(<<131, Bytes/binary>> = All) ->
    try terms(1, Bytes, <<131>>) of
        {Canonical, <<>>} -> Canonical
    catch
        throw:unknown -> All
    end.

%% Copies so many terms. A term with parts counts as its parts.
-spec terms(non_neg_integer(), binary(), binary()) -> {binary(), binary()}.
terms(0, Rest, Done) ->
    {Done, Rest};
terms(Count, <<Tag, Rest/binary>>, Done) ->
    case Tag of
        97 -> copy(Count, 1, Tag, Rest, Done);
        98 -> copy(Count, 4, Tag, Rest, Done);
        70 -> copy(Count, 8, Tag, Rest, Done);
        106 -> copy(Count, 0, Tag, Rest, Done);
        ?ATOM -> sized(Count, 1, 0, Tag, Rest, Done);
        118 -> sized(Count, 2, 0, Tag, Rest, Done);
        107 -> sized(Count, 2, 0, Tag, Rest, Done);
        109 -> sized(Count, 4, 0, Tag, Rest, Done);
        77 -> sized(Count, 4, 1, Tag, Rest, Done);
        110 -> sized(Count, 1, 1, Tag, Rest, Done);
        111 -> sized(Count, 4, 1, Tag, Rest, Done);
        104 -> parts(Count, 8, 1, 0, Tag, Rest, Done);
        105 -> parts(Count, 32, 1, 0, Tag, Rest, Done);
        108 -> parts(Count, 32, 1, 1, Tag, Rest, Done);
        116 -> parts(Count, 32, 2, 0, Tag, Rest, Done);
        113 -> terms(Count + 2, Rest, <<Done/binary, Tag>>);
        112 -> a_fun(Count, Rest, Done);
        ?PID -> identity(Count, Tag, pid, 0, 12, Rest, Done);
        ?PORT -> identity(Count, Tag, port, 0, 8, Rest, Done);
        ?LONG_PORT -> identity(Count, Tag, port, 0, 12, Rest, Done);
        ?REFERENCE ->
            <<Words:16, _/binary>> = Rest,
            identity(Count, Tag, reference, 2, 4 + 4 * Words, Rest, Done);
        _ -> throw(unknown)
    end.

%% A term of so many bytes.
-spec copy(pos_integer(), non_neg_integer(), byte(), binary(), binary()) ->
    {binary(), binary()}.
copy(Count, Size, Tag, Bytes, Done) ->
    <<Term:Size/binary, Rest/binary>> = Bytes,
    terms(Count - 1, Rest, <<Done/binary, Tag, Term/binary>>).

%% A term that begins with the number of its bytes, without so many others.
-spec sized(pos_integer(), 1..4, 0..1, byte(), binary(), binary()) ->
    {binary(), binary()}.
sized(Count, SizeOfSize, More, Tag, Bytes, Done) ->
    <<Size:SizeOfSize/unit:8, _/binary>> = Bytes,
    copy(Count, SizeOfSize + Size + More, Tag, Bytes, Done).

%% A term that begins with the number of its parts.
-spec parts(pos_integer(), 8 | 32, 1..2, 0..1, byte(), binary(), binary()) ->
    {binary(), binary()}.
parts(Count, Bits, Each, More, Tag, Bytes, Done) ->
    <<Parts:Bits, Rest/binary>> = Bytes,
    terms(Count - 1 + Each * Parts + More, Rest,
          <<Done/binary, Tag, Parts:Bits>>).

%% The pid of a fun is that of the process that made it.
-spec a_fun(pos_integer(), binary(), binary()) -> {binary(), binary()}.
a_fun(Count, Bytes, Done) ->
    <<_Size:32, Head:21/binary, Free:32, Parts/binary>> = Bytes,
    {Fun, Rest} = terms(4 + Free, Parts, <<Head/binary, Free:32>>),
    terms(Count - 1, Rest,
          <<Done/binary, 112, (4 + byte_size(Fun)):32, Fun/binary>>).

%% A pid, reference or port: so many bytes, its node, and what it is there.
-spec identity(pos_integer(), byte(), kind(), 0..2, pos_integer(), binary(),
               binary()) -> {binary(), binary()}.
identity(Count, Tag, Kind, Before, Size, Bytes, Done) ->
    Own = own_node(),
    Length = byte_size(Own),
    case Bytes of
        <<Head:Before/binary, ?ATOM, Length, Own:Length/binary,
          Identity:Size/binary, Rest/binary>> ->
            Canonical = marked(Tag, Size, number(Kind, Identity)),
            terms(Count - 1, Rest,
                  <<Done/binary, Tag, Head/binary, ?ATOM,
                    (length(?NODE)), ?NODE, Canonical/binary>>);
        <<Head:Before/binary, ?ATOM, Other, Node:Other/binary,
          Identity:Size/binary, Rest/binary>> ->
            terms(Count - 1, Rest,
                  <<Done/binary, Tag, Head/binary, ?ATOM, Other, Node/binary,
                    Identity/binary>>);
        _ ->
            throw(unknown)
    end.

%% The number in the place of an identity of this size.
-spec marked(byte(), pos_integer(), non_neg_integer()) -> binary().
marked(?LONG_PORT, _Size, Number) -> <<Number:64, 0:32>>;
marked(?REFERENCE, Size, Number) -> <<0:32, Number:32, 0:((Size - 8) * 8)>>;
marked(_Tag, Size, Number) -> <<Number:32, 0:((Size - 4) * 8)>>.
