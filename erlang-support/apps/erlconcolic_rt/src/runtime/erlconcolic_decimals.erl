%%% Floats that are integers divided by 1024, which have few decimals: for the
%%% models of functions that write floats. The tool has a model of this module,
%%% which says for which inputs a float is such a one.
-module(erlconcolic_decimals).

-export([units/1]).

-define(UNITS, 1024).
-define(LIMIT, 1.0e10).

%% The integer; none for other floats, for large ones, and for zeros, which are
%% written with their signs.
-spec units(term()) -> integer() | none.
units(Float)
  when is_float(Float), Float > -?LIMIT, Float < ?LIMIT, Float /= 0 ->
    Product = Float * ?UNITS,
    case trunc(Product) of
        Whole when Whole == Product -> Whole;
        _ -> none
    end;
units(_) ->
    none.
