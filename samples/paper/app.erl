%% The program of Palacios and Vidal's paper: a list appended to itself.
-module(app).
-export([main/1]).

main(X) -> app(X, X).

app([], Y) -> Y;
app([H | T], Y) -> [H | app(T, Y)].
