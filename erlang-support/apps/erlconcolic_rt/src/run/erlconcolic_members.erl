%%% The controlled processes of a run, by index.
-module(erlconcolic_members).

-compile({no_auto_import, [size/1]}).

-export([new/0, add/2, get/2, update/3, index/2, index_at/2]).
-export([ready/1, waiting/1, living/1, all/1, size/1]).

-export_type([members/0, member/0, status/0, entry/0]).

-type index() :: non_neg_integer().

%% In the order of the spawns, as in a schedule.
-type path() :: [non_neg_integer(), ...].
-type entry() :: erlconcolic_initial_call:initial_call().

%% fresh      has not begun
%% ready      is about to take a step
%% waiting    finds no message, until its time on the gate's clock is over
%% polling    is about to take the step of a receive whose time is over
%% woken      was waiting or polling, and there may be a message
%% running    has the lease
%% outside    waits in foreign code
%% {ended, _} has ended in this way
-type status() ::
    fresh | ready | polling | {waiting, timeout(), Until :: timeout()}
  | woken | running | outside | {ended, term()}.

-type member() ::
    #{index := index(), pid := pid(), monitor := reference(), path := path(),
      entry := entry(), status := status(),
      %% What the answer to it must have.
      ref := reference() | none,
      %% The steps that it may take, as far as the gate knows.
      granted := non_neg_integer(),
      %% How many messages it had when they were counted last.
      messages := non_neg_integer(),
      %% The rest of its log, if it may be ended from outside.
      log := binary(),
      %% Where it waits, if it does.
      place := erlconcolic_lease:place(),
      %% Whether it is a timer, which waits for no message.
      is_timer := boolean()}.

-record(members,
        {by_index = #{} :: #{index() => member()},
         indices = [] :: ordsets:ordset(index()),
         %% Those that can go on.
         ready = [] :: ordsets:ordset(index()),
         pids = #{} :: #{pid() => index()},
         paths = #{} :: #{path() => index()}}).

-opaque members() :: #members{}.

-spec new() -> members().
new() ->
    #members{}.

-spec add(member(), members()) -> members().
add(#{index := Index, pid := Pid, path := Path} = Member, Members) ->
    #members{by_index = ByIndex, indices = Indices, ready = Ready, pids = Pids,
             paths = Paths} = Members,
    Members#members{by_index = ByIndex#{Index => Member},
                    indices = ordsets:add_element(Index, Indices),
                    ready = noted(Index, map_get(status, Member), Ready),
                    pids = Pids#{Pid => Index},
                    paths = Paths#{Path => Index}}.

-spec get(index(), members()) -> member().
get(Index, #members{by_index = ByIndex}) ->
    map_get(Index, ByIndex).

%% Replaces some of what is known of a process.
-spec update(index(), #{atom() => term()}, members()) -> members().
update(Index, #{status := Status} = News, Members) ->
    #members{by_index = ByIndex, ready = Ready} = Members,
    #{Index := Member} = ByIndex,
    Members#members{by_index = ByIndex#{Index := replace(News, Member)},
                    ready = noted(Index, Status, Ready)};
update(Index, News, #members{by_index = ByIndex} = Members) ->
    #{Index := Member} = ByIndex,
    Members#members{by_index = ByIndex#{Index := replace(News, Member)}}.

%% Most changes are of these.
-spec replace(#{atom() => term()}, member()) -> member().
replace(#{status := Status} = News, Member) when map_size(News) =:= 1 ->
    Member#{status := Status};
replace(#{granted := Granted} = News, Member) when map_size(News) =:= 1 ->
    Member#{granted := Granted};
replace(#{granted := Granted, status := Status} = News, Member)
  when map_size(News) =:= 2 ->
    Member#{granted := Granted, status := Status};
replace(#{granted := Granted, ref := Ref} = News, Member)
  when map_size(News) =:= 2 ->
    Member#{granted := Granted, ref := Ref};
replace(#{granted := Granted, ref := Ref, status := Status} = News, Member)
  when map_size(News) =:= 3 ->
    Member#{granted := Granted, ref := Ref, status := Status};
replace(News, Member) ->
    maps:merge(Member, News).

%% Those that can go on, after a process has come to a status.
-spec noted(index(), status(), ordsets:ordset(index())) ->
    ordsets:ordset(index()).
noted(Index, Status, Ready)
  when Status =:= fresh; Status =:= ready; Status =:= polling;
       Status =:= woken ->
    ordsets:add_element(Index, Ready);
noted(Index, _Status, Ready) ->
    ordsets:del_element(Index, Ready).

-spec index(term(), members()) -> {ok, index()} | error.
index(Pid, #members{pids = Pids}) ->
    maps:find(Pid, Pids).

-spec index_at(path(), members()) -> {ok, index()} | error.
index_at(Path, #members{paths = Paths}) ->
    maps:find(Path, Paths).

%% Those that can go on, the oldest first.
-spec ready(members()) -> [index()].
ready(#members{ready = Ready}) ->
    Ready.

%% Those that wait, and until when, the first first.
-spec waiting(members()) -> [{Until :: timeout(), index(), timeout()}].
waiting(#members{by_index = ByIndex}) ->
    lists:sort([{Until, Index, Time}
                || {Index, #{status := {waiting, Time, Until}}} <-
                       maps:to_list(ByIndex)]).

%% Those that have not ended.
-spec living(members()) -> [index()].
living(Members) ->
    [Index || #{index := Index, status := Status} <- all(Members),
              not is_tuple(Status) orelse element(1, Status) =/= ended].

-spec size(members()) -> non_neg_integer().
size(#members{by_index = ByIndex}) ->
    map_size(ByIndex).

-spec all(members()) -> [member()].
all(#members{by_index = ByIndex, indices = Indices}) ->
    [map_get(Index, ByIndex) || Index <- Indices].
