%% A request for a process of this node is a spawn with an answer. Floats that
%% are small integers divided by 1024 have few decimals, which are computed.
-module(erlang).
-compile({no_auto_import, [spawn_request/1, spawn_request/2, spawn_request/3,
                           spawn_request/4, float_to_list/1, float_to_list/2,
                           float_to_binary/1, float_to_binary/2]}).
-export([spawn_request/1, spawn_request/2, spawn_request/3, spawn_request/4]).
-export([float_to_list/1, float_to_list/2]).
-export([float_to_binary/1, float_to_binary/2]).

%% See erlconcolic_decimals. A unit has this many decimals, and is this many of
%% the last one.
-define(UNITS, 1024).
-define(DECIMALS, 10).
-define(LAST_DECIMALS, 9765625).
%% Floats below this one have no shorter form than all of their decimals.
-define(SHORT, 100000).

spawn_request(Fun) ->
    spawn_request(Fun, []).

spawn_request(Fun, Options) when is_function(Fun, 0), is_list(Options) ->
    answered(spawn_opt(Fun, for_spawn(Options)), Options);
spawn_request(Node, Fun) ->
    erlang:spawn_request(Node, Fun).

spawn_request(Module, Function, Args)
  when is_atom(Module), is_atom(Function), is_list(Args) ->
    spawn_request(Module, Function, Args, []);
spawn_request(Node, Fun, Options) ->
    erlang:spawn_request(Node, Fun, Options).

spawn_request(Module, Function, Args, Options)
  when is_atom(Module), is_atom(Function), is_list(Args), is_list(Options) ->
    answered(spawn_opt(Module, Function, Args, for_spawn(Options)), Options);
spawn_request(Node, Module, Function, Args) ->
    erlang:spawn_request(Node, Module, Function, Args).

for_spawn(Options) ->
    [Option || Option <- Options, not is_about_answer(Option)].

is_about_answer({reply_tag, _}) -> true;
is_about_answer({reply, _}) -> true;
is_about_answer(_) -> false.

answered({Pid, Monitor}, Options) -> answered(Pid, Monitor, Options);
answered(Pid, Options) -> answered(Pid, make_ref(), Options).

answered(Pid, Reference, Options) ->
    _ = case option(reply, Options, yes) of
            no -> ok;
            error_only -> ok;
            _ -> self() ! {option(reply_tag, Options, spawn_reply), Reference,
                           ok, Pid}
        end,
    Reference.

option(Name, Options, Default) ->
    case lists:keyfind(Name, 1, Options) of
        {_, Value} -> Value;
        false -> Default
    end.

float_to_list(Float) ->
    case written(Float, [{scientific, 20}]) of
        unknown -> erlang:float_to_list(Float);
        Text -> Text
    end.

float_to_list(Float, Options) ->
    case written(Float, Options) of
        unknown -> erlang:float_to_list(Float, Options);
        Text -> Text
    end.

float_to_binary(Float) ->
    case written(Float, [{scientific, 20}]) of
        unknown -> erlang:float_to_binary(Float);
        Text -> list_to_binary(Text)
    end.

float_to_binary(Float, Options) ->
    case written(Float, Options) of
        unknown -> erlang:float_to_binary(Float, Options);
        Text -> list_to_binary(Text)
    end.

written(Float, Options) ->
    case erlconcolic_decimals:units(Float) of
        none ->
            unknown;
        Units when Units < 0 ->
            case written_units(-Units, Options) of
                unknown -> unknown;
                Text -> [$- | Text]
            end;
        Units ->
            written_units(Units, Options)
    end.

written_units(Units, Options) ->
    case Options of
        [short] ->
            short(Units);
        [{decimals, Decimals}] when Decimals >= 0, Decimals =< 12 ->
            fixed(Units, Decimals, padded);
        [{decimals, Decimals}, compact] when Decimals >= 0, Decimals =< 12 ->
            fixed(Units, Decimals, compact);
        [compact, {decimals, Decimals}] when Decimals >= 0, Decimals =< 12 ->
            fixed(Units, Decimals, compact);
        [{scientific, Decimals}] when Decimals >= 0, Decimals =< 20 ->
            scientific(Units, Decimals);
        _ ->
            unknown
    end.

