%% The module binary.
-module(binaries).
-export([
    split/1, found/1, replaced/1, at/2, first_last/1, unsigned/1, prefix/1,
    copies/1, clean_split/1
]).

%% finds: error {fields,_}
-spec split(binary()) -> ok.
split(Line) ->
    case binary:split(Line, <<",">>) of
        [Name, <<"42">>] when byte_size(Name) =:= 2 -> error({fields, Name});
        _ -> ok
    end.

%% finds: error {found,_}
-spec found(binary()) -> ok.
found(Binary) ->
    case binary:match(Binary, <<"\r\n">>) of
        {3, 2} -> error({found, Binary});
        _ -> ok
    end.

%% finds: error {replaced,_}
-spec replaced(binary()) -> ok.
replaced(Binary) ->
    case binary:replace(Binary, <<"_">>, <<"--">>, [global]) of
        <<"a--b">> when Binary =/= <<"a--b">> -> error({replaced, Binary});
        _ -> ok
    end.

%% finds: error {at,_}
-spec at(binary(), 0..3) -> ok.
at(Binary, Place) when byte_size(Binary) > 3 ->
    case binary:at(Binary, Place) of
        Byte when Byte > 250, Place > 1 -> error({at, Byte});
        _ -> ok
    end;
at(_, _) ->
    ok.

%% finds: error quoted
-spec first_last(binary()) -> ok.
first_last(Binary) when byte_size(Binary) > 1 ->
    case {binary:first(Binary), binary:last(Binary)} of
        {$", $"} -> error(quoted);
        _ -> ok
    end;
first_last(_) ->
    ok.

%% finds: error {unsigned,_}
-spec unsigned(binary()) -> ok.
unsigned(Binary) ->
    case binary:decode_unsigned(Binary) of
        70000 -> error({unsigned, Binary});
        _ -> ok
    end.

%% finds: error {prefix,_}
-spec prefix(binary()) -> ok.
prefix(Binary) ->
    case binary:longest_common_prefix([Binary, <<"hello">>]) of
        4 -> error({prefix, Binary});
        _ -> ok
    end.

%% finds: error {copies,_}
-spec copies(binary()) -> ok.
copies(Binary) ->
    case binary:copy(Binary, 2) of
        <<"abab">> -> error({copies, Binary});
        _ -> ok
    end.

%% clean
-spec clean_split(binary()) -> ok.
clean_split(Binary) ->
    case binary:split(Binary, <<";">>) of
        [Binary] -> ok;
        [A, B] -> Binary = <<A/binary, $;, B/binary>>, ok
    end.
