%%% The Core Erlang and the forms of a beam file, from its debug information.
-module(erlconcolic_beam).

-export([to_core/1, forms/1]).

-type errors() :: {error, [erlconcolic_message:message()]}.

-type info() ::
    {debug_info_v1, Backend :: module(), term()}
  | no_debug_info
  | missing_chunk.

%% The source is the file that the beam was compiled from if it still exists,
%% otherwise the beam itself.
-spec to_core(file:filename()) ->
    {ok, module(), cerl:cerl(), Source :: file:filename(), Warnings :: []}
  | errors().
to_core(File) ->
    case chunks(File, [debug_info, compile_info]) of
        {ok, Module, [{debug_info, Info}, {compile_info, Compiled}]} ->
            Source = source(Compiled, File),
            case core(Info, Module, File, Source) of
                {ok, Core} -> {ok, Module, Core, Source, []};
                {error, Messages} -> {error, Messages}
            end;
        {error, Messages} ->
            {error, Messages}
    end.

%% The forms as they were compiled: after parse transforms, with records and
%% types.
-spec forms(file:filename() | binary()) ->
    {ok, [erl_parse:abstract_form()]} | errors().
forms(File) ->
    case chunks(File, [debug_info]) of
        {ok, Module, [{debug_info, Info}]} -> forms(Info, Module, File);
        {error, Messages} -> {error, Messages}
    end.

-spec forms(info(), module(), file:filename()) ->
    {ok, [erl_parse:abstract_form()]} | errors().
forms({debug_info_v1, Backend, Data}, Module, File) ->
    case load_backend(Backend, File) of
        ok -> backend_forms(Backend, Data, Module, File);
        {error, Messages} -> {error, Messages}
    end;
forms(_NoDebugInfo, _Module, File) ->
    abstract_code(File).

-spec core(info(), module(), file:filename(), Source :: file:filename()) ->
    {ok, cerl:cerl()} | errors().
core({debug_info_v1, Backend, Data}, Module, File, Source) ->
    IsElixir = erlconcolic_elixir:is_backend(Backend),
    case {load_backend(Backend, File), IsElixir} of
        {ok, true} -> from_elixir(Backend, Data, Module, File, Source);
        {ok, false} -> from_backend(Backend, Data, Module, File);
        {{error, Messages}, _} -> {error, Messages}
    end;
core(_NoDebugInfo, _Module, File, _Source) ->
    from_forms(abstract_code(File), File).

-spec load_backend(module(), file:filename()) -> ok | errors().
load_backend(Backend, File) ->
    case code:ensure_loaded(Backend) of
        {module, Backend} ->
            ok;
        {error, _} ->
            errors(File, missing(Backend))
    end.

-spec missing(module()) -> unicode:chardata().
missing(Backend) ->
    case erlconcolic_elixir:is_backend(Backend) of
        true ->
            erlconcolic_elixir:missing();
        false ->
            ["its debug information is for ", atom_to_list(Backend),
             ", which is not on the code path"]
    end.

%% Some versions of Elixir give machine code where Core Erlang is asked for.
-spec from_elixir(module(), term(), module(), file:filename(),
                  Source :: file:filename()) -> {ok, cerl:cerl()} | errors().
from_elixir(Backend, Data, Module, File, Source) ->
    case backend_forms(Backend, Data, Module, File) of
        {ok, Forms} ->
            Executable = erlconcolic_elixir:executable(Forms, File, Source),
            from_forms({ok, Executable}, File);
        {error, Messages} ->
            {error, Messages}
    end.

%% core_v1 fails without a reason. Compiling the abstract code gives one, or
%% succeeds because it uses other options.
-spec from_backend(module(), term(), module(), file:filename()) ->
    {ok, cerl:cerl()} | errors().
from_backend(Backend, Data, Module, File) ->
    case Backend:debug_info(core_v1, Module, Data, []) of
        {ok, Core} ->
            {ok, Core};
        {error, _} ->
            from_forms(backend_forms(Backend, Data, Module, File), File)
    end.

-spec backend_forms(module(), term(), module(), file:filename()) ->
    {ok, [erl_parse:abstract_form()]} | errors().
backend_forms(Backend, Data, Module, File) ->
    case Backend:debug_info(erlang_v1, Module, Data, []) of
        {ok, Forms} -> {ok, Forms};
        {error, _} -> no_debug_info(File)
    end.

%% Beams older than OTP 20.
-spec abstract_code(file:filename()) ->
    {ok, [erl_parse:abstract_form()]} | errors().
abstract_code(File) ->
    case chunks(File, [abstract_code]) of
        {ok, _, [{abstract_code, {raw_abstract_v1, Forms}}]} ->
            {ok, Forms};
        {ok, _, [{abstract_code, _}]} ->
            no_debug_info(File);
        {error, Messages} ->
            {error, Messages}
    end.

-spec from_forms({ok, [erl_parse:abstract_form()]} | errors(),
                 file:filename()) -> {ok, cerl:cerl()} | errors().
from_forms({error, Messages}, _File) ->
    {error, Messages};
from_forms({ok, Forms}, File) ->
    Options = [to_core, binary, return, no_spawn_compiler_process],
    Result = compile:noenv_forms(Forms, Options),
    case erlconcolic_message:from_result(File, Result) of
        {ok, _, Core, _} -> {ok, Core};
        {error, Messages} -> {error, Messages}
    end.

-spec source([{atom(), term()}] | missing_chunk, file:filename()) ->
    file:filename().
source(Compiled, File) when is_list(Compiled) ->
    Source = proplists:get_value(source, Compiled, File),
    case filelib:is_regular(Source) of
        true -> Source;
        false -> File
    end;
source(missing_chunk, File) ->
    File.

-spec chunks(file:filename(), [atom()]) ->
    {ok, module(), [{atom(), term()}]} | errors().
chunks(File, Names) ->
    case beam_lib:chunks(File, Names, [allow_missing_chunks]) of
        {ok, {Module, Chunks}} -> {ok, Module, Chunks};
        {error, beam_lib, Reason} -> errors(File, describe(Reason))
    end.

-spec describe(tuple() | incomplete) -> string().
describe({file_error, _File, Reason}) ->
    file:format_error(Reason);
describe({not_a_beam_file, _File}) ->
    "not a BEAM file";
describe({key_missing_or_invalid, _File, _Chunk}) ->
    "its debug information is encrypted and the key is missing or wrong";
describe(_Damaged) ->
    "damaged or incomplete BEAM file".

-spec no_debug_info(file:filename()) -> errors().
no_debug_info(File) ->
    case is_whole(File) of
        true ->
            errors(File, "no debug information: compile it with +debug_info");
        false ->
            errors(File, describe(incomplete))
    end.

%% OTP 27 and newer say that chunks are missing where the end of a file is.
-spec is_whole(file:filename()) -> boolean().
is_whole(File) ->
    case file:read_file(File) of
        {ok, <<"FOR1", Size:32, Rest/binary>>} -> byte_size(Rest) >= Size;
        _ -> true
    end.

-spec errors(file:filename(), unicode:chardata()) -> errors().
errors(File, Text) ->
    {error, [erlconcolic_message:new(error, File, Text)]}.
