%%% Views of pages. The entry's process is the store. A visitor adds one view
%%% to a page. Two imports add ten views each, which an old system counted, to
%%% a page and to its archive.
%%%
%%% The correct twin of lost_update. Mended: an import sends what is to be
%%% added, and the store adds it in one go. Nobody writes a number that he read
%%% earlier.
-module(lost_update_fixed).
-export([main/2]).

-spec main(0..31, 0..15) -> 21.
main(Visited, Number) ->
    Store = self(),
    Imported = (5 * Number + 3) rem 16,
    spawn(fun() -> Store ! {add, Visited, 1} end),
    spawn(fun() -> import(Store, Imported) end),
    spawn(fun() -> import(Store, Imported + 16) end),
    21 = total(store([], 5)).

import(Store, Page) ->
    Store ! {read, Page, self()},
    receive
        {views, _} -> Store ! {add, Page, 10}
    end.

%% Handles so many messages and returns all numbers of views.
store(Pages, 0) ->
    Pages;
store(Pages, Left) ->
    receive
        {add, Page, Views} ->
            store(set(Page, views(Page, Pages) + Views, Pages), Left - 1);
        {read, Page, From} ->
            From ! {views, views(Page, Pages)},
            store(Pages, Left - 1)
    end.

views(Page, [{Page, Views} | _]) -> Views;
views(Page, [_ | Pages]) -> views(Page, Pages);
views(_, []) -> 0.

set(Page, Views, [{Page, _} | Pages]) -> [{Page, Views} | Pages];
set(Page, Views, [Other | Pages]) -> [Other | set(Page, Views, Pages)];
set(Page, Views, []) -> [{Page, Views}].

total(Pages) -> lists:sum([Views || {_, Views} <- Pages]).
