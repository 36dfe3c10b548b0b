%%% Reads Core Erlang: its text, or tokens as the scanner gives them.
-module(erlconcolic_core_reader).

-export([text/2, tokens/1]).

-export_type([piece/0]).

-define(EMPTY_MODULE, <<"module 'm' [] attributes []">>).

%% Bytes of text that are read at once.
-define(PIECE_SIZE, 100_000).

%% A list of tokens that is a module, in the external term format.
-type piece() :: binary().

%% The module of the first piece, with the functions of all.
-spec tokens([piece()]) -> {ok, cerl:c_module()} | error.
tokens(Pieces) ->
    Parse = fun(Piece) ->
                    {ok, Core} = core_parse:parse(binary_to_term(Piece)),
                    Core
            end,
    try
        [Module | Others] = lists:map(Parse, Pieces),
        {ok, with_functions_of(Module, [Module | Others])}
    catch
        error:_ -> error
    end.

-spec with_functions_of(cerl:c_module(), [cerl:c_module()]) ->
    cerl:c_module().
with_functions_of(Module, Modules) ->
    Definitions = lists:flatmap(fun cerl:module_defs/1, Modules),
    cerl:update_c_module(Module, cerl:module_name(Module),
                         cerl:module_exports(Module),
                         cerl:module_attrs(Module), Definitions).

%% The characters and tokens of a text take a hundred times its size. So it is
%% read piece by piece, if there is an empty line before each function.
-spec text(binary(), module()) ->
    {ok, cerl:c_module()} | {error, term()}.
text(Text, Scanner) ->
    case binary:split(Text, <<"\n\n">>, [global]) of
        [Head | [_, _ | _] = Rest] ->
            Pieces = pieces(lists:droplast(Rest)),
            case pieces_to_tree(Head, Pieces, lists:last(Rest), Scanner) of
                {ok, Core} -> {ok, Core};
                error -> parse_text(Text, Scanner)
            end;
        _ ->
            parse_text(Text, Scanner)
    end.

-spec pieces_to_tree(binary(), [iodata()], binary(), module()) ->
    {ok, cerl:c_module()} | error.
pieces_to_tree(Head, Pieces, End, Scanner) ->
    Parse = fun(Start, Piece) ->
                    Text = iolist_to_binary([Start, $\n, Piece, $\n, End]),
                    {ok, Core} = parse_text(Text, Scanner),
                    Core
            end,
    try
        Module = Parse(Head, []),
        Modules = [Parse(?EMPTY_MODULE, Piece) || Piece <- Pieces],
        {ok, with_functions_of(Module, Modules)}
    catch
        error:_ -> error
    end.

%% Joins functions to pieces of some size.
-spec pieces([binary()]) -> [iodata()].
pieces(Functions) ->
    pieces(Functions, [], 0).

-spec pieces([binary()], iodata(), non_neg_integer()) -> [iodata()].
pieces([], Piece, _Size) ->
    [Piece];
pieces(Functions, Piece, Size) when Size > ?PIECE_SIZE ->
    [Piece | pieces(Functions, [], 0)];
pieces([Function | Functions], Piece, Size) ->
    pieces(Functions, [Piece, $\n, Function], Size + byte_size(Function)).

-spec parse_text(binary(), module()) ->
    {ok, cerl:c_module()} | {error, term()}.
parse_text(Text, Scanner) ->
    case Scanner:string(binary_to_list(Text)) of
        {ok, Tokens, _End} -> core_parse:parse(Tokens);
        {error, Info, _End} -> {error, Info}
    end.

