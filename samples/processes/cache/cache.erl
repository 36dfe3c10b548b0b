%%% A store of pages with a cache. The entry's process has both. A writer
%%% changes a page: the store gets a new version, and the page leaves the
%%% cache. A reader reads a page from the store and puts what he got into the
%%% cache.
%%%
%%% The bug: the reader can put an old version into the cache, after the writer
%%% has changed the page and removed it from the cache.
%%%
%%% Input: Page =:= 4 * Section + Paragraph, for example cache:main(5, {1, 1}).
%%% Order: the reader reads, the writer writes, the reader fills the cache.
-module(cache).
-export([main/2]).

-spec main(0..15, {0..3, 0..3}) -> {0..15, 1 | 2} | empty.
main(Page, {Section, Paragraph}) ->
    Store = self(),
    spawn(fun() -> Store ! {write, 4 * Section + Paragraph} end),
    spawn(fun() -> reader(Store, Page) end),
    store(none, empty, 3).

reader(Store, Page) ->
    Store ! {read, Page, self()},
    receive
        {version, Version} -> Store ! {fill, Page, Version}
    end.

%% Handles so many messages, then compares the cache with the store.
store(Changed, Cached, 0) ->
    audit(Changed, Cached);
store(Changed, Cached, Left) ->
    receive
        {write, Page} ->
            store(Page, remove(Page, Cached), Left - 1);
        {read, Page, From} ->
            From ! {version, version(Page, Changed)},
            store(Changed, Cached, Left - 1);
        {fill, Page, Version} ->
            store(Changed, {Page, Version}, Left - 1)
    end.

remove(Page, {Page, _}) -> empty;
remove(_, Cached) -> Cached.

version(Page, Page) -> 2;
version(_, _) -> 1.

audit(_, empty) ->
    empty;
audit(Changed, {Page, Cached}) ->
    case version(Page, Changed) of
        Cached -> {Page, Cached}
    end.
