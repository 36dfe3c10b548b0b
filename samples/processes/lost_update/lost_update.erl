%%% Views of pages. The entry's process is the store. A visitor adds one view
%%% to a page. Two imports add ten views each, which an old system counted, to
%%% a page and to its archive.
%%%
%%% The bug: an import reads the number of views, adds ten and writes the sum
%%% back. A visit of the same page in between is lost.
%%%
%%% Input: the visited page is an imported one, (5 * Number + 3) rem 16 or 16
%%% more, for example lost_update:main(3, 0).
%%% Order: the import of that page reads, the visitor adds one, the import
%%% writes.
-module(lost_update).
-export([main/2]).

-spec main(0..31, 0..15) -> 21.
main(Visited, Number) ->
    Store = self(),
    Imported = (5 * Number + 3) rem 16,
    spawn(fun() -> Store ! {visit, Visited} end),
    spawn(fun() -> import(Store, Imported) end),
    spawn(fun() -> import(Store, Imported + 16) end),
    21 = total(store([], 5)).

import(Store, Page) ->
    Store ! {read, Page, self()},
    receive
        {views, Views} -> Store ! {write, Page, Views + 10}
    end.

%% Handles so many messages and returns all numbers of views.
store(Pages, 0) ->
    Pages;
store(Pages, Left) ->
    receive
        {visit, Page} ->
            store(set(Page, views(Page, Pages) + 1, Pages), Left - 1);
        {read, Page, From} ->
            From ! {views, views(Page, Pages)},
            store(Pages, Left - 1);
        {write, Page, Views} ->
            store(set(Page, Views, Pages), Left - 1)
    end.

views(Page, [{Page, Views} | _]) -> Views;
views(Page, [_ | Pages]) -> views(Page, Pages);
views(_, []) -> 0.

set(Page, Views, [{Page, _} | Pages]) -> [{Page, Views} | Pages];
set(Page, Views, [Other | Pages]) -> [Other | set(Page, Views, Pages)];
set(Page, Views, []) -> [{Page, Views}].

total(Pages) -> lists:sum([Views || {_, Views} <- Pages]).
