%%% A queue of three jobs. The entry's process is the queue. Two workers fetch
%%% a job each and report when it is finished. A user cancels a job by its
%%% number; unknown numbers are ignored.
%%%
%%% The correct twin of job_cancel. Mended: a job that is running is not
%%% removed; it is too late to cancel it.
-module(job_cancel_fixed).
-export([main/2]).

-spec main(0..15, 0..31) -> [0..47].
main(Seed, Cancelled) ->
    Queue = self(),
    First = (7 * Seed + 2) rem 16,
    spawn(fun() -> Queue ! {cancel, Cancelled} end),
    spawn(fun() -> worker(Queue) end),
    spawn(fun() -> worker(Queue) end),
    Jobs = [First, First + 16, First + 32],
    queue(Jobs, Jobs, 5).

worker(Queue) ->
    Queue ! {fetch, self()},
    receive
        {job, Job} -> Queue ! {finished, Job}
    end.

%% Handles so many messages and returns the jobs that are left.
queue(_, Waiting, 0) ->
    Waiting;
queue(Known, Waiting, Left) ->
    receive
        {fetch, From} ->
            [Job | Others] = Waiting,
            From ! {job, Job},
            queue(Known, Others, Left - 1);
        {finished, Job} ->
            queue(lists:delete(Job, Known), Waiting, Left - 1);
        {cancel, Job} ->
            queue(Known, cancel(Job, Known, Waiting), Left - 1)
    end.

cancel(Job, Known, Waiting) ->
    case lists:member(Job, Known) of
        true -> remove(Job, Waiting);
        false -> Waiting
    end.

remove(Job, [Job | Jobs]) -> Jobs;
remove(Job, [Other | Jobs]) -> [Other | remove(Job, Jobs)];
remove(_, []) -> [].