%% Rounded to some decimals; the middle between two goes up.
fixed(Units, Decimals, Form) ->
    Power = power(Decimals),
    Rounded = (Units * Power + ?UNITS div 2) div ?UNITS,
    Fraction = fraction(Rounded rem Power, Decimals, Form),
    integer_to_list(Rounded div Power) ++ Fraction.

fraction(_, 0, _) ->
    [];
fraction(Fraction, Decimals, compact) when
    Decimals > 1, Fraction rem 10 =:= 0
->
    fraction(Fraction div 10, Decimals - 1, compact);
fraction(Fraction, Decimals, _) ->
    [$. | digits(Fraction, power(Decimals - 1))].

%% The digits of a number, the first of which stands for some power of ten.
digits(_, 0) -> [];
digits(Number, Power) ->
    [$0 + Number div Power rem 10 | digits(Number, Power div 10)].

power(0) -> 1;
power(Exponent) -> 10 * power(Exponent - 1).

%% One digit, decimals and an exponent. The middle between two goes to the even
%% one.
scientific(Units, Decimals) ->
    Number = Units * ?LAST_DECIMALS,
    Size = length(integer_to_list(Number)),
    {Rounded, Exponent} = rounded(Number, Size, Decimals),
    Power = power(Decimals),
    Point = case Decimals of 0 -> []; _ -> "." end,
    [$0 + Rounded div Power] ++ Point ++ digits(Rounded, Power div 10)
        ++ exponent(Exponent).

rounded(Number, Size, Decimals) when Size =< Decimals + 1 ->
    {Number * power(Decimals + 1 - Size), Size - 1 - ?DECIMALS};
rounded(Number, Size, Decimals) ->
    Power = power(Size - Decimals - 1),
    Half = Power div 2,
    Whole = Number div Power,
    Rounded = case Number rem Power of
                  Rest when Rest > Half -> Whole + 1;
                  Half -> Whole + Whole rem 2;
                  _ -> Whole
              end,
    case power(Decimals + 1) of
        Rounded -> {Rounded div 10, Size - ?DECIMALS};
        _ -> {Rounded, Size - 1 - ?DECIMALS}
    end.

exponent(Exponent) ->
    Sign = case Exponent < 0 of true -> $-; false -> $+ end,
    [$e, Sign | digits(abs(Exponent), 10)].

%% The fewest digits that are this float: all that it has, if there are few.
%% They have an exponent if that is shorter.
short(Units) when Units rem ?UNITS =:= 0 ->
    short(Units div ?UNITS, 0);
short(Units) when Units < ?SHORT * ?UNITS ->
    short(Units * ?LAST_DECIMALS, ?DECIMALS);
short(_) ->
    unknown.

short(Number, Decimals) ->
    {Digits, Zeros} = without_zeros(Number, 0),
    Text = integer_to_list(Digits),
    Size = length(Text),
    Place = Size + Zeros - Decimals,
    case Place > 0 andalso Place < Size of
        true ->
            {Whole, Fraction} = lists:split(Place, Text),
            Whole ++ "." ++ Fraction;
        false ->
            Shift = integer_to_list(Place - 1),
            Cost = length(Shift) + 1 + case Size of 1 -> 2; _ -> 1 end,
            with_zeros(Text, Size, Place, Shift, Cost)
    end.

with_zeros(Text, _, Place, _, Cost) when Place =< 0, 2 - Place =< Cost;
                                         Place =:= 0 ->
    "0." ++ lists:duplicate(-Place, $0) ++ Text;
with_zeros(Text, Size, Place, _, Cost) when
    Place > 0, Place - Size + 2 =< Cost
->
    Text ++ lists:duplicate(Place - Size, $0) ++ ".0";
with_zeros([Digit], _, _, Shift, _) ->
    [Digit | ".0e"] ++ Shift;
with_zeros([Digit | Text], _, _, Shift, _) ->
    [Digit, $. | Text] ++ "e" ++ Shift.

without_zeros(Number, Count) when Number rem 10 =:= 0 ->
    without_zeros(Number div 10, Count + 1);
without_zeros(Number, Count) ->
    {Number, Count}.
