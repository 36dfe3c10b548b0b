%%% Lists, binaries and atoms that are written between quotes. The rules are
%%% those of `readable_text.rs' and `quoting.rs' in the folder `erlang-term'.
-module(erlconcolic_readable).

-export([is_text/1, is_text_binary/1, is_plain_atom/1, quoted/2]).

%% Letters of Latin, Greek, Cyrillic, Chinese, Japanese and Korean.
-define(IS_FOREIGN_LETTER(Char),
        (Char >= 16#c0 andalso Char =< 16#24f
         andalso Char =/= 16#d7 andalso Char =/= 16#f7
         orelse Char >= 16#370 andalso Char =< 16#481
         orelse Char >= 16#48a andalso Char =< 16#52f
         orelse Char >= 16#3041 andalso Char =< 16#3096
         orelse Char >= 16#30a1 andalso Char =< 16#30fa
         orelse Char >= 16#4e00 andalso Char =< 16#9fff
         orelse Char >= 16#ac00 andalso Char =< 16#d7a3)).

%% Whether a list reads better as a string. Lists of numbers stay lists: letters
%% outside of ASCII count only among at least as many letters of ASCII.
-spec is_text(maybe_improper_list()) -> boolean().
is_text([]) -> false;
is_text(List) -> is_text(List, 0).

-spec is_text(term(), integer()) -> boolean().
is_text([Char | Rest], Balance)
  when Char >= $a, Char =< $z; Char >= $A, Char =< $Z ->
    is_integer(Char) andalso is_text(Rest, Balance + 1);
is_text([Char | Rest], Balance)
  when Char >= $\s, Char =< $~; Char =:= $\n; Char =:= $\r; Char =:= $\t ->
    is_integer(Char) andalso is_text(Rest, Balance);
is_text([Char | Rest], Balance)
  when is_integer(Char), ?IS_FOREIGN_LETTER(Char) ->
    is_text(Rest, Balance - 1);
is_text(Rest, Balance) ->
    Rest =:= [] andalso Balance >= 0.

%% Whether a binary is readable text in UTF-8: `ascii' if each byte is a
%% character.
-spec is_text_binary(bitstring()) -> ascii | utf8 | false.
is_text_binary(<<>>) -> false;
is_text_binary(Bits) -> is_text_binary(Bits, ascii).

-spec is_text_binary(bitstring(), ascii | utf8) -> ascii | utf8 | false.
is_text_binary(<<>>, Kind) ->
    Kind;
is_text_binary(<<Char, Rest/bitstring>>, Kind)
  when Char >= $\s, Char =< $~; Char =:= $\n; Char =:= $\r; Char =:= $\t ->
    is_text_binary(Rest, Kind);
is_text_binary(<<Char/utf8, Rest/bitstring>>, _Kind)
  when ?IS_FOREIGN_LETTER(Char) ->
    is_text_binary(Rest, utf8);
is_text_binary(_, _Kind) ->
    false.

%% Whether an atom needs no quotes: it has only letters and digits of ASCII, and
%% no version of Erlang reserves it.
-spec is_plain_atom(atom()) -> boolean().
is_plain_atom(Atom) when Atom =:= 'maybe'; Atom =:= 'else' ->
    false;
is_plain_atom(Atom) ->
    is_plain(atom_to_binary(Atom)) andalso not erl_scan:reserved_word(Atom).

-spec is_plain(binary()) -> boolean().
is_plain(<<First, Rest/bitstring>>) when First >= $a, First =< $z ->
    is_plain_rest(Rest);
is_plain(_) ->
    false.

-spec is_plain_rest(binary()) -> boolean().
is_plain_rest(<<Char, Rest/bitstring>>)
  when Char >= $a, Char =< $z; Char >= $A, Char =< $Z;
       Char >= $0, Char =< $9; Char =:= $_; Char =:= $@ ->
    is_plain_rest(Rest);
is_plain_rest(Rest) ->
    Rest =:= <<>>.

%% Text in UTF-8 between quotes.
-spec quoted(binary(), char()) -> iodata().
quoted(Text, Quote) ->
    [Quote, [escaped(Byte, Quote) || <<Byte>> <= Text], Quote].

-spec escaped(byte(), char()) -> iodata().
escaped(Quote, Quote) -> [$\\, Quote];
escaped($\\, _Quote) -> "\\\\";
escaped($\n, _Quote) -> "\\n";
escaped($\r, _Quote) -> "\\r";
escaped($\t, _Quote) -> "\\t";
escaped(Byte, _Quote) when Byte < $\s; Byte =:= 16#7f ->
    io_lib:format("\\~3.8.0b", [Byte]);
escaped(Byte, _Quote) -> Byte.
