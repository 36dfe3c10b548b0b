%% Binaries that are searched for several patterns, with options.
-module(searched_binaries).
-export([
    fields/1, longest/1, last_part/1, scoped/1, backwards/1, counted/1,
    replaced/1, trimmed/1, compiled/1, compiled_several/1, within/2,
    clean_parts/1, clean_trim/1
]).

%% One of two separators, and no empty fields.
%% finds: error fields
-spec fields(binary()) -> ok.
fields(Line) ->
    case binary:split(Line, [<<",">>, <<";">>], [global, trim_all]) of
        [<<"a">>, <<"b">>] -> error(fields);
        _ -> ok
    end.

%% Where two patterns begin, the longer one counts.
%% finds: error crlf
-spec longest(binary()) -> ok.
longest(Text) ->
    case binary:match(Text, [<<"\n">>, <<"\r">>, <<"\r\n">>]) of
        {2, 2} -> error(crlf);
        _ -> ok
    end.

%% Empty parts at the end are left out.
%% finds: error {parts,_}
-spec last_part(binary()) -> ok.
last_part(Path) ->
    case binary:split(Path, <<"/">>, [global, trim]) of
        [<<>>, <<"x">>] when byte_size(Path) > 3 -> error({parts, Path});
        _ -> ok
    end.

%% What is found in one part only.
%% finds: error second
-spec scoped(binary()) -> ok.
scoped(<<_:3/binary, _:2/binary>> = Text) ->
    case binary:match(Text, [<<"=">>, <<":">>], [{scope, {2, 3}}]) of
        {3, 1} -> error(second);
        _ -> ok
    end;
scoped(_) ->
    ok.

%% A part that goes backwards from its start.
%% finds: error both
-spec backwards(binary()) -> ok.
backwards(Text) when byte_size(Text) =:= 4 ->
    case binary:matches(Text, <<"o">>, [{scope, {4, -3}}]) of
        [{1, 1}, {3, 1}] -> error(both);
        _ -> ok
    end;
backwards(_) ->
    ok.

%% finds: error three
-spec counted(binary()) -> ok.
counted(Text) ->
    case length(binary:matches(Text, [<<"ab">>, <<"ba">>])) of
        3 -> error(three);
        _ -> ok
    end.

%% finds: error replaced
-spec replaced(binary()) -> ok.
replaced(Text) when byte_size(Text) =:= 3 ->
    case binary:replace(Text, [<<"&">>, <<"<">>], <<"?">>, [global]) of
        <<"?x?">> when Text =/= <<"?x?">> -> error(replaced);
        _ -> ok
    end;
replaced(_) ->
    ok.

%% Nothing is left.
%% finds: error function_clause
-spec trimmed(binary()) -> binary().
trimmed(Text) ->
    first(binary:split(Text, [<<" ">>, <<"\t">>], [global, trim_all])).

first([First | _]) -> First.

%% finds: error pair
-spec compiled(binary()) -> ok.
compiled(Text) ->
    Arrow = binary:compile_pattern(<<"->">>),
    case binary:split(Text, Arrow) of
        [<<"k">>, <<"v">>] -> error(pair);
        _ -> ok
    end.

%% finds: error {place,1}
-spec compiled_several(binary()) -> ok.
compiled_several(Text) ->
    Ends = binary:compile_pattern([<<"!">>, <<"?">>, <<"!?">>]),
    case binary:match(Text, Ends, []) of
        {Place, 2} when Place > 0 -> error({place, Place});
        _ -> ok
    end.

%% The part is an input too.
%% finds: error badarg
-spec within(binary(), 0..3) -> ok.
within(Text, Length) when byte_size(Text) > 1 ->
    _ = binary:match(Text, <<"a">>, [{scope, {1, Length}}]),
    ok;
within(_, _) ->
    ok.

%% Parts and separators make up the whole.
%% clean
-spec clean_parts(binary()) -> ok.
clean_parts(Text) ->
    Parts = binary:split(Text, [<<",">>, <<";">>], [global]),
    Sizes = lists:sum([byte_size(Part) || Part <- Parts]),
    true = Sizes + length(Parts) - 1 =:= byte_size(Text),
    ok.

%% clean
-spec clean_trim(binary()) -> ok.
clean_trim(Text) ->
    Parts = binary:split(Text, <<",">>, [global, trim_all]),
    false = lists:member(<<>>, Parts),
    ok.
