%%% The state of the gate of a run.

-type path() :: [non_neg_integer()].
-type index() :: non_neg_integer().
-type channel() :: {From :: index(), To :: index()}.

%% running  a process has the lease
%% idle     none can go on, but something else may happen: poll soon
%% over     none can go on
-type verdict() :: running | idle | {over, done | deadlock | steps}.

-type contact() ::
    {erlconcolic_contact, index(), reference(), Left :: non_neg_integer(),
     erlconcolic_lease:news(), erlconcolic_lease:why()}.

%% Who takes steps: a process, or the messages from one to another one, whose
%% steps are deliveries.
-type owner() :: path() | {From :: path(), To :: path()}.

-record(gate,
        {schedule :: [{owner(), pos_integer()}],
         max_steps :: pos_integer(),
         time :: quiet | any,
         delivery :: instant | any,
         brief :: boolean(),
         patience :: pos_integer(),
         members = erlconcolic_members:new() :: erlconcolic_members:members(),
         running = none :: none | index(),
         %% The process that ran last.
         last = 0 :: index(),
         %% How many steps of the lease it has yet to take.
         expected = 0 :: non_neg_integer(),
         %% A process about to send a signal, and to whom. Those go on to their
         %% next steps first.
         signalling = none :: none | {index(), Target :: term()},
         followed = true :: boolean(),
         shared = none :: none | erlconcolic_lease:shared(),
         %% Since the first spawn.
         steps = 0 :: non_neg_integer(),
         leases = [] :: [{index() | channel(), pos_integer()}],
         %% Messages that were sent and not delivered, the oldest first.
         under_way = [] :: [{channel(), Message :: term()}],
         %% Milliseconds.
         clock = 0 :: non_neg_integer(),
         %% How often a process looked at it.
         looks = 0 :: non_neg_integer(),
         contacts = 0 :: non_neg_integer(),
         %% How long there was no contact, see erlconcolic_patience.
         ticks = {0, 0, 0} :: {Contacts :: non_neg_integer(),
                               Waited :: non_neg_integer(),
                               Work :: non_neg_integer()},
         %% What nobody controls: names, processes, and whether something else
         %% may send messages.
         uncontrolled = #{} :: #{mfa() => []},
         strangers = [] :: [pid()],
         reached_out = false :: boolean(),
         idle_since = none :: none | integer(),
         logs = [] :: [{pid(), binary()}]}).

-type gate() :: #gate{}.

%% More steps than any run takes.
-define(UNLIMITED, 1 bsl 50).

%% The indices in what processes share: that of the last process, and that of
%% the process with the lease.
-define(LAST_INDEX, 1).
-define(HOLDER, 2).
